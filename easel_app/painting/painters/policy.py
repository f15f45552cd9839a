"""The data policy's place among the anchors: what the painter `greedy` scores on a task."""

from __future__ import annotations

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes
from easel_app.painting.painters import PAINTERS, Painter, painter
from easel_app.scoring.similarity import similarity

DATA_POLICY = "greedy"
"""The painter that plays the data policy, with seed 0."""
VERSION = PAINTERS[DATA_POLICY].version
NATIVE = 250
"""Strokes of the published data policy's own schedule (arXiv 2608.25417, table of anchors)."""


def paint(player: Painter, reference: Bytes, strokes: int) -> Bytes:
    """The canvas, uint8 (n, n, 3), after a painter's first strokes on white."""
    engine = StepEngine(reference)
    for step in range(strokes):
        stroke = player.next(engine.canvas, step)
        if stroke is None:
            break
        engine.step(stroke)
    return engine.canvas


def policy_scores(reference: Bytes, budget: int) -> dict[str, float]:
    """The similarity that the data policy reaches on a reference, uint8 (n, n, 3).

    Returns:
        `data_policy` with a schedule of `budget` strokes, `data_policy_250` with its native one.
    """
    scores = {}
    for name, strokes in {"data_policy": budget, f"data_policy_{NATIVE}": NATIVE}.items():
        canvas = paint(painter(DATA_POLICY, reference, strokes), reference, strokes)
        scores[name] = similarity(canvas, reference).similarity
    return scores
