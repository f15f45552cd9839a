"""The loop in which a model answers one turn of a task by looking at pictures and calling tools.

Each round is a reply of the model and what its calls brought. The model is told the observations as they are kept, and
its next request is built from the records of its rounds alone (`dialogue`), so that an attempt that was cut off between
two rounds goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from easel_app.llm import Client, EndpointRefused, Reply, Request, Usage
from easel_app.llm.answers import refused_for_content
from easel_app.rubrics import dialogue
from easel_app.rubrics.calling import CODE, Doing, Keep, carry_out, unread
from easel_app.rubrics.dialogue import Said
from easel_app.rubrics.records import MOST_ANSWER, AnswerTurn, Ending
from easel_app.rubrics.rounds import Round, answer_turn
from easel_app.rubrics.tool_prompts import Strength
from easel_app.rubrics.tools.observation import Toolbox
from easel_app.sources import fields
from easel_app.sources.fields import storable
from easel_app.sources.showing import Picture

__all__ = ["Again", "Doing", "Heard", "Keep", "Learnt", "Manner", "Said", "solve"]

Again = Callable[[fields.Picture], Awaitable[Picture | None]]
Heard = Callable[[Round, Request, Reply], Awaitable[None]]

OF_PICTURES = ("content", "image", "multimodal", "type", "tool")
"""Words of an endpoint that may be about pictures in a tool's message."""
FILTERED = ("content_filter", "refusal")
"""Finish reasons by which an endpoint says that the answer was stopped for what it holds."""
CUT = "… [cut off here; there were {:,} characters]"


@dataclass
class Learnt:
    """What the attempts of a run learn of its endpoint, each for those after it."""

    pictures_in_tools: bool = True
    """Whether it may take pictures in a tool's message; False once it refused them there and took them elsewhere."""


@dataclass(frozen=True)
class Manner:
    """How a model is asked; one for all attempts of a run, since it holds what they learn."""

    prompt: Strength
    temperature: float | None
    extra: Mapping[str, Any]
    """Further parameters, such as `reasoning_effort`."""
    max_tokens: int | None
    most_rounds: int
    pictures: Literal["auto", "tool", "user"]
    """Where pictures of tools go: into the tool's message, or into one of the user after it; `auto`: the former, unless
    the endpoint refuses it."""
    learnt: Learnt = field(default_factory=Learnt, compare=False)


async def solve(
    client: Client,
    earlier: Sequence[Said],
    prompt: str,
    pictures: Sequence[Picture],
    names: Sequence[str],
    toolbox: Toolbox,
    manner: Manner,
    done: Sequence[Round],
    keep: Keep,
    again: Again,
    heard: Heard,
    doing: Doing,
) -> AnswerTurn:
    """Answer one turn, or go on with it.

    A turn ends with the first reply without calls. When the last round of `most_rounds` still has some, they are
    carried out, as in the authors' code, and a fixed sentence is the answer.

    Args:
        client: whom to ask.
        earlier: the turns before, in order.
        prompt: what is asked now.
        pictures: all that come with it.
        names: the files of all pictures so far in the working folder of the code, in order; told only where code can
            be run.
        toolbox: what the model may call.
        manner: how it is asked.
        done: rounds of this turn that are on record.
        keep: stores an image that a tool made, and gives its record and how it is shown; None when it is not taken.
        again: shows one that was kept; None when it is gone.
        heard: is told of each round when all of its calls came back, and awaited before the next request.
        doing: is told what is under way: the number of the round, and `model` or the name of a tool.

    Raises:
        EndpointError: the endpoint gave no answer, or the budget is spent; what `heard` was told of stands.
    """
    offered = list(toolbox.offered)
    opening = dialogue.opening(manner.prompt, earlier, prompt, pictures, names if _runs_code(toolbox) else ())
    rounds = list(done)
    shown = {each.digest: await again(each) for one in rounds for call in one.calls for each in call.pictures}

    def request(in_tools: bool) -> Request:
        return Request(
            messages=[*opening, *dialogue.following(rounds, shown, in_tools)],
            tools=offered or None,
            tool_choice="auto" if offered else None,
            temperature=manner.temperature,
            max_tokens=manner.max_tokens,
            extra=manner.extra,
        )

    while not rounds or rounds[-1].ending is None:
        number = len(rounds) + 1
        doing(number, "model")
        asked, reply = await _ask(client, request, manner, bool(shown))
        calls = () if reply.finish_reason in FILTERED else reply.tool_calls
        known = {handle.id for each in rounds for _, handle in dialogue.handles_of(each)}
        brought = await carry_out(calls, number, manner.most_rounds, known, toolbox, keep, doing)
        shown |= brought.shown
        text, ending = _said(reply)
        last = Ending.MOST_ROUNDS if number >= manner.most_rounds else None
        made = Round(
            number=number,
            text=text,
            calls=brought.calls,
            ending=last if calls else ending,
            handles=brought.handles,
            unread=unread(reply.unread) if calls else {},
        )
        await heard(made, asked, reply)
        rounds.append(made)
    return answer_turn(rounds)


async def _ask(
    client: Client, request: Callable[[bool], Request], manner: Manner, any_shown: bool
) -> tuple[Request, Reply]:
    """Ask for the next reply, with pictures of tools where the endpoint takes them."""
    trying = manner.pictures == "auto" and manner.learnt.pictures_in_tools
    asked = request(trying or manner.pictures == "tool")
    try:
        try:
            return asked, await client.complete(asked)
        except EndpointRefused as refusal:
            if not (trying and any_shown and _of_pictures(refusal)):
                raise
        asked = request(False)
        reply = await client.complete(asked)
        manner.learnt.pictures_in_tools = False
        return asked, reply
    except EndpointRefused as refusal:
        if not refused_for_content(refusal.status, refusal.said):
            raise
        raw = {"error": {"code": refusal.status, "message": refusal.said}}
        return asked, Reply(None, (), None, FILTERED[0], Usage(), raw, 0.0)


def _of_pictures(refusal: EndpointRefused) -> bool:
    """Whether an endpoint may refuse a request since pictures stand in a tool's message."""
    if refused_for_content(refusal.status, refusal.said):
        return False
    said = refusal.said.lower()
    return refusal.status in (400, 404, 415, 422, 501) and any(word in said for word in OF_PICTURES)


def _said(reply: Reply) -> tuple[str, Ending]:
    """What a reply says, and how a turn ends with it if it calls nothing."""
    text = str(storable(reply.text or reply.refusal or ""))
    if len(text) > MOST_ANSWER:
        cut = CUT.format(len(text))
        return text[: MOST_ANSWER - len(cut)] + cut, Ending.CUT_OFF
    if reply.refusal or reply.finish_reason in FILTERED:
        return text, Ending.REFUSED
    if reply.finish_reason == "length":
        return text, Ending.CUT_OFF
    return text, Ending.ANSWERED if text.strip() else Ending.EMPTY


def _runs_code(toolbox: Toolbox) -> bool:
    """Whether a tool is offered that runs code, and can."""
    names = {tool["function"]["name"] for tool in toolbox.offered}
    return any(name in names and toolbox.backends.get(name) != "off" for name in CODE)
