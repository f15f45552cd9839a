"""Scores of plans from what inspectors report: success of calls, missed images, final score and its tiers: ``plan/1``.

ATP-Bench (arXiv 2603.29902) states what is judged: for each call two gates and four scores of 0, 1 or 2; gaps of four
kinds where an image is missed; a final score of 0 to 100. It does not say how a 1 counts, nor how calls are averaged.
So each number here names both, and none is the benchmark's own:

- Policies. ``strict``: a call succeeds if both gates pass and all four scores are 2. ``no_fail``: all are at least 1.
  ``partial_credit``: the sum of the scores over 8, nothing if a gate fails; a call is then not a success or none, so
  this is never called SR.
- Aggregations. ``micro``: over all calls. ``macro_query``: the mean over queries of each one's rate.
  ``macro_category``: the mean over categories of each one's micro rate; queries of no category are in none.

A query without calls says nothing of the rate and is not 0. A call without a verdict is *open*: its query stays out and
is counted, and bounds say where the rate lies whatever the verdict will be.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from reprlib import repr as brief
from statistics import fmean
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args

VERSION = "plan/1"
TOOLS = ("reference", "diffusion", "search", "code", "edit")
CRITERIA = ("placement", "coherence", "parameters", "format")
"""What a call is scored by."""
FULL = 2
"""Of each criterion, from 0."""
Gap = Literal["dangling_reference", "procedural_gap", "ungrounded_entity", "unmet_request"]
GAPS: tuple[Gap, ...] = get_args(Gap)
Policy = Literal["strict", "no_fail", "partial_credit"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
Aggregation = Literal["micro", "macro_query", "macro_category"]
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)

Verdict = Mapping[str, Any]
"""What an inspector says of a call: ``necessary`` and ``boundary_ok``, true or false, and ``scores`` by `CRITERIA`."""
_TYPES = (bool, bool, int, int, int, int)


class Credit(NamedTuple):
    """What one call counts under each policy, [0, 1]."""

    strict: float
    no_fail: float
    partial_credit: float


def call_credit(verdict: Verdict, name: object = "") -> Credit:
    """What a call counts.

    Args:
        verdict: of the inspector; more keys than are needed do not matter, but ``scores`` has the four only.
        name: of the call, for errors.

    Raises:
        ValueError: something is missing, a gate is not true or false, or a score not 0, 1 or 2; true is not 1, nor 2.0
            2. The call is named.

    Example:
        >>> scores = {"placement": 2, "coherence": 1, "parameters": 2, "format": 2}
        >>> call_credit({"necessary": True, "boundary_ok": True, "scores": scores})
        Credit(strict=0.0, no_fail=1.0, partial_credit=0.875)
    """
    try:
        scores = verdict["scores"]
        row = (verdict["necessary"], verdict["boundary_ok"], *[scores[criterion] for criterion in CRITERIA])
        good = tuple(map(type, row)) == _TYPES and len(scores) == len(CRITERIA) and min(row) >= 0 and max(row) <= FULL
    except (TypeError, KeyError, IndexError):
        good = False
    if not good:
        raise ValueError(
            f"the verdict on call {brief(name)} must have necessary and boundary_ok, true or false, and scores of "
            f"{', '.join(CRITERIA)}, each 0, 1 or 2"
        )
    return _credit(row)


@cache
def _credit(row: tuple[int, ...]) -> Credit:
    gates, scores = all(row[:2]), row[2:]
    return Credit(
        strict=float(gates and min(scores) == FULL),
        no_fail=float(gates and min(scores) >= 1),
        partial_credit=sum(scores) / (FULL * len(scores)) if gates else 0.0,
    )


@dataclass(frozen=True, slots=True)
class CallRate:
    """What the calls of queries come to; None where not defined."""

    value: float | None
    """[0, 1], over the queries whose every call has a verdict."""
    policy: Policy
    aggregation: Aggregation
    bounds: tuple[float, float] | None
    """The rate over all queries if each open call counted nothing, and if each counted in full."""
    n_calls: int
    """Calls of the queries that are counted."""
    n_queries: int
    """Queries that are counted: with calls, none of them open."""
    n_open: int
    """Queries that stay out since a call of theirs is open."""
    n_without_calls: int

    @property
    def name(self) -> str:
        """What the number may be called."""
        what = "Partial credit" if self.policy == "partial_credit" else f"SR ({self.policy})"
        return f"{what}, {self.aggregation}"


class _Query(NamedTuple):
    credit: float
    calls: int
    open: int
    category: str | None


def call_rate(
    calls: Sequence[Sequence[Verdict | None]],
    policy: Policy = "strict",
    aggregation: Aggregation = "micro",
    *,
    categories: Sequence[str | None] | None = None,
) -> CallRate:
    """The success rate of calls, SR, or their partial credit.

    Args:
        calls: the verdicts on each query's calls, None for one that is open.
        policy: how a call counts.
        aggregation: how calls are averaged.
        categories: of each query; needed for ``macro_category``.

    Raises:
        ValueError: a policy or aggregation of another name, a verdict that is none (its query and call are named by
            their numbers from 0), or categories that do not fit the queries.
    """
    if policy not in POLICIES or aggregation not in AGGREGATIONS:
        raise ValueError(
            f"the policy is one of {', '.join(POLICIES)} and the aggregation one of {', '.join(AGGREGATIONS)}, "
            f"not {brief(policy)} and {brief(aggregation)}"
        )
    kinds = [None] * len(calls) if categories is None and aggregation != "macro_category" else categories
    if kinds is None or len(kinds) != len(calls):
        raise ValueError(f"{len(calls)} queries need a category each, not {len(kinds or [])}")
    place = POLICIES.index(policy)
    queries = []
    for number, (verdicts, kind) in enumerate(zip(calls, kinds, strict=True)):
        credits = [call_credit(v, f"{k} of query {number}")[place] for k, v in enumerate(verdicts) if v is not None]
        queries.append(_Query(sum(credits), len(verdicts), len(verdicts) - len(credits), kind))
    closed = [query for query in queries if query.calls and not query.open]
    least = _averaged(queries, aggregation)
    most = _averaged([query._replace(credit=query.credit + query.open) for query in queries], aggregation)
    return CallRate(
        value=_averaged(closed, aggregation),
        policy=policy,
        aggregation=aggregation,
        bounds=None if least is None or most is None else (least, most),
        n_calls=sum(query.calls for query in closed),
        n_queries=len(closed),
        n_open=sum(query.open > 0 for query in queries),
        n_without_calls=sum(not query.calls for query in queries),
    )


def _averaged(queries: Sequence[_Query], aggregation: Aggregation) -> float | None:
    groups: dict[object, list[_Query]] = {}
    for number, query in enumerate(queries):
        if query.category is not None or aggregation != "macro_category":
            key = {"micro": None, "macro_query": number, "macro_category": query.category}[aggregation]
            groups.setdefault(key, []).append(query)
    sums = [(sum(query.credit for query in group), sum(query.calls for query in group)) for group in groups.values()]
    rates = [credit / calls for credit, calls in sums if calls]
    return fmean(rates) if rates else None


@dataclass(frozen=True, slots=True)
class MissedImages:
    """Where plans lack an image; None where no plan has a report."""

    mi: float | None
    """Gaps per plan; 0 is best, and there is no most."""
    by_kind: dict[Gap, int]
    """How many of each kind."""
    n: int
    """Plans with a report."""
    n_open: int
    """Plans without."""


def missed_images(gaps: Sequence[Sequence[str] | None]) -> MissedImages:
    """MI: gaps per plan, averaged.

    Args:
        gaps: the kind of each gap of each plan; None for a plan without a report.

    Raises:
        ValueError: a gap is of another kind. Its plan is named by its number from 0.

    Example:
        >>> missed_images([[], ["unmet_request", "procedural_gap"], ["unmet_request"], [], None]).mi
        0.75
    """
    reported = [gap_counts(each, number) for number, each in enumerate(gaps) if each is not None]
    totals = [sum(column) for column in zip(*reported, strict=True)] or [0] * len(GAPS)
    return MissedImages(
        mi=sum(totals) / len(reported) if reported else None,
        by_kind=dict(zip(GAPS, totals, strict=True)),
        n=len(reported),
        n_open=len(gaps) - len(reported),
    )


def gap_counts(gaps: Sequence[str], name: object = "") -> list[int]:
    """How many gaps are of each of `GAPS`.

    Raises:
        ValueError: one is of another kind, or they are one text. The plan is named.
    """
    counts = [0, 0, 0, 0] if isinstance(gaps, str) else [gaps.count(kind) for kind in GAPS]
    if isinstance(gaps, str) or sum(counts) != len(gaps):
        raise ValueError(f"the gaps of plan {brief(name)} must each be one of {', '.join(GAPS)}")
    return counts


class Tier(NamedTuple):
    """A range of the final score and what it says."""

    low: int
    high: int
    meaning: str

    @property
    def label(self) -> str:
        """Such as 80-100."""
        return f"{self.low}-{self.high}"


TIERS = (
    Tier(0, 20, "Severe format failure, or the core visual intent is lost."),
    Tier(20, 40, "Marked redundancy, tools beyond their boundary, or two to three places left without an image."),
    Tier(40, 60, "Several faults of parameters or structure, or one to two omissions."),
    Tier(60, 80, "A useful answer with minor faults of precision or at most one minor omission."),
    Tier(80, 100, "Nearly perfect calls, and no image is missed."),
)
"""From the worst; half open, with 100 in the best, since their edges overlap in the source (chosen)."""


def final_score(fs: object) -> float:
    """A final score once it is one.

    Raises:
        ValueError: it is no number from 0 to 100; truth values and texts are none.
    """
    if isinstance(fs, bool) or not isinstance(fs, int | float) or not 0 <= fs <= TIERS[-1].high:
        raise ValueError(f"a final score must be a number from 0 to 100, but is {brief(fs)}")
    return float(fs)


def fs_tier(fs: float) -> Tier:
    """The tier that a final score lies in.

    Raises:
        ValueError: it is no number from 0 to 100.

    Example:
        >>> [fs_tier(fs).label for fs in (19.99, 20, 100)]
        ['0-20', '20-40', '80-100']
    """
    return TIERS[min(math.floor(final_score(fs) / 20), len(TIERS) - 1)]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A final score that does not fit what the other inspectors report; a matter to look at, no error."""

    code: Literal["high_fs_with_gaps", "good_fs_with_many_gaps", "low_fs_without_fault"]
    explanation: str


