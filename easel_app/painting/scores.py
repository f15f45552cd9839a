"""What a canvas is worth, whatever the task asks for: one record for each metric, its headline first.

| kind | metric | headline |
| --- | --- | --- |
| reconstruction | `similarity/1` | similarity to the reference |
| outline | `outline/1` | Dice of the region that the drawing encloses and the target |
| handwriting | `handwriting/1` | letters that match the word, position by position |
| maze | `maze/1` | progress along the reference route of what is joined to the start |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from easel_app.painting.protocol import Kind
from easel_app.scoring import handwriting, maze, outline, similarity
from easel_app.scoring.similarity import Similarity


class OutlineScores(NamedTuple):
    """outline/1; see `easel_app.scoring.outline`."""

    dice: float
    """Dice of the enclosed region and the target, [0, 1]."""
    region: int
    """Pixels that the drawing encloses."""
    target: int
    """Pixels of the target."""


class HandwritingScores(NamedTuple):
    """handwriting/1; see `easel_app.scoring.handwriting`."""

    match: float
    """Letters that agree with the word, position by position, over the longer of the two, [0, 1]."""
    alignment: float
    """1 - edit distance over the longer of the two, [0, 1]: one letter too many does not ruin it."""
    letters: str
    """What was read: a-z, and # for a glyph that is none."""
    raw: str
    """The recogniser's own text."""
    confidence: float
    """The recogniser's confidence, [0, 1]."""
    mirrored: bool
    """Whether the text was taken for mirror writing, which is read as nothing."""
    reader: str
    """Name and version of what read it."""


class MazeScores(NamedTuple):
    """maze/1; see `easel_app.scoring.maze`."""

    progress: float
    """How far along the reference route the drawing that is joined to the start has come, [0, 1]."""
    reached: int
    """Cells of the route that it has come to."""
    cells: int
    """Cells of the route."""


Scores = Similarity | OutlineScores | HandwritingScores | MazeScores
METRICS: Mapping[Kind, str] = {
    Kind.RECONSTRUCTION: similarity.METRIC,
    Kind.OUTLINE: outline.METRIC,
    Kind.HANDWRITING: handwriting.METRIC,
    Kind.MAZE: maze.METRIC,
}
"""Name and version of each kind's metric."""
_RECORDS: Mapping[str, type[Scores]] = {
    "similarity": Similarity,
    "outline": OutlineScores,
    "handwriting": HandwritingScores,
    "maze": MazeScores,
}
_METRIC_OF = {_RECORDS[metric.partition("/")[0]]: metric for metric in METRICS.values()}


def metric_of(scores: Scores) -> str:
    """Name and version of the metric that gave the scores."""
    return _METRIC_OF[type(scores)]


def headline(scores: Scores) -> float:
    """The one number that ranks, [0, 1]; a similarity may be a little below 0."""
    return scores[0]


def stored(scores: Scores) -> dict[str, Any]:
    """Scores with the name of their metric, as they are recorded."""
    return {"metric": metric_of(scores), **scores._asdict()}


def restored(record: Mapping[str, Any]) -> Scores:
    """Scores from their record, of whatever version of their metric."""
    kind = _RECORDS[_name(record["metric"])]
    return kind(**{name: record[name] for name in kind._fields})


def _name(metric: str) -> str:
    """A metric's name without its version."""
    return metric.partition("/")[0]


def difference(one: Scores, other: Scores) -> float:
    """Largest difference between the same parts of two scores; infinite where a text differs."""
    if type(one) is not type(other):
        return float("inf")
    worst = 0.0
    for name, value in one._asdict().items():
        again = getattr(other, name)
        if value != again:
            worst = max(worst, float("inf") if isinstance(value, str) else abs(value - again))
    return worst
