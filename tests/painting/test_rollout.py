"""The rules: what an action costs, what it changes, when a rollout ends."""

import numpy as np
import pytest

from easel_app.painting.canvas import KEYFRAME
from easel_app.painting.env import catalogue
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.renderer import render
from easel_app.painting.rollout import Closed, NotAllowed, Outcome, Rollout, Status
from easel_app.painting.stroke import Invalid, Submit, Undo
from easel_app.painting.tasks import Task
from easel_app.scoring.similarity import similarity

RNG = np.random.default_rng(5)


def strokes(count: int) -> np.ndarray:
    return RNG.random((count, 13))


@pytest.fixture
def task() -> Task:
    found = catalogue().get("programmatic-01")
    assert found
    return found


def studio(task: Task, skia: bool = True) -> Rollout:
    return Rollout(task, ProtocolName.STUDIO, skia=skia)


def test_a_stroke_costs_a_step_and_scores_what_the_plain_metric_says(task: Task) -> None:
    rollout = studio(task)
    for k, stroke in enumerate(strokes(5), 1):
        turn = rollout.paint(stroke)
        assert (turn.outcome, turn.step, rollout.steps_left) == (Outcome.APPLIED, k, task.budget - k)
        assert turn.scores == pytest.approx(similarity(rollout.pixels, task.reference), abs=1e-8)
    assert len(rollout.curve) == 6


def test_skia_and_engine_give_the_same_bytes_through_undo(task: Task) -> None:
    by_skia, by_engine = studio(task), studio(task, skia=False)
    for k, stroke in enumerate(strokes(20)):
        for rollout in (by_skia, by_engine):
            if k % 5 == 4:
                rollout.undo()
            else:
                rollout.paint(stroke)
        assert (by_skia.pixels == by_engine.pixels).all()
        assert by_skia.scores == by_engine.scores


def test_undo_costs_a_step_and_brings_back_pixels_and_score(task: Task) -> None:
    rollout = studio(task)
    first, second = strokes(2)
    rollout.paint(first)
    before, scores = rollout.pixels.copy(), rollout.scores
    rollout.paint(second)
    turn = rollout.undo()
    assert (turn.step, turn.outcome, turn.scores) == (3, Outcome.APPLIED, scores)
    assert (rollout.pixels == before).all()
    top, bottom, left, right = rollout.changed
    assert (render(np.array([first, second]), task.start) != before).any(-1)[top:bottom, left:right].any()


def test_undo_goes_back_stroke_by_stroke_even_between_undos(task: Task) -> None:
    rollout = studio(task)
    a, b, c = strokes(3)
    rollout.paint(a)
    rollout.paint(b)
    rollout.undo()
    rollout.paint(c)
    assert (rollout.pixels == render(np.array([a, c]), task.start)).all()
    rollout.undo()
    rollout.undo()
    assert (rollout.pixels == 255).all()
    assert rollout.step == 6


def test_undo_of_nothing_is_rejected_and_costs_a_step(task: Task) -> None:
    rollout = studio(task)
    turn = rollout.undo()
    assert (turn.outcome, turn.step) == (Outcome.REJECTED, 1)
    assert turn.message.startswith("There is no stroke")


def test_submit_is_free_and_ends(task: Task) -> None:
    rollout = studio(task)
    rollout.paint(strokes(1)[0])
    turn = rollout.submit()
    assert (turn.step, turn.status) == (1, Status.SUBMITTED)
    for action in (Undo(kind="undo"), Submit(kind="submit")):
        with pytest.raises(Closed, match="submitted"):
            rollout.play(action)
    with pytest.raises(Closed):
        rollout.paint(strokes(1)[0])


@pytest.mark.parametrize("protocol", [ProtocolName.STUDIO, ProtocolName.BENCHMARK])
def test_the_budget_ends_it_at_exactly_t_steps(task: Task, protocol: ProtocolName) -> None:
    rollout = Rollout(task, protocol)
    for stroke in strokes(task.budget):
        assert rollout.status is Status.OPEN
        rollout.paint(stroke)
    assert rollout.status is Status.SPENT
    with pytest.raises(Closed, match="32 steps"):
        rollout.paint(strokes(1)[0])


