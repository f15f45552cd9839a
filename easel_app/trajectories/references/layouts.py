"""Pictures of shapes: one, or several in a layout."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np

from easel_app.trajectories.references.colours import Palette, backdrop, darker, lighter, palette
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.raster import Canvas, Colour, Paint, Shape, linear, radial
from easel_app.trajectories.references.shapes import (
    SHAPES,
    SIMPLE,
    TURN,
    disc,
    join,
    mirrored,
    place,
    points,
    rect,
    ribbon,
)

Drawn = tuple[Canvas, str]
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def titled(names: list[str]) -> str:
    """Shapes in words, such as `Two discs and one star`."""
    parts = [counted(count, name) for name, count in Counter(names).items()]
    text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return text[0].upper() + text[1:]


def counted(count: int, name: str) -> str:
    """A number and a name, such as `two boats`."""
    return f"{_number(count)} {name if count == 1 else plural(name)}"


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def plural(name: str) -> str:
    """The name of several."""
    if name == "trapezium":
        return "trapezia"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def body(dice: Dice, colour: Colour, x: float, y: float, radius: float) -> Paint:
    """A colour, now and then shaded as if light fell on it."""
    kind = dice.weighted({"flat": 5.0, "lit": 1.0, "fading": 1.0})
    if kind == "lit":
        return radial(
            (x - radius * 0.35, y - radius * 0.4), radius * 1.7, lighter(colour, 0.6), colour, darker(colour, 0.5)
        )
    if kind == "fading":
        turn = dice.angle()
        dx, dy = radius * math.cos(turn), radius * math.sin(turn)
        return linear((x - dx, y - dy), (x + dx, y + dy), lighter(colour, 0.35), darker(colour, 0.35))
    return colour


def _turn(dice: Dice, name: str) -> float:
    return 0.0 if name in ("disc", "ring") or dice.chance(0.4) else dice.angle()


def _lay(
    canvas: Canvas, dice: Dice, shape: Shape, own: Palette, spot: tuple[float, float, float], opacity: float = 1.0
) -> None:
    x, y, radius = spot
    colour = dice.one(own.accents)
    if opacity == 1.0 and dice.chance(0.12):
        canvas.fill(place(shape, x, y, 1.0), darker(colour, 0.6))
        shape = [contour * 0.88 for contour in shape]
    canvas.fill(place(shape, x, y, 1.0), body(dice, colour, x, y, radius), opacity)


def single(dice: Dice, size: int) -> Drawn:
    """One shape, large or small, anywhere."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    name = dice.one(list(SHAPES))
    radius = dice.between(0.12, 0.46)
    x, y = (0.5 + (0.5 - min(radius, 0.42)) * dice.between(-0.9, 0.9) for _ in range(2))
    _lay(canvas, dice, place(SHAPES[name](dice), 0, 0, radius, _turn(dice, name)), own, (x, y, radius))
    return canvas, titled([name])


def scattered(dice: Dice, size: int) -> Drawn:
    """Several shapes that do not touch."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    wanted, small = dice.whole(2, 9), dice.between(0.05, 0.1)
    choice = dice.some(list(SHAPES), dice.whole(1, 4))
    spots: list[tuple[float, float, float]] = []
    for _ in range(60):
        radius = dice.between(small, 0.5 / (1 + wanted**0.5) + 0.06)
        x, y = dice.between(radius, 1 - radius), dice.between(radius, 1 - radius)
        if all((x - a) ** 2 + (y - b) ** 2 > (radius + r + 0.015) ** 2 for a, b, r in spots):
            spots.append((x, y, radius))
        if len(spots) == wanted:
            break
    names = [dice.one(choice) for _ in spots]
    for name, spot in zip(names, spots, strict=True):
        _lay(canvas, dice, place(SHAPES[name](dice), 0, 0, spot[2], _turn(dice, name)), own, spot)
    return canvas, titled(names)


def overlapping(dice: Dice, size: int) -> Drawn:
    """Shapes over each other, often translucent."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    names = [dice.one(list(SIMPLE)) for _ in range(dice.whole(2, 7))]
    opacity = dice.one((1.0, 1.0, 0.75, 0.55))
    for name in names:
        spot = (dice.between(0.2, 0.8), dice.between(0.2, 0.8), dice.between(0.12, 0.36))
        _lay(canvas, dice, place(SIMPLE[name](dice), 0, 0, spot[2], _turn(dice, name)), own, spot, opacity)
    return canvas, f"{titled(names)}, over each other"


