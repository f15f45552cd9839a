"""Still lifes: a few things on a table, in front of and behind each other."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture, Shape, linear
from ..recipe import Dice, Recipe, drawn


def turned(x: float, foot: float, *profile: tuple[float, float]) -> Shape:
    """A vessel as from a lathe: a profile of (half width, height over the foot), foot first, and its mirror image."""
    right = s.smooth(*[(half, -height) for half, height in profile])
    left = (right * (-1, 1))[::-1]
    return s.move(s.closed(right, left), x, foot)


def solid(picture: Picture, shape: Shape, colour: Colour, shade: float) -> None:
    """A body lit from the left: a crescent of shade, `shade` pixels broad, follows its right outline."""
    picture.fill(shape, p.mix(colour, p.INK, 0.32))
    picture.fill(s.move(shape, -shade, 0), colour, within=[shape])


def stripe(picture: Picture, shape: Shape, top: float, bottom: float, colour: Colour, shade: float) -> None:
    """A level stripe around a body, in the same light."""
    level = s.rect(0, top, 128, bottom)
    picture.fill(level, p.mix(colour, p.INK, 0.32), within=[shape])
    picture.fill(level, colour, within=[shape, s.move(shape, -shade, 0)])


def jug_and_lemons(dice: Dice) -> Picture:
    """A jug, a bowl and two lemons in it."""
    picture = Picture(128, p.SEA)
    picture.fill(s.rect(0, 86, 128, 128), p.CLAY)
    picture.fill(s.ellipse(56, 112, 44, 6), p.UMBER, opacity=0.45)
    picture.fill(s.ellipse(102, 110, 26, 4), p.UMBER, opacity=0.45)
    picture.fill(s.ring(24, 58, 13, 6), p.NAVY)
    jug = turned(48, 112, (16, 0), (24, 17), (26, 40), (16, 68), (13, 82), (18, 94))
    solid(picture, jug, p.COBALT, 11)
    stripe(picture, jug, 66, 73, p.CREAM, 11)
    stripe(picture, jug, 80, 83, p.CREAM, 11)
    _lemon(picture, 92, 80, dice.between(30, 50))
    solid(picture, s.join(s.segment(97, 84, 27, 22, 0, 180), s.rect(86, 104, 108, 110)), p.CREAM, 10)
    picture.fill(s.ellipse(80, 120, 17, 3), p.UMBER, opacity=0.45)
    _lemon(picture, 78, 112, dice.between(-20, -5))
    return picture


def _lemon(picture: Picture, x: float, y: float, angle: float) -> None:
    """A lemon with its two tips."""
    lemon = s.join(s.ellipse(x, y, 13, 10), s.ellipse(x - 12, y, 4.5, 3), s.ellipse(x + 12, y, 5, 3.5))
    solid(picture, s.turn(lemon, angle, x, y), p.LEMON, 5)


def bottle_and_apple(dice: Dice) -> Picture:
    """A green bottle, a glass of wine and an apple."""
    picture = Picture(128, linear((0, 0), (128, 90), (0.0, p.colour("E3D2B0")), (1.0, p.colour("B2956A"))))
    picture.fill(s.rect(0, 92, 128, 128), p.UMBER)
    picture.fill(s.rect(0, 92, 128, 96), p.SIENNA)
    bottle = turned(38, 114, (18, 0), (19, 4), (19, 54), (16, 64), (7, 74), (6.5, 98), (7.5, 102))
    solid(picture, bottle, p.FOREST, 10)
    stripe(picture, bottle, 66, 90, p.CREAM, 10)
    stripe(picture, bottle, 74, 78, p.CRIMSON, 10)
    stripe(picture, bottle, 10, 22, p.CRIMSON, 10)
    bowl = s.join(s.rect(70, 30, 106, 46.2), s.segment(88, 46, 18, 34, 0, 180))
    picture.fill(bowl, p.CREAM, opacity=0.6)
    picture.fill(s.rect(60, dice.between(48, 54), 112, 90), p.WINE, within=[bowl])
    picture.fill(s.rect(86.5, 79, 89.5, 112), p.CREAM)
    picture.fill(s.ellipse(88, 112, 14, 3.6), p.CREAM)
    apple = s.blob((64, 92), (53, 88), (45, 100), (51, 116), (64, 118), (77, 116), (83, 100), (75, 88))
    solid(picture, apple, p.CRIMSON, 7)
    picture.fill(s.ellipse(55, 99, 3.4, 5), p.ROSE)
    picture.fill(s.line([(64, 93), (67, 84)], 2.6), p.INK)
    return picture


def pears(dice: Dice) -> Picture:
    """Three pears on a shelf, the middle one in front."""
    picture = Picture(128, p.WINE)
    picture.fill(s.rect(0, 92, 128, 128), p.ROSE)
    picture.fill(s.rect(0, 118, 128, 128), p.CRIMSON)
    for x, foot, size, colour, lean in [
        (31, 102, 1.3, p.MUSTARD, -8),
        (98, 101, 1.42, p.SAGE, 6),
        (66, 112, 1.12, p.LEMON, -2),
    ]:
        _pear(picture, x, foot, size, colour, lean + dice.between(-3, 3))
    return picture


def _pear(picture: Picture, x: float, foot: float, size: float, colour: Colour, lean: float) -> None:
    body = turned(x, foot, (8, 0), (16.5, 7), (17.5, 18), (10, 32), (7, 42), (2, 48))
    picture.fill(s.ellipse(x + 4, foot - 1, 19 * size, 4 * size), p.INK, opacity=0.4)
    solid(picture, s.turn(s.scale(body, size, size, x, foot), lean, x, foot), colour, 8 * size)
    stem = s.line([(x, foot - 46 * size), (x + 3, foot - 55 * size)], 2.6)
    picture.fill(s.turn(stem, lean, x, foot), p.UMBER)


def tulips(dice: Dice) -> Picture:
    """Three tulips in a vase by a window."""
    picture = Picture(128, p.colour("E9DCC8"))
    picture.fill(s.rect(62, 0, 128, 92), p.SKY)
    picture.fill(s.rect(60, 0, 66, 96), p.CREAM)
    picture.fill(s.rect(60, 90, 128, 96), p.CREAM)
    picture.fill(s.rect(0, 104, 128, 128), p.TEAL)
    for tip, bend in [((30, 34), (34, 66)), ((62, 20), (58, 56)), ((94, 38), (84, 64))]:
        picture.fill(s.line(s.bezier((56, 84), bend, tip), 3.4), p.FOREST)
    picture.fill(s.closed(s.bezier((56, 82), (24, 70), (16, 50)), s.bezier((16, 50), (36, 60), (58, 80))), p.MOSS)
    for (x, y), colour, angle in [((30, 28), p.CRIMSON, -24), ((62, 16), p.CORAL, 4), ((95, 32), p.CRIMSON, 26)]:
        half = [(0, -11), (4, -4), (10, -8), (9, 6)]
        flower = s.blob(*[(x + u, y + v) for u, v in half], (x, y + 12), *[(x - u, y + v) for u, v in half[:0:-1]])
        picture.fill(s.turn(flower, angle + dice.between(-6, 6), x, y), colour)
    vase = turned(57, 118, (13, 0), (21, 14), (18, 30), (9, 40), (13, 50))
    solid(picture, vase, p.NAVY, 9)
    stripe(picture, vase, 93, 101, p.OCHRE, 9)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Jug, bowl and two lemons", 181, jug_and_lemons),
        drawn("Bottle, glass and apple", 182, bottle_and_apple),
        drawn("Three pears on a shelf", 183, pears),
        drawn("Three tulips in a vase", 184, tulips),
    ]
