"""What is published: taken over as it is printed, and kept apart."""

from __future__ import annotations

import pytest

from easel_app.scoring.rank_correlation import rank_correlation
from easel_app.services.plans.published import published

ROWS = published().full.rows
FS, SR, MI = [row.fs for row in ROWS], [row.sr_percent for row in ROWS], [-row.mi for row in ROWS]


@pytest.mark.parametrize(("one", "other", "rho"), [(FS, SR, 0.9879), (FS, MI, 0.9030), (SR, MI, 0.8788)])
def test_the_averages_order_the_ten_planners_as_alike_as_is_printed(
    one: list[float], other: list[float], rho: float
) -> None:
    found = rank_correlation(one, other)
    assert found.rho == pytest.approx(rho, abs=5e-5)
    assert (found.n, found.ties) == (10, (0, 0)) and found.p is not None and found.p < 0.001


def test_the_ablation_of_800_queries_has_its_own_baselines_and_says_so() -> None:
    full = {row.planner: row for row in ROWS}
    shared = [row for row in published().ablation.rows if row.planner in full]
    assert len(shared) == 6 and "never mixed" in published().ablation.warning
    assert all((row.fs, row.sr_percent) != (full[row.planner].fs, full[row.planner].sr_percent) for row in shared)
    assert (published().full.n, published().ablation.n, published().judges.n) == (7702, 800, 800)


def test_agreement_with_people_comes_with_the_interval_of_400_queries() -> None:
    found = published().agreement
    assert [(row.inspector, row.percent, row.n) for row in found] == [
        ("precision", 84.00, 400),
        ("recall", 85.88, 400),
        ("chief", 88.00, 400),
    ]
    ends = [end for row in found for end in row.interval]
    assert ends == pytest.approx([80.1, 87.3, 82.1, 89.0, 84.5, 90.8], abs=0.1)
