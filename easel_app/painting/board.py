"""What is painted on: pixels, and what they are worth for the task."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from easel_app import handwriting as reading
from easel_app.engine import StepEngine, composite, stroke_mask
from easel_app.painting.brush import line_radius
from easel_app.painting.renderer import Surface, colour_bytes
from easel_app.painting.scores import HandwritingScores, MazeScores, OutlineScores, Scores
from easel_app.painting.tasks import Task
from easel_app.painting.truth import HandwritingTruth, MazeTruth, OutlineTruth, Truth
from easel_app.scoring.handwriting import alignment, positional_match
from easel_app.scoring.ink import ink
from easel_app.scoring.maze import explore
from easel_app.scoring.outline import dice, enclosed

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Top, bottom, left, right: rows [top, bottom), columns [left, right)."""
NOTHING: Box = (0, 0, 0, 0)


class Board(Protocol):
    """A canvas that knows what it is worth. For one thread at a time."""

    @property
    def pixels(self) -> Pixels:
        """The live canvas, uint8 (n, n, 3); it changes with the next stroke."""

    def paint(self, stroke: Floats) -> Box:
        """Paint 13 numbers in [0, 1], float64 (13,); returns the box of the pixels that changed."""

    def load(self, pixels: Pixels) -> Box:
        """Take over a whole picture, uint8 (n, n, 3); returns the box of the pixels that changed."""

    def scores(self) -> Scores:
        """What the canvas is worth: a pure function of its pixels."""


def board_for(task: Task, *, skia: bool) -> Board:
    """A board with the task's start canvas; `skia`: composite by skia, as sessions do (the bytes are the same)."""
    if task.truth is None:
        return ReferenceBoard(task.reference, task.start, skia=skia)
    return DrawingBoard(task.start, task.truth, skia=skia)


class ReferenceBoard:
    """The board of a reconstruction: compared with a reference after every stroke, by the engine."""

    def __init__(self, reference: Pixels, start: Pixels, *, skia: bool) -> None:
        self._engine = StepEngine(reference, start)
        self._surface = Surface(start) if skia else None

    @property
    def pixels(self) -> Pixels:
        """See `Board.pixels`."""
        return self._surface.pixels if self._surface else self._engine.canvas

    def paint(self, stroke: Floats) -> Box:
        """See `Board.paint`."""
        self._engine.step(stroke)
        if self._surface:
            self._surface.composite(self._engine.mask, colour_bytes(stroke))
        return self._engine.box

    def load(self, pixels: Pixels) -> Box:
        """See `Board.load`."""
        box = _difference(self.pixels, pixels)
        self._engine.load(pixels, box)
        if self._surface:
            self._surface.load(pixels)
        return box

    def scores(self) -> Scores:
        """See `Board.scores`; the engine has them ready."""
        return self._engine.scores()


class DrawingBoard:
    """The board of a semantic task: what was drawn on the start picture is judged against the task's truth."""

    def __init__(self, start: Pixels, truth: Truth, *, skia: bool) -> None:
        self._start, self._truth = start, truth
        self._surface = Surface(start) if skia else None
        self._canvas = np.array(start, order="C")

    @property
    def pixels(self) -> Pixels:
        """See `Board.pixels`."""
        return self._surface.pixels if self._surface else self._canvas

    def paint(self, stroke: Floats) -> Box:
        """See `Board.paint`."""
        patch, colour = stroke_mask(stroke, len(self._start)), colour_bytes(stroke)
        if self._surface:
            self._surface.composite(patch, colour)
        else:
            composite(self._canvas, patch, colour)
        height, width = patch.alpha.shape
        return patch.top, patch.top + height, patch.left, patch.left + width

    def load(self, pixels: Pixels) -> Box:
        """See `Board.load`."""
        box = _difference(self.pixels, pixels)
        if self._surface:
            self._surface.load(pixels)
        else:
            self._canvas[:] = pixels
        return box

    def scores(self) -> Scores:
        """See `Board.scores`."""
        return judge(self._truth, self._start, np.ascontiguousarray(self.pixels))


def judge(truth: Truth, start: Pixels, canvas: Pixels) -> Scores:
    """The score of a drawing.

    Args:
        truth: what the task is scored against.
        start: the canvas before the first stroke, uint8 (n, n, 3).
        canvas: the canvas with the drawing, uint8 (n, n, 3).
    """
    match truth:
        case OutlineTruth(mask):
            region = enclosed(ink(canvas, start), line_radius(len(start)))
            return OutlineScores(dice(region, mask), int(region.sum()), int(mask.sum()))
        case HandwritingTruth(word):
            found = reading.read(canvas)
            return HandwritingScores(
                match=positional_match(found.letters, word),
                alignment=alignment(found.letters, word),
                letters=found.letters,
                raw=found.raw,
                confidence=found.confidence,
                mirrored=found.mirrored,
                reader=found.reader,
            )
        case MazeTruth():
            explored = explore(ink(canvas, start), truth, line_radius(len(start)))
            return MazeScores(explored.progress, explored.reached, len(truth.route))


def _difference(before: Pixels, after: Pixels) -> Box:
    """Box around the pixels that differ."""
    differs = (before != after).any(-1)
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    if not rows.size:
        return NOTHING
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
