"""Painting by a plan: all of it is planned at the first stroke, and kept to as long as nobody paints in between."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.greedy import SIMILARITY, GreedyPainter
from easel_app.painting.painters.planning import FULL, Care, Plan, can_plan, plan


class PlannerPainter:
    """Paints by plan; see `easel_app.painting.painters.Painter`.

    Where the canvas is not what the plan has at that step, beyond its end, and for paintings too large to be planned
    (see `planning.can_plan`), it looks for a stroke as `greedy-s` does.
    """

    def __init__(
        self, name: str, reference: Bytes, budget: int, seed: int, grid: int | None = None, care: Care = FULL
    ) -> None:
        """Begin.

        Args:
            name: what the painter is called, with its version.
            reference: uint8 (n, n, 3), sRGB, from 7 to 2048 px.
            budget: strokes that are planned, at least 1.
            seed: at least 0.
            grid: see `easel_app.painting.painters.painter`.
            care: how carefully to plan.

        Raises:
            ValueError: the reference is of another shape or type.
        """
        self.name = name
        self._order = reference, budget, seed, grid, care
        self._greedy = GreedyPainter(name, reference, budget, seed, grid, SIMILARITY)

    @cached_property
    def _plan(self) -> Plan:
        return plan(*self._order)

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke; the first one takes as long as all of the plan. See `Painter.next`."""
        reference, budget, *_ = self._order
        planned = 0 <= step < budget and canvas.dtype == np.uint8 and can_plan(budget, len(reference))
        if planned and np.array_equal(canvas, self._plan.canvases[step]):
            stroke: Floats = self._plan.strokes[step].copy()
            return stroke
        return self._greedy.next(canvas, step)
