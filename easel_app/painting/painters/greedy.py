"""Greedy painting: each stroke is the best that a search finds for the canvas as it is."""

from __future__ import annotations

import numpy as np

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.draft import exchange, lay, new_draft, rows_of, total_error
from easel_app.painting.painters.finish import finish
from easel_app.painting.painters.grid import parts, quantise
from easel_app.painting.painters.proposals import ceiling, tangents
from easel_app.painting.painters.search import Effort, new_board, search
from easel_app.painting.painters.sums import sum_rows

QUICK = Effort(proposals=100, climbers=1, climbs=60, polish=8, trials=0)
"""For data in bulk: squared error alone, in a third of a millisecond."""
SQUARED_ERROR = Effort(proposals=300, climbers=5, climbs=160, polish=120, trials=0)
"""The data policy: squared error alone decides, as a policy does that knows nothing of the score.

The score rises with the logarithm of the effort, about .004 for half as much again, whichever number is raised; this
is what fits into two milliseconds at 128 px.
"""
SIMILARITY = SQUARED_ERROR._replace(trials=40)
"""Squared error first, then similarity/1 itself: for the best picture, not for a fair comparison."""


class GreedyPainter:
    """Paints greedily; see `easel_app.painting.painters.Painter`.

    With an effort of no trials the squared error never rises by a stroke, else the similarity never falls: where
    nothing helps, the stroke is invisible.
    """

    def __init__(
        self, name: str, reference: Bytes, budget: int, seed: int, grid: int | None = None,
        effort: Effort = SQUARED_ERROR, again: int = 0,
    ) -> None:  # fmt: skip
        """Begin.

        Args:
            name: what the painter is called, with its version.
            reference: uint8 (n, n, 3), sRGB, from 7 to 2048 px.
            budget: strokes over which it goes from large to small, at least 1.
            seed: at least 0.
            grid: see `easel_app.painting.painters.painter`.
            effort: how hard to look for each stroke.
            again: how often to look again, each time for strokes half as wide, where nothing helps.

        Raises:
            ValueError: the reference is of another shape or type.
        """
        self.name = name
        self._budget, self._seed, self._grid, self._effort, self._again = budget, seed, grid, effort, again
        self._engine = StepEngine(reference) if effort.trials else None
        self._memory = self._engine.memory if self._engine else new_draft(reference)
        self._canvas = self._memory.canvas.pixels.reshape(reference.shape)
        self._board = new_board(len(reference), effort.climbers, tangents(reference))
        sum_rows(self._memory.canvas, self._board.sums, 0, len(reference))

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke. See `Painter.next`."""
        rng = np.random.default_rng([self._seed, step])
        if not np.array_equal(canvas, self._canvas):
            self._take_over(canvas)
        largest = ceiling(step, self._budget)
        stroke = search(rng, largest, self._effort, parts(self._grid), self._board, self._memory)
        for _ in range(self._again):
            if stroke.any():
                break
            largest /= 2.0
            stroke = search(rng, largest, self._effort, parts(self._grid), self._board, self._memory)
        return self._by_score(stroke, rng, self._engine) if self._engine else self._by_error(stroke, canvas)

    def _by_error(self, stroke: Floats, canvas: Bytes) -> Floats:
        """Paint the stroke, unless that raises the squared error."""
        drawing, sums = self._memory.canvas, self._board.sums
        before = total_error(sums)
        lay(stroke, self._memory.brush, drawing, sums)
        if total_error(sums) > before:  # painted bytes are rounded
            exchange(rows_of(canvas), drawing, sums)
            return np.zeros_like(stroke)
        return quantise(stroke, self._grid)

    def _by_score(self, stroke: Floats, rng: np.random.Generator, engine: StepEngine) -> Floats:
        """Climb on from the stroke by similarity, and paint what is reached."""
        start = self._memory.canvas.pixels.copy()
        found = finish(stroke, self._effort.trials, parts(self._grid), rng, self._board.walk, start, self._memory)
        stroke = quantise(found, self._grid)
        engine.step(stroke)
        self._sum_changed(engine)
        return stroke

    def _take_over(self, canvas: Bytes) -> None:
        if self._engine:
            self._engine.load(canvas)
            self._sum_changed(self._engine)
            return
        shape = self._canvas.shape
        if canvas.shape != shape or canvas.dtype != np.uint8:
            raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be uint8 {shape}")
        exchange(rows_of(canvas), self._memory.canvas, self._board.sums)

    def _sum_changed(self, engine: StepEngine) -> None:
        top, bottom, _, _ = engine.box
        sum_rows(self._memory.canvas, self._board.sums, top, bottom)
