"""A rollout: one player's attempt at a task, from action to pixels to score.

The rules live here and nowhere else. The session service records what a rollout answers, the Gymnasium environment
turns it into observations and rewards.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.engine import StepEngine
from easel_app.painting.canvas import History
from easel_app.painting.protocol import Protocol, ProtocolName, protocol_for
from easel_app.painting.renderer import Surface, colour_bytes
from easel_app.painting.stroke import Action, BrushStroke, Invalid, Undo
from easel_app.painting.tasks import Task
from easel_app.scoring.similarity import Similarity

Pixels = NDArray[np.uint8]


class Outcome(StrEnum):
    """What became of an action."""

    APPLIED = "applied"
    REJECTED = "rejected"
    """It broke a rule of the task: a no-op that costs a step."""
    INVALID = "invalid"
    """It could not be read: a no-op that costs a step."""


class Status(StrEnum):
    """Whether a session still takes actions."""

    OPEN = "open"
    SUBMITTED = "submitted"
    SPENT = "spent"
    """The budget is used up."""


class Turn(NamedTuple):
    """What a rollout answers to an action."""

    outcome: Outcome
    message: str
    step: int
    """Steps used so far."""
    status: Status
    scores: Similarity


class Closed(Exception):
    """The rollout takes no more actions."""


class NotAllowed(Exception):
    """The protocol does not know this action."""


class Rollout:
    """The fold of a session's actions: canvas, steps, scores, status."""

    def __init__(self, task: Task, protocol: ProtocolName, *, skia: bool = False) -> None:
        """Begin with the task's start canvas.

        Args:
            task: what to paint.
            protocol: name of the rules.
            skia: composite by skia, as sessions do, instead of by the engine; the bytes are the same.
        """
        self.task = task
        self.protocol: Protocol = protocol_for(protocol, task.kind)
        self.history = History(task.start)
        self.step = 0
        self.status = Status.OPEN
        self._engine = StepEngine(task.reference, task.start)
        self._surface = Surface(task.start) if skia else None
        self._box = (0, 0, 0, 0)
        self.scores = self._engine.scores()
        self.similarities = [self.scores.similarity]

    @property
    def pixels(self) -> Pixels:
        """The live canvas, uint8 (n, n, 3); it changes with the next action."""
        return self._surface.pixels if self._surface else self._engine.canvas

    @property
    def changed(self) -> tuple[int, int, int, int]:
        """Box (top, bottom, left, right) of the pixels that the last action changed; empty when top == bottom."""
        return self._box

    @property
    def steps_left(self) -> int | None:
        """Steps that remain; None in practice."""
        return self.task.budget - self.step if self.protocol.budget else None

    def check(self, action: Action) -> None:
        """Find out, without changing anything, whether an action may be carried out.

        Raises:
            Closed: the rollout was submitted or its budget is spent.
            NotAllowed: the protocol does not know this action.
        """
        self._require(action.kind)

    def play(self, action: Action) -> Turn:
        """Carry out one action. Raises as `check` does."""
        if isinstance(action, BrushStroke):
            return self.paint(action.stroke.to_vector())
        if isinstance(action, Invalid):
            return self.refuse(Outcome.INVALID, action.reason)
        return self.undo() if isinstance(action, Undo) else self.submit()

    def paint(self, stroke: NDArray[np.float64]) -> Turn:
        """Paint 13 numbers in [0, 1], float64 (13,), which the caller has checked. Raises as `check` does."""
        self._require("brush_stroke")
        self.scores = self._engine.step(stroke)
        self._box = self._engine.box
        if self._surface:
            self._surface.composite(self._engine.mask, colour_bytes(stroke))
        self.history.paint(stroke, self.pixels)
        return self._count(Outcome.APPLIED, "")

    def undo(self) -> Turn:
        """Take back the last stroke that lies on the canvas. Raises as `check` does."""
        self._require("undo")
        if not self.history.depth:
            return self.refuse(Outcome.REJECTED, "There is no stroke to take back; the step is used.")
        pixels = self.history.undo()
        self._box = _difference(self.pixels, pixels)
        self.scores = self._engine.load(pixels, self._box)
        if self._surface:
            self._surface.load(pixels)
        return self._count(Outcome.APPLIED, "")

    def submit(self) -> Turn:
        """End the rollout; costs no step. Raises as `check` does."""
        self._require("submit")
        self.history.keep()
        self._box = (0, 0, 0, 0)
        self.status = Status.SUBMITTED
        return Turn(Outcome.APPLIED, "", self.step, self.status, self.scores)

    def refuse(self, outcome: Outcome, message: str) -> Turn:
        """Count an action that changes nothing but costs a step. Raises as `check` does."""
        self._require("brush_stroke")
        self.history.keep()
        self._box = (0, 0, 0, 0)
        return self._count(outcome, message)

    def _count(self, outcome: Outcome, message: str) -> Turn:
        self.step += 1
        self.similarities.append(self.scores.similarity)
        if self.protocol.budget and self.step >= self.task.budget:
            self.status = Status.SPENT
        return Turn(outcome, message, self.step, self.status, self.scores)

    def _require(self, kind: str) -> None:
        if self.status is Status.SUBMITTED:
            raise Closed("This session was submitted; start a new one to paint on.")
        if self.status is Status.SPENT:
            raise Closed(f"All {self.task.budget} steps are used; start a new session to paint on.")
        name, budget = self.protocol.name, self.task.budget
        if kind == "undo" and not self.protocol.undo:
            raise NotAllowed(f"The {name} protocol knows no undo; paint over the stroke instead.")
        if kind == "submit" and not self.protocol.submit:
            raise NotAllowed(f"The {name} protocol knows no submit; it ends when all {budget} steps are used.")


def _difference(before: Pixels, after: Pixels) -> tuple[int, int, int, int]:
    """Box (top, bottom, left, right) around the pixels that differ."""
    differs = (before != after).any(-1)
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    if not rows.size:
        return 0, 0, 0, 0
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
