"""All strokes of a painting at once, as layers: what is below each of them, and how much of it shows in the end.

A later stroke of mask m / 255 and colour u turns what lies below, C, into (1 - m / 255) * C + m / 255 * u. Strung
together, all strokes above a layer turn its pixel C into `above + through * C`: `through` is the product of their
1 - m / 255, `above` what they add themselves. A sweep goes from the last stroke to the first; so each stroke is seen
through all that come after it, as they are by then, and what is below it has not changed yet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.engine.canvas import Canvas, blend, triple
from easel_app.engine.kernel import Bytes, Floats, Ints, Longs, borrowed, inlined, kernel
from easel_app.engine.mask import Brush, draw_mask
from easel_app.engine.stroke import RED, colour_byte

Singles = NDArray[np.float32]
Shorts = NDArray[np.int16]


class Layers(NamedTuple):
    """The n strokes of a painting on a canvas of `size` px, the lowest first."""

    strokes: Floats
    """(n, 13)."""
    colours: Bytes
    """(n, 3)."""
    masks: Bytes
    """(n, size, size): valid inside the intervals only; memory that no mask reaches is never claimed."""
    firsts: Longs
    """(size, n): first column with a mask above 0 in each row of each mask ..."""
    lasts: Longs
    """(size, n): ... and one past the last; (size, 0) for an empty row."""
    below: Bytes
    """(n + 1, size, 3 * size): the canvas below each stroke, and the finished one."""
    gains: Floats
    """(n,): by how much each lowered the weighted error of the finished picture when it was last fitted."""
    through: Singles
    """(size, size): see above ..."""
    above: Singles
    """(size, 3 * size): ... of the strokes that the sweep has gone past."""
    shows: Bytes
    """(size, size): `through` of the layer at hand, of 255."""
    lack: Shorts
    """(size, 3 * size): what the finished picture lacks without the layer at hand, in bytes."""
    weights: Ints
    """(size, size): what a squared byte of error costs in each pixel."""
    shown: Longs
    """(2, size): the interval of the mask of the layer at hand that is on the canvas."""
    rows: Bytes
    """(2, 3 * size): work space."""


def memory_of(count: int, size: int) -> int:
    """Bytes that so many layers need."""
    return 4 * count * size * size


def new_layers(count: int, start: Bytes) -> Layers:
    """Layers without paint on `start`, (size, 3 * size), and equal weights."""
    size = len(start)
    below = np.empty((count + 1, size, 3 * size), np.uint8)
    below[:] = start
    return Layers(
        strokes=np.zeros((count, 13)),
        colours=np.zeros((count, 3), np.uint8),
        masks=np.zeros((count, size, size), np.uint8),
        firsts=np.full((size, count), size, np.int64),
        lasts=np.zeros((size, count), np.int64),
        below=below,
        gains=np.zeros(count),
        through=np.ones((size, size), np.float32),
        above=np.zeros((size, 3 * size), np.float32),
        shows=np.zeros((size, size), np.uint8),
        lack=np.zeros((size, 3 * size), np.int16),
        weights=np.ones((size, size), np.int32),
        shown=np.zeros((2, size), np.int64),
        rows=np.zeros((2, 3 * size), np.uint8),
    )


@kernel
def put(k: int, stroke: Floats, brush: Brush, layers: Layers) -> None:
    """Let a stroke, whose mask is drawn, be layer k."""
    mask, spans = borrowed(brush.mask), borrowed(brush.spans)
    masks, firsts, lasts = borrowed(layers.masks), borrowed(layers.firsts), borrowed(layers.lasts)
    layers.strokes[k] = stroke
    for channel in range(3):
        layers.colours[k, channel] = colour_byte(stroke[RED + channel])
    for y in range(mask.shape[0]):
        lo, hi = spans[0, y], spans[1, y]
        firsts[y, k], lasts[y, k] = lo, hi
        for x in range(lo, hi):
            masks[k, y, x] = mask[y, x]


@inlined
def lay_row(row: Bytes, mask: Bytes, red: int, green: int, blue: int, rows: Bytes) -> None:
    """Paint on a row of pixels through a row of a mask; `rows` is work space."""
    width = row.size
    masks, colours = rows[0, :width], rows[1, :width]
    triple(mask, masks)
    for j in range(0, width, 3):
        colours[j], colours[j + 1], colours[j + 2] = red, green, blue
    blend(row, colours, masks, row)


@kernel
def lay_layers(first: int, last: int, layers: Layers) -> None:
    """Bring what is below layers [first + 1, last] up to date, from what is below `first`."""
    masks, firsts, lasts = borrowed(layers.masks), borrowed(layers.firsts), borrowed(layers.lasts)
    below, colours, rows = borrowed(layers.below), borrowed(layers.colours), borrowed(layers.rows)
    for k in range(first, last):
        below[k + 1] = below[k]
        red, green, blue = colours[k, 0], colours[k, 1], colours[k, 2]
        for y in range(masks.shape[1]):
            lo, hi = firsts[y, k], lasts[y, k]
            if lo < hi:
                lay_row(below[k + 1, y, 3 * lo : 3 * hi], masks[k, y, lo:hi], red, green, blue, rows)


@kernel
def redraw(strokes: Floats, brush: Brush, layers: Layers) -> None:
    """Let these strokes, (n, 13), be the layers."""
    for k in range(strokes.shape[0]):
        draw_mask(strokes[k], brush)
        put(k, strokes[k], brush, layers)
    lay_layers(0, strokes.shape[0], layers)


@kernel
def go_above(layers: Layers) -> None:
    """Begin a sweep, above the last stroke."""
    layers.through[:] = 1.0
    layers.above[:] = 0.0


@kernel
def take_out(k: int, layers: Layers, canvas: Canvas) -> None:
    """Let layer k, the next one of the sweep, be the layer at hand."""
    through, above, shows, lack = (
        borrowed(layers.through), borrowed(layers.above), borrowed(layers.shows), borrowed(layers.lack)
    )  # fmt: skip
    below, goal = borrowed(layers.below)[k], borrowed(canvas.goal)
    half = np.float32(0.5)
    for y in range(shows.shape[0]):
        for x in range(shows.shape[0]):
            share = through[y, x]
            shows[y, x] = np.uint8(np.float32(255.0) * share + half)
            for j in range(3 * x, 3 * x + 3):
                without = np.int32(above[y, j] + share * np.float32(below[y, j]) + half)
                lack[y, j] = np.int16(np.int32(goal[y, j]) - without)


@kernel
def go_past(k: int, layers: Layers) -> None:
    """Let layer k count as one of those above."""
    through, above, masks = borrowed(layers.through), borrowed(layers.above), borrowed(layers.masks)
    red, green, blue = layers.colours[k, 0], layers.colours[k, 1], layers.colours[k, 2]
    for y in range(masks.shape[1]):
        for x in range(layers.firsts[y, k], layers.lasts[y, k]):
            share = through[y, x]
            taken = share * (np.float32(masks[k, y, x]) * np.float32(1.0 / 255.0))
            above[y, 3 * x] += taken * np.float32(red)
            above[y, 3 * x + 1] += taken * np.float32(green)
            above[y, 3 * x + 2] += taken * np.float32(blue)
            through[y, x] = share - taken


@kernel
def weighted_error(pixels: Bytes, goal: Bytes, weights: Ints) -> int:
    """Squared error of a canvas (size, 3 * size), summed over pixels and channels, each pixel by its weight."""
    total = np.int64(0)
    for y in range(weights.shape[0]):
        for x in range(weights.shape[1]):
            for j in range(3 * x, 3 * x + 3):
                difference = np.int64(pixels[y, j]) - np.int64(goal[y, j])
                total += difference * difference * np.int64(weights[y, x])
    return int(total)


@inlined
def _best_byte(lack: np.int64, weight: np.int64) -> float:
    """The colour of a channel, a whole number in [0, 255]."""
    return float(min(255.0, max(0.0, np.floor(lack / weight + 0.5))))


@kernel
def finished_gain(k: int, stroke: Floats, brush: Brush, layers: Layers) -> float:
    """By how much the weighted error of the finished picture would fall if a stroke were the layer at hand.

    As `exact.exact_gain`, but with weights, what the finished picture lacks, and m as much of the mask as shows.

    Args:
        k: the layer at hand.
        stroke: float64 (13,) in [0, 1]; receives its best colour.
        brush: memory for the mask, which is drawn.
        layers: see `take_out`.
    """
    draw_mask(stroke, brush)
    mask, spans, shows = borrowed(brush.mask), borrowed(brush.spans), borrowed(layers.shows)
    lacks, weights, below = borrowed(layers.lack), borrowed(layers.weights), borrowed(layers.below)[k]
    weight, rest = np.int64(0), np.int64(0)
    red, green, blue = np.int64(0), np.int64(0), np.int64(0)
    for y in range(brush.rows[0], brush.rows[1]):
        lo, hi = spans[0, y], spans[1, y]
        if lo >= hi:
            continue
        alpha, share, cost = mask[y, lo:hi], shows[y, lo:hi], weights[y, lo:hi]
        row, lack = below[y, 3 * lo : 3 * hi], lacks[y, 3 * lo : 3 * hi]
        for x in range(alpha.size):
            t = np.uint16(np.uint16(np.uint16(alpha[x]) * np.uint16(share[x])) + np.uint16(128))
            m = np.int32(np.uint16(t + np.uint16(t >> np.uint16(8))) >> np.uint16(8))
            c0, c1, c2 = np.int32(row[3 * x]), np.int32(row[3 * x + 1]), np.int32(row[3 * x + 2])
            d0, d1, d2 = np.int32(lack[3 * x]), np.int32(lack[3 * x + 1]), np.int32(lack[3 * x + 2])
            m0, m1, m2 = m * c0, m * c1, m * c2
            w = np.int64(cost[x])
            wm = w * m
            weight += wm * m
            red += wm * (255 * d0 + m0)
            green += wm * (255 * d1 + m1)
            blue += wm * (255 * d2 + m2)
            rest += w * (m0 * (510 * d0 + m0) + m1 * (510 * d1 + m1) + m2 * (510 * d2 + m2))
    if weight == 0:
        return 0.0
    r, g, b = _best_byte(red, weight), _best_byte(green, weight), _best_byte(blue, weight)
    stroke[RED], stroke[RED + 1], stroke[RED + 2] = r / 255.0, g / 255.0, b / 255.0
    change = float(rest) + r * (r * weight - 2.0 * red) + g * (g * weight - 2.0 * green) + b * (b * weight - 2.0 * blue)
    return -change / 65025.0
