"""Payloads of observations: text that can be stored and shown, failures in one form, and a bound for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

from easel_app.rubrics.records import MOST_DEEP
from easel_app.rubrics.tools.observation import Observation
from easel_app.sources.fields import storable
from easel_app.sources.jsontext import depth

MOST = 32_000
"""Characters of a payload as JSON; a model's context is not for one observation alone."""
SHORTEST = 200
"""Characters that are left of a text of a payload that is too long, however long the others are."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def failure(error: str, **fields: Any) -> Observation:
    """What a call comes to that fails; `error` is a sentence that says why and, where there is something, what to do.

    Args:
        error: for the model.
        fields: what the tool's result tells besides.
    """
    return Observation({**fields, "status": "error", "error": error})


def clean(text: object, most: int) -> str:
    """Text of unknown origin on the way to a model: without control characters but line feeds and tabs, and bounded.

    What is no text is an empty one.

    Args:
        text: untrusted.
        most: characters; what is longer ends in an ellipsis.
    """
    if not isinstance(text, str):
        return ""
    found = str(storable(_CONTROLS.sub("", text[: 2 * most].replace("\r\n", "\n")))).strip()
    return found if len(found) <= most else found[: most - 1].rstrip() + "…"


def one_line(text: object, most: int) -> str:
    """The same on one line."""
    return " ".join(clean(text, most).split())


def with_note(payload: dict[str, Any], *sentences: str) -> dict[str, Any]:
    """The payload with sentences added to its `note`; itself when there are none."""
    notes = [said for said in (payload.get("note"), *sentences) if isinstance(said, str) and said]
    return {**payload, "note": " ".join(notes)} if notes else payload


def bounded(payload: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    """A payload that can be stored and has at most so many characters as JSON.

    The longest text in it is cut in its middle, at most by half at a time, until all fits; `note` then says how much
    was left out. A payload that is long without long texts becomes a failure, and so does one that is nested too deeply
    to be stored.

    Args:
        payload: JSON values.
        most: characters, 2,000 at least.
    """
    if depth(payload) > MOST_DEEP:
        error = f"The result is nested more than {MOST_DEEP} deep and cannot be shown; ask for something else."
        return {"status": "error", "error": error}
    found: dict[str, Any] = _storable(payload)
    if (size := _size(found)) <= most:
        return found
    room = most - 200  # for the note
    while (over := _size(found) - room) > 0:
        where, key = max(_texts(found), key=lambda place: len(place[0][place[1]]), default=(None, ""))
        if where is None or len(where[key]) <= 2 * SHORTEST:
            error = f"The result is too long to be shown: {size:,} characters; ask for less at a time."
            return {"status": "error", "error": error}
        where[key] = _cut(where[key], over + 20)
    left = size - _size(found)
    return with_note(found, f"Parts are left out for their length, about {left:,} characters; ask for less at a time.")


def _cut(text: str, less: int) -> str:
    """A text without so much of its middle, but at most half of it; what went wrong often stands last."""
    keep = max(SHORTEST, len(text) // 2 - 20, len(text) - less)
    return f"{text[: keep * 2 // 3]}\n[…]\n{text[len(text) - keep // 3 :]}"


def _size(value: Any) -> int:
    return len(orjson.dumps(value).decode())


def _texts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where texts stand: what holds each, and its key there."""
    places = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, item in places:
        if isinstance(item, str):
            yield value, key
        elif isinstance(item, dict | list):
            yield from _texts(item)


def _storable(value: Any) -> Any:
    """A copy that can be changed and stored."""
    if isinstance(value, dict):
        return {str(storable(name)): _storable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    if isinstance(value, int) and value.bit_length() > 63:
        return str(value)
    return storable(value)
