"""pass@k and pass^k: golden values, brute force over all draws, and the laws that make them what they are."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring import repeats
from easel_app.scoring.repeats import ks, pass_at_k, pass_hat_k

tasks = st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))


def both(n: int, c: int, k: int) -> tuple[float, float]:
    return float(pass_at_k([n], [c], k)[0]), float(pass_hat_k([n], [c], k)[0])


def test_the_examples_hold() -> None:
    assert doctest.testmod(repeats).failed == 0


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_they_are_the_shares_of_all_draws_that_pass(task: tuple[int, int, int]) -> None:
    n, c, k = task
    draws = [[place < c for place in draw] for draw in combinations(range(n), k)]
    assert both(n, c, k) == pytest.approx((np.mean([any(d) for d in draws]), np.mean([all(d) for d in draws])))


@given(tasks)
def test_one_draw_is_the_pass_rate(task: tuple[int, int, int]) -> None:
    n, c, _ = task
    assert both(n, c, 1) == pytest.approx((c / n, c / n))


@given(tasks)
def test_all_never_pass_more_often_than_any_and_more_draws_part_them_further(task: tuple[int, int, int]) -> None:
    n, c, k = task
    any_, all_ = both(n, c, k)
    assert 0 <= all_ <= any_ + 1e-12 and any_ <= 1
    if k < n:
        more_any, more_all = both(n, c, k + 1)
        assert more_any >= any_ - 1e-12 and more_all <= all_ + 1e-12


@given(tasks)
def test_all_fail_where_not_any_passes(task: tuple[int, int, int]) -> None:
    n, c, k = task
    assert both(n, c, k)[0] == pytest.approx(1 - both(n, n - c, k)[1])


@pytest.mark.parametrize(("n", "c", "k"), [(10**6, 1, 1), (10**6, 1, 500), (10**12, 3, 100), (10**9, 10**9 - 1, 64)])
def test_large_counts_neither_overflow_nor_lose_a_small_share(n: int, c: int, k: int) -> None:
    none = Fraction(math.prod(n - c - j for j in range(k)), math.prod(n - j for j in range(k)))
    every = Fraction(math.prod(c - j for j in range(k)), math.prod(n - j for j in range(k))) if k <= c else Fraction(0)
    any_, all_ = both(n, c, k)
    assert any_ == pytest.approx(float(1 - none), rel=1e-9)
    assert all_ == pytest.approx(float(every), rel=1e-9, abs=0)


def test_of_too_few_attempts_nothing_is_known() -> None:
    assert np.isnan(pass_at_k([1, 0], [1, 0], 2)).all() and np.isnan(pass_hat_k([1, 0], [1, 0], 2)).all()
    assert pass_at_k([], [], 1).shape == (0,)


@pytest.mark.parametrize(("n", "c", "k"), [([2], [1], 0), ([2], [3], 1), ([2], [-1], 1), ([2, 2], [1], 1)])
def test_impossible_counts_are_refused(n: list[int], c: list[int], k: int) -> None:
    with pytest.raises(ValueError, match="attempt"):
        pass_at_k(n, c, k)


@given(st.integers(-3, 5000))
def test_the_k_worth_telling_rise_from_one_to_the_most_and_stay_few(most: int) -> None:
    found = ks(most)
    assert found == sorted(set(found)) and len(found) <= 20
    assert (found[0], found[-1]) == (1, most) if most > 1 else not found
