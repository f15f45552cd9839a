"""From a canvas to the strip of pixels that the network reads."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.ink import ink

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Box = tuple[int, int, int, int]

HEIGHT = 48
"""Rows of the strip: the network was trained at this height."""
WIDTH = 320
"""Least columns of the strip; a shorter one is filled up with grey, which is what the network was trained with."""
STRETCH = 1.25
"""How much wider the strip is than tall ink would have it: more time steps for letters that stand close."""
LINE = 0.4
"""Share of the highest band of ink from which on a band is a line of its own."""
MOST = 960
"""Most columns of the strip; a longer one is squeezed, so that no drawing costs more than a fixed time."""


class Strip(NamedTuple):
    """Ink as the network sees it."""

    values: Floats
    """float32 (3, HEIGHT, a multiple of 8, at least WIDTH), -1 black to 1 white, blue first."""
    wide: int
    """Columns that show the canvas."""
    offset: float
    """Canvas column, in px, of the left edge of the strip."""
    scale: float
    """Columns of the strip for one px of the canvas."""


def ink_box(canvas: Pixels) -> Box | None:
    """Top, bottom, left, right in px (the second of each pair exclusive) of the ink on a canvas that began white.

    Args:
        canvas: uint8 (n, n, 3), sRGB.

    Returns:
        The box, or None when there is no ink.

    Raises:
        ValueError: the canvas has another shape or type.
    """
    if canvas.ndim != 3 or canvas.shape[2] != 3 or canvas.dtype != np.uint8:
        raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}: give uint8 (n, n, 3), sRGB")
    drawn = ink(canvas, np.full_like(canvas, 255))
    rows, columns = np.flatnonzero(drawn.any(1)), np.flatnonzero(drawn.any(0))
    if not rows.size:
        return None
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def lines(canvas: Pixels, box: Box) -> list[Box]:
    """The lines of writing within the box of the ink, from top to bottom.

    Rows without ink part the ink into bands. A band at least `LINE` as high as the highest is a line; a lower one, such
    as the dot of an i or an underline, belongs to the line that is nearest to it.
    """
    top, bottom, left, right = box
    drawn = ink(canvas[top:bottom, left:right], np.full((bottom - top, right - left, 3), 255, np.uint8))
    changes = np.flatnonzero(np.diff(drawn.any(1).astype(np.int8), prepend=0, append=0))
    bands = [(int(a), int(b)) for a, b in changes.reshape(-1, 2)]
    highest = max(b - a for a, b in bands)
    found = [[a, b] for a, b in bands if b - a >= LINE * highest]
    if len(found) == 1:
        return [box]
    for a, b in bands:
        if b - a < LINE * highest:
            near = min(found, key=lambda line: max(line[0] - b, a - line[1]))
            near[0], near[1] = min(near[0], a), max(near[1], b)
    boxes = []
    for a, b in found:
        columns = np.flatnonzero(drawn[a:b].any(0))
        boxes.append((top + a, top + b, left + int(columns[0]), left + int(columns[-1]) + 1))
    return boxes


def strip(canvas: Pixels, box: Box, *, mirrored: bool = False, stretch: float = STRETCH) -> Strip:
    """Cut the box out with a white border of 15 % of its height and 4 px, and scale it to the network's height."""
    top, bottom, left, right = box
    border = int(0.15 * (bottom - top)) + 4
    cut = np.pad(canvas[top:bottom, left:right], ((border, border), (border, border), (0, 0)), constant_values=255)
    if mirrored:
        cut = cut[:, ::-1]
    wide = min(ceil(cut.shape[1] * HEIGHT * stretch / cut.shape[0]), MOST)
    scaled = cv2.resize(np.ascontiguousarray(cut[..., ::-1]), (wide, HEIGHT), interpolation=cv2.INTER_LINEAR)
    values = np.zeros((3, HEIGHT, max(-(-wide // 8) * 8, WIDTH)), np.float32)  # the network steps by 8 columns
    values[:, :, :wide] = scaled.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1
    return Strip(values, wide, left - border, wide / cut.shape[1])
