"""What a session allows and what it costs."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a task asks for."""

    RECONSTRUCTION = "reconstruction"
    """Match a reference, with strokes of 13 numbers."""
    OUTLINE = "outline"
    """Draw the outline of what the task names, with paths of 6 numbers, as in the kinds below."""
    HANDWRITING = "handwriting"
    """Write a word."""
    MAZE = "maze"
    """Draw the way from the start to the goal without touching a wall."""

    @property
    def semantic(self) -> bool:
        """Whether the brush is fixed and what was drawn is judged by its meaning (arXiv 2608.25417, section 3)."""
        return self is not Kind.RECONSTRUCTION


class ProtocolName(StrEnum):
    """The protocols a session can be started with."""

    BENCHMARK = "benchmark"
    STUDIO = "studio"
    PRACTICE = "practice"


class Protocol(NamedTuple):
    """The rules of a session. An undo costs a step as a stroke does; a submit is free and ends the session."""

    name: ProtocolName
    undo: bool
    submit: bool
    budget: bool
    """Whether steps are limited by the task's budget."""
    ranked: bool
    """Whether a session may enter a ranking at all."""


def protocol_for(name: ProtocolName, kind: Kind) -> Protocol:
    """The rules of a protocol for a kind of task.

    `benchmark` is as published (arXiv 2608.25417): a reconstruction knows strokes only and runs for exactly T steps; a
    semantic task knows undo and submit too.
    """
    match name:
        case ProtocolName.BENCHMARK:
            return Protocol(name, undo=kind.semantic, submit=kind.semantic, budget=True, ranked=True)
        case ProtocolName.STUDIO:
            return Protocol(name, undo=True, submit=True, budget=True, ranked=True)
        case ProtocolName.PRACTICE:
            return Protocol(name, undo=True, submit=True, budget=False, ranked=False)
