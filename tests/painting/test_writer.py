"""The writer: what it writes can be read, whatever the word, and it goes on from any canvas."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.handwriting import read
from easel_app.painting.brush import dressed
from easel_app.painting.families.handwriting import BUDGET, draft, word
from easel_app.painting.lettering import write
from easel_app.painting.painters.scripted.writer import WriterPainter
from easel_app.painting.renderer import render
from easel_app.painting.truth import HandwritingTruth
from easel_app.scoring.handwriting import positional_match

Picture = np.ndarray
words = st.text(string.ascii_lowercase, min_size=1, max_size=12)
few = settings(max_examples=15, deadline=None)


def writer(text: str, size: int = 256) -> WriterPainter:
    return WriterPainter("writer/1", HandwritingTruth(text), size, BUDGET, seed=0)


def blank(size: int = 256) -> Picture:
    return np.full((size, size, 3), 255, np.uint8)


def play(painter: WriterPainter, canvas: Picture) -> tuple[Picture, list[np.ndarray]]:
    """Let it write until it is done."""
    paths: list[np.ndarray] = []
    while (path := painter.next(canvas, len(paths))) is not None:
        assert len(paths) < BUDGET, "the budget is spent"
        paths.append(path)
        canvas = render(dressed(path)[None], canvas)
    return canvas, paths


@pytest.mark.parametrize("size", [128, 256, 512])
def test_its_hello_scores_one(size: int) -> None:
    canvas, _ = play(writer("hello", size), blank(size))
    assert positional_match(read(canvas).letters, "hello") == 1.0


def test_words_of_the_family_are_read_as_they_are_english_or_not() -> None:
    seeds = range(24)
    scores = []
    for seed in seeds:
        made = draft((128, 256, 512)[seed % 3], seed)
        canvas, _ = play(writer(word(seed), made.picture.shape[0]), made.picture)
        scores.append(positional_match(read(canvas).letters, word(seed)))
    assert np.mean(scores[0::2]) >= 0.97 and np.mean(scores[1::2]) >= 0.97


@given(words, st.sampled_from([64, 128, 256]))
@few
def test_any_word_is_written_once_within_the_budget(text: str, size: int) -> None:
    canvas, paths = play(writer(text, size), blank(size))
    plan = write(text)
    assert len(paths) <= len(plan)
    assert np.array_equal(canvas, render(np.array([dressed(path) for path in paths]), blank(size)))
    assert writer(text, size).next(canvas, 0) is None


@given(words, st.integers(0, 2**32 - 1))
@few
def test_a_stroke_is_a_pure_function_of_the_canvas(text: str, chance: int) -> None:
    rng = np.random.default_rng(chance)
    plan = write(text)
    some = [path for path in plan if rng.random() < 0.5]
    canvas = render(np.array([dressed(path) for path in some]), blank()) if some else blank()
    path, again = writer(text).next(canvas, 3), writer(text).next(canvas, 90)
    assert (path is None and again is None) or (path is not None and again is not None and np.array_equal(path, again))
    assert path is None or not any(np.array_equal(path, one) for one in some), "that stroke is there"


def test_it_goes_on_where_another_hand_stopped() -> None:
    plan = write("hello")
    canvas = render(np.array([dressed(path) for path in plan[:10]]), blank())
    path = writer("hello").next(canvas, 10)
    assert path is not None and np.array_equal(path, plan[10])


def test_its_name_is_as_it_was_told() -> None:
    assert writer("hi").name == "writer/1"


def test_a_word_that_cannot_be_written_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        writer("Straße")
