"""Finishing a stroke by similarity: it climbs on, each change painted for a trial and scored exactly."""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import replace
from easel_app.engine.kernel import Bytes, Floats, inlined, kernel
from easel_app.engine.memory import Memory
from easel_app.engine.step import L1, refresh, step
from easel_app.painting.painters.climbing import SHAPE, Walk, begin, settle, vary
from easel_app.painting.painters.exact import exact_gain
from easel_app.painting.painters.grid import snap
from easel_app.painting.painters.search import FINE
from easel_app.painting.painters.worth import worth


@kernel
def finish(
    stroke: Floats, trials: int, grid: int, rng: np.random.Generator, walk: Walk, start: Bytes, memory: Memory
) -> Floats:
    """Climb from a stroke by similarity/1.

    Args:
        stroke: float64 (13,) to begin with; overwritten.
        trials: changes to try.
        grid: parts that points, radii and opacities are whole numbers of, or `FREE`.
        rng: where chance comes from.
        walk: memory.
        start: (size, 3 * size), a copy of the canvas.
        memory: an engine's, which holds the canvas; left as it is.

    Returns:
        float64 (13,): the best stroke; an invisible one if none raises the similarity.
    """
    before = worth(memory)
    best = _similarity_after(stroke, start, memory)
    begin(walk, FINE[0], FINE[1])
    for _ in range(trials):
        vary(walk, stroke, rng, True)
        snap(walk.trial, SHAPE, grid)
        exact_gain(walk.trial, memory.brush, memory.canvas)
        score = _similarity_after(walk.trial, start, memory)
        settle(walk, stroke, score > best)
        best = max(score, best)
    return stroke if best > before else np.zeros_like(stroke)


@inlined
def _similarity_after(stroke: Floats, start: Bytes, memory: Memory) -> float:
    """The similarity that a stroke leads to; it is taken away again."""
    step(stroke, memory)
    score = worth(memory)
    top, bottom = memory.canvas.box[0], memory.canvas.box[1]
    if top < bottom:
        memory.totals[L1] += replace(start[top:bottom], top, 0, memory.canvas)
        refresh(memory)
    return score
