from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from benchmarks.strokes import KINDS
from easel_app.engine import RENDERER, StepEngine, stroke_mask
from easel_app.engine.discs import OPACITY, RADIUS, X, Y, lay_discs, most_discs
from easel_app.engine.mask import LARGEST
from easel_app.engine.stroke import FIELDS
from tests.engine import rule

Vector = NDArray[np.float64]
MIDDLE = np.array([0.25, 0.25, 0.5, 0.75, 0.75, 0.25, 0.2, 1.0, 0.1, 0.5, 0.1, 0.5, 0.9])
unit = st.floats(0.0, 1.0)
numbers = st.lists(unit, min_size=13, max_size=13).map(np.array)


@njit(error_model="numpy")
def _lay(stroke: Vector, size: int, discs: Vector) -> int:
    return lay_discs(stroke, size, discs)


def laid(stroke: Vector, size: int) -> Vector:
    discs = np.zeros((4, most_discs(size)))
    return discs[:, : _lay(stroke, size, discs)]


def changed(stroke: Vector, **values: float) -> Vector:
    out = stroke.copy()
    for name, value in values.items():
        out[FIELDS.index(name)] = value
    return out


@pytest.mark.parametrize("size", [1, 2, 14, 33, 64])
@pytest.mark.parametrize("kind", ["painting", "random", "corner"])
def test_kernel_follows_the_rule_byte_for_byte(size: int, kind: str) -> None:
    strokes = rule.corner_strokes(24, size) if kind == "corner" else KINDS[kind](24, size, seed=size)
    for stroke in strokes:
        assert (rule.whole(stroke_mask(stroke, size), size) == rule.mask(stroke, size)).all()


@settings(max_examples=60, deadline=None)
@given(stroke=numbers, size=st.integers(1, 24))
def test_any_stroke_follows_the_rule(stroke: Vector, size: int) -> None:
    assert (rule.whole(stroke_mask(stroke, size), size) == rule.mask(stroke, size)).all()


@settings(max_examples=200, deadline=None)
@given(stroke=numbers, size=st.sampled_from([1, 14, 128, 512]))
def test_discs_lie_no_farther_apart_than_the_rule_allows(stroke: Vector, size: int) -> None:
    discs = laid(stroke, size)
    steps = np.abs(np.diff(discs))
    assert discs[[X, Y], 0].tolist() == [stroke[0] * size, stroke[1] * size]
    assert discs[[X, Y], -1].tolist() == [stroke[4] * size, stroke[5] * size]
    assert (np.hypot(steps[X], steps[Y]) <= np.sqrt(0.4 * discs[RADIUS, :-1]) + 1e-9).all()
    assert (steps[OPACITY] <= 1 / 64 + 1e-9).all()
    assert (steps[RADIUS] <= 0.5 + 1e-9).all()
    assert discs.shape[1] >= 9  # at most 1/8 apart in t


@pytest.mark.parametrize("size", [1, 14, 128, 512])
def test_discs_fit_in_their_memory_with_room_to_spare(size: int) -> None:
    there_and_back = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    across = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    thin, growing, fading = [0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]
    for path in (there_and_back, across):
        for brush in (thin, growing, fading):
            assert laid(np.array([*path, *brush, 0.0, 0.0, 0.0]), size).shape[1] < most_discs(size)


def test_a_stroke_at_rest_is_a_disc() -> None:
    dot = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 1.0, 0.25, 1.0, 0.0, 0.0, 0.0])
    alpha = rule.whole(stroke_mask(dot, 64), 64)
    assert (alpha == alpha[::-1]).all() and (alpha == alpha[:, ::-1]).all() and (alpha == alpha.T).all()
    assert alpha.sum() / 255 == pytest.approx(np.pi * 4.5**2, rel=0.01)  # 0.5 + 0.25 * 64 / 4 px


def test_opacity_bounds_the_mask() -> None:
    for opacity in (0.0, 0.3, 1.0):
        alpha = stroke_mask(changed(MIDDLE, opacity_start=opacity, opacity_end=opacity), 64).alpha
        assert alpha.max(initial=0) == np.floor(255 * opacity + 0.5)