def report_conflicts(fs: float, gaps: int, rate: float | None) -> list[Conflict]:
    """Where a plan's final score disagrees with the reports that it was given for.

    Args:
        fs: final score, 0 to 100.
        gaps: how many the Recall Inspector reports.
        rate: the plan's strict success rate, [0, 1]; None without calls or with an open one.

    Raises:
        ValueError: the final score is none, gaps are no whole number from 0, or the rate lies outside of [0, 1].
    """
    score = final_score(fs)
    if isinstance(gaps, bool) or not isinstance(gaps, int) or gaps < 0 or not (rate is None or 0 <= rate <= 1):
        raise ValueError(f"gaps are counted from 0 and a rate lies in [0, 1], not {brief(gaps)} and {brief(rate)}")
    found = []
    if score >= 80 and gaps >= 1:
        found.append(Conflict("high_fs_with_gaps", f"FS {score:g} says that no image is missed, but MI is {gaps}."))
    if score >= 60 and gaps >= 3:
        text = f"FS {score:g} allows at most one minor omission, but MI is {gaps}."
        found.append(Conflict("good_fs_with_many_gaps", text))
    if score < 20 and rate == 1 and gaps == 0:
        text = f"FS {score:g} says that the plan fails, but every call succeeds and no image is missed."
        found.append(Conflict("low_fs_without_fault", text))
    return found


def tool_adoption(plans: Sequence[Collection[str | None]], tools: Sequence[str] = TOOLS) -> dict[str, float | None]:
    """Percent of the plans that use each tool at least once, [0, 100]; None without plans.

    Not its share of the calls: how often a plan uses it does not matter, and a plan without calls counts.

    Args:
        plans: the tools that each plan's calls name; other names, and None, are no tool.
        tools: those to tell of.

    Raises:
        ValueError: a plan's tools are one text, or a name is none.

    Example:
        >>> tool_adoption([["search", "search"], ["edit"], [], ["search", "code"]])["search"]
        50.0
    """
    used = [tool_names(plan) for plan in plans]
    return {tool: 100 * sum(tool in plan for plan in used) / len(used) if used else None for tool in tools}


def tool_names(tools: Collection[str | None]) -> frozenset[str]:
    """The set of tools that calls name; a call without one, None, adds none.

    Raises:
        ValueError: they are one text, or a name is no text.
    """
    if isinstance(tools, str) or not {str, NoneType}.issuperset(map(type, tools)):
        raise ValueError(f"tools are given as a list of their names, not as {brief(tools)}")
    return frozenset(tool for tool in tools if tool is not None)
