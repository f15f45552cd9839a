"""From a model's reply to an action: every fault has a defined treatment, and nothing is guessed or clipped.

| reply | treatment |
| --- | --- |
| one call of a known tool with the right arguments | the action |
| several calls | the first counts, the others are noted |
| unknown tool; no JSON object; a key missing; a number out of range, not finite or none | invalid |
| cut off (`finish_reason` is `length`) without a whole object | invalid, never completed |
| refusal, content filter, prose, empty | invalid |
| numbers as strings or percentages; superfluous keys; a stroke nested in one more object | the action, noted* |
| JSON in text though tools were offered; prose or a fence around it | the action, noted* |

(* by the lenient reading; invalid by the strict one.)

An `Invalid` action costs a step like any other. Faults of the endpoint (time-outs, 429, 5xx, a body that is no JSON)
are not the model's: the client tries again, and what stays out of reach gives the attempt up without an action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from easel_app.llm import Reply
from easel_app.painting.stroke import Action, BrushStroke, Invalid, PathStroke, Stroke, Submit, Undo, explain
from easel_app.runs.prompts import INTEGERS, Coordinates

NAME_KEYS = ("action", "kind", "name", "tool")
NEST_KEYS = ("stroke", "arguments", "parameters", "args", "input", "brush_stroke")
MOST_TRIES, MOST_TEXT = 50, 100_000
"""Braces in a text that are tried as the beginning of an object, each of which may read the text to its end; and
characters that are read at all."""
THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL)


class Reading(NamedTuple):
    """What a reply was read as."""

    action: Action
    notes: tuple[str, ...] = ()
    """What a lenient reading allowed; empty for a reply without fault."""


class Unreadable(Exception):
    """The reply is no action; the message says why, in one sentence."""


class Form(NamedTuple):
    """How a reply has to look."""

    names: tuple[str, ...]
    """Actions that the protocol knows."""
    coordinates: Coordinates
    by_tools: bool
    reading: Literal["lenient", "strict"]
    stroke: type[PathStroke] = Stroke
    """What a stroke is here: 13 numbers, or the six of a path."""


def read(reply: Reply, form: Form) -> Reading:
    """The action that a reply stands for; an `Invalid` one with the reason when there is none."""
    notes: list[str] = []
    try:
        name, arguments = _called(reply, form, notes)
        action = _action(name, arguments, form, notes)
        if notes and form.reading == "strict":
            raise Unreadable(f"The reply is not in the form that was asked for: {notes[0]}.")
    except Unreadable as error:
        return Reading(Invalid(kind="invalid", reason=_sentence(str(error))), tuple(notes))
    return Reading(action, tuple(notes))


def _called(reply: Reply, form: Form, notes: list[str]) -> tuple[str, Mapping[str, Any]]:
    """Name and arguments of what the reply asks for."""
    cut = reply.finish_reason == "length"
    if reply.tool_calls:
        if len(reply.tool_calls) > 1:
            notes.append(f"{len(reply.tool_calls) - 1} more tool calls left out")
        if not form.by_tools:
            notes.append("a tool call although none was offered")
        call = reply.tool_calls[0]
        if len(call.arguments) > MOST_TEXT:
            raise Unreadable(f"The call of {_shown(call.name)} has {len(call.arguments):,} characters of arguments.")
        arguments = _object(call.arguments or "{}")
        if arguments is None:
            why = "was cut off" if cut else "has arguments that are no JSON object"
            raise Unreadable(f"The call of {_shown(call.name)} {why}.")
        return call.name, arguments
    if reply.refusal or reply.finish_reason == "content_filter":
        raise Unreadable(f"The model refused: {_shown(reply.refusal or 'stopped by a content filter')}.")
    text = THOUGHTS.sub("", (reply.text or "")[:MOST_TEXT]).strip()
    if not text:
        raise Unreadable("The reply was cut off before anything was said." if cut else "The reply is empty.")
    return _written(text, form, cut, notes)


def _written(text: str, form: Form, cut: bool, notes: list[str]) -> tuple[str, Mapping[str, Any]]:
    """Name and arguments of the first action that stands in a text as JSON."""
    found = [(at, value) for at, value in _objects(text) if _looks_like_an_action(value)]
    if not found:
        if cut:
            raise Unreadable("The reply was cut off before its action was complete.")
        raise Unreadable(f"The reply holds no JSON object with an action: {_shown(text)}")
    if form.by_tools:
        notes.append("JSON in text instead of a tool call")
    elif len(text) != found[0][0]:
        notes.append("text around the JSON object")
    if len(found) > 1:
        notes.append(f"{len(found) - 1} more actions left out")
    value = dict(found[0][1])
    key = next((key for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    if key is None:
        notes.append("no name of an action, taken for brush_stroke")
        return "brush_stroke", value
    if key != "action":
        notes.append(f"the action named by {key}")
    return str(value.pop(key)), value


def _action(name: str, arguments: Mapping[str, Any], form: Form, notes: list[str]) -> Action:
    if name not in form.names:
        raise Unreadable(f"The reply asks for {_shown(name)}, but only {', '.join(form.names)} can be done here.")
    if name != "brush_stroke":
        if arguments:
            notes.append("superfluous keys left out")
        return Undo(kind="undo") if name == "undo" else Submit(kind="submit")
    nested = [key for key in NEST_KEYS if isinstance(arguments.get(key), dict | str)]
    if nested and not set(form.stroke.model_fields) & set(arguments):
        inner = arguments[nested[0]]
        unpacked = _object(inner) if isinstance(inner, str) else inner
        if unpacked is not None:
            notes.append(f"the stroke nested in {nested[0]}")
            arguments = unpacked
    if set(arguments) - set(form.stroke.model_fields):
        notes.append("superfluous keys left out")
    fields = form.stroke.model_fields
    numbers = {key: _number(key, value, form, notes) for key, value in arguments.items() if key in fields}
    try:
        return BrushStroke(kind="brush_stroke", stroke=form.stroke.model_validate(numbers))
    except ValidationError as error:
        raise Unreadable(_first_clause(explain(error).message)) from None


def _number(key: str, value: Any, form: Form, notes: list[str]) -> Any:
    """A coordinate as a number in [0, 1]; what cannot be one is left to the stroke model to refuse."""
    percent = False
    if isinstance(value, str):
        text = value.strip()
        percent = text.endswith("%")
        try:
            value = float(text.rstrip("%").strip())
        except ValueError:
            raise Unreadable(f"{key} is {_shown(text)}, which is no number.") from None
        notes.append("percentages read as numbers" if percent else "strings read as numbers")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if percent:
        return value / 100
    if form.coordinates == "float":
        return value
    if value != value or not 0 <= value <= INTEGERS or value != int(value):
        raise Unreadable(f"{key} is {value}, but it must be an integer from 0 to {INTEGERS}.")
    return value / INTEGERS


def _object(text: str) -> dict[str, Any] | None:
    """The one JSON object that a text is, or None."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """JSON objects in a text that do not lie within another, each with its length, in order."""
    decoder, at, tries = json.JSONDecoder(), text.find("{"), 0
    while at >= 0 and tries < MOST_TRIES:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        yield end - at, value
        at = text.find("{", end)


def _looks_like_an_action(value: Mapping[str, Any]) -> bool:
    named = any(isinstance(value.get(key), str) for key in NAME_KEYS)
    return named or bool((set(Stroke.model_fields) | set(NEST_KEYS)) & set(value))


def _first_clause(message: str) -> str:
    return message.partition("; correct the")[0] + "."


def _shown(text: str, most: int = 100) -> str:
    """What a model wrote, on one line and short."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 2 * most]).split())
    return f"“{line if len(line) <= most else line[:most] + '…'}”"


def _sentence(text: str) -> str:
    """A reason that may be recorded, whatever the model wrote."""
    line = "".join(c if c.isprintable() else " " for c in text).strip()
    return line if len(line) <= 300 else line[:299] + "…"
