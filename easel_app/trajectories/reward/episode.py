"""A whole attempt at a reference as an environment of TRL's GRPOTrainer: its one tool paints, the return is the reward.

It is the Gymnasium environment in the shape that the trainer's `environment_factory` asks for: `reset` gets a row of
the data set, each public method is a tool, `get_reward` is asked at the end.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from PIL import Image

from easel_app.painting import png
from easel_app.painting.env import PaintingEnv
from easel_app.painting.protocol import Kind
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import OWN, Pixels, Source, Task, digest
from easel_app.runs.prompts import INTEGERS
from easel_app.trajectories.reward.columns import picture
from easel_app.trajectories.reward.similarity import INVALID

BUDGET = 16
"""Strokes of an episode when its row names no other number."""
UNKNOWN = Source(origin="a data set", author="unknown", licence="unknown", detail="")


Tool = TypeVar("Tool", bound=Callable[..., Any])


def _whatever_is_given(tool: Tool) -> Tool:
    """A call with a number too few or too many comes to the tool as one that is no stroke; Python would refuse it."""
    form = inspect.signature(tool)

    @functools.wraps(tool)
    def called(self: Any, *numbers: Any, **named: Any) -> Any:
        try:
            form.bind(self, *numbers, **named)
        except TypeError:
            numbers, named = (None,) * len(STROKE_FIELDS), {}
        return tool(self, *numbers, **named)

    return cast(Tool, called)


class PaintingEpisode:
    """One attempt. Its return is its last S minus its first, and `invalid` for each call that is no stroke.

    Such a call costs a step and paints nothing.

    Example:
        >>> episode = PaintingEpisode()
        >>> _ = episode.reset(reference=np.full((16, 16, 3), 255, np.uint8), budget=3)
        >>> episode.get_reward()
        0.0
    """

    def __init__(self, invalid: float = INVALID) -> None:
        """Wait for the first row. Raises ValueError: `invalid` is no number."""
        if not math.isfinite(invalid):
            raise ValueError(f"invalid is {invalid}, but must be a number such as {INVALID}")
        self._invalid = invalid
        self._env: PaintingEnv | None = None
        self._return, self._over = 0.0, True

    def reset(self, *, reference: Any = None, budget: int | None = None, **columns: Any) -> list[dict[str, Any]]:
        """Begin with a white canvas.

        Args:
            reference: what is painted after: a PIL image, the bytes of a file, a dict of `datasets`, or a uint8 array
                (n, n, 3).
            budget: strokes; None: `BUDGET`.
            columns: whatever else the row holds is not looked at.

        Returns:
            The reference, the canvas and the number of strokes, as parts of a message.

        Raises:
            ValueError: there is no reference, or no budget.
        """
        pixels, steps = picture(reference), BUDGET if budget is None else budget
        if steps < 1:
            raise ValueError(f"the budget is {steps}, but an episode has one stroke at least")
        self._env, self._return, self._over = PaintingEnv(task=task_of(pixels, steps)), 0.0, False
        seen, _ = self._env.reset()
        return [*_said("The reference:", pixels), *_said(f"The canvas; you have {steps} strokes:", seen["canvas"])]

    @_whatever_is_given
    def brush_stroke(
        self,
        x_start: int,
        y_start: int,
        x_control: int,
        y_control: int,
        x_end: int,
        y_end: int,
        radius_start: int,
        opacity_start: int,
        radius_end: int,
        opacity_end: int,
        red: int,
        green: int,
        blue: int,
    ) -> list[dict[str, Any]]:
        """Paint one stroke along a quadratic Bézier curve; each number is an integer from 0 to 1000.

        Args:
            x_start: Start of the path, x; 0 is the left edge, 1000 the right edge.
            y_start: Start of the path, y; 0 is the top edge, 1000 the bottom edge.
            x_control: Control point of the curve, x; absolute, not relative.
            y_control: Control point of the curve, y; absolute, not relative.
            x_end: End of the path, x.
            y_end: End of the path, y.
            radius_start: Radius at the start; 1000 is a quarter of the canvas width.
            opacity_start: Opacity at the start; 0 is invisible, 1000 opaque.
            radius_end: Radius at the end; 1000 is a quarter of the canvas width.
            opacity_end: Opacity at the end; 0 is invisible, 1000 opaque.
            red: Red of the sRGB colour.
            green: Green of the sRGB colour.
            blue: Blue of the sRGB colour.

        Returns:
            The canvas after it, and how many strokes are left.

        Raises:
            ValueError: the strokes are used up, or a number is none; the message is for the model.
        """
        if self._env is None or self._over:
            raise ValueError("All strokes are used; the painting is finished.")
        given = locals()
        numbers = [given[name] for name in STROKE_FIELDS]
        whole = all(type(number) is int and 0 <= number <= INTEGERS for number in numbers)
        stroke = np.array(numbers, np.float64) / INTEGERS if whole else np.full(len(numbers), np.nan)
        seen, gain, _, self._over, info = self._env.step(stroke)
        self._return += gain if whole else self._invalid
        left = self._env.task.budget - info["step"]
        if not whole:
            raise ValueError(f"A stroke is 13 integers from 0 to 1000; nothing was painted, {left} strokes are left.")
        return _said(f"The canvas; {left} strokes are left:", seen["canvas"])

    def get_reward(self) -> float:
        """The last S minus the first, and what calls that are no strokes are worth; 0 before anything is painted."""
        return self._return


def task_of(reference: Pixels, budget: int) -> Task:
    """The task to reconstruct a picture, uint8 (n, n, 3), in so many strokes."""
    size, sha256 = len(reference), digest(reference)
    record = {
        "id": f"reference-{sha256[:16]}",
        "kind": Kind.RECONSTRUCTION,
        "category": OWN,
        "title": "A reference of a data set",
        "instruction": f"Paint the reference as closely as you can with {budget} strokes.",
        "width": size,
        "height": size,
        "budget": budget,
        "source": UNKNOWN,
        "sha256": sha256,
    }
    return Task.load(record, png.encode(reference))


def _said(words: str, pixels: Pixels) -> list[dict[str, Any]]:
    """A picture under words, as parts of a message."""
    return [{"type": "text", "text": words}, {"type": "image", "image": Image.fromarray(pixels)}]
