"""The direct greedy recipe that fast painters are held against: easel.md, section 8, in NumPy and OpenCV.

Each of some hundred trials a stroke draws the mask of Learning to Paint (arXiv 1903.04411: up to 100 discs at twice the
size, the last one wins, halved) and finds the best colour and what is left of the squared error under it, as written.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

CANDIDATES, MUTATIONS = 40, 60
BLUR = 1.5
"""Standard deviation (px) of the Gaussian that smooths the error that starting points are drawn from."""


class Trial(NamedTuple):
    """A stroke and what it does."""

    gain: float
    """By how much the squared error falls."""
    stroke: Array
    """float64 (13,) in the order of `easel_app.engine.stroke.FIELDS`."""
    box: tuple[slice, slice]
    painted: Array
    """float32: the canvas inside the box, painted."""


def mask(stroke: Array, size: int) -> Array:
    """The mask of a stroke by Learning to Paint, with an absolute control point: float32 (size, size)."""
    large = np.zeros((2 * size, 2 * size), np.float32)
    x0, y0, x1, y1, x2, y2 = stroke[:6] * (2 * size - 1) + 0.5
    start, end = (1 + int(stroke[k] * size // 2) for k in (6, 8))
    length = np.hypot(x1 - x0, y1 - y0) + np.hypot(x2 - x1, y2 - y1)
    stamps = int(np.clip(length, 8, 100))
    for t in np.arange(stamps) / stamps:
        s = 1 - t
        x, y = s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2
        value = float(s * stroke[7] + t * stroke[9])
        cv2.circle(large, (int(x), int(y)), int(s * start + t * end), value, -1)
    return cv2.resize(large, (size, size))


def attempt(stroke: Array, canvas: Array, reference: Array) -> Trial:
    """Give a stroke its best colour and see what it does; pictures are float32 (size, size, 3) in [0, 1]."""
    whole = mask(stroke, len(canvas))
    rows, columns = np.flatnonzero(whole.any(axis=1)), np.flatnonzero(whole.any(axis=0))
    if not rows.size:
        return Trial(0.0, stroke, (slice(0, 0), slice(0, 0)), canvas[:0, :0])
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    m, before, wanted = whole[box][..., None], canvas[box], reference[box]
    kept = before * (1 - m)
    colour = np.clip((m * (wanted - kept)).sum(axis=(0, 1)) / (m * m).sum(), 0, 1)
    painted = kept + m * colour
    gain = float(((before - wanted) ** 2).sum() - ((painted - wanted) ** 2).sum())
    return Trial(gain, np.concatenate([stroke[:10], colour]), box, painted)


def candidate(rng: np.random.Generator, error: Array, largest: float) -> Array:
    """A random stroke at a faulty place: float64 (13,), without a colour."""
    size = len(error)
    place = np.searchsorted(error.ravel().cumsum(), rng.random() * error.sum())
    y, x = np.divmod(min(place, size * size - 1), size)
    angle, length = rng.random() * 2 * np.pi, rng.random() * min(1.0, 0.08 + largest)
    along = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    centre = (np.array([x, y]) + 0.5) / size
    bend = rng.normal(0, 0.2) * np.array([-along[1], along[0]]) * 2
    radii = largest * (0.15 + 0.85 * rng.random(2))
    path = np.concatenate([centre - along, centre + bend, centre + along])
    return np.clip(np.concatenate([path, [radii[0], 1, radii[1], 1, 0, 0, 0]]), 0, 1)


def mutated(rng: np.random.Generator, stroke: Array) -> Array:
    """The stroke with one point, both radii or both opacities changed."""
    changed, kind = stroke.copy(), rng.integers(5)
    if kind < 3:
        changed[2 * kind : 2 * kind + 2] += rng.normal(0, 0.06, 2)
    elif kind == 3:
        changed[[6, 8]] += rng.normal(0, 0.12, 2)
    else:
        changed[[7, 9]] += rng.normal(0, 0.2, 2)
    return np.clip(changed, 0, 1)


def paint(reference: Array, strokes: int, seed: int = 0) -> Array:
    """Paint a reference, uint8 (size, size, 3), on white: float64 (strokes, 13); an invisible stroke if none helps."""
    rng, goal = np.random.default_rng(seed), reference.astype(np.float32) / 255
    canvas, made = np.ones_like(goal), np.zeros((strokes, 13))
    for k in range(strokes):
        largest = 0.9 * (1 - k / max(1, strokes - 1)) ** 2 + 0.06
        error = cv2.GaussianBlur(((canvas - goal) ** 2).sum(axis=2), (0, 0), BLUR)
        trials = (attempt(candidate(rng, error, largest), canvas, goal) for _ in range(CANDIDATES))
        best = max(trials, key=lambda trial: trial.gain)
        for _ in range(MUTATIONS):
            best = max(best, attempt(mutated(rng, best.stroke), canvas, goal), key=lambda trial: trial.gain)
        if best.gain > 0:
            canvas[best.box] = best.painted
            made[k] = best.stroke
    return made
