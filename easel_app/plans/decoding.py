"""From the body of a tag to an object, and how much had to be guessed on the way.

The steps, in order; the first that gives an object counts:

1. *strict*: the body is a JSON object (RFC 8259). A key that stands twice stays strict.
2. *lenient*: an exact value after a step that guesses nothing: a code fence taken off, raw control characters and
   numbers without a value accepted, what follows the object left out, HTML entities decoded once. A Python literal that
   `ast.literal_eval` reads, and that has nothing foreign to JSON but single quotes and Python's constants, is lenient.
3. *repaired*: what `repairing` makes of it, which names each thing that it forgave. What it cannot read goes to
   json-repair: for at most 20,000 characters, since its time can grow with the square; only where a key stands that
   could name a tool; and always as `ambiguous_repair`, since it tells neither what it changed nor when it is wrong.
4. *failed*: `empty_tag`, `not_an_object` (a list, whole or not, or a single value), `too_deep`, `unparseable`.

A complete object in a tag that is not closed is at best lenient. One found behind other words (`leading_garbage`) is
repaired, as are entities with a further fault.
"""

from __future__ import annotations

import ast
import html
import re
from typing import Any, NamedTuple

import json_repair

from easel_app.plans.json_text import MOST_DEEP, decode, value_end
from easel_app.plans.records import Status
from easel_app.plans.registry import registry
from easel_app.plans.repairing import WHOLE, Fault, Repaired, TooDeepError, UnreadableError, repair
from easel_app.plans.spaces import BLANK, BLANKS, after_blanks, trimmed

MOST_REPAIRED = 20_000
"""Characters of a body that are given to json-repair or to Python's parser."""
FENCE = re.compile(r"(`{3,}|~{3,})[\w+-]{0,20}[ \t]*\r?\n?")
_FENCE_END = re.compile(rf"(?:`{{3,}}|~{{3,}}){BLANK}*\Z")
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_EXACT = frozenset({"single_quotes", "python_literal", "duplicate_key"})
"""Faults with which a text may still be a Python literal that says exactly what it means."""


class Body(NamedTuple):
    """What came of a body."""

    status: Status
    value: dict[str, Any] | None
    faults: tuple[Fault, ...]
    """Places are within the body."""


def read_body(body: str, *, closed: bool = True) -> Body:
    """The object of a tag's body, with what is wrong with it; never raises, whatever the body is.

    Args:
        body: what stands between the tags.
        closed: whether the tag was closed.
    """
    start, end = trimmed(body, 0, len(body))
    faults: list[Fault] = []
    if fence := FENCE.match(body, start, end):
        faults.append(Fault("fenced_json", *fence.span()))
        closing = _FENCE_END.search(body, max(fence.end(), end - 200), end)
        start, end = trimmed(body, fence.end(), closing.start() if closing else end)
    if start >= end:
        return Body("failed", None, (*faults, Fault("empty_tag", 0, len(body))))
    found = _object(body[start:end], closed=closed)
    return Body(
        _at_best("lenient", found.status) if faults or not closed else found.status,
        found.value,
        (*faults, *(_moved(fault, start) for fault in found.faults)),
    )


def _object(text: str, *, closed: bool) -> Body:
    if found := _plain(text):
        return found
    if _ENTITY.search(text):
        decoded = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
        found = _plain(decoded) or (None if '"' in text else _guessed(decoded, closed=closed))
        if found and found.value is not None:
            whole = (0, len(text))
            faults = (Fault(fault.code, *whole, fault.key) for fault in found.faults)
            return Body(_at_best("lenient", found.status), found.value, (Fault("html_entities", *whole), *faults))
    if text.startswith("["):
        return _failed("not_an_object", text)
    return _guessed(text, closed=closed)


