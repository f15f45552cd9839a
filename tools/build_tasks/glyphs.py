"""A few letters and figures as pen strokes, so that no picture depends on a font."""

from __future__ import annotations

import numpy as np

from . import shapes as s
from .raster import Contour, Shape


def _strokes(name: str, width: float, height: float) -> list[Contour]:
    """The strokes of a glyph in a box from (0, 0) to (width, height), y down."""

    def at(*points: tuple[float, float]) -> Contour:
        return np.array(points, np.float64) * (width, height)

    match name:
        case "R":
            bowl = s.arc(0.6 * width, 0.27 * height, 0.4 * width, 0.27 * height, -90, 90)
            return [at((0, 1), (0, 0)), np.vstack([at((0, 0)), bowl, at((0, 0.54))]), at((0.5, 0.54), (1, 1))]
        case "5":
            belly = s.arc(0.44 * width, 0.67 * height, 0.56 * width, 0.33 * height, -128, 145)
            return [np.vstack([at((0.92, 0), (0.16, 0)), belly])]
        case _:
            raise ValueError(f"no glyph is drawn for {name!r}; the strokes are in glyphs.py")


def glyph(name: str, left: float, top: float, width: float, height: float, pen: float) -> Shape:
    """A glyph written by a round pen into a box; half the pen's width stands out on each side.

    Raises:
        ValueError: there are no strokes for that glyph.
    """
    strokes = _strokes(name, width, height)
    return s.join(*[s.line(stroke + np.array((left, top)), pen) for stroke in strokes])
