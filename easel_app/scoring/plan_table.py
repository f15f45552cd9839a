"""Tables of plans: all that `plan`, `set_overlap` and `judge_free` tell, by planner and judge, and by category.

A row has one planner and one judge. Absolute scores of different judges never share a mean, for they do not carry over:
one planner has an SR of 11.46 under one judge and of 68.30 under another (ATP-Bench, arXiv 2603.29902).

Each number has n and a 95 % interval by resampling queries with all their calls (`uncertainty.cluster_intervals`). More
than 256 queries are put at random into 256 groups, which are resampled in their place (random groups: Wolter 2007,
"Introduction to Variance Estimation", chapter 2): a ratio of sums over groups of queries is the one over queries, and
the cost stops growing with them. `python -m benchmarks.plan_metrics` prints how often such intervals hold the truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.plan import AGGREGATIONS, GAPS, POLICIES, TIERS, TOOLS, Aggregation, Gap, Policy
from easel_app.scoring.plan_sums import COUNTS, SCORES, Floats, PlanRecord, plan_sums
from easel_app.scoring.set_overlap import scores_of_counts
from easel_app.scoring.uncertainty import KEPT, RESAMPLES, Estimate, cluster_intervals, cluster_sums

VERSION = "plan_table/1"
GROUPS = KEPT
"""How many queries, or groups of them, are resampled at most."""
NOTES = (
    "Each row has one judge: absolute scores do not carry over between judges, so no number here is a mean over two.",
    "SR names its policy and its aggregation, which the benchmark does not state; partial credit is no SR.",
)
SETS = ("tools", "images")
Key = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Rate:
    """A success rate or partial credit, [0, 1]."""

    estimate: Estimate
    """Over queries without an open call; its n is calls, queries or categories, by the aggregation."""
    bounds: tuple[float, float] | None
    """The rate over all queries if each open call counted nothing, and if each counted in full."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How the sets of plans overlap with those of the reference answers, [0, 1]; n is plans with a reference."""

    mean: dict[str, Estimate]
    """``precision``, ``recall`` and ``f1``, means over plans; the n of recall is plans that have one."""
    micro: dict[str, Estimate]
    """The same of pooled counts."""
    recall_undefined: int
    """Plans without a recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRow:
    """What one judge makes of one planner, over all queries or those of a category."""

    planner: str
    judge: str | None
    category: str | None
    """None for all."""
    plans: int
    queries: int
    open: int
    """Queries that stay out of the rates since a call of theirs has no verdict."""
    without_calls: int
    """Queries that say nothing of the rates since their plans have no call."""
    sr: dict[Policy, dict[Aggregation, Rate]]
    """``strict`` and ``no_fail``."""
    partial_credit: dict[Aggregation, Rate]
    mi: Estimate
    """Gaps per plan with a report."""
    gaps: dict[Gap, Estimate]
    """The same of each kind."""
    fs: Estimate
    """Mean final score, [0, 100]."""
    tiers: dict[str, int]
    """Plans by the tier of their final score."""
    adoption: dict[str, Estimate]
    """Percent of the plans that use each tool."""
    tool_sets: Overlap
    image_sets: Overlap
    image_order: Estimate
    """Mean order score, [0, 1]."""
    out_of_range: Estimate
    """Citations beyond the pool, per plan whose pool is known."""
    duplicates: Estimate
    """Citations of an image that was cited before, per plan."""
    invalid_rate: Estimate
    """Share of the calls that could not be read, [0, 1]."""


@dataclass(frozen=True, slots=True)
class PlanTable:
    """Rows by planner, judge and category, that of all queries first; `dataclasses.asdict` makes it ready for JSON."""

    rows: list[PlanRow]
    notes: tuple[str, ...] = NOTES
    """What to say beside it."""
    version: str = VERSION


def plan_table(
    records: Sequence[PlanRecord],
    *,
    by_category: bool = True,
    tools: Sequence[str] = TOOLS,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> PlanTable:
    """All metrics of plans, planners and judges apart.

    A query that a planner answered several times counts once in ``macro_query``, by all its calls; means over plans
    count each answer.

    Args:
        records: in any order.
        by_category: whether each category has rows too.
        tools: whose adoption is told.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: a verdict, gap, final score, index or count is none (the query and the planner are named), or a
            query has two categories.
    """
    if not records:
        return PlanTable([])
    category = _categories(records)
    keys = [(record.planner, record.judge, record.query) for record in records]
    answers = sorted(set(keys), key=lambda key: key[2])  # so that the order of the records does not matter
    numbers = {key: number for number, key in enumerate(answers)}
    named = plan_sums(records, tools)
    sums = cluster_sums([numbers[key] for key in keys], np.column_stack(list(named.values())), len(answers))
    columns = _with_rates(dict(zip(named, sums.T, strict=True)))
    members: dict[Key, list[int]] = {}
    for number, (planner, judge, query) in enumerate(answers):
        for kind in {None, category[query] if by_category else None}:
            members.setdefault((planner, judge, kind), []).append(number)
    kinds = np.array([category[query] for _, _, query in answers], object)
    rows = []
    for key in sorted(members, key=lambda key: [(part is not None, part or "") for part in key]):
        own = np.array(members[key])
        part = {name: column[own] for name, column in columns.items()}
        rows.append(_row(key, part, kinds[own], tools, seed, resamples))
    return PlanTable(rows)


def _categories(records: Sequence[PlanRecord]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for record in records:
        if found.setdefault(record.query, record.category) != record.category:
            kinds = f"{found[record.query]!r} and {record.category!r}"
            raise ValueError(f"query {record.query!r} has one category, but is said to be of {kinds}")
    return found


def _with_rates(sums: Mapping[str, Floats]) -> dict[str, Floats]:
    """Sums of each answered query with its rates; an open query adds nothing to them, but keeps what bounds need."""
    credits, calls, open_calls = (np.stack([sums[policy] for policy in POLICIES]), sums["calls"], sums["open"])
    rated = (open_calls == 0) & (calls > 0)
    closed, rates = credits * rated, np.divide(credits, calls, out=np.zeros_like(credits), where=rated)
    found = dict(sums) | {"rated": rated.astype(np.float64), "calls": calls * rated, "all calls": calls + open_calls}
    for policy, own, credit, rate in zip(POLICIES, closed, credits, rates, strict=True):
        found |= {policy: own, f"{policy} so far": credit, f"{policy} rate": rate}
    return found


class _Ratio(NamedTuple):
    """A statistic: one sum over another."""

    above: str
    below: str
    most: float
    """That it can be."""


def _ratios(tools: Sequence[str]) -> dict[str, _Ratio]:
    found: dict[str, _Ratio] = {f"{policy} micro": _Ratio(policy, "calls", 1) for policy in POLICIES}
    found |= {f"{policy} macro_query": _Ratio(f"{policy} rate", "rated", 1) for policy in POLICIES}
    found |= {name: _Ratio(name, "reported", np.inf) for name in ("gaps", *GAPS)}
    found |= {f"tool {tool}": _Ratio(f"tool {tool}", "plans", 100) for tool in tools}
    for sets in SETS:
        below = {"precision": "known", "recall": "recalled", "f1": "known"}
        found |= {f"{sets} {name}": _Ratio(f"{sets} {name}", f"{sets} {below[name]}", 1) for name in SCORES}
    return found | {
        "fs": _Ratio("fs", "scored", 100),
        "order": _Ratio("images order", "images known", 1),
        "out of range": _Ratio("out of range", "pooled", np.inf),
        "duplicates": _Ratio("duplicates", "citing", np.inf),
        "invalid": _Ratio("failed", "read", 1),
    }


def _row(
    key: Key, sums: Mapping[str, Floats], kinds: NDArray[np.object_], tools: Sequence[str], seed: int, resamples: int
) -> PlanRow:
    """One row of the sums (queries,) of its queries and their categories (queries,)."""
    groups = [kinds == kind for kind in sorted({kind for kind in kinds if kind is not None})]
    groups = groups or [np.zeros(len(kinds), bool)]  # queries of no category: a mean over one that is empty
    found = _estimates(sums, groups, tools, seed, resamples)
    whole = {name: float(column.sum()) for name, column in sums.items()}

    def rates(policy: Policy) -> dict[Aggregation, Rate]:
        return {
            aggregation: Rate(found[f"{policy} {aggregation}"], _bounds(sums, policy, aggregation, groups))
            for aggregation in AGGREGATIONS
        }

    def overlap(sets: str) -> Overlap:
        return Overlap(
            mean={name: found[f"{sets} {name}"] for name in SCORES},
            micro={name: found[f"{sets} micro {name}"] for name in SCORES},
            recall_undefined=int(whole[f"{sets} known"] - whole[f"{sets} recalled"]),
        )

    planner, judge, category = key
    return PlanRow(
        planner=planner,
        judge=judge,
        category=category,
        plans=int(whole["plans"]),
        queries=len(kinds),
        open=int(np.count_nonzero(sums["open"])),
        without_calls=int(np.count_nonzero(sums["all calls"] == 0)),
        sr={policy: rates(policy) for policy in POLICIES if policy != "partial_credit"},
        partial_credit=rates("partial_credit"),
        mi=found["gaps"],
        gaps={kind: found[kind] for kind in GAPS},
        fs=found["fs"],
        tiers={tier.label: int(whole[tier.label]) for tier in reversed(TIERS)},
        adoption={tool: found[f"tool {tool}"] for tool in tools},
        tool_sets=overlap("tools"),
        image_sets=overlap("images"),
        image_order=found["order"],
        out_of_range=found["out of range"],
        duplicates=found["duplicates"],
        invalid_rate=found["invalid"],
    )


def _estimates(
    sums: Mapping[str, Floats], groups: Sequence[NDArray[np.bool_]], tools: Sequence[str], seed: int, resamples: int
) -> dict[str, Estimate]:
    """Every statistic of a row with its interval: ratios, scores of pooled sets, and means over categories."""
    ratios = _ratios(tools)
    place = {name: number for number, name in enumerate(sums)}
    above, below = ([place[name] for name in names] for names in zip(*[r[:2] for r in ratios.values()], strict=True))
    pooled = [[place[f"{sets} {name}"] for name in ("known", *COUNTS)] for sets in SETS]
    by_group = [sums[name] * group for name in ("calls", *POLICIES) for group in groups]

    def statistics(drawn: Floats) -> Floats:
        known_counts = [drawn[:, places].T for places in pooled]
        micro = [np.where(known[:, None] > 0, scores_of_counts(*counts), np.nan) for known, *counts in known_counts]
        calls, *credits = drawn[:, len(place) :].reshape(len(drawn), -1, len(groups)).swapaxes(0, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = [_mean_rate(credit, calls) for credit in credits]
            return np.column_stack([drawn[:, above] / drawn[:, below], *micro, *means])

    # what each statistic is taken over, query by query
    over = [sums[ratio.below] for ratio in ratios.values()] + [sums[f"{sets} known"] for sets in SETS for _ in SCORES]
    categorised = np.sum(by_group[: len(groups)], axis=0)
    n = [int(column.sum()) for column in over] + [sum(bool(calls.any()) for calls in by_group[: len(groups)])] * 3
    over += [categorised] * len(POLICIES)
    most = [ratio.most for ratio in ratios.values()] + [1.0] * (len(over) - len(ratios))
    cluster, clusters = random_groups(len(categorised), seed)
    found = cluster_intervals(
        cluster_sums(cluster, np.column_stack([*sums.values(), *by_group]), clusters),
        statistics,
        n=n,
        clusters=np.count_nonzero(cluster_sums(cluster, np.column_stack(over), clusters), axis=0),
        bounds=[(0.0, end) for end in most],
        seed=seed,
        resamples=resamples,
    )
    names = [*ratios, *[f"{sets} micro {name}" for sets in SETS for name in SCORES]]
    return dict(zip([*names, *[f"{policy} macro_category" for policy in POLICIES]], found, strict=True))


def random_groups(size: int, seed: int = 0) -> tuple[NDArray[np.intp], int]:
    """What is resampled together: each of so many queries by itself, or, of more than `GROUPS`, in a random group.

    Returns:
        The group of each query, and how many groups there are; their sizes differ by at most one.
    """
    if size <= GROUPS:
        return np.arange(size), size
    return np.random.default_rng(seed).permutation(size) % GROUPS, GROUPS


def _mean_rate(credit: Floats, calls: Floats) -> Floats:
    """Mean over the last axis of credit by calls, of those with calls; nan where there are none."""
    rates = np.divide(credit, calls, out=np.zeros_like(credit), where=calls > 0)
    with np.errstate(invalid="ignore"):
        mean: Floats = rates.sum(-1) / np.count_nonzero(calls, axis=-1)
    return mean


def _bounds(
    sums: Mapping[str, Floats], policy: Policy, aggregation: Aggregation, groups: Sequence[NDArray[np.bool_]]
) -> tuple[float, float] | None:
    credit, calls = sums[f"{policy} so far"], sums["all calls"]
    ends = np.stack([credit, credit + sums["open"], calls])
    if aggregation != "macro_query":
        parts = [np.ones(len(calls), bool)] if aggregation == "micro" else groups
        ends = np.array([ends[:, part].sum(1) for part in parts]).reshape(-1, 3).T
    least, most = (float(_mean_rate(end, ends[2])) for end in ends[:2])
    return None if np.isnan(least) else (least, most)
