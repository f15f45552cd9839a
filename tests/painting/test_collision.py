from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import ndimage

from easel_app.engine.contact import first_contact
from easel_app.painting.brush import dressed
from easel_app.painting.collision import collision
from easel_app.painting.families.maze import SIZES, draft
from easel_app.painting.renderer import render
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.maze import explore

Floats = NDArray[np.float64]


def maze(size: int, seed: int) -> tuple[NDArray[np.uint8], MazeTruth]:
    made = draft(size, seed)
    assert isinstance(made.truth, MazeTruth)
    return made.picture, made.truth


def in_corridors(truth: MazeTruth, rng: np.random.Generator) -> Floats:
    """A short stroke that begins near the middle of a cell."""
    size = len(truth.walls)
    middle = np.array(truth.centre((int(rng.integers(truth.cells)), int(rng.integers(truth.cells)))))
    points = middle + rng.uniform(-0.2, 0.2, 2) * truth.pitch + rng.uniform(-0.5, 0.5, (3, 2)) * truth.pitch
    return np.clip(points.ravel() / size, 0, 1)


@pytest.mark.parametrize("size", SIZES)
def test_legal_strokes_leave_every_wall_as_it_was_and_others_do_not(size: int) -> None:
    rng, legal, harmful = np.random.default_rng(size), 0, 0
    for seed in range(4):
        picture, truth = maze(size, seed)
        for _ in range(50):
            path = in_corridors(truth, rng)
            changed = (render(dressed(path)[None], picture) != picture).any(-1)
            if collision(path, truth) is None:
                legal += 1
                assert changed.any()
                assert not changed[truth.walls].any()
            else:
                harmful += int(changed[truth.walls].any())
    assert legal > 20
    assert harmful > 20


@settings(max_examples=60)
@given(seed=st.integers(0, 2**31 - 1), chance=st.integers(0, 2**32 - 1), far=st.floats(0.1, 30.0))
def test_no_legal_strokes_from_the_start_leave_the_corridors(seed: int, chance: int, far: float) -> None:
    picture, truth = maze(64, seed)
    rng, strokes = np.random.default_rng(chance), []
    at = np.array(truth.centre(truth.route[0])) / 64
    for _ in range(200):
        onward = np.clip(at + rng.uniform(-far, far, (2, 2)) * truth.pitch / 64, 0, 1)
        path = np.concatenate([at, onward.ravel()])
        if collision(path, truth) is None:
            strokes.append(dressed(path))
            at = onward[1]
    corridors = ndimage.label(~truth.walls)[0]
    x, y = truth.centre(truth.route[0])
    canvas = render(np.array(strokes), picture) if strokes else picture
    drawn = (canvas != picture).any(-1)
    assert (corridors[drawn] == corridors[int(y), int(x)]).all()
    assert not drawn[truth.walls].any()


def test_a_random_walk_of_legal_strokes_gets_somewhere() -> None:
    """So the test above is about walks that do leave the first cell."""
    picture, truth = maze(64, 1)
    rng, strokes = np.random.default_rng(0), []
    at = np.array(truth.centre(truth.route[0])) / 64
    for _ in range(3000):
        onward = np.clip(at + rng.uniform(-1, 1, (2, 2)) * truth.pitch / 64, 0, 1)
        path = np.concatenate([at, onward.ravel()])
        if collision(path, truth) is None:
            strokes.append(dressed(path))
            at = onward[1]
    drawn = ink(render(np.array(strokes), picture), picture)
    assert explore(drawn, truth, 1.14).reached >= 3


@pytest.mark.parametrize("size", SIZES)
def test_a_stroke_cut_just_before_the_contact_is_legal_and_just_after_it_is_not(size: int) -> None:
    _, truth = maze(size, 5)
    goal, start = np.array(truth.centre(truth.route[-1])) / size, np.array(truth.centre(truth.route[0])) / size
    way = goal - start
    told = collision(np.concatenate([start, start + way / 2, goal]), truth)
    assert told is not None
    contact = np.array(told)
    assert abs(np.cross([*way, 0], [*(contact - start), 0])[2]) < 1e-12  # on the stroke
    for share, legal in ((-1e-6, True), (1e-6, False)):
        end = contact + share * way
        assert (collision(np.concatenate([start, (start + end) / 2, end]), truth) is None) == legal


def test_a_stroke_that_begins_in_a_wall_is_told_at_its_beginning() -> None:
    _, truth = maze(256, 5)
    x = y = truth.origin / 256
    assert collision(np.array([x, y, 0.5, 0.5, 0.9, 0.4]), truth) == (x, y)


def test_the_margin_is_free_where_the_brush_has_room() -> None:
    _, truth = maze(512, 5)
    assert collision(np.array([0.0, 0.0, 0.5, 0.0, 1.0, 0.0]), truth) is None
    assert collision(np.array([0.0, 0.0, 0.5, 0.02, 1.0, 0.0]), truth) is not None


def test_walls_may_lie_in_memory_as_they_like() -> None:
    _, truth = maze(64, 5)
    path = np.array([0.1, 0.2, 0.5, 0.9, 0.7, 0.3])
    assert collision(path, truth._replace(walls=np.asfortranarray(truth.walls))) == collision(path, truth)
    assert collision(np.repeat(path, 2)[::2], truth) == collision(path, truth)
    frozen, kinds = truth.walls.copy(), len(cast(Any, first_contact).signatures)
    frozen.flags.writeable = False
    assert collision(path, truth._replace(walls=frozen)) == collision(path, truth)
    assert len(cast(Any, first_contact).signatures) == kinds  # and none of it makes anyone wait for a compiler


@pytest.mark.parametrize(
    "path",
    [[0.5] * 5, [0.5] * 7, [np.nan] + [0.5] * 5, [0.5] * 5 + [1.0000001], [-0.1] + [0.5] * 5, [[0.5] * 6], []],
)
def test_what_is_no_path_is_refused(path: list[float]) -> None:
    with pytest.raises(ValueError, match="six numbers"):
        collision(np.array(path), maze(64, 0)[1])
