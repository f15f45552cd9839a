"""Rewards a second on one core, in the shapes that a trainer calls: groups of eight answers to a prompt."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
from PIL import Image

from easel_app.painting import png
from easel_app.painting.env import catalogue
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.trajectories.reward import similarity_reward

GROUPS, GROUP, ROUNDS = 8, 8, 12
LEAST = 500
"""Rewards a second that are promised, whatever the pictures come as: a batch of 64 takes an eighth of a second."""


def main() -> bool:
    """Print a line for each form of the pictures; whether all are fast enough."""
    rng = np.random.default_rng(0)
    tasks = [task for task in catalogue() if not task.kind.semantic and task.width == 128][: GROUPS * ROUNDS]
    said = [_answer(rng) for _ in range(GROUPS * GROUP)]
    white = np.full((128, 128, 3), 255, np.uint8)
    similarity_reward([""], said[:1], reference=[tasks[0].reference], canvas=[white])  # the kernels are loaded
    forms = {
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


def _answer(rng: np.random.Generator) -> str:
    return json.dumps(
        {"action": "brush_stroke", **dict(zip(STROKE_FIELDS, rng.integers(0, 1001, 13).tolist(), strict=True))}
    )


if __name__ == "__main__":
    main()
