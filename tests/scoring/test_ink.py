"""Ink: which pixels the brush covers by half or more, told from two pictures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from easel_app.engine import stroke_mask
from easel_app.painting.brush import dressed
from easel_app.painting.renderer import render
from easel_app.scoring import BRUSH_COLOUR
from easel_app.scoring.ink import ink

SIZE = 32
paths = st.tuples(*[st.floats(0.0, 1.0)] * 6).map(np.array)
pictures = arrays(np.uint8, (SIZE, SIZE, 3))
few = settings(max_examples=60, deadline=None)


def away(start: np.ndarray) -> np.ndarray:
    """How far each pixel is from the brush's colour, summed over the channels."""
    return np.abs(start.astype(int) - np.array(BRUSH_COLOUR)).sum(-1)


@given(paths, pictures)
@few
def test_ink_is_where_the_stroke_covers_half_a_pixel_on_any_picture(path: np.ndarray, start: np.ndarray) -> None:
    stroke = dressed(path)
    patch = stroke_mask(stroke, SIZE)
    alpha = np.zeros((SIZE, SIZE), int)
    alpha[patch.top : patch.top + patch.alpha.shape[0], patch.left : patch.left + patch.alpha.shape[1]] = patch.alpha
    found, distance = ink(render(stroke[None], start), start), away(start)
    # each channel is rounded to a byte, which shifts the share by no more than 1.5 of the distance
    unsure = 2.0 * 255.0 * 1.5 / np.maximum(distance, 1)
    assert found[(alpha >= 127.5 + unsure) & (distance > 0)].all()
    assert not found[alpha <= 127.5 - unsure].any()


@given(pictures)
@few
def test_an_untouched_canvas_has_no_ink(start: np.ndarray) -> None:
    assert not ink(start, start).any()


@given(st.lists(paths, min_size=1, max_size=4), paths, pictures)
@few
def test_painting_never_takes_ink_away(before: list[np.ndarray], path: np.ndarray, start: np.ndarray) -> None:
    canvas = render(np.array([dressed(one) for one in before]), start)
    assert (ink(render(dressed(path)[None], canvas), start) >= ink(canvas, start)).all()


@given(paths, paths, pictures)
@few
def test_ink_of_two_strokes_holds_the_ink_of_each(a: np.ndarray, b: np.ndarray, start: np.ndarray) -> None:
    assume(not np.array_equal(a, b))
    both = ink(render(np.array([dressed(a), dressed(b)]), start), start)
    for path in (a, b):
        assert (both >= ink(render(dressed(path)[None], start), start)).all()


def test_a_pixel_of_the_brush_colour_can_never_be_inked() -> None:
    start = np.full((SIZE, SIZE, 3), BRUSH_COLOUR, np.uint8)
    assert not ink(render(dressed(np.full(6, 0.5))[None], start), start).any()


def test_pictures_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="give two of one task"):
        ink(np.zeros((4, 4, 3), np.uint8), np.zeros((5, 5, 3), np.uint8))
