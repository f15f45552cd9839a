"""Changing the bytes of a canvas, and what follows at once: which bytes changed, and the sum of differences.

A stroke is composited in integers, canvas <- (colour * mask + canvas * (255 - mask) + 127) // 255 for each channel,
which is what skia does when it draws an 8-bit alpha mask in a colour: both put the same bytes on a canvas. Rows
are interleaved: red, green, blue, red ...
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine.kernel import Bytes, Floats, Longs, borrowed, inlined, kernel
from easel_app.engine.mask import Brush, Patch
from easel_app.engine.stroke import RED, colour_byte


class Canvas(NamedTuple):
    """A canvas beside its reference."""

    pixels: Bytes
    """(size, 3 * size): the canvas."""
    goal: Bytes
    """(size, 3 * size): the reference."""
    rows: Bytes
    """(3, 3 * size): work space for one row."""
    changed: Longs
    """(2, size): first and one-past-last column that the last change changed in each row; (size, 0) if none.

    Valid for the rows of `box` only."""
    box: Longs
    """(4,): top, bottom, left, right of the bytes that the last change changed; zeros if none."""


@inlined
def blend(row: Bytes, colour: Bytes, mask: Bytes, out: Bytes) -> None:
    """One row after painting.

    (v + 127) // 255 is v / 255 rounded, as 255 is odd; for every v up to 255 * 255 so is (t + (t >> 8)) >> 8 with
    t = v + 128, which stays within 16 bits.
    """
    for j in range(out.size):
        m = np.uint16(mask[j])
        new = np.uint16(np.uint16(colour[j]) * m)
        old = np.uint16(np.uint16(row[j]) * np.uint16(np.uint16(255) - m))
        t = np.uint16(np.uint16(new + old) + np.uint16(128))
        out[j] = np.uint8(np.uint16(t + np.uint16(t >> np.uint16(8))) >> np.uint16(8))


@inlined
def triple(mask: Bytes, out: Bytes) -> None:
    """Repeat each byte of a mask for the three channels."""
    for j in range(mask.size):
        out[3 * j] = mask[j]
        out[3 * j + 1] = mask[j]
        out[3 * j + 2] = mask[j]


@inlined
def _take(fresh: Bytes, y: int, left: int, canvas: Canvas) -> int:
    """Let `fresh` be the bytes of row y from column `left` on, and note what changed.

    Returns by how much the sum of absolute differences to the reference moved.
    """
    first, last = 3 * left, 3 * left + fresh.size
    row, goal = canvas.pixels[y, first:last], canvas.goal[y, first:last]
    gain = np.int32(0)
    a, b = 0, fresh.size
    while a < b and fresh[a] == row[a]:
        a += 1
    while a < b and fresh[b - 1] == row[b - 1]:
        b -= 1
    if a < b:
        for j in range(fresh.size):
            after = np.int32(np.int32(fresh[j]) - np.int32(goal[j]))
            before = np.int32(np.int32(row[j]) - np.int32(goal[j]))
            gain = np.int32(gain + np.int32(np.int32(abs(after)) - np.int32(abs(before))))
        row[:] = fresh
        a, b = left + a // 3, left + (b + 2) // 3
        box = canvas.box
        if box[0] == box[1]:
            box[0], box[2], box[3] = y, a, b
        box[1], box[2], box[3] = y + 1, min(box[2], a), max(box[3], b)
        canvas.changed[0, y], canvas.changed[1, y] = a, b
    return int(gain)


@inlined
def _nothing_changed(canvas: Canvas, top: int, bottom: int) -> None:
    """Forget the last change before one of rows [top, bottom)."""
    canvas.box[:] = 0
    canvas.changed[0, top:bottom] = canvas.pixels.shape[0]
    canvas.changed[1, top:bottom] = 0


@inlined
def _borrow(canvas: Canvas) -> Canvas:
    """All arrays of the canvas, borrowed."""
    return Canvas(
        borrowed(canvas.pixels),
        borrowed(canvas.goal),
        borrowed(canvas.rows),
        borrowed(canvas.changed),
        borrowed(canvas.box),
    )


@kernel
def paint(stroke: Floats, brush: Brush, canvas: Canvas) -> int:
    """Composite a stroke whose mask `draw_mask` drew.

    Returns by how much the sum of absolute differences to the reference moved; `canvas.changed` and
    `canvas.box` tell what changed.
    """
    mask, spans, canvas = borrowed(brush.mask), borrowed(brush.spans), _borrow(canvas)
    top, bottom = brush.rows[0], brush.rows[1]
    colours, masks, fresh = canvas.rows[0], canvas.rows[1], canvas.rows[2]
    for channel in range(3):
        byte = np.uint8(colour_byte(stroke[RED + channel]))
        for j in range(channel, colours.size, 3):
            colours[j] = byte
    _nothing_changed(canvas, top, bottom)
    gain = 0
    for y in range(top, bottom):
        lo, hi = spans[0, y], spans[1, y]
        if lo < hi:
            width = 3 * (hi - lo)
            triple(mask[y, lo:hi], masks[:width])
            blend(canvas.pixels[y, 3 * lo : 3 * hi], colours[:width], masks[:width], fresh[:width])
            gain += _take(fresh[:width], y, lo, canvas)
    return gain


@kernel
def replace(pixels: Bytes, top: int, left: int, canvas: Canvas) -> int:
    """Let `pixels` (h, 3 * w) be the canvas from (top, left) on; returns as `paint` does."""
    pixels, canvas = borrowed(pixels), _borrow(canvas)
    bottom = top + pixels.shape[0]
    _nothing_changed(canvas, top, bottom)
    gain = 0
    for y in range(top, bottom):
        gain += _take(pixels[y - top], y, left, canvas)
    return gain


@kernel
def _composite(pixels: Bytes, alpha: Bytes, top: int, left: int, colour: Bytes) -> None:
    """Composite a patch on interleaved rows."""
    pixels, alpha = borrowed(pixels), borrowed(alpha)
    height, width = alpha.shape
    colours, masks = np.empty(3 * width, np.uint8), np.empty(3 * width, np.uint8)
    for j in range(3 * width):
        colours[j] = colour[j % 3]
    for y in range(height):
        row = pixels[top + y, 3 * left : 3 * (left + width)]
        triple(alpha[y], masks)
        blend(row, colours, masks, row)


def composite(canvas: Bytes, patch: Patch, colour: Bytes) -> None:
    """Composite a mask on a canvas, in place: canvas <- (colour * mask + canvas * (255 - mask) + 127) // 255.

    Args:
        canvas: uint8 (h, w, 3), C-contiguous.
        patch: a mask that lies within the canvas.
        colour: uint8 (3,): red, green, blue.

    Raises:
        ValueError: a shape or type is another, or the patch reaches beyond the canvas.
    """
    height, width = patch.alpha.shape
    if canvas.ndim != 3 or canvas.shape[2] != 3 or canvas.dtype != np.uint8 or not canvas.flags.c_contiguous:
        raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be C-contiguous uint8 (h, w, 3)")
    if not canvas.flags.writeable:
        raise ValueError("the canvas is read-only, and compositing changes it in place: pass a copy")
    if not (0 <= patch.top <= canvas.shape[0] - height and 0 <= patch.left <= canvas.shape[1] - width):
        raise ValueError(
            f"a patch of {width} x {height} px at column {patch.left}, row {patch.top} reaches beyond the canvas of "
            f"{canvas.shape[1]} x {canvas.shape[0]} px: cut it first"
        )
    alpha = np.array(patch.alpha, np.uint8, order="C", ndmin=2)
    colours = np.array(colour, np.uint8)
    if colours.shape != (3,):
        raise ValueError(f"a colour has three bytes, not shape {colours.shape}: give red, green, blue")
    _composite(canvas.reshape(canvas.shape[0], -1), alpha, patch.top, patch.left, colours)
