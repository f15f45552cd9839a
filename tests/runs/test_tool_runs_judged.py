"""From tasks to judged answers that people can review, in one wish: the judge and the queue that follow a tool run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from easel_app.runs.judging import Judgings
from easel_app.runs.judging_settings import NewJudging
from easel_app.runs.tool_run_settings import ToolRunView
from easel_app.runs.tool_runs import ToolRuns
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.pictures import identify
from tests.conftest import wait_until
from tests.endpoint import Script, endpoint, with_faults
from tests.endpoint.faults import error
from tests.endpoint.judge import grader
from tests.endpoint.tool_user import sample_judge, samples, tool_user
from tests.runs.answered import SUM, answers, ended, fill, finish, of_model, sandbox, serving_runs, wish

user = tool_user({}, SUM)
both = of_model("j", grader, user)
ITEMS = 2 * 2
"""Of two tasks."""


@pytest.fixture
def runs(studio: Studio, settings: Settings) -> Iterator[ToolRuns]:
    fill(studio, 2)
    with serving_runs(studio, settings) as runs:
        yield runs


def judged(at: Any, **more: Any) -> Any:
    return wish(at, **{"judge": {"model": "j", "required": 3}, **more})


def judging(studio: Studio, view: ToolRunView) -> dict[str, int]:
    assert view.judging_id
    return studio.rubrics.judgings.tallies(view.judging_id)


def test_the_samples_go_from_tasks_to_a_queue_that_people_can_open(studio: Studio, settings: Settings) -> None:
    there = sandbox()
    set_id = next(iter(studio.rubrics.library.names()))
    script = of_model("j", sample_judge, tool_user())
    with endpoint(script) as model, serving_runs(studio, settings, there) as runs:
        view = finish(runs, judged(model, set_id=set_id, network="recorded"))
    tasks, items = studio.rubrics.store.outlines(set_id), studio.rubrics.store.items(set_id)
    assert (view.state, view.done, view.total, view.reason) == ("finished", len(tasks), 12, "")
    assert view.endings == {"answered": sum(task.turns for task in tasks)}
    found = answers(studio, set_id=set_id)
    texts = {play.answer for play in samples().values()}
    assert all(turn.text in texts for each in found for turn in each.turns)
    pictures = [picture for each in found for turn in each.turns for call in turn.calls for picture in call.pictures]
    assert bool(pictures) != bool(there.off)
    for picture in pictures:
        content = studio.rubrics.pictures.get(picture.digest)
        assert content and identify(content) == picture
    tallies = judging(studio, view)
    assert tallies["met"] + tallies["not_met"] == len(items) and min(tallies["met"], tallies["not_met"]) > 0
    (queue,) = [each for each in studio.rubrics.queues.of_set(set_id) if each.queue_id == view.queue_id]
    assert (queue.answers, queue.entries, queue.required, queue.judging_id) == (12, len(items), 3, view.judging_id)
    (score,) = [
        each for each in studio.rubrics.scores.table(set_id, view.judging_id, "weight").models if each.model == "m"
    ]
    assert score.scored == 12 and score.apr.value is not None and 0 < score.apr.value < 1
    assert score.tools.calls == view.tool_calls and score.tools.by_tool == view.by_tool


def test_the_judge_sees_these_answers_only_and_comes_once(studio: Studio, runs: ToolRuns) -> None:
    with endpoint(both) as model:
        other = finish(runs, wish(model, player="other"))
        assert (other.judging_id, other.queue_id) == (None, None)
        view = finish(runs, judged(model))
        assert view.state == "finished" and view.queue_id and sum(judging(studio, view).values()) == ITEMS
        asked = len(model.requests)
        again = finish(runs, judged(model))
        assert (again.judging_id, again.queue_id) == (view.judging_id, view.queue_id) and len(model.requests) == asked
        assert len(studio.rubrics.queues.of_set("small")) == 1
        late = finish(runs, judged(model, player="other"))
        assert late.judging_id == view.judging_id and late.queue_id != view.queue_id
        assert sum(judging(studio, late).values()) == 2 * ITEMS and len(model.requests) == asked + ITEMS


def test_answers_that_come_later_are_judged_and_laid_out_in_a_queue_of_their_own(
    studio: Studio, runs: ToolRuns
) -> None:
    with endpoint(both) as model:
        first = finish(runs, judged(model, most=1))
        second = finish(runs, judged(model, repeats=2))
        third = finish(runs, judged(model, repeats=2, concurrency=2))
    assert sum(judging(studio, second).values()) == 2 * ITEMS
    assert first.queue_id != second.queue_id == third.queue_id and first.judging_id == second.judging_id
    one, other = studio.rubrics.queues.of_set("small")
    assert (one.entries, other.entries, other.answers) == (2, 6, 3) and other.judging_id == second.judging_id
    both_of_them = [studio.rubrics.reviews.standings(queue.queue_id, 0, 0.0) for queue in (one, other)]
    pairs = [(entry.answer, entry.item) for entries in both_of_them for entry in entries]
    assert len(set(pairs)) == len(pairs) == 2 * ITEMS, "nothing is reviewed twice"


def test_a_dialogue_that_becomes_too_long_keeps_no_judge_from_the_others(studio: Studio, runs: ToolRuns) -> None:
    def long(number: int, body: Any, headers: Any) -> Any:
        return error(400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded")

    fault = (long, lambda at, body: body["messages"][-1]["role"] == "tool" and "of t1" in str(body["messages"][1]))
    with endpoint(with_faults(both, fault)) as model:
        view = finish(runs, judged(model))
    assert (view.state, view.done, view.total) == ("finished", 1, 2) and "maximum context" in view.unanswered[0].reason
    assert view.queue_id and sum(judging(studio, view).values()) == 2


def test_no_judge_is_asked_before_all_is_answered(studio: Studio, runs: ToolRuns) -> None:
    fault = (lambda n, b, h: error(503, "overloaded"), lambda at, body: body["model"] == "m" and at > 2)
    with endpoint(with_faults(both, fault)) as model:
        view = finish(runs, judged(model, concurrency=1))
        assert (view.state, view.done, view.judging_id) == ("finished", 1, None)
        assert {request.body["model"] for request in model.requests} == {"m"}


def test_a_stop_stops_the_judge_too_and_both_go_on(studio: Studio, runs: ToolRuns) -> None:
    with endpoint(both, latency=0.2) as model:
        begun = runs.start(judged(model, judge={"model": "j", "concurrency": 1}))
        wait_until(lambda: runs.view(begun.run_id).state == "judging")
        assert runs.view(begun.run_id).done == 2
        wait_until(lambda: runs.view(begun.run_id).judged > 0)
        assert runs.view(begun.run_id).to_judge == ITEMS
        runs.stop(begun.run_id)
        view = ended(runs, begun.run_id)
        assert view.state == "stopped" and "start it again" in view.reason and view.queue_id is None
        assert view.judging_id and Judgings(studio).view(view.judging_id).state == "stopped"
        assert 0 < sum(judging(studio, view).values()) < ITEMS and (view.judged, view.to_judge) == (0, 0)
        done = finish(runs, judged(model, judge={"model": "j", "concurrency": 1}))
        assert done.state == "finished" and done.queue_id and sum(judging(studio, done).values()) == ITEMS
    assert sum(request.body["model"] == "j" for request in model.requests) == ITEMS


def test_a_judge_that_is_at_work_on_other_answers_is_waited_for(studio: Studio, settings: Settings) -> None:
    fill(studio, 2)
    judgings = Judgings(studio, wait=0.001)
    with endpoint(both, latency=0.02) as model, serving_runs(studio, settings, judgings=judgings) as runs:
        finish(runs, wish(model, player="other"))
        first = NewJudging(set_id="small", base_url=model.url, model="j", models=("other",), concurrency=1)
        judgings.start(first)
        view = finish(runs, judged(model))
        assert view.state == "finished" and sum(judging(studio, view).values()) == 2 * ITEMS


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (lambda n, b, h: error(401, "no key"), "The judge j stopped: .*right key"),
        (lambda n, b, h: error(500, "broken"), "The judge j stopped: .*HTTP 500"),
    ],
    ids=["401", "500"],
)
def test_a_judge_that_gives_up_is_told_and_the_answers_stay(
    studio: Studio, runs: ToolRuns, judge: Script, why: str
) -> None:
    with endpoint(of_model("j", judge, user)) as model:
        view = finish(runs, judged(model))
    assert (view.state, view.done, view.queue_id) == ("stopped", 2, None) and len(answers(studio)) == 2
    assert re.search(why, view.reason)


def test_its_limits_are_its_own_and_its_key_is_the_models_only_at_the_same_endpoint(
    studio: Studio, runs: ToolRuns
) -> None:
    def keys(at: Any) -> set[str | None]:
        return {request.headers.get("authorization") for request in at.requests}

    with endpoint(user) as model, endpoint(grader) as judge, endpoint(both) as one:
        elsewhere = {"model": "j", "base_url": judge.url}
        finish(runs, judged(model, key="mine", judge=elsewhere))
        assert (keys(model), keys(judge)) == ({"Bearer mine"}, {None})
        finish(runs, judged(one, player="one", key="mine"))
        assert keys(one) == {"Bearer mine"}
    with endpoint(user) as model, endpoint(grader) as judge:
        tight = {"model": "j", "base_url": judge.url, "most_tokens": 1200, "concurrency": 1}
        view = finish(runs, judged(model, player="two", key="mine", judge_key="its", judge=tight))
        assert keys(judge) == {"Bearer its"} and view.state == "stopped" and "raise the limit" in view.reason
        assert view.calls == 4 and 0 < len(judge.requests) < ITEMS
