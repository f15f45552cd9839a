"""The family of words: blank canvases, half English and half chance."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.painting.families.handwriting import LETTERS, SIZES, WORDS, draft, word
from easel_app.painting.truth import HandwritingTruth

seeds = st.integers(0, 2**31 - 1)


@given(st.sampled_from(SIZES), seeds)
def test_a_draft_is_a_blank_canvas_and_a_word_that_the_instruction_names(size: int, seed: int) -> None:
    made = draft(size, seed)
    assert made.picture.shape == (size, size, 3) and made.picture.dtype == np.uint8 and (made.picture == 255).all()
    assert made.truth == HandwritingTruth(word(seed))
    assert made.instruction == f'Write the word "{word(seed)}" in lower-case letters, from left to right.'
    assert made.budget == 128 and made.title == f"Word {seed}"


@given(seeds)
def test_words_have_three_to_seven_letters_a_to_z(seed: int) -> None:
    assert 3 <= len(word(seed)) <= 7 and set(word(seed)) <= set(LETTERS)
    assert word(seed) == word(seed)


def test_even_seeds_give_every_word_of_the_list_and_odd_ones_letters_by_chance() -> None:
    assert {word(seed) for seed in range(0, 2000, 2)} == set(WORDS)
    by_chance = [word(seed) for seed in range(1, 2001, 2)]
    assert len(set(by_chance)) >= 950, "strings by chance hardly repeat"
    assert len(set(by_chance) & set(WORDS)) <= 5
    assert set(Counter(map(len, by_chance))) == {3, 4, 5, 6, 7}


def test_each_letter_is_as_likely_by_chance() -> None:
    counts = Counter("".join(word(seed) for seed in range(1, 8001, 2)))
    total = sum(counts.values())
    spread = 5 * np.sqrt(total / 26)
    assert all(abs(counts[letter] - total / 26) <= spread for letter in LETTERS)


def test_the_list_has_at_least_sixty_words_each_once_and_every_letter() -> None:
    assert len(WORDS) == len(set(WORDS)) >= 60
    assert set("".join(WORDS)) == set(LETTERS)


def test_seeds_keep_their_words() -> None:
    assert [word(seed) for seed in (0, 1, 2, 7, 2**31 - 1)] == ["quiver", "ntyad", "number", "qrxpuvf", "hfynlxq"]


@pytest.mark.parametrize("size", [64, 100, 0])
def test_a_size_that_is_too_small_to_read_or_none_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="choose one of 128, 256, 512"):
        draft(size, 1)


@pytest.mark.parametrize("seed", [-1, 2**31])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="choose another"):
        draft(128, seed)
