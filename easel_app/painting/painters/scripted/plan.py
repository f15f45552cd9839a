"""A plan of paths, and which of them comes next: read off the canvas, so that nothing need be remembered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from easel_app.engine import stroke_mask
from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.brush import dressed
from easel_app.scoring import BRUSH_COLOUR

HALF = 128
"""Pixels that a path's mask covers at least so strongly, of 255, tell whether it is on the canvas."""


class Plan:
    """Paths to be painted in order with the semantic brush.

    A path is on the canvas when every pixel that it covers by half or more is as near to the brush's colour as the
    path alone would bring it, whatever was there before: a mask of m leaves no channel farther off than 255 - m.
    Paint only brings pixels nearer, so a path stays there until it is undone; one that others cover is never painted.
    """

    def __init__(self, paths: Sequence[Floats], size: int) -> None:
        """Begin.

        Args:
            paths: float64 (6,) each, in [0, 1], in the order of painting.
            size: n, the width of the canvas in px.

        Raises:
            ValueError: a path has not six numbers in [0, 1].
        """
        self._shape = (size, size, 3)
        self._paths = [np.array(path, np.float64) for path in paths]
        self._traces = [_trace(path, size) for path in self._paths]

    def next(self, canvas: Bytes) -> Floats | None:
        """The first path that is not yet on the canvas, float64 (6,); None when all are.

        Args:
            canvas: uint8 (n, n, 3), as it is now.

        Raises:
            ValueError: the canvas has another size or type.
        """
        if canvas.shape != self._shape or canvas.dtype != np.uint8:
            raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be uint8 {self._shape}")
        for path, (where, slack) in zip(self._paths, self._traces, strict=True):
            off = np.abs(canvas[where].astype(np.int16) - np.array(BRUSH_COLOUR, np.int16))
            if (off > slack[..., None]).any():
                return path.copy()
        return None


class ScriptedPainter:
    """A painter that follows a plan; see `easel_app.painting.painters.Painter`."""

    def __init__(self, name: str, paths: Sequence[Floats], size: int) -> None:
        """Go by `name`; paint `paths`, float64 (6,) each, on a canvas of `size` px. Raises as `Plan` does."""
        self._name, self._plan = name, Plan(paths, size)

    @property
    def name(self) -> str:
        """Name and version."""
        return self._name

    def next(self, canvas: Bytes, step: int) -> Floats | None:
        """The first path of the plan that is not on the canvas yet, float64 (6,); None when all are.

        Args:
            canvas: uint8 (n, n, 3), as it is now; anyone may have painted in between.
            step: steps used so far; plays no part.

        Raises:
            ValueError: the canvas is of another size or type.
        """
        return self._plan.next(canvas)


def _trace(path: Floats, size: int) -> tuple[tuple[slice, slice], NDArray[np.int16]]:
    """The rectangle that a path covers, and how far from the brush's colour each of its pixels may be."""
    patch = stroke_mask(dressed(path), size)
    height, width = patch.alpha.shape
    where = slice(patch.top, patch.top + height), slice(patch.left, patch.left + width)
    return where, np.where(patch.alpha >= HALF, 255 - patch.alpha.astype(np.int16), np.int16(255))
