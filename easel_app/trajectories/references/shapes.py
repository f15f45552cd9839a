"""Shapes about the origin, of a radius of about 1, and how they are laid on a picture.

All contours of a shape run clockwise, except the inner border of a ring, which cuts its hole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.raster import Contour, Shape

Point = tuple[float, float]
TURN = 2.0 * math.pi


def points(*given: Point) -> Shape:
    """A polygon."""
    return [np.array(given, np.float64)]


def arc(cx: float, cy: float, rx: float, ry: float, start: float = 0.0, end: float = TURN, count: int = 48) -> Contour:
    """Points along an elliptical arc, both ends included; radians, clockwise on the screen from the x axis."""
    steps = [start + (end - start) * k / (count - 1) for k in range(count)]
    return np.array([(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in steps])


def disc(cx: float = 0.0, cy: float = 0.0, rx: float = 1.0, ry: float | None = None) -> Shape:
    """A circle, or an ellipse."""
    return [arc(cx, cy, rx, rx if ry is None else ry)[:-1]]


def rect(left: float, top: float, right: float, bottom: float) -> Shape:
    """An upright rectangle."""
    return points((left, top), (right, top), (right, bottom), (left, bottom))


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Shape:
    """A rectangle with round corners."""
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    middles = ((right - r, bottom - r), (left + r, bottom - r), (left + r, top + r), (right - r, top + r))
    return [np.vstack([arc(x, y, r, r, k * TURN / 4, (k + 1) * TURN / 4, 9) for k, (x, y) in enumerate(middles)])]


def regular(sides: int) -> Shape:
    """A regular polygon with a vertex at the top."""
    return [arc(0, 0, 1, 1, -TURN / 4, TURN * 3 / 4, sides + 1)[:-1]]


def star(tips: int, inner: float) -> Shape:
    """A star with a tip at the top; `inner` is the share of the radius in its notches."""
    both = arc(0, 0, 1, 1, -TURN / 4, TURN * 3 / 4, 2 * tips + 1)[:-1]
    both[1::2] *= inner
    return [both]


def ring(inner: float) -> Shape:
    """A disc with a hole of that share of its radius."""
    return [arc(0, 0, 1, 1)[:-1], arc(0, 0, inner, inner)[:-1][::-1]]


def sector(start: float, end: float) -> Shape:
    """A slice of a disc between two angles."""
    return [np.vstack([[[0.0, 0.0]], arc(0, 0, 1, 1, start, end)])]


def crescent(share: float) -> Shape:
    """A moon: what a disc moved to the right leaves of a disc; `share` of its width stays."""
    outer = arc(0, 0, 1, 1, TURN / 4, TURN * 3 / 4)
    inner = arc(0, 0, 1 - 2 * share, 1, TURN * 3 / 4, TURN / 4)
    return [np.vstack([outer, inner[1:-1]])]


def cross(arm: float) -> Shape:
    """A plus sign; `arm` is half the width of its arms."""
    a = arm
    return points(
        (-a, -1), (a, -1), (a, -a), (1, -a), (1, a), (a, a), (a, 1), (-a, 1), (-a, a), (-1, a), (-1, -a), (-a, -a)
    )


def arrow(shaft: float, head: float) -> Shape:
    """An arrow to the right; half the width of its shaft, and how long its head is."""
    x = 1 - head
    return points((-1, -shaft), (x, -shaft), (x, -0.75), (1, 0), (x, 0.75), (x, shaft), (-1, shaft))


def heart() -> Shape:
    """A heart."""
    left = arc(-0.48, -0.3, 0.52, 0.52, TURN / 2 - 0.55, TURN, 24)
    right = arc(0.48, -0.3, 0.52, 0.52, TURN / 2, TURN + 0.55, 24)
    return [np.vstack([left, right, [[0.0, 0.95]]])]


def drop() -> Shape:
    """A drop with its tip at the top."""
    return [np.vstack([[[0.0, -1.0]], arc(0, 0.35, 0.62, 0.62, -0.5, TURN / 2 + 0.5, 32)])]


def lens(width: float) -> Shape:
    """A pointed oval, upright; half its width."""
    return [np.vstack([bezier((0, -1), (2 * width, 0), (0, 1)), bezier((0, 1), (-2 * width, 0), (0, -1))[1:-1]])]


def gear(teeth: int) -> Shape:
    """A wheel with teeth and a hole."""
    parts = []
    for tooth in range(teeth):
        start = tooth * TURN / teeth
        parts.append(arc(0, 0, 1, 1, start, start + TURN / teeth / 2, 4))
        parts.append(arc(0, 0, 0.76, 0.76, start + TURN / teeth / 2, start + TURN / teeth, 4))
    return [np.vstack(parts), arc(0, 0, 0.3, 0.3)[:-1][::-1]]


def blob(dice: Dice, knots: int) -> Shape:
    """A round outline through so many knots at random distances."""
    place = [k * TURN / knots for k in range(knots)]
    away = [dice.between(0.6, 1.0) for _ in place]
    return smooth([(r * math.cos(a), r * math.sin(a)) for r, a in zip(away, place, strict=True)])


def smooth(knots: Sequence[Point]) -> Shape:
    """A closed shape whose round outline runs through the knots (Catmull and Rom)."""
    p = np.array([knots[-1], *knots, knots[0], knots[1]], np.float64)
    return [through(p)]


def through(p: Contour) -> Contour:
    """Points along a curve (Catmull and Rom) through all given but the first and the last, the end left out."""
    t = (np.arange(10) / 10)[:, None]
    parts = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * (t * t) + (3 * b - a - 3 * c + d) * (t * t * t))
        for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False)
    ]
    return np.vstack(parts)


def bezier(start: Point, control: Point, end: Point, count: int = 16) -> Contour:
    """Points along a quadratic Bézier curve, both ends included."""
    t = (np.arange(count) / (count - 1))[:, None]
    p, q, r = (np.array(point, np.float64) for point in (start, control, end))
    return np.asarray(p * ((1 - t) * (1 - t)) + q * (2 * t * (1 - t)) + r * (t * t))


def ribbon(path: Contour, width: float, ends: float | None = None) -> Shape:
    """A band along a path of points, with round ends.

    Args:
        path: points (k, 2), no two neighbours alike.
        width: across it, at its start.
        ends: across it at its end; None: the same.
    """
    step = np.diff(path, axis=0)
    step = step / np.maximum(np.sqrt((step * step).sum(axis=1, keepdims=True)), 1e-9)
    along = np.vstack([step[:1], step[1:] + step[:-1], step[-1:]])
    along /= np.maximum(np.sqrt((along * along).sum(axis=1, keepdims=True)), 0.3)
    half = (width + ((width if ends is None else ends) - width) * np.arange(len(path)) / (len(path) - 1)) / 2
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1) * half[:, None]
    caps = []
    for middle, radius, forward in ((path[-1], half[-1], step[-1]), (path[0], half[0], -step[0])):
        side = np.array([-forward[1], forward[0]])
        turns = [TURN / 4 - k * TURN / 20 for k in range(1, 10)]
        caps.append([middle + radius * (math.cos(a) * forward + math.sin(a) * side) for a in turns])
    return [np.vstack([path + aside, caps[0], (path - aside)[::-1], caps[1]])[::-1]]


def join(shapes: Iterable[Shape]) -> Shape:
    """Several shapes as one."""
    return [contour for shape in shapes for contour in shape]


def place(shape: Shape, x: float, y: float, radius: float, turn: float = 0.0, stretch: float = 1.0) -> Shape:
    """A shape laid on the picture: stretched along x, turned clockwise by radians, enlarged and moved."""
    cos, sin = math.cos(turn) * radius, math.sin(turn) * radius
    return [
        np.stack([x + p[:, 0] * (stretch * cos) - p[:, 1] * sin, y + p[:, 0] * (stretch * sin) + p[:, 1] * cos], axis=1)
        for p in shape
    ]


def mirrored(shape: Shape, middle: float = 0.5) -> Shape:
    """A shape seen in a mirror that stands at x = middle."""
    return [np.stack([2 * middle - contour[:, 0], contour[:, 1]], axis=1)[::-1] for contour in shape]


SIMPLE: dict[str, Callable[[Dice], Shape]] = {
    "disc": lambda dice: disc(),
    "square": lambda dice: rect(-0.8, -0.8, 0.8, 0.8),
    "triangle": lambda dice: regular(3),
    "bar": lambda dice: rect(-1.0, -0.35, 1.0, 0.35),
    "ellipse": lambda dice: disc(0, 0, 1.0, dice.between(0.45, 0.75)),
    "diamond": lambda dice: points((0, -1), (0.68, 0), (0, 1), (-0.68, 0)),
    "ring": lambda dice: ring(dice.between(0.4, 0.75)),
    "star": lambda dice: star(5, 0.45),
    "pentagon": lambda dice: regular(5),
    "hexagon": lambda dice: regular(6),
}
"""What everybody has a word for."""
SHAPES: dict[str, Callable[[Dice], Shape]] = SIMPLE | {
    "octagon": lambda dice: regular(8),
    "rounded square": lambda dice: rounded(-0.8, -0.8, 0.8, 0.8, dice.between(0.2, 0.5)),
    "pill": lambda dice: rounded(-1.0, -0.4, 1.0, 0.4, 0.4),
    "four-pointed star": lambda dice: star(4, dice.between(0.3, 0.5)),
    "many-pointed star": lambda dice: star(dice.whole(7, 14), dice.between(0.5, 0.85)),
    "half disc": lambda dice: sector(math.pi, TURN),
    "slice": lambda dice: sector(0.0, dice.between(0.8, 2.2)),
    "opened disc": lambda dice: sector(0.5, TURN - dice.between(0.2, 0.6)),
    "crescent": lambda dice: crescent(dice.between(0.25, 0.45)),
    "cross": lambda dice: cross(dice.between(0.2, 0.42)),
    "arrow": lambda dice: arrow(dice.between(0.2, 0.4), dice.between(0.6, 0.9)),
    "heart": lambda dice: heart(),
    "drop": lambda dice: drop(),
    "lens": lambda dice: lens(dice.between(0.3, 0.6)),
    "gear": lambda dice: gear(dice.whole(6, 12)),
    "blob": lambda dice: blob(dice, dice.whole(5, 9)),
    "trapezium": lambda dice: points((-0.5, -0.65), (0.5, -0.65), (1, 0.65), (-1, 0.65)),
    "parallelogram": lambda dice: points((-0.5, -0.6), (1, -0.6), (0.5, 0.6), (-1, 0.6)),
    "corner": lambda dice: points((-0.8, -0.8), (-0.1, -0.8), (-0.1, 0.1), (0.8, 0.1), (0.8, 0.8), (-0.8, 0.8)),
    "house": lambda dice: points(
        (0, -1), (0.9, -0.15), (0.65, -0.15), (0.65, 0.85), (-0.65, 0.85), (-0.65, -0.15), (-0.9, -0.15)
    ),
    "bolt": lambda dice: points(
        (0.2, -1), (-0.6, 0.15), (-0.05, 0.15), (-0.25, 1), (0.6, -0.25), (0.05, -0.25), (0.4, -1)
    ),
    "pear": lambda dice: smooth(
        [
            (0, -0.95),
            (0.32, -0.6),
            (0.42, -0.1),
            (0.7, 0.4),
            (0.4, 0.92),
            (-0.4, 0.92),
            (-0.7, 0.4),
            (-0.42, -0.1),
            (-0.32, -0.6),
        ]
    ),
    "clover": lambda dice: join([disc(0, -0.45, 0.5), disc(0.43, 0.3, 0.5), disc(-0.43, 0.3, 0.5)]),
}
"""All that is drawn, by what it is called."""
