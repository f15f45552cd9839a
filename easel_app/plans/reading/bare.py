"""A file that is one plan: a bare text, plain or packed by gzip, kept character by character."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from easel_app.plans.files import MOST_PLAN
from easel_app.sources.entries import Entry
from easel_app.sources.found import Fault, Place, Problem

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_MOST = 4 * MOST_PLAN
"""Bytes of so many characters."""
_PEEK = 4096


def is_bare(path: Path, endings: Sequence[str]) -> bool:
    """Whether a file is no JSON: neither called so, nor beginning as a list or an object."""
    if path.name.endswith(tuple(endings)):
        return False
    try:
        start = _read(path, _PEEK)
    except (OSError, EOFError, zlib.error):
        return False  # whoever reads it as JSON tells what is wrong with it
    begin = start.removeprefix(_BOM).lstrip()
    return bool(begin) and not begin.startswith((b"{", b"["))


class TextFile:
    """One entry: the text."""

    def __init__(self, path: Path, name: str = "") -> None:
        """Read from `path`; problems call the file `name`, empty for the only one."""
        self._path, self._place = path, Place("", 0, name)
        self.size = path.stat().st_size
        self.position = 0
        """Bytes of the file that have been read."""

    def entries(self) -> Iterator[Entry | Problem]:
        """The text, or what is wrong with it."""
        try:
            content = _read(self._path, _MOST + 1)
            self.position = self.size
            if len(content) > _MOST:
                yield self._problem(f"it has more than {_MOST // 1024**2} MB, which no plan needs")
                return
            yield Entry(self._place, content.decode("utf-8"))
        except UnicodeDecodeError as error:
            yield self._problem(f"it is not UTF-8 text (byte {error.start + 1})")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield self._problem(f"the gzip file is damaged or cut off ({error})")

    def _problem(self, why: str) -> Problem:
        return Problem(self._place, (Fault("", why),))


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
        file.seek(0)
        if not packed:
            return file.read(most)
        with gzip.GzipFile(fileobj=file) as unpacked:
            return unpacked.read(most)
