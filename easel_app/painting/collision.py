"""The rule of mazes: no stroke may touch a wall."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.engine.contact import first_contact
from easel_app.painting.brush import line_radius
from easel_app.painting.truth import MazeTruth

Floats = NDArray[np.float64]


def collision(path: Floats, truth: MazeTruth) -> tuple[float, float] | None:
    """Where a stroke first touches a wall, or None if it may be painted.

    The point told is the middle of the brush at its first contact, a point of the player's own stroke: up to there
    the stroke was good, and one that ends just before it is legal. The wall's point is a brush radius away.

    Args:
        path: float64 (6,), each in [0, 1].
        truth: the maze.

    Returns:
        x and y in [0, 1], or None.

    Raises:
        ValueError: the path has not six numbers in [0, 1].
    """
    numbers = np.array(path, np.float64)
    if numbers.shape != (6,) or not ((numbers >= 0.0) & (numbers <= 1.0)).all():
        raise ValueError(f"the path is {numbers.tolist()}, but it has to be six numbers in [0, 1]: correct it")
    # Copies: the kernel would be compiled anew for memory that is read-only or laid out in another way.
    walls = np.array(truth.walls, np.bool_, order="C")
    t = first_contact(numbers, walls, line_radius(walls.shape[0]))
    if t < 0.0:
        return None
    start, control, end = numbers.reshape(3, 2)
    x, y = (1 - t) ** 2 * start + 2 * (1 - t) * t * control + t * t * end
    return float(x), float(y)
