"""What the studio adds to an answer in the authors' form, under one key that their scripts do not look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import Field, TypeAdapter

from easel_app.rubrics.records import (
    MOST_CALLS,
    MOST_PICTURES,
    MOST_TURNS,
    Conditions,
    Data,
    Ending,
    RoundNumber,
)
from easel_app.sources.fields import Label, Record, Words
from easel_app.sources.found import Fault
from easel_app.sources.jsontext import shown
from easel_app.sources.validating import NotValid, validated

KEY: Final = "easel"


class CallBeside(Record):
    """What the form has no place for, of a call."""

    round: RoundNumber | None = None
    latency: float | None = None
    pictures: tuple[str, ...] = Field(default=(), max_length=MOST_PICTURES, description="Paths of their files.")
    observed: dict[str, Data] = Field(
        default_factory=dict, description="What its observation said where it names the files that are there now."
    )


class TurnBeside(Record):
    """The same of a turn."""

    ended: Ending | None = None
    remarks: tuple[RoundNumber, ...] = Field(default=(), max_length=MOST_CALLS, description="Their rounds.")
    calls: tuple[CallBeside, ...] = Field(default=(), max_length=MOST_CALLS)


class Beside(Record):
    """The same of an answer; and what tells that its task is told as we have it."""

    format: Literal["easel-response/1"] = "easel-response/1"
    model: Label
    attempt: int = 1
    conditions: Conditions | None = None
    origin: Words = ""
    turns: tuple[TurnBeside, ...] = Field(max_length=MOST_TURNS)


_BESIDE: TypeAdapter[Beside] = TypeAdapter(Beside)


def beside_of(value: Mapping[str, Any]) -> Beside | None:
    """What is ours of an entry; None where nothing is. Raises NotValid."""
    given = value.get(KEY)
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise NotValid((Fault("", f"there is {shown(given)} instead of an object; correct it"),))
    return validated(_BESIDE, given)


def misfit(beside: Beside, turns: Sequence[Mapping[str, Any]]) -> str:
    """Why what is ours does not fit the turns, in words."""
    if len(beside.turns) != len(turns):
        return f"{KEY} tells of {len(beside.turns)} turns, but there are {len(turns)}; make them agree"
    for number, (told, turn) in enumerate(zip(beside.turns, turns, strict=True), 1):
        calls = entries(turn.get("tool_use_list"))
        if len(told.calls) != len(calls):
            return f"{KEY} tells of {len(told.calls)} calls of turn {number}, but there are {len(calls)}"
        said = [each for each in contents(turn) if each is not None]
        if len(said) < len(told.remarks):
            return f"{KEY} tells of {len(told.remarks)} remarks in turn {number}, but content_list has {len(said)}"
    return ""


def contents(turn: Mapping[str, Any]) -> list[str | None]:
    """What each entry of the content list says; None where it says nothing."""
    there = [each for each in entries(turn.get("content_list")) if isinstance(each, Mapping)]
    return [content if isinstance(content := each.get("content"), str) and content else None for each in there]


def entries(value: object) -> list[Any]:
    """A list as it is, and nothing for all else."""
    return value if isinstance(value, list) else []
