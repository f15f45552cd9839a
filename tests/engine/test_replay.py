"""Replay paints the bytes that the step engine paints, and refuses what that refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from easel_app.engine import Replayer, StepEngine

STROKES = arrays.arrays(np.float64, st.tuples(st.integers(0, 6), st.just(13)), elements=st.floats(0.0, 1.0))


@given(STROKES, st.sampled_from([7, 33, 64]))
@settings(max_examples=60, deadline=None)
def test_the_bytes_are_those_of_the_step_engine(strokes: np.ndarray, size: int) -> None:
    engine, replayer = StepEngine(np.full((size, size, 3), 90, np.uint8)), Replayer(size)
    for stroke in strokes:
        engine.step(stroke)
    replayer.paint(strokes)
    assert np.array_equal(replayer.canvas, engine.canvas)


def test_in_parts_or_at_once_is_the_same() -> None:
    strokes = np.random.default_rng(0).random((20, 13))
    whole, parts = Replayer(64), Replayer(64)
    whole.paint(strokes)
    for some in np.split(strokes, [3, 3, 11]):
        parts.paint(some)
    assert np.array_equal(whole.canvas, parts.canvas)


@pytest.mark.parametrize(
    ("strokes", "words"),
    [
        (np.zeros(13), r"give \(n, 13\)"),
        (np.zeros((2, 12)), r"give \(n, 13\)"),
        (np.vstack([np.zeros(13), np.full(13, 1.01)]), "x_start is 1.01"),
        (np.vstack([np.zeros(13), np.full(13, np.nan)]), "x_start is nan"),
    ],
)
def test_what_is_no_stroke_is_refused_and_nothing_is_painted(strokes: np.ndarray, words: str) -> None:
    replayer = Replayer(32)
    with pytest.raises(ValueError, match=words):
        replayer.paint(strokes)
    assert (replayer.canvas == 255).all()


@pytest.mark.parametrize("size", [0, -1, 2049])
def test_a_size_that_there_is_not_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="choose a size in between"):
        Replayer(size)
