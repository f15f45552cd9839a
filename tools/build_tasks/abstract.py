"""The fifteen abstract and cartoon pictures: nine openly licensed emoji on painted grounds, six seeded patterns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np

from . import packages
from . import palette as p
from . import shapes as s
from .emoji import FLUENT, NOTO, Artist, place, source
from .raster import Picture, Shape, linear
from .recipe import Dice, Image, Recipe, drawn

SIZE = 128


def grid(dice: Dice) -> Picture:
    """Black bars of two widths cut the square into fields; a few of them are coloured."""
    picture = Picture(SIZE, p.colour("F4F0E4"))
    picture.fill(s.rect(46, 0, 128, 78), p.colour("C2382C"))
    picture.fill(s.rect(0, 82, 40, 128), p.colour("24508F"))
    picture.fill(s.rect(110, 104, 128, 128), p.colour("E6BC3F"))
    bar, short = p.colour("1A1A1C"), dice.whole(30, 40)
    for left, top, right, bottom in [
        (40, 0, 46, 128),
        (0, 76, 128, 82),
        (0, short, 40, short + 4),
        (104, 82, 110, 128),
        (110, 101, 128, 106),
    ]:
        picture.fill(s.rect(left, top, right, bottom), bar)
    return picture


def arcs(dice: Dice) -> Picture:
    """Two families of quarter rings that look at each other from opposite corners."""
    picture = Picture(SIZE, p.CREAM)
    radius = 100.0
    for colour in [p.BRICK, p.OCHRE, p.CRIMSON, p.NAVY]:
        picture.fill(s.disc(30, 128, radius), colour)
        radius -= dice.between(18, 23)
    for radius, colour in [(44, p.FOREST), (22, p.CREAM)]:
        picture.fill(s.disc(112, 16, radius), colour)
    return picture


def strata(dice: Dice) -> Picture:
    """Layers of earth: bands with wavy borders, warm above and cool below."""
    colours = [p.NAVY, p.colour("8B3A3C"), p.BRICK, p.APRICOT, p.SAND, p.MINT, p.SEA, p.PETROL]
    picture = Picture(SIZE, colours[0])
    x = np.linspace(0, 128, 180)
    top = 0.0
    for colour in colours[1:]:
        top += dice.between(11, 21)
        y = (
            top
            + dice.between(2, 5) * np.sin(x / dice.between(14, 26) + dice.between(0, 6))
            + dice.between(-0.08, 0.08) * (x - 64)
        )
        picture.fill(s.closed(np.stack([x, y], axis=1), np.array([(128.0, 140.0), (0.0, 140.0)])), colour)
    return picture


def truchet(dice: Dice) -> Picture:
    """Square tiles with two quarter rings each, turned at random: lines that meander and close."""
    picture = Picture(SIZE, p.PINE)
    cell = 32
    for row in range(4):
        for column in range(4):
            x, y = cell * column, cell * row
            corners = [(x, y), (x + cell, y + cell)] if dice.whole(0, 1) else [(x + cell, y), (x, y + cell)]
            tile = s.rect(x, y, x + cell, y + cell)
            for cx, cy in corners:
                picture.fill(s.ring(cx, cy, cell / 2, 13), p.SAND, within=[tile])
                picture.fill(s.ring(cx, cy, cell / 2, 4), p.BRICK, within=[tile])
    return picture


def ribs(dice: Dice) -> Picture:
    """A leaf reduced to its blade and its ribs."""
    picture = Picture(SIZE, p.PINE)
    blade = s.closed(s.bezier((64, 4), (-22, 52), (64, 118)), s.bezier((64, 118), (150, 52), (64, 4)))
    picture.fill(blade, p.MOSS)
    for k in range(8):
        y, reach = 22 + 11.5 * k, 44 - 3 * k if k else 24
        for side in (-1, 1):
            rib = s.bezier(
                (64, y + 8), (64 + side * reach * 0.6, y + 2), (64 + side * reach, y - 16 - dice.between(0, 3))
            )
            picture.fill(s.line(rib, 3), p.MINT, within=[blade])
    picture.fill(s.line([(64, 8), (64, 126)], 4), p.MINT)
    return picture


def cutouts(dice: Dice) -> Picture:
    """Fronds cut from paper, one on each of four coloured panels."""
    picture = Picture(SIZE, p.CREAM)
    panels = [(0, 0, 74, 54), (74, 0, 128, 74), (0, 54, 54, 128), (54, 74, 128, 128)]
    tones = [(p.COBALT, p.CREAM), (p.OCHRE, p.WINE), (p.CORAL, p.NAVY), (p.FOREST, p.ROSE)]
    picture.fill(s.rect(54, 54, 74, 74), p.CREAM)
    for (left, top, right, bottom), (ground, paper) in zip(panels, tones, strict=True):
        panel = s.rect(left, top, right, bottom)
        picture.fill(panel, ground)
        x, y = (left + right) / 2, (top + bottom) / 2
        frond = _frond(x, y, max(right - left, bottom - top) * 0.43, dice)
        lie = (90 if right - left > bottom - top else 0) + dice.between(-14, 14)
        picture.fill(s.turn(frond, lie, x, y), paper, within=[panel])
    return picture


def _frond(x: float, y: float, reach: float, dice: Dice) -> Shape:
    """A frond with round lobes, upright, `reach` from its middle to its tip."""
    parts = [s.line([(x, y + reach), (x, y - reach * 0.85)], reach * 0.22)]
    for k in range(4):
        root = y + reach * (0.72 - 0.4 * k)
        length = reach * (0.6 - 0.08 * k) * dice.between(0.9, 1.1)
        for side in (-1, 1):
            tip = (x + side * length, root - length * 0.6)
            parts.append(s.line(s.bezier((x, root), (x + side * length * 0.7, root), tip), reach * 0.22))
    return s.join(*parts)


def _dusk() -> Picture:
    """Deep green, a disc of the last light behind."""
    picture = Picture(SIZE, p.PETROL)
    picture.fill(s.disc(64, 70, 54), p.TEAL)
    return picture


def _night() -> Picture:
    """A full moon, and a branch to sit on."""
    picture = Picture(SIZE, p.INDIGO)
    picture.fill(s.disc(64, 56, 50), p.colour("F3E3AE"))
    picture.fill(s.line(s.bezier((-6, 116), (50, 104), (136, 114)), 9), p.UMBER)
    return picture


def _sea() -> Picture:
    """Water that darkens downwards."""
    return Picture(SIZE, linear((0, 0), (0, 128), (0.0, p.SEA), (1.0, p.NAVY)))


def _reef() -> Picture:
    """Dark water and a few bubbles."""
    picture = Picture(SIZE, p.INDIGO)
    for x, y, radius in [(16, 34, 6), (26, 18, 4), (12, 14, 3)]:
        picture.fill(s.ring(x, y, radius, 2), p.SEA)
    return picture


def _forest() -> Picture:
    """A dark wood and a floor of moss."""
    picture = Picture(SIZE, p.PINE)
    for x, broad in [(10, 12), (106, 16)]:
        picture.fill(s.rect(x, 0, x + broad, 128), p.FOREST)
    picture.fill(s.blob((-20, 112), (30, 104), (90, 108), (150, 102), (150, 150), (-20, 150)), p.MOSS)
    return picture


def _perch() -> Picture:
    """A branch before a pale disc."""
    picture = Picture(SIZE, p.MINT)
    picture.fill(s.disc(66, 58, 52), p.SEA)
    picture.fill(s.line(s.bezier((-6, 113), (60, 105), (136, 113)), 8), p.UMBER)
    return picture


def _garden() -> Picture:
    """A low hill in the evening."""
    picture = Picture(SIZE, p.colour("F3D8A8"))
    picture.fill(s.blob((-20, 108), (40, 98), (90, 104), (150, 94), (150, 150), (-20, 150)), p.MOSS)
    return picture


def _meadow() -> Picture:
    """A pale sun on a warm ground."""
    picture = Picture(SIZE, p.SAND)
    picture.fill(s.disc(64, 64, 56), p.colour("F4E4BF"))
    return picture


def _table() -> Picture:
    """A table before a wall."""
    picture = Picture(SIZE, p.APRICOT)
    picture.fill(s.rect(0, 80, 128, 128), p.BRICK)
    return picture


class Cartoon(NamedTuple):
    """An emoji, the ground that it stands on, and the place of its box in pixels."""

    title: str
    artist: Artist
    name: str
    ground: Callable[[], Picture]
    side: float
    left: float
    top: float


CARTOONS = [
    Cartoon("Fox", NOTO, "fox", _dusk, 112, 8, 12),
    Cartoon("Owl before the moon", FLUENT, "owl", _night, 104, 12, 12),
    Cartoon("Octopus", NOTO, "octopus", _sea, 112, 8, 8),
    Cartoon("Mushroom in the wood", NOTO, "mushroom", _forest, 108, 10, 10),
    Cartoon("Butterfly", FLUENT, "butterfly", _meadow, 112, 8, 8),
    Cartoon("Tropical fish", NOTO, "tropical-fish", _reef, 108, 14, 14),
    Cartoon("Snail on a hill", FLUENT, "snail", _garden, 104, 12, 8),
    Cartoon("Parrot on a branch", FLUENT, "parrot", _perch, 112, 8, 4),
    Cartoon("Hot chocolate", FLUENT, "hot-beverage", _table, 112, 8, 8),
]


def recipes(build: Path) -> list[Recipe]:
    """The fifteen in the order of their numbers, patterns and cartoons by turns.

    Args:
        build: the folder that keeps fetched packages.
    """
    patterns = [
        drawn("Arcs from two corners", 1, arcs),
        drawn("Red, blue and yellow in a black grid", 2, grid),
        drawn("Layers of earth", 3, strata),
        drawn("Meandering quarter rings", 4, truchet),
        drawn("Leaf and its ribs", 5, ribs),
        drawn("Four paper cut-outs", 6, cutouts),
    ]
    cartoons = [_cartoon(cartoon, build) for cartoon in CARTOONS]
    return [recipe for pair in zip_longest(patterns, cartoons) for recipe in pair if recipe is not None]


def _cartoon(cartoon: Cartoon, build: Path) -> Recipe:
    def paint() -> Image:
        ground, box = cartoon.ground(), (cartoon.left, cartoon.top, cartoon.side)
        return place(ground, packages.emoji(build, cartoon.artist.package, cartoon.artist.version, cartoon.name), box)

    return Recipe(cartoon.title, source(cartoon.artist, cartoon.name), paint)
