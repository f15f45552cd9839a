"""Alignment: rows and grids, and the one that falls out of line."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Picture
from ..recipe import Dice, Recipe, drawn


def one_turned(dice: Dice) -> Picture:
    """Three by three squares; one is turned on its corner."""
    picture = Picture(128, p.PETROL)
    odd_one = (dice.whole(0, 2), dice.whole(0, 2))
    for row in range(3):
        for column in range(3):
            x, y = 28 + 36 * column, 28 + 36 * row
            square = s.rect(x - 13, y - 13, x + 13, y + 13)
            odd = (row, column) == odd_one
            picture.fill(s.turn(square, 45, x, y) if odd else square, p.LEMON if odd else p.SEA)
    return picture


def honeycomb(dice: Dice) -> Picture:
    """Seven hexagons, one in the middle of six."""
    picture = Picture(128, p.UMBER)
    colours = dice.shuffled([p.OCHRE, p.SAND, p.APRICOT, p.OCHRE, p.MUSTARD, p.APRICOT])
    picture.fill(s.regular(64, 64, 20.5, 6), p.CREAM)
    for k, colour in enumerate(colours):
        x, y = s.regular(64, 64, 38.5, 6, turn=0)[0][k]
        picture.fill(s.regular(x, y, 20.5, 6), colour)
    return picture


def windows(dice: Dice) -> Picture:
    """A wall with two rows of round-headed windows; one is lit."""
    picture = Picture(128, p.CLAY)
    lit_one = (dice.whole(0, 1), dice.whole(0, 2))
    for row in range(2):
        for column in range(3):
            x, y = 17 + 36 * column, 14 + 56 * row
            lit = (row, column) == lit_one
            frame = s.join(s.rect(x, y + 11, x + 22, y + 42), s.disc(x + 11, y + 11, 11))
            picture.fill(s.move(frame, 3, 0), p.SIENNA)
            picture.fill(s.rect(x - 4, y + 42, x + 26, y + 47), p.CREAM)
            picture.fill(frame, p.LEMON if lit else p.NAVY)
            picture.fill(s.rect(x + 10, y, x + 12, y + 42), p.CREAM)
            picture.fill(s.rect(x, y + 20, x + 22, y + 22), p.CREAM)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Nine squares, one on its corner", 131, one_turned),
        drawn("Seven cells of a honeycomb", 132, honeycomb),
        drawn("Six windows, one of them lit", 133, windows),
    ]
