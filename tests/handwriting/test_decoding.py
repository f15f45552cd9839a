"""What two readers agree on, held against counting all alignments by hand."""

from __future__ import annotations

from itertools import groupby, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.handwriting.decoding import SPLICES, decode, likelihoods, spans, splices
from easel_app.handwriting.network import ALPHABET


def signs(*rows: str) -> np.ndarray:
    """Chances that are sure of one sign a step."""
    return np.eye(len(ALPHABET), dtype=np.float32)[[ALPHABET.index(row) for row in rows]]


def chance(seed: int, steps: int, letters: str = "-ab") -> np.ndarray:
    """Chances of few letters, so that all alignments can be counted."""
    found = np.zeros((steps, len(ALPHABET)), np.float32)
    found[:, [ALPHABET.index(letter) for letter in letters]] = np.random.default_rng(seed).dirichlet(
        np.ones(len(letters)), steps
    )
    return found


@pytest.mark.parametrize(
    ("steps", "word"),
    [("-", ""), ("a", "a"), ("aa", "a"), ("a-a", "aa"), ("-h-ee-l-llo--", "hello"), ("##-#", "##"), ("ab", "ab")],
)
def test_repeats_are_joined_and_blanks_part_them(steps: str, word: str) -> None:
    assert decode(signs(*steps)) == word


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_a_likelihood_is_the_sum_over_all_alignments(seed: int, steps: int) -> None:
    rows = chance(seed, steps)
    counted: dict[str, float] = {}
    for path in product("-ab", repeat=steps):
        word = "".join(sign for sign, _ in groupby(path) if sign != "-")
        likely = np.prod([float(rows[i, ALPHABET.index(sign)]) for i, sign in enumerate(path)])
        counted[word] = counted.get(word, 0.0) + float(likely)
    words = sorted(counted)
    assert np.exp(likelihoods(rows, words)) == pytest.approx([counted[word] for word in words], rel=1e-3, abs=1e-5)


def test_a_word_that_is_too_long_is_as_good_as_impossible() -> None:
    fits, long = likelihoods(signs("a", "-"), ["a", "abab"])
    assert long < -1e20 < fits


@given(st.text("abc#", max_size=7), st.text("abc#", max_size=7))
def test_splices_hold_both_words_each_once_and_are_few(one: str, other: str) -> None:
    found = splices(one, other)
    assert {one, other} <= set(found)
    assert len(found) == len(set(found)) <= SPLICES + 2
    assert found == sorted(found)
    assert all(len(word) <= len(one) + len(other) for word in found)


def test_a_splice_takes_the_best_of_both() -> None:
    assert "hello" in splices("hillo", "hella")


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 12), st.text("ab", max_size=6))
def test_spans_are_in_order_and_apart(seed: int, steps: int, word: str) -> None:
    if len(word) + sum(a == b for a, b in pairwise(word)) > steps:
        word = word[:1]
    found = spans(chance(seed, steps), word)
    assert len(found) == len(word)
    for start, end in found:
        assert 0 <= start < end <= steps
    for (_, end), (start, _) in pairwise(found):
        assert end <= start


def test_spans_find_where_each_letter_is() -> None:
    assert spans(signs(*"-hh-e-"), "he") == [(1, 3), (4, 5)]


def test_a_word_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        spans(signs("a"), "ab")