def row(dice: Dice, size: int) -> Drawn:
    """Shapes in a line: of one size, growing, or swinging."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    count = dice.whole(3, 7)
    alike = dice.chance(0.6)
    names = [dice.one(list(SHAPES))] * count if alike else [dice.one(list(SHAPES)) for _ in range(count)]
    growing, swing, slope = dice.chance(0.35), dice.one((0.0, 0.0, 0.18)), dice.one((0.0, 0.0, 0.5, -0.5))
    turn = dice.one((0.0, dice.angle()))
    for k, name in enumerate(names):
        share = (k + 0.5) / count
        radius = 0.42 / count * (0.45 + share if growing else 1.0)
        y = 0.5 + slope * (share - 0.5) + swing * (1 if k % 2 else -1)
        _lay(canvas, dice, place(SHAPES[name](dice), 0, 0, radius, turn), own, (share, y, radius))
    return canvas, f"{titled(names)} in a row"


def grid(dice: Dice, size: int) -> Drawn:
    """Shapes in rows and columns; some are missing or different."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    columns, rows = dice.whole(2, 5), dice.whole(2, 5)
    name, odd = dice.some(list(SHAPES), 2)
    shape, other = SHAPES[name](dice), SHAPES[odd](dice)
    kind = dice.weighted({"all": 3.0, "odd": 2.0, "gaps": 2.0, "colours": 2.0})
    radius, exception = 0.4 / max(columns, rows), dice.whole(0, columns * rows - 1)
    colours = dice.some(own.accents, 7 if kind == "colours" else 1)
    turn, count = dice.one((0.0, dice.angle())), 0
    for k in range(columns * rows):
        if kind == "gaps" and dice.chance(0.3):
            continue
        chosen, colour = (other, own.accents[-1]) if kind == "odd" and k == exception else (shape, dice.one(colours))
        x, y = (k % columns + 0.5) / columns, (k // columns + 0.5) / rows
        canvas.fill(place(chosen, x, y, radius, turn), colour)
        count += 1
    title = titled([name] * count) if count else "An empty grid"
    return canvas, f"{title} in a grid{f', and one {odd}' if kind == 'odd' else ''}"


def wreath(dice: Dice, size: int) -> Drawn:
    """Shapes around a middle."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    count, name = dice.whole(3, 12), dice.one(list(SHAPES))
    shape, away = SHAPES[name](dice), dice.between(0.24, 0.36)
    radius = min(0.48 - away + 0.06, away * math.sin(math.pi / count) * dice.between(0.6, 1.1))
    start, outward = dice.angle(), dice.chance(0.6)
    colours = dice.some(own.accents, dice.whole(1, 3))
    for k in range(count):
        angle = start + k * TURN / count
        spot = (0.5 + away * math.cos(angle), 0.5 + away * math.sin(angle))
        canvas.fill(place(shape, *spot, radius, angle if outward else 0.0), colours[k % len(colours)])
    if dice.chance(0.5):
        inner = dice.one(list(SIMPLE))
        canvas.fill(place(SIMPLE[inner](dice), 0.5, 0.5, (away - radius) * 0.8, dice.angle()), own.accents[-1])
    return canvas, f"{titled([name] * count)} in a circle"


def nested(dice: Dice, size: int) -> Drawn:
    """A shape inside itself, and again; turned or moved a little each time."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    name = dice.one(
        ["disc", "square", "triangle", "diamond", "hexagon", "heart", "star", "drop", "rounded square", "octagon"]
    )
    shape, count = SHAPES[name](dice), dice.whole(3, 7)
    turn, step = dice.one((0.0, dice.angle())), dice.one((0.0, 0.0, dice.between(0.05, 0.4)))
    dx, dy, shrink = dice.between(-0.05, 0.05), dice.between(-0.05, 0.05), dice.between(0.62, 0.84)
    radius, x, y = dice.between(0.36, 0.5), 0.5, 0.5
    for k in range(count):
        canvas.fill(place(shape, x, y, radius, turn + k * step), own.accents[k % len(own.accents)])
        radius, x, y = radius * shrink, x + dx * radius, y + dy * radius
    return canvas, f"{titled([name] * count)}, one inside the other"


