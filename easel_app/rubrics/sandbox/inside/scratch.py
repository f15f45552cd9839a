"""The scratch folder: which images a call has left in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

SCRATCH: Final = "/scratch"
SHARED: Final = f"{SCRATCH}/.shm"
"""What /dev/shm leads to."""
MOST_FILES: Final = 10_000
"""Files, folders and links together; each takes memory that the limit of the folder's size does not count."""
_DEEPEST: Final = 12
_HEAD: Final = 16
_NO_IMAGES: Final = tuple(".svg .pdf .eps .ps .tif .tiff .bmp .ppm .pgm .ico .avif .jp2 .heic".split())  # noqa: SIM905
"""Endings of files that one may take for images, and that are not shown."""

State = dict[int, tuple[int, ...]]
"""Of each file, by its inode: when and how it was changed."""


class Found(NamedTuple):
    """A file that a call made or changed."""

    when: int
    inode: int
    path: str
    size: int


def full() -> bool:
    """Whether there are more files than there may be."""
    with suppress(OSError):
        found = os.statvfs(SCRATCH)
        return found.f_files - found.f_ffree > MOST_FILES
    return True


def prepare() -> None:
    """Make the folder fit for code, which may have shut it or removed what belongs there."""
    with suppress(OSError):
        os.chmod(SCRATCH, 0o1777)  # noqa: S103, PTH101
    with suppress(OSError):
        os.makedirs(SHARED, exist_ok=True)  # noqa: PTH103


def state() -> State:
    """What is there now."""
    return {inode: marks for _, inode, marks in _files()}


def changed(before: State) -> list[Found]:
    """Files that are new or differ, in the order in which they were saved; one of several names for the same file."""
    found: dict[int, Found] = {}
    for path, inode, marks in _files():
        if before.get(inode) != marks:
            when, _, size = marks
            found.setdefault(inode, Found(when, inode, path, size))
    return sorted(found.values())


def content(found: Found, most: int) -> bytes:
    """At most so many bytes of a file; none if it cannot be read."""
    with suppress(OSError):
        file = os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if stat.S_ISREG(os.fstat(file).st_mode):
                return b"".join(iter(lambda: os.read(file, min(most, 1 << 20)), b"")) if found.size <= most else b""
        finally:
            os.close(file)
    return b""


def kind(found: Found) -> str:
    """Whether a file is an `image` by its first bytes, only `called` one by its name, or neither (empty)."""
    with suppress(OSError):
        file = os.open(found.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            head = os.read(file, _HEAD)
        finally:
            os.close(file)
        if head.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8")) or (head[:4], head[8:12]) == (b"RIFF", b"WEBP"):
            return "image"
        return "called" if found.path.lower().endswith(_NO_IMAGES) else ""
    return ""


def _files() -> Iterator[tuple[str, int, tuple[int, int, int]]]:
    """Regular files, by no link and in no hidden folder: path, inode, and (changed, status changed, size)."""
    folders = [(SCRATCH, 0)]
    while folders:
        folder, depth = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:  # gone, shut, or its path too long
            continue
        for entry in entries:
            with suppress(OSError):
                marks = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(marks.st_mode):
                    yield entry.path, marks.st_ino, (marks.st_mtime_ns, marks.st_ctime_ns, marks.st_size)
                elif stat.S_ISDIR(marks.st_mode) and depth < _DEEPEST and not entry.name.startswith("."):
                    folders.append((entry.path, depth + 1))
