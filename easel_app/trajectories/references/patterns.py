"""Pictures that are all pattern: stripes, checks, rings, waves, tiles, rays, gradients and free lines."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from easel_app.trajectories.references.colours import Palette, backdrop, mix, palette
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.layouts import Drawn, plural
from easel_app.trajectories.references.raster import Canvas, Colour, Contour, Shape, corners, linear, radial
from easel_app.trajectories.references.shapes import (
    SHAPES,
    TURN,
    Point,
    arc,
    disc,
    place,
    points,
    rect,
    regular,
    ribbon,
    sector,
    smooth,
    star,
    through,
)

REACH = 0.75
"""Half a picture's diagonal and a little more: what is turned about the middle still covers it."""


def _cuts(dice: Dice, count: int, uneven: float) -> list[float]:
    """Borders of so many parts of [-REACH, REACH], more or less alike."""
    widths = [1.0 + uneven * dice.between(-1.0, 1.0) for _ in range(count)]
    total, at, found = sum(widths), -REACH, [-REACH]
    for width in widths:
        at += 2 * REACH * width / total
        found.append(at)
    return found


def _colours(dice: Dice, own: Palette, most: int) -> list[Colour]:
    return [own.ground, *dice.some(own.accents, dice.whole(1, most))]


def stripes(dice: Dice, size: int) -> Drawn:
    """Parallel bands at any angle."""
    own = palette(dice)
    colours = _colours(dice, own, 4)
    turn, cuts = dice.one((0.0, TURN / 4, dice.angle())), _cuts(dice, dice.whole(4, 18), dice.one((0.0, 0.4, 0.8)))
    canvas = Canvas(size, own.ground)
    for k, (start, end) in enumerate(pairwise(cuts)):
        canvas.fill(place(rect(-REACH, start, REACH, end), 0.5, 0.5, 1.0, turn), colours[k % len(colours)])
    return canvas, f"Stripes in {len(colours)} colours"


def checks(dice: Dice, size: int) -> Drawn:
    """Checks, brick-wise or not, in two or many colours, turned or not."""
    own = palette(dice)
    colours = _colours(dice, own, dice.one((1, 1, 4)))
    columns, rows = dice.whole(4, 10), dice.whole(4, 10)
    turn, shift, chance = dice.one((0.0, 0.0, TURN / 8, dice.angle())), dice.one((0.0, 0.0, 0.5)), dice.chance(0.3)
    canvas = Canvas(size, own.ground)
    wide, high = 2 * REACH / columns, 2 * REACH / rows
    for r in range(rows):
        for c in range(-1, columns + 1):
            at = dice.whole(0, len(colours) - 1) if chance else (r + c) % len(colours)
            if at:
                x, y = -REACH + (c + shift * (r % 2)) * wide, -REACH + r * high
                canvas.fill(place(rect(x, y, x + wide, y + high), 0.5, 0.5, 1.0, turn), colours[at])
    return canvas, f"Checks, {rows} by {columns}"


def rings(dice: Dice, size: int) -> Drawn:
    """One outline around itself, from the border of the picture to a middle that may be anywhere."""
    own = palette(dice)
    name = dice.one(["disc", "square", "diamond", "hexagon", "triangle", "star", "heart"])
    shape, count = SHAPES[name](dice), dice.whole(4, 10)
    x, y, turn = dice.between(0.3, 0.7), dice.between(0.3, 0.7), dice.one((0.0, dice.angle()))
    colours, step = _colours(dice, own, 3), dice.one((0.0, 0.0, dice.between(-0.3, 0.3)))
    canvas = Canvas(size, colours[-1])
    for k in range(count):
        canvas.fill(
            place(shape, x, y, (1 - k / count) * dice.one((0.6, 0.62)), turn + k * step), colours[k % len(colours)]
        )
    return canvas, f"Rings of a {name}"


def rays(dice: Dice, size: int) -> Drawn:
    """Slices from a point to the border."""
    own = palette(dice)
    colours, count = _colours(dice, own, 3), dice.whole(5, 16)
    x, y, start = dice.between(0.1, 0.9), dice.between(0.1, 0.9), dice.angle()
    canvas = Canvas(size, own.ground)
    for k in range(count):
        ends = (start + k * TURN / count, start + (k + 1) * TURN / count)
        canvas.fill(place(sector(*ends), x, y, 2.0), colours[k % len(colours)])
    if dice.chance(0.6):
        canvas.fill(disc(x, y, dice.between(0.06, 0.25)), own.accents[-1])
    return canvas, f"{count} rays"


