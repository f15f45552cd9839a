"""Where a stroke of constant radius first comes too near to a wall.

A stroke touches a wall when the centre of a wall's pixel lies nearer to its curve than radius + 0.5 px, which is how
far the discs of brush/1 reach: what does not touch a wall cannot change a pixel of it.

The curve is cut into short pieces, and each piece is held against the wall's pixels around it. The squared distance
of a quadratic Bézier curve from a point is a polynomial of degree 4 in the curve's parameter, and its coefficients
in Bernstein's basis bound it from below: a piece with none below the squared reach is clear of that pixel.
Otherwise it is halved and each half asked again, the earlier first. This finds contacts of any length, along a
wall or at a single point, in the same few halvings: the bound closes in with the square of a piece's length.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.engine.kernel import Floats, inlined, kernel

Mask = NDArray[np.bool_]

PIECE = 1.0
"""Longest piece of the curve that is held against its surroundings at once, as a multiple of the reach."""
FINEST = 1e-9
"""A piece as short as this, px, that its bounds cannot clear counts as a contact."""
DEEPEST = 64
"""Most halvings of a piece."""


@inlined
def _first_below(c0: float, c1: float, c2: float, c3: float, c4: float, finest: float, stack: Floats) -> float:
    """Where on [0, 1] the polynomial with these coefficients in Bernstein's basis is first below 0, or -1.

    Intervals of length `finest` are not halved again. `stack`, float64 (DEEPEST + 1, 7), is memory for the begin, the
    length and the coefficients of intervals still to be asked.
    """
    count = 1
    stack[0, 0], stack[0, 1] = 0.0, 1.0
    stack[0, 2], stack[0, 3], stack[0, 4], stack[0, 5], stack[0, 6] = c0, c1, c2, c3, c4
    found = -1.0
    while count > 0:
        count -= 1
        begin, length = stack[count, 0], stack[count, 1]
        a0, a1, a2, a3, a4 = stack[count, 2], stack[count, 3], stack[count, 4], stack[count, 5], stack[count, 6]
        if min(a0, a1, a2, a3, a4) >= 0.0:
            continue
        if a0 < 0.0 or length <= finest or count + 2 > DEEPEST:
            found = begin
            break
        b0, b1, b2, b3 = 0.5 * (a0 + a1), 0.5 * (a1 + a2), 0.5 * (a2 + a3), 0.5 * (a3 + a4)
        d0, d1, d2 = 0.5 * (b0 + b1), 0.5 * (b1 + b2), 0.5 * (b2 + b3)
        e0, e1 = 0.5 * (d0 + d1), 0.5 * (d1 + d2)
        middle, half = 0.5 * (e0 + e1), 0.5 * length
        stack[count, 0], stack[count, 1] = begin + half, half
        stack[count, 2], stack[count, 3], stack[count, 4] = middle, e1, d2
        stack[count, 5], stack[count, 6] = b3, a4
        count += 1
        stack[count, 0], stack[count, 1] = begin, half
        stack[count, 2], stack[count, 3], stack[count, 4] = a0, b0, d0
        stack[count, 5], stack[count, 6] = e0, middle
        count += 1
    return found


@kernel
def first_contact(path: Floats, walls: Mask, radius: float) -> float:
    """The curve's parameter t in [0, 1] at which a stroke first touches a wall, or -1 if it never does.

    Args:
        path: float64 (6,), each in [0, 1], which the caller has checked: x, y of start, control point and end.
        walls: bool (n, n), C-contiguous.
        radius: of the brush, px, at least 0.

    Returns:
        t, at most `FINEST` px of the curve before the contact; 0 for a stroke that begins in touch with a wall.
    """
    size = walls.shape[0]
    x0, y0, x1, y1, x2, y2 = path[0], path[1], path[2], path[3], path[4], path[5]
    x0, y0, x1, y1, x2, y2 = x0 * size, y0 * size, x1 * size, y1 * size, x2 * size, y2 * size
    reach = radius + 0.5
    squared = reach * reach
    speed = 2.0 * max(np.hypot(x1 - x0, y1 - y0), np.hypot(x2 - x1, y2 - y1))
    pieces = max(1, int(np.ceil(speed / (PIECE * reach))))
    finest = FINEST * pieces / max(speed, FINEST)
    stack = np.empty((DEEPEST + 1, 7))
    for piece in range(pieces):
        t, u = piece / pieces, (piece + 1) / pieces
        s, v = 1.0 - t, 1.0 - u
        ax, ay = s * s * x0 + 2.0 * s * t * x1 + t * t * x2, s * s * y0 + 2.0 * s * t * y1 + t * t * y2
        bx, by = s * v * x0 + (s * u + t * v) * x1 + t * u * x2, s * v * y0 + (s * u + t * v) * y1 + t * u * y2
        cx, cy = v * v * x0 + 2.0 * v * u * x1 + u * u * x2, v * v * y0 + 2.0 * v * u * y1 + u * u * y2
        left = max(0, int(np.floor(min(ax, bx, cx) - reach - 0.5)))
        right = min(size, int(np.ceil(max(ax, bx, cx) + reach + 0.5)))
        top = max(0, int(np.floor(min(ay, by, cy) - reach - 0.5)))
        bottom = min(size, int(np.ceil(max(ay, by, cy) + reach + 0.5)))
        earliest = 2.0
        for row in range(top, bottom):
            for column in range(left, right):
                if not walls[row, column]:
                    continue
                px, py = column + 0.5, row + 0.5
                ux, uy, vx, vy, wx, wy = ax - px, ay - py, bx - px, by - py, cx - px, cy - py
                c0, c4 = ux * ux + uy * uy - squared, wx * wx + wy * wy - squared
                c1, c3 = ux * vx + uy * vy - squared, vx * wx + vy * wy - squared
                c2 = (ux * wx + uy * wy + 2.0 * (vx * vx + vy * vy)) / 3.0 - squared
                if min(c0, c1, c2, c3, c4) >= 0.0:
                    continue
                at = _first_below(c0, c1, c2, c3, c4, finest, stack)
                if at >= 0.0:
                    earliest = min(earliest, at)
        if earliest <= 1.0:
            return min(1.0, (piece + earliest) / pieces)
    return -1.0
