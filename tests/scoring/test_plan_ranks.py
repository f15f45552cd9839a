"""Rank correlation: published and golden values, SciPy, laws, and scores that are no numbers."""

from __future__ import annotations

import doctest
import json
import math
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from easel_app.scoring import rank_correlation as module
from easel_app.scoring.rank_correlation import (
    EXACT_UP_TO,
    FEWEST,
    fisher_interval,
    mid_ranks,
    rank_correlation,
    rho_of_differences,
)

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "cases" / "atp_golden.json").read_text("utf-8"))
GOLDEN: dict[str, Any] = TABLES["golden"]["spearman"]
_, FS, SR, MI = (list(column) for column in zip(*TABLES["table3_5_avg"]["rows"], strict=True))
near = pytest.approx
number = st.integers(-3, 3) | st.floats(-1e6, 1e6, allow_subnormal=False)
lists = st.integers(0, 30).flatmap(lambda n: st.tuples(*[st.lists(number, min_size=n, max_size=n)] * 2))


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("FS_SR", FS, SR), ("FS_negMI", FS, [-mi for mi in MI]), ("SR_negMI", SR, [-mi for mi in MI])],
)
def test_the_published_averages_correlate_as_derived(name: str, first: list[float], second: list[float]) -> None:
    found = rank_correlation(first, second)
    printed = TABLES["derived_from_avg_table"][f"spearman_{name}"]
    assert found.rho == near(printed, abs=5e-5) and found.rho == near(stats.spearmanr(first, second)[0], abs=1e-12)
    assert (found.n, found.ties, found.left_out) == (10, (0, 0), 0)
    assert found.low is not None and found.high is not None and found.low < printed < found.high < 1


def test_the_three_are_exact_fractions() -> None:
    negated = [-mi for mi in MI]
    squares = [
        round((1 - (rank_correlation(*pair).rho or 0)) * 165, 9) for pair in ((FS, SR), (FS, negated), (SR, negated))
    ]
    assert squares == [2, 16, 20]  # 0.9879, 0.9030, 0.8788


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=["ties", "reversed"])
def test_golden_correlations(case: dict[str, Any]) -> None:
    assert rank_correlation(case["x"], case["y"]).rho == near(case["rho"], abs=1e-9)


@pytest.mark.parametrize(
    ("case", "published", "p"),
    list(zip(GOLDEN["sum_d2_n10"], [0.8909, 0.879, 0.8303], [0.00054, 0.00081, 0.00294], strict=True)),
)
def test_published_correlations_of_ten_models_are_sums_of_squares(case: Any, published: float, p: float) -> None:
    rho = rho_of_differences(case["sum_d2"], 10)
    assert rho == near(case["rho"], abs=1e-9) and rho == near(published, abs=5e-4)
    order = next(  # a list of ranks that differs by so much, to have its p
        ranks
        for ranks in permutations(range(7))
        if sum((k - rank) ** 2 for k, rank in enumerate(ranks)) == case["sum_d2"]
    )
    found = rank_correlation(range(10), [*order, 7, 8, 9])
    assert found.rho == near(rho, abs=1e-12) and found.p == near(p, abs=5e-6) and not found.exact


@settings(max_examples=150)
@given(lists)
def test_it_is_scipys(pair: tuple[list[float], list[float]]) -> None:
    found = rank_correlation(*pair)
    if any(len(set(values)) < 2 for values in pair):
        assert (found.rho, found.tau, found.p, found.low, found.high) == (None,) * 5
        return
    rho, p = stats.spearmanr(*pair) if len(pair[0]) > 2 else (stats.pearsonr(*map(stats.rankdata, pair))[0], 1)
    assert found.rho == near(rho, abs=1e-12) and found.tau == near(stats.kendalltau(*pair).statistic, abs=1e-12)
    if found.n > EXACT_UP_TO and abs(rho) < 1 - 1e-9:
        assert found.p == near(p, rel=1e-6)


