"""Painting by plan: what a plan promises, and what becomes of it when somebody else paints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from easel_app.engine import StepEngine
from easel_app.painting.env import catalogue
from easel_app.painting.painters import painter
from easel_app.painting.painters.climbing import new_walk
from easel_app.painting.painters.layers import new_layers, redraw, weighted_error
from easel_app.painting.painters.planning import QUICK, can_plan, plan
from easel_app.painting.painters.revision import fit, touch_up
from easel_app.painting.painters.weights import weights

Picture = np.ndarray
pictures = st.integers(7, 20).flatmap(lambda n: arrays(np.uint8, (n, n, 3)))
few = settings(max_examples=20, deadline=None)
BUDGET = 24


def reference() -> Picture:
    found = catalogue().get("natural-01")
    assert found
    return found.reference


def white(picture: Picture) -> Picture:
    return np.full_like(picture, 255)


def similarity_of(strokes: np.ndarray, picture: Picture) -> float:
    engine = StepEngine(picture)
    for stroke in strokes:
        engine.step(stroke)
    return engine.scores().similarity


@given(pictures, st.integers(1, 9), st.integers(0, 2**32), st.sampled_from([None, 1000]))
@few
def test_the_canvases_of_a_plan_are_those_that_its_strokes_paint(
    picture: Picture, budget: int, seed: int, grid: int | None
) -> None:
    made, engine = plan(picture, budget, seed, grid, QUICK), StepEngine(picture)
    assert made.strokes.shape == (budget, 13) and made.strokes.min() >= 0.0 and made.strokes.max() <= 1.0
    if grid:
        assert (made.strokes == np.rint(made.strokes * grid) / grid).all()
    for step in range(budget):
        assert (made.canvases[step] == engine.canvas).all()
        engine.step(made.strokes[step])
    assert (made.canvases[budget] == engine.canvas).all()


def test_the_same_order_gives_the_same_plan_and_another_seed_another_one() -> None:
    first, same, other = (plan(reference(), BUDGET, seed, 1000, QUICK) for seed in (0, 0, 1))
    assert (first.strokes == same.strokes).all()
    assert (first.strokes != other.strokes).any()


@pytest.mark.parametrize("name", ["planner-quick", "planner"])
def test_a_plan_is_better_than_looking_one_stroke_ahead(name: str) -> None:
    picture, scores = reference(), {}
    for who in (name, "greedy-s"):
        hired, engine = painter(who, picture, BUDGET), StepEngine(picture)
        for step in range(BUDGET):
            engine.step(hired.next(engine.canvas, step))
        scores[who] = engine.scores().similarity
    assert scores[name] > scores["greedy-s"] + 0.005


def test_where_somebody_else_painted_each_next_stroke_is_looked_for() -> None:
    picture = reference()
    hired, greedy, engine = painter("planner-quick", picture, BUDGET), painter("greedy-s", picture, BUDGET), None
    made = plan(picture, BUDGET, 0, None, QUICK)
    engine = StepEngine(picture, made.canvases[5])
    assert (hired.next(engine.canvas, 5) == made.strokes[5]).all()
    engine.step(np.random.default_rng(0).random(13))
    assert (hired.next(engine.canvas, 6) == greedy.next(engine.canvas, 6)).all()
    assert (hired.next(made.canvases[7], 7) == made.strokes[7]).all(), "back on the plan's canvas, it is kept to again"
    end = made.canvases[BUDGET]
    assert (hired.next(end, BUDGET) == greedy.next(end, BUDGET)).all(), "beyond its end it goes on"


def test_a_painting_too_large_to_be_planned_is_painted_stroke_by_stroke() -> None:
    assert can_plan(250, 512) and not can_plan(2000, 512)
    with pytest.raises(ValueError, match="plan fewer strokes"):
        plan(reference(), 100_000)
    hired, greedy = (painter(name, reference(), 100_000) for name in ("planner", "greedy-s"))
    assert (hired.next(white(reference()), 0) == greedy.next(white(reference()), 0)).all()


@given(pictures, st.integers(2, 8), st.integers(0, 2**32))
@few
def test_fitting_lowers_the_error_but_for_rounding_and_touching_up_never_lowers_the_similarity(
    picture: Picture, count: int, seed: int
) -> None:
    rng, size = np.random.default_rng(seed), len(picture)
    engine, walk = StepEngine(picture), new_walk()
    layers = new_layers(count, engine.memory.canvas.pixels)
    layers.weights[:] = weights(picture)
    redraw(rng.random((count, 13)), engine.memory.brush, layers)
    goal = picture.reshape(size, -1)
    before = weighted_error(layers.below[-1], goal, layers.weights)
    fit(20, 1000, rng, walk, layers, engine.memory)
    fitted = weighted_error(layers.below[-1], goal, layers.weights)
    assert fitted <= before * 1.02
    engine = StepEngine(picture, layers.below[-1].reshape(picture.shape))
    start = engine.scores().similarity
    touch_up(10, 1000, rng, walk, layers, engine.memory)
    finished = StepEngine(picture, layers.below[-1].reshape(picture.shape))
    assert (finished.canvas == engine.canvas).all(), "the engine was left with the finished picture"
    assert finished.scores().similarity >= start
    assert similarity_of(layers.strokes, picture) == finished.scores().similarity


def test_smooth_places_weigh_more_and_none_weighs_nothing() -> None:
    picture = np.full((40, 40, 3), 128, np.uint8)
    picture[:, 20:] = np.random.default_rng(0).integers(0, 256, (40, 20, 3))
    found = weights(picture)
    assert found.min() >= 1
    assert found[20, 8] > 20 * found[20, 32]
