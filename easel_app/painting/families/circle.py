"""Circles to be outlined: one pale disc among pale shapes that are no circles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.painting.families.draft import Draft
from easel_app.painting.families.drawing import Colour, Floats, chance, coverage, direction, grid, over, to_bytes
from easel_app.painting.truth import OutlineTruth

SIZES = (64, 128, 256, 512)
"""Widths in px that a circle is drawn at."""
BUDGET = 64
INSTRUCTION = "Draw the outline of the disc as one closed line along its edge. The other shapes play no part."

SMALLEST, LARGEST = 0.18, 0.33
"""Radius of the disc."""
MARGIN = 0.07
"""The disc keeps as far from the rim of the canvas."""
GAP = 0.04
"""Shapes keep as far from each other."""
PALETTE: tuple[Colour, ...] = (
    (0.98, 0.80, 0.72),
    (0.99, 0.89, 0.66),
    (0.80, 0.91, 0.76),
    (0.74, 0.90, 0.90),
    (0.90, 0.80, 0.93),
    (0.97, 0.78, 0.84),
)


class _Shape(NamedTuple):
    """A square or a triangle beside the disc."""

    x: float
    y: float
    reach: float
    """From the middle to the corners."""
    sides: int
    tilt: float
    colour: int


def draft(size: int, seed: int) -> Draft:
    """The circle of a size and a seed.

    Args:
        size: one of `SIZES`, px.
        seed: 0 to 2^31 - 1; the same scene at every size.

    Raises:
        ValueError: the size or the seed is another.
    """
    rng = chance(size, seed, SIZES)
    radius = SMALLEST + (LARGEST - SMALLEST) * float(rng.random())
    room = 1.0 - 2.0 * (radius + MARGIN)
    across, down = (radius + MARGIN + room * float(rng.random()) for _ in range(2))
    colour = int(rng.integers(len(PALETTE)))
    x, y = grid(size)
    disc = np.sqrt((x - across) * (x - across) + (y - down) * (y - down)) - radius
    picture = np.ones((size, size, 3))
    for shape in _beside(rng, across, down, radius, colour):
        _lay(picture, _polygon(x, y, shape), PALETTE[shape.colour], 0.6)
    _lay(picture, disc, PALETTE[colour], 1.0)
    return Draft(to_bytes(picture), OutlineTruth(disc < 0.0), f"Circle {seed}", INSTRUCTION, BUDGET)


def _lay(picture: Floats, field: Floats, colour: Colour, strength: float) -> None:
    """Fill a shape, and give it a thin edge that is darker."""
    over(picture, colour, strength * coverage(field))
    edge = max(0.004, 0.6 / picture.shape[0])
    red, green, blue = (0.72 * part for part in colour)
    over(picture, (red, green, blue), strength * np.clip(coverage(field - edge) - coverage(field + edge), 0.0, 1.0))


def _beside(rng: np.random.Generator, across: float, down: float, radius: float, colour: int) -> list[_Shape]:
    """Up to four squares and triangles in other colours, where chance finds room for them."""
    taken, shapes = [(across, down, radius)], list[_Shape]()
    for _ in range(24):
        x, y, share, tilt = (float(value) for value in rng.random(4))
        sides, other = int(rng.integers(3, 5)), int(rng.integers(1, len(PALETTE)))
        reach = 0.06 + 0.06 * share
        x, y = (reach + 0.02 + value * (1.0 - 2.0 * (reach + 0.02)) for value in (x, y))
        free = all((x - a) * (x - a) + (y - b) * (y - b) > (reach + r + GAP) * (reach + r + GAP) for a, b, r in taken)
        if free and len(shapes) < 4:
            taken.append((x, y, reach))
            shapes.append(_Shape(x, y, reach, sides, tilt, (colour + other) % len(PALETTE)))
    return shapes


def _polygon(x: Floats, y: Floats, shape: _Shape) -> Floats:
    """Distance to the farthest of a polygon's sides: negative inside."""
    cos, sin = direction(shape.tilt)
    # a side's distance from the middle, and how far the next side is turned
    inner, (turn_cos, turn_sin) = (0.5, (-0.5, np.sqrt(0.75))) if shape.sides == 3 else (np.sqrt(0.5), (0.0, 1.0))
    field = np.full(x.shape, -np.inf)
    for _ in range(shape.sides):
        field = np.maximum(field, (x - shape.x) * cos + (y - shape.y) * sin - inner * shape.reach)
        cos, sin = cos * turn_cos - sin * turn_sin, sin * turn_cos + cos * turn_sin
    return field
