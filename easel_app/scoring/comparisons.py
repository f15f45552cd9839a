"""Many comparisons of raters at once, each number with an interval by resampling tasks, all from one draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.agreement import RATER_BOUNDS, TABLE_BOUNDS, rater_statistics, table_statistics
from easel_app.scoring.uncertainty import Estimate, Interval, cluster_intervals, wilson

Floats = NDArray[np.float64]
SUMS = 10
"""Columns of `agreement.item_sums` for two classes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two raters, or two kinds of them, by a table; an estimate's n is the number of verdicts that it is a share of."""

    table: tuple[tuple[int, int], tuple[int, int]]
    """Rows the first one's Met and Not Met (a person), columns the second one's (the judge); never weighted."""
    n: int
    """Pairs of verdicts."""
    tasks: int
    """That have such a pair: below `uncertainty.FEW` no interval can be trusted."""
    percent_agreement: Estimate
    cohen_kappa: Estimate
    gwet_ac1: Estimate
    phi: Estimate
    krippendorff_alpha_nominal: Estimate
    sensitivity: Estimate
    specificity: Estimate
    macro_f1: Estimate
    prevalence: Estimate
    sensitivity_wilson: Interval | None
    """As if verdicts were independent; None for what is weighted or entered both ways."""
    specificity_wilson: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Raters among themselves, however many each item has; an estimate's n is items with two ratings or more."""

    n_items: int
    """With a rating."""
    n_items_with_two_or_more: int
    tasks: int
    """That have an item with two or more."""
    percent_agreement: Estimate
    gwet_ac1: Estimate
    krippendorff_alpha_nominal: Estimate
    fleiss_kappa: Estimate
    """Only where each item with a rating has the same number of them."""


class Table(NamedTuple):
    """A table of each task: cells [both Met, first only, second only, both Not Met], float64 (tasks, 4)."""

    counts: Floats
    cells: Floats | None = None
    """What the statistics are of where it is not the counts themselves: weighted, or halved."""
    both_ways: bool = False
    """Whether each pair of verdicts was entered twice, as (a, b) and as (b, a)."""


def compare(
    tables: Sequence[Table], people: Sequence[Floats], *, seed: int, resamples: int
) -> tuple[list[Comparison], list[People]]:
    """Statistics of tables and of sums over items, with intervals.

    Args:
        tables: one or more.
        people: sums of `item_sums` over the items of each task, float64 (tasks, 10) each, one or more.
        seed: of the resampling of tasks.
        resamples: how many.

    Returns:
        A comparison for each table, and the people for each of the sums.
    """
    counts = np.stack([table.counts for table in tables], axis=1)  # (tasks, tables, 4)
    cells = np.stack([table.counts if table.cells is None else table.cells for table in tables], axis=1)
    items = np.stack(people, axis=1)  # (tasks, people, SUMS)
    size, first = len(counts), 4 * len(tables)

    def statistic(sums: Floats) -> Floats:
        of_tables = table_statistics(sums[:, :first].reshape(-1, len(tables), 2, 2))
        of_people = rater_statistics(sums[:, first:].reshape(-1, len(people), SUMS))
        return np.concatenate([values.T for values in (*of_tables.values(), *of_people.values())]).T

    met, not_met = counts[..., :2].sum(-1), counts[..., 2:].sum(-1)  # of the first rater, (tasks, tables)
    either, paired = met + not_met, items[..., 1]
    twice = 1 + np.array([table.both_ways for table in tables])
    spread = {"sensitivity": met, "specificity": not_met}
    over = {"sensitivity": met.sum(0), "specificity": not_met.sum(0)}
    clusters = [*(np.count_nonzero(spread.get(name, either), axis=0) for name in TABLE_BOUNDS),
                *[np.count_nonzero(paired, axis=0)] * len(RATER_BOUNDS)]  # fmt: skip
    n = [*(over.get(name, either.sum(0) / twice) for name in TABLE_BOUNDS), *[paired.sum(0)] * len(RATER_BOUNDS)]
    bounds = [*np.repeat([*TABLE_BOUNDS.values()], len(tables), axis=0),
              *np.repeat([*RATER_BOUNDS.values()], len(people), axis=0)]  # fmt: skip
    found = iter(
        cluster_intervals(
            np.concatenate([cells.reshape(size, first), items.reshape(size, SUMS * len(people))], axis=1),
            statistic,
            n=np.concatenate(n),
            clusters=np.concatenate(clusters),
            bounds=bounds,
            seed=seed,
            resamples=resamples,
        )
    )
    of_tables = {name: [next(found) for _ in tables] for name in TABLE_BOUNDS}
    of_people = {name: [next(found) for _ in people] for name in RATER_BOUNDS}
    return [
        _comparison(table, {name: each[k] for name, each in of_tables.items()}) for k, table in enumerate(tables)
    ], [_people(sums, {name: each[k] for name, each in of_people.items()}) for k, sums in enumerate(people)]


def _comparison(table: Table, estimates: dict[str, Estimate]) -> Comparison:
    a, b, c, d = (int(count) for count in table.counts.sum(0))
    return Comparison(
        table=((a, b), (c, d)),
        n=(a + b + c + d) // (1 + table.both_ways),
        tasks=int(np.count_nonzero(table.counts.any(1))),
        sensitivity_wilson=wilson(a, a + b) if table.cells is None else None,
        specificity_wilson=wilson(d, c + d) if table.cells is None else None,
        **estimates,
    )


def _people(sums: Floats, estimates: dict[str, Estimate]) -> People:
    return People(
        n_items=int(sums[:, 0].sum()),
        n_items_with_two_or_more=int(sums[:, 1].sum()),
        tasks=int(np.count_nonzero(sums[:, 1])),
        **estimates,
    )
