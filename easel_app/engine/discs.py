"""Where the discs of a brush/1 stroke lie along its quadratic Bézier curve."""

from __future__ import annotations

import numpy as np

from easel_app.engine.kernel import Floats, inlined, kernel

T_STEP = 0.125
"""Neighbouring discs lie at most this far apart in the curve's parameter t ..."""
OPACITY_STEP = 1.0 / 64.0
"""... this far in opacity ..."""
RADIUS_STEP = 0.5
"""... this far in radius (px) ..."""
SPACING = 0.4
"""... and sqrt(SPACING * radius) px, which leaves scallops of a twentieth of a pixel between them."""

X, Y, RADIUS, OPACITY = range(4)


@kernel
def most_discs(size: int) -> int:
    """The most discs that a stroke on a canvas of `size` px can have, with some slack.

    Steps cut short by t, opacity and radius number at most 8, 64 and size / 2. Those cut short by distance use up the
    length of the curve and the slack of the bound below, together at most 1.25 * 2 * sqrt(2) * size, and each
    uses at least sqrt(SPACING / 2) px of it.
    """
    return 10 * size + 96


@inlined
def lay_discs(stroke: Floats, size: int, discs: Floats) -> int:
    """Lay the discs of a stroke, from its start to its end, both included.

    From the disc at t, a step d in t moves the centre by v * d + a * d * d (v the velocity there, 2 * a the constant
    acceleration), which is at most |v| * d + |a| * d * d. The step is the largest that keeps this within
    the spacing of the disc.

    Args:
        stroke: float64 (13,), each in [0, 1].
        size: side of the canvas, px.
        discs: float64 (4, most_discs(size)); receives x, y, radius (px) and opacity of each disc.

    Returns:
        The number of discs.
    """
    x0, x1, x2 = stroke[0] * size, stroke[2] * size, stroke[4] * size
    y0, y1, y2 = stroke[1] * size, stroke[3] * size, stroke[5] * size
    start_radius, radius_change = 0.5 + stroke[6] * size / 4.0, (stroke[8] - stroke[6]) * size / 4.0
    start_opacity, opacity_change = stroke[7], stroke[9] - stroke[7]
    longest = min(T_STEP, OPACITY_STEP / abs(opacity_change), RADIUS_STEP / abs(radius_change))
    bend_x, bend_y = x0 - 2.0 * x1 + x2, y0 - 2.0 * y1 + y2
    bend = np.sqrt(bend_x * bend_x + bend_y * bend_y)
    count = 0
    t = 0.0
    while count < discs.shape[1]:
        s = 1.0 - t
        radius = start_radius + t * radius_change
        discs[X, count] = s * s * x0 + 2.0 * s * t * x1 + t * t * x2
        discs[Y, count] = s * s * y0 + 2.0 * s * t * y1 + t * t * y2
        discs[RADIUS, count] = radius
        discs[OPACITY, count] = start_opacity + t * opacity_change
        count += 1
        if t >= 1.0:
            break
        speed_x = 2.0 * (s * (x1 - x0) + t * (x2 - x1))
        speed_y = 2.0 * (s * (y1 - y0) + t * (y2 - y1))
        squared = speed_x * speed_x + speed_y * speed_y
        spacing = np.sqrt(SPACING * radius)
        ahead = 2.0 * spacing / (np.sqrt(squared) + np.sqrt(squared + 4.0 * bend * spacing))
        t = min(1.0, t + min(longest, ahead))
    return count