def gradient(dice: Dice, size: int) -> Drawn:
    """Colours that run into each other, perhaps behind one shape."""
    own = palette(dice)
    colours = dice.some(own.accents, dice.whole(2, 4))
    kind = dice.one(("linear", "radial", "four-cornered"))
    turn = dice.angle()
    dx, dy = 0.6 * math.cos(turn), 0.6 * math.sin(turn)
    if kind == "linear":
        canvas = Canvas(size, linear((0.5 - dx, 0.5 - dy), (0.5 + dx, 0.5 + dy), *colours))
    elif kind == "radial":
        canvas = Canvas(size, radial((dice.share(), dice.share()), dice.between(0.4, 1.1), *colours))
    else:
        a, b, c, d = own.accents[:4]
        canvas = Canvas(size, corners(a, b, c, d))
    if dice.chance(0.5):
        name = dice.one(list(SHAPES))
        shape = place(
            SHAPES[name](dice), dice.between(0.3, 0.7), dice.between(0.3, 0.7), dice.between(0.15, 0.35), dice.angle()
        )
        canvas.fill(shape, linear((0.5 + dx, 0.5 + dy), (0.5 - dx, 0.5 - dy), *colours))
        return canvas, f"A {kind} gradient and a {name}"
    return canvas, f"A {kind} gradient"


def waves(dice: Dice, size: int) -> Drawn:
    """Bands with waving or zigzag borders."""
    own = palette(dice)
    colours, count = _colours(dice, own, 5), dice.whole(3, 9)
    turn, height, many = dice.one((0.0, TURN / 4, dice.angle())), dice.between(0.02, 0.12), dice.whole(2, 7)
    pointed, lag = dice.chance(0.3), dice.one((0.0, 0.5, dice.share()))
    canvas = Canvas(size, colours[0])
    for k in range(1, count + 1):
        base = -REACH + k * 2 * REACH / (count + 1)
        xs = [
            -REACH - 0.5 + j * REACH / many / (1 if pointed else 4)
            for j in range((4 * many + 2) * (1 if pointed else 4))
        ]
        edge = [(x, base + height * _swing(j / (2 if pointed else 8) + k * lag, pointed)) for j, x in enumerate(xs)]
        outline = points(*edge, (xs[-1], REACH), (xs[0], REACH))
        canvas.fill(place(outline, 0.5, 0.5, 1.0, turn), colours[k % len(colours)])
    return canvas, f"{count} {'zigzags' if pointed else 'waves'}"


def _swing(turns: float, pointed: bool) -> float:
    if pointed:
        return 1.0 if turns % 1.0 < 0.5 else -1.0
    return math.sin(turns * TURN)


def dots(dice: Dice, size: int) -> Drawn:
    """Dots in rows or offset rows, alike, growing along one side, or of any size."""
    own = palette(dice)
    colours, count = _colours(dice, own, 3)[1:], dice.whole(3, 9)
    kind, name, offset = (
        dice.one(("alike", "growing", "any")),
        dice.one(("disc", "disc", "square", "star", "heart", "cross")),
        dice.chance(0.5),
    )
    shape, direction, turn = SHAPES[name](dice), dice.angle(), dice.one((0.0, dice.angle()))
    cell = 1.0 / count
    canvas = Canvas(size, backdrop(dice, own))
    for r in range(count):
        for c in range(count + 1):
            x, y = (c + 0.5 - 0.5 * (offset and r % 2)) * cell, (r + 0.5) * cell
            along = 0.5 + (x - 0.5) * math.cos(direction) * 0.7 + (y - 0.5) * math.sin(direction) * 0.7
            share = {"alike": 0.36, "growing": 0.06 + 0.5 * along, "any": dice.between(0.1, 0.48)}[kind]
            canvas.fill(place(shape, x, y, cell * share, turn), dice.one(colours))
    return canvas, f"{count} rows of {plural(name)}"


def plaid(dice: Dice, size: int) -> Drawn:
    """Translucent bands that cross."""
    own = palette(dice)
    canvas, turn = Canvas(size, own.ground), dice.one((0.0, 0.0, TURN / 8, dice.angle()))
    bands = [
        (dice.between(-0.6, 0.6), dice.between(0.02, 0.16), dice.one(own.accents)) for _ in range(dice.whole(3, 7))
    ]
    for quarter in (0.0, TURN / 4):
        for middle, width, colour in bands:
            canvas.fill(
                place(rect(-REACH, middle - width / 2, REACH, middle + width / 2), 0.5, 0.5, 1.0, turn + quarter),
                colour,
                0.6,
            )
    return canvas, f"Plaid of {len(bands)} bands each way"


