"""The two scores of a reading: what they are worth, and the laws that they keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring.handwriting import METRIC, alignment, positional_match

words = st.text("abchelo", min_size=1, max_size=8)
readings = st.text("abchelo#", max_size=8)


def test_the_metric_has_a_name_and_a_version() -> None:
    assert METRIC == "handwriting/1"


@pytest.mark.parametrize(
    ("letters", "score"),
    [
        ("hello", 1.0),
        ("hullo", 0.8),
        ("olleh", 0.2),
        ("", 0.0),
        ("h#llo", 0.8),
        ("hell", 0.8),
        ("helloo", 5 / 6),
        ("hiello", 1 / 6 + 1 / 6),
        ("xxxxx", 0.0),
    ],
)
def test_the_match_counts_places_over_the_longer_word(letters: str, score: float) -> None:
    assert positional_match(letters, "hello") == pytest.approx(score)


@pytest.mark.parametrize(
    ("letters", "score"),
    [("hello", 1.0), ("hiello", 5 / 6), ("helo", 0.8), ("olleh", 0.2), ("", 0.0), ("h#llo", 0.8), ("xy", 0.0)],
)
def test_the_alignment_forgives_a_shift(letters: str, score: float) -> None:
    assert alignment(letters, "hello") == pytest.approx(score)


def test_an_unknown_glyph_matches_nothing_not_even_itself() -> None:
    assert positional_match("#", "#") == 0
    assert alignment("#", "#") == 0


@pytest.mark.parametrize("measure", [positional_match, alignment])
def test_a_target_without_letters_is_refused(measure: object) -> None:
    with pytest.raises(ValueError, match="at least one letter"):
        measure("hello", "")  # type: ignore[operator]


@given(readings, words)
def test_both_lie_between_0_and_1_and_the_alignment_is_never_below_the_match(letters: str, target: str) -> None:
    match, aligned = positional_match(letters, target), alignment(letters, target)
    assert 0 <= match <= 1
    assert 0 <= aligned <= 1
    assert aligned >= match - 1e-12  # keeping every place is one way to align


@given(words, words)
def test_only_the_word_itself_scores_1(letters: str, target: str) -> None:
    assert (positional_match(letters, target) == 1) == (letters == target)
    assert (alignment(letters, target) == 1) == (letters == target)


@given(words, words)
def test_neither_cares_which_of_two_words_is_the_target(a: str, b: str) -> None:
    assert positional_match(a, b) == positional_match(b, a)
    assert alignment(a, b) == pytest.approx(alignment(b, a))


@given(words, st.integers(0, 7), st.sampled_from("abchelo"))
def test_one_surplus_letter_costs_one_edit_at_most(word: str, place: int, letter: str) -> None:
    longer = word[:place] + letter + word[place:]
    assert alignment(longer, word) == pytest.approx(len(word) / len(longer))
