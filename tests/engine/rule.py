"""brush/1 written down a second time, plainly, from its definition."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.engine import Patch


class Disc(NamedTuple):
    x: float
    y: float
    radius: float
    opacity: float


def discs(stroke: NDArray[np.float64], size: int) -> list[Disc]:
    """The discs of a stroke: at most 1/8 apart in t, 1/64 in opacity, half a pixel in radius, sqrt(0.4 r) px."""
    x0, y0, x1, y1, x2, y2 = (float(v) * size for v in stroke[:6])
    r0, o0, r1, o1 = (float(v) for v in stroke[6:10])
    longest = 0.125
    if o0 != o1:
        longest = min(longest, 1 / 64 / abs(o1 - o0))
    if r0 != r1:
        longest = min(longest, 0.5 / abs((r1 - r0) * size / 4))
    bend = math.sqrt((x0 - 2 * x1 + x2) ** 2 + (y0 - 2 * y1 + y2) ** 2)
    found, t = [], 0.0
    while True:
        s = 1.0 - t
        x, y = (s * s * a + 2.0 * s * t * b + t * t * c for a, b, c in ((x0, x1, x2), (y0, y1, y2)))
        radius = 0.5 + r0 * size / 4 + t * ((r1 - r0) * size / 4)
        found.append(Disc(x, y, radius, o0 + t * (o1 - o0)))
        if t >= 1.0:
            return found
        vx, vy = 2.0 * (s * (x1 - x0) + t * (x2 - x1)), 2.0 * (s * (y1 - y0) + t * (y2 - y1))
        squared, spacing = vx * vx + vy * vy, math.sqrt(0.4 * radius)
        slowness = math.sqrt(squared) + math.sqrt(squared + 4.0 * bend * spacing)
        t = min(1.0, t + min(longest, 2.0 * spacing / slowness if slowness else longest))


def mask(stroke: NDArray[np.float64], size: int) -> NDArray[np.uint8]:
    """The whole mask: disc after disc over every pixel."""
    centre = np.arange(size) + 0.5
    cover, value = np.zeros((size, size)), np.zeros((size, size))
    for x, y, radius, opacity in discs(stroke, size):
        dx, dy = centre[None, :] - x, centre[:, None] - y
        part = np.minimum(radius + 0.5 - np.sqrt(dx * dx + dy * dy), 1.0)
        wins, joins = (part > 0) & (part >= cover), (part > 0) & (part < cover)
        value[joins] += (opacity - value[joins]) * (part[joins] / cover[joins])
        value[wins], cover[wins] = opacity, part[wins]
    return np.floor(255.0 * (cover * value) + 0.5).astype(np.uint8)


def whole(patch: Patch, size: int) -> NDArray[np.uint8]:
    """A patch on a whole mask."""
    out = np.zeros((size, size), np.uint8)
    height, width = patch.alpha.shape
    out[patch.top : patch.top + height, patch.left : patch.left + width] = patch.alpha
    return out


def corner_strokes(count: int, seed: int = 0) -> NDArray[np.float64]:
    """Strokes at the edges of what is allowed: each number 0, 1/2 or 1, some points, some without radius."""
    rng = np.random.default_rng(seed)
    strokes = rng.choice([0.0, 0.5, 1.0], (count, 13))
    strokes[::4, [6, 8]] = 0.0
    strokes[1::4, 2:6] = strokes[1::4, [0, 1, 0, 1]]
    return strokes
