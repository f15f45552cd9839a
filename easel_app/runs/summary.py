"""The tables of a run: the published columns, over the sessions that have ended.

As published (arXiv 2608.25417, table 3) "overall" is the mean over all reconstructions; semantic tasks have a table of
their own, by task. A task that was repeated counts once, by the mean of its repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from easel_app.painting.families.registry import family_of
from easel_app.painting.protocol import Kind
from easel_app.painting.scores import METRICS
from easel_app.painting.tasks import Task
from easel_app.runs.views import SemanticScore, SemanticSummary, SummaryRow
from easel_app.scoring.leaderboard import (
    CONDUCT,
    Floats,
    estimates,
    number,
    over_tasks,
    semantic_conduct,
    task_means,
)
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
    _, by_task = _by_task(scored, FIGURES)
    (final,) = estimates([by_task[:, 0]])
    return SummaryRow(
        category=category,
        n=len(by_task),
        sessions=len(scored),
        final_low=final.low,
        final_high=final.high,
        **dict(zip((*FIGURES, "skill"), map(number, over_tasks(by_task)), strict=True)),
    )


def semantic_table(scored: Sequence[Scored]) -> SemanticSummary | None:
    """Semantic tasks: a score for each of the five and for each family of generated ones, and how the player went."""
    drawn = [entry for entry in scored if entry.kind.semantic]
    if not drawn:
        return None
    mazes = {entry.task_id for entry in drawn if entry.kind is Kind.MAZE}
    tasks, by_task = _by_task(drawn, CONDUCT)
    names = dict.fromkeys(_column(entry) for entry in drawn)
    return SemanticSummary(
        scores=[_semantic_score(name, [entry for entry in drawn if _column(entry) == name]) for name in names],
        **semantic_conduct([task in mazes for task in tasks], by_task[:, :-1])._asdict(),
    )


def _column(entry: Scored) -> str:
    return family_of(entry.task_id) or entry.task_id


def _semantic_score(name: str, scored: Sequence[Scored]) -> SemanticScore:
    _, by_task = _by_task(scored, ("final",))
    (score,) = estimates([by_task[:, 0]])
    return SemanticScore(
        task=name,
        metric=METRICS[scored[0].kind],
        n=len(by_task),
        sessions=len(scored),
        score=score.mean or 0.0,
        low=score.low,
        high=score.high,
    )


def _by_task(scored: Sequence[Scored], names: Sequence[str]) -> tuple[list[str], Floats]:
    """The tasks, and the means of some figures and of skill over the sessions of each."""
    values = [[*(getattr(entry.figures, name) for name in names), entry.skill] for entry in scored]
    return task_means([entry.task_id for entry in scored], values)
