"""Where players stand, from the figures of all ended sessions: filters, columns, rows."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.protocol import Kind, ProtocolName
from easel_app.painting.renderer import RENDERER
from easel_app.painting.scores import METRICS
from easel_app.painting.tasks import Task
from easel_app.scoring.leaderboard import (
    CONDUCT,
    Row,
    SemanticConduct,
    leaderboard,
    number,
    semantic_conduct,
)
from easel_app.services import figures
from easel_app.services.problems import Invalid
from easel_app.services.result_views import CategoryMean, MeanView, ProtocolCount, ResultRow, Results, VersionCount
from easel_app.store.figures import RankedFigures, UnfinishedRow

ALL = "all"
KINDS = ("human", "agent", "painter")
SCORES = ("final", "at_half", "auc", "best", "final_best_gap", "edge_iou", "exact_repeat_rate", "near_repeat_rate")
FIGURES = (*SCORES, *CONDUCT)
COLUMNS = (*FIGURES, "skill", *(f"curve {point}" for point in range(figures.POINTS)))
"""What is averaged over tasks, the score that ranks first."""
SHOWN = (*SCORES[1:], "invalid_rate", "skill")
CURVE, WENT = COLUMNS.index("curve 0"), slice(len(SCORES), len(FIGURES))
DIGITS = 6
"""Decimals of a curve, which is kept in single precision."""


class ResultQuery(NamedTuple):
    """Which sessions to rank."""

    category: str = ALL
    """`all` reconstructions, one category of them, or `semantic`."""
    protocol: ProtocolName | None = None
    """None takes `benchmark` where there is such a session in scope, else `studio`."""
    kind: Literal["human", "agent", "painter"] | None = None
    renderer: str | None = None
    """None takes today's."""
    metric: str | None = None
    """Name and version, or several with commas; None takes today's."""
    imported: bool = False
    """Whether imported sessions take part, in rows of their own."""


class Who(NamedTuple):
    """One row's player."""

    kind: Literal["human", "agent", "painter", "people", "anchor"]
    name: str
    model: str | None = None
    run_id: str | None = None
    imported: bool = False

    @property
    def key(self) -> str:
        """The row's name in links: a digest, but the plain name of an anchor and of all people, such as mean_fill."""
        if self.kind in KINDS:
            return f"p{hashlib.sha256(json.dumps(self).encode()).hexdigest()[:11]}"  # no spreadsheet reads a number
        return self.name.lower().replace(" ", "_")


PEOPLE = Who("people", "All people")
ANCHORS: Mapping[str, Who] = {
    "blank": Who("anchor", "Blank canvas"),
    "mean_fill": Who("anchor", "Mean fill"),
    "dominant_fill": Who("anchor", "Dominant fill"),
    "data_policy": Who("anchor", "Data policy"),
}
"""Controls by their name in a task's anchors."""


class Ended:
    """All ended sessions that may be ranked, column by column."""

    def __init__(self, records: Sequence[RankedFigures], tasks: Mapping[str, Task]) -> None:
        """Take those of today's tasks, by id."""
        digests = {task_id: task.digest for task_id, task in tasks.items()}
        # the digest of another picture, no task of that id any more, or no stroke: nothing to compare
        found = [r for r in records if r.task_digest == digests.get(r.task_id) and r.final is not None]
        self.task = np.array([r.task_id for r in found], object)
        self.protocol = np.array([r.protocol for r in found], object)
        self.kind = np.array([r.player_kind for r in found], object)
        self.renderer = np.array([r.renderer for r in found], object)
        self.metric = np.array([r.metric for r in found], object)
        self.imported = np.array([r.imported for r in found], bool)
        self.who = [_who(r) for r in found]
        read = attrgetter(*FIGURES)
        told = [(*read(r), figures.skill_of(tasks[r.task_id], r.final)) for r in found]
        curves = np.frombuffer(b"".join(r.curve for r in found), "<f4").reshape(-1, figures.POINTS)
        self.values = np.hstack([np.array(told, np.float64).reshape(-1, CURVE), curves])


def ranked(ended: Ended, query: ResultQuery, scope: Sequence[Task], most: int | None = None) -> Results:
    """Where players stand.

    Args:
        ended: the sessions.
        query: which of them.
        scope: the tasks of the query's category.
        most: players at most; None gives all.

    Raises:
        Invalid: a metric that scores no task in scope.
    """
    categories = {task.id: task.category for task in scope}
    renderer, metrics = query.renderer or RENDERER, _metrics(query.metric, scope)
    wanted = {task.id: metrics[task.kind] for task in scope}
    inside = np.array([task in categories for task in ended.task], bool) & (~ended.imported | query.imported)
    of_kind = ended.kind == query.kind if query.kind else np.ones_like(inside)
    alike = (ended.renderer == renderer) & (ended.metric == np.array([wanted.get(task) for task in ended.task], object))
    protocol = query.protocol or _usual(ended.protocol[inside & alike])
    by_protocol = ended.protocol == protocol
    chosen = np.flatnonzero(inside & of_kind & alike & by_protocol)
    # people play twice: each for themselves, and all together
    together = chosen[(ended.kind[chosen] == "human") & ~ended.imported[chosen]]
    played = np.concatenate([chosen, together])
    who = [*(ended.who[k] for k in chosen), *(PEOPLE for _ in together)]
    rows, left_out = leaderboard(
        who, ended.task[played].tolist(), ended.values[played], categories, unranked=[PEOPLE], most=most
    )
    return Results(
        category=query.category,
        protocol=protocol,
        renderer=renderer,
        metric=",".join(dict.fromkeys(wanted.values())),
        tasks=len(scope),
        pending=0,
        players=[_told(row, scope) for row in rows],
        left_out=left_out,
        anchors=_anchors(scope) if (renderer, metrics) == (RENDERER, _metrics(None, scope)) else [],
        protocols=[
            ProtocolCount(protocol=ProtocolName(name), sessions=count)
            for (name,), count in _counted(inside & of_kind & alike, ended.protocol)
        ],
        versions=[
            VersionCount(renderer=name, metric=metric, sessions=count)
            for (name, metric), count in _counted(inside & of_kind & by_protocol, ended.renderer, ended.metric)
        ],
    )


