"""Where a search begins: random strokes at faulty places, mostly along the edges of the reference.

Only sums, products, quotients and square roots of uniform numbers, which every machine rounds alike: a painter
paints the same strokes everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from easel_app.engine.kernel import Bytes, Floats, Ints, borrowed, inlined, kernel
from easel_app.painting.painters.sums import error_before
from easel_app.scoring.similarity import luma

BLUR = 5
"""Width (px) of the two box filters that smooth the structure tensor."""
ANY_DIRECTION = 0.3
"""Share of strokes that follow no edge."""
TILT = 0.15
"""How far the others stray from it: standard deviation of the tangent of the angle."""
BEND = 0.2
"""How far the control point leaves the chord, in chords: standard deviation."""


def ceiling(step: int, budget: int) -> float:
    """The largest radius that is proposed (1 is a quarter of the canvas): it falls from .96 to .06 over the budget."""
    left = 1.0 - min(1.0, step / max(1, budget - 1))
    return 0.9 * left * left + 0.06


def tangents(reference: Bytes) -> Floats:
    """Directions along the edges of a reference.

    From the structure tensor of the luma (Sobel gradients, smoothed): its principal angle comes doubled, and is halved
    by square roots.

    Args:
        reference: uint8 (n, n, 3), sRGB.

    Returns:
        float64 (2, n, n): x and y of a unit vector at each pixel.
    """
    grey = luma(reference)
    across, down = ndimage.sobel(grey, 1), ndimage.sobel(grey, 0)
    xx, yy, xy = _smooth(across * across), _smooth(down * down), _smooth(across * down)
    length = np.sqrt((xx - yy) ** 2 + 4.0 * xy**2)
    cosine = np.divide(xx - yy, length, out=np.ones_like(length), where=length > 0.0)
    x, y = (np.sqrt(np.clip((1.0 + sign * cosine) / 2.0, 0.0, 1.0)) for sign in (-1.0, 1.0))
    return np.stack([np.where(xy > 0.0, -x, x), y])


def _smooth(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    once = ndimage.uniform_filter(plane, BLUR)
    twice: NDArray[np.float64] = ndimage.uniform_filter(once, BLUR)
    return twice


@inlined
def bell(rng: np.random.Generator) -> float:
    """A number in (-3, 3) with mean 0 and variance 1, bell-shaped: the sum of three uniform ones."""
    return 2.0 * (rng.random() + rng.random() + rng.random()) - 3.0


@inlined
def unit(share: float) -> float:
    """The nearest number in [0, 1]."""
    return min(1.0, max(0.0, share))


@kernel
def add_up(sums: Ints, errors: Floats) -> None:
    """Let errors (size,) be the squared error of each row and all above it."""
    total = 0
    for y in range(errors.size):
        total += error_before(sums, y, errors.size)
        errors[y] = total


@inlined
def _pick(rng: np.random.Generator, sums: Ints, errors: Floats) -> tuple[int, int]:
    """A random pixel (x, y), drawn in proportion to the squared error."""
    size = errors.size
    y = min(size - 1, np.searchsorted(errors, rng.random() * errors[size - 1], side="right"))
    aim = rng.random() * error_before(sums, y, size)
    x, end = 0, size
    while end - x > 1:
        middle = (x + end) // 2
        if error_before(sums, y, middle) <= aim:
            x = middle
        else:
            end = middle
    return x, y


@kernel
def propose(
    stroke: Floats, rng: np.random.Generator, largest: float, sums: Ints, errors: Floats, along: Floats
) -> None:
    """Write a random stroke (13,), opaque and without a colour.

    Args:
        stroke: float64 (13,), receives the stroke.
        rng: where chance comes from.
        largest: ceiling of the radius.
        sums: see `sums`.
        errors: see `add_up`.
        along: see `tangents`.
    """
    sums, along = borrowed(sums), borrowed(along)
    size = errors.size
    x, y = _pick(rng, sums, errors)
    if rng.random() < ANY_DIRECTION:
        right, down = 2.0 * rng.random() - 1.0, 2.0 * rng.random() - 1.0
    else:
        tilt = TILT * bell(rng)
        right, down = along[0, y, x] - tilt * along[1, y, x], along[1, y, x] + tilt * along[0, y, x]
    share = rng.random()
    reach = share * np.sqrt(share) * min(1.0, 0.08 + largest) / 2.0
    scale = reach / np.sqrt(max(right * right + down * down, 1e-12))
    right, down = right * scale, down * scale
    bend = 2.0 * BEND * bell(rng)
    share = rng.random()
    radius = largest * (0.15 + 0.85 * share * share)
    middle, height = (x + 0.5) / size, (y + 0.5) / size
    stroke[0], stroke[1] = unit(middle - right), unit(height - down)
    stroke[2], stroke[3] = unit(middle - bend * down), unit(height + bend * right)
    stroke[4], stroke[5] = unit(middle + right), unit(height + down)
    stroke[6], stroke[8] = radius, unit(radius * (0.6 + 0.8 * rng.random()))
    stroke[7], stroke[9] = 1.0, 1.0
