"""Ladders of size: the same thing larger and larger, in a row, about an axis, around a spiral."""

from __future__ import annotations

import numpy as np

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture
from ..recipe import Dice, Recipe, drawn


def winding_discs(dice: Dice) -> Picture:
    """Nine discs on a spiral, each larger than the last and touching it."""
    picture = Picture(128, p.colour("F0E6D2"))
    tones = [p.WINE, p.CRIMSON, p.BRICK, p.CORAL, p.APRICOT, p.OCHRE, p.SAGE, p.SEA, p.TEAL]
    growth, step = 1.27, 52.0
    cosine = np.cos(np.deg2rad(step))
    # neighbours touch when their distance is the sum of their radii: the law of cosines gives the reach from the centre
    reach = (1 + growth) / np.sqrt(1 + growth**2 - 2 * growth * cosine)
    radius = 3.6 * growth ** np.arange(len(tones))
    angle = np.deg2rad(dice.between(20, 45) + step * np.arange(len(tones)))
    x, y = reach * radius * np.cos(angle), reach * radius * np.sin(angle)
    x += 64 - ((x - radius).min() + (x + radius).max()) / 2
    y += 64 - ((y - radius).min() + (y + radius).max()) / 2
    for k, colour in enumerate(tones):
        picture.fill(s.disc(x[k], y[k], radius[k]), colour)
    return picture


def pipes(dice: Dice) -> Picture:
    """Seven organ pipes, tallest in the middle."""
    picture = Picture(128, p.WINE)
    step = dice.between(14, 18)
    for k in range(7):
        x, top = 9 + 16 * k, 14 + step * abs(k - 3)
        picture.fill(s.rounded(x, top, x + 13, 124, 6.5), p.OCHRE if k % 2 else p.SAND)
        picture.fill(s.rounded(x + 3, 92, x + 10, 104, 3.5), p.WINE)
    picture.fill(s.rect(0, 112, 128, 128), p.INK)
    return picture


def dolls(dice: Dice) -> Picture:
    """Four nesting dolls in a row, largest first."""
    picture = Picture(128, p.MIST)
    picture.fill(s.rect(0, 106, 128, 128), p.STEEL)
    tones = [(p.CRIMSON, p.OCHRE), (p.PETROL, p.CORAL), (p.OCHRE, p.CRIMSON), (p.MOSS, p.ROSE)]
    for x, size, (coat, shawl) in zip([30, 69, 97, 116], [94, 68, 46, 30], tones, strict=True):
        _doll(picture, x, 114 + dice.between(-2, 2), size, coat, shawl)
    return picture


def _doll(picture: Picture, x: float, foot: float, height: float, coat: Colour, shawl: Colour) -> None:
    """A doll that stands on `foot`, about half as wide as high."""

    def at(u: float, v: float) -> tuple[float, float]:
        return x + u * height, foot - v * height

    half = [(0.2, 0.0), (0.27, 0.24), (0.2, 0.55), (0.17, 0.8)]
    body = s.blob(*[at(-u, v) for u, v in half], at(0, 0.98), *[at(u, v) for u, v in reversed(half)])
    picture.fill(body, coat)
    picture.fill(s.rect(x - height, foot - 2 * height, x + height, foot - 0.56 * height), shawl, within=[body])
    picture.fill(s.disc(*at(0, 0.76), 0.125 * height), p.BLUSH)
    picture.fill(s.segment(*at(0, 0.79), 0.125 * height, 0.1 * height, 180, 360), p.UMBER)
    for side in (-0.045, 0.045):
        picture.fill(s.disc(*at(side, 0.755), 0.017 * height), p.INK)
    picture.fill(s.ellipse(*at(0, 0.28), 0.12 * height, 0.15 * height), p.CREAM)
    picture.fill(s.disc(*at(0, 0.28), 0.055 * height), shawl)


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Nine discs growing along a spiral", 121, winding_discs),
        drawn("Seven organ pipes", 122, pipes),
        drawn("Four nesting dolls in a row", 123, dolls),
    ]
