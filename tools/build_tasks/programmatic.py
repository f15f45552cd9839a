"""The fifteen programmatic pictures, 64 × 64: one idea of pattern, gradient, glyph or flat shape each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import palette as p
from . import shapes as s
from .glyphs import glyph
from .raster import Picture, conic, linear, radial
from .recipe import Dice, Recipe, drawn

SIZE = 64


def rings(dice: Dice) -> Picture:
    """Rings about one centre, as a target."""
    picture = Picture(SIZE, p.CREAM)
    radius = 27.0
    for colour in [p.PETROL, p.CREAM, p.BRICK, p.CREAM, p.OCHRE]:
        picture.fill(s.disc(32, 32, radius), colour)
        radius -= dice.between(4, 5.5)
    return picture


def ramp(dice: Dice) -> Picture:
    """A gradient of four colours from corner to corner."""
    stops = [(0.0, p.NAVY), (dice.between(0.35, 0.45), p.TEAL), (dice.between(0.6, 0.7), p.SEA), (1.0, p.SAND)]
    return Picture(SIZE, linear((0, 0), (64, 64), *stops))


def glow(dice: Dice) -> Picture:
    """A radial gradient, its centre low: the last light over a dark edge of land."""
    stops = [
        (0.0, p.colour("FFF1C4")),
        (0.16, p.colour("F8C869")),
        (0.42, p.CORAL),
        (0.72, p.colour("8A3F63")),
        (1.0, p.INDIGO),
    ]
    picture = Picture(SIZE, radial((dice.between(22, 42), 49), 58, *stops))
    picture.fill(s.rect(0, 52, 64, 64), p.INK)
    return picture


def wheel(dice: Dice) -> Picture:
    """A conic gradient in a disc with a hole."""
    colours = [p.CORAL, p.OCHRE, p.SAGE, p.TEAL, p.COBALT, p.PLUM, p.CORAL]
    picture = Picture(SIZE, p.INK)
    picture.fill(
        s.ring(32, 32, 18, 18), conic((32, 32), dice.between(-180, 180), *[(i / 6, c) for i, c in enumerate(colours)])
    )
    return picture


def checks(dice: Dice) -> Picture:
    """A board of checks, some of them coloured."""
    picture = Picture(SIZE, p.CREAM)
    colours = dice.shuffled([p.NAVY, p.NAVY, p.NAVY, p.CRIMSON, p.CRIMSON, p.MOSS, p.MOSS, p.OCHRE])
    dark = [(row, column) for row in range(4) for column in range(4) if (row + column) % 2]
    for (row, column), colour in zip(dark, colours, strict=True):
        picture.fill(s.rect(16 * column, 16 * row, 16 * column + 16, 16 * row + 16), colour)
    return picture


def waves(dice: Dice) -> Picture:
    """Wavy lines of three colours on deep blue."""
    picture = Picture(SIZE, p.PETROL)
    start = dice.between(0, 26)
    for i, colour in enumerate([p.SAND, p.SEA, p.CLAY, p.SAND, p.SEA, p.CLAY, p.SAND]):
        x = np.linspace(-4, 68, 160)
        y = 2 + 10 * i + 3.4 * np.sin((x + start + 3 * i) * 2 * np.pi / 26)
        picture.fill(s.line(np.stack([x, y], axis=1), 3.6), colour)
    return picture


def stripes(dice: Dice) -> Picture:
    """Slanting stripes, each as broad as it likes."""
    picture = Picture(SIZE, p.BLUSH)
    left = -34.0 + dice.between(-3, 3)
    for colour, broad in zip(
        [p.WINE, p.CORAL, p.CRIMSON, p.PLUM, p.ROSE, p.WINE, p.CORAL], [9, 15, 13, 5, 16, 8, 20], strict=True
    ):
        picture.fill(s.polygon((left, 64), (left + broad, 64), (left + broad + 32, 0), (left + 32, 0)), colour)
        left += broad + 3
    return picture


def flat_shapes(dice: Dice) -> Picture:
    """A circle, a triangle and a square, the three touching."""
    picture = Picture(SIZE, p.LINEN)
    square, disc, triangle = dice.shuffled([p.COBALT, p.BRICK, p.OCHRE])
    picture.fill(s.rect(8, 32, 32, 56), square)
    picture.fill(s.disc(44, 44, 12), disc)
    picture.fill(s.polygon((12, 32), (52, 32), (32, 6)), triangle)
    return picture


def letter(dice: Dice) -> Picture:
    """A capital R in a heavy pen."""
    picture = Picture(SIZE, p.BRICK)
    picture.fill(glyph("R", 20, 12, 25, 40, dice.between(8, 10)), p.CREAM)
    return picture


def digits(dice: Dice) -> Picture:
    """A five drawn twice, in a broad and in a thin pen."""
    picture = Picture(SIZE, p.MINT)
    picture.fill(glyph("5", 20, 13, 24, 38, dice.between(11, 13)), p.PINE)
    picture.fill(glyph("5", 20, 13, 24, 38, 3.4), p.LEMON)
    return picture


def halftone(dice: Dice) -> Picture:
    """Dots in rows that grow towards one corner."""
    picture = Picture(SIZE, p.LEMON)
    growth = dice.between(0.33, 0.38)
    for row in range(6):
        for column in range(6):
            x, y = 7 + 10 * column, 7 + 10 * row
            picture.fill(s.disc(x, y, 1.1 + growth * (row + column)), p.COBALT)
    return picture


def chevrons(dice: Dice) -> Picture:
    """Zigzag bands from dark to light."""
    colours = [p.PINE, p.FOREST, p.TEAL, p.SEA, p.MINT, p.CREAM, p.SAND, p.APRICOT]
    picture = Picture(SIZE, p.PINE)
    deep = dice.between(6, 10)
    for i, colour in enumerate(colours):
        y = 10 * i - 10
        upper = [(16 * k, y + (deep if k % 2 else 0)) for k in range(5)]
        picture.fill(s.polygon(*upper, (64, 70), (0, 70)), colour)
    return picture


def scallops(dice: Dice) -> Picture:
    """Fish scales in rows, each row over the one above."""
    picture = Picture(SIZE, p.NAVY)
    core = dice.between(5, 6)
    for row in range(7):
        tone = p.mix(p.NAVY, p.SEA, row / 5)
        for column in range(-1, 4):
            x, y = 21.5 * column + (10.75 if row % 2 else 0) + 10.75, 11 * row + 2
            for radius, colour in [(11.6, p.CREAM), (9.6, tone), (core, p.APRICOT)]:
                picture.fill(s.disc(x, y, radius), colour)
    return picture


def gingham(dice: Dice) -> Picture:
    """Bands of two colours crossing, darker where they meet."""
    picture = Picture(SIZE, p.CREAM)
    tones = dice.shuffled([p.CRIMSON, p.COBALT, p.CRIMSON])
    for i, colour in enumerate(tones):
        picture.fill(s.rect(6 + 20 * i, 0, 18 + 20 * i, 64), colour, opacity=0.55)
        picture.fill(s.rect(0, 6 + 20 * i, 64, 18 + 20 * i), colour, opacity=0.55)
    return picture


def spiral(dice: Dice) -> Picture:
    """One line that winds outwards and grows."""
    picture = Picture(SIZE, p.INDIGO)
    turns: NDArray[np.float64] = np.linspace(0.0, 3.35, 200)
    angle, radius = 2 * np.pi * (turns + dice.between(0, 1)), 1.2 + 7.6 * turns
    points = np.stack([32 + radius * np.cos(angle), 33 + radius * np.sin(angle)], axis=1)
    picture.fill(s.line(points, 4.2), p.ROSE)
    return picture


def recipes() -> list[Recipe]:
    """The fifteen in the order of their numbers."""
    return [
        drawn("Rings of a target", 1, rings),
        drawn("Ramp from night blue to sand", 2, ramp),
        drawn("Coloured checks", 3, checks),
        drawn("Waves in three colours", 4, waves),
        drawn("Circle, triangle and square", 5, flat_shapes),
        drawn("Last light, a radial glow", 6, glow),
        drawn("Colour wheel", 7, wheel),
        drawn("Slanting stripes", 8, stripes),
        drawn("Letter R", 9, letter),
        drawn("Figure 5, thick and thin", 10, digits),
        drawn("Dots that grow to a corner", 11, halftone),
        drawn("Zigzag from pine to apricot", 12, chevrons),
        drawn("Fish scales", 13, scallops),
        drawn("Gingham cloth", 14, gingham),
        drawn("Spiral", 15, spiral),
    ]
