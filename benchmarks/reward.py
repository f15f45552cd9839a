"""What rewards are worth and cost. Run: python -m benchmarks.reward.

1. Rewards a second on one core, in the shapes that a trainer calls: groups of eight answers to a prompt.
2. By how much random strokes and the data policy's own change S, which `INVALID` is chosen after.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from PIL import Image

from easel_app.engine import StepEngine
from easel_app.painting import png
from easel_app.painting.env import catalogue
from easel_app.painting.painters import painter
from easel_app.painting.painters.policy import DATA_POLICY
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import Task
from easel_app.runs.prompts import INTEGERS
from easel_app.trajectories.reward import INVALID, similarity_reward
from easel_app.trajectories.reward.canvases import Pixels, ScoredCanvas

GROUPS, GROUP, ROUNDS = 8, 8, 12
LEAST = 500
"""Rewards a second that are promised, whatever the pictures come as: a batch of 64 takes an eighth of a second."""


FEW = 5
"""One task in so many is painted."""
EVERY, TRIED, MORE = 10, 32, 400
"""After so many strokes of a painting, so many random ones are tried; on the finished picture so many more."""


def main() -> bool:
    """Print both; whether rewards are fast enough, and no stroke is worth as little as an answer that is none."""
    return all([_speed(), _changes()])


def _speed() -> bool:
    """Print a line for each form of the pictures; whether all are fast enough."""
    rng = np.random.default_rng(0)
    tasks = [task for task in catalogue() if not task.kind.semantic and task.width == 128][: GROUPS * ROUNDS]
    said = [_answer(rng) for _ in range(GROUPS * GROUP)]
    white = np.full((128, 128, 3), 255, np.uint8)
    similarity_reward([""], said[:1], reference=[tasks[0].reference], canvas=[white])  # the kernels are loaded
    forms: dict[str, Callable[[Any], Any]] = {
        "arrays": lambda pixels: pixels,
        "PIL images": Image.fromarray,
        "PNG files": lambda pixels: {"bytes": png.encode(pixels), "path": None},
    }
    good = True
    for name, form in forms.items():
        for what, fresh in (("new prompts in each batch", True), ("the same prompts", False)):
            canvas, seconds = form(white), 0.0
            for batch in range(ROUNDS):
                first = GROUPS * batch if fresh else 0
                shown = [form(task.reference) for task in tasks[first : first + GROUPS] for _ in range(GROUP)]
                columns: dict[str, Any] = {"reference": shown, "canvas": [canvas] * len(shown)}
                begun = time.process_time()
                similarity_reward([""] * len(shown), said[: len(shown)], **columns)
                seconds += time.process_time() - begun
            rate = ROUNDS * GROUPS * GROUP / seconds
            good = good and rate >= LEAST
            print(f"  rewards, {name}, {what}: {rate:,.0f} a second a core (at least {LEAST})")
    return good


def _changes() -> bool:
    """Print by how much strokes change S; whether random ones on the way are all worth more than `INVALID`."""
    tasks = [task for task in catalogue() if not task.kind.semantic][::FEW]
    found: dict[str, list[float]] = {}
    for number, task in enumerate(tasks):
        for who, change in _tried(task, np.random.default_rng(number)):
            found.setdefault(who, []).append(change)
    for who, changes in found.items():
        low, high = min(changes), max(changes)
        print(
            f"  {who} change S by {low:+.3f} to {high:+.3f}: {len(changes):,} on {len(tasks)} tasks "
            f"(more than {INVALID})"
        )
    return all(change > INVALID for changes in found.values() for change in changes)


def _tried(task: Task, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Strokes on the data policy's painting of a task, and on the finished picture, with what each changes S by."""
    engine, hired = StepEngine(task.reference), painter(DATA_POLICY, task.reference, task.budget, grid=INTEGERS)
    before = engine.scores().similarity
    for step in range(task.budget):
        if step % EVERY == 0:
            yield from (("random strokes on the way", each) for each in _random(task, engine.canvas.copy(), TRIED, rng))
        stroke = hired.next(engine.canvas, step)
        assert stroke is not None
        after = engine.step(stroke).similarity
        yield f"strokes of {hired.name}", after - before
        before = after
    yield from (("random strokes on the finished picture", each) for each in _random(task, task.reference, MORE, rng))


def _random(task: Task, canvas: Pixels, count: int, rng: np.random.Generator) -> list[float]:
    """What random strokes change S by, each painted by itself on a canvas."""
    scored = ScoredCanvas(task.reference, canvas)
    strokes = rng.integers(0, INTEGERS + 1, (count, len(STROKE_FIELDS))) / INTEGERS
    return [scored.after([stroke]) - scored.before for stroke in strokes]


def _answer(rng: np.random.Generator) -> str:
    return json.dumps(
        {"action": "brush_stroke", **dict(zip(STROKE_FIELDS, rng.integers(0, 1001, 13).tolist(), strict=True))}
    )


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
