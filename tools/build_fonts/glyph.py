"""A letter as a pen draws it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .curves import quadratics

Floats = NDArray[np.float64]


class Glyph(NamedTuple):
    """Curves in x-heights: x from the pen's origin, y down from the baseline."""

    curves: Floats
    """float64 (k, 3, 2): start, control and end point of each, in the order of writing."""
    advance: float
    """How far the pen moves for the next letter."""

    @classmethod
    def of(cls, lines: list[Floats], advance: float) -> Glyph:
        """Fit curves to polylines, each from its left or upper end, the leftmost first, ticks last."""
        turned = [
            line if tuple(line[0] @ [[1, 0], [0.5, 1]]) <= tuple(line[-1] @ [[1, 0], [0.5, 1]]) else line[::-1]
            for line in lines
        ]
        order = sorted(turned, key=lambda line: (len(line) < 5, float(line[0, 0]), float(line[0, 1])))
        return cls(np.concatenate([quadratics(line) for line in order]), advance)
