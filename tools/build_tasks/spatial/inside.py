"""Nesting: what lies inside what, and against which side of it."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Picture
from ..recipe import Dice, Recipe, drawn


def nested_squares(dice: Dice) -> Picture:
    """Three squares, each pushed into another corner of the last."""
    picture = Picture(128, p.LINEN)
    left, top, side = 12.0, 14.0, 102.0
    shares = [(0.78, 0.74), (0.2, 0.66)]
    for colour, (dx, dy) in zip([p.PETROL, p.OCHRE, p.BRICK], [*shares, (0.0, 0.0)], strict=True):
        picture.fill(s.rect(left, top, left + side, top + side), colour)
        smaller = side * dice.between(0.56, 0.6)
        left, top, side = left + (side - smaller) * dx, top + (side - smaller) * dy, smaller
    return picture


def discs_on_one_point(dice: Dice) -> Picture:
    """Five discs that all touch the same point below."""
    picture = Picture(128, p.INK)
    colours = [p.INDIGO, p.PLUM, p.CRIMSON, p.CORAL, p.SAND]
    radius = 56.0
    for colour in colours:
        picture.fill(s.disc(64, 120 - radius, radius), colour)
        radius = radius * 0.88 - dice.between(4, 6)
    return picture


def inscribed(dice: Dice) -> Picture:
    """A triangle holds a circle, the circle a square, the square a small circle."""
    picture = Picture(128, p.MINT)
    picture.fill(s.regular(64, 76, 66, 3), p.FOREST)
    picture.fill(s.disc(64, 76, 32), p.CREAM)
    half = 32 / 2**0.5
    picture.fill(s.rect(64 - half, 76 - half, 64 + half, 76 + half), p.CORAL)
    picture.fill(s.disc(64, 76, dice.between(10, 14)), p.OCHRE)
    return picture


def turned_squares(dice: Dice) -> Picture:
    """Five squares, each with its corners on the sides of the last."""
    picture = Picture(128, p.NAVY)
    colours = [p.MIST, p.STEEL, p.CREAM, p.CORAL, p.NAVY]
    corners = [(10.0, 10.0), (118.0, 10.0), (118.0, 118.0), (10.0, 118.0)]
    share = dice.between(0.26, 0.32)
    for colour in colours:
        picture.fill(s.polygon(*corners), colour)
        corners = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
        ]
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Three nested squares, off centre", 101, nested_squares),
        drawn("Five discs on one point", 102, discs_on_one_point),
        drawn("Square in circle in triangle", 103, inscribed),
        drawn("Five squares, each turned in the last", 104, turned_squares),
    ]
