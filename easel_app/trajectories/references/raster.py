"""Shapes to pixels, by numpy alone: the same bytes whatever graphics libraries and processors a machine has.

A shape is a list of closed contours in units of the picture's side. Eight rows of samples run through each row of
pixels; along a row, coverage is exact. Vertices lie on a grid of 1/256 px, so that a sine that differs in its last bit
between machines moves none, and everything after them is +, -, * and / of IEEE numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Contour = NDArray[np.float64]
"""Vertices (k, 2) of a closed polygon, x to the right and y down, 0 and 1 at the borders of the picture."""
Shape = list[Contour]
"""Contours; one that runs against the others cuts a hole into them."""
Colour = tuple[int, int, int]
Shade = Callable[[Floats, Floats], Floats]
"""A colour that changes with the place: x (1, w) and y (h, 1) to RGB (h, w, 3), 0..255."""
Paint = Colour | Shade

ROWS = 8
"""Rows of samples a pixel."""
GRID = 256
"""Parts of a pixel that a vertex can lie on."""


class Canvas:
    """A square picture that is painted shape over shape, then read as bytes."""

    def __init__(self, size: int, ground: Paint) -> None:
        """A picture of `size` px that the paint fills."""
        self.size = size
        self._pixels = np.empty((size, size, 3), np.float32)
        self._middles = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
        self._pixels[...] = self._colours(ground, slice(0, size), slice(0, size))

    def fill(self, shape: Shape, paint: Paint, opacity: float = 1.0) -> None:
        """Lay a paint over the inside of a shape, with an opacity in [0, 1]."""
        if found := coverage(shape, self.size):
            self.lay(*found, paint, opacity)

    def lay(self, rows: slice, columns: slice, share: Floats, paint: Paint, opacity: float = 1.0) -> None:
        """Lay a paint over a box of pixels, as far as each of them is covered: float32 in [0, 1]."""
        part = self._pixels[rows, columns]
        part += (self._colours(paint, rows, columns) - part) * (share * np.float32(opacity))[..., None]

    def bytes(self) -> NDArray[np.uint8]:
        """The picture as uint8 (size, size, 3)."""
        return np.rint(self._pixels).clip(0, 255).astype(np.uint8)

    def _colours(self, paint: Paint, rows: slice, columns: slice) -> Floats:
        if callable(paint):
            return paint(self._middles[None, columns], self._middles[rows, None])
        return np.array(paint, np.float32)


def coverage(shape: Shape, size: int) -> tuple[slice, slice, Floats] | None:
    """How much of each pixel lies inside a shape.

    Each edge adds its direction, ±1, to all that lies right of it, on every row of samples that it crosses; the sum
    along a row is the winding number.

    Args:
        shape: contours.
        size: side of the picture in pixels.

    Returns:
        Rows and columns of the box that the shape meets, and the share of each of its pixels, float32 in [0, 1]; None
        when the shape meets no pixel.
    """
    if not shape:
        return None
    start = np.concatenate(shape)
    end = np.concatenate([np.concatenate([contour[1:], contour[:1]]) for contour in shape])
    start, end = (np.rint(part * (size * GRID)) / GRID for part in (start, end))
    low, high = start.min(axis=0), start.max(axis=0)
    left, top = (max(0, int(np.floor(value))) for value in low)
    right, bottom = (min(size, int(np.ceil(value))) for value in high)
    if left >= right or top >= bottom:
        return None
    height, width = bottom - top, right - left
    x0, x1 = start[:, 0] - left, end[:, 0] - left
    y0, y1 = ((part[:, 1] - top) * ROWS - 0.5 for part in (start, end))
    first = np.ceil(np.minimum(y0, y1)).clip(0, height * ROWS).astype(np.int64)
    last = np.ceil(np.maximum(y0, y1)).clip(0, height * ROWS).astype(np.int64)
    counts = last - first
    edge = np.repeat(np.arange(len(counts)), counts)
    if not len(edge):
        return None
    row = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts) + first[edge]
    x = x0[edge] + (row - y0[edge]) * ((x1[edge] - x0[edge]) / (y1[edge] - y0[edge]))
    x = x.clip(0, width)
    column = np.floor(x)
    rest = x - column
    step = np.where(y1[edge] > y0[edge], 1.0 / ROWS, -1.0 / ROWS)
    place = (row // ROWS) * (width + 2) + column.astype(np.int64)
    both = np.concatenate([place, place + 1])
    sums = np.bincount(both, np.concatenate([step * (1.0 - rest), step * rest]), height * (width + 2))
    share = np.abs(np.cumsum(sums.reshape(height, width + 2)[:, :width], axis=1)).clip(0.0, 1.0)
    return slice(top, bottom), slice(left, right), share.astype(np.float32)


def linear(start: tuple[float, float], end: tuple[float, float], *colours: Colour) -> Shade:
    """A gradient from one point to another through colours at equal distances."""
    (x0, y0), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    length = max(dx * dx + dy * dy, 1e-9)
    ax, ay, b = np.float32(dx / length), np.float32(dy / length), np.float32((x0 * dx + y0 * dy) / length)
    return lambda x, y: _blend(x * ax + y * ay - b, colours)


def radial(centre: tuple[float, float], radius: float, *colours: Colour) -> Shade:
    """A gradient from a centre outwards through colours at equal distances, the last from `radius` on."""
    cx, cy, r = np.float32(centre[0]), np.float32(centre[1]), np.float32(max(radius, 1e-6))
    return lambda x, y: _blend(np.sqrt((x - cx) ** 2 + (y - cy) ** 2) / r, colours)


def corners(top_left: Colour, top_right: Colour, bottom_left: Colour, bottom_right: Colour) -> Shade:
    """Four colours, one in each corner, blended in between."""
    a, b, c, d = (np.array(colour, np.float32) for colour in (top_left, top_right, bottom_left, bottom_right))

    def shade(x: Floats, y: Floats) -> Floats:
        u, v = x[..., None], y[..., None]
        return np.asarray((a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v, np.float32)

    return shade


def _blend(share: NDArray[np.floating], colours: Sequence[Colour]) -> Floats:
    """Colours at equal distances over [0, 1], float32 (h, w, 3)."""
    table = np.array(colours, np.float32)
    if len(table) == 1:
        return np.broadcast_to(table[0], (*share.shape, 3))
    place = share.clip(0, 1) * np.float32(len(table) - 1)
    index = np.minimum(place.astype(np.int64), len(table) - 2)
    rest = (place - index.astype(np.float32))[..., None]
    start = table[index]
    return np.asarray(start + (table[index + 1] - start) * rest, np.float32)
