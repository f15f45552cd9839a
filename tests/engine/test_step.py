"""The engine's score against its plain definition, and that it depends on the two pictures alone."""

from __future__ import annotations

import copy
import doctest
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.strokes import KINDS, reference
from easel_app.engine import StepEngine, step
from easel_app.scoring.similarity import Similarity, edges, similarity
from tests.engine import rule

Picture = NDArray[np.uint8]
TOLERANCE = 1e-8


def noise(size: int, seed: int = 0) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, (size, size, 3)).astype(np.uint8)


def stripes(size: int) -> Picture:
    return np.repeat((np.indices((size, size)).sum(0) % 7 * 36).astype(np.uint8)[..., None], 3, 2)


def flat(level: int) -> Callable[[int], Picture]:
    return lambda size: np.full((size, size, 3), level, np.uint8)


def assert_agrees(engine: StepEngine, target: Picture) -> None:
    """The engine's score is the plain one, its edges are the plain ones."""
    worst = np.abs(np.subtract(engine.scores(), similarity(engine.canvas, target))).max()
    assert worst <= TOLERANCE, f"a part of the score is off by {worst}"
    assert (engine.edges == edges(engine.canvas)).all(), "an edge pixel differs"


@pytest.mark.parametrize(("size", "count"), [(64, 150), (128, 100), (256, 60)])
@pytest.mark.parametrize("kind", ["painting", "random"])
def test_every_step_agrees_with_scikit_image(size: int, count: int, kind: str) -> None:
    target = reference(size)
    engine = StepEngine(target)
    assert_agrees(engine, target)
    for stroke in KINDS[kind](count, size, seed=size):
        assert engine.step(stroke) == engine.scores()
        assert_agrees(engine, target)


@pytest.mark.parametrize("size", [7, 8, 14, 33, 64])
@pytest.mark.parametrize("make", [flat(255), flat(0), noise, stripes], ids=["white", "black", "noise", "stripes"])
def test_adversarial_references_and_strokes_agree(size: int, make: Callable[[int], Picture]) -> None:
    target = make(size)
    engine = StepEngine(target, noise(size, seed=1))
    strokes = np.concatenate([KINDS["random"](15, size, seed=size), rule.corner_strokes(15, seed=size)])
    strokes[::5, 10:] = 1.0
    strokes[1::5, [7, 9]] = 0.0
    for stroke in strokes:
        engine.step(stroke)
        assert_agrees(engine, target)


@pytest.mark.parametrize("start", [flat(255), flat(0), noise, reference], ids=["white", "black", "noise", "itself"])
def test_any_start_canvas_is_scored_at_once(start: Callable[[int], Picture]) -> None:
    target = reference(48)
    engine = StepEngine(target, start(48))
    assert (engine.canvas == start(48)).all() and engine.box == (0, 0, 0, 0)
    assert_agrees(engine, target)


def test_the_canvas_starts_white() -> None:
    assert (StepEngine(reference(32)).canvas == 255).all()


def test_undo_by_box_gives_the_same_bits_as_never_painted() -> None:
    engine = StepEngine(reference(64))
    for stroke in [*KINDS["random"](40, 64), *KINDS["painting"](40, 64)]:
        before, score, edge = engine.canvas.copy(), engine.scores(), engine.edges
        engine.step(stroke)
        top, bottom, left, right = engine.box
        differs = (engine.canvas != before).any(-1)
        rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
        if rows.size:
            assert (top, bottom, left, right) == (rows[0], rows[-1] + 1, columns[0], columns[-1] + 1)
        else:
            assert (top, bottom, left, right) == (0, 0, 0, 0)
        assert engine.load(before, engine.box) == score
        assert (engine.edges == edge).all() and (engine.canvas == before).all()
        engine.step(stroke)


def test_reload_gives_the_same_bits_as_painting() -> None:
    target = reference(64)
    engine = StepEngine(target)
    for stroke in KINDS["random"](30, 64, seed=4):
        engine.step(stroke)
    assert StepEngine(target).load(engine.canvas) == engine.scores()
    assert StepEngine(target, engine.canvas).scores() == engine.scores()


def test_a_copy_goes_its_own_way_from_the_same_score() -> None:
    engine = StepEngine(reference(32))
    first, second = KINDS["random"](2, 32)
    engine.step(first)
    for copied in (copy.deepcopy(engine), copy.copy(engine), pickle.loads(pickle.dumps(engine))):
        score, before = engine.scores(), engine.canvas.copy()
        assert copied.scores() == score and (copied.canvas == before).all()
        copied.step(second)
        assert engine.scores() == score and (engine.canvas == before).all()
        assert copied.scores() == StepEngine(reference(32), copied.canvas).scores() != score


def test_load_reports_what_it_changed() -> None:
    engine = StepEngine(reference(32))
    picture = engine.canvas.copy()
    picture[3:5, 10:12] = 0
    engine.load(picture)
    assert engine.box == (3, 5, 10, 12)
    engine.load(picture, (0, 0, 0, 0))
    assert engine.box == (0, 0, 0, 0)
    engine.load(np.asfortranarray(np.full_like(picture, 255)), (3, 4, 0, 32))
    assert engine.box == (3, 4, 10, 12)


