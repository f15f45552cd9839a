"""What was drawn on a picture: the pixels that an opaque brush covers, told from the canvas alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring import BRUSH_COLOUR

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def ink(canvas: Pixels, start: Pixels) -> Mask:
    """Where the semantic brush covers at least half of a pixel.

    An opaque brush of coverage c turns a channel from s to about s + c (b - s), so c is the change over the largest
    possible change, here summed over the channels. A pixel of the start picture that has the brush's own colour can
    never count; the pictures of the tasks keep away from it.

    Args:
        canvas: uint8 (n, n, 3), sRGB.
        start: uint8 (n, n, 3), the canvas before the first stroke.

    Returns:
        bool (n, n).

    Raises:
        ValueError: the two have not the same shape.
    """
    if canvas.shape != start.shape:
        raise ValueError(f"the canvas is {canvas.shape}, but the start picture {start.shape}: give two of one task")
    before = start.astype(np.int16)
    changed = np.abs(canvas.astype(np.int16) - before).sum(-1)
    possible = np.abs(np.array(BRUSH_COLOUR, np.int16) - before).sum(-1)
    drawn: Mask = (2 * changed >= possible) & (changed > 0)
    return drawn
