"""Revising a painting whose every stroke may still change: sweeps from its last stroke to its first.

`fit` lets each stroke climb under the weighted squared error of the finished picture, `touch_up` under its similarity,
each change shown on the finished canvas and scored exactly.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import Canvas
from easel_app.engine.kernel import Bytes, Floats, borrowed, inlined, kernel
from easel_app.engine.mask import draw_mask
from easel_app.engine.memory import Memory
from easel_app.engine.step import L1, refresh
from easel_app.engine.stroke import RED, colour_byte
from easel_app.painting.painters.climbing import SHAPE, Walk, begin, settle, vary
from easel_app.painting.painters.grid import snap
from easel_app.painting.painters.layers import (
    Layers,
    finished_gain,
    go_above,
    go_past,
    lay_layers,
    lay_row,
    put,
    take_out,
)
from easel_app.painting.painters.worth import worth

WIDE, NARROW = (0.15, 0.05), (0.15, 0.02)
"""Scale of changes at the start of a climb and its least value: under squared error, and under similarity."""


@kernel
def fit(changes: int, grid: int, rng: np.random.Generator, walk: Walk, layers: Layers, memory: Memory) -> None:
    """Sweep once under the weighted squared error of the finished picture; `gains` are then known.

    Args:
        changes: that each stroke tries.
        grid: parts that points, radii and opacities are whole numbers of, or `FREE`.
        rng: where chance comes from.
        walk: memory.
        layers: up to date; left so.
        memory: holds the reference; its canvas plays no part.
    """
    stroke, brush = np.zeros(13), memory.brush
    go_above(layers)
    for k in range(layers.strokes.shape[0] - 1, -1, -1):
        take_out(k, layers, memory.canvas)
        stroke[:] = layers.strokes[k]
        best = finished_gain(k, stroke, brush, layers)
        begin(walk, WIDE[0], WIDE[1])
        for _ in range(changes):
            vary(walk, stroke, rng, True)
            snap(walk.trial, SHAPE, grid)
            gain = finished_gain(k, walk.trial, brush, layers)
            settle(walk, stroke, gain > best)
            best = max(gain, best)
        layers.gains[k] = best
        draw_mask(stroke, brush)
        put(k, stroke, brush, layers)
        go_past(k, layers)
    lay_layers(0, layers.strokes.shape[0], layers)


@kernel
def touch_up(trials: int, grid: int, rng: np.random.Generator, walk: Walk, layers: Layers, memory: Memory) -> None:
    """Sweep once under the similarity of the finished picture, which never falls.

    Args:
        trials: changes that each stroke tries.
        grid: as above.
        rng: where chance comes from.
        walk: memory.
        layers: up to date; left so.
        memory: an engine's that holds the finished canvas; left so.
    """
    stroke, brush = np.zeros(13), memory.brush
    best = worth(memory)
    go_above(layers)
    for k in range(layers.strokes.shape[0] - 1, -1, -1):
        take_out(k, layers, memory.canvas)
        stroke[:] = layers.strokes[k]
        layers.shown[0], layers.shown[1] = layers.firsts[:, k], layers.lasts[:, k]
        begin(walk, NARROW[0], NARROW[1])
        better = True
        for _ in range(trials):
            vary(walk, stroke, rng, True)
            snap(walk.trial, SHAPE, grid)
            finished_gain(k, walk.trial, brush, layers)
            _show(k, walk.trial, layers, memory)
            score = worth(memory)
            better = score > best
            settle(walk, stroke, better)
            best = max(score, best)
        draw_mask(stroke, brush)
        if not better:
            _show(k, stroke, layers, memory)
        put(k, stroke, brush, layers)
        go_past(k, layers)
    lay_layers(0, layers.strokes.shape[0], layers)


@kernel
def _show(k: int, stroke: Floats, layers: Layers, memory: Memory) -> None:
    """Let the canvas be the finished picture with a stroke, whose mask is drawn, in place of the last one shown.

    Both are redone at once, which halves the cost of taking the last one away.
    """
    canvas = Canvas(
        borrowed(memory.canvas.pixels),
        borrowed(memory.canvas.goal),
        borrowed(memory.canvas.rows),
        borrowed(memory.canvas.changed),
        borrowed(memory.canvas.box),
    )
    mask, spans, shown = borrowed(memory.brush.mask), borrowed(memory.brush.spans), borrowed(layers.shown)
    masks, firsts, lasts = borrowed(layers.masks), borrowed(layers.firsts), borrowed(layers.lasts)
    below, colours, rows = borrowed(layers.below)[k], borrowed(layers.colours), borrowed(layers.rows)
    red, green, blue = colour_byte(stroke[RED]), colour_byte(stroke[RED + 1]), colour_byte(stroke[RED + 2])
    size, count = mask.shape[0], masks.shape[0]
    canvas.box[:] = 0
    moved = 0
    for y in range(size):
        canvas.changed[0, y], canvas.changed[1, y] = size, 0
        lo, hi = spans[0, y], spans[1, y]
        left, right = min(lo, shown[0, y]), max(hi, shown[1, y])
        shown[0, y], shown[1, y] = lo, hi
        if left >= right:
            continue
        row = canvas.rows[0, : 3 * (right - left)]
        row[:] = below[y, 3 * left : 3 * right]
        if lo < hi:
            lay_row(row[3 * (lo - left) : 3 * (hi - left)], mask[y, lo:hi], red, green, blue, rows)
        for i in range(k + 1, count):
            a, b = max(left, firsts[y, i]), min(right, lasts[y, i])
            if a < b:
                part = row[3 * (a - left) : 3 * (b - left)]
                lay_row(part, masks[i, y, a:b], colours[i, 0], colours[i, 1], colours[i, 2], rows)
        moved += _take(row, y, left, canvas)
    memory.totals[L1] += moved
    if canvas.box[0] < canvas.box[1]:
        refresh(memory)


@inlined
def _take(fresh: Bytes, y: int, left: int, canvas: Canvas) -> int:
    """Let `fresh` be the bytes of row y from column `left` on, and note what changed, as the engine does.

    Returns by how much the sum of absolute differences to the reference moved.
    """
    row, goal = canvas.pixels[y, 3 * left : 3 * left + fresh.size], canvas.goal[y, 3 * left : 3 * left + fresh.size]
    moved = np.int32(0)
    a, b = 0, fresh.size
    while a < b and fresh[a] == row[a]:
        a += 1
    while a < b and fresh[b - 1] == row[b - 1]:
        b -= 1
    if a < b:
        for j in range(fresh.size):
            after = np.int32(np.int32(fresh[j]) - np.int32(goal[j]))
            before = np.int32(np.int32(row[j]) - np.int32(goal[j]))
            moved = np.int32(moved + np.int32(np.int32(abs(after)) - np.int32(abs(before))))
        row[:] = fresh
        a, b = left + a // 3, left + (b + 2) // 3
        box = canvas.box
        if box[0] == box[1]:
            box[0], box[2], box[3] = y, a, b
        box[1], box[2], box[3] = y + 1, min(box[2], a), max(box[3], b)
        canvas.changed[0, y], canvas.changed[1, y] = a, b
    return int(moved)