def test_benchmark_reconstruction_knows_strokes_only(task: Task) -> None:
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    rollout.paint(strokes(1)[0])
    for action in (Undo(kind="undo"), Submit(kind="submit")):
        with pytest.raises(NotAllowed, match="benchmark"):
            rollout.play(action)
    assert rollout.step == 1


def test_practice_never_runs_out(task: Task) -> None:
    rollout = Rollout(task, ProtocolName.PRACTICE)
    for stroke in strokes(task.budget + 5):
        rollout.paint(stroke)
    assert (rollout.steps_left, rollout.status) == (None, Status.OPEN)


UNREADABLE = Invalid(kind="invalid", reason="unreadable")


@pytest.mark.parametrize("protocol", list(ProtocolName))
def test_an_invalid_action_costs_a_step_and_changes_nothing(task: Task, protocol: ProtocolName) -> None:
    rollout = Rollout(task, protocol, skia=True)
    rollout.paint(strokes(1)[0])
    before, pixels = rollout.scores, rollout.pixels.copy()
    turn = rollout.play(UNREADABLE)
    assert turn == (Outcome.INVALID, "unreadable", 2, Status.OPEN, before, None)
    assert (rollout.pixels == pixels).all()
    assert (rollout.history.at(2) == pixels).all()
    assert (rollout.changed, rollout.curve[-1]) == ((0, 0, 0, 0), before.similarity)
    assert rollout.history.depth == 1
    assert rollout.steps_left == (None if protocol is ProtocolName.PRACTICE else task.budget - 2)


def test_undo_takes_back_the_stroke_before_an_invalid_action(task: Task) -> None:
    rollout = studio(task)
    rollout.paint(strokes(1)[0])
    rollout.play(UNREADABLE)
    assert rollout.undo().outcome is Outcome.APPLIED
    assert (rollout.pixels == 255).all()


def test_invalid_actions_use_up_the_budget_and_none_is_taken_afterwards(task: Task) -> None:
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    for _ in range(task.budget):
        turn = rollout.play(UNREADABLE)
    assert turn.status is Status.SPENT
    with pytest.raises(Closed):
        rollout.check(UNREADABLE)
    with pytest.raises(Closed):
        rollout.play(UNREADABLE)


def test_a_stroke_of_no_opacity_changes_nothing(task: Task) -> None:
    rollout = studio(task)
    stroke = strokes(1)[0]
    stroke[[7, 9]] = 0.0
    rollout.paint(stroke)
    assert (rollout.pixels == 255).all()
    top, bottom, _, _ = rollout.changed
    assert top == bottom


def test_strokes_and_undos_by_turns_keep_no_more_pictures_than_the_canvas_needs(task: Task) -> None:
    rollout = Rollout(task, ProtocolName.PRACTICE)
    for stroke in strokes(KEYFRAME - 1):
        rollout.paint(stroke)
    before = rollout.history.kept_bytes
    seen = []
    for stroke in strokes(60):
        rollout.paint(stroke)
        seen.append(rollout.pixels.copy())
        rollout.undo()
    assert rollout.history.kept_bytes == before
    for k, want in enumerate(seen):
        assert (rollout.history.at(KEYFRAME + 2 * k) == want).all()


def test_history_gives_the_canvas_after_any_action(task: Task) -> None:
    rollout, seen = studio(task), [studio(task).pixels.copy()]
    rng = np.random.default_rng(3)
    for _ in range(task.budget - 1):
        if rng.random() < 0.3:
            rollout.undo()
        else:
            rollout.paint(rng.random(13))
        seen.append(rollout.pixels.copy())
    for k in rng.permutation(len(seen)):
        assert (rollout.history.at(int(k)) == seen[k]).all()
    with pytest.raises(IndexError):
        rollout.history.at(len(seen))
