"""What one plan adds to the sums that all metrics of plans are ratios of; see `plan_table`, which takes the ratios."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.judge_free import indices, order_score, out_of_range, status_counts
from easel_app.scoring.plan import (
    GAPS,
    POLICIES,
    TIERS,
    Verdict,
    call_credit,
    final_score,
    fs_tier,
    gap_counts,
    tool_names,
)
from easel_app.scoring.set_overlap import scores_of_counts, set_counts

Floats = NDArray[np.float64]
COUNTS = ("both", "predicted", "reference")
"""Of two sets, in the order of `set_overlap.set_counts`."""
SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRecord:
    """One plan and what one judge says of it; what is missing is not known, and never 0."""

    query: str
    planner: str
    judge: str | None = None
    """Who wrote the reports; None without any."""
    category: str | None = None
    """Of the query."""
    calls: Sequence[Verdict | None] = ()
    """The verdict on each call, as `plan.call_credit` takes it; None for one that is open."""
    gaps: Sequence[str] | None = None
    """The kind of each; None without a report."""
    fs: float | None = None
    """Final score, 0 to 100."""
    tools: Collection[str | None] = ()
    """Tools that the calls name, repeats or not; None for a call without one."""
    reference_tools: Collection[str | None] | None = None
    """Those of the reference answer; None without one."""
    statuses: Mapping[str, int] = field(default_factory=dict)
    """How many calls were read ``strict``, ``lenient``, ``repaired`` and ``failed``."""
    cited: Sequence[int] | None = None
    """Indices of the images that the plan cites, in its order with repeats."""
    reference_cited: Sequence[int] | None = None
    """Those of the reference answer."""
    pool_size: int | None = None
    index_base: int = 0
    """Index of the first image of the pool."""


def plan_sums(records: Sequence[PlanRecord], tools: Iterable[str]) -> dict[str, Floats]:
    """What each plan adds to each sum.

    Args:
        records: plans.
        tools: whose adoption is wanted.

    Returns:
        Float64 (plans,) by name:

        - each of `POLICIES`, ``calls`` and ``open``: credit of the calls with a verdict, these calls, and the others;
        - ``plans``; ``reported``, ``gaps`` and each of `GAPS`; ``scored``, ``fs`` and each tier by its label;
        - each tool after ``tool``: 100 if the plan uses it;
        - ``tools`` and ``images``, each followed by `COUNTS`, by `SCORES`, by ``known``, whether there are two sets,
          and by ``recalled``, whether they have a recall; ``images order``;
        - ``pooled`` and ``out of range``; ``citing`` and ``duplicates``; ``read`` and ``failed`` calls.

    Raises:
        ValueError: a verdict, gap, final score, index or count is none. The query and the planner are named.
    """
    found: dict[str, Floats] = {"plans": np.ones(len(records))}

    def add(names: Sequence[str], of: Callable[[PlanRecord], Sequence[float]]) -> None:
        rows = np.array([_named(of, record) for record in records], np.float64)
        found.update(zip(names, rows.reshape(len(records), len(names)).T, strict=True))

    add((*POLICIES, "calls", "open"), _calls)
    add(("reported", "gaps", *GAPS), _gaps)
    add(("scored", "fs", *[tier.label for tier in TIERS]), _final_score)
    wanted = tuple(tools)
    add([f"tool {tool}" for tool in wanted], lambda record: _used(record, wanted))
    add(("tools known", *_each("tools", COUNTS)), _tools)
    add(("images known", *_each("images", COUNTS), "images order"), _images)
    add(("pooled", "out of range", "citing", "duplicates"), _indices)
    add(("failed", "read"), lambda record: status_counts(record.statuses))
    for sets in ("tools", "images"):
        known = found[f"{sets} known"]
        scores = scores_of_counts(*(found[name] for name in _each(sets, COUNTS))) * known[:, None]
        found[f"{sets} recalled"] = known * ~np.isnan(scores[:, 1])
        found.update(zip(_each(sets, SCORES), np.nan_to_num(scores).T, strict=True))
    return found


def _named(of: Callable[[PlanRecord], Sequence[float]], record: PlanRecord) -> Sequence[float]:
    try:
        return of(record)
    except ValueError as error:
        raise ValueError(f"the plan of {record.planner!r} for query {record.query!r}: {error}") from None


def _each(sets: str, names: Iterable[str]) -> list[str]:
    return [f"{sets} {name}" for name in names]


def _calls(record: PlanRecord) -> Sequence[float]:
    credits = [call_credit(verdict, number) for number, verdict in enumerate(record.calls) if verdict is not None]
    sums = map(sum, zip(*credits, strict=True)) if credits else (0.0,) * len(POLICIES)
    return (*sums, len(credits), len(record.calls) - len(credits))


def _gaps(record: PlanRecord) -> Sequence[float]:
    counts = gap_counts(record.gaps or (), record.query)
    return (record.gaps is not None, sum(counts), *counts)


def _final_score(record: PlanRecord) -> Sequence[float]:
    if record.fs is None:
        return (0.0,) * (2 + len(TIERS))
    tier = fs_tier(record.fs)
    return (1.0, final_score(record.fs), *[float(each is tier) for each in TIERS])


def _used(record: PlanRecord, tools: Sequence[str]) -> Sequence[float]:
    named = tool_names(record.tools)
    return [100.0 * (tool in named) for tool in tools]


def _tools(record: PlanRecord) -> Sequence[float]:
    if record.reference_tools is None:
        return (0.0,) * (1 + len(COUNTS))
    return (1.0, *set_counts(tool_names(record.tools), tool_names(record.reference_tools)))


def _images(record: PlanRecord) -> Sequence[float]:
    if record.cited is None or record.reference_cited is None:
        return (0.0,) * (2 + len(COUNTS))
    cited, reference = indices(record.cited), indices(record.reference_cited)
    return (1.0, *set_counts(cited, reference), order_score(cited, reference))


def _indices(record: PlanRecord) -> Sequence[float]:
    if record.cited is None:
        return (0.0,) * 4
    cited = indices(record.cited)
    outside = out_of_range(cited, record.pool_size, record.index_base)
    return (outside is not None, outside or 0, 1.0, len(cited) - len(set(cited)))
