"""What code printed, as text that can be shown and told to a model."""

from __future__ import annotations

import re
from typing import Final

_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~]?)|\x9b[0-?]*[ -/]*[@-~]?"
)
"""Of terminals: CSI, then strings such as titles and links, then the others; an end that is missing is no matter."""
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]"
)
"""All but tab and line feed, and what turns the direction of writing."""
_PARTIAL: Final = 3
"""Bytes of a character that may be cut off at most."""


def cleaned(content: bytes) -> str:
    """Text without terminal escapes and control characters; a carriage return ends a line."""
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def told(head: bytes, left_out: int, tail: bytes) -> str:
    """The beginning and the end of what was printed, and a line that says how much was between them."""
    if not left_out:
        return cleaned(head + tail)
    lost, head = _cut_end(head)
    more, tail = _cut_start(tail)
    return f"{cleaned(head).rstrip()}\n[… {left_out + lost + more:,} bytes are left out …]\n{cleaned(tail).lstrip()}"


def named(name: str) -> str:
    """A file's name, fit for a sentence."""
    shown = "".join(c if c.isprintable() else "�" for c in name)
    return shown if len(shown) <= 80 else f"…{shown[-79:]}"


def _cut_end(content: bytes) -> tuple[int, bytes]:
    """Bytes at the end that begin a character and do not end it: how many, and the rest."""
    for back in range(1, min(_PARTIAL, len(content)) + 1):
        byte = content[-back]
        if byte & 0xC0 == 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return (back, content[:-back]) if length > back else (0, content)
        if byte < 0x80:
            break
    return 0, content


def _cut_start(content: bytes) -> tuple[int, bytes]:
    """Bytes at the beginning that go on a character of which the beginning is missing: how many, and the rest."""
    count = 0
    while count < min(_PARTIAL, len(content)) and content[count] & 0xC0 == 0x80:
        count += 1
    return count, content[count:]
