"""What code prints, kept within a limit: the beginning and the end, and how much was between."""

from __future__ import annotations

import os
from typing import Final

_AT_ONCE: Final = 1 << 16


class Stream:
    """The reading end of a pipe that code prints into."""

    def __init__(self, file: int, limit: int) -> None:
        os.set_blocking(file, False)
        self.file = file
        self.ended = False
        self._half = limit // 2
        self.clear()

    def clear(self) -> None:
        """Forget what was printed."""
        self.head, self.tail, self.left_out = b"", b"", 0

    def read(self, most: int = _AT_ONCE) -> bool:
        """Take what is there.

        Returns:
            Whether there was something.
        """
        try:
            part = os.read(self.file, most)
        except BlockingIOError:
            return False
        self.ended = not part
        room = self._half - len(self.head)
        self.head += part[:room]
        tail = self.tail + part[room:]
        self.tail = tail[max(0, len(tail) - self._half) :]
        self.left_out += len(tail) - len(self.tail)
        return bool(part)

    def drain(self) -> None:
        """Take what is left, of somebody who prints no more: a pipe holds no more than a megabyte."""
        for _ in range(64):
            if not self.read():
                return
