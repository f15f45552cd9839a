"""Landscapes in layers: what is near covers what is far, what is far is paler."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Colour, Picture, linear
from ..recipe import Dice, Recipe, drawn


def ranges(dice: Dice) -> Picture:
    """Four ranges of hills, paler with distance, and a sun between them."""
    picture = Picture(128, linear((0, 0), (0, 80), (0.0, p.colour("F7D9A8")), (1.0, p.colour("F2B27C"))))
    picture.fill(s.disc(82, 46, 15), p.colour("FBF0D0"))
    for k, colour in enumerate([p.colour("D88A6E"), p.colour("A85A62"), p.colour("6B3A5A"), p.colour("35254A")]):
        y = 58 + 18 * k
        points = [(20.0 * i, y + dice.between(-11, 9)) for i in range(-1, 8)]
        picture.fill(s.blob(*points, (170, 180), (-40, 180)), colour)
    return picture


def sails(dice: Dice) -> Picture:
    """Three sailing boats at three distances."""
    picture = Picture(128, p.colour("F3CFA4"))
    picture.fill(s.disc(24, 26, 12), p.CORAL)
    picture.fill(s.rect(0, 56, 128, 128), p.SEA)
    picture.fill(s.rect(0, 74, 128, 128), p.TEAL)
    picture.fill(s.rect(0, 98, 128, 128), p.PETROL)
    for x, foot, size, sail in [(104, 62, 0.42, p.NAVY), (36, 82, 0.72, p.OCHRE), (74, 112, 1.2, p.CREAM)]:
        _boat(picture, x + dice.between(-4, 4), foot, size, sail)
    return picture


def _boat(picture: Picture, x: float, foot: float, size: float, sail: Colour) -> None:
    def at(u: float, v: float) -> tuple[float, float]:
        return x + u * size, foot + v * size

    picture.fill(s.polygon(at(-1, -60), at(1, -60), at(1, -6), at(-1, -6)), p.UMBER)
    picture.fill(
        s.closed(s.bezier(at(3, -58), at(30, -34), at(30, -11)), s.bezier(at(30, -11), at(16, -12), at(3, -11))), sail
    )
    picture.fill(
        s.closed(s.bezier(at(-4, -50), at(-8, -24), at(-23, -11)), s.bezier(at(-23, -11), at(-12, -10), at(-4, -11))),
        p.CRIMSON,
    )
    picture.fill(s.polygon(at(-28, -7), at(32, -7), at(22, 6), at(-20, 6)), p.INK)


def firs(dice: Dice) -> Picture:
    """Five firs in snow, the near ones larger and darker."""
    picture = Picture(128, linear((0, 0), (0, 90), (0.0, p.colour("33406B")), (1.0, p.colour("B79DB5"))))
    picture.fill(s.disc(96, 24, 9), p.CREAM)
    picture.fill(s.blob((-20, 92), (30, 78), (80, 84), (150, 70), (150, 160), (-20, 160)), p.colour("DDE3EC"))
    for x, foot, size, colour in [
        (88, 84, 0.55, p.colour("6C7A9A")),
        (18, 88, 0.65, p.colour("5A6C8A")),
        (112, 96, 0.85, p.colour("3F5A6E")),
    ]:
        _fir(picture, x + dice.between(-4, 4), foot, size, colour)
    picture.fill(s.blob((-20, 112), (40, 100), (90, 112), (150, 104), (150, 170), (-20, 170)), p.colour("F4F5F5"))
    for x, foot, size, colour in [(48, 110, 1.3, p.PINE), (84, 120, 1.0, p.FOREST)]:
        _fir(picture, x, foot, size, colour)
    return picture


def _fir(picture: Picture, x: float, foot: float, size: float, colour: Colour) -> None:
    picture.fill(s.rect(x - 2.4 * size, foot - 10 * size, x + 2.4 * size, foot + 2 * size), p.UMBER)
    for half, low, high in [(20, 8, 34), (16, 22, 48), (11, 38, 62)]:
        picture.fill(
            s.polygon(
                (x - half * size, foot - low * size), (x + half * size, foot - low * size), (x, foot - high * size)
            ),
            colour,
        )


def desert(dice: Dice) -> Picture:
    """Two cacti before a table mountain."""
    picture = Picture(128, linear((0, 0), (0, 86), (0.0, p.colour("7FB2BE")), (1.0, p.colour("F4E0B4"))))
    top = dice.between(42, 48)
    picture.fill(s.polygon((58, 86), (66, top), (110, top), (124, 86)), p.BRICK)
    picture.fill(s.polygon((94, top), (110, top), (124, 86), (98, 86)), p.CRIMSON)
    picture.fill(s.rect(0, 84, 128, 128), p.CLAY)
    picture.fill(s.blob((-20, 112), (40, 100), (100, 108), (150, 100), (150, 170), (-20, 170)), p.SAND)
    for x, foot, size, colour in [(96, 104, 0.62, p.MOSS), (38, 118, 1.25, p.FOREST)]:
        for points, width in [
            ([(0, 0), (0, -62)], 13),
            ([(0, -20), (-18, -20), (-18, -40)], 9),
            ([(0, -28), (17, -28), (17, -52)], 9),
        ]:
            stem = [(x + u * size, foot + v * size) for u, v in points]
            picture.fill(s.line(stem, width * size), colour)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Four ranges of hills and a sun", 201, ranges),
        drawn("Three sails at three distances", 202, sails),
        drawn("Five firs in the snow", 203, firs),
        drawn("Two cacti and a table mountain", 204, desert),
    ]
