"""JSON values in a text: where one ends, how deep it is, and what it is. Linear in time, and no depth overflows it.

`value_end` finds the end without the standard decoder, since that counts the lines before each of its errors: with a
tag in every tenth character that would cost the square of the length. It takes what the decoder takes when it is not
strict: RFC 8259, and besides NaN, Infinity and raw control characters in strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

MOST_DEEP = 64
"""Objects and lists within each other that a call may have."""
_SPACE = r"[ \t\n\r]*+"
_STRING = r'"[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+"
_SCALAR = re.compile(rf"(?:{_STRING}|{_NUMBER}|true|false|null|NaN|-?Infinity){_SPACE}")
_KEY = re.compile(rf"{_SPACE}{_STRING}{_SPACE}:{_SPACE}")
_SPACES = re.compile(_SPACE)
NUMBER = re.compile(_NUMBER)


class Ended(NamedTuple):
    """Where a value ends, and how many objects and lists stand within each other in it; 0 for a plain value."""

    end: int
    depth: int


def value_end(text: str, at: int) -> Ended | None:
    """The end of the JSON value that begins at a place; None if none does that is complete."""
    found = _SCALAR.match(text, at)
    if found:
        return Ended(at + len(found[0].rstrip(" \t\n\r")), 0)
    closers: list[str] = []  # of what is open, the innermost last
    depth = 0
    while True:
        # a value is due
        if found := _SCALAR.match(text, at):
            at = found.end()
        elif (opener := text[at : at + 1]) == "{" or opener == "[":
            closers.append("}" if opener == "{" else "]")
            depth = max(depth, len(closers))
            inner = _past_spaces(text, at + 1)
            if text[inner : inner + 1] != closers[-1]:
                if opener == "{":
                    if not (key := _KEY.match(text, at + 1)):
                        return None
                    inner = key.end()
                at = inner
                continue
            at = inner
        else:
            return None
        # a value is over, or its closing bracket stands here
        while True:
            char = text[at : at + 1]
            if char == closers[-1]:
                closers.pop()
                if not closers:
                    return Ended(at + 1, depth)
                at = _past_spaces(text, at + 1)
            elif char == ",":
                if closers[-1] == "]":
                    at = _past_spaces(text, at + 1)
                elif key := _KEY.match(text, at + 1):
                    at = key.end()
                else:
                    return None
                break
            else:
                return None


def _past_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at


class Decoded(NamedTuple):
    """A value, and what in its text is not plain JSON."""

    value: Any
    raw_controls: bool
    non_finite: bool
    repeated: tuple[str, ...]
    """Keys that stand twice in an object; the last value counts."""


def decode(text: str) -> Decoded:
    """The value of a text of which `value_end` says that it is one, and not too deep.

    A number that no float holds, of which the decoder would raise an error or make infinity, is infinity.
    """
    repeated: list[str] = []
    odd: list[str] = []

    def constant(name: str) -> float:
        odd.append(name)
        return float(name)

    def real(digits: str) -> float:
        value = float(digits)
        return value if value - value == 0 else constant("-Infinity" if value < 0 else "Infinity")

    def whole(digits: str) -> int | float:
        return int(digits) if len(digits) <= 4000 else real(digits)

    def pairs(found: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            seen: set[str] = set()
            repeated.extend(key for key, _ in found if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return made

    kinds: dict[str, Any] = {
        "object_pairs_hook": pairs, "parse_constant": constant, "parse_float": real, "parse_int": whole
    }  # fmt: skip
    try:
        return Decoded(json.loads(text, **kinds), False, bool(odd), tuple(repeated))
    except json.JSONDecodeError:
        repeated.clear()
        odd.clear()
        return Decoded(json.loads(text, strict=False, **kinds), True, bool(odd), tuple(repeated))
