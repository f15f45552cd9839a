"""The rules as a Gymnasium environment (contract 4.4), in process and without a store."""

from __future__ import annotations

from functools import cache
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from easel_app.painting.families.registry import generated
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Closed, Rollout, Status, Turn
from easel_app.painting.scores import headline
from easel_app.painting.stroke import (
    PATH_FIELDS,
    STROKE_FIELDS,
    Action,
    BrushStroke,
    Invalid,
    PathStroke,
    Stroke,
    Submit,
    Undo,
)
from easel_app.painting.tasks import SEMANTIC, Catalogue, Task
from easel_app.settings import data_folder

Observation = dict[str, Any]
KINDS = ("brush_stroke", "undo", "submit")
"""Actions by their number in the `kind` entry of the action space."""
OTHER_ACTIONS: dict[str, Action] = {"undo": Undo(kind="undo"), "submit": Submit(kind="submit")}


@cache
def catalogue() -> Catalogue:
    """The tasks in `data/`, reconstructions and the five semantic ones, read once a process."""
    return Catalogue(data_folder() / "tasks", data_folder() / SEMANTIC)


def find_task(task_id: str) -> Task | None:
    """The task of the catalogue, or the generated one, that an id names; None when there is none."""
    return catalogue().get(task_id) or generated(task_id)


class PaintingEnv(gymnasium.Env[Observation, Any]):
    """Paint a reference stroke by stroke.

    Observation: ``reference`` and ``canvas``, uint8 (n, n, 3); ``steps_left``, int64 (1,).

    Action: where the protocol knows strokes only (reconstructions under `benchmark`) the 13 numbers of a stroke,
    float32 (13,) in [0, 1], in the published order; else a dict of ``kind`` (0 stroke, 1 undo, 2 submit) and
    ``stroke``. In a semantic task a stroke is the 6 coordinates of its path, and ``reference`` is the canvas before
    the first stroke. A stroke that is not 13 (or 6) finite numbers in [0, 1] is `invalid`, one that touches a wall of
    a maze is `rejected`: nothing is painted and the step is used.

    Reward: change of the task's score, so that the return is the last score minus the first.
    A submit terminates; a spent budget truncates. ``info`` holds outcome, message, step, score and the
    score's parts.

    Example:
        >>> env = PaintingEnv("programmatic-01")
        >>> observation, info = env.reset(seed=0)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012  declared so by Gymnasium

    def __init__(
        self,
        task_id: str | None = None,
        protocol: str = "benchmark",
        render_mode: str | None = None,
        task: Task | None = None,
    ) -> None:
        """Choose a task by its id, or hand one over.

        Args:
            task_id: such as ``natural-14``, ``harder-maze`` or, for another instance, ``maze-512-7``; the catalogue's
                first when neither it nor `task` is given.
            protocol: ``benchmark``, ``studio`` or ``practice``. Practice never truncates.
            render_mode: ``rgb_array`` makes `render` return the canvas.
            task: a task of your own.

        Raises:
            ValueError: unknown task, protocol or render mode.
        """
        found = task or (find_task(task_id) if task_id else next(iter(catalogue())))
        if found is None:
            raise ValueError(f"there is no task {task_id!r}; `easel tasks` lists them")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r} is not one of {self.metadata['render_modes']}")
        self.task = found
        self.render_mode = render_mode
        self.protocol = ProtocolName(protocol)
        self._rollout = Rollout(found, self.protocol)
        self._last: tuple[NDArray[np.float64] | Action, Turn] | None = None
        size = found.width
        picture = spaces.Box(0, 255, (size, size, 3), np.uint8)
        self._form: type[PathStroke] = PathStroke if found.kind.semantic else Stroke
        self._numbers = len(PATH_FIELDS if found.kind.semantic else STROKE_FIELDS)
        stroke = spaces.Box(0.0, 1.0, (self._numbers,), np.float32)
        limited = self._rollout.protocol.budget
        self.observation_space = spaces.Dict(
            {
                "reference": picture,
                "canvas": picture,
                "steps_left": spaces.Box(-1, found.budget if limited else -1, (1,), np.int64),
            }
        )
        self._plain = not (self._rollout.protocol.undo or self._rollout.protocol.submit)
        self.action_space = (
            stroke if self._plain else spaces.Dict({"kind": spaces.Discrete(len(KINDS)), "stroke": stroke})
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start again with the task's start canvas; nothing here is random."""
        super().reset(seed=seed)
        self._rollout, self._last = Rollout(self.task, self.protocol), None
        return self._observe(), {"step": 0, "score": self._rollout.curve[-1], **self._rollout.scores._asdict()}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out one action; see the class for its form.

        Raises:
            easel_app.painting.rollout.Closed: the episode is over; call `reset`.
        """
        before = self._rollout.curve[-1]
        read = self._read(action)
        try:
            turn = self._rollout.paint(read) if isinstance(read, np.ndarray) else self._rollout.play(read)
        except Closed as error:
            raise Closed("The episode is over; call reset() to begin another.") from error
        self._last = read, turn
        told = {"outcome": turn.outcome, "message": turn.message, "step": turn.step}
        info = {**told, "score": headline(turn.scores), **turn.scores._asdict()}
        return (
            self._observe(),
            headline(turn.scores) - before,
            turn.status is Status.SUBMITTED,
            turn.status is Status.SPENT,
            info,
        )

    def render(self) -> NDArray[np.uint8] | None:
        """The canvas as uint8 (n, n, 3), with ``rgb_array``; else None."""
        return self._rollout.pixels.copy() if self.render_mode == "rgb_array" else None

    @property
    def last(self) -> tuple[Action, Turn] | None:
        """The last action as a session records it, and what the rules answered; None before the first."""
        if self._last is None:
            return None
        read, turn = self._last
        if isinstance(read, np.ndarray):
            read = BrushStroke(kind="brush_stroke", stroke=self._form.from_vector(read))
        return read, turn

    def _read(self, action: Any) -> NDArray[np.float64] | Action:
        """What an action stands for; a stroke stays a vector, which paints quicker than its record."""
        try:
            if not self._plain:
                given = np.asarray(action["kind"])
                if given.dtype.kind not in "iu" or given.size != 1:
                    return _invalid("kind is no integer; the step is used.")
                kind = int(given.item())
                if not 0 <= kind < len(KINDS):
                    return _invalid(f"kind is {kind}, not 0, 1 or 2; the step is used.")
                if other := OTHER_ACTIONS.get(KINDS[kind]):
                    return other
                action = action["stroke"]
            numbers = np.asarray(action)
            if numbers.dtype.kind not in "fiu":
                return _invalid("A stroke is made of numbers; the step is used.")
            stroke = numbers.astype(np.float64)
        except (TypeError, ValueError, KeyError, IndexError, OverflowError):
            return _invalid("The action has not the form of the action space; the step is used.")
        # one comparison catches NaN too: it is on neither side of a bound
        if stroke.shape != (self._numbers,) or not (stroke.min() >= 0.0 and stroke.max() <= 1.0):
            return _invalid(f"A stroke is {self._numbers} finite numbers in [0, 1] here; the step is used.")
        return stroke

    def _observe(self) -> Observation:
        left = self._rollout.steps_left
        return {
            "reference": self.task.reference.copy(),
            "canvas": self._rollout.pixels.copy(),
            "steps_left": np.array([-1 if left is None else left]),
        }


def _invalid(reason: str) -> Invalid:
    return Invalid(kind="invalid", reason=reason)
