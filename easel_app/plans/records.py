"""What a plan consists of: segments, calls, blocks and problems. All are frozen, and hold nothing but plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

SegmentKind = Literal["text", "thinking", "call"]
Status = Literal["strict", "lenient", "repaired", "failed"]
Severity = Literal["error", "warning", "hint"]


class Span(NamedTuple):
    """A part of the plan's text: code points `start` up to, not including, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a plan, or worth a look."""

    code: str
    """One of `problems.KINDS`."""
    severity: Severity
    span: Span
    """Where; the whole text for what is wrong with the plan as such."""
    call_id: int | None
    """The call that it belongs to, if any."""
    explanation: str
    """One sentence. It may quote the plan, with nothing in it that does not print."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a plan's text. The segments of a plan, joined, are its text; none is empty."""

    kind: SegmentKind
    start: int
    end: int
    call: int | None = None
    """Of a call, its id."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a call, by the number that an inspector names it with (`after_block`)."""

    number: int
    """From 1, in the order of the text; 0 is the place before the first."""
    kind: Literal["text", "call"]
    start: int
    end: int
    call: int | None = None
    """Of a call, its id."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call, in three layers: the raw text, the value that was parsed, and what it means by the registry."""

    id: int
    """From 1, in the order of the text."""
    span: Span
    """Of the whole tag."""
    raw: str
    """The text there."""
    status: Status
    """How the body was decoded."""
    value: Mapping[str, Any] | None
    """The object as it was sent, its last value for a key that stands twice; None if there is none (`failed`)."""
    name_as_sent: str | None
    """The tool as the call names it; None if it names none."""
    tool: str | None
    """A tool of the registry; None for a name that it does not know, and for a failed call."""
    params: Mapping[str, Any] | None
    """Values as they were sent, under the registry's names; None for a failed call."""
    description: str | None
    """None if there is none, or none that is a text."""
    problems: tuple[Problem, ...]
    """Those of the plan that belong to this call."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as it was read. Nothing of its text is lost, whatever it holds."""

    text: str
    segments: tuple[Segment, ...]
    calls: tuple[Call, ...]
    problems: tuple[Problem, ...]
    """All of them, by their place."""
    blocks: tuple[Block, ...]

    def call(self, call_id: int) -> Call:
        """A call by its id.

        Raises:
            KeyError: the plan has no such call.
        """
        if not 1 <= call_id <= len(self.calls):
            raise KeyError(f"The plan has no call {call_id}; its calls are numbered 1 to {len(self.calls)}.")
        return self.calls[call_id - 1]
