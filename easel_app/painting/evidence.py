"""What a semantic score rests on, drawn over the canvas: what counted, what was missing, what did not count."""

from __future__ import annotations

from itertools import count, takewhile
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

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
Colour = tuple[int, int, int]
GOOD, MISSING, WRONG = (18, 122, 92), (214, 140, 20), (196, 43, 28)
"""Colours of what counted, of what was missing and of what did not count, sRGB bytes. Not by colour alone: an area of
what counted is plain, one of what was missing hatched, one of what did not count hatched both ways."""
DARK, LIGHT = (21, 25, 24), (255, 255, 255)
"""Beside each other they stand out from any picture."""
SHARE, FAINT = 0.45, 0.15
"""Opacity of an area, and of one that is written on."""
HATCH = 32
"""Lines of a hatching across the picture."""
SMALLEST = 512
"""The picture is at least so many px wide, so that lines are fine on a small canvas too."""


class Key(NamedTuple):
    """A colour of the picture and what it stands for."""

    colour: Colour
    label: str

    @property
    def pattern(self) -> str:
        """How an area of it is drawn: ``plain``, ``hatched`` or ``crossed``."""
        return {MISSING: "hatched", WRONG: "crossed"}.get(self.colour, "plain")


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


def evidence(task: Task, canvas: Pixels, scores: Scores) -> Evidence:
    """The evidence of a semantic score.

    Args:
        task: the task.
        canvas: what was drawn, uint8 (n, n, 3).
        scores: the score of that canvas.

    Raises:
        ValueError: the task is a reconstruction, or the scores are of another kind of task.
    """
    match task.truth, scores:
        case OutlineTruth(mask), OutlineScores():
            return _outline(enclosed(ink(canvas, task.start), line_radius(task.width)), mask, scores)
        case HandwritingTruth(word), HandwritingScores():
            return _handwriting(canvas, word, scores)
        case MazeTruth() as maze, MazeScores():
            return _maze(ink(canvas, task.start), maze, scores)
    raise ValueError(f"{task.id} is scored as {type(scores).__name__}, of which there is no evidence to draw")


def _outline(region: Mask, target: Mask, scores: OutlineScores) -> Evidence:
    picture = _sheet(len(region))
    _fill(picture, region & target, GOOD)
    _fill(picture, target & ~region, MISSING)
    _fill(picture, region & ~target, WRONG)
    _rim(picture, target)
    keys = (
        Key(GOOD, "enclosed and asked for"),
        Key(MISSING, "missing"),
        Key(WRONG, "enclosed beside it"),
        Key(LIGHT, "rim of the target"),
    )
    facts = (
        ("Enclosed", f"{scores.region:,} px"),
        ("Target", f"{scores.target:,} px"),
        ("In both", f"{int((region & target).sum()):,} px"),
    )
    return Evidence(picture, keys, (), facts)


