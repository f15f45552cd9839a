"""Solids and steps, told by flat faces alone."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture, linear
from ..recipe import Dice, Recipe, drawn


def stairs(dice: Dice) -> Picture:
    """Six steps that climb towards a sun."""
    picture = Picture(128, p.colour("D5DAD3"))
    picture.fill(s.disc(38, 38, 17), p.OCHRE)
    rise = dice.between(12.5, 14.5)
    for k in range(6):
        colour = p.mix(p.PETROL, p.MIST, k / 6.5)
        picture.fill(s.rect(14 + 19 * k, 106 - rise * k, 14 + 19 * (k + 1) + 1, 128), colour)
    return picture


def _cube(picture: Picture, x: float, y: float, edge: float, colour: Colour) -> None:
    """A cube seen from a corner above; (x, y) is the lowest corner."""
    dx, dy = edge * 0.866, edge * 0.5
    picture.fill(s.polygon((x, y), (x - dx, y - dy), (x - dx, y - dy - edge), (x, y - edge)), colour)
    picture.fill(s.polygon((x, y), (x + dx, y - dy), (x + dx, y - dy - edge), (x, y - edge)), p.mix(colour, p.INK, 0.4))
    picture.fill(
        s.polygon((x, y - edge), (x - dx, y - dy - edge), (x, y - edge - 2 * dy), (x + dx, y - dy - edge)),
        p.mix(colour, p.CREAM, 0.45),
    )


def cubes(dice: Dice) -> Picture:
    """Two cubes side by side and a third on top, turned the same way."""
    picture = Picture(128, p.colour("E4D8C8"))
    picture.fill(s.polygon((0, 78), (128, 62), (128, 128), (0, 128)), p.colour("C3B6A2"))
    edge = 33.0
    _cube(picture, 62 - edge * 0.9, 106, edge, p.BRICK)
    _cube(picture, 66 + edge * 0.9, 112, edge, p.STEEL)
    _cube(picture, 64, 66 + dice.between(-1, 1), edge * 0.82, p.OCHRE)
    return picture


def arcade(dice: Dice) -> Picture:
    """An arch within an arch within an arch, the sea at the end."""
    picture = Picture(128, p.colour("C96F4E"))
    horizon = dice.between(94, 98)
    walls = [p.colour("A9523B"), p.colour("DE9A6C"), p.colour("8E4034"), p.SKY]
    for half, colour in zip([50, 37, 25, 15], walls, strict=True):
        top = 128 - 2.15 * half + (50 - half) * 0.1
        foot = 128 - (50 - half) * 0.42
        picture.fill(s.join(s.rect(64 - half, top, 64 + half, foot), s.disc(64, top, half)), colour)
        inner = s.join(s.rect(64 - half, top, 64 + half, foot), s.disc(64, top, half))
        picture.fill(s.rect(64 - half, top - half, 64 - half + 4, foot), p.INK, opacity=0.22, within=[inner])
    picture.fill(s.rect(49, horizon, 79, 114), p.COBALT)
    picture.fill(s.polygon((14, 128), (114, 128), (79, 113), (49, 113)), p.SAND)
    return picture


def three_solids(dice: Dice) -> Picture:
    """A cylinder, a cone and a ball that overlap."""
    picture = Picture(128, p.PLUM)
    picture.fill(s.rect(0, 92, 128, 128), p.colour("45294A"))
    wall = linear((14, 0), (62, 0), (0.0, p.CREAM), (0.45, p.SAND), (1.0, p.colour("9C7440")))
    picture.fill(s.ellipse(38, 104, 24, 8), wall)
    picture.fill(s.rect(14, 34, 62, 104), wall)
    picture.fill(s.ellipse(38, 34, 24, 8), p.CREAM)
    cone = s.join(s.polygon((68, 108), (118, 108), (93, 26)), s.ellipse(93, 108, 25, 8))
    picture.fill(cone, linear((70, 0), (116, 0), (0.0, p.SEA), (0.4, p.TEAL), (1.0, p.PINE)))
    x = dice.between(60, 66)
    ball = s.disc(x, 98, 20)
    picture.fill(ball, p.CRIMSON)
    picture.fill(s.disc(x - 5, 91, 15), p.BRICK, within=[ball])
    picture.fill(s.disc(x - 8, 87, 7), p.CORAL, within=[ball])
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Six stairs up to a sun", 161, stairs),
        drawn("Three cubes, one on two", 162, cubes),
        drawn("Arch within arch, the sea behind", 163, arcade),
        drawn("Cylinder, cone and ball", 164, three_solids),
    ]
