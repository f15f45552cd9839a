from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from easel_app.painting.brush import line_radius
from easel_app.painting.families.maze import SIZES, draft
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.maze import MARK, explore

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Point = tuple[float, float]


def course(size: int, seed: int) -> MazeTruth:
    truth = draft(size, seed).truth
    assert isinstance(truth, MazeTruth)
    return truth


def line(size: int, *points: Point) -> Mask:
    """What a brush inks on its way through points in px: pixels at most its radius away."""
    ink, centre, radius = np.zeros((size, size), np.bool_), np.arange(size) + 0.5, line_radius(size)
    for (ax, ay), (bx, by) in zip(points, points[1:] or points, strict=False):
        near = [slice(max(0, int(min(ends) - radius)), int(max(ends) + radius) + 1) for ends in ((ay, by), (ax, bx))]
        x, y = centre[None, near[1]], centre[near[0], None]
        squared = (bx - ax) ** 2 + (by - ay) ** 2
        t = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared, 0, 1) if squared else 0.0
        ink[tuple(near)] |= np.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) <= radius
    return ink


def centres(truth: MazeTruth) -> list[Point]:
    return [truth.centre(cell) for cell in truth.route]


def progress(ink: Mask, truth: MazeTruth) -> float:
    return explore(ink, truth, line_radius(len(ink))).progress


