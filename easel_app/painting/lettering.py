"""A stroke font of our own: the letters a to z as few quadratic curves, as one draws them with a pen.

Ball and stick: bowls are arcs of an ellipse, stems are straight. Coordinates of a letter are in x-heights, y up from
the baseline.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Curve = tuple[float, float, float, float, float, float]
"""A quadratic Bézier curve: start, control point and end."""

LONGEST = 12
"""Letters that fit on one line of a canvas."""
GAP = 0.42
"""Between two letters, in x-heights."""
LEAST_GAP = 0.043
"""But no less than this in canvas widths: at 128 px a line is 0.028 wide, and its smooth borders add up."""
MARGIN = 0.07
"""Kept free on each side of the canvas, in canvas widths."""
TALLEST = 0.2
"""Largest x-height, in canvas widths."""
ASCENDER, DESCENDER = 1.95, -0.9
PLACES = 4
"""Decimals of a path's numbers: a twentieth of a pixel at 512 px."""


def _line(*points: float) -> list[Curve]:
    """Straight strokes from point to point: x, y, x, y, ..."""
    ends = list(zip(points[::2], points[1::2], strict=True))
    return [(a, b, (a + c) / 2, (b + d) / 2, c, d) for (a, b), (c, d) in pairwise(ends)]


def _arc(x: float, y: float, wide: float, high: float, start: float, end: float) -> list[Curve]:
    """An arc of an ellipse round (x, y), in degrees counter-clockwise, as quadratics of at most a sixth of a turn.

    A quadratic whose control point lies where the tangents meet leaves the circle by one hundredth at a sixth.
    """
    count = math.ceil(abs(end - start) / 60.0 - 1e-9)
    step = math.radians(end - start) / count
    curves = []
    for k in range(count):
        first = math.radians(start) + k * step
        (a, b), (c, d), (e, f) = (
            (x + wide * reach * math.cos(angle), y + high * reach * math.sin(angle))
            for angle, reach in ((first, 1.0), (first + step / 2, 1 / math.cos(step / 2)), (first + step, 1.0))
        )
        curves.append((a, b, c, d, e, f))
    return curves


def _bowl(start: float = 0.0, end: float = 360.0) -> list[Curve]:
    """The round part of a letter, or some of it."""
    return _arc(0.45, 0.5, 0.45, 0.5, start, end)


def _arch(x: float, wide: float) -> list[Curve]:
    """What follows the stem at x in an h, an m or an n: over and down, to x + wide."""
    right, turn = x + wide, 0.42
    return _arc(x + wide / 2, 1.0 - turn, wide / 2, turn, 180.0, 0.0) + _line(right, 1.0 - turn, right, 0.0)


