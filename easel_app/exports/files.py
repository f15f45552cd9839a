"""Files that are made one after the other, piece by piece, as a folder or as a ZIP archive: never all in memory."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

PIECE = 256 * 1024
"""Bytes that are passed on together, at least."""
PACKED = (".jsonl", ".md", ".txt")
"""Files that are worth packing; pictures and parquet are packed by themselves."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of all files of an archive: equal content is an equal archive."""


class File(NamedTuple):
    """A file to be written."""

    name: str
    """Its path, with slashes, relative to the folder or archive."""
    pieces: Iterable[bytes]
    """Read once, when it is its turn."""
    large: bool = False
    """Whether it may have 2 GB and more."""


class _Sink:
    """What a ZipFile writes to, which cannot go back; what was written is taken away piece by piece."""

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self.size = 0

    def write(self, content: bytes) -> int:
        self._written.append(bytes(content))
        self.size += len(content)
        return len(content)

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> bytes:
        """What was written since the last time."""
        content, self._written, self.size = b"".join(self._written), [], 0
        return content


def zipped(files: Iterable[File]) -> Iterator[bytes]:
    """A ZIP archive of files, in pieces."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]  # it needs no more than `write`
        for file in files:
            info = zipfile.ZipInfo(file.name, EPOCH)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED if file.name.endswith(PACKED) else zipfile.ZIP_STORED
            with archive.open(info, "w", force_zip64=file.large) as entry:
                for piece in file.pieces:
                    entry.write(piece)
                    if sink.size >= PIECE:
                        yield sink.take()
    yield sink.take()


def write_files(folder: Path, files: Iterable[File]) -> None:
    """Write files into a folder. Raises OSError."""
    for file in files:
        path = folder / PurePosixPath(file.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as opened:
            opened.writelines(file.pieces)


def files_of(folder: Path) -> Iterator[File]:
    """All files of a folder, by their names."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        large = path.stat().st_size >= 2**31
        yield File(path.relative_to(folder).as_posix(), _pieces(path), large)


def blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in larger pieces, so that each is worth a turn of a worker thread."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
