"""Planning a whole painting before its first stroke is shown, so that earlier strokes can know the later ones.

1. A quick greedy painting.
2. Rounds of fitting: each stroke climbs under the weighted squared error of the finished picture (see `revision`,
   `weights`); then the strokes that lower it least are taken out and as many painted on top, kept if the error fell.
3. Sweeps of touching up: each stroke climbs under the similarity of the finished picture itself.

All of it on the grid, if there is one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Floats, kernel
from easel_app.engine.memory import Memory
from easel_app.painting.painters.climbing import new_walk
from easel_app.painting.painters.draft import exchange, lay, new_draft
from easel_app.painting.painters.grid import parts, quantise
from easel_app.painting.painters.layers import Layers, memory_of, new_layers, put, redraw, weighted_error
from easel_app.painting.painters.proposals import ceiling, tangents
from easel_app.painting.painters.revision import fit, touch_up
from easel_app.painting.painters.search import Board, Effort, new_board, search
from easel_app.painting.painters.sums import sum_rows
from easel_app.painting.painters.weights import weights

SEARCH = Effort(proposals=150, climbers=3, climbs=80, polish=40, trials=0)
"""How hard to look for a stroke: not very, as it is fitted later."""
REPAINTED = 0.05
"""Share of the strokes that are painted anew after a round ..."""
ANEW = 0.1
"""... and the ceiling of their radii."""
MOST_BYTES = 2**28
"""The most memory that a plan may take: enough for 500 strokes at 362 px."""


class Care(NamedTuple):
    """How carefully a painting is planned."""

    rounds: int
    """Rounds of fitting, with repainting in between."""
    changes: int
    """Changes that each stroke tries in a round."""
    sweeps: int
    """Sweeps of touching up."""
    trials: int
    """Changes that each stroke tries in a sweep."""


QUICK = Care(rounds=5, changes=50, sweeps=1, trials=50)
"""For data: 4 ms a stroke at 128 px."""
FULL = Care(rounds=10, changes=50, sweeps=3, trials=40)
"""For the best picture within 10 ms a stroke."""


class Plan(NamedTuple):
    """A whole painting."""

    strokes: Floats
    """float64 (n, 13), in [0, 1]."""
    canvases: Bytes
    """uint8 (n + 1, size, size, 3): white, and the canvas after each stroke."""


def can_plan(budget: int, size: int) -> bool:
    """Whether a painting is small enough to be planned as a whole."""
    return memory_of(budget, size) <= MOST_BYTES


def plan(reference: Bytes, budget: int, seed: int = 0, grid: int | None = None, care: Care = FULL) -> Plan:
    """Plan a painting on white.

    Args:
        reference: uint8 (n, n, 3), sRGB, from 7 px.
        budget: strokes, at least 1.
        seed: at least 0; where chance comes from.
        grid: see `easel_app.painting.painters.painter`.
        care: how carefully.

    Returns:
        The plan, the same for the same arguments.

    Raises:
        ValueError: the reference has another shape or type, the painting is too large to be planned (see `can_plan`),
            or the grid is too coarse.
    """
    memory, size, fineness = new_draft(reference), len(reference), parts(grid)
    if not can_plan(budget, size):
        raise ValueError(
            f"a plan of {budget} strokes at {size} px takes over {MOST_BYTES >> 20} MB: plan fewer strokes"
        )
    layers = new_layers(budget, memory.canvas.pixels)
    layers.weights[:] = weights(reference)
    board, walk = new_board(size, SEARCH.climbers, tangents(reference)), new_walk()
    rng = np.random.default_rng(seed)
    sum_rows(memory.canvas, board.sums, 0, size)
    largest = np.array([ceiling(step, budget) for step in range(budget)])
    _paint(0, largest, fineness, rng, board, layers, memory)
    for number in range(care.rounds):
        if number:
            _repaint(max(1, int(REPAINTED * budget)), fineness, rng, board, layers, memory)
        fit(care.changes, fineness, rng, walk, layers, memory)
    canvases = layers.below.reshape(budget + 1, size, size, 3)
    finished = StepEngine(reference, canvases[-1])
    for _ in range(care.sweeps):
        touch_up(care.trials, fineness, rng, walk, layers, finished.memory)
    return Plan(quantise(layers.strokes, grid), canvases)


@kernel
def _paint(
    first: int, largest: Floats, grid: int, rng: np.random.Generator, board: Board, layers: Layers, memory: Memory
) -> None:
    """Paint layers from `first` on greedily, under radii whose ceiling is `largest`, one for each."""
    exchange(layers.below[first], memory.canvas, board.sums)
    for i in range(largest.size):
        k = first + i
        stroke = search(rng, largest[i], SEARCH, grid, board, memory)
        lay(stroke, memory.brush, memory.canvas, board.sums)
        put(k, stroke, memory.brush, layers)
        layers.below[k + 1] = memory.canvas.pixels


def _repaint(count: int, grid: int, rng: np.random.Generator, board: Board, layers: Layers, memory: Memory) -> None:
    """Take out the `count` strokes that do least, and paint as many on top; all stays as it was if that is worse."""
    strokes = layers.strokes.copy()
    before = _error(layers, memory)
    order = np.argsort(layers.gains, kind="stable")
    kept = strokes[np.sort(order[count:])]
    redraw(kept, memory.brush, layers)
    _paint(len(kept), np.full(count, ANEW), grid, rng, board, layers, memory)
    if _error(layers, memory) >= before:
        redraw(strokes, memory.brush, layers)


def _error(layers: Layers, memory: Memory) -> int:
    return weighted_error(layers.below[-1], memory.canvas.goal, layers.weights)
