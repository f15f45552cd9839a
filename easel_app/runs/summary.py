"""The table of a run: the published columns, over the sessions that have ended.

As published (arXiv 2608.25417, table 3) "overall" is the mean over all tasks. A task that was repeated counts once, by
the mean of its repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import Task
from easel_app.runs.views import SummaryRow
from easel_app.scoring import trajectory
from easel_app.scoring.uncertainty import mean_interval
from easel_app.store.records import ActionRecord, SessionRecord

ALL = "all"
COLUMNS = ("final", "at_half", "auc", "best", "final_best_gap", "exact_repeat_rate", "invalid_rate", "skill")


class Scored(NamedTuple):
    """Scores of one ended session; None where not defined."""

    task_id: str
    category: str
    final: float | None
    at_half: float | None
    auc: float | None
    best: float | None
    final_best_gap: float | None
    exact_repeat_rate: float | None
    invalid_rate: float | None
    skill: float | None


def score(task: Task, session: SessionRecord, actions: Sequence[ActionRecord], limited: bool = True) -> Scored:
    """The scores of a session from its log; `limited`: its protocol has a budget."""
    steps = [action for action in actions if action.kind != "submit"]
    similarities = [session.start_scores["similarity"], *(action.scores["similarity"] for action in steps)]
    found = trajectory.trajectory(similarities, task.budget if limited else None)
    painted = [a for a in steps if a.kind == "brush_stroke" and a.outcome == "applied"]
    strokes = [[action.params[name] for name in STROKE_FIELDS if name in action.params] for action in painted]
    return Scored(
        task_id=task.id,
        category=task.category,
        final=found.final,
        at_half=found.at_half,
        auc=found.auc,
        best=found.best,
        final_best_gap=found.final_best_gap,
        exact_repeat_rate=trajectory.exact_repeat_rate(strokes),
        invalid_rate=sum(action.outcome == "invalid" for action in steps) / len(steps) if steps else None,
        skill=trajectory.skill(similarities[-1], task.anchors.mean_fill, task.anchors.data_policy),
    )


def table(scored: Sequence[Scored]) -> list[SummaryRow]:
    """A row for each category in the order of its first session, then one for all; empty without a session."""
    categories = dict.fromkeys(entry.category for entry in scored)
    rows = [_row(name, [entry for entry in scored if entry.category == name]) for name in categories]
    return [*rows, _row(ALL, scored)] if rows else []


def _row(category: str, scored: Sequence[Scored]) -> SummaryRow:
    tasks = dict.fromkeys(entry.task_id for entry in scored)
    clusters = {
        column: [
            _defined(getattr(entry, column) for entry in scored if entry.task_id == task_id) for task_id in tasks
        ]
        for column in COLUMNS
    }
    interval = mean_interval(clusters["final"])
    return SummaryRow(
        category=category,
        n=len(tasks),
        sessions=len(scored),
        final_low=interval.low if interval else None,
        final_high=interval.high if interval else None,
        **{column: _mean(values) for column, values in clusters.items()},
    )


def _defined(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _mean(clusters: Sequence[Sequence[float]]) -> float | None:
    means = [float(np.mean(values)) for values in clusters if values]
    return float(np.mean(means)) if means else None
