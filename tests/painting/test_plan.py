"""The plan: the next stroke is read off the canvas, whoever painted what is on it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from easel_app.painting.brush import dressed
from easel_app.painting.painters.scripted.plan import Plan
from easel_app.painting.renderer import render

SIZE = 64
unit = st.floats(0.0, 1.0)
paths = st.lists(st.tuples(*[unit] * 6).map(np.array), min_size=1, max_size=6)
pictures = arrays(np.uint8, (8, 8, 3)).map(lambda small: np.kron(small, np.ones((8, 8, 1), np.uint8)))
few = settings(max_examples=40, deadline=None)


def white() -> np.ndarray:
    return np.full((SIZE, SIZE, 3), 255, np.uint8)


def paint(canvas: np.ndarray, *some: np.ndarray) -> np.ndarray:
    return render(np.array([dressed(path) for path in some]), canvas) if some else canvas


@given(paths, pictures)
@few
def test_painting_what_the_plan_says_comes_to_an_end_on_any_picture(some: list[np.ndarray], start: np.ndarray) -> None:
    plan, canvas, painted = Plan(some, len(start)), start, 0
    while (path := plan.next(canvas)) is not None:
        canvas = paint(canvas, path)
        painted += 1
        assert painted <= len(some), "a stroke was asked for twice"


@given(paths, st.randoms(use_true_random=False))
@few
def test_strokes_that_others_painted_are_not_painted_again(some: list[np.ndarray], chance: object) -> None:
    order = sorted(range(len(some)), key=lambda _: chance.random())  # type: ignore[attr-defined]
    canvas = paint(white(), *[some[k] for k in order])
    assert Plan(some, len(white())).next(canvas) is None


def test_the_first_missing_stroke_comes_next_wherever_the_gap_is() -> None:
    some = [np.array([0.1, y, 0.5, y, 0.9, y]) for y in (0.2, 0.4, 0.6, 0.8)]
    plan = Plan(some, len(white()))
    for missing in range(4):
        canvas = paint(white(), *[path for k, path in enumerate(some) if k != missing])
        assert np.array_equal(plan.next(canvas), some[missing])


def test_a_stroke_that_was_undone_is_painted_again() -> None:
    path = np.array([0.1, 0.1, 0.5, 0.5, 0.9, 0.1])
    plan = Plan([path], len(white()))
    assert plan.next(paint(white(), path)) is None
    assert np.array_equal(plan.next(white()), path)


def test_a_stroke_that_is_there_only_in_part_is_not_there() -> None:
    plan = Plan([np.array([0.1, 0.5, 0.5, 0.5, 0.9, 0.5])], len(white()))
    assert plan.next(paint(white(), np.array([0.1, 0.5, 0.4, 0.5, 0.8, 0.5]))) is not None


def test_changing_what_the_plan_was_given_or_gave_does_not_change_the_plan() -> None:
    path, start = np.array([0.1, 0.5, 0.5, 0.5, 0.9, 0.5]), white()
    plan = Plan([path], len(start))
    first = plan.next(white())
    assert first is not None
    kept = first.copy()
    path[:], start[:], first[:] = 0.0, 0, 0.0
    assert np.array_equal(plan.next(white()), kept)


def test_an_empty_plan_is_done_at_once() -> None:
    assert Plan([], len(white())).next(white()) is None


def test_a_canvas_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="must be uint8 \\(64, 64, 3\\)"):
        Plan([], len(white())).next(np.zeros((32, 32, 3), np.uint8))


@pytest.mark.parametrize("path", [[0.1] * 5, [0.1] * 5 + [1.2], [float("nan")] * 6])
def test_a_path_that_is_none_is_refused_at_once(path: list[float]) -> None:
    with pytest.raises(ValueError, match=r"stroke has|is not in"):
        Plan([np.array(path)], len(white()))
