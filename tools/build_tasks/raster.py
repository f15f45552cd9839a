"""A small rasteriser: the same bytes on every machine, whatever fonts or graphics libraries it has.

A shape is a list of closed contours. A sample lies inside where its winding number is not zero, so overlapping contours
of one direction join, and one of the other direction cuts a hole. Each pixel takes 8 × 8 samples and keeps their mean,
rounded half up, in integers. Vertices are rounded to a millionth of a pixel first: sine and cosine may differ in their
last bit between processors, and the samples must not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Contour = NDArray[np.float64]
"""Vertices (k, 2) of a closed polygon: x to the right, y down, in pixels."""
Shape = list[Contour]
Colour = tuple[int, int, int]
Shade = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]
"""A colour that changes with the place: x and y (k,) in pixels to RGB (k, 3) in 0..255."""
Paint = Colour | Shade

SAMPLES = 8
"""Samples a pixel along each side."""


def coverage(shape: Shape, size: int) -> NDArray[np.bool_]:
    """Which samples lie inside a shape: bool (8·size, 8·size).

    Each edge adds ±1 at the first sample to its right on every row of samples that it crosses; the running sum along a
    row is then the winding number.
    """
    side = size * SAMPLES
    steps = np.zeros((side, side + 1), np.int32)
    for contour in shape:
        start = np.round(contour, 6) * SAMPLES - 0.5
        end = np.roll(start, -1, axis=0)
        first = np.clip(np.ceil(np.minimum(start[:, 1], end[:, 1])), 0, side).astype(np.int64)
        last = np.clip(np.ceil(np.maximum(start[:, 1], end[:, 1])), 0, side).astype(np.int64)
        counts = last - first
        edge = np.repeat(np.arange(len(start)), counts)
        row = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + first[edge]
        slope = (end[edge, 0] - start[edge, 0]) / (end[edge, 1] - start[edge, 1])
        x = start[edge, 0] + (row - start[edge, 1]) * slope
        column = np.clip(np.ceil(x), 0, side).astype(np.int64)
        np.add.at(steps, (row, column), np.where(end[edge, 1] > start[edge, 1], 1, -1))
    inside: NDArray[np.bool_] = np.cumsum(steps[:, :side], axis=1) != 0
    return inside


class Picture:
    """A square picture that is painted shape over shape and then read as bytes.

    Args:
        size: side in pixels.
        ground: the paint that fills it at first.
    """

    def __init__(self, size: int, ground: Paint) -> None:
        self.size = size
        self._samples = np.zeros((size * SAMPLES, size * SAMPLES, 3), np.uint8)
        self._lay(np.ones(self._samples.shape[:2], np.bool_), ground, 1.0)

    def fill(self, shape: Shape, paint: Paint, *, opacity: float = 1.0, within: Sequence[Shape] = ()) -> None:
        """Paint a shape, or what of it lies within others.

        Args:
            shape: contours in pixels.
            paint: one colour, or a shade.
            opacity: share of the paint in the result, [0, 1].
            within: shapes that limit the paint; it falls where all of them are.
        """
        inside = coverage(shape, self.size)
        for limit in within:
            inside &= coverage(limit, self.size)
        self._lay(inside, paint, opacity)

    def bytes(self) -> NDArray[np.uint8]:
        """The picture as uint8 (size, size, 3)."""
        n = self.size
        sums = self._samples.reshape(n, SAMPLES, n, SAMPLES, 3).astype(np.uint32).sum(axis=(1, 3))
        means: NDArray[np.uint8] = ((sums + SAMPLES**2 // 2) // SAMPLES**2).astype(np.uint8)
        return means

    def _lay(self, inside: NDArray[np.bool_], paint: Paint, opacity: float) -> None:
        rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
        if not len(rows):
            return
        box = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        inside, samples = inside[box], self._samples[box]
        if callable(paint):
            y, x = np.mgrid[box]
            colour = paint((x[inside] + 0.5) / SAMPLES, (y[inside] + 0.5) / SAMPLES)
        else:
            colour = np.array(paint, np.float64)
        if opacity < 1.0:
            colour = samples[inside] * (1.0 - opacity) + colour * opacity
        samples[inside] = np.floor(colour + 0.5).clip(0, 255)


def _blend(share: NDArray[np.float64], stops: Sequence[tuple[float, Colour]]) -> NDArray[np.float64]:
    places = [place for place, _ in stops]
    return np.stack([np.interp(share, places, [colour[c] for _, colour in stops]) for c in range(3)], axis=-1)


def linear(start: tuple[float, float], end: tuple[float, float], *stops: tuple[float, Colour]) -> Shade:
    """A gradient from one point to another; stops are (share of the way, colour), in rising order."""
    (x0, y0), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])

    def shade(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return _blend(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), stops)

    return shade


def radial(centre: tuple[float, float], radius: float, *stops: tuple[float, Colour]) -> Shade:
    """A gradient from a centre outwards; stops are (share of the radius, colour), in rising order."""

    def shade(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return _blend(np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / radius, stops)

    return shade


def conic(centre: tuple[float, float], start: float, *stops: tuple[float, Colour]) -> Shade:
    """A gradient around a centre, clockwise from `start` degrees; stops are (share of the turn, colour), rising."""

    def shade(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        angle = np.arctan2(y - centre[1], x - centre[0]) / (2 * np.pi) - start / 360
        return _blend(np.round(angle % 1.0, 9) % 1.0, stops)

    return shade
