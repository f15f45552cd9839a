"""What counts as blank in a plan: white space, the byte order mark, and characters without width."""

from __future__ import annotations

import re
from typing import Final

_WHITE = "\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ZERO_WIDTH = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
BLANK: Final = f"[{_WHITE}{_ZERO_WIDTH}]"
"""One blank character, as a pattern: white space, joiners, marks of direction, the byte order mark."""
BLANKS: Final = "".join(char for char in map(chr, range(0x3001)) if re.match(BLANK, char)) + "\ufeff"
"""All of them."""
_SOME = re.compile(BLANK + "*+")
_INK = re.compile(f"[^{_WHITE}{_ZERO_WIDTH}]")
BLANK_LINE: Final = re.compile(rf"\n(?:(?!\n){BLANK})*+\n")
"""The end of a line and a blank line after it."""


def after_blanks(text: str, at: int) -> int:
    """Where the first character at or after a place stands that is not blank; the text's end if there is none."""
    found = _SOME.match(text, at)
    return found.end() if found else at


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The same part of a text without the blanks at its edges; an empty part at its start if all are blank."""
    part = text[start:end]
    end = start + len(part.rstrip(BLANKS))
    return (end, end) if end == start else (min(after_blanks(text, start), end), end)


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether a part of a text holds nothing but blanks."""
    return _INK.search(text, start, end) is None
