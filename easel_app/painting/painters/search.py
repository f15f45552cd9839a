"""The search for one stroke, from cheap to exact.

1. Proposals: random strokes, measured roughly by row sums.
2. Climbing: the best few of them are changed little by little under the same measure.
3. Polish: each is given its best colour under its very mask, and the best of them climbs under the exact squared error.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine.kernel import Floats, Ints, inlined, kernel
from easel_app.engine.memory import Memory
from easel_app.painting.painters.climbing import SHAPE, Walk, begin, new_walk, settle, vary
from easel_app.painting.painters.exact import exact_gain
from easel_app.painting.painters.grid import snap
from easel_app.painting.painters.proposals import add_up, propose
from easel_app.painting.painters.rough import new_spans, rough_gain
from easel_app.painting.painters.sums import new_sums

COARSE, FINE = (1.0, 0.15), (0.15, 0.05)
"""Scale of changes at the start of a climb and its least value: under the rough measure, and from there on."""


class Effort(NamedTuple):
    """How hard to look for each stroke."""

    proposals: int
    """Random strokes that are measured roughly."""
    climbers: int
    """The best of them, which climb."""
    climbs: int
    """Changes that each climber tries under the rough measure."""
    polish: int
    """Changes that the best of them tries under the exact squared error."""
    trials: int
    """Changes that the winner then tries by similarity (see `finish`); 0: similarity plays no part."""


class Board(NamedTuple):
    """What a search works on."""

    sums: Ints
    """Row sums of the reference and the canvas."""
    along: Floats
    """Directions along the edges of the reference."""
    errors: Floats
    """(size,): squared error of each row and all above."""
    spans: Floats
    """Memory of the rough measure."""
    pool: Floats
    """(climbers, 13): the best strokes so far, best first."""
    gains: Floats
    """(climbers,): by how much each would lower the squared error."""
    walk: Walk
    """Memory for climbs."""


def new_board(size: int, climbers: int, along: Floats) -> Board:
    """Memory for a canvas of `size` px."""
    return Board(
        sums=new_sums(size),
        along=along,
        errors=np.zeros(size),
        spans=new_spans(size),
        pool=np.zeros((climbers, 13)),
        gains=np.zeros(climbers),
        walk=new_walk(),
    )


@inlined
def _enter(stroke: Floats, gain: float, pool: Floats, gains: Floats) -> None:
    """Put a stroke into the pool if it is among the best."""
    k = gains.size - 1
    if gain > gains[k]:
        while k > 0 and gains[k - 1] < gain:
            gains[k] = gains[k - 1]
            pool[k] = pool[k - 1]
            k -= 1
        gains[k] = gain
        pool[k] = stroke


@kernel
def search(rng: np.random.Generator, largest: float, effort: Effort, grid: int, board: Board, memory: Memory) -> Floats:
    """The best stroke that is found, float64 (13,); an invisible one, of opacity 0, if none helps.

    Args:
        rng: where chance comes from; what it gives decides the stroke, together with reference and canvas.
        largest: ceiling of the radii that are proposed.
        effort: how hard to look.
        grid: parts that points, radii and opacities are whole numbers of, or `FREE`; the colour is byte / 255.
        board: up to date with the canvas.
        memory: an engine's, which holds the canvas; left as it is.
    """
    sums, errors, spans, pool, gains, walk = board.sums, board.errors, board.spans, board.pool, board.gains, board.walk
    brush, canvas, stroke = memory.brush, memory.canvas, walk.trial
    add_up(sums, errors)
    gains[:] = 0.0
    for _ in range(effort.proposals):
        propose(stroke, rng, largest, sums, errors, board.along)
        _enter(stroke, rough_gain(stroke, sums, spans), pool, gains)
    winner, best = np.zeros(13), 0.0
    for k in range(gains.size):
        if gains[k] == 0.0:
            break
        begin(walk, COARSE[0], COARSE[1])
        for _ in range(effort.climbs):
            vary(walk, pool[k], rng, False)
            gain = rough_gain(stroke, sums, spans)
            settle(walk, pool[k], gain > gains[k])
            gains[k] = max(gain, gains[k])
        snap(pool[k], SHAPE, grid)
        gain = exact_gain(pool[k], brush, canvas)
        if gain > best:
            best = gain
            winner[:] = pool[k]
    if best == 0.0:
        return winner
    begin(walk, FINE[0], FINE[1])
    for _ in range(effort.polish):
        vary(walk, winner, rng, True)
        snap(stroke, SHAPE, grid)
        gain = exact_gain(stroke, brush, canvas)
        settle(walk, winner, gain > best)
        best = max(gain, best)
    return winner
