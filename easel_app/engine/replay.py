"""Painting many strokes one after the other, without scores: replay."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from easel_app.engine.canvas import blend, triple
from easel_app.engine.kernel import Bytes, Floats, borrowed, kernel
from easel_app.engine.mask import LARGEST, Brush, draw_mask, new_brush
from easel_app.engine.stroke import FIELDS, RED, checked, colour_byte, first_wrong


@kernel
def _paint_all(strokes: Floats, brush: Brush, canvas: Bytes, rows: Bytes) -> None:
    """Composite strokes (n, 13) on interleaved rows (size, 3 * size); `rows` (2, 3 * size) is work space."""
    mask, spans, pixels = borrowed(brush.mask), borrowed(brush.spans), borrowed(canvas)
    colours, masks = borrowed(rows)[0], borrowed(rows)[1]
    for k in range(strokes.shape[0]):
        stroke = strokes[k]
        draw_mask(stroke, brush)
        for channel in range(3):
            byte = np.uint8(colour_byte(stroke[RED + channel]))
            for j in range(channel, colours.size, 3):
                colours[j] = byte
        for y in range(brush.rows[0], brush.rows[1]):
            lo, hi = spans[0, y], spans[1, y]
            if lo < hi:
                width = 3 * (hi - lo)
                triple(mask[y, lo:hi], masks[:width])
                row = pixels[y, 3 * lo : 3 * hi]
                blend(row, colours[:width], masks[:width], row)


class Replayer:
    """A white canvas that strokes are painted on: the same bytes as `StepEngine`, which scores them too.

    For one thread at a time.

    Example:
        >>> replayer = Replayer(64)
        >>> replayer.paint([[0.2, 0.2, 0.5, 0.9, 0.8, 0.2, 0.1, 1, 0.02, 1, 0.8, 0.1, 0.1]])
        >>> int((replayer.canvas < 255).any(axis=2).sum()) > 0
        True
    """

    def __init__(self, size: int) -> None:
        """Begin with a white canvas of `size` px, from 1 to `LARGEST`. Raises ValueError for another size."""
        if not 1 <= size <= LARGEST:
            raise ValueError(f"a canvas of {size} px is not between 1 and {LARGEST} px wide: choose a size in between")
        self._brush = new_brush(size)
        self._rows = np.zeros((2, 3 * size), np.uint8)
        self._canvas = np.full((size, size, 3), 255, np.uint8)

    @property
    def canvas(self) -> Bytes:
        """The live canvas, uint8 (n, n, 3): copy it before the next stroke."""
        return self._canvas

    def paint(self, strokes: ArrayLike) -> None:
        """Paint strokes in their order.

        Args:
            strokes: numbers in [0, 1], (n, 13) (see `stroke.FIELDS`).

        Raises:
            ValueError: the shape is another, or a number is outside [0, 1]; nothing was painted.
        """
        vectors = np.array(strokes, np.float64, order="C")
        if vectors.ndim != 2 or vectors.shape[1] != len(FIELDS):
            raise ValueError(f"strokes have {len(FIELDS)} numbers each, not shape {vectors.shape}: give (n, 13)")
        wrong = first_wrong(vectors.reshape(-1))
        if wrong >= 0:
            checked(vectors[wrong // len(FIELDS)])
        _paint_all(vectors, self._brush, self._canvas.reshape(len(self._canvas), -1), self._rows)
