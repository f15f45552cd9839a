"""The mask of a stroke by the rule of brush/1: which pixels it covers, and how strongly, in 8 bits.

A disc of radius r covers a pixel by `part` = clamp(r + 0.5 - distance of the pixel's centre, 0, 1). Discs are laid
one after the other (see `discs`); each pixel keeps `cover`, the largest part so far, and `value`:

    part >= cover:  cover = part, value = the disc's opacity
    otherwise:      value += (opacity - value) * (part / cover)

so the outline does not depend on how many discs overlap, the last disc wins, and borders inside are smooth. In the
end mask = floor(255 * (cover * value) + 0.5). All in float64, each operation rounded as IEEE 754 says.

The kernel goes row by row. A disc that covers a pixel fully wipes out what was there, so a row is first claimed
backwards, each pixel by the last disc that covers it fully; only the rims that stick out of what later discs
have claimed are then blended, forwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from easel_app.engine.discs import OPACITY, RADIUS, X, Y, lay_discs, most_discs
from easel_app.engine.kernel import Bytes, Floats, Ints, Longs, borrowed, inlined, kernel
from easel_app.engine.stroke import checked

RENDERER = "brush/1"
"""Name and version of the rule; recorded with each session, and to be changed whenever a pixel would change."""

LARGEST = 2048
"""The largest canvas (px): up to here each index and sum of the engine fits its type."""

SAFE = 1e-6
"""Rims are searched this much too wide (px), so that rounding cannot hide a pixel from the rule."""


class Patch(NamedTuple):
    """A stroke's mask, cut to the pixels that it covers."""

    alpha: Bytes
    """uint8 (h, w), C-contiguous; (0, 0) if the stroke covers nothing."""
    top: int
    """Row on the canvas of the patch's first row."""
    left: int
    """Column on the canvas of the patch's first column."""


class Brush(NamedTuple):
    """Memory to draw a mask in, for one size of canvas."""

    mask: Bytes
    """(size, size): the mask, valid inside `spans` only."""
    spans: Longs
    """(2, size): first and one-past-last column of each row with a mask above 0; (size, 0) for an empty row."""
    rows: Longs
    """(2,): first and one-past-last row with a mask above 0; (size, 0) if there is none."""
    discs: Floats
    """(4, n): x, y, radius and opacity of each disc."""
    touching: Ints
    """(2, size): first and last disc that touches each row."""
    bounds: Ints
    """(4, n): of each disc on the current row, the interval that it touches and the one that it covers fully."""
    rims: Ints
    """(n * size + 4,): pixels to blend on the current row, as disc << 16 | column, from the last disc to the first."""
    claims: Ints
    """(size,): 1 + the last disc that covers a pixel of the current row fully, or 0."""
    blend: Floats
    """(2, size): `cover` and `value` of the current row."""


def new_brush(size: int) -> Brush:
    """Memory for masks on a canvas of `size` px."""
    n = most_discs(size)
    return Brush(
        mask=np.zeros((size, size), np.uint8),
        spans=np.zeros((2, size), np.int64),
        rows=np.zeros(2, np.int64),
        discs=np.zeros((4, n)),
        touching=np.zeros((2, size), np.int32),
        bounds=np.zeros((4, n), np.int32),
        rims=np.zeros(n * size + 4, np.int32),
        claims=np.zeros(size, np.int32),
        blend=np.zeros((2, size)),
    )


@inlined
def _touch_rows(discs: Floats, count: int, first: Ints, last: Ints) -> tuple[int, int]:
    """Note the first and the last disc that touch each row; returns the first and one-past-last row touched."""
    size = first.size
    first[:] = count
    last[:] = -1
    highest, lowest = size, 0
    for k in range(count):
        reach = discs[RADIUS, k] + 0.5
        top = max(0, int(np.ceil(discs[Y, k] - reach - 0.5)))
        bottom = min(size, int(np.floor(discs[Y, k] + reach - 0.5)) + 1)
        highest, lowest = min(highest, top), max(lowest, bottom)
        for y in range(top, bottom):
            first[y] = min(first[y], np.int32(k))
            last[y] = np.int32(k)
    return highest, lowest