def stack(dice: Dice, size: int) -> Drawn:
    """Blocks on each other, on a floor."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    floor = dice.between(0.78, 0.94)
    canvas.fill(rect(0, floor, 1, 1), darker(own.ground, 0.25) if sum(own.ground) > 200 else lighter(own.ground, 0.25))
    count = dice.whole(3, 6)
    height, y, middle = (floor - 0.06) / count, floor, dice.between(0.4, 0.6)
    names = []
    for k in range(count):
        half = dice.between(0.09, 0.3) * (1 - 0.08 * k)
        name = dice.one(("block", "block", "drum", "wedge")) if k < count - 1 else dice.one(("ball", "roof", "block"))
        canvas.fill(
            _brick(name, middle, y, half, height), body(dice, dice.one(own.accents), middle, y - height / 2, half)
        )
        names.append(name)
        y -= height
        middle += dice.between(-0.05, 0.05)
    return canvas, f"{titled(names)}, one on the other"


def _brick(name: str, x: float, y: float, half: float, height: float) -> Shape:
    """One block that stands on y, named by its form."""
    top, left, right = y - height, x - half, x + half
    if name == "ball":
        return disc(x, y - height / 2, height / 2)
    if name == "roof":
        return points((x, top), (right, y), (left, y))
    if name == "wedge":
        return points((x - half * 0.6, top), (x + half * 0.6, top), (right, y), (left, y))
    if name == "drum":
        return join([rect(left, top, right, y), disc(x, top, half, height * 0.18)])
    return rect(left, top, right, y)


def symmetric(dice: Dice, size: int) -> Drawn:
    """Shapes and their mirror images."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    names = [dice.one(list(SHAPES)) for _ in range(dice.whole(2, 5))]
    for name in names:
        radius = dice.between(0.06, 0.2)
        shape = place(SHAPES[name](dice), dice.between(0.1, 0.46), dice.between(0.12, 0.88), radius, dice.angle())
        colour = dice.one(own.accents)
        canvas.fill(shape, colour)
        canvas.fill(mirrored(shape), colour)
    return canvas, f"{titled(names)}, and their mirror images"


def linked(dice: Dice, size: int) -> Drawn:
    """Discs joined by lines: a graph."""
    own = palette(dice)
    canvas = Canvas(size, backdrop(dice, own))
    count = dice.whole(4, 8)
    spots: list[tuple[float, float]] = []
    for _ in range(80):
        x, y = dice.between(0.12, 0.88), dice.between(0.12, 0.88)
        if len(spots) < count and all((x - a) ** 2 + (y - b) ** 2 > 0.05 for a, b in spots):
            spots.append((x, y))
    width = dice.between(0.012, 0.04)
    for k in range(1, len(spots)):
        near = min(range(k), key=lambda j: (spots[j][0] - spots[k][0]) ** 2 + (spots[j][1] - spots[k][1]) ** 2)
        canvas.fill(ribbon(np.array([spots[near], spots[k]]), width), own.accents[0])
    name = dice.one(("disc", "square", "diamond", "hexagon"))
    for k, (x, y) in enumerate(spots):
        canvas.fill(place(SIMPLE[name](dice), x, y, dice.between(0.045, 0.09)), own.accents[1 + k % 3])
    return canvas, f"{titled([name] * len(spots))} joined by lines"


LAYOUTS: dict[Callable[[Dice, int], Drawn], float] = {
    single: 4.0,
    scattered: 5.0,
    overlapping: 4.0,
    row: 2.0,
    grid: 2.0,
    wreath: 2.0,
    nested: 1.5,
    stack: 2.0,
    symmetric: 1.5,
    linked: 1.0,
}
"""How they are drawn, and how often."""
