"""A model that paints: its stroke is a pure function of the pictures and texts that a request shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

import orjson

from tests.endpoint.app import Answer, Body, Headers

FIELDS = (
    "x_start", "y_start", "x_control", "y_control", "x_end", "y_end",
    "radius_start", "opacity_start", "radius_end", "opacity_end", "red", "green", "blue",
)  # fmt: skip
SPANS = {"radius_start": (0.05, 0.4), "radius_end": (0.05, 0.4), "opacity_start": (0.5, 1.0), "opacity_end": (0.5, 1.0)}
"""Where the numbers lie that would else make strokes that hardly show."""
THOUSANDTHS = re.compile(r'"maximum": ?1000\b|\b0 ?(?:to|-|–|\.\.) ?1000\b')
Number = int | float


def painter(number: int, body: Body, headers: Headers) -> Answer:
    """One stroke: a call of `brush_stroke` when that tool is offered, else JSON in text."""
    return say(body, stroke(body))


def stroke(body: Body) -> dict[str, Number]:
    """The stroke for what a request shows, with the fields and the scale that its tool or its words ask for."""
    names, scale = _form(body)
    numbers = digest(body)
    values = {}
    for at, name in enumerate(FIELDS):
        low, high = SPANS.get(name, (0.0, 1.0))
        value = low + (high - low) * int.from_bytes(numbers[2 * at : 2 * at + 2], "big") / 0xFFFF
        if name in names:
            values[name] = round(value * 1000) if scale == 1000 else round(value, 4)
    return values


def say(
    body: Body,
    arguments: Mapping[str, Any] | str,
    *,
    name: str = "brush_stroke",
    finish_reason: str | None = None,
    calls: int = 1,
    as_object: bool = False,
) -> Answer:
    """The reply of a model that calls a tool with these arguments, or writes them as text where no tool is offered.

    Args:
        body: the request.
        arguments: of the call; a text is taken as it is.
        name: of the tool.
        finish_reason: other than the usual one.
        calls: how often it calls.
        as_object: arguments as an object instead of a text.
    """
    if tool(body) is None:
        return completion(body, {"content": written(body, arguments, name)}, finish_reason or "stop")
    text = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    given: Any = arguments if as_object else text
    asked = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": given}} for at in range(calls)
    ]
    return completion(body, {"content": None, "tool_calls": asked}, finish_reason or "tool_calls")


def written(body: Body, arguments: Mapping[str, Any] | str, name: str = "brush_stroke") -> str:
    """An action as JSON in text; it tells its name where the request's words ask for that."""
    if isinstance(arguments, str):
        return arguments
    named = {"action": name} if '"action"' in words(body) else {}
    return orjson.dumps({**named, **arguments}).decode()


def completion(body: Body, message: Mapping[str, Any], finish_reason: str = "stop", **more: Any) -> Answer:
    """A chat completion with one choice; `more` are further keys of it, or other values of the usual ones."""
    said = len(orjson.dumps(message))
    usage = {"prompt_tokens": len(words(body)) // 4 + 300 * len(pictures(body)), "completion_tokens": said // 4}
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return Answer(
        {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": body.get("model", ""),
            "choices": [choice],
            "usage": {**usage, "total_tokens": sum(usage.values())},
            **more,
        }
    )


def tool(body: Body) -> dict[str, Any] | None:
    """The tool `brush_stroke`, if it is offered."""
    if body.get("tool_choice") == "none":
        return None
    functions: list[dict[str, Any]] = [each["function"] for each in body.get("tools") or []]
    return next((function for function in functions if function["name"] == "brush_stroke"), None)


def words(body: Body) -> str:
    """All texts that a request shows."""
    return "\n".join(part["text"] for part in _parts(body) if part["type"] == "text")


def pictures(body: Body) -> list[str]:
    """The addresses of all pictures that a request shows."""
    return [part["image_url"]["url"] for part in _parts(body) if part["type"] == "image_url"]


def digest(body: Body) -> bytes:
    """26 bytes that depend on all that a request shows and on nothing else."""
    shown = blake2b(words(body).encode(), digest_size=26)
    for picture in pictures(body):
        shown.update(b"\0" + picture.encode())
    return shown.digest()


def _parts(body: Body) -> Iterator[dict[str, Any]]:
    for message in body["messages"]:
        content = message.get("content")
        if isinstance(content, str):
            yield {"type": "text", "text": content}
        elif content:
            yield from content


def _form(body: Body) -> tuple[tuple[str, ...], int]:
    """Names of the fields, and the largest number: 1 or 1000."""
    offered = tool(body)
    if offered:
        properties = offered["parameters"]["properties"]
        return tuple(properties), 1000 if properties["x_start"].get("maximum") == 1000 else 1
    text = words(body)
    return FIELDS if "radius_start" in text else FIELDS[:6], 1000 if THOUSANDTHS.search(text) else 1
