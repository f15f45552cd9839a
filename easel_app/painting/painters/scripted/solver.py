"""A painter that knows the way: it shows that each maze can be solved within its budget, and how it looks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from easel_app.engine.kernel import Floats
from easel_app.painting.painters.scripted.plan import ScriptedPainter
from easel_app.painting.truth import MazeTruth


class SolverPainter(ScriptedPainter):
    """Draws the reference route from start to goal; a script, for mazes that were generated here."""

    def __init__(self, name: str, truth: MazeTruth, size: int, budget: int, seed: int) -> None:
        """Begin.

        Args:
            name: name and version that it goes by.
            truth: the maze.
            size: side of the canvas, px.
            budget: steps allowed; the route of a generated maze takes fewer.
            seed: plays no part, as a script has no chance in it.

        Raises:
            ValueError: the maze is not of that size, or the route takes more strokes than the budget has.
        """
        if truth.walls.shape != (size, size):
            raise ValueError(f"the maze is {truth.walls.shape}, but the canvas {size} px: give the maze's own size")
        paths = route_paths(truth)
        if len(paths) > budget:
            raise ValueError(f"the route takes {len(paths)} strokes, but the budget is {budget}: give a larger one")
        super().__init__(name, paths, size)



def route_paths(truth: MazeTruth) -> list[Floats]:
    """The route as joined paths, float64 (6,) each: a straight line through each run, a curve round each corner.

    A curve leads from the middle of the border where the route enters a cell to the middle of the one where it leaves
    it. The cell's middle is its control point, so it comes no nearer to the inner post than three quarters of the way
    from there.
    """
    size = truth.walls.shape[0]
    centres = [np.array(truth.centre(cell)) / size for cell in truth.route]
    borders = [(one + other) / 2 for one, other in pairwise(centres)]
    paths, at = [], centres[0]
    for entry, centre, leave in zip(borders, centres[1:], borders[1:], strict=False):
        if np.allclose(leave - centre, centre - entry):
            continue  # straight on
        if not np.array_equal(at, entry):
            paths.append(np.concatenate([at, (at + entry) / 2, entry]))
        paths.append(np.concatenate([entry, centre, leave]))
        at = leave
    goal = centres[-1]
    return [*paths, np.concatenate([at, (at + goal) / 2, goal])]
