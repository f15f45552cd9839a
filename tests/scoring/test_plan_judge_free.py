"""What plans are worth without a judge: lists of images against the plain table of edits, indices, failed calls."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.scoring import judge_free as module
from easel_app.scoring.judge_free import cited_images, edit_distance, invalid_rate, order_score, out_of_range
from easel_app.scoring.set_overlap import SetScore

lists = st.lists(st.integers(-1, 6), max_size=9)


def by_the_table(one: list[int], other: list[int]) -> int:
    """The edit distance as the textbook has it."""
    row = list(range(len(other) + 1))
    for i, first in enumerate(one, start=1):
        above, row = row, [i]
        for j, second in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (first != second)))
    return row[-1]


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@settings(max_examples=500)
@given(lists, lists)
def test_the_edit_distance_is_that_of_the_plain_table(one: list[int], other: list[int]) -> None:
    assert edit_distance(one, other) == by_the_table(one, other)


def test_so_it_is_beyond_one_machine_word() -> None:
    one, other = [k % 7 for k in range(300)], [k % 5 for k in range(211)]
    assert edit_distance(one, other) == by_the_table(one, other)


@given(lists, lists, lists)
def test_it_is_a_distance(one: list[int], other: list[int], third: list[int]) -> None:
    assert edit_distance(one, other) == edit_distance(other, one)
    assert (edit_distance(one, other) == 0) == (one == other)
    assert edit_distance(one, third) <= edit_distance(one, other) + edit_distance(other, third)
    assert edit_distance(one[::-1], other[::-1]) == edit_distance(one, other)


@given(lists, lists)
def test_an_order_score_lies_within_0_and_1_and_is_1_for_the_same_list_alone(one: list[int], other: list[int]) -> None:
    score = order_score(one, other)
    assert 0 <= score <= 1 and (score == 1) == (one == other)
    if one and other and not set(one) & set(other):
        assert score == 0


def test_a_set_in_another_order_is_the_same_set_but_not_the_same_list() -> None:
    found = cited_images([3, 1, 2], [1, 2, 3], pool_size=4)
    assert found.sets == SetScore(1.0, 1.0, 1.0) and found.order == pytest.approx(1 / 3)


def test_without_a_reference_there_is_neither_overlap_nor_order() -> None:
    found = cited_images([1, 1], None)
    assert (found.sets, found.order, found.duplicates, found.out_of_range) == (None, None, 1, None)


@pytest.mark.parametrize("base", [0, 1])
def test_the_base_decides_what_is_out_of_range(base: int) -> None:
    assert out_of_range([0, 1, 4, 5], 5, base) == 1
    assert out_of_range([base, base + 4], 5, base) == 0
    assert out_of_range([base - 1, base + 5, base + 5], 5, base) == 3


def test_in_an_empty_pool_everything_is_out_of_range_and_an_unknown_one_says_nothing() -> None:
    assert (out_of_range([0, 0, 1], 0), out_of_range([], 0), out_of_range([99], None)) == (3, 0, None)


@given(lists)
def test_each_citation_is_counted_once_as_new_or_as_a_repeat(cited: list[int]) -> None:
    assert cited_images(cited, []).duplicates == len(cited) - len(set(cited))


@pytest.mark.parametrize("index", [True, 1.0, "1", None, [1]])
def test_indices_that_are_no_whole_numbers_are_refused(index: Any) -> None:
    for arguments in (([0, index], []), ([], [index])):
        with pytest.raises(ValueError, match="indices of images must be whole numbers"):
            cited_images(*arguments)


@pytest.mark.parametrize("arguments", [(-1, 0), (2.0, 0), (True, 0), (3, "0"), (3, None)])
def test_pools_that_are_none_are_refused(arguments: Any) -> None:
    with pytest.raises(ValueError, match="the size of a pool and its base must be whole numbers"):
        out_of_range([0], *arguments)


def test_an_index_of_any_size_is_just_out_of_range() -> None:
    assert cited_images([10**4000, -(10**4000)], [0], pool_size=1).out_of_range == 2


def test_ten_thousand_citations_are_no_table_of_a_hundred_million_cells() -> None:
    assert edit_distance(list(range(10_000)), list(range(5_000, 15_000))) == 10_000


@given(st.lists(st.dictionaries(st.sampled_from(module.STATUSES), st.integers(0, 9))))
def test_the_invalid_rate_is_failed_calls_over_all(plans: list[dict[str, int]]) -> None:
    calls = sum(sum(plan.values()) for plan in plans)
    rate = invalid_rate(plans)
    assert rate == (sum(plan.get("failed", 0) for plan in plans) / calls if calls else None)


@pytest.mark.parametrize("statuses", [{"broken": 1}, {"failed": -1}, {"failed": 1.0}, {"strict": True}, {None: 1}])
def test_counts_of_calls_that_are_none_are_refused(statuses: Any) -> None:
    with pytest.raises(ValueError, match="calls are counted as strict, lenient, repaired, failed from 0"):
        invalid_rate([{}, statuses])
