"""Numbers of a judge and of people: how alike they order, how far apart they are, and how often in one tier."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from easel_app.scoring.number_agreement import mean_of, number_agreement
from easel_app.scoring.plan import TIERS, fs_tier
from easel_app.scoring.rank_correlation import rank_correlation
from easel_app.scoring.tier_agreement import tier_agreement, tier_places

NAN = float("nan")
SCORE = st.one_of(st.none(), st.integers(0, 100))
LABELS = [tier.label for tier in TIERS]


@settings(max_examples=40)
@given(st.lists(st.tuples(SCORE, SCORE, SCORE, SCORE), max_size=9))
def test_differences_are_plain_means_over_pairs_of_numbers(rows: list[tuple[int | None, ...]]) -> None:
    table = np.array([[NAN if value is None else value for value in row] for row in rows], float).reshape(-1, 4)
    found = number_agreement(np.arange(len(rows)) % 3, table[:, 0], table[:, 1:], resamples=20)
    gaps = [row[0] - each for row in rows for each in row[1:] if row[0] is not None and each is not None]
    among = [abs(a - b) for row in rows for a, b in combinations(row[1:], 2) if a is not None and b is not None]
    expected = [fmean(gaps), fmean(map(abs, gaps))] if gaps else [None, None]
    assert [found.difference.value, found.absolute_difference.value] == pytest.approx(expected)
    assert found.people_absolute_difference.value == pytest.approx(fmean(among) if among else None)
    assert (found.difference.n, found.people_absolute_difference.n) == (len(gaps), len(among))
    assert sum(pair.n for pair in found.judge_reviewer) == len(gaps)
    assert sum(pair.n for pair in found.reviewer_pairs) == len(among)


def test_the_order_is_held_against_the_mean_of_people_so_that_each_plan_counts_once() -> None:
    rng = np.random.default_rng(5)
    judge, people = rng.integers(0, 101, 40).astype(float), rng.integers(0, 101, (40, 3)).astype(float)
    people[rng.random((40, 3)) < 0.4] = NAN
    found, mean = number_agreement(np.arange(40), judge, people, resamples=50), mean_of(people)
    known = ~np.isnan(mean)
    assert found.ranks.rho == pytest.approx(spearmanr(judge[known], mean[known]).statistic)
    assert found.ranks.tau == pytest.approx(kendalltau(judge[known], mean[known]).statistic)
    assert found.ranks.n == found.things == known.sum()
    own = ~np.isnan(people[:, 1])
    assert found.judge_reviewer[1].ranks.rho == pytest.approx(spearmanr(judge[own], people[own, 1]).statistic)
    assert [(pair.first, pair.second) for pair in found.reviewer_pairs] == [(0, 1), (0, 2), (1, 2)]


def test_a_judge_that_is_always_20_kinder_orders_everything_alike() -> None:
    people = np.array([[10.0], [30.0], [55.0], [60.0], [80.0]])
    found = number_agreement(range(5), people[:, 0] + 20, people)
    assert found.ranks.rho == 1 and found.difference.value == found.difference.low == found.difference.high == 20


def test_without_people_or_without_a_judge_nothing_is_claimed() -> None:
    alone = number_agreement([0, 1], [5.0, 6.0], np.zeros((2, 0)))
    assert alone.difference.value is None and alone.judge_reviewer == () and alone.ranks.rho is None
    unjudged = number_agreement([0, 1], [NAN, NAN], [[1.0, 2.0], [3.0, NAN]])
    assert unjudged.difference.value is None and unjudged.people_absolute_difference.value == 1
    assert number_agreement([], [], np.zeros((0, 2))).things == 0


@pytest.mark.parametrize("people", [[1.0, 2.0], [[np.inf], [0.0]]])
def test_what_is_no_table_of_numbers_is_refused(people: object) -> None:
    with pytest.raises(ValueError, match="numbers must be"):
        number_agreement([0, 1], [1.0, 2.0], people)  # type: ignore[arg-type]


@given(st.floats(0, 100))
def test_places_of_tiers_are_those_of_the_tiers_themselves(fs: float) -> None:
    assert LABELS[int(tier_places(fs))] == fs_tier(fs).label


@settings(max_examples=40)
@given(st.lists(st.tuples(SCORE, SCORE), max_size=12))
def test_tiers_agree_as_counted_one_by_one(rows: list[tuple[int | None, int | None]]) -> None:
    first, second = (np.array([NAN if row[k] is None else row[k] for row in rows], float) for k in (0, 1))
    found = tier_agreement(np.arange(len(rows)) // 2, first, second, resamples=20)
    places = [tuple(LABELS.index(fs_tier(fs).label) for fs in row) for row in rows if None not in row]
    assert [list(row) for row in found.table] == [[places.count((i, j)) for j in range(5)] for i in range(5)]
    assert found.same.n == len(places)
    assert found.same.value == pytest.approx(fmean(i == j for i, j in places) if places else None)
    assert found.within_one.value == pytest.approx(fmean(abs(i - j) <= 1 for i, j in places) if places else None)
    both = tier_agreement(np.arange(len(rows)) // 2, first, second, both_ways=True, resamples=20)
    assert np.array_equal(both.table, np.array(both.table).T) and both.same == found.same


def test_a_score_beyond_100_has_no_tier() -> None:
    with pytest.raises(ValueError, match="0 to 100"):
        tier_agreement([0], [101], [50])


@pytest.mark.parametrize("values", [1, 2, 7, 10**6])
def test_kendall_s_tau_of_thousands_is_that_of_scipy_whatever_is_tied(values: int) -> None:
    x, y = np.random.default_rng(values).integers(0, values, (2, 3000))
    found, expected = rank_correlation(x.tolist(), (x + y).tolist()).tau, kendalltau(x, x + y).statistic
    assert found is None if values == 1 else found == pytest.approx(expected, abs=1e-12)
