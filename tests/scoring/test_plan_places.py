"""Where two raters miss a picture: the most pairs of places, and the shares taken of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from easel_app.scoring.gap_pairing import paired_places, pairing

PLACES = st.lists(st.integers(0, 12), max_size=8)


@given(PLACES, PLACES, st.integers(0, 3))
def test_no_other_choice_of_pairs_makes_more_of_them(one: list[int], other: list[int], tolerance: int) -> None:
    near = np.abs(np.subtract.outer(np.array(one, int), np.array(other, int))) <= tolerance
    most = near[linear_sum_assignment(-near.astype(int))].sum() if near.size else 0
    assert paired_places(one, other, tolerance) == most


@given(PLACES, PLACES)
def test_a_tolerance_never_takes_a_pair_away_and_the_two_raters_may_be_exchanged(a: list[int], b: list[int]) -> None:
    found = [paired_places(a, b, tolerance) for tolerance in range(4)]
    assert found == sorted(found) == [paired_places(b, a, tolerance) for tolerance in range(4)]
    assert paired_places(a, a, 0) == len(a) and found[-1] <= min(len(a), len(b))


def test_shares_are_of_pooled_counts_with_their_own_n() -> None:
    found = pairing([0, 0, 1], [([1, 2], [2]), ([], [5]), ([3], [4])], 1)
    assert (found.paired, found.first_only, found.second_only) == (2, 1, 1)
    assert found.precision.value == pytest.approx(2 / 3) and found.precision.n == 3
    assert found.recall.value == pytest.approx(2 / 3) and found.recall.n == 3
    assert found.f1.value == pytest.approx(4 / 6) and found.f1.n == 6
    assert (found.comparisons, found.clusters) == (3, 2)


def test_between_two_people_neither_is_the_truth_so_the_three_shares_are_one() -> None:
    lists = [([1, 2], [2]), ([4], [9]), ([], [])]
    found = pairing([0, 1, 2], lists, both_ways=True)
    exchanged = pairing([0, 1, 2], [(b, a) for a, b in lists], both_ways=True)
    assert found.precision == found.recall == found.f1
    assert found.f1.value == pytest.approx(2 * 1 / 5) and found.f1.n == 5
    assert (exchanged.f1, exchanged.first_only, exchanged.second_only) == (found.f1, 1, 2)


def test_what_nobody_misses_has_no_share_rather_than_a_perfect_one() -> None:
    found = pairing([0, 1], [([], []), ([], [3])])
    assert found.precision.value is None and found.recall.value == 0
    nothing = pairing([], [])
    assert nothing.f1.value is None and nothing.comparisons == nothing.clusters == 0


def test_what_is_no_comparison_is_refused() -> None:
    with pytest.raises(ValueError, match="2 comparisons need a cluster each"):
        pairing([0], [([], []), ([], [])])
    with pytest.raises(ValueError, match="0 or more"):
        paired_places([1], [1], -1)
