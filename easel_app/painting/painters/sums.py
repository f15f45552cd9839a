"""Row sums: what a run of pixels of a row holds, for two look-ups however long the run is.

For each row the sums over its first 0, 1, ... `size` pixels are kept of the bytes of the reference T and of the canvas
C, channel by channel, and of T * T, T * C and C * C over all channels. They are whole numbers, so that nothing drifts:
the sums are a function of the two pictures alone.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import Canvas
from easel_app.engine.kernel import Ints, borrowed, inlined, kernel

TERMS = 9
TT, TC, CC = range(6, TERMS)
"""Where the products stand; before them red, green and blue of T, then of C."""


def new_sums(size: int) -> Ints:
    """Memory for the sums of a canvas of `size` px: int32 (size, size + 1, TERMS), zeros."""
    return np.zeros((size, size + 1, TERMS), np.int32)


@kernel
def sum_rows(canvas: Canvas, sums: Ints, top: int, bottom: int) -> None:
    """Bring the sums of rows [top, bottom) up to date."""
    pixels, goal, sums = borrowed(canvas.pixels), borrowed(canvas.goal), borrowed(sums)
    for y in range(top, bottom):
        for x in range(sums.shape[0]):
            tt, tc, cc = np.int32(0), np.int32(0), np.int32(0)
            for k in range(3):
                t, c = np.int32(goal[y, 3 * x + k]), np.int32(pixels[y, 3 * x + k])
                sums[y, x + 1, k] = sums[y, x, k] + t
                sums[y, x + 1, 3 + k] = sums[y, x, 3 + k] + c
                tt += t * t
                tc += t * c
                cc += c * c
            sums[y, x + 1, TT] = sums[y, x, TT] + tt
            sums[y, x + 1, TC] = sums[y, x, TC] + tc
            sums[y, x + 1, CC] = sums[y, x, CC] + cc


@inlined
def error_before(sums: Ints, y: int, x: int) -> int:
    """Squared error of the first x pixels of row y, summed over channels, in squared bytes."""
    return int(np.int64(sums[y, x, TT]) - 2 * np.int64(sums[y, x, TC]) + np.int64(sums[y, x, CC]))
