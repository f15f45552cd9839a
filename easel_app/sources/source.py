"""What records are read from: files, plain or packed, in an order of their own, any number of times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol

from easel_app.sources.entries import Entry, JsonFile
from easel_app.sources.found import Found, Problem, SourceUnusable

MOST_FILES = 2000
"""Files of a folder."""


class Readable(Protocol):
    """A file that is being read."""

    size: int
    """Bytes."""
    position: int
    """Bytes that have been read."""

    def entries(self) -> Iterator[Entry | Problem]:
        """All entries in order, from the beginning."""


class Source(ABC):
    """Files that records are read from, any number of times."""

    def __init__(
        self, files: Sequence[Path], name: str, *, endings: Sequence[str], alone: bool = False, title: str | None = None
    ) -> None:
        """Read from files.

        Args:
            files: what to read.
            name: what it is called in reports.
            endings: of files of this kind, which their titles do without.
            alone: whether the file came without the files beside it, so that it may name none.
            title: what a set made of it is called; None: as its name without its ending, or "" when it came alone.
        """
        self.name, self.alone = name, alone
        self.title = title if title is not None else "" if alone else stem(name, endings)[:80].strip()
        common = Path(*_common(files))
        self._files = [(path, path.relative_to(common).as_posix() if len(files) > 1 else "") for path in files]
        self.size = sum(path.stat().st_size for path in files)
        self._done = 0
        self._reading: Readable | None = None

    @property
    def position(self) -> int:
        """Bytes that have been read, of `size`, since the reading began."""
        return min(self.size, self._done + (self._reading.position if self._reading else 0))

    def prepare(self, beat: Callable[[], None]) -> None:  # noqa: B027  few need it
        """Look through the files before they are read, if that is needed; `beat` is called before each entry."""

    @abstractmethod
    def read(self) -> Iterator[Found | Problem]:
        """All records in order, and what is wrong at its place."""

    def _open(self, path: Path, name: str) -> Readable:
        """A file, which problems call by that name."""
        return JsonFile(path, name)

    def _entries(self, path: Path, name: str) -> Iterator[Entry | Problem]:
        self._reading = self._open(path, name)
        yield from self._reading.entries()
        self._done, self._reading = self._done + self._reading.size, None


def on_disk(path: Path, endings: Sequence[str], otherwise: str) -> list[Path]:
    """The files at a path: one file, or all files of a folder with one of the endings, hidden ones left out.

    Args:
        path: of a file or a folder.
        endings: of the files that are wanted, with their dots.
        otherwise: what to do where there is nothing, for the message.

    Raises:
        SourceUnusable: there is nothing to read.
    """
    try:
        if path.is_dir():
            files = sorted(islice((each for each in path.rglob("*") if _wanted(each, path, endings)), MOST_FILES + 1))
            if not files:
                kinds = ", ".join(each for each in endings if not each.endswith(".gz"))
                raise SourceUnusable(f"The folder {path} has no {kinds} file in it; choose another one.")
            if len(files) > MOST_FILES:
                raise SourceUnusable(f"The folder {path} has more than {MOST_FILES} files; choose a smaller one.")
        elif path.is_file():
            files = [path]
        else:
            raise SourceUnusable(f"There is no file or folder {path}; {otherwise}.")
        for file in files:
            file.open("rb").close()
    except OSError as error:
        message = f"{error.filename or path} cannot be read ({error.strerror}); correct the path or its permissions."
        raise SourceUnusable(message) from None
    return files


def stem(name: str, endings: Sequence[str]) -> str:
    """A file's name without its ending."""
    for ending in sorted(endings, key=len, reverse=True):
        name = name.removesuffix(ending)
    return name


def _wanted(path: Path, folder: Path, endings: Sequence[str]) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.name.endswith(tuple(endings)) and not hidden and path.is_file()


def _common(files: Sequence[Path]) -> list[str]:
    """The parts that the folders of all files have in common."""
    parts: list[str] = []
    for level in zip(*(path.parent.parts for path in files), strict=False):
        if len(set(level)) > 1:
            break
        parts.append(level[0])
    return parts
