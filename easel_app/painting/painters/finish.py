"""Finishing a stroke by similarity: it climbs on, each change painted for a trial and scored exactly."""

from __future__ import annotations

import numpy as np

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.climbing import Walk, begin, settle, vary
from easel_app.painting.painters.exact import exact_gain
from easel_app.painting.painters.search import FINE


def finish(stroke: Floats, trials: int, rng: np.random.Generator, walk: Walk, engine: StepEngine) -> Floats:
    """Climb from a stroke by similarity/1.

    Args:
        stroke: float64 (13,) to begin with; overwritten.
        trials: changes to try.
        rng: where chance comes from.
        walk: memory.
        engine: holds the canvas; left as it is.

    Returns:
        float64 (13,): the best stroke; an invisible one if none raises the similarity.
    """
    start, before = engine.canvas.copy(), engine.scores().similarity
    best = _similarity_after(stroke, engine, start)
    begin(walk, *FINE)
    for _ in range(trials):
        vary(walk, stroke, rng, True)
        exact_gain(walk.trial, engine.memory.brush, engine.memory.canvas)
        score = _similarity_after(walk.trial, engine, start)
        settle(walk, stroke, score > best)
        best = max(score, best)
    return stroke if best > before else np.zeros_like(stroke)


def _similarity_after(stroke: Floats, engine: StepEngine, start: Bytes) -> float:
    """The similarity that a stroke leads to; it is taken away again."""
    score = engine.step(stroke).similarity
    engine.load(start, engine.box)
    return score
