"""Scenes of things and beings: still lifes, faces, flowers, fish, robots, rooms and plates."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from easel_app.trajectories.references.colours import Palette, darker, distance, hsv, lighter, mix, palette, readable
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.layouts import NUMBERS, Drawn, body, counted
from easel_app.trajectories.references.raster import Canvas, linear, radial
from easel_app.trajectories.references.shapes import (
    TURN,
    arc,
    bezier,
    disc,
    place,
    points,
    rect,
    ribbon,
    rounded,
    sector,
    smooth,
)


def still_life(dice: Dice, size: int) -> Drawn:
    """Vessels and fruit on a table before a wall."""
    own = palette(dice, contrast=45.0)
    edge = dice.between(0.55, 0.75)
    canvas = Canvas(size, own.ground)
    canvas.fill(rect(0, edge, 1, 1), linear((0, edge), (0, 1), own.accents[-1], darker(own.accents[-1], 0.3)))
    count = dice.whole(2, 4)
    names = []
    for k in sorted(range(count), key=lambda _: dice.share()):
        x, foot = (k + 0.5) / count + dice.between(-0.06, 0.06), dice.between(edge + 0.04, 0.92)
        s = 0.46 / count + dice.between(0.0, 0.06)
        names.append(dice.one(("bottle", "bowl", "vase", "apple", "pear", "cup", "orange")))
        canvas.fill(disc(x + s * 0.2, foot, s * 0.75, s * 0.12), darker(own.accents[-1], 0.45), 0.7)
        _thing(canvas, dice, names[-1], x, foot, s, own)
    return canvas, " and ".join([", ".join(names[:-1]), names[-1]]).capitalize()


def _thing(canvas: Canvas, dice: Dice, name: str, x: float, foot: float, s: float, own: Palette) -> None:
    colour = dice.one(own.accents[:-1])
    middle = foot - s * 0.7
    paint = body(dice, colour, x, middle, s * 0.7)
    if name in ("apple", "orange"):
        fruit = hsv(dice.between(0.95, 1.05) if name == "apple" else dice.between(0.06, 0.1), 0.8, 0.9)
        canvas.fill(
            disc(x, foot - s * 0.5, s * 0.52, s * 0.5),
            radial((x - s * 0.15, foot - s * 0.7), s, lighter(fruit, 0.4), fruit, darker(fruit, 0.45)),
        )
        canvas.fill(ribbon(np.array([(x, foot - s), (x + s * 0.12, foot - s * 1.2)]), s * 0.08), (70, 50, 30))
    elif name == "pear":
        canvas.fill(
            smooth(
                [
                    (x, foot - s * 1.3),
                    (x + s * 0.25, foot - s),
                    (x + s * 0.5, foot - s * 0.4),
                    (x + s * 0.25, foot),
                    (x - s * 0.25, foot),
                    (x - s * 0.5, foot - s * 0.4),
                    (x - s * 0.25, foot - s),
                ]
            ),
            hsv(dice.between(0.12, 0.25), 0.6, 0.8),
        )
    elif name == "bottle":
        canvas.fill(rounded(x - s * 0.35, foot - s * 1.3, x + s * 0.35, foot, s * 0.2), paint)
        canvas.fill(rect(x - s * 0.12, foot - s * 2.0, x + s * 0.12, foot - s * 1.2), paint)
        canvas.fill(rect(x - s * 0.35, foot - s * 0.9, x + s * 0.35, foot - s * 0.4), lighter(colour, 0.6))
    elif name == "bowl":
        canvas.fill([np.vstack([arc(x, foot - s * 0.75, s * 0.8, s * 0.75, 0, TURN / 2)])], paint)
        canvas.fill(disc(x, foot - s * 0.75, s * 0.8, s * 0.14), darker(colour, 0.35))
    elif name == "vase":
        canvas.fill(
            smooth(
                [
                    (x - s * 0.25, foot - s * 1.6),
                    (x + s * 0.25, foot - s * 1.6),
                    (x + s * 0.2, foot - s * 1.3),
                    (x + s * 0.55, foot - s * 0.7),
                    (x + s * 0.25, foot),
                    (x - s * 0.25, foot),
                    (x - s * 0.55, foot - s * 0.7),
                    (x - s * 0.2, foot - s * 1.3),
                ]
            ),
            paint,
        )
    else:
        canvas.fill(
            place([*disc(0, 0, 1), *[c[::-1] for c in disc(0, 0, 0.62)]], x + s * 0.5, foot - s * 0.45, s * 0.3), colour
        )
        canvas.fill(rounded(x - s * 0.5, foot - s * 0.9, x + s * 0.5, foot, s * 0.15), paint)


def face(dice: Dice, size: int) -> Drawn:
    """A face: head, eyes, mouth, perhaps hair, ears, a hat."""
    own = palette(dice, contrast=45.0)
    canvas = Canvas(size, own.ground)
    skin = dice.one((own.accents[0], hsv(dice.between(0.05, 0.1), dice.between(0.2, 0.6), dice.between(0.4, 1.0))))
    ink, x, y = readable(skin), 0.5 + dice.between(-0.06, 0.06), 0.54
    rx, ry = dice.between(0.26, 0.36), dice.between(0.28, 0.38)
    top = dice.one(("none", "hair", "ears", "pointed ears", "hat"))
    colour = own.accents[1]
    if top == "hair":
        canvas.fill(disc(x, y - 0.1, rx * 1.15, ry * 1.05), colour)
    for side in (-1, 1):
        if top == "ears":
            canvas.fill(disc(x + side * rx * 0.85, y - ry * 0.75, rx * 0.35), skin)
        elif top == "pointed ears":
            canvas.fill(
                points(
                    (x + side * rx * 0.95, y - ry * 1.3),
                    (x + side * rx * 0.2, y - ry * 0.8),
                    (x + side * rx * 0.95, y - ry * 0.2),
                ),
                skin,
            )
    canvas.fill(disc(x, y, rx, ry) if dice.chance(0.75) else rounded(x - rx, y - ry, x + rx, y + ry, rx * 0.4), skin)
    if top == "hat":
        canvas.fill(rect(x - rx * 1.15, y - ry * 0.75, x + rx * 1.15, y - ry * 0.58), colour)
        canvas.fill(rect(x - rx * 0.7, y - ry * 1.4, x + rx * 0.7, y - ry * 0.7), colour)
    apart, level, eye = rx * dice.between(0.35, 0.5), y - ry * dice.between(0.05, 0.25), rx * dice.between(0.1, 0.2)
    for side in (-1, 1):
        canvas.fill(disc(x + side * apart, level, eye * 1.35), (255, 255, 255))
        canvas.fill(disc(x + side * apart, level, eye * 0.75), (20, 20, 30))
    bend = dice.between(-0.5, 0.8) * ry * 0.5
    low = y + ry * 0.5
    canvas.fill(
        ribbon(bezier((x - rx * 0.45, low - bend / 2), (x, low + bend), (x + rx * 0.45, low - bend / 2)), rx * 0.12),
        mix(ink, (200, 40, 50), 0.5),
    )
    if dice.chance(0.5):
        canvas.fill(
            points((x, y - ry * 0.05), (x + rx * 0.12, y + ry * 0.25), (x - rx * 0.12, y + ry * 0.25)),
            darker(skin, 0.3),
        )
    return canvas, f"A face{'' if top == 'none' else f' with {top}' if top != 'hat' else ' under a hat'}"


def flowers(dice: Dice, size: int) -> Drawn:
    """Flowers on stems."""
    own = palette(dice, contrast=45.0)
    canvas, count = Canvas(size, own.ground), dice.whole(1, 4)
    soil = dice.chance(0.5)
    if soil:
        canvas.fill(rect(0, 0.86, 1, 1), hsv(dice.between(0.05, 0.4), 0.5, dice.between(0.25, 0.55)))
    for k in range(count):
        x, y, r = (
            (k + 0.5) / count + dice.between(-0.05, 0.05),
            dice.between(0.22, 0.5),
            min(0.2, 0.42 / count) * dice.between(0.7, 1.0),
        )
        green = hsv(dice.between(0.25, 0.4), 0.7, dice.between(0.3, 0.6))
        foot = x + dice.between(-0.1, 0.1)
        canvas.fill(ribbon(bezier((foot, 1.02), (foot, 0.6), (x, y)), 0.025), green)
        for side in dice.some((-1, 1), dice.whole(0, 2)):
            canvas.fill(
                place(disc(0, 0, 1, 0.4), foot + side * 0.08, dice.between(0.65, 0.8), 0.09, side * -0.6), green
            )
        petals, colour = dice.whole(5, 10), dice.one(own.accents)
        for j in range(petals):
            angle = j * TURN / petals
            canvas.fill(
                place(
                    disc(0, 0, 1, 0.55), x + r * 0.6 * math.cos(angle), y + r * 0.6 * math.sin(angle), r * 0.5, angle
                ),
                darker(colour, 0.12 * (j % 2)),
            )
        canvas.fill(disc(x, y, r * 0.35), dice.one((hsv(0.13, 0.9, 1.0), darker(colour, 0.5), (255, 250, 230))))
    return canvas, f"{counted(count, 'flower').capitalize()}"


def fish(dice: Dice, size: int) -> Drawn:
    """Fish under water, with bubbles and weeds."""
    deep = hsv(dice.between(0.48, 0.65), dice.between(0.4, 0.9), dice.between(0.3, 0.8))
    canvas, count = Canvas(size, linear((0, 0), (0, 1), lighter(deep, 0.35), darker(deep, 0.4))), dice.whole(1, 4)
    for _ in range(dice.whole(0, 4)):
        x = dice.share()
        canvas.fill(
            ribbon(
                bezier(
                    (x, 1.05),
                    (x + dice.between(-0.2, 0.2), 0.8),
                    (x + dice.between(-0.1, 0.1), dice.between(0.4, 0.75)),
                ),
                0.05,
                0.01,
            ),
            hsv(dice.between(0.25, 0.42), 0.7, 0.45),
        )
    for k in range(count):
        s, y = dice.between(0.6, 1.0) * (0.3 if count == 1 else 0.17), (k + 0.5) / count
        x, way, colour = (
            dice.between(0.28, 0.72),
            dice.one((-1, 1)),
            hsv(dice.share(), dice.between(0.5, 1.0), dice.between(0.7, 1.0)),
        )
        while distance(colour, deep) < 50:
            colour = hsv(dice.share(), dice.between(0.0, 1.0), dice.between(0.7, 1.0))
        canvas.fill(
            points((x - way * s * 0.7, y), (x - way * s * 1.35, y - s * 0.5), (x - way * s * 1.35, y + s * 0.5)),
            darker(colour, 0.2),
        )
        canvas.fill(disc(x, y, s, s * dice.between(0.45, 0.7)), colour)
        for stripe in range(dice.whole(0, 3)):
            at = x + way * s * (0.1 - 0.3 * stripe)
            canvas.fill(rect(at - s * 0.05, y - s * 0.38, at + s * 0.05, y + s * 0.38), lighter(colour, 0.7))
        canvas.fill(disc(x + way * s * 0.55, y - s * 0.1, s * 0.13), (255, 255, 255))
        canvas.fill(disc(x + way * s * 0.58, y - s * 0.1, s * 0.07), (15, 15, 20))
    for _ in range(dice.whole(0, 8)):
        canvas.fill(disc(dice.share(), dice.share(), dice.between(0.008, 0.03)), lighter(deep, 0.7), 0.7)
    return canvas, f"{NUMBERS[count].capitalize()} fish"


def robot(dice: Dice, size: int) -> Drawn:
    """A robot or a doll, built of boxes."""
    own = palette(dice, contrast=45.0)
    canvas = Canvas(size, own.ground)
    a, b, c = own.accents[:3]
    x, round_ = 0.5, dice.between(0.0, 0.06)
    head, trunk = dice.between(0.12, 0.2), dice.between(0.15, 0.24)
    for side in (-1, 1):
        canvas.fill(
            ribbon(np.array([(x + side * trunk, 0.52), (x + side * (trunk + 0.14), dice.between(0.35, 0.75))]), 0.07), b
        )
        canvas.fill(rounded(x + side * trunk * 0.5 - 0.05, 0.74, x + side * trunk * 0.5 + 0.05, 0.95, 0.02), b)
    canvas.fill(rounded(x - trunk, 0.44, x + trunk, 0.78, round_), a)
    canvas.fill(rect(x - 0.01, 0.06, x + 0.01, 0.2), c)
    canvas.fill(disc(x, 0.07, 0.03), c)
    canvas.fill(rounded(x - head, 0.16, x + head, 0.42, round_), b)
    for side in (-1, 1):
        canvas.fill(disc(x + side * head * 0.45, 0.26, 0.04), (255, 255, 255))
        canvas.fill(disc(x + side * head * 0.45, 0.26, 0.02), (20, 20, 20))
    canvas.fill(rect(x - head * 0.5, 0.35, x + head * 0.5, 0.38), c)
    for k in range(dice.whole(1, 4)):
        canvas.fill(disc(x - trunk * 0.6 + 0.08 * k, 0.54, 0.022), dice.one(own.accents))
    return canvas, "A robot"


def room(dice: Dice, size: int) -> Drawn:
    """A corner of a room: floor, window or picture, a lamp or a table."""
    wall, floor = (
        hsv(dice.share(), dice.between(0.05, 0.5), dice.between(0.5, 0.95)),
        hsv(dice.between(0.04, 0.12), dice.between(0.2, 0.6), dice.between(0.25, 0.65)),
    )
    canvas, edge = Canvas(size, wall), dice.between(0.66, 0.8)
    canvas.fill(rect(0, edge, 1, 1), floor)
    x, wide, high = dice.between(0.25, 0.7), dice.between(0.14, 0.24), dice.between(0.14, 0.24)
    canvas.fill(rect(x - wide - 0.025, 0.32 - high - 0.025, x + wide + 0.025, 0.32 + high + 0.025), darker(wall, 0.55))
    canvas.fill(
        rect(x - wide, 0.32 - high, x + wide, 0.32 + high),
        linear((0, 0.1), (0, 0.55), hsv(0.58, 0.5, 0.9), hsv(dice.share(), 0.3, 1.0)),
    )
    if dice.chance(0.6):
        canvas.fill(rect(x - 0.012, 0.32 - high, x + 0.012, 0.32 + high), darker(wall, 0.55))
        canvas.fill(rect(x - wide, 0.31, x + wide, 0.33), darker(wall, 0.55))
    at, wood = dice.between(0.25, 0.75), hsv(dice.between(0.03, 0.1), 0.6, dice.between(0.25, 0.6))
    if dice.chance(0.55):
        canvas.fill(rect(at - 0.26, edge - 0.12, at + 0.26, edge - 0.07), wood)
        for side in (-1, 1):
            canvas.fill(
                rect(at + side * 0.22 - 0.02, edge - 0.08, at + side * 0.22 + 0.02, edge + 0.14), darker(wood, 0.25)
            )
        canvas.fill(disc(at + dice.between(-0.15, 0.15), edge - 0.17, 0.055), hsv(dice.share(), 0.8, 0.9))
        return canvas, "A table by a window"
    shade = hsv(dice.share(), 0.5, 1.0)
    canvas.fill(rect(at - 0.012, 0.45, at + 0.012, edge + 0.1), darker(wood, 0.3))
    canvas.fill(disc(at, edge + 0.1, 0.1, 0.025), darker(wood, 0.3))
    canvas.fill(points((at - 0.07, 0.3), (at + 0.07, 0.3), (at + 0.15, 0.5), (at - 0.15, 0.5)), shade)
    return canvas, "A lamp in a room"


def plate(dice: Dice, size: int) -> Drawn:
    """A plate from above, with a cake, a pizza or an egg on it."""
    own = palette(dice, contrast=45.0)
    canvas, kind = Canvas(size, own.ground), dice.one(("pie", "pizza", "egg", "cookies"))
    canvas.fill(disc(0.5, 0.5, 0.46), lighter(own.accents[0], 0.6))
    canvas.fill(disc(0.5, 0.5, 0.36), lighter(own.accents[0], 0.8))
    if kind == "egg":
        canvas.fill(
            smooth(
                [
                    (
                        0.5 + dice.between(0.2, 0.33) * math.cos(k * TURN / 7),
                        0.5 + dice.between(0.2, 0.33) * math.sin(k * TURN / 7),
                    )
                    for k in range(7)
                ]
            ),
            (252, 250, 244),
        )
        canvas.fill(disc(dice.between(0.42, 0.58), dice.between(0.42, 0.58), 0.11), hsv(0.12, 0.85, 1.0))
    elif kind == "cookies":
        count = dice.whole(3, 5)
        for k in range(count):
            x, y = 0.5 + 0.21 * math.cos(k * TURN / count), 0.5 + 0.21 * math.sin(k * TURN / count)
            canvas.fill(disc(x, y, 0.12), hsv(0.09, 0.55, 0.75))
            for _ in range(5):
                canvas.fill(disc(x + dice.between(-0.07, 0.07), y + dice.between(-0.07, 0.07), 0.018), (60, 36, 24))
    else:
        crust, top = hsv(0.09, 0.6, 0.7), hsv(dice.between(0.0, 0.15), 0.75, 0.9)
        start, end = dice.angle(), dice.between(3.6, 6.2)
        canvas.fill(place(sector(start, start + end), 0.5, 0.5, 0.32), crust)
        canvas.fill(place(sector(start + 0.03, start + end - 0.03), 0.5, 0.5, 0.27), top)
        for _ in range(dice.whole(4, 9) if kind == "pizza" else 0):
            angle, r = start + dice.between(0.15, end - 0.15), dice.between(0.09, 0.22)
            canvas.fill(
                disc(0.5 + r * math.cos(angle), 0.5 + r * math.sin(angle), 0.032),
                dice.one((hsv(0.0, 0.8, 0.7), hsv(0.3, 0.7, 0.5))),
            )
    return canvas, f"{'An egg' if kind == 'egg' else 'Cookies' if kind == 'cookies' else f'A {kind}'} on a plate"


INDOORS: dict[Callable[[Dice, int], Drawn], float] = {
    still_life: 2.5,
    face: 2.0,
    flowers: 1.5,
    fish: 1.5,
    robot: 1.0,
    room: 1.5,
    plate: 1.5,
}
"""How they are drawn, and how often."""
