"""The tables of a run: the published columns, over the sessions that have ended.

As published (arXiv 2608.25417, table 3) "overall" is the mean over all reconstructions; semantic tasks have a table of
their own, by task. A task that was repeated counts once, by the mean of its repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from easel_app.painting.families.registry import family_of
from easel_app.painting.protocol import Kind
from easel_app.painting.scores import METRICS
from easel_app.painting.tasks import Task
from easel_app.runs.views import SemanticScore, SemanticSummary, SummaryRow
from easel_app.scoring.uncertainty import mean_interval
from easel_app.services.figures import of_log, skill_of
from easel_app.store.figures import FiguresRecord
from easel_app.store.records import ActionRecord, SessionRecord

ALL = "all"
FIGURES = ("final", "at_half", "auc", "best", "final_best_gap", "exact_repeat_rate", "invalid_rate")


class Scored(NamedTuple):
    """An ended session: its task and its figures."""

    task_id: str
    kind: Kind
    category: str
    figures: FiguresRecord
    skill: float | None


def score(task: Task, session: SessionRecord, actions: Sequence[ActionRecord]) -> Scored:
    """The scores of a session from its log."""
    figures = of_log(task, session, actions)
    return Scored(task.id, task.kind, task.category, figures, skill_of(task, figures.final))


def table(scored: Sequence[Scored]) -> list[SummaryRow]:
    """Reconstructions: a row for each category in the order of its first session, then one for all."""
    painted = [entry for entry in scored if not entry.kind.semantic]
    categories = dict.fromkeys(entry.category for entry in painted)
    rows = [_row(name, [entry for entry in painted if entry.category == name]) for name in categories]
    return [*rows, _row(ALL, painted)] if rows else []


def _row(category: str, scored: Sequence[Scored]) -> SummaryRow:
    clusters = {name: _clusters(scored, attrgetter(f"figures.{name}")) for name in FIGURES}
    clusters["skill"] = _clusters(scored, attrgetter("skill"))
    interval = mean_interval(clusters["final"])
    return SummaryRow(
        category=category,
        n=len(clusters["final"]),
        sessions=len(scored),
        final_low=interval.low if interval else None,
        final_high=interval.high if interval else None,
        **{column: _mean(values) for column, values in clusters.items()},
    )


def semantic_table(scored: Sequence[Scored]) -> SemanticSummary | None:
    """Semantic tasks: a score for each of the five and for each family of generated ones, and how the player went."""
    drawn = [entry for entry in scored if entry.kind.semantic]
    if not drawn:
        return None
    mazes = [entry for entry in drawn if entry.kind is Kind.MAZE]
    others = [entry for entry in drawn if entry.kind is not Kind.MAZE]
    names = dict.fromkeys(_column(entry) for entry in drawn)
    return SemanticSummary(
        scores=[_semantic_score(name, [entry for entry in drawn if _column(entry) == name]) for name in names],
        maze_invalid_rate=_mean(_clusters(mazes, _refused)),
        maze_undos=_sum(_clusters(mazes, lambda entry: entry.figures.undos)),
        other_undos=_sum(_clusters(others, lambda entry: entry.figures.undos)),
        submit_percent=_mean(_clusters(drawn, lambda entry: entry.figures.submit_percent)),
        draw_undo_loops=_sum(_clusters(drawn, lambda entry: entry.figures.draw_undo_loops)),
    )


def _column(entry: Scored) -> str:
    return family_of(entry.task_id) or entry.task_id


def _refused(entry: Scored) -> float | None:
    """Share of steps that were rejected or invalid: the paper's "invalid" of mazes counts collisions, as we read it."""
    rates = entry.figures.invalid_rate, entry.figures.rejected_rate
    return None if None in rates else sum(rate or 0.0 for rate in rates)


def _semantic_score(name: str, scored: Sequence[Scored]) -> SemanticScore:
    clusters = _clusters(scored, lambda entry: entry.figures.final)
    interval = mean_interval(clusters) if len(clusters) > 1 else None
    return SemanticScore(
        task=name,
        metric=METRICS[scored[0].kind],
        n=len(clusters),
        sessions=len(scored),
        score=_mean(clusters) or 0.0,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _clusters(scored: Sequence[Scored], value: Callable[[Scored], float | None]) -> list[list[float]]:
    """The defined values of each task's sessions."""
    tasks = dict.fromkeys(entry.task_id for entry in scored)
    return [_defined(value(entry) for entry in scored if entry.task_id == task_id) for task_id in tasks]


def _defined(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(clusters: Sequence[Sequence[float]]) -> float | None:
    means = [float(np.mean(values)) for values in clusters if values]
    return float(np.mean(means)) if means else None


def _sum(clusters: Sequence[Sequence[float]]) -> float | None:
    means = [float(np.mean(values)) for values in clusters if values]
    return float(np.sum(means)) if means else None