@inlined
def _find_intervals(
    x: Floats,
    y: Floats,
    radius: Floats,
    centre: float,
    size: int,
    outer_lo: Ints,
    outer_hi: Ints,
    inner_lo: Ints,
    inner_hi: Ints,
) -> tuple[int, int]:
    """Which pixels of the row at y = `centre` each disc touches (outer) and covers fully (inner).

    Outer intervals are (size, 0) if empty; inner ones lie inside the outer. Returns the hull of all.
    """
    lo, hi = np.int32(size), np.int32(0)
    for k in range(x.size):
        dy = centre - y[k]
        outer = radius[k] + 0.5
        inner = radius[k] - 0.5
        chord = outer * outer - dy * dy
        reach = np.sqrt(max(chord, 0.0)) + SAFE
        left = min(max(np.ceil(x[k] - reach - 0.5), 0.0), np.float64(size))
        right = max(min(np.floor(x[k] + reach - 0.5) + 1.0, np.float64(size)), 0.0)
        touched = chord > 0.0 and left < right
        left = left if touched else np.float64(size)
        right = right if touched else 0.0
        chord = inner * inner - dy * dy
        reach = np.sqrt(max(chord, 0.0)) - SAFE
        fill_left = np.ceil(x[k] - reach - 0.5)
        fill_right = np.floor(x[k] + reach - 0.5) + 1.0
        filled = chord > 0.0 and fill_left < fill_right
        fill_left = min(max(fill_left, left), right) if filled else right
        fill_right = min(max(fill_right, fill_left), right) if filled else right
        outer_lo[k], outer_hi[k] = np.int32(left), np.int32(right)
        inner_lo[k], inner_hi[k] = np.int32(fill_left), np.int32(fill_right)
        lo, hi = min(lo, np.int32(left)), max(hi, np.int32(right))
    return int(lo), int(hi)


@inlined
def _note_rim(first: int, last: int, disc: int, found: int, rims: Ints) -> int:
    """Append the pixels [first, last) of a disc to the list; returns its new length."""
    entry = disc << 16 | first
    for i in range(4):  # few rims are longer, and a fixed count leaves the processor nothing to guess
        rims[np.uintp(found + i)] = entry + i
    for i in range(4, last - first):
        rims[np.uintp(found + i)] = entry + i
    return found + max(0, last - first)


@inlined
def _claim_backwards(
    opacity: Floats,
    outer_lo: Ints,
    outer_hi: Ints,
    inner_lo: Ints,
    inner_hi: Ints,
    claims: Ints,
    cover: Floats,
    value: Floats,
    rims: Ints,
) -> int:
    """Give each pixel to the last disc that covers it fully; returns how many pixels of rims stick out."""
    lo, hi = 0, 0  # every pixel in here is claimed; pixels outside may be too, where the curve turned back
    found = 0
    for k in range(opacity.size - 1, -1, -1):
        left, right = outer_lo[k], outer_hi[k]
        if left >= right or (left >= lo and right <= hi):
            continue
        fill_left, fill_right = inner_lo[k], inner_hi[k]
        if fill_left >= fill_right:
            found = _note_rim(left, right, k, found, rims)
            continue
        if lo == hi or fill_left > hi or fill_right < lo:
            lo, hi = fill_left, fill_left
        for x in range(fill_left, lo):
            j = np.uintp(x)
            if claims[j] == 0:
                claims[j], cover[j], value[j] = k + 1, 1.0, opacity[k]
        for x in range(hi, fill_right):
            j = np.uintp(x)
            if claims[j] == 0:
                claims[j], cover[j], value[j] = k + 1, 1.0, opacity[k]
        lo, hi = min(lo, fill_left), max(hi, fill_right)
        found = _note_rim(left, lo, k, found, rims)
        found = _note_rim(hi, right, k, found, rims)
    return found


@inlined
def _blend_forwards(
    found: int,
    x: Floats,
    y: Floats,
    radius: Floats,
    opacity: Floats,
    centre: float,
    claims: Ints,
    cover: Floats,
    value: Floats,
    rims: Ints,
) -> None:
    """Lay the rims over the row, from the first disc to the last, where no later disc has a claim."""
    for i in range(found - 1, -1, -1):
        k, j = np.uintp(rims[i] >> 16), np.uintp(rims[i] & 0xFFFF)
        if claims[j] > np.int64(k):
            continue
        dx = np.int64(j) + 0.5 - x[k]
        dy = centre - y[k]
        part = min(radius[k] + 0.5 - np.sqrt(dx * dx + dy * dy), 1.0)
        if part > 0.0:
            most, before = cover[j], value[j]
            moved = before + (opacity[k] - before) * (part / most)
            value[j] = opacity[k] if part >= most else moved
            cover[j] = max(part, most)


