"""The gradient that Canny's edges are found on, bit for bit as scikit-image computes it, redone only around a change.

Edges are decided by comparing float64 numbers, so each sum runs in the order of SciPy's filters:

- luma: an explicit weighted sum (see `similarity.luma`);
- Gaussian, sigma 1, 9 taps, zeros outside: down the columns, then along the rows; in each the centre first, then the
  pairs from the outermost to the innermost; then division by the blurred ones, scikit-image's
  correction of the border;
- Sobel, the picture mirrored at its border: the difference along its axis, then 2 * centre + (before + after)
  across it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from skimage.filters import gaussian

from easel_app.engine.canvas import Canvas
from easel_app.engine.kernel import Bytes, Floats, Longs, borrowed, inlined, kernel
from easel_app.scoring.similarity import LUMA

PAD = 4
"""Half-width of the Gaussian (sigma 1, cut at 4), and the margin in px around each plane."""


class Filters(NamedTuple):
    """The stages between bytes and gradient.

    Planes are float64 (size + 2 * PAD, size + 2 * PAD), the picture in their middle.
    """

    tables: Floats
    """(3, 256): what a byte of red, green or blue adds to the luma."""
    taps: Floats
    """(5,): weights of the Gaussian from its centre outwards."""
    bleed: Floats
    """Plane of the blurred ones; ones in the margin."""
    luma: Floats
    """Plane; zeros in the margin."""
    tall: Floats
    """Plane: blurred down the columns; zeros in the margin."""
    smooth: Floats
    """Plane: blurred; one mirrored pixel in the margin."""
    grad_down: Floats
    """Plane: change from row to row."""
    grad_across: Floats
    """Plane: change from column to column."""
    magnitude: Floats
    """Plane: length of the gradient."""
    spans: Longs
    """(3, 2, size): first and one-past-last column of each row that was redone: blurred down, blurred along,
    gradient."""


def luma_tables() -> Floats:
    """What each byte of each channel adds to the luma."""
    unit = np.arange(256) / 255.0
    return np.stack([weight * unit for weight in LUMA])


def gaussian_taps() -> Floats:
    """Weights of the Gaussian, from its centre outwards, as SciPy computes them."""
    weights = np.exp(-0.5 * np.arange(-PAD, PAD + 1) ** 2)
    half: Floats = (weights / weights.sum())[PAD:]
    return half


@lru_cache(maxsize=16)
def blurred_ones(size: int) -> Floats:
    """What scikit-image divides the blurred picture by (one is zero outside the picture, hence its border)."""
    ones: Floats = np.ones((size + 2 * PAD, size + 2 * PAD))
    inside = gaussian(np.ones((size, size)), sigma=1.0, mode="constant", cval=0.0)
    ones[PAD:-PAD, PAD:-PAD] = inside + np.finfo(np.float64).eps
    return ones


@kernel
def spread(source: Longs, target: Longs, top: int, bottom: int, rows: int, columns: int) -> tuple[int, int]:
    """Each row's interval after a filter that reaches `rows` up and down and `columns` aside (a hull).

    Intervals of `source` count in rows [top, bottom); returns the rows of `target` that were written.
    """
    source, target = borrowed(source), borrowed(target)
    size = target.shape[1]
    first, last = max(0, top - rows), min(size, bottom + rows)
    for y in range(first, last):
        lo, hi = size, 0
        for k in range(max(top, y - rows), min(bottom, y + rows + 1)):
            lo, hi = min(lo, source[0, k]), max(hi, source[1, k])
        if lo < hi:
            lo, hi = max(0, lo - columns), min(size, hi + columns)
        target[0, y], target[1, y] = lo, hi
    return first, last


@inlined
def _luma(row: Bytes, tables: Floats, out: Floats) -> None:
    red, green, blue = tables[0], tables[1], tables[2]
    for j in range(out.size):
        out[j] = red[row[3 * j]] + green[row[3 * j + 1]] + blue[row[3 * j + 2]]


@inlined
def _blur_down(
    r0: Floats, r1: Floats, r2: Floats, r3: Floats, r4: Floats, r5: Floats, r6: Floats, r7: Floats, r8: Floats,
    taps: Floats, out: Floats,
) -> None:  # fmt: skip
    """Nine rows into one. Rows are separate arguments, since a loop over few plain rows is compiled to vectors."""
    k0, k1, k2, k3, k4 = taps[0], taps[1], taps[2], taps[3], taps[4]
    for j in range(out.size):
        v = r4[j] * k0
        v += (r0[j] + r8[j]) * k4
        v += (r1[j] + r7[j]) * k3
        v += (r2[j] + r6[j]) * k2
        v += (r3[j] + r5[j]) * k1
        out[j] = v


@inlined
def _blur_along(row: Floats, bleed: Floats, taps: Floats, out: Floats) -> None:
    k0, k1, k2, k3, k4 = taps[0], taps[1], taps[2], taps[3], taps[4]
    for j in range(out.size):
        v = row[j + 4] * k0
        v += (row[j] + row[j + 8]) * k4
        v += (row[j + 1] + row[j + 7]) * k3
        v += (row[j + 2] + row[j + 6]) * k2
        v += (row[j + 3] + row[j + 5]) * k1
        out[j] = v / bleed[j]


@inlined
def _sobel(above: Floats, here: Floats, below: Floats, grad_down: Floats, grad_across: Floats, length: Floats) -> None:
    for j in range(length.size):
        left, centre, right = below[j] - above[j], below[j + 1] - above[j + 1], below[j + 2] - above[j + 2]
        up, middle, down = above[j + 2] - above[j], here[j + 2] - here[j], below[j + 2] - below[j]
        a = centre * 2.0 + (left + right)
        b = middle * 2.0 + (up + down)
        grad_down[j] = a
        grad_across[j] = b
        length[j] = np.sqrt(a * a + b * b)


@kernel
def update_gradient(canvas: Canvas, filters: Filters) -> tuple[int, int]:
    """Redo the gradient wherever the last change can have moved it.

    Returns:
        The first and one-past-last row that were redone; `filters.spans[2]` holds their intervals.
    """
    pixels, changed, spans = borrowed(canvas.pixels), borrowed(canvas.changed), borrowed(filters.spans)
    tables, taps, bleed = borrowed(filters.tables), borrowed(filters.taps), borrowed(filters.bleed)
    luma, tall, smooth = borrowed(filters.luma), borrowed(filters.tall), borrowed(filters.smooth)
    grad_down, grad_across = borrowed(filters.grad_down), borrowed(filters.grad_across)
    magnitude = borrowed(filters.magnitude)
    size = pixels.shape[0]
    top, bottom = canvas.box[0], canvas.box[1]
    for y in range(top, bottom):
        lo, hi = changed[0, y], changed[1, y]
        if lo < hi:
            _luma(pixels[y, 3 * lo : 3 * hi], tables, luma[y + PAD, lo + PAD : hi + PAD])
    top, bottom = spread(changed, spans[0], top, bottom, PAD, 0)
    for y in range(top, bottom):
        lo, hi = spans[0, 0, y] + PAD, spans[0, 1, y] + PAD
        if lo < hi:
            _blur_down(
                luma[y, lo:hi], luma[y + 1, lo:hi], luma[y + 2, lo:hi],
                luma[y + 3, lo:hi], luma[y + 4, lo:hi], luma[y + 5, lo:hi],
                luma[y + 6, lo:hi], luma[y + 7, lo:hi], luma[y + 8, lo:hi],
                taps, tall[y + PAD, lo:hi],
            )  # fmt: skip
    spread(spans[0], spans[1], top, bottom, 0, PAD)
    for y in range(top, bottom):
        lo, hi = spans[1, 0, y], spans[1, 1, y]
        if lo >= hi:
            continue
        a, b, row = lo + PAD, hi + PAD, smooth[y + PAD]
        _blur_along(tall[y + PAD, lo : hi + 2 * PAD], bleed[y + PAD, a:b], taps, row[a:b])
        if lo == 0:
            row[PAD - 1] = row[PAD]
        if hi == size:
            row[PAD + size] = row[PAD + size - 1]
    if top == 0:
        smooth[PAD - 1] = smooth[PAD]
    if bottom == size:
        smooth[PAD + size] = smooth[PAD + size - 1]
    top, bottom = spread(spans[1], spans[2], top, bottom, 1, 1)
    for y in range(top, bottom):
        lo, hi = spans[2, 0, y] + PAD, spans[2, 1, y] + PAD
        if lo < hi:
            row = y + PAD
            _sobel(
                smooth[row - 1, lo - 1 : hi + 1], smooth[row, lo - 1 : hi + 1], smooth[row + 1, lo - 1 : hi + 1],
                grad_down[row, lo:hi], grad_across[row, lo:hi], magnitude[row, lo:hi],
            )  # fmt: skip
    return top, bottom
