from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from easel_app.engine.contact import first_contact
from easel_app.painting.brush import line_radius
from easel_app.painting.families.maze import draft
from easel_app.painting.truth import MazeTruth

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
EXACT = 1e-7


def at(paths: Floats, t: Floats) -> Floats:
    """Points of quadratic curves, (k, 6) and (k,) to (k, 2)."""
    t = t[:, None]
    points: Floats = (1 - t) ** 2 * paths[:, :2] + 2 * t * (1 - t) * paths[:, 2:4] + t**2 * paths[:, 4:]
    return points


def slow_contacts(paths: Floats, walls: Mask, radius: float) -> Floats:
    """First contacts of paths (k, 6), in the curve's parameter or -1, by dense sampling of the swept disc.

    Samples lie at most 1 px apart. Distance changes no faster than the curve moves, so an interval can be passed over
    when its ends are far enough away; the others are halved, down to less than a millionth of what is asked for.
    """
    paths = paths * walls.shape[0]
    tree, reach = cKDTree(np.argwhere(walls)[:, ::-1] + 0.5), radius + 0.5
    legs = np.hypot(paths[:, [2, 4]] - paths[:, [0, 2]], paths[:, [3, 5]] - paths[:, [1, 3]])
    speed = 2 * legs.max(1)
    first = np.full(len(paths), np.inf)

    def measured(which: NDArray[np.intp], t: Floats) -> Floats:
        distance = tree.query(at(paths[which], t), distance_upper_bound=reach + 2)[0]
        touching = distance < reach
        np.minimum.at(first, which[touching], t[touching])
        capped: Floats = np.minimum(distance, reach + 2)
        return capped

    count = np.ceil(speed).astype(int) + 1
    which = np.repeat(np.arange(len(paths)), count)
    begin = (np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)) / count[which]
    end = begin + 1 / count[which]
    begun, ended = measured(which, begin), measured(which, end)
    while which.size:
        length = (end - begin) * speed[which]
        doubtful = (begun + ended - length < 2 * reach) & (begin < first[which]) & (length > 1e-12)
        which, begin, end, begun, ended = (part[doubtful] for part in (which, begin, end, begun, ended))
        middle = (begin + end) / 2
        met = measured(which, middle)
        which = np.tile(which, 2)
        begin, end = np.concatenate([begin, middle]), np.concatenate([middle, end])
        begun, ended = np.concatenate([begun, met]), np.concatenate([met, ended])
    return np.where(np.isinf(first), -1.0, first)


def nearest(path: Floats, walls: Mask) -> float:
    """Distance, px, of a curve from the nearest wall pixel's centre: at an end or where the distance is at rest."""
    points = (path * walls.shape[0]).reshape(3, 2)
    bend, slope = points[0] - 2 * points[1] + points[2], 2 * (points[1] - points[0])
    best = np.inf
    for row, column in np.argwhere(walls):
        offset = points[0] - (column + 0.5, row + 0.5)
        cubic = [2 * bend @ bend, 3 * bend @ slope, 2 * bend @ offset + slope @ slope, slope @ offset]
        rests = np.roots(cubic) if np.any(cubic) else np.zeros(1)
        t = np.concatenate([[0.0, 1.0], np.clip(rests.real, 0, 1)])[:, None]
        best = min(best, float(np.hypot(*(bend * t * t + slope * t + offset).T).min()))
    return best


def cut(path: Floats, t: float) -> Floats:
    """The curve from its start to t."""
    start, control, end = path.reshape(3, 2)
    first, second = (1 - t) * start + t * control, (1 - t) * control + t * end
    return np.concatenate([start, first, (1 - t) * first + t * second])


def strokes(truth: MazeTruth, rng: np.random.Generator, count: int) -> Floats:
    """A third of them anywhere, the rest short and begun in the middle of a cell or near it."""
    size = truth.walls.shape[0]
    cells = rng.integers(truth.cells, size=(count, 2))
    begin = (truth.origin + (cells + rng.uniform(0.35, 0.65, (count, 2))) * truth.pitch) / size
    reach = truth.pitch / size * rng.uniform(0, 1, (count, 1))
    near = np.tile(begin, 3) + np.hstack([np.zeros((count, 2)), rng.uniform(-1, 1, (count, 4)) * reach])
    anywhere = rng.random((count, 6))
    return np.where(rng.random((count, 1)) < 1 / 3, anywhere, np.clip(near, 0, 1))


@pytest.mark.parametrize(("size", "mazes"), [(64, 100), (128, 60), (256, 30), (512, 10)])
def test_verdict_equals_dense_sampling_of_the_swept_disc(size: int, mazes: int) -> None:
    """200 mazes × 500 strokes in all."""
    rng, legal = np.random.default_rng(size), 0
    for seed in range(mazes):
        truth = draft(size, seed).truth
        assert isinstance(truth, MazeTruth)
        paths, radius = strokes(truth, rng, 500), line_radius(size)
        ours = np.array([first_contact(path, truth.walls, radius) for path in paths])
        slow = slow_contacts(paths, truth.walls, radius)
        assert ((ours < 0) == (slow < 0)).all()
        assert np.hypot(*(at(paths, ours.clip(0)) - at(paths, slow.clip(0))).T).max() * size < EXACT
        legal += int((ours < 0).sum())
    assert 0.2 < legal / (500 * mazes) < 0.8  # both verdicts are put to the test


few = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
numbers = st.lists(few | st.floats(0.0, 1.0), min_size=6, max_size=6).map(np.array)


@settings(max_examples=300)
@given(
    path=numbers,
    size=st.integers(1, 12),
    radius=st.sampled_from([0.0, 0.5, 1.14, 3.0]),
    seed=st.integers(0, 2**32 - 1),
    share=st.sampled_from([0.02, 0.1, 1.0]),
)
def test_contact_is_the_first_of_any_stroke_over_any_walls(
    path: Floats, size: int, radius: float, seed: int, share: float
) -> None:
    walls = np.random.default_rng(seed).random((size, size)) < share
    t, reach = first_contact(path, walls, radius), radius + 0.5
    least = nearest(path, walls)
    if t < 0:
        assert least >= reach - EXACT
    else:
        assert t <= 1
        assert least <= reach + EXACT
        assert nearest(cut(path, t), walls) >= reach - EXACT or t == 0
        assert nearest(np.tile(at(path[None], np.array([t]))[0], 3), walls) <= reach + EXACT


def wall_pixel(size: int, row: int, column: int) -> Mask:
    walls = np.zeros((size, size), np.bool_)
    walls[row, column] = True
    return walls


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("bent", [False, True])
@pytest.mark.parametrize("gap", [1e-6, EXACT, -EXACT, -1e-6])
def test_a_ten_millionth_of_a_pixel_decides(turn: int, bent: bool, gap: float) -> None:
    """A line past one pixel, and the top of an arch under one, at reach and a little more or less."""
    size, radius = 64, 2.0
    walls = np.rot90(wall_pixel(size, 10, 32), turn)
    y = (10.5 + radius + 0.5 + gap) / size
    x = 32.5 / size
    path = np.array([x - 0.3, y + bent * 0.1, x + 0.01 * (not bent), y - bent * 0.1, x + 0.3, y + bent * 0.1])
    for _ in range(turn):  # anticlockwise, as rot90: (x, y) to (y, 1 - x)
        path = np.column_stack([path[1::2], 1 - path[::2]]).ravel()
    t = first_contact(path, np.ascontiguousarray(walls), radius)
    assert (t >= 0) == (gap < 0)
    assert t < 0 or abs(t - 0.5) < 0.01


@pytest.mark.parametrize("gap", [1e-9, -1e-9])
def test_a_stroke_along_a_whole_wall_is_decided_as_sharply(gap: float) -> None:
    walls = np.zeros((512, 512), np.bool_)
    walls[:100] = True
    y = (99.5 + line_radius(512) + 0.5 + gap) / 512
    for x in ([0, 0.5, 1], [1, 0, 1], [0.3, 0.9, 0.3]):
        t = first_contact(np.array([x[0], y, x[1], y, x[2], y]), walls, line_radius(512))
        assert (t >= 0) == (gap < 0)
        assert t < 0.002  # within a pixel


def test_a_stroke_that_begins_in_a_wall_or_beside_it_touches_at_once() -> None:
    walls = wall_pixel(64, 20, 20)
    for x in (20.5, 21.9, 22.1):
        there = np.array([x, 20.5, 40, 40, 60, 5]) / 64
        assert first_contact(there, walls, 1.14) == 0
    assert first_contact(np.array([22.2, 20.5, 40, 40, 60, 5]) / 64, walls, 1.14) == -1


def test_a_dot_touches_or_does_not() -> None:
    walls = wall_pixel(64, 20, 20)
    assert first_contact(np.full(6, 20.5 / 64), walls, 1.14) == 0
    assert first_contact(np.full(6, 30.0 / 64), walls, 1.14) == -1


def test_a_line_that_turns_back_before_the_wall_is_free_and_one_that_turns_back_in_it_is_not() -> None:
    walls = wall_pixel(64, 32, 60)
    there_and_back = np.array([10.0, 32.5, 0.0, 32.5, 10.0, 32.5]) / 64
    reach = 1.14 + 0.5
    for peak, touching in ((60.5 - reach - 1e-6, False), (60.5 - reach + 1e-6, True)):
        there_and_back[2] = (2 * peak - 10.0) / 64  # a control point outside the canvas puts the turn where we like
        t = first_contact(there_and_back, walls, 1.14)
        assert (t >= 0) == touching
        assert not touching or abs(t - 0.5) < 1e-3


def test_ends_touch_too() -> None:
    walls = wall_pixel(64, 32, 60)
    reach = 1.14 + 0.5
    for end, touching in ((60.5 - reach - 1e-6, False), (60.5 - reach + 1e-6, True)):
        t = first_contact(np.array([10.0, 32.5, 30.0, 32.5, end, 32.5]) / 64, walls, 1.14)
        assert (t > 1 - 1e-6) == touching
        assert touching or t == -1


def test_an_empty_canvas_is_free_and_a_full_one_is_not() -> None:
    path = np.array([0.0, 0.0, 1.0, 0.5, 0.0, 1.0])
    assert first_contact(path, np.zeros((33, 33), np.bool_), 3.0) == -1
    assert first_contact(path, np.ones((33, 33), np.bool_), 3.0) == 0
