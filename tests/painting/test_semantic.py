"""The rules of semantic tasks: what a stroke is there, walls, undo, submit, and scores that follow from the canvas."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from easel_app.painting.env import catalogue
from easel_app.painting.families.registry import generated
from easel_app.painting.painters import able, next_action, painter
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Closed, Outcome, Rollout, Status, WrongStroke
from easel_app.painting.scores import METRICS, headline, metric_of, restored, stored
from easel_app.painting.stroke import LOOK_FIELDS, PATH_FIELDS, STROKE_FIELDS, Action, BrushStroke, Submit, Undo
from easel_app.painting.tasks import SEMANTIC, Task
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.conduct import conduct

FIVE = [task for task in catalogue() if task.category == SEMANTIC]
SMALL = ["circle-64-3", "apple-64-5", "handwriting-128-4", "maze-64-2"]
"""One small task of each family, for tests that play many."""
ACTION: TypeAdapter[Action] = TypeAdapter(Action)
UNDO, SUBMIT = Undo(kind="undo"), Submit(kind="submit")
moves = st.lists(st.one_of(st.just("undo"), st.tuples(*[st.floats(0, 1)] * 6)), min_size=1, max_size=14)


def a_task(task_id: str) -> Task:
    found = catalogue().get(task_id) or generated(task_id)
    assert found
    return found


def path(*numbers: float) -> BrushStroke:
    action = ACTION.validate_python(
        {"kind": "brush_stroke", "stroke": dict(zip(PATH_FIELDS, numbers, strict=True))}
    )
    assert isinstance(action, BrushStroke)
    return action


def whole() -> BrushStroke:
    action = ACTION.validate_python({"kind": "brush_stroke", "stroke": dict.fromkeys(STROKE_FIELDS, 0.5)})
    assert isinstance(action, BrushStroke)
    return action


def solved(task: Task, protocol: ProtocolName = ProtocolName.BENCHMARK, *, skia: bool = False) -> Rollout:
    """A rollout that the task's scripted painter has played to its end."""
    rollout = Rollout(task, protocol, skia=skia)
    hired = painter(able(task.truth)[0], task.reference, task.budget, 0, task.truth)
    while rollout.status is Status.OPEN:
        rollout.play(next_action(hired, rollout.pixels, rollout.step))
    return rollout


def test_the_five_are_those_of_the_paper_with_the_budgets_that_its_total_leaves() -> None:
    assert [task.id for task in FIVE] == ["circle-outline", "apple-outline", "hello", "simple-maze", "harder-maze"]
    assert [task.budget for task in FIVE] == [64, 64, 128, 128, 128]
    assert sum(task.budget for task in catalogue()) == 11_392
    assert all(64 <= task.width <= 512 and task.anchors is None and task.brush for task in FIVE)
    assert (FIVE[2].start == 255).all() and not FIVE[2].shows_reference


@pytest.mark.parametrize("task", FIVE, ids=lambda task: task.id)
def test_each_task_is_solved_by_its_script_within_its_budget(task: Task) -> None:
    rollout = solved(task)
    assert rollout.status is Status.SUBMITTED and rollout.step <= task.budget
    least = {"outline": 0.95, "handwriting": 1.0, "maze": 1.0}[task.kind]
    assert headline(rollout.scores) >= least
    assert rollout.curve[0] == 0.0 and rollout.curve[-1] == headline(rollout.scores)


@pytest.mark.parametrize("task", FIVE, ids=lambda task: task.id)
def test_skia_and_the_engine_paint_the_same_bytes_and_score_the_same(task: Task) -> None:
    one, other = solved(task), solved(task, skia=True)
    assert (one.pixels == other.pixels).all() and one.curve == other.curve and one.scores == other.scores


@pytest.mark.parametrize("task", FIVE, ids=lambda task: task.id)
def test_a_stroke_of_thirteen_numbers_is_refused_and_costs_nothing(task: Task) -> None:
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    with pytest.raises(WrongStroke, match=f"fixed brush .* leave out {', '.join(LOOK_FIELDS)}"):
        rollout.play(whole())
    assert (rollout.step, len(rollout.history), rollout.deeds) == (0, 0, [])


def test_a_path_in_a_reconstruction_is_refused_and_costs_nothing() -> None:
    rollout = Rollout(a_task("programmatic-01"), ProtocolName.STUDIO)
    with pytest.raises(WrongStroke, match="radius_start is missing"):
        rollout.play(path(*[0.5] * 6))
    assert rollout.step == 0


@settings(max_examples=30)
@given(st.sampled_from(SMALL), moves)
def test_undo_restores_canvas_and_score_to_the_bit_and_costs_a_step(task_id: str, script: list[object]) -> None:
    rollout = Rollout(a_task(task_id), ProtocolName.PRACTICE)
    kept, lying = [(rollout.pixels.copy(), rollout.scores)], []
    for move in script:
        before = rollout.step
        if move == "undo":
            turn = rollout.play(UNDO)
            assert turn.outcome is (Outcome.APPLIED if len(kept) > 1 else Outcome.REJECTED)
            kept, lying = kept[:-1] or kept, lying[:-1]
        else:
            assert isinstance(move, tuple)
            turn = rollout.play(path(*move))
            if turn.outcome is Outcome.APPLIED:
                kept.append((rollout.pixels.copy(), rollout.scores))
                lying.append(np.array(move))
        assert rollout.step == before + 1
        assert (rollout.pixels == kept[-1][0]).all() and rollout.scores == kept[-1][1]
    # and the score is a function of what lies there, not of how it came to be
    fresh = Rollout(a_task(task_id), ProtocolName.PRACTICE)
    for stroke in lying:
        fresh.lay(stroke)
    assert (fresh.pixels == rollout.pixels).all() and fresh.scores == rollout.scores