def _plain(text: str) -> Body | None:
    """What JSON says that stands there, apart from what is exact all the same; None if it is no JSON."""
    ended = value_end(text, 0)
    if not ended:
        return None
    if ended.depth > MOST_DEEP:
        return _failed("too_deep", text)
    rest = after_blanks(text, ended.end)
    if not text.startswith("{"):
        return _failed("not_an_object", text) if rest == len(text) else None
    found = decode(text[: ended.end])
    whole = (0, ended.end)
    faults = [Fault("duplicate_key", *whole, key) for key in found.repeated[:1]]
    inexact = [Fault("control_char", *whole)] if found.raw_controls else []
    if found.non_finite:
        inexact.append(Fault("non_finite_number", *whole))
    if rest < len(text):
        another = text[rest:].lstrip(f",{BLANKS}").startswith("{")
        inexact.append(Fault("duplicate_object" if another else "trailing_garbage", rest, len(text)))
    return Body("lenient" if inexact else "strict", found.value, (*faults, *inexact))


def _guessed(text: str, *, closed: bool) -> Body:
    if not WHOLE.match(text):
        return _behind_words(text) or _failed("unparseable", text)
    try:
        found = repair(text, closed=closed)
    except TooDeepError:
        return _failed("too_deep", text)
    except UnreadableError:
        return _last_resort(text)
    if not found.value:
        return Body("failed", None, (*found.faults, Fault("unparseable", 0, len(text))))
    exact = _python(text, found)
    faults = found.faults
    if exact is not None:
        return Body("lenient", exact, faults)
    if found.python_escapes:
        faults += (Fault("bad_escape", 0, len(text)),)
    return Body("repaired", found.value, (*faults, Fault("repaired", 0, len(text))))


def _python(text: str, found: Repaired) -> dict[str, Any] | None:
    """The value of a Python literal, None if it is none that says exactly what it means.

    The reader has been through it: it is not deep, and no token is odd enough for Python to warn of.
    """
    if len(text) > MOST_REPAIRED or any(fault.code not in _EXACT for fault in found.faults):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) and _is_json(value) else None


def _is_json(value: object) -> bool:
    """Whether a value has a form in JSON; it is no deeper than a call may be."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    return value is None or isinstance(value, str | int | float)


def _behind_words(text: str) -> Body | None:
    """An object at the end of a text that begins otherwise; None if there is none that names a tool."""
    start = text.find("{")
    found = _plain(text[start:]) if start > 0 else None
    if not found or not _names_tool(found.value):
        return None
    faults = (_moved(fault, start) for fault in found.faults)
    return Body("repaired", found.value, (Fault("leading_garbage", 0, start), *faults, Fault("repaired", 0, len(text))))


def _last_resort(text: str) -> Body:
    could_name = any(name in text for name in registry().names)
    if could_name and len(text) <= MOST_REPAIRED and _brackets_deep(text) <= MOST_DEEP:
        try:
            value = json_repair.loads(text, skip_json_loads=True)
        except Exception:  # the library's own assertions fail on some texts, and no text may stop the parser
            value = None
        if isinstance(value, dict) and _names_tool(value) and _is_json(value):
            return Body(
                "repaired", value, tuple(Fault(code, 0, len(text)) for code in ("repaired", "ambiguous_repair"))
            )
    return _failed("unparseable", text)


def _names_tool(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in registry().names)


def _brackets_deep(text: str) -> int:
    """At most how many brackets are open at once, those in strings included."""
    open_now = deepest = 0
    for bracket in re.findall(r"[\[{}\]]", text):
        open_now = open_now + 1 if bracket in "[{" else max(0, open_now - 1)
        deepest = max(deepest, open_now)
    return deepest


def _moved(fault: Fault, by: int) -> Fault:
    return fault._replace(start=fault.start + by, end=fault.end + by)


def _failed(code: str, text: str) -> Body:
    return Body("failed", None, (Fault(code, 0, len(text)),))


def _at_best(best: Status, status: Status) -> Status:
    order: tuple[Status, ...] = ("strict", "lenient", "repaired", "failed")
    return max(best, status, key=order.index)
