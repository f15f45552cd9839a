"""What is wrong with a record, all of it at once, in words that name the place and the value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from easel_app.sources.fields import seen
from easel_app.sources.found import Fault
from easel_app.sources.jsontext import shown

Result = TypeVar("Result")
NAMES = ("planner", "model", "judge", "reviewer")
"""Fields that name who did something."""
MOST_FAULTS = 20
"""Faults of one record that are told."""
NOUNS = {
    "turns": "turn", "rubric": "item", "calls": "call", "pictures": "picture", "documents": "document",
    "images": "image", "query_images": "image", "gaps": "gap",
}  # fmt: skip
"""What an entry of a list is called, by the list's name."""


class NotValid(ValueError):
    """A record is refused."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(fault.what for fault in faults))
        self.faults = faults


def validated(adapter: TypeAdapter[Result], value: Mapping[str, Any]) -> Result:
    """The record that a value is.

    Raises:
        NotValid: with each fault.
    """
    try:
        record = adapter.validate_python(value)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        inside = {each["loc"][:length] for each in errors for length in range(1, len(each["loc"]))}
        # where all of a list is wrong it counts as empty, too, which it is not
        real = [each for each in errors if each["type"] != "too_short" or each["loc"] not in inside]
        raise NotValid(tuple(_fault(dict(each), value) for each in real[:MOST_FAULTS])) from None
    if faults := tuple(_deceiving(value)):
        raise NotValid(faults)
    return record


def _deceiving(value: Mapping[str, Any]) -> Iterator[Fault]:
    """Names in which something is not seen, so that two of them could look alike."""
    for name in NAMES:
        try:
            seen(str(value.get(name, "")))
        except ValueError as error:
            yield Fault(name, f"{name} is {shown(value[name])}, but {error}; correct it")


def _fault(error: Mapping[str, Any], value: Mapping[str, Any]) -> Fault:
    path = _path(error["loc"], value)
    where, name = _where(path, value)
    reason, remedy = _reason(error, name)
    field = "".join(c if c.isprintable() else "�" for c in ".".join(str(step)[:60] for step in path))
    return Fault(field, f"{where}{name or 'the record'} {reason}; {remedy}")


def _path(steps: Sequence[Any], value: Any) -> list[Any]:
    """The way to a value, without the steps that unions of models add: these name what tells the models apart."""
    path: list[Any] = []
    here, told = value, False
    for step in steps:
        if not told and isinstance(here, Mapping) and step == here.get("type", here.get("about")):
            told = True
            continue
        path.append(step)
        told = False
        try:
            here = here[step]
        except (LookupError, TypeError):
            here = None
    return path


def _where(path: list[Any], value: Any) -> tuple[str, str]:
    """The place in words, such as "turn 2, item 'a': ", and the field's name."""
    words, here, name = [], value, ""
    for step in path:
        try:
            here = here[step]
        except (LookupError, TypeError):
            here = None
        if not isinstance(step, int):
            name = str(step)
            continue
        noun = NOUNS.get(name)
        if noun is None:  # such as one of an item's categories
            continue
        own = here.get("id") if noun == "item" and isinstance(here, Mapping) else None
        words.append(f"{noun} {shown(own) if isinstance(own, str) else step + 1}")
        name = ""
    name = "".join(c if c.isprintable() else "�" for c in name[:60])
    return f"{', '.join(words)}: " if words else "", name


def _reason(error: Mapping[str, Any], name: str) -> tuple[str, str]:
    """What is wrong with the value, and what to do."""
    kind, given, context = error["type"], error.get("input"), error.get("ctx") or {}
    if kind == "missing":
        return "is missing", "add it"
    if kind == "extra_forbidden":
        return "is not a field that is known here", "leave it out"
    if kind in ("string_too_long", "too_long"):
        unit = "characters" if isinstance(given, str) else "entries"
        most = context.get("max_length")
        size = len(given) if isinstance(given, str | list | tuple) else "too many"
        size = f"{size:,}" if isinstance(size, int) else size
        return f"has {size} {unit}, but at most {most:,} are taken", "shorten it"
    if kind in ("string_too_short", "too_short"):
        return "is empty", "fill it in, or leave the record out"
    if name == "weight":
        return f"is {shown(given)}, but it must be a whole number from 1 to 5", "correct it"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        found = given.get("type") if isinstance(given, Mapping) else given
        known = str(context.get("expected_tags", "those that are known here")).replace("'", "")
        return f"has the type {shown(found)}, but it must be one of {known}", "correct it"
    if kind in ("literal_error", "enum"):
        expected = re.sub(r"<[^>]*: ('[^']*')>", r"\1", str(context.get("expected")))
        return f"is {shown(given)}, but it must be {expected}", "correct it"
    if kind == "string_pattern_mismatch":
        must = "it must be one line without blanks at its ends, of visible characters"
        return f"is {shown(given)}, but {must}", "correct it"
    message = str(error["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return f"is refused: {message}", "correct it"
    return f"is {shown(given)}, but {message[:1].lower()}{message[1:160]}", "correct it"
