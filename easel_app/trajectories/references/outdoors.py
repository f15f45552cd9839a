"""Scenes out of doors: land, water, towns, what drives and what flies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from easel_app.trajectories.references.colours import darker, hsv, lighter, mix
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.layouts import Drawn, counted
from easel_app.trajectories.references.raster import Canvas, Colour, Shape, linear, radial
from easel_app.trajectories.references.shapes import (
    TURN,
    arc,
    bezier,
    crescent,
    disc,
    drop,
    place,
    points,
    rect,
    ribbon,
    rounded,
    star,
)

Sky = tuple[Canvas, Colour]


def _sky(dice: Dice, size: int) -> Sky:
    """A canvas with a sky by day, at dusk or at night, and the colour of its light."""
    kind = dice.weighted({"day": 3.0, "dusk": 2.0, "night": 1.5, "grey": 1.0, "free": 1.5})
    top, bottom, light = {
        "day": (hsv(0.58, dice.between(0.4, 0.8), 0.85), hsv(0.55, 0.15, 0.97), hsv(0.14, 0.6, 1.0)),
        "dusk": (
            hsv(dice.between(0.7, 0.95), 0.5, 0.55),
            hsv(dice.between(0.02, 0.1), 0.65, 0.97),
            hsv(0.08, 0.8, 1.0),
        ),
        "night": (hsv(0.66, 0.7, 0.12), hsv(0.62, 0.6, 0.35), hsv(0.15, 0.15, 0.97)),
        "grey": (hsv(0.6, 0.08, 0.6), hsv(0.6, 0.04, 0.88), hsv(0.1, 0.1, 0.98)),
        "free": (hsv(dice.share(), 0.45, 0.8), hsv(dice.share(), 0.3, 0.92), hsv(dice.share(), 0.5, 1.0)),
    }[kind]
    canvas = Canvas(size, linear((0, 0), (0, 1), top, bottom) if dice.chance(0.75) else mix(top, bottom, 0.5))
    x, y, r = dice.between(0.1, 0.9), dice.between(0.08, 0.35), dice.between(0.04, 0.13)
    if kind == "night":
        for _ in range(dice.whole(5, 22)):
            canvas.fill(disc(dice.share(), dice.between(0, 0.6), dice.between(0.004, 0.012)), light)
        canvas.fill(
            place(crescent(0.35), x, y, r, dice.between(-0.6, 0.6)) if dice.chance(0.6) else disc(x, y, r), light
        )
    elif kind != "grey" and dice.chance(0.7):
        canvas.fill(disc(x, y, r), light)
    if kind != "night" and dice.chance(0.45):
        for _ in range(dice.whole(1, 3)):
            _cloud(
                canvas,
                dice,
                dice.between(0.1, 0.9),
                dice.between(0.08, 0.4),
                dice.between(0.06, 0.13),
                lighter(bottom, 0.7),
            )
    return canvas, light


def _cloud(canvas: Canvas, dice: Dice, x: float, y: float, r: float, colour: Colour) -> None:
    for dx, dy, share in ((-1.0, 0.1, 0.6), (0.0, -0.2, 1.0), (1.0, 0.1, 0.65)):
        canvas.fill(disc(x + dx * r, y + dy * r, r * share), colour)
    canvas.fill(rounded(x - 1.6 * r, y, x + 1.6 * r, y + 0.7 * r, 0.35 * r), colour)


def _ridge(dice: Dice, base: float, height: float, knots: int, pointed: bool) -> Shape:
    """All that lies below a line of hills or peaks across the picture."""
    xs = [-0.1 + 1.2 * k / knots for k in range(knots + 1)]
    line = [(x, base - height * dice.share()) for x in xs]
    if pointed:
        return points(*line, (1.1, 1.1), (-0.1, 1.1))
    path = np.vstack(
        [bezier(_middle(a, b), b, _middle(b, c), 10) for a, b, c in zip(line, line[1:], line[2:], strict=False)]
    )
    return [np.vstack([[[-0.2, line[0][1]]], path, [[1.2, line[-1][1]], [1.2, 1.1], [-0.2, 1.1]]])]


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _tree(canvas: Canvas, dice: Dice, x: float, foot: float, height: float) -> None:
    kind, green = (
        dice.one(("round", "fir", "tall")),
        hsv(dice.between(0.2, 0.45), dice.between(0.4, 0.9), dice.between(0.2, 0.65)),
    )
    if dice.chance(0.2):
        green = hsv(dice.between(0.02, 0.12), 0.8, dice.between(0.6, 0.9))
    canvas.fill(
        rect(x - height * 0.05, foot - height * 0.4, x + height * 0.05, foot), hsv(0.07, 0.5, dice.between(0.2, 0.45))
    )
    if kind == "fir":
        for k in range(3):
            top, half = foot - height * (1.0 - 0.22 * k), height * (0.16 + 0.07 * k)
            canvas.fill(points((x, top), (x + half, top + height * 0.38), (x - half, top + height * 0.38)), green)
    elif kind == "tall":
        canvas.fill(disc(x, foot - height * 0.6, height * 0.15, height * 0.42), green)
    else:
        canvas.fill(disc(x, foot - height * 0.68, height * 0.3), green)
        canvas.fill(disc(x - height * 0.07, foot - height * 0.76, height * 0.16), lighter(green, 0.2))


def _house(canvas: Canvas, dice: Dice, x: float, foot: float, wide: float, high: float) -> None:
    wall, roof = (
        hsv(dice.share(), dice.between(0.05, 0.5), dice.between(0.6, 1.0)),
        hsv(dice.between(0.95, 1.1), dice.between(0.3, 0.8), dice.between(0.3, 0.7)),
    )
    canvas.fill(rect(x - wide / 2, foot - high, x + wide / 2, foot), wall)
    if dice.chance(0.4):
        canvas.fill(rect(x + wide * 0.2, foot - high * 1.5, x + wide * 0.32, foot - high), darker(roof, 0.3))
    peak = foot - high - wide * dice.between(0.3, 0.55)
    canvas.fill(points((x - wide * 0.6, foot - high), (x, peak), (x + wide * 0.6, foot - high)), roof)
    glass = dice.one((hsv(0.14, 0.6, 1.0), hsv(0.55, 0.35, 0.85), (40, 44, 60)))
    canvas.fill(rect(x - wide * 0.1, foot - high * 0.5, x + wide * 0.1, foot), darker(wall, 0.55))
    for side in (-1, 1):
        middle = x + side * wide * 0.3
        canvas.fill(rect(middle - wide * 0.09, foot - high * 0.75, middle + wide * 0.09, foot - high * 0.45), glass)


def hills(dice: Dice, size: int) -> Drawn:
    """Hills or mountains, one behind the other, perhaps with trees and houses."""
    canvas, light = _sky(dice, size)
    count, pointed = dice.whole(2, 4), dice.chance(0.4)
    far, near = hsv(dice.between(0.45, 0.75), 0.3, 0.7), hsv(dice.between(0.2, 0.42), 0.6, dice.between(0.25, 0.6))
    if dice.chance(0.25):
        far, near = mix(light, far, 0.5), hsv(dice.share(), 0.6, 0.4)
    for k in range(count):
        canvas.fill(
            _ridge(dice, 0.55 + 0.4 * k / count, 0.34 - 0.2 * k / count, dice.whole(4, 7), pointed and k < count - 1),
            mix(far, near, k / (count - 1)),
        )
    trees = dice.whole(0, 5)
    for _ in range(trees):
        _tree(canvas, dice, dice.between(0.05, 0.95), dice.between(0.82, 0.98), dice.between(0.14, 0.34))
    if dice.chance(0.4):
        _house(
            canvas,
            dice,
            dice.between(0.2, 0.8),
            dice.between(0.85, 0.95),
            dice.between(0.16, 0.3),
            dice.between(0.1, 0.18),
        )
    name = "Mountains" if pointed else "Hills"
    return canvas, f"{name} and {counted(trees, 'tree')}" if trees else name


def sea(dice: Dice, size: int) -> Drawn:
    """Water to the horizon, with boats, and a shore now and then."""
    canvas, light = _sky(dice, size)
    horizon, water = (
        dice.between(0.4, 0.65),
        hsv(dice.between(0.48, 0.64), dice.between(0.4, 0.85), dice.between(0.35, 0.8)),
    )
    canvas.fill(rect(0, horizon, 1, 1), linear((0, horizon), (0, 1), lighter(water, 0.25), darker(water, 0.35)))
    if dice.chance(0.4):
        x = dice.share()
        for k in range(5):
            canvas.fill(
                rect(x - 0.03 - 0.02 * k, horizon + 0.03 + 0.05 * k, x + 0.03 + 0.02 * k, horizon + 0.045 + 0.05 * k),
                light,
                0.6,
            )
    boats = dice.whole(1, 3)
    for _ in range(boats):
        y = dice.between(horizon + 0.02, 0.88)
        scale = 0.05 + 0.24 * (y - horizon)
        _boat(canvas, dice, dice.between(0.12, 0.88), y, scale * dice.between(0.9, 1.5))
    if dice.chance(0.35):
        sand = hsv(0.11, 0.35, 0.9)
        canvas.fill(_ridge(dice, 0.97, 0.1, 5, False), sand)
    return canvas, f"{counted(boats, 'boat').capitalize()} at sea"


def _boat(canvas: Canvas, dice: Dice, x: float, y: float, s: float) -> None:
    hull, sail = (
        hsv(dice.share(), 0.6, dice.between(0.25, 0.8)),
        lighter(hsv(dice.share(), 0.7, 1.0), dice.between(0.2, 0.95)),
    )
    canvas.fill(rect(x - 0.05 * s, y - 1.8 * s, x + 0.05 * s, y), darker(hull, 0.5))
    canvas.fill(points((x + 0.1 * s, y - 1.75 * s), (x + 0.1 * s, y - 0.15 * s), (x + 0.95 * s, y - 0.15 * s)), sail)
    if dice.chance(0.6):
        canvas.fill(
            points((x - 0.1 * s, y - 1.4 * s), (x - 0.1 * s, y - 0.15 * s), (x - 0.7 * s, y - 0.15 * s)),
            darker(sail, 0.12),
        )
    canvas.fill(points((x - s, y), (x + s, y), (x + 0.65 * s, y + 0.45 * s), (x - 0.65 * s, y + 0.45 * s)), hull)


def town(dice: Dice, size: int) -> Drawn:
    """Towers side by side, with lit windows, or a street of houses."""
    canvas, light = _sky(dice, size)
    if dice.chance(0.4):
        count = dice.whole(2, 4)
        ground = dice.between(0.8, 0.92)
        canvas.fill(rect(0, ground, 1, 1), hsv(dice.between(0.1, 0.4), dice.between(0.1, 0.5), dice.between(0.3, 0.7)))
        for k in range(count):
            _house(
                canvas, dice, (k + 0.5) / count, ground, 0.8 / count * dice.between(0.8, 1.05), dice.between(0.2, 0.34)
            )
        return canvas, f"{counted(count, 'house').capitalize()} in a row"
    wall, x, count = hsv(dice.share(), dice.between(0.0, 0.4), dice.between(0.12, 0.55)), -0.04, 0
    while x < 1.0:
        wide, top = dice.between(0.1, 0.24), dice.between(0.25, 0.75)
        colour = mix(wall, light, dice.between(0.0, 0.25))
        canvas.fill(rect(x, top, x + wide, 1), colour)
        many = max(1, int(wide / 0.05))
        for c in range(many):
            for r in range(int((0.98 - top) / 0.085)):
                if dice.chance(0.55):
                    left, high = x + wide * (c + 0.25) / many, top + 0.03 + r * 0.085
                    canvas.fill(
                        rect(left, high, left + wide * 0.5 / many, high + 0.045), dice.one((light, darker(colour, 0.4)))
                    )
        x, count = x + wide + dice.one((0.0, 0.02)), count + 1
    return canvas, f"{counted(count, 'tower').capitalize()} of a town"


def vehicle(dice: Dice, size: int) -> Drawn:
    """A car, a lorry or a train on a road."""
    canvas, _ = _sky(dice, size)
    road = dice.between(0.68, 0.82)
    canvas.fill(rect(0, road, 1, 1), hsv(dice.between(0.05, 0.4), dice.between(0.05, 0.5), dice.between(0.25, 0.6)))
    colour, x, s = (
        hsv(dice.share(), dice.between(0.5, 1.0), dice.between(0.5, 1.0)),
        dice.between(0.42, 0.58),
        dice.between(0.26, 0.36),
    )
    kind = dice.one(("car", "lorry", "train"))
    floor, glass = road + 0.02, hsv(0.55, 0.2, 0.92)
    wheels: Sequence[float] = (-0.6, 0.6)
    if kind == "car":
        canvas.fill(rounded(x - s, floor - s * 0.6, x + s, floor, s * 0.18), colour)
        canvas.fill(
            points(
                (x - s * 0.6, floor - s * 0.55),
                (x - s * 0.35, floor - s),
                (x + s * 0.3, floor - s),
                (x + s * 0.6, floor - s * 0.55),
            ),
            darker(colour, 0.2),
        )
        canvas.fill(
            points(
                (x - s * 0.45, floor - s * 0.58),
                (x - s * 0.28, floor - s * 0.9),
                (x - s * 0.04, floor - s * 0.9),
                (x - s * 0.04, floor - s * 0.58),
            ),
            glass,
        )
        canvas.fill(
            points(
                (x + s * 0.04, floor - s * 0.58),
                (x + s * 0.04, floor - s * 0.9),
                (x + s * 0.25, floor - s * 0.9),
                (x + s * 0.43, floor - s * 0.58),
            ),
            glass,
        )
    elif kind == "lorry":
        canvas.fill(rect(x - s, floor - s * 1.15, x + s * 0.35, floor), hsv(dice.share(), 0.2, 0.9))
        canvas.fill(rounded(x + s * 0.42, floor - s * 0.8, x + s * 1.05, floor, s * 0.1), colour)
        canvas.fill(rect(x + s * 0.65, floor - s * 0.7, x + s * 0.98, floor - s * 0.42), glass)
        wheels = (-0.65, -0.25, 0.7)
    else:
        canvas.fill(rounded(x - s * 1.1, floor - s * 0.55, x + s, floor, s * 0.2), colour)
        canvas.fill(rect(x - s * 1.1, floor - s * 1.1, x - s * 0.3, floor), darker(colour, 0.25))
        canvas.fill(rect(x - s * 0.95, floor - s * 0.98, x - s * 0.48, floor - s * 0.62), glass)
        canvas.fill(rect(x + s * 0.5, floor - s * 1.0, x + s * 0.72, floor - s * 0.5), darker(colour, 0.5))
        wheels = (-0.8, -0.3, 0.2, 0.7)
    for at in wheels:
        canvas.fill(disc(x + at * s, floor, s * 0.21), (28, 28, 32))
        canvas.fill(disc(x + at * s, floor, s * 0.09), (190, 190, 195))
    return canvas, f"A {kind}"


def balloons(dice: Dice, size: int) -> Drawn:
    """Balloons or kites in the sky."""
    canvas, _ = _sky(dice, size)
    count, kites = dice.whole(1, 5), dice.chance(0.3)
    for k in range(count):
        r = min(0.17, 0.4 / count) * dice.between(0.7, 1.1)
        x, y = (k + 0.5) / count + dice.between(-0.04, 0.04), dice.between(0.2, 0.6)
        colour = hsv(dice.share(), dice.between(0.6, 1.0), dice.between(0.7, 1.0))
        canvas.fill(
            ribbon(
                bezier(
                    (x, y + r),
                    (x + dice.between(-0.1, 0.1), y + r + 0.15),
                    (x + dice.between(-0.05, 0.05), min(1.05, y + r + 0.45)),
                ),
                0.01,
            ),
            (90, 90, 90),
        )
        if kites:
            canvas.fill(
                place(points((0, -1.2), (0.8, 0), (0, 1.2), (-0.8, 0)), x, y, r, dice.between(-0.6, 0.6)), colour
            )
        else:
            canvas.fill(
                place(drop(), x, y, r * 1.25, TURN / 2),
                radial((x - r * 0.4, y - r * 0.5), r * 2, lighter(colour, 0.6), colour, darker(colour, 0.4)),
            )
    return canvas, f"{counted(count, 'kite' if kites else 'balloon').capitalize()}"


def night_sky(dice: Dice, size: int) -> Drawn:
    """Planets and stars, or a rocket among them."""
    dark = hsv(dice.between(0.6, 0.9), 0.7, dice.between(0.06, 0.25))
    canvas, planets = Canvas(size, linear((0, 0), (1, 1), dark, lighter(dark, 0.12))), dice.whole(1, 3)
    for _ in range(dice.whole(8, 30)):
        canvas.fill(place(star(4, 0.3), dice.share(), dice.share(), dice.between(0.008, 0.03), 0), lighter(dark, 0.85))
    for k in range(planets):
        x, y, r = (
            (k + 0.5) / planets + dice.between(-0.08, 0.08),
            dice.between(0.25, 0.75),
            0.3 / (planets + 0.4) * dice.between(0.6, 1.1),
        )
        colour = hsv(dice.share(), dice.between(0.3, 0.9), dice.between(0.6, 1.0))
        canvas.fill(
            disc(x, y, r),
            radial((x - r * 0.4, y - r * 0.4), r * 1.9, lighter(colour, 0.4), colour, darker(colour, 0.7)),
        )
        if dice.chance(0.4):
            path = arc(0, 0, r * 1.7, r * 0.4, -0.35, TURN / 2 + 0.35, 40)
            canvas.fill(place(ribbon(path, r * 0.14), x, y, 1.0, dice.between(-0.5, 0.5)), lighter(colour, 0.5))
    return canvas, f"{counted(planets, 'planet').capitalize()} among stars"


OUTDOORS: dict[Callable[[Dice, int], Drawn], float] = {
    hills: 3.0,
    sea: 2.0,
    town: 2.0,
    vehicle: 2.0,
    balloons: 1.0,
    night_sky: 1.0,
}
"""How they are drawn, and how often."""