def test_the_patch_is_tight_and_contiguous() -> None:
    for stroke in [*KINDS["painting"](40, 64), *KINDS["random"](40, 64)]:
        alpha, top, left = stroke_mask(stroke, 64)
        assert alpha.flags.c_contiguous and alpha.dtype == np.uint8
        assert alpha[0].any() and alpha[-1].any() and alpha[:, 0].any() and alpha[:, -1].any()
        assert 0 <= top <= 64 - alpha.shape[0] and 0 <= left <= 64 - alpha.shape[1]


def test_an_invisible_stroke_has_an_empty_patch() -> None:
    patch = stroke_mask(changed(MIDDLE, opacity_start=0.0, opacity_end=0.0), 64)
    assert (patch.alpha.shape, patch.top, patch.left) == ((0, 0), 0, 0)


def test_the_engine_hands_out_the_same_mask() -> None:
    engine = StepEngine(np.zeros((48, 48, 3), np.uint8))
    assert engine.mask.alpha.shape == (0, 0)
    for stroke in [*KINDS["random"](20, 48), *rule.corner_strokes(20)]:
        engine.step(stroke)
        got, want = engine.mask, stroke_mask(stroke, 48)
        assert got.alpha.tobytes() == want.alpha.tobytes() and got[1:] == want[1:]
        assert got.alpha.shape == want.alpha.shape and got.alpha.flags.c_contiguous


GOLDEN = {
    ("painting", 64): "fdf63e12ef1967d8e1785370bf594d2578d831bed404027687f936aff313ea98",
    ("painting", 128): "bb2e978adebc79af92e6e8f1eb5fb3100ee03a3cc9054a1ba68d341ed4a086d0",
    ("random", 64): "9843c42a2633b10f33d3b2a9904153b0418b14c8008d142da67c8c9d22403561",
    ("random", 128): "5fc7b7470aae22f4444b7dd4f969e4346642dca2db4ed954784c1dc2dc2b3619",
}


@pytest.mark.parametrize(("kind", "size"), GOLDEN)
def test_no_pixel_of_brush_1_ever_changes(kind: str, size: int) -> None:
    digest = hashlib.sha256()
    for stroke in KINDS[kind](20, size, seed=7):
        alpha, top, left = stroke_mask(stroke, size)
        digest.update(np.array([top, left, *alpha.shape], np.int64).tobytes() + alpha.tobytes())
    assert RENDERER == "brush/1"
    assert digest.hexdigest() == GOLDEN[kind, size]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"x_start": float("nan")}, "x_start is nan"),
        ({"radius_end": 1.0001}, "radius_end is 1.0001"),
        ({"blue": -1e-9}, "blue is -1e-09"),
        ({"y_control": float("inf")}, "y_control is inf"),
    ],
)
def test_numbers_out_of_range_are_refused_by_name(wrong: dict[str, float], said: str) -> None:
    engine = StepEngine(np.zeros((16, 16, 3), np.uint8))
    before, score = engine.canvas.copy(), engine.scores()
    for paint in (engine.step, lambda stroke: stroke_mask(stroke, 16)):
        with pytest.raises(ValueError, match=said):
            paint(changed(MIDDLE, **wrong))
    assert (engine.canvas == before).all() and engine.scores() == score


@pytest.mark.parametrize("stroke", [0.5, [0.5], [0.5] * 12, [0.5] * 14, np.full((1, 13), 0.5)])
def test_anything_but_13_numbers_is_refused(stroke: Any) -> None:
    engine = StepEngine(np.zeros((16, 16, 3), np.uint8))
    for paint in (engine.step, lambda stroke: stroke_mask(stroke, 16)):
        with pytest.raises(ValueError, match="13 numbers"):
            paint(stroke)


def test_any_array_of_13_numbers_will_do() -> None:
    wanted = stroke_mask(MIDDLE, 32).alpha
    read_only = MIDDLE.copy()
    read_only.flags.writeable = False
    spaced = np.repeat(MIDDLE, 2)[::2]
    for stroke in (MIDDLE.tolist(), read_only, spaced):
        assert (stroke_mask(stroke, 32).alpha == wanted).all()
        engine = StepEngine(np.zeros((32, 32, 3), np.uint8))
        engine.step(stroke)
        assert (engine.mask.alpha == wanted).all()


@pytest.mark.parametrize("size", [0, -1, LARGEST + 1])
def test_sizes_out_of_reach_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="choose a size"):
        stroke_mask(MIDDLE, size)
