"""The brush of semantic tasks: a path has six numbers, its look is fixed ("opaque, dark blue, medium width").

The paper (arXiv 2608.25417) gives no numbers for colour and width; these are ours and belong to `brush/1`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring import BRUSH_COLOUR

Floats = NDArray[np.float64]
RADIUS = 0.04
"""Radius parameter of the brush, in the unit of a stroke's `radius_start`: 1 is a quarter of the canvas width."""
_LOOK = np.array([RADIUS, 1.0, RADIUS, 1.0, *(byte / 255 for byte in BRUSH_COLOUR)])


def dressed(path: Floats) -> Floats:
    """The stroke of 13 numbers that paints a path, float64 (6,), with the semantic brush."""
    return np.concatenate([path, _LOOK])


def line_radius(size: int) -> float:
    """Radius of the brush in px on a canvas `size` px wide; its discs cover pixels up to half a px beyond."""
    return 0.5 + RADIUS * size / 4
