"""Drawing by exact arithmetic: borders, noise and bytes are what they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.painting.families.drawing import chance, coverage, direction, grid, noise, over, smooth, to_bytes

unit = st.floats(0.0, 1.0)


@given(st.floats(0.2, 0.8), st.floats(1e-3, 1e3))
def test_a_straight_border_covers_pixels_by_their_share_whatever_the_field_s_scale(at: float, scale: float) -> None:
    x, _ = grid(32)
    exact = np.clip(32 * at - np.arange(32), 0.0, 1.0)
    assert coverage(scale * (x - at)) == pytest.approx(np.broadcast_to(exact, (32, 32)), abs=1e-9)


@given(st.floats(0.15, 0.4))
def test_a_disc_covers_its_area(radius: float) -> None:
    x, y = grid(64)
    covered = coverage(np.sqrt((x - 0.5) ** 2 + (y - 0.5) ** 2) - radius).mean()
    assert covered == pytest.approx(np.pi * radius**2, rel=0.01)


def test_a_field_without_a_border_covers_all_or_nothing() -> None:
    assert (coverage(np.full((4, 4), -1.0)) == 1.0).all() and (coverage(np.full((4, 4), 1.0)) == 0.0).all()


@given(st.integers(0, 2**31 - 1), st.integers(1, 9), st.integers(1, 9))
def test_noise_lies_between_zero_and_one_and_repeats(seed: int, columns: int, rows: int) -> None:
    x, y = grid(16)
    once = noise(chance(64, seed, (64,)), x, y, columns, rows)
    assert once.min() >= 0.0 and once.max() <= 1.0
    assert noise(chance(64, seed, (64,)), x + 1.0, y + 2.0, columns, rows) == pytest.approx(once)


@given(st.floats(-1.0, 1.0))
def test_a_direction_is_one_long_and_turns_by_twice_the_angle(tilt: float) -> None:
    assert direction(tilt) == pytest.approx((np.cos(2 * np.arctan(tilt)), np.sin(2 * np.arctan(tilt))))


def test_a_step_is_smooth_and_ends_where_it_says() -> None:
    values = smooth(np.linspace(-1.0, 2.0, 301), 0.0, 1.0)
    assert (values[:101] == 0.0).all() and (values[200:] == 1.0).all() and (np.diff(values) >= 0.0).all()
    assert values[150] == pytest.approx(0.5)


@given(unit, unit, unit)
def test_a_colour_is_laid_over_by_its_share(before: float, colour: float, share: float) -> None:
    picture = np.full((2, 2, 3), before)
    over(picture, (colour, colour, colour), share)
    assert picture == pytest.approx(np.full((2, 2, 3), before + (colour - before) * share))


def test_bytes_are_rounded_and_cut_off() -> None:
    assert to_bytes(np.array([-1.0, 0.0, 0.5 / 255, 0.49 / 255, 1.0, 7.0])).tolist() == [0, 0, 1, 0, 255, 255]
