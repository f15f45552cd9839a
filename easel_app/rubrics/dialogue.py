"""What a model that answers with tools is sent: the messages of a turn, from its pictures and its rounds so far."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from easel_app.rubrics.records import ToolCall
from easel_app.rubrics.rounds import Handle, Round
from easel_app.rubrics.tool_prompts import PROMPTS, Strength
from easel_app.sources.showing import Picture

Message = dict[str, Any]
Shown = Mapping[str, Picture | None]
"""Pictures that tools made, by digest of the file; None where the file is gone."""
FILES = "In the working folder of your Python code the pictures so far are, in order: {}."
MADE = "Pictures that your tools made:"
MADE_BY = "By call {} ({}): {}"
GONE = "(This picture is no longer there.)"
SILENCE = "(no answer)"
"""Stands for an answer of nothing, since endpoints refuse messages without words."""
_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_MOST_NAME = 64


class Said(NamedTuple):
    """An earlier turn as the model is told it."""

    prompt: str
    pictures: tuple[Picture, ...]
    answer: str
    """The golden one, or the model's own."""


def opening(
    prompt: Strength, earlier: Sequence[Said], asked: str, pictures: Sequence[Picture], names: Sequence[str]
) -> list[Message]:
    """The messages before the first round of a turn.

    Args:
        prompt: which system prompt.
        earlier: the turns before.
        asked: the turn's prompt.
        pictures: all pictures of the turn.
        names: files of all pictures so far in the working folder of the code; empty where no code can be run.
    """
    messages: list[Message] = [{"role": "system", "content": PROMPTS[prompt]}]
    for turn in earlier:
        messages.append({"role": "user", "content": _content(turn.prompt, turn.pictures)})
        messages.append({"role": "assistant", "content": turn.answer if turn.answer.strip() else SILENCE})
    text = "\n\n".join([asked, FILES.format(", ".join(names))]) if names else asked
    return [*messages, {"role": "user", "content": _content(text, pictures)}]


def following(rounds: Sequence[Round], shown: Shown, in_tools: bool) -> list[Message]:
    """The messages that rounds add: what the model said and called, and what came of it.

    Args:
        rounds: those of the turn so far, none of which ended it.
        shown: how each of their pictures is shown.
        in_tools: whether pictures stand in the tool's own message, else in one of the user after those of the round.
    """
    return [message for each in rounds for message in _round(each, shown, in_tools)]


def handles_of(each: Round) -> Iterator[tuple[ToolCall, Handle]]:
    """The calls of a round with how the endpoint knows them."""
    for at, call in enumerate(each.calls):
        yield call, each.handles[at] if at < len(each.handles) else Handle(id=made_up(each.number, at))


def made_up(number: int, at: int) -> str:
    """An id for the call at that place of a round: nine letters and digits, as the strictest endpoints want it."""
    return f"call{number:02}{at:03}"


def _round(each: Round, shown: Shown, in_tools: bool) -> Iterator[Message]:
    calls = list(handles_of(each))
    asked = [
        {"id": handle.id, "type": "function", "function": _function(call), **handle.unread} for call, handle in calls
    ]
    yield {
        "role": "assistant",
        "content": each.text if each.text.strip() else None,
        "tool_calls": asked,
        **each.unread,
    }
    for call, handle in calls:
        told = json.dumps(call.observation, ensure_ascii=False)
        yield {
            "role": "tool",
            "tool_call_id": handle.id,
            "content": [_text(told), *_pictures(call, shown)] if in_tools and call.pictures else told,
        }
    made = [(at, call) for at, (call, _) in enumerate(calls, 1) if call.pictures]
    if made and not in_tools:
        parts = [_text(MADE)]
        for at, call in made:
            for name, part in zip(_names(call), _pictures(call, shown), strict=True):
                parts += [_text(MADE_BY.format(at, call.name, name)), part]
        yield {"role": "user", "content": parts}


def _function(call: ToolCall) -> Message:
    """A call as it may stand in a request: strict endpoints refuse one whose name or arguments are malformed."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    if call.arguments and not arguments:
        arguments = {"arguments": call.arguments}
    name = _NO_NAME.sub("_", call.name)[:_MOST_NAME] or "unknown"
    return {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}


def _names(call: ToolCall) -> list[str]:
    """What each picture of a call is called: its file's name if the observation tells it, else its number."""
    paths = call.observation.get("output_paths") if isinstance(call.observation, dict) else None
    if isinstance(paths, list) and len(paths) == len(call.pictures):
        return [str(path) for path in paths]
    return [f"picture {number}" for number, _ in enumerate(call.pictures, 1)]


def _pictures(call: ToolCall, shown: Shown) -> list[Message]:
    found = [shown[picture.digest] for picture in call.pictures]
    return [_image(picture) if picture else _text(GONE) for picture in found]


def _content(text: str, pictures: Sequence[Picture]) -> str | list[Message]:
    text = text if text.strip() or pictures else "(no words)"
    if not pictures:
        return text
    return [*map(_image, pictures), *([_text(text)] if text.strip() else [])]


def _text(text: str) -> Message:
    return {"type": "text", "text": text}


def _image(picture: Picture) -> Message:
    return {"type": "image_url", "image_url": {"url": picture.url}}
