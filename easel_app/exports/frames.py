"""The pictures of a recorded session, made one after the other and never all kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.brush import dressed
from easel_app.painting.canvas import History
from easel_app.painting.renderer import render
from easel_app.painting.rollout import Outcome
from easel_app.painting.stroke import PathStroke, Stroke
from easel_app.painting.tasks import Task, digest
from easel_app.services.problems import Conflict
from easel_app.store.records import ActionRecord

Pixels = NDArray[np.uint8]
SIDE = 256
"""Smallest side of a shown canvas in px: smaller ones are enlarged by whole pixels."""
GAP = 8
"""Px between the reference and the canvas."""
GROUND = 242
"""Grey of what lies between them."""
NOT_INTACT = "The log no longer gives the recorded canvas, so no pictures can be made of it; export its log instead."


def canvases(task: Task, actions: Sequence[ActionRecord]) -> Iterator[Pixels]:
    """The canvas before the first step and after each one, uint8 (n, n, 3); none of them changes later.

    Raises:
        Conflict: the last one is not the recorded one, as when the renderer or the picture is another today.
    """
    form = PathStroke if task.kind.semantic else Stroke
    history, canvas = History(task.start), task.start
    yield canvas
    for action in actions:
        if action.outcome == Outcome.APPLIED and action.kind == "brush_stroke":
            vector = form.model_validate(action.params).to_vector()
            stroke = dressed(vector) if task.kind.semantic else vector
            canvas = render(stroke[None], canvas)
            history.paint(stroke, canvas)
        elif action.outcome == Outcome.APPLIED and action.kind == "undo":
            canvas = history.undo()
        if action.kind != "submit":  # every other action is a step
            yield canvas
    if actions and digest(canvas) != actions[-1].canvas_digest:
        raise Conflict("not_intact", NOT_INTACT)


def steps_shown(steps: int, most: int) -> NDArray[np.int64]:
    """Which of the steps 0..`steps` are shown when `most` (at least 2) may be: evenly spread, with first and last."""
    return np.unique(np.linspace(0, steps, min(most, steps + 1)).round().astype(np.int64))


def scale_of(width: int) -> int:
    """The smallest factor that makes a canvas at least `SIDE` px wide, and even, as video wants it."""
    scale = -(-SIDE // width)
    return scale + scale * width % 2


def enlarged(pixels: Pixels, scale: int) -> Pixels:
    """Each pixel of uint8 (h, w, 3) as a square of `scale` px."""
    return np.repeat(np.repeat(pixels, scale, 0), scale, 1)


def frames(
    task: Task,
    actions: Sequence[ActionRecord],
    *,
    most: int,
    beside: bool = False,
    stopping: Callable[[], bool] = lambda: False,
) -> Iterator[Pixels]:
    """The frames of a clip, uint8 (h, w, 3) with even sides, from the untouched canvas to the last step.

    Args:
        task: what is painted.
        actions: the whole log.
        most: frames at most, at least 2; a longer session is thinned evenly.
        beside: show the task's picture at the left of the canvas.
        stopping: asked before each step; the frames then end early.

    Raises:
        Conflict: as `canvases` does.
    """
    scale = scale_of(task.width)
    shown = set(steps_shown(sum(action.kind != "submit" for action in actions), most).tolist())
    left = enlarged(task.reference, scale)
    gap = np.full((len(left), GAP, 3), GROUND, np.uint8)
    for step, canvas in enumerate(canvases(task, actions)):
        if stopping():
            return
        if step in shown:
            right = enlarged(canvas, scale)
            yield np.concatenate([left, gap, right], 1) if beside else right
