"""Texts that are needed again, kept outside of memory until they are: a plan when a report on it comes."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Hashable
from typing import Final

MOST_IN_MEMORY: Final = 8 * 1024 * 1024
"""Bytes before the rest goes to a file, which has no name and is gone with the shelf."""


class Shelf:
    """Texts of any characters by key; the last one of a key counts."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=MOST_IN_MEMORY)  # noqa: SIM115  close() closes it
        self._places: dict[Hashable, tuple[int, int]] = {}

    def put(self, key: Hashable, text: str) -> None:
        """Keep a text."""
        packed = zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
        start = self._file.seek(0, 2)
        self._file.write(packed)
        self._places[key] = (start, len(packed))

    def get(self, key: Hashable) -> str | None:
        """The text of a key, or None."""
        if key not in self._places:
            return None
        start, length = self._places[key]
        self._file.seek(start)
        return zlib.decompress(self._file.read(length)).decode("utf-8", "surrogatepass")

    def close(self) -> None:
        """Let go of all."""
        self._file.close()
