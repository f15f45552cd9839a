"""Snappy's raw format, unpacked piece by piece (google/snappy, format_description.txt).

The libraries at hand unpack a block only whole, and a table of pictures may have blocks of hundreds of megabytes. Bytes
that do not pack, which pictures are, come in long literals, so that plain Python is fast enough for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, Protocol

PIECE = 1024 * 1024
NEAR = 64 * 1024
"""Bytes back that a copy reaches as all known packers write it; from further back it is read from the file again."""


class Source(Protocol):
    """What packed bytes are read from."""

    def read(self, count: int, /) -> bytes:
        """At most that many bytes; none at the end."""


def unpack(source: Source, size: int, target: BinaryIO) -> None:
    """Unpack what is left of a source into a real file, which is empty.

    Args:
        source: the packed bytes, from their first one.
        size: how many bytes come out.
        target: a file opened to be read and written without a buffer of Python's own (`buffering=0`).

    Raises:
        ValueError: it is no snappy of that size.
    """
    window, written = bytearray(), 0
    for piece in _pieces(source, size):
        if isinstance(piece, bytes):
            window += piece
        else:
            distance, length = piece
            if distance > written + len(window) or not distance:
                raise ValueError("a copy from before the beginning")
            if distance > len(window):
                back = os.pread(target.fileno(), length, written + len(window) - distance)
                window += (back * (length // len(back) + 1))[:length] if len(back) < length else back
            elif distance >= length:
                start = len(window) - distance
                window += window[start : start + length]
            else:  # a copy of what it is writing itself: it repeats
                part = bytes(window[-distance:])
                window += (part * (length // distance + 1))[:length]
        if len(window) > PIECE + NEAR:
            target.write(window[:-NEAR])
            written += len(window) - NEAR
            del window[:-NEAR]
        if written + len(window) > size:
            raise ValueError("more bytes than it said")
    target.write(window)
    if written + len(window) != size:
        raise ValueError("fewer bytes than it said")


def _pieces(source: Source, size: int) -> Iterator[bytes | tuple[int, int]]:
    """Literals, and copies as how far back and how long."""
    read = _Buffer(source).read
    said, shift = 0, 0
    while True:
        byte = read(1)[0]
        said |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
        if shift > 28:
            raise ValueError("a length beyond 32 bits")
    if said != size:
        raise ValueError("another length than the page says")
    left = size
    while left > 0:
        tag = read(1)[0]
        kind, length = tag & 3, (tag >> 2) + 1
        if kind == 0:
            if length > 60:
                length = int.from_bytes(read(length - 60), "little") + 1
            left -= length
            while length > 0:
                part = read(min(length, PIECE))
                length -= len(part)
                yield part
        else:
            if kind == 1:
                length = (tag >> 2 & 7) + 4
                distance = (tag >> 5) << 8 | read(1)[0]
            else:
                distance = int.from_bytes(read(2 if kind == 2 else 4), "little")
            left -= length
            yield distance, length


class _Buffer:
    """Reads exactly as many bytes as are asked for."""

    def __init__(self, source: Source) -> None:
        self._source, self._held, self._at = source, b"", 0

    def read(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._held):
            parts = [self._held[self._at :]]
            have = len(parts[0])
            while have < count:
                more = self._source.read(max(PIECE, count - have))
                if not more:
                    raise ValueError("it is cut off")
                parts.append(more)
                have += len(more)
            self._held, self._at, end = b"".join(parts), 0, count
        found = self._held[self._at : end]
        self._at = end
        return found