@settings(max_examples=40)
@given(st.integers(0, 5), st.lists(st.tuples(*[st.floats(0, 1)] * 6), min_size=1, max_size=12))
def test_a_rejected_stroke_leaves_every_byte_and_no_stroke_ever_changes_a_wall(
    seed: int, strokes: list[tuple[float, ...]]
) -> None:
    task = a_task(f"maze-64-{seed}")
    assert isinstance(task.truth, MazeTruth)
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    for numbers in strokes:
        before, left = rollout.pixels.copy(), rollout.steps_left
        turn = rollout.play(path(*numbers))
        assert rollout.steps_left == (left or 0) - 1
        if turn.outcome is Outcome.REJECTED:
            assert (rollout.pixels == before).all() and turn.contact
            x, y = turn.contact
            assert f"at ({x:.3f}, {y:.3f})" in turn.message and f"{rollout.steps_left} remain" in turn.message
        else:
            assert turn.outcome is Outcome.APPLIED and turn.contact is None and turn.message == ""
    assert (rollout.pixels[task.truth.walls] == task.start[task.truth.walls]).all()


def test_a_wall_is_met_where_the_message_says() -> None:
    task = a_task("maze-64-0")
    assert isinstance(task.truth, MazeTruth)
    rollout = Rollout(task, ProtocolName.STUDIO)
    x, y = (value / task.width for value in task.truth.centre(task.truth.route[0]))
    turn = rollout.play(path(x, y, x, y, x, 0.0 if y > 0.5 else 1.0))
    assert turn.outcome is Outcome.REJECTED and turn.contact
    assert turn.contact[0] == pytest.approx(x) and 0 < abs(turn.contact[1] - y) < 1
    good = rollout.play(path(x, y, x, y, x, turn.contact[1] + np.sign(y - turn.contact[1]) * 1e-6))
    assert good.outcome is Outcome.APPLIED, "up to just before the contact the stroke is legal"


def test_practice_has_no_end_to_count_down_to() -> None:
    rollout = Rollout(a_task("maze-64-0"), ProtocolName.PRACTICE)
    message = rollout.play(path(0, 0, 0.5, 0.5, 1, 1)).message
    assert message.endswith("nothing was painted, the step is used.")


@pytest.mark.parametrize("task_id", SMALL)
def test_the_budget_ends_it_and_so_does_a_submit(task_id: str) -> None:
    task = a_task(task_id)
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    for _ in range(task.budget):
        assert rollout.status is Status.OPEN
        rollout.play(UNDO)
    assert rollout.status is Status.SPENT
    with pytest.raises(Closed, match="steps are used"):
        rollout.play(UNDO)
    early = Rollout(task, ProtocolName.BENCHMARK)
    assert early.play(SUBMIT).status is Status.SUBMITTED and early.step == 0
    with pytest.raises(Closed, match="was submitted"):
        early.play(path(*[0.5] * 6))


def test_how_a_player_went_about_it_is_told_from_the_actions() -> None:
    rollout = Rollout(a_task("maze-64-0"), ProtocolName.BENCHMARK)
    truth = rollout.task.truth
    assert isinstance(truth, MazeTruth)
    x, y = (value / 64 for value in truth.centre(truth.route[0]))
    for action in (path(x, y, x, y, x, y), UNDO, path(0, 0, 0, 0.5, 1, 1), UNDO, SUBMIT):
        rollout.play(action)
    found = conduct(rollout.deeds, rollout.task.budget)
    assert found == (0.0, 0.5, 2, 1, 100 * 4 / 128), "a wall and an undo of nothing are rejected"


@pytest.mark.parametrize("task", [*FIVE, a_task("programmatic-01")], ids=lambda task: task.id)
def test_scores_come_back_from_their_record(task: Task) -> None:
    scores = Rollout(task, ProtocolName.BENCHMARK).scores
    record = stored(scores)
    assert record["metric"] == metric_of(scores) == METRICS[task.kind] == task.metric
    assert restored(record) == scores and restored({**record, "metric": f"{task.metric}0"}) == scores


def test_nothing_that_is_not_joined_to_the_start_moves_a_maze_on() -> None:
    task = a_task("maze-256-3")
    truth = task.truth
    assert isinstance(truth, MazeTruth)
    rollout = Rollout(task, ProtocolName.BENCHMARK)
    x, y = (value / 256 for value in truth.centre(truth.route[-1]))
    assert rollout.play(path(x, y, x, y, x, y)).outcome is Outcome.APPLIED
    around = [(0.004, 0.004), (0.996, 0.004), (0.996, 0.996), (0.004, 0.996), (0.004, 0.004)]
    for (a, b), (c, d) in pairwise(around):  # in the margin outside of the walls
        assert rollout.play(path(a, b, (a + c) / 2, (b + d) / 2, c, d)).outcome is Outcome.APPLIED
    assert headline(rollout.scores) == 0.0
