"""Towns: houses side by side, in front of each other and above each other."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture
from ..recipe import Dice, Recipe, drawn


def canal(dice: Dice) -> Picture:
    """Five narrow houses with gables, and their colours in the water."""
    picture = Picture(128, p.colour("DCE5E3"))
    picture.fill(s.rect(0, 98, 128, 128), p.PETROL)
    x = 5
    houses = [(p.BRICK, 58), (p.NAVY, 72), (p.OCHRE, 52), (p.WINE, 66), (p.SAGE, 56)]
    for k, (colour, height) in enumerate(houses):
        left, right, top = x, x + 22, 106 - height - dice.whole(0, 6)
        middle = x + 11
        picture.fill(s.rect(left, top, right, 94), colour)
        if k % 2 == 0:
            picture.fill(s.polygon((left, top), (right, top), (middle, top - 16)), colour)
        else:
            for step in range(4):
                picture.fill(s.rect(left + 3 * step, top - 5 * step, right - 3 * step, top + 1), colour)
        for row in range(2):
            for column in range(2):
                wx, wy = left + 4 + 8 * column, top + 6 + 17 * row
                picture.fill(s.rect(wx, wy, wx + 6, wy + 10), p.CREAM)
        picture.fill(s.rect(middle - 3, 82, middle + 3, 94), p.INK)
        picture.fill(
            s.rect(left + 2, 102, right - 2, 102 + height // 3), p.mix(p.mix(colour, p.CREAM, 0.15), p.PETROL, 0.5)
        )
        x += 24
    picture.fill(s.rect(0, 94, 128, 100), p.STONE)
    for y in (107, 115, 123):
        picture.fill(s.rect(0, y, 128, y + 2), p.PETROL)
    return picture


def _house(picture: Picture, x: float, foot: float, width: float, wall: Colour, roof: Colour) -> None:
    """A small house: wall, shaded side, roof, door."""
    height = width * 0.62
    picture.fill(s.rect(x, foot - height, x + width, foot), wall)
    picture.fill(
        s.polygon((x - 2, foot - height), (x + width + 2, foot - height), (x + width / 2, foot - height - width * 0.5)),
        roof,
    )
    picture.fill(s.rect(x + width * 0.38, foot - height * 0.58, x + width * 0.62, foot), p.INK)


def hill(dice: Dice) -> Picture:
    """A village that climbs a hill to its church."""
    picture = Picture(128, p.colour("F3D9B4"))
    picture.fill(s.disc(100, 28, 15), p.CORAL)
    picture.fill(s.blob((-14, 128), (20, 84), (62, 52), (104, 80), (142, 128), (64, 150)), p.MOSS)
    picture.fill(s.rect(56, 26, 68, 62), p.CREAM)
    picture.fill(s.polygon((54, 26), (70, 26), (62, 6)), p.NAVY)
    picture.fill(s.rect(60, 34, 64, 42), p.NAVY)
    _house(picture, 66, 66, 22, p.CREAM, p.BRICK)
    for x, foot, width in [
        (34, 84, 20),
        (84, 88, 20),
        (58, 90, 22),
        (14, 106, 24),
        (96, 110, 24),
        (44, 114, 26),
        (70, 118, 24),
    ]:
        _house(picture, x, foot, width, dice.one([p.CREAM, p.BLUSH, p.SAND]), dice.one([p.BRICK, p.CRIMSON, p.SIENNA]))
    picture.fill(s.blob((-10, 140), (20, 118), (64, 122), (110, 118), (140, 140)), p.FOREST)
    return picture


def works(dice: Dice) -> Picture:
    """A saw-toothed workshop with two chimneys and their smoke."""
    picture = Picture(128, p.colour("E8C9A0"))
    picture.fill(s.disc(30, 44, 18), p.colour("F4E3BF"))
    for x, y, r in [(98, 20, 9), (110, 14, 11), (122, 18, 9), (74, 14, 7), (84, 8, 9)]:
        picture.fill(s.disc(x, y, r + dice.between(-1, 1)), p.CREAM)
    for x, top in [(66, 22), (90, 30)]:
        picture.fill(s.polygon((x + 2, top), (x + 10, top), (x + 13, 112), (x - 1, 112)), p.BRICK)
        picture.fill(s.rect(x + 1, top + 6, x + 11, top + 11), p.CREAM)
    for k in range(4):
        left = 6 + 25 * k
        picture.fill(s.polygon((left, 82), (left + 25, 82), (left + 25, 62)), p.SLATE)
        picture.fill(s.polygon((left + 21, 82), (left + 25, 82), (left + 25, 62), (left + 21, 65.2)), p.SKY)
    picture.fill(s.rect(6, 82, 122, 112), p.NAVY)
    for k in range(5):
        picture.fill(s.rect(13 + 22 * k, 89, 25 + 22 * k, 102), p.LEMON)
    picture.fill(s.rect(0, 112, 128, 128), p.UMBER)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Five gables on a canal", 191, canal),
        drawn("Village up a hill", 192, hill),
        drawn("Workshop with two chimneys", 193, works),
    ]
