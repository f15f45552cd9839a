"""Drawings that are no writing. A drawing is float64 (n, 3, 2), normalised."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.handwriting.writing import Rng, between, noise, placed

Floats = NDArray[np.float64]
KINDS = ("chaos", "zigzag", "loops", "blob", "lines", "walk", "polygon")


def scribble(rng: Rng, kind: str) -> Floats:
    """A scribble of one of `KINDS`, somewhere on the canvas."""
    count = int(rng.integers(3, 26))
    return placed(rng, _curves(rng, kind, count), free=True)


def _curves(rng: Rng, kind: str, count: int) -> Floats:
    if kind == "chaos":
        return rng.random((count, 3, 2))
    if kind == "lines":
        starts, ends = rng.random((count, 2)), rng.random((count, 2))
        return np.stack([starts, (starts + ends) / 2, ends], 1)
    if kind == "zigzag":
        x = np.linspace(0, 1, count + 1)
        side = np.where(np.arange(count + 1) % 2, 1, -1)
        return _through(np.c_[x, between(rng, 0.06, 0.35) * side + noise(rng, 0.03, (count + 1,))], rng, 0.02)
    if kind == "walk":
        points = np.cumsum(noise(rng, 0.15, (2 * count + 1, 2)), 0)
        return np.stack([points[0:-2:2], points[1:-1:2], points[2::2]], 1)
    if kind == "polygon":
        turns = np.linspace(0, 2 * np.pi, int(rng.integers(3, 9)) + 1) + rng.random()
        return _through(np.c_[np.cos(turns), np.sin(turns)], rng, 0.1)
    turns = np.linspace(0, 2 * np.pi * count * between(rng, 0.3, 0.9), 8 * count + 1)
    other = 1.0 if kind == "loops" else between(rng, 0.6, 1.7)
    points = np.c_[np.cos(turns), between(rng, 0.4, 1) * np.sin(turns * other)]
    if kind == "loops":
        points[:, 0] += turns / turns[-1] * between(rng, 0.5, 5)
    return np.stack([points[0:-2:2], 2 * points[1:-1:2] - (points[0:-2:2] + points[2::2]) / 2, points[2::2]], 1)


def _through(points: Floats, rng: Rng, bend: float) -> Floats:
    """Curves from point to point, each bent a little."""
    middles = (points[:-1] + points[1:]) / 2 + noise(rng, bend, (len(points) - 1, 2))
    return np.stack([points[:-1], middles, points[1:]], 1)
