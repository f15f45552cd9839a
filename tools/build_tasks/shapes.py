"""Shapes as contours: each function returns a list of closed polygons (k, 2) in pixels, x to the right, y down.

Angles are in degrees, clockwise from the x axis as the screen shows them. Curves become chords of about a third of a
pixel, which the 8 × 8 samples of a pixel cannot tell from the curve. Every outline runs clockwise, so that shapes that
are joined add up; only the inner border of a ring runs the other way and cuts its hole.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .raster import Contour, Shape

Point = tuple[float, float]


def polygon(*points: Point) -> Shape:
    """A polygon through the given vertices."""
    return [_clockwise(np.array(points, np.float64))]


def rect(left: float, top: float, right: float, bottom: float) -> Shape:
    """An upright rectangle between its edges."""
    return polygon((left, top), (right, top), (right, bottom), (left, bottom))


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Contour:
    """Points along an elliptical arc, both ends included; not closed by itself."""
    turn = abs(end - start) / 360
    count = max(3, int(np.ceil(turn * 2 * np.pi * max(rx, ry) * 3)) + 1)
    angle = np.deg2rad(np.linspace(start, end, count))
    return np.stack([cx + rx * np.cos(angle), cy + ry * np.sin(angle)], axis=1)


def ellipse(cx: float, cy: float, rx: float, ry: float) -> Shape:
    """An upright ellipse."""
    return [arc(cx, cy, rx, ry, 0, 360)[:-1]]


def disc(cx: float, cy: float, radius: float) -> Shape:
    """A filled circle."""
    return ellipse(cx, cy, radius, radius)


def ring(cx: float, cy: float, radius: float, width: float) -> Shape:
    """A circle drawn by a pen: `radius` to the middle of the line, `width` across it."""
    outer, inner = disc(cx, cy, radius + width / 2)[0], disc(cx, cy, radius - width / 2)[0]
    return [outer, inner[::-1]]


def sector(cx: float, cy: float, radius: float, start: float, end: float) -> Shape:
    """A slice of a disc between two angles, the second larger."""
    return [np.vstack([[[cx, cy]], arc(cx, cy, radius, radius, start, end)])]


def band(cx: float, cy: float, inner: float, outer: float, start: float, end: float) -> Shape:
    """The part of a ring between two radii and two angles."""
    return [np.vstack([arc(cx, cy, outer, outer, start, end), arc(cx, cy, inner, inner, end, start)])]


def segment(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Shape:
    """What a chord cuts off an ellipse: half moons, domes, bowls."""
    return [arc(cx, cy, rx, ry, start, end)]


def regular(cx: float, cy: float, radius: float, sides: int, turn: float = -90.0) -> Shape:
    """A regular polygon with its first vertex at the angle `turn`."""
    angle = np.deg2rad(turn + 360 * np.arange(sides) / sides)
    return [np.stack([cx + radius * np.cos(angle), cy + radius * np.sin(angle)], axis=1)]


def star(cx: float, cy: float, outer: float, inner: float, tips: int, turn: float = -90.0) -> Shape:
    """A star with its first tip at the angle `turn`."""
    angle = np.deg2rad(turn + 180 * np.arange(2 * tips) / tips)
    radius = np.where(np.arange(2 * tips) % 2 == 0, outer, inner)
    return [np.stack([cx + radius * np.cos(angle), cy + radius * np.sin(angle)], axis=1)]


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Shape:
    """A rectangle with round corners."""
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    corners = [
        (right - r, bottom - r, 0),
        (left + r, bottom - r, 90),
        (left + r, top + r, 180),
        (right - r, top + r, 270),
    ]
    return [np.vstack([arc(x, y, r, r, a, a + 90) for x, y, a in corners])]


def bezier(*points: Point) -> Contour:
    """Points along a quadratic (three points) or cubic (four) Bézier curve, both ends included."""
    p = np.array(points, np.float64)
    length = float(np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1)).sum())
    t = np.linspace(0, 1, max(4, int(np.ceil(length * 3))))[:, None]
    rungs = [np.broadcast_to(point, (len(t), 2)) for point in p]
    while len(rungs) > 1:
        rungs = [a * (1 - t) + b * t for a, b in pairwise(rungs)]
    return rungs[0]


def smooth(*points: Point) -> Contour:
    """Points along a curve that passes through the given ones (Catmull-Rom, ends doubled); open."""
    p = np.array([points[0], *points, points[-1]], np.float64)
    return _through(p)


def blob(*points: Point) -> Shape:
    """A closed shape whose round outline passes through the given points (Catmull-Rom)."""
    p = np.array([points[-1], *points, points[0], points[1]], np.float64)
    return [_clockwise(_through(p)[:-1])]


def _through(p: Contour) -> Contour:
    parts = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        t = np.linspace(0, 1, max(4, int(np.ceil(np.sqrt(((c - b) ** 2).sum()) * 3))))[:, None]
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack(parts)


def line(points: Contour | Sequence[Point], width: float) -> Shape:
    """A line of one width with round ends and joints: one capsule a chord, all of one direction, so that they join."""
    p = np.asarray(points, np.float64)
    shape = []
    for (x0, y0), (x1, y1) in pairwise(p):
        angle = float(np.rad2deg(np.arctan2(y1 - y0, x1 - x0)))
        r = width / 2
        shape.append(np.vstack([arc(x1, y1, r, r, angle - 90, angle + 90), arc(x0, y0, r, r, angle + 90, angle + 270)]))
    return shape


def closed(*parts: Contour) -> Shape:
    """One outline from open pieces laid end to end."""
    return [_clockwise(np.vstack(parts))]


def _clockwise(contour: Contour) -> Contour:
    """The contour in the direction in which its area counts as positive (y points down)."""
    x, y = contour.T
    return contour if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() >= 0 else contour[::-1]


def join(*shapes: Shape) -> Shape:
    """Several shapes as one."""
    return [contour for shape in shapes for contour in shape]


def move(shape: Shape, dx: float, dy: float) -> Shape:
    """The shape moved."""
    return [contour + np.array((dx, dy)) for contour in shape]


def turn(shape: Shape, degrees: float, cx: float, cy: float) -> Shape:
    """The shape turned clockwise about a point."""
    a = np.deg2rad(degrees)
    matrix = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return [(contour - (cx, cy)) @ matrix + (cx, cy) for contour in shape]


def scale(shape: Shape, fx: float, fy: float, cx: float, cy: float) -> Shape:
    """The shape stretched about a point; a negative factor mirrors it (and keeps its direction)."""
    scaled = [(contour - (cx, cy)) * (fx, fy) + (cx, cy) for contour in shape]
    return [contour[::-1] for contour in scaled] if fx * fy < 0 else scaled
