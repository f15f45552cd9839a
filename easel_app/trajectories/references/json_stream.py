"""The objects of the arrays at the top of a large JSON file, one at a time: the file itself is never in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHUNK = 1 << 20
LARGEST = 64 << 20
"""Characters that one value may have."""
_AFTER = frozenset(",]} \t\r\n")


def top_level(path: Path) -> Iterator[tuple[str, Any]]:
    """Names and values at the top of a file that holds an object; of an array its members, one after the other.

    Raises:
        ValueError: it is no such file.
        OSError: it cannot be read.
    """
    with path.open(encoding="utf-8") as file:
        text = _Text(file)
        text.expect("{")
        while not text.skip("}"):
            name = text.value()
            if not isinstance(name, str):
                raise ValueError("a name is missing")
            text.expect(":")
            if text.skip("["):
                while not text.skip("]"):
                    yield name, text.value()
                    text.skip(",")
            else:
                yield name, text.value()
            text.skip(",")


class _Text:
    """What has been read of a file and not yet understood."""

    def __init__(self, file: Any) -> None:
        self._file, self._held, self._at = file, "", 0
        self._decoder = json.JSONDecoder()

    def skip(self, sign: str) -> bool:
        """Go past a sign if it comes next."""
        self._past_blanks()
        found = self._held[self._at] == sign
        self._at += found
        return found

    def expect(self, sign: str) -> None:
        """Go past a sign that must come next."""
        if not self.skip(sign):
            raise ValueError(f"{sign} is missing")

    def value(self) -> Any:
        """The value that comes next."""
        self._past_blanks()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
                # a number may go on in what is not read yet
                if self._held[end : end + 1] in _AFTER or not self._more():
                    self._at = end
                    return value
            except json.JSONDecodeError:
                if len(self._held) - self._at > LARGEST or not self._more():
                    raise ValueError("a value is damaged") from None

    def _past_blanks(self) -> None:
        while True:
            while self._at < len(self._held) and self._held[self._at] in " \t\r\n\ufeff":
                self._at += 1
            if self._at < len(self._held):
                return
            if not self._more():
                raise ValueError("the file ends too early")

    def _more(self) -> bool:
        chunk = self._file.read(CHUNK)
        if not chunk:
            return False
        self._held, self._at = self._held[self._at :] + chunk, 0
        return True