_TALL = _line(0.0, ASCENDER, 0.0, 0.0)
_STEM = _line(0.0, 1.0, 0.0, 0.0)
LETTERS: dict[str, list[Curve]] = {
    "a": _bowl(25, 385) + _line(0.9, 1.0, 0.9, 0.0),
    "b": _TALL + _bowl(180, -180),
    "c": _bowl(48, 312),
    "d": _bowl(25, 385) + _line(0.9, ASCENDER, 0.9, 0.0),
    "e": _line(0.02, 0.52, 0.88, 0.52) + _bowl(2, 312),
    "f": _arc(0.65, 1.5, 0.38, 0.45, 55, 180) + _line(0.27, 1.5, 0.27, 0.0) + _line(0.0, 1.0, 0.68, 1.0),
    "g": _bowl(25, 385) + _line(0.9, 1.0, 0.9, -0.45) + _arc(0.45, -0.45, 0.45, 0.45, 0, -145),
    "h": _TALL + _arch(0.0, 0.78),
    "i": _STEM + _line(0.0, 1.5, 0.0, 1.56),
    "j": _line(0.38, 1.0, 0.38, -0.5) + _arc(0.03, -0.5, 0.35, 0.4, 0, -110) + _line(0.38, 1.5, 0.38, 1.56),
    "k": _TALL + _line(0.72, 1.0, 0.0, 0.4) + _line(0.26, 0.62, 0.78, 0.0),
    "l": _line(0.0, ASCENDER, 0.0, 0.3) + _arc(0.3, 0.3, 0.3, 0.3, 180, 270),
    "m": _STEM + _arch(0.0, 0.62) + _arch(0.62, 0.62),
    "n": _STEM + _arch(0.0, 0.78),
    "o": _bowl(90, 450),
    "p": _line(0.0, 1.0, 0.0, DESCENDER) + _bowl(180, -180),
    "q": _bowl(25, 385) + _line(0.9, 1.0, 0.9, DESCENDER) + _line(0.9, DESCENDER, 1.15, -0.65),
    "r": _STEM + _arc(0.42, 0.5, 0.42, 0.5, 180, 60),
    "s": _arc(0.38, 0.745, 0.34, 0.255, 35, 270) + _arc(0.38, 0.245, 0.38, 0.245, 90, -145),
    "t": _line(0.3, 1.6, 0.3, 0.32) + _arc(0.6, 0.32, 0.3, 0.32, 180, 300) + _line(0.0, 1.0, 0.68, 1.0),
    "u": _line(0.0, 1.0, 0.0, 0.42) + _arc(0.39, 0.42, 0.39, 0.42, 180, 360) + _line(0.78, 1.0, 0.78, 0.0),
    "v": _line(0.0, 1.0, 0.42, 0.0, 0.84, 1.0),
    "w": _line(0.0, 1.0, 0.32, 0.0, 0.64, 0.95, 0.96, 0.0, 1.28, 1.0),
    "x": _line(0.0, 1.0, 0.78, 0.0) + _line(0.78, 1.0, 0.0, 0.0),
    "y": _line(0.0, 1.0, 0.42, 0.0) + _line(0.84, 1.0, 0.04, DESCENDER),
    "z": _line(0.0, 1.0, 0.76, 1.0, 0.0, 0.0, 0.8, 0.0),
}


def write(word: str) -> list[Floats]:
    """Strokes that write a word on one line in the middle of a canvas, as large as it fits.

    Args:
        word: 1 to `LONGEST` letters a-z.

    Returns:
        Paths, float64 (6,) each in [0, 1], letter by letter from left to right; at most ten a letter.

    Raises:
        ValueError: the word is empty, longer, or holds anything but a-z.

    Example:
        >>> len(write("hi"))
        7
    """
    if not 1 <= len(word) <= LONGEST or any(letter not in LETTERS for letter in word):
        raise ValueError(f"{word!r} cannot be written: give 1 to {LONGEST} letters, each from a to z")
    letters = [np.array(LETTERS[letter]).reshape(-1, 3, 2) for letter in word]
    starts = [float(_ink(curves)[:, 0].min()) for curves in letters]
    widths = [float(_ink(curves)[:, 0].max()) - start for curves, start in zip(letters, starts, strict=True)]
    room, gaps = 1.0 - 2.0 * MARGIN, len(word) - 1
    scale = room / max(sum(widths) + GAP * gaps, 1e-9)
    if scale * GAP < LEAST_GAP:
        scale = (room - LEAST_GAP * gaps) / sum(widths)
    scale = min(scale, TALLEST)
    gap = max(GAP, LEAST_GAP / scale)
    lefts = [sum(widths[:k]) + gap * k - start for k, start in enumerate(starts)]
    points = np.concatenate([curves + np.array([left, 0.0]) for curves, left in zip(letters, lefts, strict=True)])
    places = _ink(points)
    middle = (places.min(0) + places.max(0)) / 2
    return list((0.5 + (points - middle) * (scale, -scale)).reshape(-1, 6).round(PLACES))


def _ink(curves: Floats) -> Floats:
    """Nine places along each of some curves (k, 3, 2), float64 (9 k, 2)."""
    t = np.linspace(0.0, 1.0, 9)
    shares = np.stack([(1.0 - t) ** 2, 2.0 * t * (1.0 - t), t**2])
    places: Floats = (curves[:, :, None] * shares[..., None]).sum(1).reshape(-1, 2)
    return places
