"""Symmetry: mirrored halves, and turns about a centre."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture, Shape
from ..recipe import Dice, Recipe, drawn


def _both(picture: Picture, shape: Shape, colour: Colour) -> None:
    """A shape and its mirror image about the middle."""
    picture.fill(shape, colour)
    picture.fill(s.scale(shape, -1, 1, 64, 64), colour)


def quilt(dice: Dice) -> Picture:
    """A quilt's star of eight points, four colours in diamonds and squares."""
    picture = Picture(128, p.CREAM)
    pair = dice.shuffled([p.CRIMSON, p.NAVY])
    for k in range(8):
        diamond = s.polygon((64, 64), (74.5, 38.6), (64, 13.2), (53.5, 38.6))
        picture.fill(s.turn(diamond, 45 * k, 64, 64), pair[k % 2])
    for k in range(4):
        corner = s.polygon((4, 4), (31, 4), (4, 31))
        picture.fill(s.turn(corner, 90 * k, 64, 64), p.OCHRE)
    return picture


def mask(dice: Dice) -> Picture:
    """A mask with two equal halves: brows, eyes, nose, mouth."""
    picture = Picture(128, p.OCHRE)
    gaze = dice.between(41, 43)
    face = s.blob((64, 8), (26, 20), (18, 58), (36, 104), (64, 122), (92, 104), (110, 58), (102, 20))
    picture.fill(face, p.WINE)
    _both(picture, s.closed(s.bezier((60, 44), (48, 20), (26, 42)), s.bezier((26, 42), (44, 34), (58, 60))), p.SAND)
    _both(picture, s.closed(s.bezier((30, 60), (42, 46), (54, 62)), s.bezier((54, 62), (42, 72), (30, 60))), p.CREAM)
    _both(picture, s.disc(gaze, 60.5, 4.5), p.INK)
    _both(picture, s.polygon((64, 40), (64, 86), (52, 86)), p.CORAL)
    _both(
        picture, s.closed(s.bezier((64, 96), (52, 90), (42, 98)), s.bezier((42, 98), (52, 112), (64, 110))), p.CRIMSON
    )
    _both(picture, s.rect(62, 8, 66, 32), p.CORAL)
    _both(picture, s.disc(29, 80, 4), p.SAND)
    return picture


def reflected(dice: Dice) -> Picture:
    """A house, a tree and a sun above their image in still water."""
    picture = Picture(128, p.SKY)
    sun = dice.between(98, 108)
    for sign, sky, dark in [(1, p.SKY, 0.0), (-1, p.STEEL, 0.35)]:

        def put(shape: Shape, colour: Colour, sign: int = sign, dark: float = dark) -> None:
            picture.fill(s.scale(shape, 1, sign, 64, 64), p.mix(colour, p.NAVY, dark))

        picture.fill(s.rect(0, 0, 128, 64) if sign > 0 else s.rect(0, 64, 128, 128), sky)
        put(s.disc(sun, 22, 11), p.LEMON)
        put(s.blob((-10, 64), (24, 46), (70, 54), (140, 48), (140, 64), (64, 64)), p.SAGE)
        put(s.rect(30, 40, 58, 64), p.CREAM)
        put(s.polygon((25, 41), (44, 22), (63, 41)), p.BRICK)
        put(s.rect(40, 50, 48, 64), p.UMBER)
        put(s.rect(82, 50, 86, 64), p.UMBER)
        put(s.polygon((70, 54), (84, 22), (98, 54)), p.FOREST)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Quilt star of eight diamonds", 141, quilt),
        drawn("Mask with two equal halves", 142, mask),
        drawn("House and fir, mirrored in water", 143, reflected),
    ]
