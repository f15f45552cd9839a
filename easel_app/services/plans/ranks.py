"""How alike judges, and people, order the planners and the plans of a set.

Of people only what they said blind enters: their present words may have been drawn to a judge's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Literal, TypeVar, get_args

from easel_app.scoring.plan import Verdict, call_credit
from easel_app.scoring.plan_table import PlanRow, plan_table
from easel_app.scoring.rank_correlation import rank_correlation
from easel_app.services.plans.figures_views import PEOPLE, Metric, Ranks, Series
from easel_app.services.plans.judged import Judged
from easel_app.services.plans.people import Words
from easel_app.services.plans.score_records import Answers, by_people, verdicts_on

WITHIN: tuple[tuple[Metric, Metric, bool], ...] = (
    ("fs", "sr", False),
    ("fs", "mi", True),
    ("sr", "mi", True),
    ("fs", "tool_f1", False),
)
"""Which metrics of one judge are held against each other over planners, and whether the second one is negated."""
BETWEEN: tuple[Metric, ...] = ("fs", "sr", "mi")
"""Which metrics of two raters are."""
PlanValues = Mapping[Metric, Mapping[int, float]]
"""Of one rater: by metric and answer."""
Key = TypeVar("Key", str, int)


def correlations(
    answers: Answers, table: Sequence[PlanRow], judges: Mapping[str, Judged], before: Words
) -> Iterator[Ranks]:
    """All rank correlations of a set, as far as there are two things to order.

    Args:
        answers: its plans.
        table: its rows by judge, and without any.
        judges: what each judge reports.
        before: what people said blind.
    """
    people = plan_table(list(by_people(answers, before)), by_category=False, resamples=2).rows
    whole = [row for row in (*table, *people) if row.category is None]
    tool_f1 = {row.planner: row.tool_sets.mean["f1"].value for row in whole if row.judge is None}
    by_planner: dict[str, dict[Metric, dict[str, float | None]]] = {
        by: {metric: {} for metric in get_args(Metric)} for by in (*judges, *([PEOPLE] if people else []))
    }
    rows = [row for row in table if row.category is None and row.judge in judges]
    for row in (*rows, *people):
        means = by_planner[row.judge or ""]
        means["fs"][row.planner], means["mi"][row.planner] = row.fs.value, row.mi.value
        means["sr"][row.planner] = row.sr["strict"]["micro"].estimate.value
        means["tool_f1"][row.planner] = tool_f1[row.planner]
    plans = {by: _plan_values(answers, own) for by, own in judges.items()}
    if people:
        plans[PEOPLE] = _people_values(answers, before)
    for by, means in by_planner.items():
        for first, second, negated in WITHIN:
            other = Series(by=None if second == "tool_f1" else by, metric=second, negated=negated)
            yield from _correlated("planners", Series(by=by, metric=first), means[first], other, means[second])
    for one, two in combinations(by_planner, 2):
        for metric in BETWEEN:
            pair = Series(by=one, metric=metric), Series(by=two, metric=metric)
            yield from _correlated("planners", pair[0], by_planner[one][metric], pair[1], by_planner[two][metric])
            yield from _correlated("plans", pair[0], plans[one][metric], pair[1], plans[two][metric])


def _correlated(
    over: Literal["planners", "plans"],
    first: Series,
    x: Mapping[Key, float | None],
    second: Series,
    y: Mapping[Key, float | None],
) -> Iterator[Ranks]:
    keys = [key for key in x if key in y]
    ys = [-value if second.negated and (value := y[key]) is not None else y[key] for key in keys]
    found = rank_correlation([x[key] for key in keys], ys)
    if found.n > 1:
        yield Ranks(over=over, first=first, second=second, ranks=found)


def _plan_values(answers: Answers, own: Judged) -> PlanValues:
    rates = {key.id: _rate(verdicts_on(own.calls.get(key.id, {}), found)) for key, found in answers}
    return {
        "fs": own.fs,
        "mi": {answer: float(len(gaps)) for answer, gaps in own.gaps.items()},
        "sr": {answer: rate for answer, rate in rates.items() if rate is not None},
    }


def _people_values(answers: Answers, said: Words) -> PlanValues:
    """Of each plan the mean of what people say of it."""
    rates: dict[int, float] = {}
    for key, found in answers:
        own = [_rate(verdicts_on(calls, found)) for calls in said.calls.get(key.id, {}).values()]
        if known := [rate for rate in own if rate is not None]:
            rates[key.id] = fmean(known)
    return {
        "fs": {answer: fmean(scores.values()) for answer, scores in said.fs.items()},
        "mi": {answer: fmean(map(len, lists.values())) for answer, lists in said.gaps.items()},
        "sr": rates,
    }


def _rate(calls: Sequence[Verdict | None]) -> float | None:
    """The strict success rate of one plan; None without calls or with an open one."""
    known = [verdict for verdict in calls if verdict is not None]
    return fmean(call_credit(verdict).strict for verdict in known) if known and len(known) == len(calls) else None
