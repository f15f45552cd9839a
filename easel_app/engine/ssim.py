"""Exact SSIM, redone only where a change can be seen.

Pixels are 8 bit, so the sums that a window needs, of x, x * x and x * y, are exact in int32 (49 * 49 * 255 * 255 is
below 2^31). The SSIM of a window is kept in fixed point and the total in int64: nothing drifts, and the mean
depends on the two pictures alone. Rows are interleaved (red, green, blue, red ...): columns of a window are 3 apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from easel_app.engine.canvas import Canvas
from easel_app.engine.kernel import Bytes, Ints, Longs, borrowed, inlined, kernel
from easel_app.scoring.similarity import WINDOW

HALF = WINDOW // 2
AREA = WINDOW * WINDOW
BAND = 12
"""Rows of windows that share one interval of columns."""
K1 = 0.01**2 * (AREA * 255.0) ** 2
"""SSIM's first constant, for products of two sums over a window."""
K2 = 0.03**2 * AREA * (AREA - 1) * 255.0**2
"""SSIM's second constant, for AREA * (sum of products) - product of sums, with the sample covariance's AREA - 1."""
ONE = 2.0**30
"""An SSIM of 1 in fixed point."""


class Windows(NamedTuple):
    """What is kept of the 7 x 7 windows, each stored at its centre; a border of 3 px has none."""

    goal_sum: Ints
    """(size, 3 * size): sum over the window of the reference."""
    goal_spread: Ints
    """(size, 3 * size): AREA * (sum of squares) - (sum) ** 2 of the reference."""
    score: Ints
    """(size, 3 * size): SSIM in fixed point."""
    sums: Ints
    """(3, 3 * size): work space, sums over the columns of a row of windows."""


def scale(size: int) -> float:
    """What the total of all windows' scores is divided by to get the mean SSIM."""
    return 3.0 * (size - 2 * HALF) ** 2 * ONE


def reference_windows(reference: Bytes) -> tuple[Ints, Ints]:
    """`goal_sum` and `goal_spread` of a reference, uint8 (size, size, 3)."""
    wide = reference.astype(np.int64)
    total = _window_sums(wide)
    spread = AREA * _window_sums(wide * wide) - total * total
    shape = (len(reference), -1)
    return total.astype(np.int32).reshape(shape), spread.astype(np.int32).reshape(shape)


def _window_sums(image: Longs) -> Longs:
    """Sums over the windows of an (h, w, 3) picture, 0 on the border."""
    height, width, _ = image.shape
    rows = np.sum([image[k : height - WINDOW + 1 + k] for k in range(WINDOW)], axis=0)
    out = np.zeros_like(image)
    out[HALF:-HALF, HALF:-HALF] = np.sum([rows[:, k : width - WINDOW + 1 + k] for k in range(WINDOW)], axis=0)
    return out


@inlined
def _i32(value: Any) -> Any:
    """Numba widens each integer result to 64 bits; narrowing at once keeps more lanes in a vector."""
    return np.int32(value)


@inlined
def _enter(row: Bytes, goal: Bytes, x: Ints, xx: Ints, xy: Ints) -> None:
    """Add a row of pixels to the sums over columns."""
    for j in range(row.size):
        v = _i32(row[j])
        x[j] = _i32(x[j] + v)
        xx[j] = _i32(xx[j] + _i32(v * v))
        xy[j] = _i32(xy[j] + _i32(v * _i32(goal[j])))


@inlined
def _slide(row: Bytes, goal: Bytes, old_row: Bytes, old_goal: Bytes, x: Ints, xx: Ints, xy: Ints) -> None:
    """Add the row that enters the windows and take away the one that leaves them."""
    for j in range(row.size):
        v, u = _i32(row[j]), _i32(old_row[j])
        x[j] = _i32(x[j] + _i32(v - u))
        xx[j] = _i32(xx[j] + _i32(_i32(v * v) - _i32(u * u)))
    for j in range(row.size):
        v, u = _i32(row[j]), _i32(old_row[j])
        xy[j] = _i32(xy[j] + _i32(_i32(v * _i32(goal[j])) - _i32(u * _i32(old_goal[j]))))


@inlined
def _seven(sums: Ints, j: int) -> Any:
    """Sum over the seven columns of the window that starts at j."""
    return _i32(sums[j] + sums[j + 3] + sums[j + 6] + sums[j + 9] + sums[j + 12] + sums[j + 15] + sums[j + 18])


@inlined
def _score(x: Ints, xx: Ints, xy: Ints, goal_sum: Ints, goal_spread: Ints, out: Ints) -> int:
    """SSIM of a row of windows; returns by how much their total moved."""
    gain = 0
    for j in range(out.size):
        s, g = _seven(x, j), goal_sum[j]
        product, square = _i32(s * g), _i32(s * s)
        covariance = _i32(_i32(AREA * _seven(xy, j)) - product)
        spread = _i32(_i32(_i32(AREA * _seven(xx, j)) - square) + goal_spread[j])
        top = (np.float64(_i32(2 * product)) + K1) * (np.float64(_i32(2 * covariance)) + K2)
        bottom = (np.float64(_i32(square + _i32(g * g))) + K1) * (np.float64(spread) + K2)
        score = _i32(np.rint(top / bottom * ONE))
        gain += score - out[j]
        out[j] = score
    return gain


@kernel
def update_ssim(canvas: Canvas, windows: Windows) -> int:
    """Redo the SSIM of each window that sees a byte of the last change.

    Rows are redone in bands that share one interval of columns, the hull of what their windows can see: within a band
    the sums slide down, yet a slanting stroke does not pay for its whole box.

    Returns:
        By how much the total over all windows moved.
    """
    pixels, goals, changed = borrowed(canvas.pixels), borrowed(canvas.goal), borrowed(canvas.changed)
    goal_sum, goal_spread = borrowed(windows.goal_sum), borrowed(windows.goal_spread)
    score, sums = borrowed(windows.score), borrowed(windows.sums)
    size = pixels.shape[0]
    top, bottom = canvas.box[0], canvas.box[1]
    last = min(size - HALF, bottom + HALF)
    gain = 0
    for band in range(max(HALF, top - HALF), last, BAND):
        stop = min(last, band + BAND)
        lo, hi = size, 0
        for y in range(max(top, band - HALF), min(bottom, stop + HALF)):
            lo, hi = min(lo, changed[0, y]), max(hi, changed[1, y])
        lo, hi = max(HALF, lo - HALF), min(size - HALF, hi + HALF)
        if lo >= hi:
            continue
        a, b = 3 * (lo - HALF), 3 * (hi + HALF)
        lo, hi = 3 * lo, 3 * hi
        x, xx, xy = sums[0, : b - a], sums[1, : b - a], sums[2, : b - a]
        x[:] = 0
        xx[:] = 0
        xy[:] = 0
        for y in range(band - HALF, band + HALF + 1):
            _enter(pixels[y, a:b], goals[y, a:b], x, xx, xy)
        for y in range(band, stop):
            if y > band:
                new, old = y + HALF, y - HALF - 1
                _slide(pixels[new, a:b], goals[new, a:b], pixels[old, a:b], goals[old, a:b], x, xx, xy)
            gain += _score(x, xx, xy, goal_sum[y, lo:hi], goal_spread[y, lo:hi], score[y, lo:hi])
    return gain
