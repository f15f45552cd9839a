"""Drawing pictures by arithmetic that is exact everywhere, so that a seed gives the same bytes on every machine.

Only sums, products, quotients and square roots of float64, which IEEE 754 rounds alike on each processor: no sine, no
power, no exponential, and no sum over an axis. Coordinates are in canvas widths, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Colour = tuple[float, float, float]
"""Red, green and blue of sRGB in [0, 1]."""

SEEDS = 2**31
"""Seeds are whole numbers from 0 to one less."""


def chance(size: int, seed: int, sizes: Sequence[int]) -> np.random.Generator:
    """Where a draft's chance comes from: the seed alone, so that a scene is the same at every size.

    Raises:
        ValueError: the size is none of `sizes`, or the seed is not in [0, SEEDS).
    """
    if size not in sizes:
        raise ValueError(f"there is no task of {size} px: choose one of {', '.join(map(str, sizes))}")
    if not 0 <= seed < SEEDS:
        raise ValueError(f"the seed is {seed}, but must be between 0 and {SEEDS - 1}: choose another")
    return np.random.Generator(np.random.PCG64(seed))


def grid(size: int) -> tuple[Floats, Floats]:
    """The x and the y of the pixels' centres, float64 (size, size) each."""
    middles = (np.arange(size) + 0.5) / size
    return np.broadcast_to(middles, (size, size)), np.broadcast_to(middles[:, None], (size, size))


def direction(tilt: float) -> tuple[float, float]:
    """Cosine and sine of twice the angle whose tangent is `tilt`, without computing either."""
    return (1.0 - tilt * tilt) / (1.0 + tilt * tilt), 2.0 * tilt / (1.0 + tilt * tilt)


def smooth(values: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """0 up to `low`, 1 from `high`, a cubic without a kink between."""
    t = np.clip((values - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def coverage(field: Floats) -> Floats:
    """How much of each pixel lies where a field is negative, in [0, 1]: anti-aliasing of any border.

    The distance to the border is the field over its slope, which is exact where the border is straight.
    """
    down, right = np.gradient(field)
    slope = np.sqrt(down * down + right * right)
    cover: Floats = np.clip(0.5 - field / np.maximum(slope, 1e-12), 0.0, 1.0)
    return cover


def over(picture: Floats, colour: Floats | Colour, alpha: Floats | float) -> None:
    """Lay a colour, or a picture, over a picture (h, w, 3), in place; `alpha` is one number or (h, w)."""
    share = np.asarray(alpha, np.float64)[..., None]
    picture += (np.asarray(colour, np.float64) - picture) * share


def noise(rng: np.random.Generator, x: Floats, y: Floats, columns: int, rows: int) -> Floats:
    """Value noise in [0, 1]: random numbers on a lattice over the unit square, smooth between; beyond it repeats."""
    lattice = rng.random((rows, columns))
    u, v = x * columns, y * rows
    left, top = np.floor(u), np.floor(v)
    s, t = smooth(u - left, 0.0, 1.0), smooth(v - top, 0.0, 1.0)
    i, j = left.astype(np.int64), top.astype(np.int64)
    i0, i1, j0, j1 = i % columns, (i + 1) % columns, j % rows, (j + 1) % rows
    upper = lattice[j0, i0] + (lattice[j0, i1] - lattice[j0, i0]) * s
    lower = lattice[j1, i0] + (lattice[j1, i1] - lattice[j1, i0]) * s
    return upper + (lower - upper) * t


def to_bytes(picture: Floats) -> Pixels:
    """A picture (h, w, 3) in [0, 1] as uint8; what is beyond is cut off."""
    return np.floor(np.clip(picture, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
