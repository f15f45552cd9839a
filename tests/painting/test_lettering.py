"""The stroke font: any word on one line, in few strokes, inside the canvas."""

from __future__ import annotations

import string
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import label

from easel_app.painting.brush import dressed
from easel_app.painting.lettering import LEAST_GAP, LETTERS, MARGIN, write
from easel_app.painting.renderer import render
from easel_app.scoring.ink import ink

words = st.text(string.ascii_lowercase, min_size=1, max_size=12)


def along(points: np.ndarray) -> np.ndarray:
    """Places on curves (k, 3, 2)."""
    t = np.linspace(0.0, 1.0, 17)[:, None, None]
    return ((1 - t) ** 2 * points[:, 0] + 2 * t * (1 - t) * points[:, 1] + t**2 * points[:, 2]).reshape(-1, 2)


def drawn(word: str, size: int) -> np.ndarray:
    white = np.full((size, size, 3), 255, np.uint8)
    return ink(render(np.array([dressed(path) for path in write(word)]), white), white)


@given(words)
def test_a_word_of_up_to_twelve_letters_takes_at_most_ten_strokes_a_letter_inside_the_margins(word: str) -> None:
    paths = write(word)
    assert all(path.shape == (6,) and path.dtype == np.float64 for path in paths)
    assert len(paths) == sum(len(LETTERS[letter]) for letter in word) <= min(128, 10 * len(word))
    places = along(np.array(paths).reshape(-1, 3, 2))
    assert places.min() >= MARGIN - 2e-3 and places.max() <= 1 - MARGIN + 2e-3
    assert np.array(paths).min() >= 0.0 and np.array(paths).max() <= 1.0


@given(words)
def test_a_word_stands_in_the_middle_and_no_letter_meets_the_next(word: str) -> None:
    points = np.array(write(word)).reshape(-1, 3, 2)
    places = along(points)
    assert (places.min(0) + places.max(0)) / 2 == pytest.approx([0.5, 0.5], abs=2e-3)
    counts = np.cumsum([0, *(len(LETTERS[letter]) for letter in word)])
    letters = [along(points[a:b])[:, 0] for a, b in pairwise(counts)]
    for before, after in pairwise(letters):
        assert after.min() - before.max() >= LEAST_GAP - 2e-3


def test_there_is_a_letter_for_a_to_z_and_no_two_are_alike() -> None:
    assert sorted(LETTERS) == list(string.ascii_lowercase)
    pictures = {drawn(letter, 64).tobytes() for letter in LETTERS}
    assert len(pictures) == 26


@pytest.mark.parametrize("letter", string.ascii_lowercase)
def test_a_letter_is_in_one_piece_but_for_the_dots(letter: str) -> None:
    assert label(drawn(letter, 256), np.ones((3, 3)))[1] == (2 if letter in "ij" else 1)


@pytest.mark.parametrize("letter", string.ascii_lowercase)
def test_only_letters_with_a_bowl_have_a_hole(letter: str) -> None:
    paper = label(~drawn(letter, 256))[1] - 1
    assert paper == (1 if letter in "abdegopq" else 0)


@pytest.mark.parametrize("size", [128, 256, 512])
def test_letters_of_a_word_do_not_touch_up_to_seven_letters(size: int) -> None:
    for word in ("hello", "balloon", "mmmmmmm", "wwwwwww", "qgqgqgq", "kxkxkxk", "fjfjfjf"):
        dots = sum(letter in "ij" for letter in word)
        assert label(drawn(word, size), np.ones((3, 3)))[1] == len(word) + dots, word


def test_strokes_come_letter_by_letter_from_left_to_right() -> None:
    points = np.array(write("hill")).reshape(-1, 3, 2)
    counts = np.cumsum([0, *(len(LETTERS[letter]) for letter in "hill")])
    lefts = [along(points[a:b])[:, 0].min() for a, b in pairwise(counts)]
    assert lefts == sorted(lefts)


@pytest.mark.parametrize("word", ["", "thirteenlette", "Hello", "two words", "é", "a1", "\n"])
def test_what_is_no_word_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="cannot be written: give 1 to 12 letters"):
        write(word)
