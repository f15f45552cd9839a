"""How much a stroke would lower the squared error, roughly, in half a microsecond.

The stroke is reduced to one interval of pixels a row, without smooth borders: the hull of its discs there. With row
sums (see `sums`) an interval costs one subtraction, however wide it is. Over the n pixels of a stroke of opacity a,
the best colour of a channel and what is left of the error have closed forms:

    W = sum(T) - (1 - a) * sum(C)
    colour = W / (a * n), or the nearest in [0, 255]
    error = sum(T * T) - 2 * (1 - a) * sum(T * C) + (1 - a)^2 * sum(C * C) + a * colour * (a * colour * n - 2 * W)

The sum of T * T is in the error before as well, and drops out of the difference.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from easel_app.engine.kernel import Floats, Ints, borrowed, inlined, kernel
from easel_app.painting.painters.sums import CC, TC

OPACITIES = (1.0, 0.7, 0.4)
"""What is tried; a finer choice would lower the error further and the similarity less: faint paint lets edges through
that the reference has not."""
SCALLOP = 0.25
"""Discs lie so close (px) that the hull misses no more than this between them."""


def new_spans(size: int) -> Floats:
    """Memory for the intervals: float64 (2, size), first and last x of each row, the last below the first if none."""
    return np.zeros((2, size))


@inlined
def _trace(stroke: Floats, size: int, left: Floats, right: Floats) -> tuple[int, int]:
    """Note where each row meets the stroke; returns the first and one-past-last row that may."""
    x0, x1, x2 = stroke[0] * size, stroke[2] * size, stroke[4] * size
    y0, y1, y2 = stroke[1] * size, stroke[3] * size, stroke[5] * size
    start, end = 0.5 + stroke[6] * size / 4.0, 0.5 + stroke[8] * size / 4.0
    reach = max(start, end)
    top = max(0, int(min(y0, y1, y2) - reach))
    bottom = min(size, int(max(y0, y1, y2) + reach) + 1)
    left[top:bottom] = size
    right[top:bottom] = -1.0
    there, back = np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2), np.sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
    gaps = int((there + back) / np.sqrt(8.0 * SCALLOP * min(start, end))) + 1
    for i in range(gaps + 1):
        t = i / gaps
        s = 1.0 - t
        x = s * s * x0 + 2.0 * s * t * x1 + t * t * x2
        y = s * s * y0 + 2.0 * s * t * y1 + t * t * y2
        radius = s * start + t * end
        first = max(top, int(np.ceil(y - radius - 0.5)))
        last = min(bottom, int(np.floor(y + radius - 0.5)) + 1)
        if first < last:
            lefts, rights = left[first:last], right[first:last]
            for k in range(lefts.size):
                dy = first + k + 0.5 - y
                half = np.sqrt(max(radius * radius - dy * dy, 0.0))
                lefts[k] = min(lefts[k], x - half)
                rights[k] = max(rights[k], x + half)
    return top, bottom


@inlined
def _channel(opacity: float, count: int, t: int, c: int) -> float:
    """What a channel adds to the error when it is painted in its best colour."""
    want = t - (1.0 - opacity) * c
    paint = min(255.0, max(0.0, want / (opacity * count))) * opacity
    return paint * (paint * count - 2.0 * want)


@kernel
def rough_gain(stroke: Floats, sums: Ints, spans: Floats) -> float:
    """By how much the squared error would fall, at least 0, roughly.

    Args:
        stroke: float64 (13,) in [0, 1]; receives the best opacity of `OPACITIES`, colours are left as they are.
        sums: see `sums`.
        spans: memory, see `new_spans`.
    """
    sums, left, right = borrowed(sums), borrowed(spans)[0], borrowed(spans)[1]
    size = sums.shape[0]
    top, bottom = _trace(borrowed(stroke), size, left, right)
    # separate sums, for the compiler keeps these in registers
    count, t0, t1, t2, c0, c1, c2, tc, cc = 0, 0, 0, 0, 0, 0, 0, 0, 0
    for y in range(top, bottom):
        a = max(0, int(np.ceil(left[y] - 0.5)))
        b = min(size, int(np.floor(right[y] - 0.5)) + 1)
        if a < b:
            after: Any = sums[y, b]
            before: Any = sums[y, a]
            count += b - a
            t0 += after[0] - before[0]
            t1 += after[1] - before[1]
            t2 += after[2] - before[2]
            c0 += after[3] - before[3]
            c1 += after[4] - before[4]
            c2 += after[5] - before[5]
            tc += after[TC] - before[TC]
            cc += after[CC] - before[CC]
    best = 0.0
    if count > 0:
        for opacity in OPACITIES:
            rest = 1.0 - opacity
            gain = (2.0 * rest - 2.0) * tc + (1.0 - rest * rest) * cc
            gain -= _channel(opacity, count, t0, c0)
            gain -= _channel(opacity, count, t1, c1)
            gain -= _channel(opacity, count, t2, c2)
            if gain > best:
                best = gain
                stroke[7], stroke[9] = opacity, opacity
    return best