def _who(found: RankedFigures | UnfinishedRow) -> Who:
    """The row that a session is of; its key depends on the very types."""
    kind = found.player_kind
    return Who(kind, found.player_name, found.player_model, found.run_id, bool(found.imported))  # type: ignore[arg-type]


def unfinished(
    found: Sequence[UnfinishedRow], results: Results, query: ResultQuery, scope: Sequence[Task]
) -> Counter[str]:
    """Open sessions of each row of some results, by its key: nobody is better for what they have not ended."""
    tasks, metrics = {task.id for task in scope}, results.metric.split(",")
    count: Counter[str] = Counter()
    for row in found:
        alike = (row.protocol, row.renderer) == (results.protocol, results.renderer) and row.metric in metrics
        if alike and row.task_id in tasks and (query.imported or not row.imported):
            count[_who(row).key] += row.sessions
            if row.player_kind == "human" and not row.imported:
                count[PEOPLE.key] += row.sessions
    return count


def _usual(protocols: NDArray[np.object_]) -> ProtocolName:
    """The protocol to show: as published, where anyone has played so."""
    return ProtocolName.BENCHMARK if (protocols == ProtocolName.BENCHMARK).any() else ProtocolName.STUDIO


def _metrics(wish: str | None, scope: Sequence[Task]) -> dict[Kind, str]:
    """The metric of each kind of task in scope: as wished, else today's."""
    found = {task.kind: METRICS[task.kind] for task in scope}
    for wanted in map(str.strip, wish.split(",") if wish else ()):
        kinds = [kind for kind in found if METRICS[kind].partition("/")[0] == wanted.partition("/")[0]]
        if not kinds:
            known = ", ".join(dict.fromkeys(METRICS[kind] for kind in found))
            message = f"No task of this category is scored by that metric; today they are scored by {known}."
            raise Invalid("no_such_metric", message, "metric")
        found.update(dict.fromkeys(kinds, wanted))
    return found


def _counted(these: NDArray[np.bool_], *columns: NDArray[np.object_]) -> list[tuple[tuple[str, ...], int]]:
    """How often each combination occurs in these sessions, in their order."""
    return sorted(Counter(zip(*(column[these] for column in columns), strict=True)).items())


def _anchors(scope: Sequence[Task]) -> list[ResultRow]:
    """What controls score on the tasks, the best first."""
    found = [
        (ANCHORS[name], task.id, score, figures.skill_of(task, score))
        for task in scope
        for name, score in (task.anchors.model_dump() if task.anchors else {}).items()
        if name in ANCHORS
    ]
    values = np.full((len(found), len(COLUMNS)), np.nan)
    values[:, 0] = [score for _, _, score, _ in found]  # None, which is not measured, becomes nan
    values[:, CURVE - 1] = [skill for _, _, _, skill in found]
    who, tasks = [entry[0] for entry in found], [entry[1] for entry in found]
    rows, _ = leaderboard(who, tasks, values, {task.id: task.category for task in scope}, unranked=who)
    return [_told(row, scope).model_copy(update={"sessions": 0}) for row in rows]


def _told(row: Row, scope: Sequence[Task]) -> ResultRow:
    who = row.player
    assert isinstance(who, Who)  # noqa: S101  as all are here
    semantic, curve = scope[0].kind.semantic, row.means[CURVE:]
    shown: dict[str, Any] = {name: number(row.means[COLUMNS.index(name)]) for name in SHOWN}
    went = SemanticConduct(None, None, None, None, None)
    if semantic:
        mazes = {task.id for task in scope if task.kind is Kind.MAZE}
        went = semantic_conduct([task in mazes for task in row.tasks], row.by_task[:, WENT])
    return ResultRow(
        key=who.key,
        rank=row.rank,
        **who._asdict(),
        sessions=row.sessions,
        n=len(row.tasks),
        coverage=row.coverage,
        complete=row.complete,
        final=MeanView(mean=row.score.mean, low=row.score.low, high=row.score.high),
        **shown,
        categories={} if semantic else {name: CategoryMean(**of._asdict()) for name, of in row.categories.items()},
        tasks=dict(zip(row.tasks, row.by_task[:, 0].tolist(), strict=True)) if semantic else {},
        **went._asdict(),
        curve=[] if np.isnan(curve).any() else curve.round(DIGITS).tolist(),
    )
