"""`outline/1`: what a drawing encloses, and what it scores, no more and no less."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.ndimage import binary_fill_holes

from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.renderer import render
from easel_app.scoring.ink import ink
from easel_app.scoring.outline import GAP, dice, enclosed

SIZES = (64, 128, 256, 512)
regions = arrays(np.bool_, (7, 9))
small = st.integers(1, 16).flatmap(lambda n: arrays(np.bool_, (n, n)))
drawings = small | small.map(lambda few: np.kron(few, np.ones((6, 6), np.bool_)))  # the larger with gaps to tolerate
radii = st.floats(0.0, 8.0)
few = settings(max_examples=60, deadline=None)


def drawn(paths: list[list[float]], size: int) -> np.ndarray:
    white = np.full((size, size, 3), 255, np.uint8)
    return ink(render(np.array([dressed(np.array(path)) for path in paths]), white), white)


def region(paths: list[list[float]], size: int) -> np.ndarray:
    return enclosed(drawn(paths, size), line_radius(size))


def line(x: float, y: float, to_x: float, to_y: float) -> list[float]:
    return [x, y, (x + to_x) / 2, (y + to_y) / 2, to_x, to_y]


def square(low: float, high: float, gap: float = 0.0, line_width: float = 0.0) -> list[list[float]]:
    """Four sides; the lower one is left open in the middle by `gap` canvas widths of blank paper."""
    half = (gap + line_width) / 2
    lower = (
        [line(low, high, high, high)]
        if not gap
        else [line(low, high, 0.5 - half, high), line(0.5 + half, high, high, high)]
    )
    return [line(low, low, high, low), line(low, low, low, high), line(high, low, high, high), *lower]


def square_mask(low: float, high: float, size: int) -> np.ndarray:
    middles = (np.arange(size) + 0.5) / size
    inside = (middles > low) & (middles < high)
    return inside[:, None] & inside


def round_about(radius: float, count: int = 12) -> list[list[float]]:
    """A circle round the middle of the canvas."""
    ends = np.linspace(0.0, 2.0 * np.pi, count + 1)
    out = []
    for a, b in pairwise(ends):
        reach, middle = radius / np.cos((b - a) / 2), (a + b) / 2
        points = [(radius, a), (reach, middle), (radius, b)]
        out.append([0.5 + part for r, angle in points for part in (r * np.cos(angle), r * np.sin(angle))])
    return out


def disc(radius: float, size: int) -> np.ndarray:
    middles = (np.arange(size) + 0.5) / size - 0.5
    return middles[:, None] ** 2 + middles**2 < radius**2


# the Dice coefficient


@given(regions, regions)
def test_dice_is_symmetric_and_lies_between_zero_and_one(a: np.ndarray, b: np.ndarray) -> None:
    assert dice(a, b) == dice(b, a)
    assert 0.0 <= dice(a, b) <= 1.0


@given(regions, regions)
def test_dice_is_one_for_equal_regions_and_for_no_others(a: np.ndarray, b: np.ndarray) -> None:
    assert (dice(a, b) == 1.0) == bool((a == b).all())
    assert dice(a, a) == 1.0


@given(regions, regions)
def test_dice_is_what_its_definition_says(a: np.ndarray, b: np.ndarray) -> None:
    both, total = sum((a & b).ravel().tolist()), sum(a.ravel().tolist()) + sum(b.ravel().tolist())
    assert dice(a, b) == (2 * both / total if total else 1.0)


def test_dice_refuses_regions_of_two_canvases_and_numbers() -> None:
    with pytest.raises(ValueError, match="one canvas"):
        dice(np.zeros((2, 2), bool), np.zeros((3, 3), bool))
    with pytest.raises(ValueError, match="must be boolean"):
        dice(np.zeros((2, 2), bool), np.zeros((2, 2), np.uint8))  # type: ignore[arg-type]


# what a drawing encloses


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("radius", [0.15, 0.3, 0.42])
def test_a_line_on_the_border_encloses_the_region_whatever_the_brush_is_wide(size: int, radius: float) -> None:
    found, target = region(round_about(radius), size), disc(radius, size)
    assert dice(found, target) >= 0.98
    assert abs(int(found.sum()) - int(target.sum())) <= 1.25 * np.pi * radius * size, (
        "off by more than 5/8 px all round"
    )


@pytest.mark.parametrize("size", SIZES)
def test_an_outline_traced_twice_counts_as_one_line(size: int) -> None:
    twice = round_about(0.30) + round_about(0.31)
    assert dice(region(twice, size), disc(0.305, size)) >= 0.97


@pytest.mark.parametrize("size", SIZES)
def test_a_gap_within_the_tolerance_still_encloses(size: int) -> None:
    shape = square(0.25, 0.75, gap=0.8 * GAP - 1.0 / size, line_width=2 * line_radius(size) / size)
    assert dice(region(shape, size), square_mask(0.25, 0.75, size)) >= 0.97


@pytest.mark.parametrize("size", SIZES)
def test_a_gap_beyond_the_tolerance_encloses_nothing(size: int) -> None:
    shape = square(0.25, 0.75, gap=1.3 * GAP + 2.0 / size, line_width=2 * line_radius(size) / size)
    assert np.array_equal(region(shape, size), drawn(shape, size))


@pytest.mark.parametrize("size", SIZES)
def test_an_open_scribble_encloses_only_itself(size: int) -> None:
    there = [line(0.1 + 0.2 * k, 0.2, 0.2 + 0.2 * k, 0.8) for k in range(4)]
    back = [line(0.2 + 0.2 * k, 0.8, 0.3 + 0.2 * k, 0.2) for k in range(4)]
    assert np.array_equal(region(there + back, size), drawn(there + back, size))
    half = [[0.2, 0.5, 0.5, -0.0, 0.8, 0.5]]
    assert np.array_equal(region(half, size), drawn(half, size))


@pytest.mark.parametrize("size", (128, 256, 512))
def test_paper_between_hatching_is_not_filled_by_the_tolerance(size: int) -> None:
    wide = 2 * line_radius(size) / size
    rows = np.arange(0.25, 0.75, wide + 0.6 * GAP)
    hatching = [line(0.25, float(y), 0.75, float(y)) for y in rows]
    assert np.array_equal(region(hatching, size), drawn(hatching, size))


def test_a_filled_shape_counts_as_it_was_filled() -> None:
    size = 256
    rows = np.arange(0.25, 0.75, 0.015)
    filled = [line(0.25, float(y), 0.75, float(y)) for y in rows]
    assert np.array_equal(region(filled, size), drawn(filled, size))


def test_marks_outside_an_outline_count_against_it_and_marks_inside_do_not() -> None:
    size, outline = 256, round_about(0.3)
    target = disc(0.3, size)
    assert dice(region([*outline, line(0.4, 0.5, 0.6, 0.5)], size), target) == dice(region(outline, size), target)
    assert (
        dice(region([*outline, line(0.02, 0.05, 0.98, 0.05)], size), target)
        < dice(region(outline, size), target) - 0.02
    )


def test_the_rim_of_the_canvas_is_no_wall() -> None:
    size = 128
    cut = [line(0.3, 1.0, 0.3, 0.4), line(0.3, 0.4, 0.7, 0.4), line(0.7, 0.4, 0.7, 1.0)]
    assert np.array_equal(region(cut, size), drawn(cut, size))
    closed = [*cut, line(0.3, 1.0, 0.7, 1.0)]
    assert region(closed, size)[100, 64]


@pytest.mark.parametrize("size", SIZES)
def test_tricks_score_what_dice_says_and_no_more(size: int) -> None:
    target = disc(0.3, size)
    share = float(target.mean())
    whole = np.ones((size, size), bool)
    assert np.array_equal(enclosed(whole, line_radius(size)), whole)
    assert dice(enclosed(whole, line_radius(size)), target) == pytest.approx(2 * share / (1 + share))
    box = region(square(0.0, 1.0), size)
    assert dice(box, target) == pytest.approx(2 * share / (1 + share), abs=0.02)
    assert dice(region([line(0.0, 0.05, 1.0, 0.05)], size), target) == 0.0
    ring = region(round_about(0.45), size)
    assert dice(ring, target) == pytest.approx(2 * 0.3**2 / (0.3**2 + 0.45**2), abs=0.02)


@given(drawings, radii)
@few
def test_what_no_way_leads_out_of_is_enclosed(drawing: np.ndarray, radius: float) -> None:
    holes = binary_fill_holes(drawing) & ~drawing
    assert (enclosed(drawing, radius) >= holes).all()


@given(drawings, radii, st.integers(0, 3), st.booleans())
@few
def test_turning_and_mirroring_a_drawing_turns_and_mirrors_its_region(
    drawing: np.ndarray, radius: float, turns: int, mirrored: bool
) -> None:
    def moved(picture: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(np.rot90(picture[:, ::-1] if mirrored else picture, turns))

    assert np.array_equal(enclosed(moved(drawing), radius), moved(enclosed(drawing, radius)))


@given(drawings, radii)
@few
def test_only_a_single_line_beside_enclosed_paper_is_given_up(drawing: np.ndarray, radius: float) -> None:
    found = enclosed(drawing, radius)
    paper = found & ~drawing
    if not paper.any():
        assert np.array_equal(found, drawing), "without enclosed paper there is no outline to thin"
    inside, outside = np.argwhere(paper), np.argwhere(~found & ~drawing)
    for pixel in np.argwhere(drawing & ~found):
        near, far = (np.sqrt(((some - pixel) ** 2).sum(1).min()) for some in (inside, outside))
        assert far < near and near + far <= 4.0 * radius + 1.5 + 1e-4


def test_a_region_is_told_without_changing_the_ink() -> None:
    drawing = drawn(round_about(0.3), 64)
    before = drawing.copy()
    enclosed(drawing, 1.0)
    assert np.array_equal(drawing, before)


def test_an_empty_canvas_encloses_nothing() -> None:
    assert not enclosed(np.zeros((64, 64), bool), 1.0).any()


@pytest.mark.parametrize("drawing", [np.zeros((2, 3), bool), np.zeros((4, 4), np.uint8), np.zeros(4, bool)])
def test_ink_of_another_kind_is_refused(drawing: np.ndarray) -> None:
    with pytest.raises(ValueError, match="must be boolean"):
        enclosed(drawing, 1.0)


@pytest.mark.parametrize("radius", [-1.0, float("nan"), float("inf")])
def test_a_radius_that_is_none_is_refused(radius: float) -> None:
    with pytest.raises(ValueError, match="at least 0 and finite"):
        enclosed(np.zeros((4, 4), bool), radius)
