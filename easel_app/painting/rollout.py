"""A rollout: one player's attempt at a task, from action to pixels to score.

The rules live here and nowhere else. The session service records what a rollout answers, the Gymnasium environment
turns it into observations and rewards.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.board import NOTHING, board_for
from easel_app.painting.brush import dressed
from easel_app.painting.canvas import History
from easel_app.painting.collision import collision
from easel_app.painting.protocol import Protocol, ProtocolName, protocol_for
from easel_app.painting.scores import Scores, headline
from easel_app.painting.stroke import LOOK_FIELDS, Action, AnyStroke, BrushStroke, Invalid, PathStroke, Stroke, Undo
from easel_app.painting.tasks import Task
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.conduct import Deed

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]


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
    scores: Scores
    contact: tuple[float, float] | None = None
    """Where a rejected stroke would first touch a wall, x and y in [0, 1]."""


PATH_ONLY = (
    f"This task has a fixed brush and takes the six coordinates of a path only; leave out {', '.join(LOOK_FIELDS)}."
)
"""What is told of a stroke of 13 numbers, or of some of them, in a semantic task."""


class Closed(Exception):
    """The rollout takes no more actions."""


class NotAllowed(Exception):
    """The protocol does not know this action."""


class WrongStroke(Exception):
    """The task takes strokes of another form."""


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
        self._board = board_for(task, skia=skia)
        self._box = NOTHING
        self.scores = self._board.scores()
        self._scored = {self.history.head: self.scores}
        self.curve = [headline(self.scores)]
        """Headline of the scores before the first step and after each one."""
        self.deeds: list[Deed] = []
        """Each action by its kind and outcome."""

    @property
    def pixels(self) -> Pixels:
        """The live canvas, uint8 (n, n, 3); it changes with the next action."""
        return self._board.pixels

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
            WrongStroke: the task takes strokes of another form.
        """
        self._require(action.kind)
        if isinstance(action, BrushStroke) and (isinstance(action.stroke, Stroke) is self.task.kind.semantic):
            raise WrongStroke(_wrong_form(action.stroke))

    def play(self, action: Action) -> Turn:
        """Carry out one action. Raises as `check` does."""
        self.check(action)
        if isinstance(action, BrushStroke):
            return self.paint(action.stroke.to_vector())
        if isinstance(action, Invalid):
            return self.refuse("invalid", Outcome.INVALID, action.reason)
        return self.undo() if isinstance(action, Undo) else self.submit()

    def paint(self, stroke: Floats) -> Turn:
        """Paint a stroke that the caller has checked: 13 numbers in [0, 1], or 6 in a semantic task, float64.

        A stroke that touches a wall is rejected. Raises as `check` does.
        """
        self._require("brush_stroke")
        touched = self.contact(stroke)
        if touched:
            x, y = touched
            left = "" if self.steps_left is None else f", {self.steps_left - 1} remain"
            message = f"The stroke touches a wall at ({x:.3f}, {y:.3f}); nothing was painted, the step is used{left}."
            return self.refuse("brush_stroke", Outcome.REJECTED, message)._replace(contact=touched)
        return self.lay(stroke)

    def contact(self, stroke: Floats) -> tuple[float, float] | None:
        """Where a stroke would first touch a wall, as x, y in [0, 1]; None where it would not, or there is none."""
        truth = self.task.truth
        return collision(stroke, truth) if isinstance(truth, MazeTruth) else None

    def lay(self, stroke: Floats, known: Scores | None = None) -> Turn:
        """Paint a stroke that is known to be legal, as `paint` does; `known` scores are not computed again."""
        self._require("brush_stroke")
        whole = dressed(stroke) if self.task.kind.semantic else stroke
        self._box = self._board.paint(whole)
        self.history.paint(whole, self.pixels)
        return self._scored_count("brush_stroke", known)

    def undo(self) -> Turn:
        """Take back the last stroke that lies on the canvas. Raises as `check` does."""
        self._require("undo")
        if not self.history.depth:
            return self.refuse("undo", Outcome.REJECTED, "There is no stroke to take back; the step is used.")
        self._box = self._board.load(self.history.undo())
        return self._scored_count("undo", None)

    def submit(self) -> Turn:
        """End the rollout; costs no step. Raises as `check` does."""
        self._require("submit")
        self.history.keep()
        self._box = NOTHING
        self.status = Status.SUBMITTED
        self.deeds.append(Deed("submit", Outcome.APPLIED))
        return Turn(Outcome.APPLIED, "", self.step, self.status, self.scores)

    def refuse(self, kind: str, outcome: Outcome, message: str) -> Turn:
        """Count an action of a kind that changes nothing but costs a step. Raises as `check` does."""
        self._require("brush_stroke")
        self.history.keep()
        self._box = NOTHING
        return self._count(Deed(kind, outcome), message)

    def _scored_count(self, kind: str, known: Scores | None) -> Turn:
        """Score the canvas, each picture once: an undo comes back to a score that is known to the bit."""
        head = self.history.head
        if head not in self._scored:
            self._scored[head] = known or self._board.scores()
        self.scores = self._scored[head]
        return self._count(Deed(kind, Outcome.APPLIED), "")

    def _count(self, deed: Deed, message: str) -> Turn:
        self.step += 1
        self.deeds.append(deed)
        self.curve.append(headline(self.scores))
        if self.protocol.budget and self.step >= self.task.budget:
            self.status = Status.SPENT
        return Turn(Outcome(deed.outcome), message, self.step, self.status, self.scores)

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


def _wrong_form(stroke: AnyStroke) -> str:
    """What is wrong with a stroke of the other form."""
    if isinstance(stroke, PathStroke) and not isinstance(stroke, Stroke):
        return f"{LOOK_FIELDS[0]} is missing: this task takes all 13 numbers of a stroke; add the seven of its look."
    return PATH_ONLY
