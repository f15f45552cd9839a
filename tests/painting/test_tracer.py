"""The tracer: it scores nearly one on every generated outline, whatever happens in between."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.families import apple, circle
from easel_app.painting.families.draft import Draft
from easel_app.painting.painters.scripted.tracer import STROKES, TracerPainter, trace
from easel_app.painting.renderer import render
from easel_app.painting.truth import OutlineTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.outline import dice, enclosed

Picture = np.ndarray
few = settings(max_examples=30, deadline=None)


def tracer(draft: Draft) -> TracerPainter:
    assert isinstance(draft.truth, OutlineTruth)
    return TracerPainter("tracer/1", draft.truth, draft.picture.shape[0], draft.budget, seed=0)


def play(painter: TracerPainter, canvas: Picture, most: int) -> tuple[Picture, int]:
    """Let it paint until it is done; returns the canvas and how many strokes it took."""
    for step in range(most + 1):
        path = painter.next(canvas, step)
        if path is None:
            return canvas, step
        canvas = render(dressed(path)[None], canvas)
    raise AssertionError(f"not done after {most} strokes")


def score(draft: Draft, canvas: Picture) -> float:
    assert isinstance(draft.truth, OutlineTruth)
    return dice(enclosed(ink(canvas, draft.picture), line_radius(canvas.shape[0])), draft.truth.mask)


@pytest.mark.parametrize("family", [circle, apple])
@pytest.mark.parametrize("size", [64, 128, 256, 512])
def test_it_scores_nearly_one_on_generated_outlines(family: ModuleType, size: int) -> None:
    for seed in range(6):
        made = family.draft(size, seed)
        canvas, strokes = play(tracer(made), made.picture, most=STROKES)
        assert score(made, canvas) >= (0.975 if size == 64 else 0.985), f"seed {seed}"
        assert strokes <= made.budget


def test_a_stroke_is_a_pure_function_of_the_canvas() -> None:
    made = apple.draft(128, 3)
    canvas = made.picture
    for step in range(5):
        path, again = tracer(made).next(canvas, step), tracer(made).next(canvas, step + 7)
        assert path is not None and np.array_equal(path, again)
        canvas = render(dressed(path)[None], canvas)


def test_it_finishes_what_someone_else_scribbled_into() -> None:
    made = circle.draft(128, 5)
    scribbled = render(dressed(np.array([0.1, 0.1, 0.5, 0.2, 0.9, 0.1]))[None], made.picture)
    canvas, _ = play(tracer(made), scribbled, most=STROKES)
    assert 0.8 < score(made, canvas) < score(made, play(tracer(made), made.picture, most=STROKES)[0])


def test_an_undone_stroke_is_painted_again() -> None:
    made = circle.draft(128, 2)
    before, painter = made.picture, tracer(made)
    path = painter.next(before, 0)
    assert path is not None
    after = render(dressed(path)[None], before)
    assert not np.array_equal(painter.next(after, 1), path)
    assert np.array_equal(painter.next(before, 2), path)


@given(st.integers(1, 16).flatmap(lambda n: arrays(np.bool_, (n, n))), st.integers(1, 24))
@few
def test_any_region_gives_strokes_within_the_canvas_and_the_budget(mask: np.ndarray, strokes: int) -> None:
    paths = trace(mask, strokes)
    assert len(paths) <= strokes and bool(paths) == bool(mask.any())
    for path in paths:
        assert path.shape == (6,) and path.min() >= 0.0 and path.max() <= 1.0


def test_an_outline_is_one_closed_line() -> None:
    made = apple.draft(256, 1)
    assert isinstance(made.truth, OutlineTruth)
    paths = trace(made.truth.mask, STROKES)
    for path, following in zip(paths, [*paths[1:], paths[0]], strict=True):
        assert np.array_equal(path[4:], following[:2])


def test_a_region_as_large_as_the_canvas_is_drawn_round() -> None:
    size = 64
    white, whole = np.full((size, size, 3), 255, np.uint8), np.ones((size, size), bool)
    painter = TracerPainter("tracer/1", OutlineTruth(whole), size, 64, seed=0)
    canvas, _ = play(painter, white, most=STROKES)
    assert dice(enclosed(ink(canvas, white), line_radius(size)), whole) >= 0.98


def test_an_empty_region_is_done_at_once() -> None:
    painter = TracerPainter("tracer/1", OutlineTruth(np.zeros((64, 64), bool)), 64, 64, seed=0)
    assert painter.next(np.full((64, 64, 3), 255, np.uint8), 0) is None
    assert painter.name == "tracer/1"


def test_a_region_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="give two of one task"):
        TracerPainter("tracer/1", OutlineTruth(np.zeros((64, 64), bool)), 128, 64, seed=0)


def test_a_canvas_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="must be uint8"):
        tracer(circle.draft(64, 0)).next(np.zeros((32, 32, 3), np.uint8), 0)
