"""Balance: things that stand, lean or hang on each other."""

from __future__ import annotations

from .. import palette as p
from .. import shapes as s
from ..raster import Picture
from ..recipe import Dice, Recipe, drawn


def cairn(dice: Dice) -> Picture:
    """Five flat stones, one on the other, on a shore."""
    picture = Picture(128, p.colour("D9E2DD"))
    picture.fill(s.rect(0, 84, 128, 128), p.SEA)
    picture.fill(s.blob((-10, 118), (40, 106), (90, 108), (140, 116), (140, 150), (-10, 150)), p.SAND)
    foot = 114.0
    stones = [(38, 13, p.SLATE), (29, 11, p.STONE), (23, 10, p.CLAY), (16, 8, p.SLATE), (10, 7, p.CREAM)]
    for half, high, colour in stones:
        x = 62 + dice.between(-4, 4)
        stone = s.blob(
            (x - half, foot - high), (x - half * 0.6, foot - 2 * high + 1), (x + half * 0.4, foot - 2 * high),
            (x + half, foot - high * 1.1), (x + half * 0.7, foot - 1), (x - half * 0.7, foot),
        )  # fmt: skip
        picture.fill(stone, colour)
        picture.fill(s.rect(0, foot - high * 0.8, 128, foot + 4), p.mix(colour, p.INK, 0.35), within=[stone])
        foot -= 2 * high - 1
    return picture


def gate(dice: Dice) -> Picture:
    """A gate of toy blocks: two pillars, a lintel, an arch and a roof."""
    picture = Picture(128, p.colour("F2E3C6"))
    picture.fill(s.rect(0, 112, 128, 128), p.SAGE)
    picture.fill(s.rect(16, 70, 40, 112), p.BRICK)
    picture.fill(s.rect(88, 70, 112, 112), p.BRICK)
    picture.fill(s.rect(16, 86, 40, 92), p.CREAM)
    picture.fill(s.rect(88, 86, 112, 92), p.CREAM)
    picture.fill(s.rect(10, 58, 118, 70), p.NAVY)
    picture.fill(s.rect(40, 30, 88, 58), p.OCHRE)
    picture.fill(s.segment(64, 58, 14, 18, 180, 360), p.colour("F2E3C6"))
    picture.fill(s.polygon((34, 30), (94, 30), (64, 8)), p.CRIMSON)
    radius = dice.between(8, 10)
    picture.fill(s.disc(24, 58 - radius, radius), p.TEAL)
    picture.fill(s.disc(104, 58 - radius, radius), p.TEAL)
    return picture


def seesaw(dice: Dice) -> Picture:
    """One large ball against three small ones."""
    picture = Picture(128, p.SKY)
    picture.fill(s.rect(0, 108, 128, 128), p.FOREST)
    picture.fill(s.polygon((64, 80), (46, 108), (82, 108)), p.NAVY)
    tilt = dice.between(8, 11)
    board = s.rect(5, 77, 123, 84)
    picture.fill(s.turn(board, tilt, 64, 80), p.SIENNA)
    picture.fill(s.turn(s.disc(102, 57, 20), tilt, 64, 80), p.CRIMSON)
    for x, colour in [(13, p.LEMON), (31, p.CREAM), (49, p.LEMON)]:
        picture.fill(s.turn(s.disc(x, 68.5, 8.5), tilt, 64, 80), colour)
    return picture


def mobile(dice: Dice) -> Picture:
    """Five flat shapes that hang from three rods."""
    picture = Picture(128, p.colour("EFEAE0"))
    ink = p.CHARCOAL
    rods = [((64, 0), (64, 22)), ((24, 28), (104, 16)), ((24, 28), (24, 46)), ((104, 16), (104, 40)),
            ((4, 42), (48, 50)), ((78, 46), (122, 36))]  # fmt: skip
    for rod in rods:
        picture.fill(s.line(rod, 2.2), ink)
    for hang in [((8, 43), (8, 60)), ((44, 49), (44, 84)), ((80, 45), (80, 62)), ((118, 37), (118, 70))]:
        picture.fill(s.line(hang, 1.6), ink)
    picture.fill(s.ellipse(15, 70, 12, 15), p.BRICK)
    picture.fill(s.turn(s.ellipse(44, 98, 20, 15), dice.between(-30, -18), 44, 98), p.COBALT)
    picture.fill(s.disc(80, 76, 14), p.OCHRE)
    picture.fill(s.polygon((118, 66), (126, 96), (102, 90)), ink)
    picture.fill(s.turn(s.ellipse(88, 112, 13, 7), 12, 88, 112), p.BRICK)
    picture.fill(s.line([(80, 88), (88, 106)], 1.6), ink)
    return picture


def recipes() -> list[Recipe]:
    """The pictures of this family."""
    return [
        drawn("Five stones balanced on a shore", 151, cairn),
        drawn("Gate of toy blocks", 152, gate),
        drawn("One large ball against three small", 153, seesaw),
        drawn("Mobile of five shapes", 154, mobile),
    ]