@pytest.mark.parametrize("size", [4, 5])
def test_p_of_few_is_the_share_of_all_orders_that_are_as_far_from_none(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(5):
        x, y = rng.integers(0, 4, size), rng.permutation(size)
        if len(set(x.tolist())) < 2:
            continue
        found = rank_correlation(x.astype(float).tolist(), y.astype(float).tolist())
        all_rho = [stats.spearmanr(x, order)[0] for order in permutations(y)]
        assert found.p == near(np.mean(np.abs(all_rho) >= abs(found.rho or 0) - 1e-9)) and found.exact


def test_p_is_over_all_orders_up_to_eight_pairs_and_says_so() -> None:
    x, y = [3, 1, 4, 1, 5, 9, 2, 6, 5], [2, 7, 1, 8, 2, 8, 1, 8, 3]
    for size in (4, 8, 9):
        found = rank_correlation(x[:size], y[:size])
        assert found.exact == (size <= EXACT_UP_TO) and found.p is not None
        by_t = stats.spearmanr(x[:size], y[:size])[1]
        assert (abs(found.p - by_t) < 1e-9) == (size > EXACT_UP_TO)
    assert not rank_correlation(x[:3], y[:3]).exact and not rank_correlation([1] * 5, y[:5]).exact


@pytest.mark.parametrize("size", [2, 3])
def test_fewer_than_four_have_no_p_and_no_interval(size: int) -> None:
    found = rank_correlation(list(range(size)), list(range(size)))
    assert (found.rho, found.tau, found.p, found.low, found.high, found.n) == (1, 1, None, None, None, size)
    assert size < FEWEST


def test_nothing_and_one_thing_have_no_correlation() -> None:
    for values in ([], [1.0], [None, 2.0]):
        found = rank_correlation(values, values)
        assert (found.rho, found.tau, found.p) == (None, None, None)


def test_what_is_missing_is_left_out_and_counted() -> None:
    whole = rank_correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    holes = rank_correlation([1, None, 2, 3, math.nan, 4, 5], [2, 9, 1, 4, 7, 3, 5])
    assert (holes.rho, holes.tau, holes.p, holes.n, holes.left_out) == (whole.rho, whole.tau, whole.p, 5, 2)


@settings(max_examples=50)
@given(lists, st.randoms(use_true_random=False))
def test_the_order_of_the_things_does_not_matter(pair: tuple[list[float], list[float]], random: Any) -> None:
    things = list(zip(*pair, strict=True))
    random.shuffle(things)
    found, shuffled = rank_correlation(*pair), rank_correlation([a for a, _ in things], [b for _, b in things])
    assert (found.n, found.ties) == (shuffled.n, shuffled.ties)
    for name in ("rho", "tau", "low", "high", "p"):
        assert getattr(found, name) == near(getattr(shuffled, name), abs=1e-9)


@given(lists)
def test_a_scale_does_not_matter_and_its_direction_turns_the_sign(pair: tuple[list[float], list[float]]) -> None:
    first, second = pair
    ranked = rank_correlation(mid_ranks(first).tolist(), [7 * rank for rank in mid_ranks(second)])
    negated = rank_correlation(first, [-value for value in second])
    found = rank_correlation(first, second)
    assert found == ranked == rank_correlation(first, second)
    assert found.p == near(negated.p) and found.rho == near(None if negated.rho is None else -negated.rho)
    assert found.tau == near(None if negated.tau is None else -negated.tau)
    swapped = rank_correlation(second, first)
    assert (found.rho, found.tau, found.ties) == (near(swapped.rho), near(swapped.tau), swapped.ties[::-1])


@given(st.integers(4, 10_000), st.floats(-1, 1))
def test_an_interval_holds_its_rho_and_keeps_within_one(n: int, rho: float) -> None:
    low, high = fisher_interval(rho, n)
    assert -1 <= low <= rho <= high <= 1
    assert fisher_interval(-rho, n) == near((-high, -low))


def test_a_perfect_order_of_few_leaves_doubt() -> None:
    few, many = (fisher_interval(1.0, n) for n in (4, 100))
    assert few[1] == many[1] == 1 and few[0] < 0 < 0.99 < many[0] < 1


def test_ties_are_counted_in_each_list() -> None:
    assert rank_correlation([1, 1, 2, 2, 2, 3], [1, 2, 3, 4, 5, 5]).ties == (5, 2)


def test_thousands_of_plans_are_compared_in_parts() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 100, 3000)
    y = x + rng.integers(0, 60, 3000)
    found = rank_correlation(x.astype(float).tolist(), y.astype(float).tolist())
    assert found.tau == near(stats.kendalltau(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("value", [math.inf, -math.inf, True, "3", [3], 10**400, 1j, b"3"])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="must be a finite number or missing"):
        rank_correlation([1, 2, value], [1, 2, 3])


def test_lists_of_two_lengths_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="2 scores cannot be paired with 3"):
        rank_correlation([1, 2], [1, 2, 3])


@pytest.mark.parametrize(("squares", "n"), [(-1, 10), (331, 10), (0, 1), (math.nan, 10)])
def test_sums_that_no_ranks_have_are_refused(squares: float, n: int) -> None:
    with pytest.raises(ValueError, match="cannot sum to"):
        rho_of_differences(squares, n)


@pytest.mark.parametrize(("rho", "n"), [(1.01, 10), (math.nan, 10), (0.5, 3)])
def test_no_interval_of_what_is_no_correlation(rho: float, n: int) -> None:
    with pytest.raises(ValueError, match="an interval takes a rho"):
        fisher_interval(rho, n)
