"""Stroke credit: what a canvas would lose without each one of its strokes (leave-one-out, ``credit/1``).

The canvas is painted again from its start by all strokes that lie on it but one, in their order, and scored; the
credit is the score of the canvas minus that of the other one. A stroke that has been painted over has credit 0, one
that does harm a credit below 0. Credits do not add up to the score: strokes that do the same work share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.engine.omission import omissions
from easel_app.painting.board import board_for
from easel_app.painting.scores import headline
from easel_app.painting.tasks import Task

VERSION = "credit/1"


class Credit(NamedTuple):
    """What one stroke is worth to the canvas that it lies on."""

    place: int
    """Its place among the strokes on the canvas, 0 for the lowest."""
    without: float
    """Headline of the scores that the canvas would have without it."""
    credit: float
    """Headline of the canvas less `without`: 0 for a useless stroke, below 0 for a harmful one."""


def credits(task: Task, strokes: NDArray[np.float64], pixels: NDArray[np.uint8]) -> Iterator[Credit]:
    """The credit of each stroke on a canvas, the lowest first, each computed when it is asked for.

    The canvas without a stroke is what all the others paint in order, and it is scored like any canvas of the task: the
    same bits as from a full repaint. A stroke that later ones hide has no credit, and of two strokes that do the same
    neither has much, although the canvas may lose by going without both.

    It takes up to n · size² bytes of memory: the masks of the strokes, as far as they reach.

    Args:
        task: what was painted; it gives the start canvas and the score.
        strokes: float64 (n, 13), each in [0, 1]: those that lie on the canvas, the lowest first.
        pixels: uint8 (size, size, 3), the canvas that they gave.

    Raises:
        ValueError: a stroke has not 13 numbers in [0, 1].
    """
    board = board_for(task, skia=False)
    board.load(pixels)
    score = headline(board.scores())
    for place, canvas in enumerate(omissions(strokes, task.start, pixels)):
        without = score
        if not np.array_equal(canvas, pixels):  # scoring a hidden stroke would tell nothing, and reading takes 0.1 s
            board.load(canvas)
            without = headline(board.scores())
        yield Credit(place, without, score - without)
