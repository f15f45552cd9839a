"""How shapes become pixels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.trajectories.references.dice import Dice, shuffled
from easel_app.trajectories.references.raster import Canvas, Shape, coverage, linear
from easel_app.trajectories.references.shapes import SHAPES, disc, join, mirrored, place, rect, ribbon, ring

EIGHTHS = st.integers(0, 128 * 8)


def area(shape: Shape, size: int = 128) -> float:
    found = coverage(shape, size)
    return float(found[2].sum()) if found else 0.0


@given(EIGHTHS, EIGHTHS, EIGHTHS, EIGHTHS)
def test_a_rectangle_covers_exactly_its_area(a: int, b: int, c: int, d: int) -> None:
    left, right, top, bottom = min(a, b), max(a, b), min(c, d), max(c, d)
    shape = rect(left / 1024, top / 1024, right / 1024, bottom / 1024)
    assert area(shape) == pytest.approx((right - left) * (bottom - top) / 64, abs=1e-3)


def test_a_disc_covers_its_area_and_a_ring_has_a_hole() -> None:
    assert area(disc(0.5, 0.5, 0.4)) == pytest.approx(math.pi * (0.4 * 128) ** 2, rel=0.004)
    assert area(place(ring(0.5), 0.5, 0.5, 0.4)) == pytest.approx(math.pi * (0.4 * 128) ** 2 * 0.75, rel=0.004)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_that_is_mirrored_or_moved_by_whole_pixels_covers_the_same(name: str) -> None:
    shape = place(SHAPES[name](Dice(1)), 0.4, 0.5, 0.25, 0.3)
    whole = area(shape)
    assert 0.02 * 128**2 < whole < 0.25 * 128**2
    assert area(mirrored(shape)) == pytest.approx(whole, rel=1e-3)
    assert area([contour + np.array([8 / 128, -4 / 128]) for contour in shape]) == pytest.approx(whole, rel=1e-5)


def test_what_lies_outside_covers_nothing_and_what_crosses_the_border_is_cut() -> None:
    assert coverage(disc(2.0, 0.5, 0.4), 64) is None
    assert coverage([], 64) is None
    assert area(rect(0.2, 0.2, 0.2, 0.9)) == 0
    assert area(rect(-1.0, -1.0, 0.5, 2.0)) == pytest.approx(128 * 64)


def test_shapes_over_each_other_cover_no_pixel_twice() -> None:
    assert area(join([rect(0.1, 0.1, 0.6, 0.6), rect(0.3, 0.3, 0.5, 0.5)])) == pytest.approx((0.5 * 128) ** 2, rel=1e-3)


def test_a_ribbon_is_as_wide_as_it_is_asked_to_be() -> None:
    band = ribbon(np.array([(0.2, 0.5), (0.8, 0.5)]), 0.1)
    assert area(band) == pytest.approx((0.6 * 0.1 + math.pi * 0.05**2) * 128**2, rel=0.02)


def test_paint_is_laid_by_opacity_and_a_gradient_ends_at_its_colours() -> None:
    canvas = Canvas(16, (0, 0, 0))
    canvas.fill(rect(0, 0, 0.5, 1), (200, 100, 50), 0.5)
    pixels = canvas.bytes()
    assert pixels[3, 3].tolist() == [100, 50, 25]
    assert pixels[3, 12].tolist() == [0, 0, 0]
    across = Canvas(256, linear((0, 0), (1, 0), (0, 0, 0), (255, 0, 0))).bytes()[0, :, 0]
    assert (across[0], across[-1]) == (0, 255)
    assert (np.diff(across.astype(int)) >= 0).all()


@given(st.integers(0, 500), st.integers(0, 2**32))
def test_a_seeded_order_has_every_number_once(count: int, seed: int) -> None:
    order = shuffled(count, seed)
    assert sorted(order) == list(range(count))
    assert order == shuffled(count, seed)


def test_dice_fall_alike_for_ever() -> None:
    dice = Dice(7, "geometry", 3)
    assert [dice.whole(0, 99) for _ in range(6)] == [64, 36, 18, 84, 31, 16]
    assert list(shuffled(8, 1, "folder")) == [7, 3, 4, 1, 0, 6, 5, 2]


@given(st.integers(0, 10**6), st.integers(-5, 5), st.integers(0, 9))
def test_whole_numbers_and_choices_stay_within_their_limits(seed: int, low: int, more: int) -> None:
    dice = Dice(seed)
    assert low <= dice.whole(low, low + more) <= low + more
    assert dice.weighted({"a": 0.0, "b": 1.0}) == "b"
    assert len(set(dice.some(range(more + 1), more))) == more
