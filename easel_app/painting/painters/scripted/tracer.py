"""The scripted tracer: goes along the border of the region that is asked for, which it is told.

It shows what a careful hand can score, not what can be seen in a picture: the truth is its only source.
"""

from __future__ import annotations

import numpy as np
from skimage.measure import find_contours

from easel_app.engine.kernel import Floats
from easel_app.painting.lettering import PLACES
from easel_app.painting.painters.scripted.plan import ScriptedPainter
from easel_app.painting.truth import Mask, OutlineTruth

STROKES = 24
"""The most strokes round a region."""
CLOSE = 0.002
"""A stroke that keeps so close (in canvas widths) to the border is split no further; nor one within half a px."""


class TracerPainter(ScriptedPainter):
    """Draws round a region with few curves."""

    def __init__(self, name: str, truth: OutlineTruth, size: int, budget: int, seed: int) -> None:
        """Plan all strokes.

        Args:
            name: name and version, such as ``tracer/1``.
            truth: the region; if it is in pieces, the largest is drawn round, and holes are left aside.
            size: width of the canvas, px.
            budget: steps of the task, at least 1; at most so many strokes are planned.
            seed: of no effect, for the tracer leaves nothing to chance.

        Raises:
            ValueError: the region is not (size, size).
        """
        if truth.mask.shape != (size, size):
            raise ValueError(f"the region is {truth.mask.shape}, but the canvas {size} px wide: give two of one task")
        super().__init__(name, trace(truth.mask, min(STROKES, budget)), size)



def trace(mask: Mask, strokes: int) -> list[Floats]:
    """Curves along the outer border of a region's largest piece, end to end.

    The border is cut in two where its points are farthest apart, then the arc that its curve fits worst is cut
    where it fits worst, as in the algorithm of Ramer, Douglas and Peucker but with curves for chords.

    Args:
        mask: bool (n, n).
        strokes: the most curves, at least 1.

    Returns:
        Paths, float64 (6,) each in [0, 1]; none if the region is empty.
    """
    border = _border(mask)
    if not len(border):
        return []
    first = int(_squares(border - border[0]).argmax())
    ring = np.roll(border, -first, axis=0)
    ring = np.concatenate([ring, ring[:1]])
    half = int(_squares(ring - ring[0]).argmax())
    arcs = [ring[: half + 1], ring[half:]] if strokes > 1 else [ring]
    close = max(0.5, CLOSE * mask.shape[0])
    while len(arcs) < strokes:
        misses = [_fit(arc)[1] for arc in arcs]
        worst = int(np.argmax([miss.max() for miss in misses]))
        at = int(misses[worst].argmax())
        if misses[worst][at] <= close:
            break
        arcs[worst : worst + 1] = [arcs[worst][: at + 1], arcs[worst][at:]]
    size = mask.shape[0]
    return [np.clip(_fit(arc)[0].reshape(6) / size, 0.0, 1.0).round(PLACES) for arc in arcs]


def _border(mask: Mask) -> Floats:
    """The outer border of the largest piece in px, float64 (k, 2), x and y: between the pixels' centres inside and
    outside, about a point a pixel, each the mean of five so that the raster's stairs are smoothed.
    """
    rings = find_contours(np.pad(mask, 1).astype(np.float64), 0.5)
    if not rings:
        return np.zeros((0, 2))
    ring = max(rings, key=lambda points: abs(_area(points)))[:-1, ::-1] - 0.5
    mean: Floats = sum(np.roll(ring, shift, axis=0) for shift in range(-2, 3)) / 5.0
    return mean


def _area(ring: Floats) -> float:
    """Twice the area inside a polygon, signed."""
    x, y = ring.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


def _fit(arc: Floats) -> tuple[Floats, Floats]:
    """The quadratic from an arc's first point to its last that is nearest to the others, by least squares.

    Returns:
        Its three points, float64 (3, 2), and how far (px) each point of the arc is from the curve's point at the
        same share of the arc's length.
    """
    steps = np.sqrt(_squares(np.diff(arc, axis=0)))
    t = np.concatenate([[0.0], steps.cumsum()]) / max(float(steps.sum()), 1e-12)
    start, pull, end = ((1.0 - t) ** 2)[:, None], (2.0 * t * (1.0 - t))[:, None], (t**2)[:, None]
    weight, rest = float((pull * pull).sum()), arc - start * arc[0] - end * arc[-1]
    control = (pull * rest).sum(0) / weight if weight > 1e-9 else (arc[0] + arc[-1]) / 2.0
    return np.array([arc[0], control, arc[-1]]), np.sqrt(_squares(rest - pull * control))


def _squares(steps: Floats) -> Floats:
    """Squared lengths of vectors (k, 2)."""
    lengths: Floats = (steps * steps).sum(-1)
    return lengths
