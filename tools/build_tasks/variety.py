"""No two tasks may look nearly the same, and none may be featureless."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from .catalogue import Task
from .recipe import Image

GRID = 16
"""Side of the thumbnails that are compared."""
NEAREST = 0.07
"""Least distance between two tasks of one size; a crop and the same moved by a sixth of it are about 0.05 apart."""
FLATTEST = 0.08
"""Least spread of a thumbnail's values."""


def thumbnail(pixels: Image) -> NDArray[np.float64]:
    """A picture averaged to 16 × 16, RGB in [0, 1]."""
    small = Pillow.fromarray(pixels).resize((GRID, GRID), Pillow.Resampling.BOX)
    return np.asarray(small) / 255.0


def distance(a: Image, b: Image) -> float:
    """How different two pictures look, [0, 1]: mean absolute difference of their thumbnails, the smallest over shifts.

    Shifts of up to two cells either way stand for the same motif cropped a little elsewhere.
    """
    x, y = thumbnail(a), thumbnail(b)
    return min(_shifted(x, y, dx, dy) for dx in range(-2, 3) for dy in range(-2, 3))


def check(tasks: list[Task]) -> None:
    """Compare all tasks of one size with each other.

    Raises:
        ValueError: two tasks are nearer than `NEAREST`, or one is flatter than `FLATTEST`; the message names them.
    """
    faults = [
        f"{t.entry['id']} ({t.entry['title']}) is featureless" for t in tasks if thumbnail(t.pixels).std() < FLATTEST
    ]
    for i, a in enumerate(tasks):
        for b in tasks[i + 1 :]:
            if a.pixels.shape == b.pixels.shape and (apart := distance(a.pixels, b.pixels)) < NEAREST:
                faults.append(f"{a.entry['id']} and {b.entry['id']} are only {apart:.3f} apart")
    if faults:
        raise ValueError("replace some pictures: " + "; ".join(faults))


def _shifted(x: NDArray[np.float64], y: NDArray[np.float64], dx: int, dy: int) -> float:
    def cut(step: int) -> tuple[slice, slice]:
        return slice(max(0, step), GRID + min(0, step)), slice(max(0, -step), GRID + min(0, -step))

    (rows_x, rows_y), (columns_x, columns_y) = cut(dy), cut(dx)
    return float(np.abs(x[rows_x, columns_x] - y[rows_y, columns_y]).mean())
