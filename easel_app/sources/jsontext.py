"""JSON of unknown origin: an object's key stands there once, and whatever number it holds, it can be stored."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

MOST_DIGITS = 1000
"""Of an integer that is read as one; Python refuses to read far longer ones."""


def leaves(value: Any) -> Iterator[str]:
    """All texts within a value, and its numbers as texts; not the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield json.dumps(value)


def depth(value: Any) -> int:
    """How many objects and lists lie within each other; 0 for what is neither. However deep, it takes no recursion."""
    level, found = [value], 0
    while level := [item for item in level if isinstance(item, Mapping | list | tuple)]:
        found += 1
        level = [part for item in level for part in (item.values() if isinstance(item, Mapping) else item)]
    return found


class NotReadable(ValueError):
    """The text is no JSON that we take; the message is a part of a sentence."""


def decoded(text: str) -> Any:
    """The value of a whole JSON text.

    Raises:
        NotReadable: it is no JSON, an object holds a key twice, or it is nested too deeply.
    """
    try:
        return STRICT.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise NotReadable(f"it is not valid JSON ({what} at character {error.pos + 1})") from None
    except RecursionError:
        raise NotReadable("it is nested too deeply") from None


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object each of whose keys stands there once; else one of two rubric items would vanish unseen."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise NotReadable(f"the key {shown(twice)} stands there twice")
    return found


def shown(value: object, most: int = 60) -> str:
    """A value of unknown origin on one line and short, for a sentence."""
    if isinstance(value, dict | list | tuple):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    text = "".join(c if c.isprintable() else "�" for c in text)
    return text if len(text) <= most else text[:most] + "…"


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _number(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


# NaN and its like, which Python writes into the files of others, stay the words that they are
STRICT = json.JSONDecoder(object_pairs_hook=once, parse_int=_integer, parse_float=_number, parse_constant=str)
LENIENT = json.JSONDecoder(parse_int=_integer, parse_float=_number, parse_constant=str)
"""Finds the end of a value whatever its keys are."""
