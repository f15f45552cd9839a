"""What the metrics of plans cost, and how often their intervals hold the truth. Run: python -m benchmarks.plan_metrics.

The plans are made up: ten planners answer the 7,702 queries of the full benchmark under one judge, with 4.3 calls each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from easel_app.scoring.plan import CRITERIA, GAPS, TOOLS
from easel_app.scoring.plan_sums import PlanRecord
from easel_app.scoring.plan_table import GROUPS, plan_table, random_groups
from easel_app.scoring.rank_correlation import fisher_interval
from easel_app.scoring.uncertainty import BEYOND, RESAMPLES, cluster_intervals, cluster_sums

MOST_SECONDS = 5.0
"""Processor time of one core for all metrics of the plans."""
QUERIES, PLANNERS, CATEGORIES, CALLS = 7_702, 10, 8, 4.32
LOWEST = 0.92
"""Coverage of 95 % intervals that we promise: of SR from 24 queries on, of rho for ten things or more."""
STRAIGHT = {0.0: LOWEST, 0.5: LOWEST, 0.9: LOWEST, 0.98: 0.88}
"""The same of rho by the correlation; of what is nearly in one order it is too narrow."""
Floats = NDArray[np.float64]


def records(queries: int, planners: int, seed: int = 0) -> list[PlanRecord]:
    """Made-up plans in the form in which they are scored."""
    rng = np.random.default_rng(seed)

    def plan(query: int, planner: int) -> PlanRecord:
        good, size = 0.4 + 0.05 * planner, int(rng.poisson(CALLS))
        gates = rng.random((size, 2)) < 0.95
        scores = np.where(rng.random((size, 4)) < good, 2, rng.integers(0, 3, (size, 4)))
        tools = rng.choice(TOOLS, size).tolist()
        return PlanRecord(
            query=f"query {query}",
            planner=f"planner {planner}",
            judge="judge",
            category=f"category {query % CATEGORIES}",
            calls=[
                {"necessary": first, "boundary_ok": second, "scores": dict(zip(CRITERIA, row, strict=True))}
                for (first, second), row in zip(gates.tolist(), scores.tolist(), strict=True)
            ],
            gaps=rng.choice(GAPS, rng.poisson(1.3)).tolist(),
            fs=float(rng.integers(0, 101)),
            tools=tools,
            reference_tools=rng.choice(TOOLS, 4).tolist(),
            statuses={"strict": max(size - 1, 0), "failed": min(size, 1)},
            cited=rng.integers(0, 9, tools.count("reference")).tolist(),
            reference_cited=rng.integers(0, 9, 3).tolist(),
            pool_size=9,
        )

    return [plan(query, planner) for planner in range(planners) for query in range(queries)]


def seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def cost() -> bool:
    """All metrics over all plans, and where the time goes."""
    made = records(QUERIES, PLANNERS)
    table = plan_table(made[:100])
    some = made[: 4 * len(made) // PLANNERS]
    whole, without, part = (
        seconds(lambda: plan_table(made)),
        seconds(lambda: plan_table(made, resamples=2)),
        seconds(lambda: plan_table(some)),
    )
    calls = sum(len(record.calls) for record in made)
    print(f"{len(made):,} plans with {calls:,} calls, {CATEGORIES} categories: {whole:.2f} s of one core")
    print(f"  of these {whole - without:.2f} s are intervals; {len(some):,} plans take {part:.2f} s")
    assert len(table.rows) == 1 + CATEGORIES
    return whole <= MOST_SECONDS


def coverage_of_rates(size: int, trials: int = 500) -> tuple[float, float]:
    """How often the interval of SR (strict, micro) holds the truth, over queries in groups and one by one.

    Queries differ in how well they are planned (beta distributed) and in how many calls they have.
    """
    rng = np.random.default_rng(size)
    truth, held = 0.6, np.zeros(2)
    for trial in range(trials):
        calls = rng.poisson(CALLS, size)
        sums = np.column_stack([rng.binomial(calls, rng.beta(3, 2, size)), calls])
        for place, (cluster, clusters) in enumerate((random_groups(size, trial), (np.arange(size), size))):
            (found,) = cluster_intervals(
                cluster_sums(cluster, sums, clusters), lambda drawn: drawn[:, :1] / drawn[:, 1:], bounds=(0, 1)
            )
            assert found.low is not None and found.high is not None
            held[place] += found.low <= truth <= found.high
            if size <= GROUPS:
                held[1] = held[0]
                break
    return float(held[0]) / trials, float(held[1]) / trials


def coverage_of_ranks(size: int, correlation: float, trials: int = 3000) -> tuple[float, float]:
    """How often an interval of rho holds that of the whole normal population, by Fisher's z and by resampling pairs."""
    rng = np.random.default_rng(size)
    truth = 6 / np.pi * np.arcsin(correlation / 2)
    x = rng.normal(size=(trials, size))
    y = correlation * x + np.sqrt(1 - correlation**2) * rng.normal(size=(trials, size))
    fisher = [fisher_interval(float(_rho(*pair)[0]), size) for pair in zip(x[:, None], y[:, None], strict=True)]
    resampled = []
    for one, other in zip(x[: trials // 15], y[: trials // 15], strict=True):
        drawn = rng.integers(0, size, (RESAMPLES, size))
        with np.errstate(invalid="ignore"):
            resampled.append(np.nanquantile(_rho(one[drawn], other[drawn]), BEYOND))
    return _share(fisher, truth), _share(resampled, truth)


def _rho(x: Floats, y: Floats) -> Floats:
    a, b = (rankdata(values, axis=-1) - (values.shape[-1] + 1) / 2 for values in (x, y))
    rho: Floats = (a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    return rho


def _share(intervals: Sequence[Sequence[float]], truth: float) -> float:
    low, high = np.array(intervals).T
    return float(np.mean((low <= truth) & (truth <= high)))


def main() -> bool:
    """Print all; whether what we promise holds."""
    print("\nMetrics of plans")
    good = cost()
    print("Coverage of 95 % intervals of SR over queries:")
    for size in (10, 24, 100, 400):
        grouped, single = coverage_of_rates(size)
        good &= grouped >= LOWEST or size < 24
        print(f"  {size:4} queries: {grouped:.3f}" + (f" (one by one {single:.3f})" if size > GROUPS else ""))
    print("Coverage of 95 % intervals of rho, by Fisher's z and by resampling pairs:")
    for size in (5, 10, 20):
        for correlation, lowest in STRAIGHT.items():
            fisher, resampled = coverage_of_ranks(size, correlation)
            good &= fisher >= lowest or size < 10
            print(f"  {size:3} pairs, correlation {correlation:.2f}: {fisher:.3f}, {resampled:.3f}")
    return good


if __name__ == "__main__":
    raise SystemExit(not main())
