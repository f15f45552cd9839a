"""Greedy painting: each stroke is the best that a search finds for the canvas as it is."""

from __future__ import annotations

import numpy as np

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.finish import finish
from easel_app.painting.painters.proposals import ceiling, tangents
from easel_app.painting.painters.search import Effort, new_board, search
from easel_app.painting.painters.sums import squared_error, sum_rows

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

    def __init__(self, name: str, reference: Bytes, budget: int, seed: int, effort: Effort = SQUARED_ERROR) -> None:
        """Begin.

        Args:
            name: what the painter is called, with its version.
            reference: uint8 (n, n, 3), sRGB, from 7 to 2048 px.
            budget: strokes over which it goes from large to small, at least 1.
            seed: at least 0.
            effort: how hard to look for each stroke.

        Raises:
            ValueError: the reference is of another shape or type.
        """
        self.name = name
        self._budget, self._seed, self._effort = budget, seed, effort
        self._engine = StepEngine(reference)
        self._board = new_board(self._engine.size, effort.climbers, tangents(reference))
        self._sum(0, self._engine.size)

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke. See `Painter.next`."""
        rng = np.random.default_rng([self._seed, step])
        if not np.array_equal(canvas, self._engine.canvas):
            self._take_over(canvas)
        stroke = search(rng, ceiling(step, self._budget), self._effort, self._board, self._engine.memory)
        if self._effort.trials:
            stroke = finish(stroke, self._effort.trials, rng, self._board.walk, self._engine)
        before = squared_error(self._board.sums)
        self._engine.step(stroke)
        self._sum_changed()
        if squared_error(self._board.sums) > before and not self._effort.trials:  # painted bytes are rounded
            self._take_over(canvas)
            return np.zeros_like(stroke)
        return stroke

    def _take_over(self, canvas: Bytes) -> None:
        self._engine.load(canvas)
        self._sum_changed()

    def _sum_changed(self) -> None:
        top, bottom, _, _ = self._engine.box
        self._sum(top, bottom)

    def _sum(self, top: int, bottom: int) -> None:
        sum_rows(self._engine.memory.canvas, self._board.sums, top, bottom)
