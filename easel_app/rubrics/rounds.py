"""Rounds of a model at one turn of a task: what is journaled of each, and the answer that they come to.

A round is one reply of the model, with what its tool calls brought. A round without an ending is followed by another.
All that later requests tell of it is built from its record alone, so that an attempt that goes on from its journal asks
exactly what it would have asked without a break.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints

from easel_app.rubrics.records import (
    MOST_ANSWER,
    MOST_CALLS,
    AnswerTurn,
    Data,
    Ending,
    Remark,
    RoundNumber,
    ToolCall,
)
from easel_app.sources.fields import Record, Words

MOST_ID = 20_000
"""Characters of a call's id; some endpoints put a whole signature into it."""
LAST_WORD = "No answer was given: the largest number of rounds with tools, {}, was reached."
"""The answer of a turn whose last round still called tools."""


class Handle(Record):
    """How the endpoint knows a call of its model."""

    id: Annotated[Words, StringConstraints(min_length=1, max_length=MOST_ID)] = Field(
        description="As it was sent; made up where it was missing, or stood there before."
    )
    unread: dict[str, Data] = Field(
        default_factory=dict, description="What it wants back with the call as it is, such as a signature."
    )


class Round(Record):
    """One reply of a model, and what came of its calls."""

    number: RoundNumber
    text: Annotated[Words, StringConstraints(max_length=MOST_ANSWER)] = Field(
        description="What it said: beside its calls, or as its answer."
    )
    calls: tuple[ToolCall, ...] = Field(max_length=MOST_CALLS, description="In the order made, with what they brought.")
    ending: Ending | None = Field(description="How the turn ended with it; null: another round follows.")
    handles: tuple[Handle, ...] = Field(default=(), max_length=MOST_CALLS, description="One for each call.")
    unread: dict[str, Data] = Field(
        default_factory=dict, description="What the endpoint wants back with the message as it is, such as thoughts."
    )


def answer_turn(rounds: Sequence[Round]) -> AnswerTurn:
    """The answer that the rounds of a turn come to, the last of which has an ending.

    Calls of the last round were carried out and count, as in the authors' code, though the model did not see them.
    """
    last = rounds[-1]
    return AnswerTurn(
        text=LAST_WORD.format(len(rounds)) if last.ending is Ending.MOST_ROUNDS else last.text,
        calls=tuple(call for each in rounds for call in each.calls),
        rounds=len(rounds),
        remarks=tuple(Remark(round=each.number, text=each.text) for each in rounds if each.calls and each.text.strip()),
        ended=last.ending,
    )
