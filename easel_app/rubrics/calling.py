"""The calls of one reply: which are carried out, in what order, and the records that they become."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from easel_app import llm
from easel_app.rubrics.dialogue import made_up
from easel_app.rubrics.records import MOST_CALLS, MOST_PICTURES, Data, ToolCall
from easel_app.rubrics.rounds import MOST_ID, Handle
from easel_app.rubrics.tools.observation import Toolbox
from easel_app.scoring.tool_schemas import BY_NAME
from easel_app.sources import fields
from easel_app.sources.fields import storable
from easel_app.sources.showing import Picture

Keep = Callable[[bytes], Awaitable[tuple[fields.Picture, Picture] | None]]
"""Stores an image that a tool made; gives its record and how it is shown, None when it is no picture that is taken."""
Doing = Callable[[int, str], None]

MOST_AT_ONCE = 16
"""Calls of one reply that are carried out."""
MOST_HEARD = 32
"""Calls of one reply that are answered at all."""
MOST_ARGUMENTS = 100_000
"""Characters that are kept of arguments which cannot be kept whole."""
MOST_NAME = 200
CODE = ("python_image_processing", "python_interpreter")
"""Tools that share one sandbox, so that they are called one after the other."""
TOO_MANY = "too many calls in one reply: {} of at most {}; this one was not carried out"
CUT = "… (cut off here; there were {:,} characters)"
UNKEPT = "what the tool brought is too large or nested too deeply to be kept"
LOST = "{} cannot be shown: it is damaged, too large or no picture."
_DATA: TypeAdapter[Any] = TypeAdapter(Data)


class Brought(NamedTuple):
    """What the calls of a reply brought."""

    calls: tuple[ToolCall, ...]
    handles: tuple[Handle, ...]
    shown: dict[str, Picture]
    """How the pictures that they made are shown, by digest."""


class _Done(NamedTuple):
    call: ToolCall
    shown: dict[str, Picture]


async def carry_out(
    asked: Sequence[llm.ToolCall],
    number: int,
    most_rounds: int,
    known: Collection[str],
    toolbox: Toolbox,
    keep: Keep,
    doing: Doing,
) -> Brought:
    """Carry out the calls of a reply; what they make is kept call by call.

    Calls of code run in their order, the others beside them. Of a reply with very many, only as many are heard as a
    turn has room for, and fewer are carried out, so that the model is told.

    Args:
        asked: the calls, as the model sent them.
        number: of the round.
        most_rounds: rounds that the turn may have, up to 250.
        known: ids of earlier calls of the turn.
        toolbox: what carries them out.
        keep: takes each image that they make.
        doing: is told of each call that begins.
    """
    heard = asked[: max(2, min(MOST_HEARD, MOST_CALLS // most_rounds))]
    carried = min(MOST_AT_ONCE, max(2, MOST_CALLS // most_rounds) - 1)
    code = asyncio.Lock()

    async def one(at: int, wish: llm.ToolCall) -> _Done:
        if at >= carried:
            refused = {"status": "error", "error": TOO_MANY.format(len(asked), carried)}
            return _Done(_record(wish, number, _parsed(wish.arguments), refused, 0.0), {})
        if wish.name in BY_NAME and BY_NAME[wish.name].name in CODE:
            async with code:
                return await called(wish)
        return await called(wish)

    async def called(wish: llm.ToolCall) -> _Done:
        doing(number, _named(wish))
        made = await toolbox.call(wish.name, wish.arguments)
        kept = [await keep(image) for image in made.images[:MOST_PICTURES]]
        kept += [None] * len(made.images[MOST_PICTURES:])
        there = [each for each in kept if each]
        payload = made.payload if len(there) == len(kept) else _without_lost(made.payload, kept)
        pictures = tuple(picture for picture, _ in there)
        record = _record(wish, number, made.arguments, payload, made.latency, pictures)
        return _Done(record, {picture.digest: shown for picture, shown in there})

    done = await _all([one(at, wish) for at, wish in enumerate(heard)])
    return Brought(
        calls=tuple(each.call for each in done),
        handles=tuple(_handles(heard, number, known)),
        shown={digest: picture for each in done for digest, picture in each.shown.items()},
    )


async def _all(work: Sequence[Coroutine[Any, Any, _Done]]) -> list[_Done]:
    """What all of them give, in order; when one fails, the others are ended and its error is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def _record(
    wish: llm.ToolCall,
    number: int,
    arguments: Any,
    payload: Mapping[str, Any],
    latency: float,
    pictures: tuple[fields.Picture, ...] = (),
) -> ToolCall:
    """The record of a call, whatever a model or a tool put into it."""
    sent = wish.arguments
    if len(sent) > MOST_ARGUMENTS:
        sent = sent[:MOST_ARGUMENTS] + CUT.format(len(sent))
    return ToolCall(
        name=_named(wish),
        arguments=_data(arguments, sent),
        observation=_data(payload, {"status": "error", "error": UNKEPT}),
        pictures=pictures,
        round=number,
        latency=latency,
    )


def _parsed(arguments: str) -> Any:
    """The object that arguments are; the text as sent where they are none."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments


def _data(value: Any, otherwise: Any) -> Any:
    """A value as JSON that comes back from any store as it went in; else what stands for it."""
    try:
        return _DATA.validate_python(json.loads(json.dumps(value, default=str), parse_constant=str))
    except (ValueError, RecursionError):
        return storable(otherwise)


def _named(wish: llm.ToolCall) -> str:
    return str(storable(wish.name))[:MOST_NAME]


def _without_lost(payload: Mapping[str, Any], kept: Sequence[object]) -> dict[str, Any]:
    """What a tool told, without the files that are not shown, and with a word about them."""
    paths = payload.get("output_paths")
    names = paths if isinstance(paths, list) and len(paths) == len(kept) else None
    lost = [str(names[at]) if names else f"Picture {at + 1}" for at, each in enumerate(kept) if each is None]
    told = {"note": " ".join(filter(None, [str(payload.get("note") or ""), *map(LOST.format, lost)]))}
    if names is None:
        return {**payload, **told}
    left = [name for name, each in zip(names, kept, strict=True) if each is not None]
    first = payload.get("output_path")
    return {**payload, "output_path": first if first in left else (left or [""])[0], "output_paths": left, **told}


def _handles(asked: Sequence[llm.ToolCall], number: int, known: Collection[str]) -> Iterator[Handle]:
    """How the endpoint knows each call: by the id that it sent, unless that is none, or stood there before."""
    seen = set(known)
    for at, wish in enumerate(asked):
        sent = str(storable(wish.id))
        own = sent if sent.strip() and len(sent) <= MOST_ID and sent not in seen else made_up(number, at)
        while own in seen:  # a model may well send what we would make up
            own += "0"
        seen.add(own)
        yield Handle(id=own, unread=unread(wish.unread))


def unread(given: Mapping[str, Any]) -> dict[str, Any]:
    """What an endpoint wants back, as far as it can be kept."""
    found = {key: _data(value, None) for key, value in given.items()}
    return {key: value for key, value in found.items() if value is not None}
