"""Strokes on a grid: each of the thirteen numbers a whole number of parts, as models write them (0-1000).

Colours survive the grid of 1/1000 unchanged: from byte / 255 to the nearest part a colour moves by at most 1/2000, an
eighth of a byte, and is the same byte again when it is painted. So only points, radii and opacities have to be chosen
on the grid, and searches do so: each change is snapped before it is measured.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.kernel import Floats, inlined

COARSEST = 255
"""The fewest parts that a grid may have: below, colours would not survive it."""
FREE = 0
"""In place of a number of parts: no grid."""


def quantise(stroke: Floats, grid: int | None) -> Floats:
    """The nearest stroke on a grid, the higher one of two.

    Args:
        stroke: float64 (..., 13) or (..., 6), each in [0, 1].
        grid: parts of 1; None: no grid.

    Returns:
        float64 of the same shape, each number float64(k) / grid for a whole k in [0, grid]; `stroke` without a grid.
    """
    if not grid:
        return stroke
    snapped: Floats = np.floor(stroke * grid + 0.5) / grid
    return snapped


def parts(grid: int | None) -> int:
    """The grid as kernels take it.

    Raises:
        ValueError: the grid is coarser than a byte.
    """
    if grid is not None and grid < COARSEST:
        raise ValueError(f"a grid of {grid} parts would change colours: choose at least {COARSEST}, such as 1000")
    return grid or FREE


@inlined
def snap(stroke: Floats, count: int, grid: int) -> None:
    """Put the first `count` numbers of a stroke on the grid, in place; nothing if it is `FREE`."""
    if grid > 0:
        for k in range(count):
            stroke[k] = np.floor(stroke[k] * grid + 0.5) / grid