def test_a_stroke_that_changes_nothing_leaves_an_empty_box() -> None:
    engine = StepEngine(reference(32))
    white = np.full(13, 0.5)
    white[10:] = 1.0
    score = engine.scores()
    assert engine.step(white) == score and engine.box == (0, 0, 0, 0)
    assert engine.mask.alpha.size > 0  # it has a mask none the less


def _paint(_: int) -> tuple[str, Similarity]:
    engine = StepEngine(reference(64))
    for stroke in KINDS["random"](80, 64):
        engine.step(stroke)
    return sha256(engine.canvas.tobytes()).hexdigest(), engine.scores()


def test_threads_paint_the_same_bytes() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(_paint, range(8)))) == 1


GOLDEN = {
    ("painting", 64): "b102a8c0981b9a1edf823c6e88d7eee35a11c9dee55215c8a90f51063b0e0c91",
    ("painting", 128): "cd24f2b3bcbbdeaa99f3366c2d02049fd66e0f5761e7d940c8312fb5f371a33d",
    ("random", 64): "30b051bf36bbf3cb220045f3488b01bda2b63220c81af7a2a2e8f3aa203fb37b",
    ("random", 128): "b37cf1487782f2d83b7f256c5bd640c5257558db32241aff4419029e6e94f108",
}


@pytest.mark.parametrize(("kind", "size"), GOLDEN)
def test_no_canvas_or_score_ever_changes(kind: str, size: int) -> None:
    rng = np.random.default_rng(5)
    engine = StepEngine(rng.integers(0, 256, (size, size, 3)).astype(np.uint8))
    digest = sha256()
    for stroke in KINDS[kind](40, size, seed=9):
        digest.update(np.array(engine.step(stroke)).tobytes())
    digest.update(engine.canvas.tobytes() + engine.edges.tobytes())
    assert digest.hexdigest() == GOLDEN[kind, size]


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, size=st.integers(7, 40))
def test_scores_stay_within_their_bounds(seed: int, size: int) -> None:
    engine = StepEngine(noise(size, seed), noise(size, seed + 1))
    for stroke in KINDS["random"](5, size, seed):
        score = engine.step(stroke)
        assert -1.0 <= score.ssim <= 1.0
        assert 0.0 <= score.l1 <= 1.0
        assert 0.0 <= score.edge_iou <= 1.0
        assert score.similarity <= 1.0
        assert (engine.edges == edges(engine.canvas)).all()


@settings(max_examples=40, deadline=None)
@given(seed=seeds, size=st.integers(7, 40))
def test_a_picture_is_identical_to_itself(seed: int, size: int) -> None:
    picture = noise(size, seed)
    assert StepEngine(picture, picture).scores() == Similarity(1.0, 1.0, 0.0, 1.0)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=seeds, size=st.integers(7, 40))
def test_the_score_is_a_function_of_the_canvas_however_it_got_there(data: st.DataObject, seed: int, size: int) -> None:
    goal, picture = noise(size, seed), noise(size, seed + 1)
    engine = StepEngine(goal)
    for _ in range(data.draw(st.integers(0, 4))):
        top, left = data.draw(st.integers(0, size)), data.draw(st.integers(0, size))
        bottom, right = data.draw(st.integers(top, size)), data.draw(st.integers(left, size))
        engine.load(noise(size, seed + 2) if data.draw(st.booleans()) else picture, (top, bottom, left, right))
        if data.draw(st.booleans()):
            engine.step(KINDS["random"](1, size, seed)[0])
    engine.load(picture)
    fresh = StepEngine(goal, picture)
    assert engine.scores() == fresh.scores() and (engine.edges == fresh.edges).all()


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((16, 17, 3), np.uint8),
        np.zeros((16, 16), np.uint8),
        np.zeros((16, 16, 4), np.uint8),
        np.zeros((16, 16, 3)),
        np.zeros((6, 6, 3), np.uint8),
    ],
    ids=["oblong", "grey", "with alpha", "floats", "smaller than a window"],
)
def test_a_wrong_picture_is_refused(picture: Picture) -> None:
    with pytest.raises(ValueError, match="must be uint8"):
        StepEngine(picture)
    with pytest.raises(ValueError, match="must be uint8"):
        StepEngine(np.zeros((20, 20, 3), np.uint8), picture)
    with pytest.raises(ValueError, match="must be uint8"):
        StepEngine(np.zeros((20, 20, 3), np.uint8)).load(picture)


@pytest.mark.parametrize("box", [(-1, 5, 0, 5), (0, 17, 0, 5), (5, 4, 0, 5), (0, 5, 0, 17)])
def test_a_box_beyond_the_canvas_is_refused(box: tuple[int, int, int, int]) -> None:
    engine = StepEngine(np.zeros((16, 16, 3), np.uint8))
    with pytest.raises(ValueError, match="not within a canvas of 16 px"):
        engine.load(engine.canvas, box)


def test_the_documented_example_is_true() -> None:
    failed, tried = doctest.testmod(step, extraglobs={"np": np})
    assert tried > 0 and failed == 0