def _maze(drawn: Mask, maze: MazeTruth, scores: MazeScores) -> Evidence:
    size = len(drawn)
    found, picture = explore(drawn, maze, line_radius(size)), _sheet(size)
    stray = drawn & ~found.connected
    _fill(picture, stray, WRONG)
    scale = len(picture) / size
    route = np.array([maze.centre(cell) for cell in maze.route]) * scale
    length = (len(route) - 1) * maze.pitch * scale
    come = scores.progress * length
    width = max(2, round(maze.pitch * scale / 10))
    starts = takewhile(lambda start: start < length, (come + 4 * width * k for k in count(0.5)))
    ahead = [_stretch(route, start, min(start + 2 * width, length)) for start in starts]
    behind = _stretch(route, 0.0, come)
    for colour, more in ((DARK, 2), (MISSING, 0)):  # an edge that is seen on paper
        cv2.polylines(picture, ahead, False, (*colour, 255), width + more)
    for colour, more in ((LIGHT, 2), (GOOD, 0)):  # and one on the brush's blue
        cv2.polylines(picture, [behind], False, (*colour, 255), width + more)
        cv2.circle(picture, tuple(behind[-1].tolist()), round(1.4 * width) + more // 2, (*colour, 255), cv2.FILLED)
    keys = Key(GOOD, "route that was reached"), Key(MISSING, "route ahead"), Key(WRONG, "not joined to the start")
    facts = (
        ("Cells of the route", f"{scores.reached} of {scores.cells}"),
        ("Not joined to the start", f"{int(stray.sum()):,} px"),
    )
    return Evidence(picture, keys, (), facts)


def _handwriting(canvas: Pixels, word: str, scores: HandwritingScores) -> Evidence:
    found = reading.read(canvas)
    picture, size = _sheet(len(canvas)), len(canvas)
    labels: list[Label] = []
    keys: tuple[Key, ...] = (Key(WRONG, "nothing read"),)
    if found.columns:
        keys = Key(GOOD, "letter in its place"), Key(WRONG, "another letter")
    if found.box:
        top, bottom, left, right = found.box
        above, below = top / size - 0.03, bottom / size + 0.03
        height = above if above >= 0.04 else min(below, 0.96)  # a word at the upper edge has its letters beneath it
        for place, (start, end) in enumerate(found.columns):
            good = found.letters[place : place + 1] == word[place : place + 1]
            _frame(picture, (start / size, top / size, end / size, bottom / size), GOOD if good else WRONG)
            labels.append(Label((start + end) / 2 / size, height, found.letters[place], good))
        if not found.columns:
            _frame(picture, (left / size, top / size, right / size, bottom / size), WRONG)
    known = [("Confidence", f"{scores.confidence:.2f}")] if scores.letters else []
    facts = (
        ("Read", scores.letters or "nothing"),
        ("Asked for", word),
        ("Alignment", f"{scores.alignment:.3f}"),
        *known,
        *([("Taken for", "mirror writing")] if scores.mirrored else []),
        ("Reader", scores.reader),
    )
    return Evidence(picture, keys, tuple(labels), facts)


def _sheet(size: int) -> Pixels:
    """A clear picture for a canvas of that width, uint8 (m, m, 4)."""
    side = size * -(-SMALLEST // size)
    return np.zeros((side, side, 4), np.uint8)


def _fill(picture: Pixels, area: Mask, colour: Colour, share: float = SHARE) -> None:
    """Give an area, bool (n, n) of the canvas or (m, m) of the picture, the colour and the pattern of what it is."""
    scale = len(picture) // len(area)
    area = np.repeat(np.repeat(area, scale, 0), scale, 1)
    picture[area] = (*colour, round(255 * share))
    y, x = np.ogrid[: len(picture), : len(picture)]
    period = len(picture) // HATCH
    for along, colours in (((x + y) % period, (MISSING, WRONG)), ((x - y) % period, (WRONG,))):
        if colour in colours:
            for line, lies in ((LIGHT, along < period // 4), (colour, along >= period - period // 4)):
                picture[area & lies] = (*line, round(255 * min(1.0, 2 * share)))


def _rim(picture: Pixels, target: Mask) -> None:
    """Draw the border of a region of the canvas, bool (n, n): white between dark lines."""
    scale, line = len(picture) // len(target), len(picture) // 256
    inside = np.repeat(np.repeat(target, scale, 0), scale, 1).view(np.uint8)
    for reach, colour in ((2 * line, DARK), (line, LIGHT)):
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach - 1, 2 * reach - 1))
        border = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, disc, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        picture[border > 0] = (*colour, 255)


def _frame(picture: Pixels, box: tuple[float, float, float, float], colour: Colour) -> None:
    """Draw a box of left, top, right and bottom in [0, 1]."""
    left, top, right, bottom = (round(edge * len(picture)) for edge in box)
    inside = np.zeros(picture.shape[:2], np.bool_)
    inside[top:bottom, left:right] = True
    _fill(picture, inside, colour, FAINT)
    inside[top + 2 : bottom - 2, left + 2 : right - 2] = False
    picture[inside] = (*colour, 255)


def _stretch(route: Floats, start: float, end: float) -> NDArray[np.int32]:
    """The part of a line, float64 (k, 2) in px, between two lengths along it: its corners, int32 (j, 2)."""
    lengths = np.concatenate([[0.0], np.hypot(*np.diff(route, axis=0).T).cumsum()])
    along = np.concatenate([[start], lengths[(lengths > start) & (lengths < end)], [end]])
    return np.stack([np.interp(along, lengths, route[:, axis]) for axis in (0, 1)], 1).astype(np.int32)
