"""How much a stroke would lower the squared error under its very mask, with the colour that lowers it most.

With m the mask / 255, D = T - C what the canvas lacks and u the colour, a pixel is left with D - m * (u - C). The best
colour of a channel is u = sum(m * (D + m * C)) / sum(m * m), to the nearest byte. Sums are over whole numbers (the mask
and the bytes themselves), so the gain is exact but for the rounding of painted bytes.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import Canvas
from easel_app.engine.kernel import Floats, borrowed, inlined, kernel
from easel_app.engine.mask import Brush, draw_mask
from easel_app.engine.stroke import RED


@inlined
def _best_byte(lack: np.int64, weight: np.int64) -> float:
    """The colour of a channel, a whole number in [0, 255]."""
    return float(min(255.0, max(0.0, np.floor(lack / weight + 0.5))))


@kernel
def exact_gain(stroke: Floats, brush: Brush, canvas: Canvas) -> float:
    """By how much the squared error would fall; negative if it would rise.

    Args:
        stroke: float64 (13,) in [0, 1]; receives its best colour.
        brush: memory for the mask, which is drawn.
        canvas: the canvas and its reference.
    """
    draw_mask(stroke, brush)
    mask, spans = borrowed(brush.mask), borrowed(brush.spans)
    pixels, goal = borrowed(canvas.pixels), borrowed(canvas.goal)
    weight, rest = np.int64(0), np.int64(0)
    red, green, blue = np.int64(0), np.int64(0), np.int64(0)
    for y in range(brush.rows[0], brush.rows[1]):
        lo, hi = spans[0, y], spans[1, y]
        if lo >= hi:
            continue
        alpha, row, wanted = mask[y, lo:hi], pixels[y, 3 * lo : 3 * hi], goal[y, 3 * lo : 3 * hi]
        for x in range(alpha.size):
            m = np.int32(alpha[x])
            c0, c1, c2 = np.int32(row[3 * x]), np.int32(row[3 * x + 1]), np.int32(row[3 * x + 2])
            d0 = np.int32(np.int32(wanted[3 * x]) - c0)
            d1 = np.int32(np.int32(wanted[3 * x + 1]) - c1)
            d2 = np.int32(np.int32(wanted[3 * x + 2]) - c2)
            m0, m1, m2 = m * c0, m * c1, m * c2
            weight += m * m
            red += m * (255 * d0 + m0)
            green += m * (255 * d1 + m1)
            blue += m * (255 * d2 + m2)
            rest += m0 * (510 * d0 + m0) + m1 * (510 * d1 + m1) + m2 * (510 * d2 + m2)
    if weight == 0:
        return 0.0
    r, g, b = _best_byte(red, weight), _best_byte(green, weight), _best_byte(blue, weight)
    stroke[RED], stroke[RED + 1], stroke[RED + 2] = r / 255.0, g / 255.0, b / 255.0
    change = float(rest) + r * (r * weight - 2.0 * red) + g * (g * weight - 2.0 * green) + b * (b * weight - 2.0 * blue)
    return -change / 65025.0
