"""A canvas beside its reference with its row sums, but without a score: all that squared error needs.

Keeping a score up to date costs more than a quick search for a stroke, and a painter that looks at squared error alone
never asks for it.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import Canvas, paint, replace
from easel_app.engine.kernel import Bytes, Floats, Ints, borrowed, kernel
from easel_app.engine.mask import LARGEST, Brush, draw_mask
from easel_app.engine.memory import Memory, carve, new_blocks
from easel_app.painting.painters.sums import error_before, sum_rows
from easel_app.scoring.similarity import WINDOW


def new_draft(reference: Bytes) -> Memory:
    """A white canvas beside its reference, in the memory of an engine whose score is never begun.

    Raises:
        ValueError: the reference is not uint8 (n, n, 3) of a size that engines take.
    """
    size = len(reference)
    if reference.shape != (size, size, 3) or reference.dtype != np.uint8 or not WINDOW <= size <= LARGEST:
        raise ValueError(
            f"the reference is {reference.dtype} {reference.shape}, but must be uint8 (n, n, 3) with n from "
            f"{WINDOW} to {LARGEST}"
        )
    memory = carve(size, *new_blocks(size))
    memory.canvas.pixels[:], memory.canvas.goal[:] = 255, reference.reshape(size, -1)
    return memory


@kernel
def lay(stroke: Floats, brush: Brush, canvas: Canvas, sums: Ints) -> None:
    """Paint a stroke and bring the sums up to date."""
    draw_mask(stroke, brush)
    paint(stroke, brush, canvas)
    sum_rows(canvas, sums, canvas.box[0], canvas.box[1])


@kernel
def exchange(pixels: Bytes, canvas: Canvas, sums: Ints) -> None:
    """Let pixels (size, 3 * size) be the canvas, and bring the sums up to date."""
    replace(pixels, 0, 0, canvas)
    sum_rows(canvas, sums, canvas.box[0], canvas.box[1])


@kernel
def total_error(sums: Ints) -> int:
    """Squared error of the whole canvas, summed over pixels and channels, in squared bytes."""
    sums = borrowed(sums)
    total = np.int64(0)
    for y in range(sums.shape[0]):
        total += error_before(sums, y, sums.shape[0])
    return int(total)


def rows_of(canvas: Bytes) -> Bytes:
    """A copy of a picture (size, size, 3) as kernels take it: (size, 3 * size), C-contiguous and writable."""
    return np.array(canvas, order="C").reshape(len(canvas), -1)
