"""What a semantic score rests on, drawn over the canvas: what counted, what was missing, what did not count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from easel_app import handwriting as reading
from easel_app.painting.brush import line_radius
from easel_app.painting.scores import HandwritingScores, MazeScores, OutlineScores, Scores
from easel_app.painting.tasks import Task
from easel_app.painting.truth import HandwritingTruth, MazeTruth, OutlineTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.maze import explore
from easel_app.scoring.outline import enclosed

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
GOOD, MISSING, WRONG = (18, 122, 92), (214, 140, 20), (196, 43, 28)
"""Colours of what counted, of what was missing and of what did not count, sRGB bytes."""
SHARE = 0.45
"""Opacity of an area."""
SMALLEST = 512
"""The picture is at least so many px wide, so that lines are fine on a small canvas too."""


class Key(NamedTuple):
    """A colour of the picture and what it stands for."""

    colour: tuple[int, int, int]
    label: str


class Label(NamedTuple):
    """A text on the picture."""

    x: float
    """Middle of the text, [0, 1]."""
    y: float
    text: str
    good: bool
    """Whether it counted."""


class Evidence(NamedTuple):
    """What a score rests on."""

    picture: Pixels
    """To be laid over the canvas: uint8 (m, m, 4), RGBA, m a multiple of the canvas width."""
    keys: tuple[Key, ...]
    labels: tuple[Label, ...]
    facts: tuple[tuple[str, str], ...]
    """Names and values, in words."""


def evidence(task: Task, canvas: Pixels, lying: Sequence[Floats], scores: Scores) -> Evidence:
    """The evidence of a semantic score.

    Args:
        task: the task.
        canvas: what was drawn, uint8 (n, n, 3).
        lying: the strokes that lie on the canvas, in order, float64 (13,) or (6,) each.
        scores: the score of that canvas.

    Raises:
        ValueError: the task is a reconstruction, or the scores are of another kind of task.
    """
    match task.truth, scores:
        case OutlineTruth(mask), OutlineScores():
            return _outline(enclosed(ink(canvas, task.start), line_radius(task.width)), mask, scores)
        case HandwritingTruth(word), HandwritingScores():
            return _handwriting(canvas, lying, word, scores)
        case MazeTruth() as maze, MazeScores():
            return _maze(ink(canvas, task.start), maze, scores)
    raise ValueError(f"{task.id} is scored as {type(scores).__name__}, of which there is no evidence to draw")


def _outline(region: Mask, target: Mask, scores: OutlineScores) -> Evidence:
    picture = _sheet(len(region))
    for area, colour in ((region & target, GOOD), (target & ~region, MISSING), (region & ~target, WRONG)):
        _tint(picture, area, colour)
    keys = Key(GOOD, "enclosed and asked for"), Key(MISSING, "missing"), Key(WRONG, "enclosed beside it")
    facts = (
        ("Dice", f"{scores.dice:.3f}"),
        ("Enclosed", f"{scores.region:,} px"),
        ("Target", f"{scores.target:,} px"),
        ("In both", f"{int((region & target).sum()):,} px"),
    )
    return Evidence(picture, keys, (), facts)


def _maze(drawn: Mask, maze: MazeTruth, scores: MazeScores) -> Evidence:
    size = len(drawn)
    found, picture = explore(drawn, maze, line_radius(size)), _sheet(size)
    _tint(picture, drawn & ~found.connected, WRONG)
    scale = len(picture) / size
    points = np.array([maze.centre(cell) for cell in maze.route]) * scale
    lengths = np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()])
    come = scores.progress * lengths[-1]
    turn = [float(np.interp(come, lengths, points[:, axis])) for axis in (0, 1)]
    behind, ahead = points[lengths < come].tolist(), points[lengths > come].tolist()
    sheet = Image.fromarray(picture)
    pen, width = ImageDraw.Draw(sheet), max(2, round(maze.pitch * scale / 10))
    for line, colour in (([turn, *ahead], MISSING), ([*behind, turn], GOOD)):
        if len(line) > 1:
            pen.line([tuple(point) for point in line], fill=(*colour, 255), width=width, joint="curve")
    dot = 1.4 * width
    pen.ellipse([turn[0] - dot, turn[1] - dot, turn[0] + dot, turn[1] + dot], fill=(*GOOD, 255))
    keys = Key(GOOD, "route that was reached"), Key(MISSING, "route ahead"), Key(WRONG, "not joined to the start")
    facts = (
        ("Progress", f"{scores.progress:.3f}"),
        ("Cells of the route", f"{scores.reached} of {scores.cells}"),
        ("Not joined to the start", f"{int((drawn & ~found.connected).sum()):,} px"),
    )
    return Evidence(np.array(sheet), keys, (), facts)


def _handwriting(canvas: Pixels, lying: Sequence[Floats], word: str, scores: HandwritingScores) -> Evidence:
    found = reading.read(canvas, [stroke[:6] for stroke in lying])
    picture, size = _sheet(len(canvas)), len(canvas)
    labels: list[Label] = []
    if found.box:
        scale = len(picture) // size
        top, bottom, left, right = (edge * scale for edge in found.box)
        sheet = Image.fromarray(picture)
        pen = ImageDraw.Draw(sheet)
        for place, (start, end) in enumerate(found.columns):
            good = found.letters[place : place + 1] == word[place : place + 1]
            colour = GOOD if good else WRONG
            pen.rectangle([start * scale, top, end * scale - 1, bottom - 1], fill=(*colour, 40), outline=(*colour, 200))
            middle, above = (start + end) / 2 / size, max(0.0, found.box[0] / size - 0.03)
            labels.append(Label(middle, above, found.letters[place], good))
        if not found.columns:
            pen.rectangle([left, top, right - 1, bottom - 1], outline=(*WRONG, 255), width=2)
        picture = np.array(sheet)
    facts = (
        ("Read", scores.letters or "nothing"),
        ("Asked for", word),
        ("Letters in place", f"{scores.match:.3f}"),
        ("Alignment", f"{scores.alignment:.3f}"),
        ("Confidence", f"{scores.confidence:.2f}" + (", mirror writing" if scores.mirrored else "")),
        ("Reader", scores.reader),
    )
    return Evidence(picture, (Key(GOOD, "letter in its place"), Key(WRONG, "another letter")), tuple(labels), facts)


def _sheet(size: int) -> Pixels:
    """A clear picture for a canvas of that width, uint8 (m, m, 4)."""
    side = size * -(-SMALLEST // size)
    return np.zeros((side, side, 4), np.uint8)


def _tint(picture: Pixels, area: Mask, colour: tuple[int, int, int]) -> None:
    """Give an area of the canvas, bool (n, n), a colour."""
    scale = len(picture) // len(area)
    picture[np.repeat(np.repeat(area, scale, 0), scale, 1)] = (*colour, round(255 * SHARE))
