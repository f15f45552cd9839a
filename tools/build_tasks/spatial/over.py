"""Occlusion and overlap: what lies over what, and what two things share."""

from __future__ import annotations

from collections.abc import Sequence

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture, Shape
from ..recipe import Dice, Recipe, drawn


def fan(dice: Dice) -> Picture:
    """Five cards in a fan, a mark on each, held together below."""
    picture = Picture(128, p.FOREST)
    step = dice.between(17, 19)
    for k, mark in enumerate([p.CRIMSON, p.INK, p.CRIMSON, p.INK, p.CRIMSON]):
        angle = step * (k - 2)
        picture.fill(s.turn(s.rounded(44, 26, 84, 92, 6), angle, 64, 118), p.PINE)
        picture.fill(s.turn(s.rounded(46, 28, 82, 90, 5), angle, 64, 118), p.CREAM)
        picture.fill(s.turn(s.polygon((56, 34), (62.5, 43), (56, 52), (49.5, 43)), angle, 64, 118), mark)
    picture.fill(s.disc(64, 126, 38), p.PINE)
    picture.fill(s.disc(64, 126, 35), p.OCHRE)
    picture.fill(s.disc(64, 126, 22), p.BRICK)
    return picture


def links(dice: Dice) -> Picture:
    """Three rings in a chain, each over its neighbour once and under it once."""
    picture = Picture(128, p.CREAM)
    centres = [(45.0, 49.0), (83.0, 49.0), (64.0, 82.0)]
    colours = dice.shuffled([p.TEAL, p.OCHRE, p.BRICK])

    def lay(k: int, within: Sequence[Shape] = ()) -> None:
        x, y = centres[k]
        picture.fill(s.ring(x, y, 29, 15), p.CREAM, within=within)
        picture.fill(s.ring(x, y, 29, 11), colours[k], within=within)

    for k in range(3):
        lay(k)
    for below, above, side in [(0, 1, 1), (1, 2, 1), (0, 2, -1)]:
        lay(below, [s.disc(*_crossing(centres[below], centres[above], 29, side), 12)])
    return picture


def _crossing(a: tuple[float, float], b: tuple[float, float], radius: float, side: int) -> tuple[float, float]:
    """One of the two points where circles of one radius about a and b cross."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    half = (dx * dx + dy * dy) ** 0.5 / 2
    across = (radius * radius - half * half) ** 0.5
    return (a[0] + b[0]) / 2 - side * across * dy / (2 * half), (a[1] + b[1]) / 2 + side * across * dx / (2 * half)


def woven(dice: Dice) -> Picture:
    """Three upright and three level ribbons, over and under by turns."""
    picture = Picture(128, p.CREAM)
    at, broad = [14, 54, 94], 20
    upright = [p.CORAL, p.MUSTARD, p.CORAL]
    level = [p.NAVY, p.SEA, p.NAVY]

    def ribbon(shape: Shape, core: Shape, colour: Colour, within: Sequence[Shape] = ()) -> None:
        picture.fill(shape, p.CREAM, within=within)
        picture.fill(core, colour, within=within)

    def across(k: int, within: Sequence[Shape] = ()) -> None:
        ribbon(s.rect(0, at[k] - 2, 128, at[k] + broad + 2), s.rect(0, at[k], 128, at[k] + broad), level[k], within)

    def down(k: int) -> None:
        ribbon(s.rect(at[k] - 2, 0, at[k] + broad + 2, 128), s.rect(at[k], 0, at[k] + broad, 128), upright[k])

    for k in range(3):
        across(k)
    for k in range(3):
        down(k)
    first = dice.whole(0, 1)
    for i in range(3):
        for j in range(3):
            if (i + j + first) % 2:
                across(j, [s.rect(at[i] - 4, 0, at[i] + broad + 4, 128)])
    return picture


def seven_fields(dice: Dice) -> Picture:
    """Three circles; every field where they meet has its colour."""
    picture = Picture(128, p.colour("F6EFE2"))
    radius = dice.between(33, 36)
    a, b, c = (s.disc(x, y, radius) for x, y in [(64, 46), (43, 80), (85, 80)])
    for circle, colour in [(a, p.CORAL), (b, p.SKY), (c, p.LEMON)]:
        picture.fill(circle, colour)
    for first, second, colour in [(a, b, p.PLUM), (b, c, p.MOSS), (a, c, p.MUSTARD)]:
        picture.fill(first, colour, within=[second])
    picture.fill(a, p.INK, within=[b, c])
    return picture


def petals(dice: Dice) -> Picture:
    """Four circles through one point make four petals."""
    picture = Picture(128, p.PINE)
    circles = [s.disc(x, y, 29) for x, y in [(64, 35), (93, 64), (64, 93), (35, 64)]]
    for circle in circles:
        picture.fill(circle, p.TEAL)
    pair = dice.shuffled([p.SAND, p.ROSE])
    for k in range(4):
        picture.fill(circles[k], pair[k % 2], within=[circles[(k + 1) % 4]])
    picture.fill(s.disc(64, 64, 6), p.CRIMSON)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Five cards in a fan", 111, fan),
        drawn("Three linked rings", 112, links),
        drawn("Six ribbons woven over and under", 113, woven),
        drawn("Three circles, seven fields", 114, seven_fields),
        drawn("Four circles make four petals", 115, petals),
    ]
