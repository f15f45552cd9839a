"""The credit of a stroke is what the canvas loses without it, to the bit as a full repaint tells."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.engine import warm
from easel_app.engine.omission import omissions, omit
from easel_app.painting.board import board_for
from easel_app.painting.canvas import History
from easel_app.painting.credit import credits
from easel_app.painting.env import find_task
from easel_app.painting.painters import able, painter
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.renderer import render
from easel_app.painting.rollout import Rollout
from easel_app.painting.scores import headline
from easel_app.painting.tasks import Task

# what is opaque hides, what is faint never does, and quarters make strokes meet exactly
numbers = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.004, 1 / 3, 0.996]), st.floats(0, 1))
stacks = st.lists(st.lists(numbers, min_size=13, max_size=13), max_size=7).map(lambda s: np.array(s).reshape(-1, 13))


def the(task_id: str) -> Task:
    task = find_task(task_id)
    assert task
    return task


def naive(task: Task, strokes: np.ndarray) -> list[float]:
    """The score without each stroke: all others repainted, and scored by the board of sessions."""
    board, found = board_for(task, skia=True), []
    for k in range(len(strokes)):
        board.load(render(np.delete(strokes, k, 0), task.start))
        found.append(headline(board.scores()))
    return found


def played(task_id: str, steps: int) -> Rollout:
    """A rollout by the task's own painter, with every fifth stroke taken back."""
    task = the(task_id)
    rollout = Rollout(task, ProtocolName.STUDIO, skia=True)
    hired = painter(able(task.truth)[0], task.reference, task.budget, 0, task.truth)
    while rollout.step < steps and (stroke := hired.next(rollout.pixels.copy(), rollout.step)) is not None:
        rollout.paint(stroke)
        if rollout.step % 5 == 3:
            rollout.undo()
    return rollout


def lying(rollout: Rollout) -> np.ndarray:
    return np.array([stroke for _, stroke in rollout.history.lying()]).reshape(-1, 13)


@settings(max_examples=150)
@given(strokes=stacks, size=st.integers(1, 40), seed=st.none() | st.integers(0, 99))
def test_a_canvas_without_a_stroke_is_what_all_others_paint(strokes: np.ndarray, size: int, seed: int | None) -> None:
    start = np.full((size, size, 3), 255, np.uint8)
    if seed is not None:
        start = np.random.default_rng(seed).integers(0, 256, start.shape).astype(np.uint8)
    found = list(omissions(strokes, start, render(strokes, start)))
    assert len(found) == len(strokes)
    for k, canvas in enumerate(found):
        assert (canvas == render(np.delete(strokes, k, 0), start)).all()


@pytest.mark.parametrize("faint", [False, True])
def test_so_it_is_on_the_crowded_canvas_of_a_session(faint: bool) -> None:
    task = the("natural-01")
    strokes = np.random.default_rng(3).random((60, 13))
    if faint:
        strokes[:, [7, 9]] *= 0.03
    whole = render(strokes, task.start)
    found = list(credits(task, strokes, whole))
    assert [credit.without for credit in found] == naive(task, strokes)
    board = board_for(task, skia=True)
    board.load(whole)
    score = headline(board.scores())
    assert [(c.place, c.credit) for c in found] == [(k, score - c.without) for k, c in enumerate(found)]


@pytest.mark.parametrize(
    ("task_id", "steps"),
    [("programmatic-01", 32), ("circle-64-3", 16), ("apple-128-2", 16), ("maze-64-7", 40), ("handwriting-128-5", 8)],
)
def test_every_kind_of_task_is_scored_by_its_own_metric(task_id: str, steps: int) -> None:
    rollout = played(task_id, steps)
    strokes = lying(rollout)
    assert 0 < len(strokes) < rollout.step
    found = list(credits(rollout.task, strokes, rollout.pixels))
    assert [credit.without for credit in found] == naive(rollout.task, strokes)
    assert [credit.credit for credit in found] == [headline(rollout.scores) - credit.without for credit in found]


def test_the_credit_of_the_topmost_stroke_is_its_own_gain() -> None:
    rollout = played("programmatic-01", 12)
    assert rollout.curve[-1] != rollout.curve[-2]
    *_, last = credits(rollout.task, lying(rollout), rollout.pixels)
    assert (last.without, last.credit) == (rollout.curve[-2], rollout.curve[-1] - rollout.curve[-2])


def test_hidden_and_unseen_strokes_have_no_credit_and_a_harmful_one_less_than_none() -> None:
    task = the("programmatic-01")
    cover = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1, *task.reference[32, 32] / 255])
    small = np.array([0.5, 0.5, 0.6, 0.5, 0.6, 0.6, 0.2, 1, 0.2, 1, 0.1, 0.9, 0.1])
    black = np.array([0.1, 0.1, 0.5, 0.5, 0.9, 0.9, 0.1, 1, 0.1, 1, 1, 0, 1])
    unseen = np.zeros(13)
    strokes = np.array([small, small, cover, unseen, black])
    found = [credit.credit for credit in credits(task, strokes, render(strokes, task.start))]
    assert (found[0], found[1], found[3]) == (0.0, 0.0, 0.0)
    assert found[2] > 0 > found[4]


def test_an_empty_canvas_has_no_credits_and_a_broken_stroke_is_refused() -> None:
    task = the("programmatic-01")
    assert list(credits(task, np.empty((0, 13)), task.start)) == []
    for wrong in (np.full((1, 13), np.nan), np.full((1, 13), 1.1), np.zeros((1, 6))):
        with pytest.raises(ValueError, match=r"is not in \[0, 1\]|13 numbers"):
            next(credits(task, wrong, task.start))


def test_what_is_not_asked_for_is_not_computed() -> None:
    strokes = np.random.default_rng(0).random((1000, 13))
    first = islice(omissions(strokes, start := np.full((7, 7, 3), 255, np.uint8), render(strokes, start)), 2)
    assert len(list(first)) == 2


@given(st.lists(st.sampled_from(["paint", "paint", "undo", "keep"]), max_size=40))
def test_the_strokes_that_lie_are_those_not_taken_back_with_the_actions_that_painted_them(deeds: list[str]) -> None:
    history, stack = History(np.full((1, 1, 3), 255, np.uint8)), []
    for action, deed in enumerate(deeds, 1):
        if deed == "paint":
            stroke = np.full(13, action / 100)
            stack.append((action, stroke))
            history.paint(stroke, np.zeros((1, 1, 3), np.uint8))
        elif deed == "undo" and stack:
            stack.pop()
            history.undo()
        else:
            history.keep()
    found = history.lying()
    assert [action for action, _ in found] == [action for action, _ in stack]
    assert all(one is other for (_, one), (_, other) in zip(found, stack, strict=True))
    assert history.depth == len(found)


def test_any_layout_of_the_pictures_is_taken_by_the_machine_code_that_warm_compiled() -> None:
    warm()
    compiled = len(omit.signatures)  # type: ignore[attr-defined]
    start = np.random.default_rng(0).integers(0, 256, (24, 24, 3)).astype(np.uint8)[:, ::-1, ::-1]
    start.flags.writeable = False
    strokes = np.asfortranarray(np.random.default_rng(0).random((3, 13)).astype(np.float32))
    whole = render(strokes, start)
    before = start.copy(), whole.copy()
    found = list(omissions(strokes, start, whole))
    assert all((canvas == render(np.delete(strokes, k, 0), start)).all() for k, canvas in enumerate(found))
    assert compiled and len(omit.signatures) == compiled  # type: ignore[attr-defined]
    assert (start == before[0]).all() and (whole == before[1]).all(), "what was handed over stays as it is"
