"""A canvas without each one of its strokes, exactly, at the cost of what each of them still shows.

A stroke can only have changed pixels under its own mask. So the canvas without it is the whole canvas, but for the
intervals of its mask: each of them is taken from the canvas below the stroke twice, once with the stroke and once
without, and both go through all later strokes side by side. Where both have become equal, later strokes have hidden it
for good: an interval is cut at its ends, and it is done with when nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from easel_app.engine.canvas import blend, triple
from easel_app.engine.kernel import Bytes, Floats, Longs, borrowed, inlined, kernel
from easel_app.engine.mask import draw_mask, new_brush
from easel_app.engine.stroke import checked, colour_bytes


class Stack(NamedTuple):
    """The strokes on a canvas of `size` px, the lowest first."""

    masks: Bytes
    """(n, size, size): the mask of each. Memory that no mask reaches is never claimed from the system."""
    firsts: Longs
    """(size, n): first column with a mask above 0 in each row of each mask ..."""
    lasts: Longs
    """(size, n): ... and one past the last; (size, 0) for an empty row."""
    colours: Bytes
    """(n, 3 * size): a row of each colour."""
    rows: Bytes
    """(3, 3 * size): work space."""


def new_stack(strokes: Floats, size: int) -> Stack:
    """Draw the masks of strokes, float64 (n, 13), each in [0, 1], which the caller has checked."""
    count, brush = len(strokes), new_brush(size)
    masks, spans = np.zeros((count, size, size), np.uint8), np.zeros((count, 2, size), np.int64)
    colours = np.zeros((count, size, 3), np.uint8)
    for k, stroke in enumerate(strokes):
        draw_mask(stroke, brush._replace(mask=masks[k], spans=spans[k]))
        colours[k] = colour_bytes(stroke)
    firsts, lasts = (np.array(spans[:, end].T, order="C") for end in range(2))
    return Stack(masks, firsts, lasts, colours.reshape(count, 3 * size), np.zeros((3, 3 * size), np.uint8))


@inlined
def _same(one: Bytes, other: Bytes, x: int) -> bool:
    """Whether two rows agree in a pixel."""
    j = 3 * x
    return bool(one[j] == other[j] and one[j + 1] == other[j + 1] and one[j + 2] == other[j + 2])


@kernel
def omit(k: int, stack: Stack, below: Bytes, whole: Bytes) -> None:
    """Take a stroke out of a canvas.

    Args:
        k: its place in the stack.
        stack: all strokes of the canvas.
        below: (size, 3 * size), the canvas below the stroke; the stroke is laid on it, so the next one may follow.
        whole: (size, 3 * size), the canvas; becomes what it is without the stroke.
    """
    masks, firsts, lasts = borrowed(stack.masks), borrowed(stack.firsts), borrowed(stack.lasts)
    colours, below, whole = borrowed(stack.colours), borrowed(below), borrowed(whole)
    alpha, without, within = borrowed(stack.rows)[0], borrowed(stack.rows)[1], borrowed(stack.rows)[2]
    count, size = masks.shape[0], masks.shape[1]
    for y in range(size):
        lo, hi = firsts[y, k], lasts[y, k]
        if lo >= hi:
            continue
        a, b, width = 3 * lo, 3 * hi, 3 * (hi - lo)
        without[a:b] = below[y, a:b]
        triple(masks[k, y, lo:hi], alpha[:width])
        blend(without[a:b], colours[k, :width], alpha[:width], within[a:b])
        below[y, a:b] = within[a:b]
        for j in range(k + 1, count):
            left, right = max(lo, firsts[y, j]), min(hi, lasts[y, j])
            if left >= right:
                continue
            a, b, width = 3 * left, 3 * right, 3 * (right - left)
            triple(masks[j, y, left:right], alpha[:width])
            blend(without[a:b], colours[j, :width], alpha[:width], without[a:b])
            blend(within[a:b], colours[j, :width], alpha[:width], within[a:b])
            while lo < hi and _same(without, within, lo):
                lo += 1
            while lo < hi and _same(without, within, hi - 1):
                hi -= 1
            if lo >= hi:
                break
        whole[y, 3 * lo : 3 * hi] = without[3 * lo : 3 * hi]


def omissions(strokes: Floats, start: Bytes, whole: Bytes) -> Iterator[Bytes]:
    """A canvas without its first stroke, without its second and so on, each painted when it is asked for.

    Args:
        strokes: float64 (n, 13), each in [0, 1], the lowest first.
        start: uint8 (size, size, 3), the canvas before the first stroke.
        whole: uint8 (size, size, 3), the canvas with all of them, painted in order by brush/1.

    Yields:
        uint8 (size, size, 3), a fresh array: the bytes that painting all the other strokes in order gives.

    Raises:
        ValueError: a stroke has not 13 numbers in [0, 1].
    """
    size = len(start)
    stack = new_stack(np.array([checked(stroke) for stroke in strokes]), size)
    below = np.array(start, order="C").reshape(size, 3 * size)
    for k in range(len(strokes)):
        canvas = np.array(whole, order="C").reshape(size, 3 * size)
        omit(k, stack, below, canvas)
        yield canvas.reshape(size, size, 3)
