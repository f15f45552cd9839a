"""Plannings: a model answers the queries of a set by plans, each stored as it comes, and nothing is asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from easel_app.plans.files import AnswerRecord, Document, QueryRecord
from easel_app.plans.prompting import MOST_SENT, PROMPTS
from easel_app.runs.planning_settings import NewPlanning, PlanningView
from easel_app.runs.plannings import Plannings
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio
from tests.conftest import wait_until
from tests.endpoint import Answer, Script, completion, endpoint, with_faults
from tests.endpoint.app import Running
from tests.endpoint.faults import error
from tests.endpoint.planner import planner, shown
from tests.llm.conftest import free_address
from tests.services.plans.making import SET, add_answer, add_query, make_query, make_set

QUERIES = 6


@pytest.fixture
def plannings(studio: Studio) -> Iterator[Plannings]:
    studio.plans.library.first_look.job = lambda: None  # the sample set would only take time here
    make_set(studio.plans, QUERIES, planners=())
    plannings = Plannings(studio, wait=0.001)
    yield plannings
    plannings.close()


def wish(at: Running | str, **more: Any) -> NewPlanning:
    address = at if isinstance(at, str) else at.url
    return NewPlanning(**{"set_id": SET, "base_url": address, "model": "a-model", **more})


def finish(plannings: Plannings, wanted: NewPlanning) -> PlanningView:
    begun = plannings.start(wanted)
    wait_until(lambda: plannings.view(begun.planning_id).state != "running", 60)
    return plannings.view(begun.planning_id)


def answers(studio: Studio) -> list[AnswerRecord]:
    return [AnswerRecord.model_validate(row.record) for row in studio.plans.store.answers(SET)]


def saying(**message: Any) -> Script:
    return lambda number, body, headers: completion(body, message, **({"finish_reason": "stop"}))


def of(question: str, fault: Script) -> Script:
    """A planner that answers otherwise to the query that holds a word."""
    return with_faults(planner, (fault, lambda number, body: question in shown(body).question))


def test_every_query_is_answered_by_a_plan_that_reads_well_and_tells_how_it_was_made(
    studio: Studio, plannings: Plannings
) -> None:
    with endpoint(planner) as model:
        view = finish(plannings, wish(model, shots=3, index_base=1))
        assert {shown(request.body).examples for request in model.requests} == {3}
    assert (view.state, view.done, view.total, view.planner) == ("finished", QUERIES, QUERIES, "a-model (3-shot)")
    assert view.calls == QUERIES and view.prompt_tokens > 0 and view.cost is None
    found = answers(studio)
    assert len(found) == QUERIES and {each.origin for each in found} == {view.planning_id}
    assert all(PROMPTS[3] in each.note and "three examples" in each.note for each in found)
    for key in studio.plans.store.keys(SET):
        plan = studio.plans.library.read(key.id).plan
        assert [call.params for call in plan.calls] == [{"img_index": 1}, {"img_index": 2}]
        assert not any(problem.severity == "error" for problem in plan.problems)


def test_what_is_there_is_skipped_and_a_larger_draw_goes_on_with_a_smaller_one(
    studio: Studio, plannings: Plannings
) -> None:
    with endpoint(planner) as model:
        few = finish(plannings, wish(model, most=2, seed=7))
        assert (few.done, few.total, len(model.requests)) == (2, 2, 2)
        first = {each.query_id for each in answers(studio)}
        more = finish(plannings, wish(model, most=4, seed=7, concurrency=3))
        assert more.planning_id == few.planning_id and (more.done, len(model.requests)) == (4, 4)
        assert first < {each.query_id for each in answers(studio)}
        again = finish(plannings, wish(model, attempts=2))
        assert (again.done, again.total, len(model.requests)) == (2 * QUERIES, 2 * QUERIES, 2 * QUERIES)
        finish(plannings, wish(model, attempts=2))
        assert len(model.requests) == 2 * QUERIES and again.calls == 2 * QUERIES
    later = Plannings(studio, wait=0.001)
    with pytest.raises(NotFound, match="begin it again"):
        later.view(again.planning_id)
    with endpoint(planner) as model:
        none = finish(later, wish(again.settings["base_url"], attempts=2))
        assert (none.state, none.done, none.calls) == ("finished", 12, 12) and model.requests == []
    assert none.prompt_tokens == again.prompt_tokens > 0
    later.close()


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (saying(content=None, refusal="I will not plan this"), "refuses to answer: “I will not plan this”"),
        (saying(content="  \n"), "answered nothing (finish reason: stop)"),
        (lambda n, body, h: completion(body, {"content": None}, "length"), "used up all tokens"),
        (lambda n, body, h: completion(body, {"content": "Sorry, "}, "content_filter"), "content filter"),
        (lambda n, body, h: error(400, "Blocked by our content policy", "content_policy_violation"), "HTTP 400"),
    ],
    ids=["refusal", "empty", "length", "filter", "policy"],
)
def test_an_answer_that_is_none_is_stored_with_the_reason_and_not_asked_again(
    studio: Studio, plannings: Plannings, fault: Script, why: str
) -> None:
    with endpoint(of("mill 3", fault)) as model:
        view = finish(plannings, wish(model))
        assert (view.state, view.done, view.no_output) == ("finished", QUERIES, 1)
        asked = len(model.requests)
        finish(plannings, wish(model))
        assert len(model.requests) == asked
    (none,) = [each for each in answers(studio) if each.no_output]
    assert (none.query_id, none.text) == ("q3", "") and why in none.no_output


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (lambda n, body, h: error(503, "overloaded"), "HTTP 503"),
        (lambda n, body, h: Answer(b"", ending="cut"), "usable answer"),
        (lambda n, body, h: error(400, "messages[0].content must be a string"), "HTTP 400"),
    ],
    ids=["503", "cut", "400"],
)
def test_what_the_endpoint_did_not_answer_is_not_stored_and_asked_another_time(
    studio: Studio, plannings: Plannings, fault: Script, why: str
) -> None:
    with endpoint(of("mill 3", fault)) as model:
        view = finish(plannings, wish(model))
    assert (view.state, view.done, view.total) == ("finished", QUERIES - 1, QUERIES)
    assert [each.queries for each in view.unanswered] == [1] and why in view.unanswered[0].reason
    assert "q3" not in {each.query_id for each in answers(studio)}
    with endpoint(planner) as model:
        done = finish(plannings, wish(model, base_url=model.url, planner="another"))
    assert done.done == QUERIES


def test_a_reply_that_was_cut_off_or_holds_anything_is_kept_as_it_is(studio: Studio, plannings: Plannings) -> None:
    text = "<think>x</think>\0 Words \u202e <tool>{" + "é😀" * 100
    with endpoint(lambda n, body, h: completion(body, {"content": text}, "length")) as model:
        finish(plannings, wish(model, most=1, max_tokens=50))
        assert model.requests[0].body["max_tokens"] == 50
    (kept,) = answers(studio)
    assert kept.text == text and "cut off" in kept.note and "at most 50 tokens" in kept.note and not kept.no_output


def test_a_limit_holds_over_sittings_and_what_was_used_is_told(studio: Studio, plannings: Plannings) -> None:
    prices = {"price_prompt": 1.0, "price_completion": 1.0, "concurrency": 1}
    with endpoint(planner) as model:
        first = finish(plannings, wish(model, most=2, **prices))
        assert first.cost is not None and first.cost > 0
        limit = first.cost * 1.2
        stopped = finish(plannings, wish(model, most_money=limit, **prices))
        assert (stopped.state, stopped.done) == ("stopped", 2) and "raise the limit" in stopped.reason
        assert len(model.requests) == 2
        on = finish(plannings, wish(model, most_money=limit * 9, **prices))
        assert on.state == "finished" and on.cost is not None and on.cost > limit
        assert on.cost == pytest.approx((on.prompt_tokens + on.completion_tokens) / 1e6)


def test_one_that_was_stopped_or_cut_off_goes_on_where_it_stood(studio: Studio, plannings: Plannings) -> None:
    with endpoint(planner, latency=0.05) as model:
        begun = plannings.start(wish(model, concurrency=1))
        wait_until(lambda: plannings.view(begun.planning_id).done > 0)
        with pytest.raises(Conflict, match="under way with another choice"):
            plannings.start(wish(model, concurrency=2))
        assert plannings.start(wish(model, concurrency=1)).planning_id == begun.planning_id
        plannings.stop(begun.planning_id)
        wait_until(lambda: plannings.view(begun.planning_id).state != "running")
        stopped = plannings.view(begun.planning_id)
        assert stopped.state == "stopped" and "start it again" in stopped.reason and 0 < stopped.done < QUERIES
        done = finish(plannings, wish(model))
        assert (done.state, done.done) == ("finished", QUERIES)
        assert len(model.requests) == QUERIES and len(answers(studio)) == QUERIES


def test_a_planner_whose_answers_were_made_otherwise_is_not_mixed(studio: Studio, plannings: Plannings) -> None:
    row = add_query(studio.plans, make_query(studio.plans, 1))
    add_answer(studio.plans, row, AnswerRecord(query_id="q1", planner="a-model", text="By hand."))
    with endpoint(planner) as model:
        with pytest.raises(Conflict, match="give another planner's name"):
            plannings.start(wish(model))
        warm = finish(plannings, wish(model, planner="warm", temperature=1.0))
        assert warm.done == QUERIES
        with pytest.raises(Conflict, match="other settings"):
            plannings.start(wish(model, planner="warm", temperature=0.5))
    assert len(answers(studio)) == QUERIES + 1


def test_two_plannings_never_write_in_one_name_side_by_side(studio: Studio, plannings: Plannings) -> None:
    with endpoint(planner, latency=0.1) as model:
        begun = plannings.start(wish(model, planner="same", temperature=0.0, concurrency=1))
        with pytest.raises(Conflict, match="Another planning is answering in the name 'same'"):
            plannings.start(wish(model, planner="same", temperature=1.0))
        plannings.start(wish(model, planner="other", temperature=1.0))
        wait_until(lambda: plannings.view(begun.planning_id).state == "finished", 60)
    assert {each.origin for each in answers(studio) if each.planner == "same"} == {begun.planning_id}


def test_an_answer_that_came_meanwhile_stops_it_and_is_not_counted_as_its_own(
    studio: Studio, plannings: Plannings
) -> None:
    def imported(number: int, body: dict[str, Any], headers: Any) -> Answer:
        row = add_query(studio.plans, make_query(studio.plans, 1))
        add_answer(studio.plans, row, AnswerRecord(query_id="q1", planner="a-model", text="By hand."))
        return planner(number, body, headers)

    with endpoint(imported) as model:
        view = finish(plannings, wish(model, concurrency=1))
    assert view.state == "stopped" and "another answer of 'a-model' came into the set" in view.reason
    assert [each.text for each in answers(studio) if each.query_id == "q1"] == ["By hand."]
    assert view.done == len(answers(studio)) - 1


def test_an_endpoint_that_is_not_there_or_wants_a_key_stops_it_and_nothing_is_stored(
    studio: Studio, plannings: Plannings
) -> None:
    gone = finish(plannings, wish(free_address(), concurrency=1))
    assert gone.state == "stopped" and "check that it runs" in gone.reason
    with endpoint(lambda n, body, h: error(401, "no key")) as model:
        locked = finish(plannings, wish(model, planner="locked"))
        assert locked.state == "stopped" and "right key" in locked.reason and len(model.requests) <= 8
    assert answers(studio) == []


def test_pictures_of_the_pool_are_sent_where_their_files_are(studio: Studio, plannings: Plannings) -> None:
    with endpoint(planner) as model:
        finish(plannings, wish(model, pictures="pool", most=1))
        (request,) = model.requests
        seen = shown(request.body)
        assert seen.pictures == [0, 1] and len(seen.sent) == 1 and seen.sent[0].startswith("data:image/jpeg;base64,")
        assert "its file is missing" in request.body["messages"][-1]["content"][0]["text"]


def test_a_query_that_is_too_long_is_told_and_the_others_go_on(studio: Studio, plannings: Plannings) -> None:
    long = QueryRecord(id="long", query="x", documents=(Document(text="y" * MOST_SENT),))
    add_query(studio.plans, long)
    with endpoint(planner) as model:
        view = finish(plannings, wish(model))
    assert (view.state, view.done, view.total) == ("finished", QUERIES, QUERIES + 1)
    assert "at most 400,000 are sent" in view.unanswered[0].reason


def test_wishes_that_cannot_be_are_refused(plannings: Plannings, studio: Studio) -> None:
    with pytest.raises(NotFound, match="no set of plans"):
        plannings.start(wish("http://127.0.0.1:9/v1", set_id="nowhere"))
    make_set(studio.plans, 0, planners=(), set_id="empty")
    with pytest.raises(Invalid, match="no queries"):
        plannings.start(wish("http://127.0.0.1:9/v1", set_id="empty"))
    with pytest.raises(NotFound, match="no planning"):
        plannings.view("nothing")
    for wrong in ({"shots": 1}, {"model": "m" * 80, "shots": 3}, {"base_url": "ftp://x"}, {"most": 0}):
        with pytest.raises(ValueError):
            wish("http://127.0.0.1:9/v1", **wrong)