def tiles(dice: Dice, size: int) -> Drawn:
    """Triangles, hexagons or diamonds that fill the picture."""
    own = palette(dice, contrast=24.0)
    count, kind = dice.whole(3, 6), dice.one(("triangles", "hexagons", "diamonds", "half discs"))
    cell, canvas = 1.0 / count, Canvas(size, own.ground)
    colours = _colours(dice, own, 5)
    for r in range(-1, count * 2 + 2):
        for c in range(-1, count + 2):
            x, y = (c + 0.5 * (r % 2)) * cell, r * cell * 0.75
            if kind == "hexagons":
                canvas.fill(place(regular(6), x, y * 1.155, cell * 0.577), dice.one(colours))
            elif kind == "diamonds":
                canvas.fill(
                    place(points((0, -1), (1, 0), (0, 1), (-1, 0)), x, r * cell * 0.5, cell * 0.5), dice.one(colours)
                )
            elif r <= count:
                x, y = c * cell, r * cell
                quarter = dice.whole(0, 3) * TURN / 4
                shape = points((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5)) if kind == "triangles" else _half()
                canvas.fill(place(shape, x + cell / 2, y + cell / 2, cell, quarter), dice.one(colours))
    return canvas, f"Tiles: {kind}"


def _half() -> Shape:
    return [arc(-0.5, 0.0, 1.0, 0.5, -TURN / 4, TURN / 4, 20)]


def mosaic(dice: Dice, size: int) -> Drawn:
    """Each place has the colour of the nearest of a few points."""
    own = palette(dice, contrast=24.0)
    count = dice.whole(5, 16)
    middles = np.array([(dice.share(), dice.share()) for _ in range(count)])
    canvas = Canvas(size, own.ground)
    for k in range(count):
        cell = np.array([(-0.1, -0.1), (1.1, -0.1), (1.1, 1.1), (-0.1, 1.1)])
        for other in range(count):
            if other != k and len(cell):
                cell = _clipped(cell, middles[k], middles[other])
        if len(cell) > 2:
            canvas.fill([cell], own.accents[k % 7] if k % 8 else own.ground)
    return canvas, f"Mosaic of {count} cells"


def _clipped(cell: Contour, middle: Contour, other: Contour) -> Contour:
    """The part of a convex polygon that is nearer to `middle` than to `other`."""
    dx, dy = other - middle
    limit = (other[0] ** 2 - middle[0] ** 2 + other[1] ** 2 - middle[1] ** 2) / 2
    side = cell[:, 0] * dx + cell[:, 1] * dy - limit
    kept: list[Contour] = []
    for k in range(len(cell)):
        after = (k + 1) % len(cell)
        if side[k] <= 0:
            kept.append(cell[k])
        if (side[k] <= 0) != (side[after] <= 0):
            kept.append(cell[k] + (cell[after] - cell[k]) * (side[k] / (side[k] - side[after])))
    return np.array(kept).reshape(-1, 2)


def blocks(dice: Dice, size: int) -> Drawn:
    """A picture cut into rectangles again and again."""
    own = palette(dice, contrast=24.0)
    gap = dice.one((0.0, 0.008, 0.02))
    canvas = Canvas(size, dice.one((own.ground, (20, 20, 24), (250, 250, 246))))
    left = [(0.0, 0.0, 1.0, 1.0)]
    for _ in range(dice.whole(3, 14)):
        left.sort(key=lambda box: -(box[2] - box[0]) * (box[3] - box[1]))
        x0, y0, x1, y1 = left.pop(0)
        share = dice.between(0.3, 0.7)
        if x1 - x0 > y1 - y0:
            left += [(x0, y0, x0 + (x1 - x0) * share, y1), (x0 + (x1 - x0) * share, y0, x1, y1)]
        else:
            left += [(x0, y0, x1, y0 + (y1 - y0) * share), (x0, y0 + (y1 - y0) * share, x1, y1)]
    for x0, y0, x1, y1 in left:
        canvas.fill(rect(x0 + gap, y0 + gap, x1 - gap, y1 - gap), dice.one((own.ground, *own.accents)))
    return canvas, f"{len(left)} rectangles"


def ribbons(dice: Dice, size: int) -> Drawn:
    """Broad curves across the picture."""
    own = palette(dice)
    canvas, count = Canvas(size, backdrop(dice, own)), dice.whole(2, 8)
    for k in range(count):
        knots = [_anywhere(dice) for _ in range(dice.whole(4, 6))]
        canvas.fill(
            ribbon(through(np.array(knots)), dice.between(0.02, 0.11), dice.between(0.01, 0.11)), own.accents[k % 7]
        )
    return canvas, f"{count} curves"


def _anywhere(dice: Dice) -> Point:
    return dice.between(-0.1, 1.1), dice.between(-0.1, 1.1)