@kernel
def draw_mask(stroke: Floats, brush: Brush) -> None:
    """Draw a stroke's mask into `brush.mask`, with its `spans` and `rows`.

    Args:
        stroke: float64 (13,), each in [0, 1], which the caller has checked.
        brush: memory for the canvas's size.
    """
    mask, spans, discs = borrowed(brush.mask), borrowed(brush.spans), borrowed(brush.discs)
    touching, bounds, rims = borrowed(brush.touching), borrowed(brush.bounds), borrowed(brush.rims)
    claims, cover, value = borrowed(brush.claims), borrowed(brush.blend)[0], borrowed(brush.blend)[1]
    size = mask.shape[0]
    count = lay_discs(borrowed(stroke), size, discs)
    top, bottom = _touch_rows(discs, count, touching[0], touching[1])
    highest, lowest = size, 0
    spans[0] = size
    spans[1] = 0
    for row in range(top, bottom):
        a, b = touching[0, row], touching[1, row] + 1
        if a >= b:
            continue
        centre = row + 0.5
        x, y, radius, opacity = discs[X, a:b], discs[Y, a:b], discs[RADIUS, a:b], discs[OPACITY, a:b]
        outer_lo, outer_hi, inner_lo, inner_hi = bounds[0, a:b], bounds[1, a:b], bounds[2, a:b], bounds[3, a:b]
        lo, hi = _find_intervals(x, y, radius, centre, size, outer_lo, outer_hi, inner_lo, inner_hi)
        if lo >= hi:
            continue
        claims[lo:hi] = 0
        cover[lo:hi] = 0.0
        value[lo:hi] = 0.0
        found = _claim_backwards(opacity, outer_lo, outer_hi, inner_lo, inner_hi, claims, cover, value, rims)
        _blend_forwards(found, x, y, radius, opacity, centre, claims, cover, value, rims)
        out, covers, values = mask[row, lo:hi], cover[lo:hi], value[lo:hi]
        for j in range(out.size):
            out[j] = np.uint8(np.int32(255.0 * (covers[j] * values[j]) + 0.5))
        left, right = 0, out.size
        while left < right and out[left] == 0:
            left += 1
        while left < right and out[right - 1] == 0:
            right -= 1
        if left < right:
            spans[0, row], spans[1, row] = lo + left, lo + right
            highest, lowest = min(highest, row), row + 1
    brush.rows[0], brush.rows[1] = highest, lowest


@kernel
def _copy_rows(mask: Bytes, spans: Longs, top: int, left: int, alpha: Bytes) -> None:
    """Copy what `spans` cover of a mask into `alpha`, which holds zeros, from (top, left) on."""
    mask, spans, alpha = borrowed(mask), borrowed(spans), borrowed(alpha)
    for row in range(alpha.shape[0]):
        lo, hi = spans[0, top + row], spans[1, top + row]
        if lo < hi:
            alpha[row, lo - left : hi - left] = mask[top + row, lo:hi]


def cut_patch(brush: Brush) -> Patch:
    """The mask that was drawn last, cut to its box and copied."""
    top, bottom = brush.rows.tolist()
    if top >= bottom:
        return Patch(np.zeros((0, 0), np.uint8), 0, 0)
    left, right = int(brush.spans[0, top:bottom].min()), int(brush.spans[1, top:bottom].max())
    alpha = np.zeros((bottom - top, right - left), np.uint8)
    _copy_rows(brush.mask, brush.spans, top, left, alpha)
    return Patch(alpha, top, left)


def stroke_mask(stroke: ArrayLike, size: int) -> Patch:
    """The mask of a stroke on a canvas of `size` px.

    Args:
        stroke: 13 numbers in [0, 1] (see `stroke.FIELDS`); the colour plays no part.
        size: side of the square canvas, px, at least 1.

    Raises:
        ValueError: there are not 13 numbers, one is outside [0, 1], or the size is not in [1, LARGEST].
    """
    if not 1 <= size <= LARGEST:
        raise ValueError(f"a canvas of {size} px is not between 1 and {LARGEST} px wide: choose a size in between")
    vector, brush = checked(stroke), new_brush(size)
    draw_mask(vector, brush)
    return cut_patch(brush)
