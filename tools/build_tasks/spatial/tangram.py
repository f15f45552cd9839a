"""Tangrams: the same seven pieces make a boat, a cat and a fish.

Unit: the short side of the small triangle. The pieces are two large triangles (area 2 each), a middle one (1), two
small ones (1/2), a square (1) and a slanted one (1); in every figure they keep their sizes and do not overlap.
"""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture
from ..recipe import Dice, Recipe, drawn

R = 2**0.5
Figure = list[list[tuple[float, float]]]
"""Seven polygons: large, large, middle, small, small, square, slanted."""

BOAT: Figure = [
    [(1.9, 3.85), (1.9, 1.85), (-0.1, 3.85)],
    [(2.1, 3.85), (2.1, 3.85 - 2 * R), (2.1 + R, 3.85 - R)],
    [(1.9, 1.75), (1.9, 1.75 - R), (1.9 - R, 1.75)],
    [(0.0, 4.0), (1.0, 4.0), (1.0, 5.0)],
    [(2.0, 4.0), (3.0, 4.0), (2.0, 5.0)],
    [(1.0, 4.0), (2.0, 4.0), (2.0, 5.0), (1.0, 5.0)],
    [(2.0, 5.0), (3.0, 5.0), (4.0, 4.0), (3.0, 4.0)],
]
H = R / 2
CAT: Figure = [
    [(1.2, 1.4 + H), (1.2, 1.4 + H + 2 * R), (1.2 + R, 1.4 + H + R)],
    [(1.2, 1.4 + H + 2 * R), (1.2 + 2 * R, 1.4 + H + 2 * R), (1.2 + R, 1.4 + H + R)],
    [(1.2, 1.4 + H + 0.4), (1.2, 3.4 + H + 0.4), (0.2, 2.4 + H + 0.4)],
    [(1.2 - H, 1.4), (1.2 - H, 1.4 - R), (1.2, 1.4 - H)],
    [(1.2 + H, 1.4), (1.2 + H, 1.4 - R), (1.2, 1.4 - H)],
    [(1.2, 1.4 - H), (1.2 + H, 1.4), (1.2, 1.4 + H), (1.2 - H, 1.4)],
    [(1.2 + 2 * R, 1.4 + 5 * H), (1.2 + 5 * H, 1.4 + 4 * H), (1.2 + 5 * H, 1.4 + 2 * H), (1.2 + 2 * R, 1.4 + 3 * H)],
]
FISH: Figure = [
    [(2.0, 2.5 - R), (2.0, 2.5 + R), (2.0 - R, 2.5)],
    [(2.0, 2.5 - R), (2.0, 2.5 + R), (2.0 + R, 2.5)],
    [(2.0, 2.5 - R), (2.0 + R, 2.5), (2.0 + R, 2.5 - R)],
    [(2.0 + R, 2.5), (3.0 + R, 1.5), (3.0 + R, 2.5)],
    [(2.0 + R, 2.5), (3.0 + R, 2.5), (3.0 + R, 3.5)],
    [(0.6, 0.4), (0.6 + H, 0.4 + H), (0.6, 0.4 + R), (0.6 - H, 0.4 + H)],
    [(2.0, 2.5 + R), (2.0 + H, 2.5 + H), (2.0 + H + R, 2.5 + H), (2.0 + R, 2.5 + R)],
]


def _lay(figure: Figure, ground: Colour, colours: list[Colour], size: float, tilt: float) -> Picture:
    """A figure in the middle of the picture, `size` pixels a unit, turned by `tilt` degrees, pieces a hair apart."""
    picture = Picture(128, ground)
    points = [point for piece in figure for point in piece]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    for piece, colour in zip(figure, colours, strict=True):
        at = [(64 + (x - (left + right) / 2) * size, 64 + (y - (top + bottom) / 2) * size) for x, y in piece]
        middle = (sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at))
        picture.fill(s.turn(s.scale(s.polygon(*at), 0.95, 0.95, *middle), tilt, 64, 64), colour)
    return picture


def boat(dice: Dice) -> Picture:
    """A sailing boat."""
    return _lay(
        BOAT, p.NAVY, [p.CREAM, p.SAND, p.CORAL, p.BRICK, p.CRIMSON, p.CRIMSON, p.BRICK], 22, dice.between(-8, -4)
    )


def cat(dice: Dice) -> Picture:
    """A sitting cat that looks at us."""
    return _lay(
        CAT, p.SAND, [p.INDIGO, p.PLUM, p.INDIGO, p.PLUM, p.INDIGO, p.CRIMSON, p.CRIMSON], 22.5, dice.between(-1, 1)
    )


def fish(dice: Dice) -> Picture:
    """A fish and a bubble."""
    return _lay(
        FISH, p.TEAL, [p.LEMON, p.OCHRE, p.CORAL, p.CORAL, p.BRICK, p.MINT, p.APRICOT], 24, dice.between(-6, -2)
    )


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Tangram of a boat", 171, boat),
        drawn("Tangram of a cat", 172, cat),
        drawn("Tangram of a fish", 173, fish),
    ]