def sticks(dice: Dice, size: int) -> Drawn:
    """Straight lines: any way, in one direction, or crossing in two."""
    own = palette(dice)
    canvas, count = Canvas(size, backdrop(dice, own)), dice.whole(4, 22)
    kind, turn, width = dice.one(("any", "one", "two")), dice.angle(), dice.between(0.01, 0.06)
    for k in range(count):
        angle = {"any": dice.angle(), "one": turn, "two": turn + (k % 2) * TURN / 4}[kind]
        half, (x, y) = dice.between(0.08, 0.5), (dice.share(), dice.share())
        dx, dy = half * math.cos(angle), half * math.sin(angle)
        canvas.fill(
            ribbon(np.array([(x - dx, y - dy), (x + dx, y + dy)]), width * dice.between(0.5, 1.5)),
            dice.one(own.accents),
        )
    return canvas, f"{count} lines"


def spots(dice: Dice, size: int) -> Drawn:
    """Round spots with soft outlines, as of a hide or of water."""
    own = palette(dice)
    canvas, count = Canvas(size, backdrop(dice, own)), dice.whole(4, 16)
    for _ in range(count):
        x, y, radius, knots = dice.share(), dice.share(), dice.between(0.05, 0.2), dice.whole(5, 8)
        away = [radius * dice.between(0.6, 1.1) for _ in range(knots)]
        outline = [(x + r * math.cos(k * TURN / knots), y + r * math.sin(k * TURN / knots)) for k, r in enumerate(away)]
        canvas.fill(smooth(outline), dice.one(own.accents))
    return canvas, f"{count} spots"


def confetti(dice: Dice, size: int) -> Drawn:
    """Many small shapes."""
    own = palette(dice)
    canvas, count = Canvas(size, backdrop(dice, own)), dice.whole(20, 60)
    shapes = [SHAPES[name](dice) for name in dice.some(list(SHAPES), dice.whole(1, 3))]
    for _ in range(count):
        canvas.fill(
            place(dice.one(shapes), dice.share(), dice.share(), dice.between(0.015, 0.05), dice.angle()),
            dice.one(own.accents),
        )
    return canvas, f"{count} small shapes"


def snail(dice: Dice, size: int) -> Drawn:
    """A band that winds around a point."""
    own = palette(dice)
    turns, start, reach = dice.between(1.5, 4.5), dice.angle(), dice.between(0.35, 0.62)
    count = int(turns * 28)
    path = [
        (
            0.5 + reach * k / count * math.cos(start + turns * TURN * k / count),
            0.5 + reach * k / count * math.sin(start + turns * TURN * k / count),
        )
        for k in range(2, count)
    ]
    canvas = Canvas(size, backdrop(dice, own))
    width = reach / turns * dice.between(0.25, 0.6)
    canvas.fill(ribbon(np.array(path), width * dice.between(0.3, 1.0), width), own.accents[0])
    return canvas, f"A winding band of {turns:.1f} turns"


def rosette(dice: Dice, size: int) -> Drawn:
    """Petals or points around a middle, in layers."""
    own = palette(dice)
    canvas, layers = Canvas(size, backdrop(dice, own)), dice.whole(2, 4)
    for k in range(layers):
        radius, count = 0.48 * (1 - k / layers), dice.whole(5, 16)
        turn, colour = dice.angle(), own.accents[k]
        if dice.chance(0.5):
            canvas.fill(place(star(count, dice.between(0.5, 0.85)), 0.5, 0.5, radius, turn), colour)
        else:
            for j in range(count):
                angle = turn + j * TURN / count
                spot = (0.5 + radius * 0.6 * math.cos(angle), 0.5 + radius * 0.6 * math.sin(angle))
                canvas.fill(
                    place(disc(0, 0, 1, 0.45), *spot, radius * 0.4, angle), mix(colour, own.ground, 0.15 * (j % 2))
                )
    canvas.fill(disc(0.5, 0.5, dice.between(0.04, 0.1)), own.accents[-1])
    return canvas, f"A rosette of {layers} layers"


PATTERNS: dict[Callable[[Dice, int], Drawn], float] = {
    stripes: 2.0,
    checks: 2.0,
    rings: 2.0,
    rays: 1.5,
    gradient: 2.5,
    waves: 2.0,
    dots: 1.5,
    plaid: 1.5,
    tiles: 1.5,
    mosaic: 2.0,
    blocks: 2.0,
    ribbons: 2.0,
    sticks: 1.5,
    spots: 1.5,
    confetti: 1.0,
    snail: 1.0,
    rosette: 1.5,
}
"""How they are drawn, and how often."""