def off_route(truth: MazeTruth) -> Mask:
    """All pixels but those of the route's cells."""
    x, y = np.meshgrid(*[(np.arange(len(truth.walls)) + 0.5 - truth.origin) // truth.pitch] * 2)
    outside: Mask = ~np.logical_or.reduce([(x == column) & (y == row) for column, row in truth.route])
    return outside


@pytest.mark.parametrize("size", SIZES)
def test_each_cell_of_the_route_gives_its_share_within_a_pixel_and_the_goal_all(size: int) -> None:
    for seed in range(4):
        truth = course(size, seed)
        points, length = centres(truth), (len(truth.route) - 1) * truth.pitch
        for k in range(len(points) - 1):
            explored = explore(line(size, *points[: k + 1]), truth, line_radius(size))
            assert abs(explored.progress * length - k * truth.pitch) <= 0.75
            assert explored.reached == k + 1
        explored = explore(line(size, *points), truth, line_radius(size))
        assert explored.progress == 1.0
        assert explored.reached == len(truth.route)


@pytest.mark.parametrize("size", SIZES)
def test_progress_never_falls_on_the_way_and_keeps_close_to_it(size: int) -> None:
    truth, radius = course(size, 3), line_radius(size)
    points, ink, before = centres(truth), np.zeros((size, size), np.bool_), 0.0
    for k, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
        for share in np.linspace(0, 1, 33):
            ink |= line(size, (ax, ay), (ax + share * (bx - ax), ay + share * (by - ay)))
            now, come = progress(ink, truth), (k + share) * truth.pitch
            assert now >= before
            if now < 1:
                lead = now * truth.pitch * (len(points) - 1) - come
                assert -0.75 <= lead <= 0.75 + 1.2 * radius  # before a corner the rim is round it first
            before = now
    assert before == 1.0


@pytest.mark.parametrize("size", SIZES)
def test_the_goal_is_reached_when_the_middle_of_the_line_comes_within_its_mark(size: int) -> None:
    truth = course(size, 5)
    points = centres(truth)
    (ax, ay), (bx, by) = points[-2:]
    for short, reached in ((MARK * truth.pitch - 1, True), (MARK * truth.pitch + 1, False)):
        share = short / truth.pitch
        ink = line(size, *points[:-1], (bx + share * (ax - bx), by + share * (ay - by)))
        assert (progress(ink, truth) == 1.0) == reached


@pytest.mark.parametrize("size", SIZES)
def test_marks_that_do_not_hang_together_with_the_start_raise_nothing(size: int) -> None:
    truth = course(size, 1)
    points = centres(truth)
    half = len(points) // 2
    honest = line(size, *points[:half])
    apart = line(size, *points[half + 1 :])
    both = explore(honest | apart, truth, line_radius(size))
    assert both.progress == progress(honest, truth)
    assert (both.connected == honest).all()
    assert progress(apart, truth) == 0
    assert progress(honest | apart | line(size, *points), truth) == 1.0  # the gap closed


@pytest.mark.parametrize("size", SIZES)
def test_flooding_all_cells_off_the_route_and_all_walls_and_the_margin_raises_nothing(size: int) -> None:
    for seed in range(5):
        truth = course(size, seed)
        points = centres(truth)
        for k in range(1, len(points)):
            honest = line(size, *points[:k])
            flooded = honest | off_route(truth) | truth.walls
            came, length = progress(honest, truth), (len(points) - 1) * truth.pitch
            assert abs(progress(flooded, truth) - came) * length < 1e-9


def test_ink_on_walls_neither_counts_nor_joins() -> None:
    truth = course(256, 0)
    straight = line(256, truth.centre(truth.route[0]), truth.centre(truth.route[-1]))
    goal = truth.centre(truth.route[-1])
    assert straight[int(goal[1]), int(goal[0])]
    explored = explore(straight, truth, line_radius(256))
    assert explored.progress < 0.5
    assert not (explored.connected & truth.walls).any()
    assert not explored.connected[int(goal[1]), int(goal[0])]


def test_pixels_that_meet_at_a_corner_hang_together() -> None:
    walls = np.zeros((40, 40), np.bool_)
    diagonal = np.eye(40, dtype=np.bool_)
    stairs = Open(walls, route=((0, 0), (1, 0), (1, 1), (2, 1), (2, 2)))
    assert explore(diagonal, stairs, 0.5).connected.sum() == 40
    diagonal[8, 8] = False
    assert explore(diagonal, stairs, 0.5).connected.sum() == 8


def test_a_pixel_as_near_to_two_parts_of_the_route_counts_for_the_earlier() -> None:
    bend = Open(route=((0, 0), (1, 0), (1, 1)))
    ink = np.zeros((40, 40), np.bool_)
    ink[5, 5:13] = True
    ink[7, 12] = ink[6, 12] = True  # 2.5 px left of the corner's middle, and 2.5 px below it
    assert explore(ink, bend, 0.5).progress * 20 == 7.5
    ink[8, 12] = True
    assert explore(ink, bend, 0.5).progress * 20 == 13.5


def test_strokes_outside_the_maze_raise_nothing() -> None:
    truth = course(512, 2)
    outside = np.ones((512, 512), np.bool_)
    inner = slice(int(truth.origin), 512 - int(truth.origin))
    outside[inner, inner] = False
    assert progress(outside, truth) == 0
    begun = line(512, truth.centre(truth.route[0]))
    assert progress(outside | begun, truth) == progress(begun, truth)


def test_a_line_that_begins_beside_the_start_counts_for_nothing_until_it_is_joined() -> None:
    truth = course(512, 2)
    points = centres(truth)
    (ax, ay), (bx, by) = points[:2]
    beside = [(ax + 0.5 * (bx - ax), ay + 0.5 * (by - ay)), *points[1:]]
    assert explore(line(512, *beside), truth, line_radius(512))[:2] == (0.0, 0)
    assert progress(line(512, points[0], *beside), truth) == 1.0


def test_an_empty_canvas_gives_nothing_and_a_dot_on_the_start_next_to_nothing() -> None:
    truth = course(64, 0)
    empty = explore(np.zeros((64, 64), np.bool_), truth, line_radius(64))
    assert empty[:2] == (0.0, 0)
    assert not empty.connected.any()
    dot = explore(line(64, truth.centre(truth.route[0])), truth, line_radius(64))
    assert dot.reached == 1
    assert dot.progress * truth.pitch * (len(truth.route) - 1) <= 1


def test_a_full_canvas_is_a_drawing_that_joins_start_and_goal() -> None:
    truth = course(128, 0)
    explored = explore(np.ones((128, 128), np.bool_), truth, line_radius(128))
    assert explored.progress == 1.0
    assert not (explored.connected & truth.walls).any()


class Open(NamedTuple):
    """Four cells in a row without a wall, of which a drawing can leave out some."""

    walls: Mask = np.zeros((40, 40), np.bool_)
    route: tuple[tuple[int, int], ...] = ((0, 0), (1, 0), (2, 0), (3, 0))
    pitch: float = 10.0
    origin: float = 0.0


def test_cells_of_the_route_cannot_be_skipped_even_where_no_wall_bars_the_way() -> None:
    around = line(40, (5, 5), (5, 15), (25, 15), (25, 5), (35, 5))
    explored = explore(around, Open(), line_radius(40))
    assert explored.reached == 1
    assert explored.progress < 0.1


def test_a_route_of_one_cell_is_walked_when_its_mark_is_touched() -> None:
    nowhere = Open(route=((1, 1),))
    assert explore(line(40, (15, 15)), nowhere, 0.9).progress == 1.0
    assert explore(line(40, (35, 15)), nowhere, 0.9).progress == 0.0


def test_a_lattice_that_sticks_out_of_the_canvas_is_scored_where_it_is_seen() -> None:
    outside = Open(route=((0, 0), (1, 0), (2, 0), (3, 0), (4, 0)))
    explored = explore(np.ones((40, 40), np.bool_), outside, 0.9)
    assert explored.reached == 4
    assert explored.progress < 1


def test_ink_and_walls_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="one maze"):
        explore(np.zeros((64, 64), np.bool_), course(128, 0), 1.0)


@settings(max_examples=150)
@given(seed=st.integers(0, 50), chance=st.integers(0, 2**32 - 1), share=st.floats(0.0, 1.0), more=st.floats(0.0, 1.0))
def test_more_ink_never_lowers_progress_and_a_mirror_changes_nothing(
    seed: int, chance: int, share: float, more: float
) -> None:
    truth, rng = course(64, seed), np.random.default_rng(chance)
    points = centres(truth)
    ink = line(64, *points[: 1 + int(share * len(points))]) & (rng.random((64, 64)) < 0.9 + share)
    wider = ink | (rng.random((64, 64)) < more)
    assert 0 <= progress(ink, truth) <= progress(wider, truth) <= 1
    mirrored = truth._replace(walls=truth.walls.T, route=tuple((row, column) for column, row in truth.route))
    assert progress(wider.T, mirrored) == progress(wider, truth)
