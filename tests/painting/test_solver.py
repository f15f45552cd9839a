from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.collision import collision
from easel_app.painting.families.draft import Draft
from easel_app.painting.families.maze import SIZES, draft
from easel_app.painting.painters.scripted.solver import SolverPainter, route_paths
from easel_app.painting.renderer import render
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.maze import explore

Pixels = NDArray[np.uint8]


def truth_of(made: Draft) -> MazeTruth:
    assert isinstance(made.truth, MazeTruth)
    return made.truth


def hired(made: Draft) -> SolverPainter:
    return SolverPainter("solver/1", truth_of(made), len(made.picture), made.budget, 0)


def painted(path: NDArray[np.float64], canvas: Pixels) -> Pixels:
    return render(dressed(path)[None], canvas)


def progress(canvas: Pixels, made: Draft) -> float:
    return explore(ink(canvas, made.picture), truth_of(made), line_radius(len(canvas))).progress


@pytest.mark.parametrize("size", SIZES)
def test_every_maze_is_solved_within_its_budget_and_progress_never_falls(size: int) -> None:
    for seed in range(50):
        made = draft(size, seed)
        painter, canvas, scores = hired(made), made.picture, [0.0]
        for step in range(made.budget):
            path = painter.next(canvas, step)
            if path is None:
                break
            assert collision(path, truth_of(made)) is None
            canvas = painted(path, canvas)
            if size < 512 or seed < 5:
                scores.append(progress(canvas, made))
        assert painter.next(canvas, 0) is None
        assert scores == sorted(scores)
        assert progress(canvas, made) == 1.0


def test_seldom_mazes_too_take_no_more_than_half_the_budget() -> None:
    longest = max(len(route_paths(truth_of(draft(512, seed)))) for seed in range(1000, 1300))
    assert 30 < longest <= 64


def test_paths_join_end_to_end_from_start_to_goal() -> None:
    truth = truth_of(draft(512, 7))
    paths = np.array(route_paths(truth))
    assert (paths[1:, :2] == paths[:-1, 4:]).all()
    assert (paths[0, :2] * 512 == truth.centre(truth.route[0])).all()
    assert (paths[-1, 4:] * 512 == truth.centre(truth.route[-1])).all()
    assert (np.abs(paths[:, 4:] - paths[:, :2]).sum(1) > 0).all()


def test_it_takes_over_from_any_canvas() -> None:
    made = draft(256, 7)
    paths = route_paths(truth_of(made))
    all_but_third = render(np.array([dressed(path) for k, path in enumerate(paths) if k != 2]), made.picture)
    foreign = painted(np.array([0.0, 0.0, 0.5, 0.0, 1.0, 0.0]), all_but_third)
    for canvas in (all_but_third, foreign):
        following = hired(made).next(canvas, 90)
        assert following is not None
        assert (following == paths[2]).all()
        assert hired(made).next(painted(following, canvas), 91) is None


def test_its_name_is_the_one_it_was_given() -> None:
    assert hired(draft(64, 0)).name == "solver/1"


def test_too_small_a_budget_and_another_size_are_refused() -> None:
    truth = truth_of(draft(128, 0))
    with pytest.raises(ValueError, match="budget is 1"):
        SolverPainter("solver/1", truth, 128, 1, 0)
    with pytest.raises(ValueError, match="canvas 64 px"):
        SolverPainter("solver/1", truth, 64, 128, 0)
