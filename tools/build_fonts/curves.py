"""From points along a line to few quadratic Bezier curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TOLERANCE = 0.03
"""How far a curve may leave its points, in x-heights."""
DEPTH = 6
"""How often a line may be halved."""
SPACING = 0.04
"""Distance of the points that a curve is fitted to, in x-heights."""
DOT = np.array([0.06, 0.02])
"""What a line without length becomes: a short tick, which the brush makes a dot."""


def quadratics(line: Floats) -> Floats:
    """Quadratic curves along a polyline, float64 (n, 2) -> (k, 3, 2): start, control and end point of each."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    if len(line) < 2 or steps.sum() < SPACING:
        line = np.array([line[0], line[0] + DOT])
    return np.array(_fit(_dense(line), 0))


def _dense(line: Floats) -> Floats:
    parts = [line[:1]]
    for start, end in pairwise(line):
        count = max(1, int(np.hypot(*(end - start)) / SPACING))
        parts.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)


def _fit(points: Floats, depth: int) -> list[Floats]:
    """The control point in closed form by least squares at arc-length parameters; split where it misses most."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    if len(points) < 3 or along[-1] == 0:
        return [np.array([points[0], (points[0] + points[-1]) / 2, points[-1]])]
    t = along / along[-1]
    weight = 2 * t * (1 - t)
    rest = points - np.outer((1 - t) ** 2, points[0]) - np.outer(t**2, points[-1])
    control = weight @ rest / max(weight @ weight, 1e-9)
    miss = np.hypot(*(rest - np.outer(weight, control)).T)
    if miss.max() <= TOLERANCE or depth == DEPTH or len(points) < 5:
        return [np.array([points[0], control, points[-1]])]
    cut = min(max(int(miss.argmax()), 2), len(points) - 3)
    return _fit(points[: cut + 1], depth + 1) + _fit(points[cut:], depth + 1)
