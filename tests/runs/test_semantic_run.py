"""A run plays the five semantic tasks: what a model is shown, what its table says, and who plays what."""

from __future__ import annotations

import json
from typing import Any

import pytest

from easel_app.painting.env import catalogue
from easel_app.painting.stroke import PATH_FIELDS
from easel_app.painting.tasks import SEMANTIC
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.services.problems import Invalid
from easel_app.services.studio import Studio
from tests.endpoint import endpoint, painter
from tests.endpoint.app import Answer, Body, Headers, Running
from tests.endpoint.painter import pictures, say, words
from tests.runs.conftest import actions, finish

FIVE = [task.id for task in catalogue() if task.category == SEMANTIC]


def wish(at: Running, **more: Any) -> NewRun:
    return NewRun(**{"base_url": at.url, "model": "scripted", "categories": [SEMANTIC], **more})


def test_the_five_are_played_with_the_last_three_turns_and_the_published_columns_come_out(
    runs: Runs, studio: Studio
) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model, concurrency=4))
        assert (view.state, view.attempts.done, view.steps.done, view.calls) == ("finished", 5, 512, 512)
        assert view.summary == [] and view.semantic
        assert {row.task: row.metric for row in view.semantic.scores} == dict(
            zip(FIVE, ["outline/1", "outline/1", "handwriting/1", "maze/1", "maze/1"], strict=True)
        )
        rows = view.semantic.scores
        assert all(0 <= row.score <= 1 and row.n == row.sessions == 1 and row.low is None for row in rows)
        log = [entry for entries in actions(studio, view.run_id).values() for entry in entries]
        walls = [entry for entry in log if entry[3] == "rejected"]
        assert view.semantic.maze_invalid_rate and len(walls) > 10, "random strokes meet walls"
        assert (view.semantic.maze_undos, view.semantic.other_undos, view.semantic.submit_percent) == (0.0, 0.0, 100.0)
        for request in model.requests:
            text = words(request.body)
            assert text.count("- brush_stroke {") <= 3
            tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in request.body["tools"]}
            assert list(tools) == ["brush_stroke", "undo", "submit"]
            assert list(tools["brush_stroke"]["properties"]) == list(PATH_FIELDS)
            assert len(pictures(request.body)) == (1 if "the word" in text else 2)
        texts = [words(request.body) for request in model.requests]
        told = "-> rejected: The stroke touches a wall at ("
        assert any(told in text for text in texts), "what a wall did is told in the turns that follow"
        steps = [text.count("- brush_stroke {") for text in texts]
        assert sorted(set(steps)) == [0, 1, 2, 3]


def test_undo_and_submit_of_a_model_are_counted_as_published(runs: Runs) -> None:
    def draws_and_regrets(number: int, body: Body, headers: Headers) -> Answer:
        turn = words(body).count("\n- ")
        if turn == 0:
            return painter(number, body, headers)
        return say(body, {}, name="undo" if turn == 1 else "submit")

    with endpoint(draws_and_regrets) as model:
        view = finish(runs, wish(model, concurrency=1))
    found = view.semantic
    assert view.state == "finished" and found
    assert (found.maze_undos, found.other_undos) == (2.0, 3.0)
    assert found.submit_percent == pytest.approx(100 * (2 / 64 * 2 + 2 / 128 * 3) / 5)
    assert found.draw_undo_loops is not None and found.draw_undo_loops >= 3


def test_generated_tasks_are_one_row_with_an_interval_over_them(runs: Runs) -> None:
    tasks = [f"maze-64-{seed}" for seed in range(6)]
    view = finish(runs, NewRun(player="solver", tasks=tasks))
    assert view.state == "finished" and view.semantic
    (row,) = view.semantic.scores
    assert (row.task, row.n, row.sessions, row.score, row.low, row.high) == ("maze-64", 6, 6, 1.0, 1.0, 1.0)
    assert view.semantic.maze_invalid_rate == 0.0 and view.semantic.other_undos is None


@pytest.mark.parametrize("player, tasks", [("tracer", FIVE[:2]), ("writer", FIVE[2:3]), ("solver", FIVE[3:])])
def test_a_painter_plays_the_tasks_that_it_can(runs: Runs, player: str, tasks: list[str]) -> None:
    view = finish(runs, NewRun(player=player, categories=[SEMANTIC]))
    assert view.semantic and [row.task for row in view.semantic.scores] == tasks
    assert all(row.score >= 0.95 for row in view.semantic.scores)


def test_a_painter_that_can_play_none_of_them_is_told_so(runs: Runs) -> None:
    with pytest.raises(Invalid, match="No task that greedy can paint is in the choice"):
        runs.start(NewRun(player="greedy", categories=[SEMANTIC]))
    with pytest.raises(Invalid, match="There is no task 'maze-65-1'"):
        runs.start(NewRun(player="solver", tasks=["maze-65-1"]))


@pytest.mark.parametrize("coordinates", ["float", "integer"])
@pytest.mark.parametrize("calling", ["tools", "text"])
def test_every_form_of_asking_takes_paths(runs: Runs, studio: Studio, coordinates: str, calling: str) -> None:
    with endpoint(painter) as model:
        view = finish(
            runs, wish(model, tasks=["circle-outline"], categories=None, coordinates=coordinates, calling=calling)
        )
        assert (view.state, view.invalid, view.steps.done) == ("finished", 0, 64)
        (entries,) = actions(studio, view.run_id).values()
        assert all(list(params) == list(PATH_FIELDS) for _, _, params, *_ in entries)
        assert json.dumps(model.requests[0].body).count("radius") == 0
