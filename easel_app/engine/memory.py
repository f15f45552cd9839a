"""All memory of a step engine: one block for each type of number, carved into named arrays.

Handing an array from Python to a kernel costs about a tenth of a microsecond, and an engine has thirty of them, so a
step takes the four blocks and carves them itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine.canvas import Canvas
from easel_app.engine.discs import most_discs
from easel_app.engine.gradient import PAD, Filters
from easel_app.engine.hysteresis import Links
from easel_app.engine.kernel import Bytes, Floats, Ints, Longs, inlined
from easel_app.engine.mask import Brush
from easel_app.engine.ssim import Windows


class Blocks(NamedTuple):
    """Four flat arrays that hold everything."""

    bytes: Bytes
    ints: Ints
    longs: Longs
    floats: Floats


class Memory(NamedTuple):
    """What a step reads and writes, by subject."""

    brush: Brush
    canvas: Canvas
    windows: Windows
    filters: Filters
    links: Links
    totals: Longs
    """(2,): sum of the windows' SSIM in fixed point, and sum of absolute differences."""


def new_blocks(size: int) -> Blocks:
    """Zeros for a canvas of `size` px."""
    picture, plane, discs = 3 * size * size, (size + 2 * PAD) ** 2, most_discs(size)
    return Blocks(
        bytes=np.zeros(2 * picture + 9 * size + 3 * plane + size * size, np.uint8),
        ints=np.zeros(3 * picture + 9 * size + 2 * size + 4 * discs + size + discs * size + 4, np.int32),
        longs=np.zeros(3 * plane + 1 + 2 * size + 2 * size + 6 * size + 4 + 3 + 2 + 2, np.int64),
        floats=np.zeros(7 * plane + 3 * 256 + PAD + 1 + 4 * discs + 2 * size),
    )


def carve(size: int, bytes_: Bytes, ints: Ints, longs: Longs, floats: Floats) -> Memory:
    """The blocks of an engine for a canvas of `size` px as named arrays, which are views."""
    side, discs = size + 2 * PAD, most_discs(size)
    row, plane = 3 * size, side * side
    picture = size * row

    pictures = bytes_[: 2 * picture].reshape(2, size, row)
    a = 2 * picture
    rows = bytes_[a : a + 3 * row].reshape(3, row)
    a += 3 * row
    maps = bytes_[a : a + 3 * plane].reshape(3, side, side)
    a += 3 * plane
    mask = bytes_[a : a + size * size].reshape(size, size)

    window_maps = ints[: 3 * picture].reshape(3, size, row)
    a = 3 * picture
    sums = ints[a : a + 3 * row].reshape(3, row)
    a += 3 * row
    touching = ints[a : a + 2 * size].reshape(2, size)
    a += 2 * size
    bounds = ints[a : a + 4 * discs].reshape(4, discs)
    a += 4 * discs
    claims = ints[a : a + size]
    a += size
    rims = ints[a : a + discs * size + 4]

    marks = longs[:plane].reshape(side, side)
    seeds = longs[plane : 2 * plane]
    stack = longs[2 * plane : 3 * plane + 1]
    a = 3 * plane + 1
    spans = longs[a : a + 2 * size].reshape(2, size)
    a += 2 * size
    changed = longs[a : a + 2 * size].reshape(2, size)
    a += 2 * size
    filter_spans = longs[a : a + 6 * size].reshape(3, 2, size)
    a += 6 * size
    box = longs[a : a + 4]
    counts = longs[a + 4 : a + 7]
    totals = longs[a + 7 : a + 9]
    mask_rows = longs[a + 9 : a + 11]

    planes = floats[: 7 * plane].reshape(7, side, side)
    a = 7 * plane
    tables = floats[a : a + 3 * 256].reshape(3, 256)
    a += 3 * 256
    taps = floats[a : a + PAD + 1]
    a += PAD + 1
    disc_table = floats[a : a + 4 * discs].reshape(4, discs)
    a += 4 * discs
    blend = floats[a : a + 2 * size].reshape(2, size)

    return Memory(
        Brush(mask, spans, mask_rows, disc_table, touching, bounds, rims, claims, blend),
        Canvas(pictures[0], pictures[1], rows, changed, box),
        Windows(window_maps[0], window_maps[1], window_maps[2], sums),
        Filters(
            tables, taps, planes[0], planes[1], planes[2], planes[3], planes[4], planes[5], planes[6], filter_spans
        ),
        Links(maps[0], maps[1], maps[2], marks, seeds, stack, counts),
        totals,
    )


carved = inlined(carve)
"""`carve` within a kernel."""
