"""The thirteen numbers of a stroke as the engine takes them: their order, their range, their colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from easel_app.engine.kernel import Bytes, Floats, kernel

FIELDS = (
    *("x_start", "y_start", "x_control", "y_control", "x_end", "y_end"),
    *("radius_start", "opacity_start", "radius_end", "opacity_end", "red", "green", "blue"),
)
"""Names in order; each value lies in [0, 1]."""
RED = FIELDS.index("red")


@kernel
def first_wrong(stroke: Floats) -> int:
    """Index of the first value that is not in [0, 1], NaN included; -1 if there is none."""
    for k in range(stroke.size):
        if not 0.0 <= stroke[k] <= 1.0:
            return k
    return -1


@kernel
def colour_byte(share: float) -> int:
    """A colour in [0, 1] as a byte: floor(255 * share + 0.5)."""
    return int(255.0 * share + 0.5)


def checked(stroke: ArrayLike) -> Floats:
    """A stroke as float64 (13,), copied.

    Raises:
        ValueError: there are not 13 numbers, or one is outside [0, 1].
    """
    vector = np.array(stroke, np.float64)
    if vector.shape != (len(FIELDS),):
        raise ValueError(f"a stroke has {len(FIELDS)} numbers, not shape {vector.shape}: give {', '.join(FIELDS)}")
    wrong = first_wrong(vector)
    if wrong >= 0:
        raise ValueError(f"{FIELDS[wrong]} is {vector[wrong]}, which is not in [0, 1]: scale it into that range")
    return vector


def colour_bytes(stroke: Floats) -> Bytes:
    """Red, green and blue of a stroke as uint8 (3,)."""
    return np.array([colour_byte(share) for share in stroke[RED:]], np.uint8)
