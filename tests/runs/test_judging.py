"""A judging: what is asked and recorded, how it goes on, what stops it, and every fault on the way."""

from __future__ import annotations

import io
import json
import secrets
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import SecretStr, ValidationError

from easel_app.rubrics.judge import MOST_SENT, PROMPT, SYSTEM
from easel_app.runs.asking import MOST_IN_VAIN
from easel_app.runs.judging import MOST_JUDGINGS, Judgings
from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Busy, Conflict, Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.pictures import identify
from easel_app.store.judges import JudgingEvent, JudgingRecord
from easel_app.store.judgings import VerdictRow
from tests.conftest import wait_until
from tests.endpoint import Answer, Body, Headers, completion, endpoint, every, once, with_faults
from tests.endpoint.faults import error
from tests.endpoint.judge import asked, grader, met, saying, verdict
from tests.endpoint.painter import pictures, words
from tests.full_disk import no_room
from tests.rubrics.making import AT, answer, put, task
from tests.runs.judged import PAIRS, ended, finish, rows, verdicts, wish


@pytest.fixture(autouse=True)
def no_sample(studio: Studio) -> None:
    """The sample set, which comes in when sets are first looked at, would only take time here."""
    studio.rubrics.library.first_look.job = lambda: None


# ---------------------------------------------------------------- what is asked and recorded


def test_every_item_of_every_answer_is_a_call_of_its_own(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(grader) as model:
        view = finish(judgings, wish(model))
    assert (view.state, view.total, view.done, view.met, view.not_met, view.unscored) == ("finished", 16, 16, 8, 8, 0)
    assert view.calls == len(model.requests) == PAIRS and view.prompt_tokens > 0 and view.elapsed > 0
    described = {row.id: row.description for row in studio.rubrics.store.items(small)}
    for row in rows(studio, view):
        assert (row.verdict == "met") == ("blue" in described[row.item])
        assert row.evidence == ("blue" if row.verdict == "met" else "") and row.reason and row.how == "strict"
    assert judgings.every(small) == [view]


def test_a_judge_sees_one_turn_and_neither_weights_nor_flags(judgings: Judgings, studio: Studio) -> None:
    one = task("t1", turns=2, words=["blue"])
    set_id = put(studio.rubrics.store, [one], [answer(one, texts=["First, blue.", "Then, seven."])])
    with endpoint(grader) as model:
        finish(judgings, wish(model, set_id))
        first, second = sorted((asked(request.body) for request in model.requests), key=lambda seen: seen.question)
    assert (first.answer, second.answer) == ("First, blue.", "Then, seven.")
    assert "Question 1" in first.question and "Question 2" in second.question
    for request in model.requests:
        told = words(request.body)
        assert not ("Question 1" in told and "Question 2" in told)
        for hidden in ("weight", "subjective", "critical", "region_switch", "t1-1-0", "model-a"):
            assert hidden not in told.lower()


def test_what_was_asked_said_and_used_stands_with_each_verdict(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(with_faults(grader, ("500", once()))) as model:
        view = finish(judgings, wish(model, price_prompt=1.0, price_completion=10.0))
        sent = {json.dumps(request.body["messages"][1]) for request in model.requests}
    found = rows(studio, view)
    for row in found:
        assert row.exchange
        ((exchange,),) = [json.loads(row.exchange)]
        assert exchange["messages"][0] == {"role": "system", "prompt": PROMPT} and exchange["repeated"] == 0
        assert json.dumps(exchange["messages"][1]) in sent
        assert exchange["parameters"] == {"temperature": 0.0} and exchange["form"] == "json_schema"
        assert json.loads(exchange["reply"]["choices"][0]["message"]["content"])["verdict"] == row.verdict
        assert row.prompt_tokens and row.completion_tokens and row.latency and row.cost
    assert sum(len(json.loads(row.exchange or "")[0]["retries"]) for row in found) == 1
    assert view.cost == pytest.approx((view.prompt_tokens + 10 * view.completion_tokens) / 1e6)
    (record,) = studio.rubrics.judgings.judgings(small)
    assert (record.judge, record.origin) == ("a-judge", "run")
    assert record.settings["prompt"] == PROMPT and record.settings["system"] == SYSTEM
    assert (record.settings["temperature"], record.settings["pictures"]) == (0.0, "none")


def test_a_second_question_is_recorded_as_far_as_it_is_new(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(saying(lambda shown, own: "It is met.", lambda shown, own: own)) as model:
        view = finish(judgings, wish(model))
        assert len(model.requests) == 2 * PAIRS and view.done == PAIRS
    for row in rows(studio, view):
        first, second = json.loads(row.exchange or "")
        assert (len(first["messages"]), second["repeated"], row.how) == (2, 2, "repaired turn")
        assert [message["role"] for message in second["messages"]] == ["assistant", "user"]
        assert row.prompt_tokens == sum(each["reply"]["usage"]["prompt_tokens"] for each in (first, second))


def test_what_cannot_be_read_is_unscored_with_the_reason_and_the_exchange(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    def sometimes(number: int, body: Body, headers: Headers) -> Answer:
        shown = asked(body)
        return completion(body, {"content": "Perhaps." if not met(shown) else verdict(shown)})

    with endpoint(sometimes) as model:
        view = finish(judgings, wish(model))
    assert (view.state, view.done, view.met, view.not_met, view.unscored) == ("finished", 8, 8, 0, 8)
    unscored = [row for row in rows(studio, view) if row.verdict is None]
    assert len(unscored) == 8
    for row in unscored:
        assert "no complete JSON object" in row.unscored and "Perhaps." in (row.exchange or "")
    assert [(why.items, "no complete JSON object" in why.reason) for why in view.unscored_for] == [(8, True)]


def test_a_temperature_that_is_not_taken_is_left_out_and_that_is_told(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    cold = "Unsupported value: 'temperature' does not support 0 with this model."
    with endpoint(
        with_faults(grader, (lambda *_: error(400, cold), lambda number, body: "temperature" in body))
    ) as model:
        view = finish(judgings, wish(model, concurrency=1))
        assert [("temperature" in request.body) for request in model.requests] == [True] + [False] * PAIRS
    assert (view.state, view.left_out) == ("finished", ["temperature"])
    assert judgings.every(small)[0].left_out == ["temperature"]
    for row in rows(studio, view):
        (exchange,) = json.loads(row.exchange or "")
        assert (exchange["parameters"], exchange["left_out"]) == ({}, ["temperature"])


def test_the_pictures_of_the_turn_are_shown_when_asked_for(judgings: Judgings, studio: Studio) -> None:
    file = io.BytesIO()
    Image.new("RGB", (2000, 1000), "blue").save(file, "PNG")
    kept = identify(file.getvalue())
    studio.rubrics.pictures.put(file.getvalue())
    gone = kept.model_copy(update={"digest": "0" * 64})
    seen, lost = task("t1", pictures=[kept]), task("t2", pictures=[kept, gone])
    put(studio.rubrics.store, [seen, lost], [answer(seen), answer(lost)])
    with endpoint(grader) as model:
        text = finish(judgings, wish(model))
        assert not any(pictures(request.body) for request in model.requests)
        before = len(model.requests)
        view = finish(judgings, wish(model, pictures="task"))
        assert {len(pictures(request.body)) for request in model.requests[before:]} == {1}
    assert text.judging_id != view.judging_id
    assert (text.done, view.done, view.unscored) == (4, 2, 2)
    assert [why.reason for why in view.unscored_for] == [
        "Picture 2 of the question cannot be shown to the judge: its file is gone."
    ]
    exchanges = "".join(row.exchange or "" for row in rows(studio, view))
    assert kept.digest in exchanges and "base64" not in exchanges


def test_an_answer_too_long_to_send_is_unscored_and_never_cut(judgings: Judgings, studio: Studio) -> None:
    one = task("t1")
    texts = {"long": "blue " + "x" * (MOST_SENT - 5), "longer": "blue " + "x" * (MOST_SENT - 4), "mb": "x" * 2**20}
    put(studio.rubrics.store, [one], [answer(one, name, [text]) for name, text in texts.items()])
    with endpoint(grader) as model:
        for _ in range(2):
            view = finish(judgings, wish(model))
        assert {asked(request.body).answer for request in model.requests} == {texts["long"]}
        assert len(model.requests) == 2, "what has a verdict is not asked about again"
    assert (view.state, view.done, view.unscored) == ("finished", 2, 4)
    assert {why.reason for why in view.unscored_for} == {
        "The answer has 200,001 characters, and at most 200,000 are sent to a judge.",
        "The answer has 1,048,576 characters, and at most 200,000 are sent to a judge.",
    }
    assert view.prompt_tokens == judgings.view(view.judging_id).prompt_tokens


# ---------------------------------------------------------------- going on


def test_the_same_again_asks_nothing_and_unscored_items_are_tried_again(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    script = with_faults(grader, ("prose-refusal", lambda number, body: number < 6))
    with endpoint(script) as model:
        view = finish(judgings, wish(model, concurrency=1))
        assert (view.state, view.done, view.unscored) == ("finished", 13, 3)
        before = len(model.requests)
        again = finish(judgings, wish(model, concurrency=2))
        assert (again.judging_id, again.done, again.unscored) == (view.judging_id, PAIRS, 0)
        assert len(model.requests) == before + 3
        last = finish(judgings, wish(model))
        assert (last.state, last.done, len(model.requests)) == ("finished", PAIRS, before + 3)
    assert judgings.resume(view.judging_id).state in ("running", "finished")


def test_a_stopped_judging_records_what_is_under_way_and_goes_on_to_the_same_end(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    with endpoint(grader) as model:
        whole = verdicts(studio, finish(judgings, wish(model, name="whole")))
    with endpoint(grader, latency=0.05) as model:
        view = judgings.start(wish(model, concurrency=3))
        wait_until(lambda: judgings.view(view.judging_id).done >= 3)
        judgings.stop(view.judging_id)
        view = ended(judgings, view.judging_id)
        assert (view.state, view.reason) == ("stopped", "Stopped on demand; start it again to go on.")
        assert 3 <= view.done == len(model.requests) == view.calls < PAIRS
        view = ended(judgings, judgings.resume(view.judging_id).judging_id)
        assert (view.state, view.reason, len(model.requests)) == ("finished", "", PAIRS)
    assert verdicts(studio, view) == whole


def test_what_was_never_tried_goes_before_what_spoiled_the_judges_reply(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    with endpoint(with_faults(grader, ("prose-refusal", lambda number, body: number < 4))) as model:
        view = finish(judgings, wish(model, concurrency=1, most_items=2))
        assert view.unscored == 2
        before = len(model.requests)
        finish(judgings, wish(model, concurrency=1))
        order = [(asked(sent.body).question, asked(sent.body).criterion) for sent in model.requests]
    assert len(order[before:]) == PAIRS and {order[0], order[2]} == set(order[-2:])


def test_a_second_judge_stands_beside_the_first(judgings: Judgings, studio: Studio, small: str) -> None:
    strict = saying(lambda shown, own: verdict(shown, lambda _: False))
    with endpoint(grader) as first, endpoint(strict) as second:
        views = [judgings.start(wish(first)), judgings.start(wish(second, name="a strict one"))]
        views = [ended(judgings, view.judging_id) for view in views]
    assert [(view.judge, view.met) for view in views] == [("a-judge", 8), ("a strict one", 0)]
    assert [view.judging_id for view in judgings.every(small)] == [view.judging_id for view in views]


@pytest.mark.parametrize(
    "other",
    [{"model": "b"}, {"name": "b"}, {"pictures": "task"}, {"temperature": None}, {"temperature": 1.0}],
)
def test_other_settings_are_another_judging(other: dict[str, Any]) -> None:
    given = {"set_id": "small", "base_url": "http://127.0.0.1:9/v1", "model": "a"}
    first = NewJudging(**given).settings.judging_id
    assert NewJudging(**given, concurrency=2, seed=5, most_items=3, key="k").settings.judging_id == first
    assert NewJudging(**{**given, **other}).settings.judging_id != first
    assert NewJudging(**{**given, "set_id": "b"}).settings.judging_id != first
    assert NewJudging(**{**given, "base_url": "http://127.0.0.1:8/v1"}).settings.judging_id != first


def test_a_choice_may_grow_and_holds_the_smaller_one(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(grader) as model:
        few = finish(judgings, wish(model, most_items=5, seed=3))
        assert (few.total, few.done, len(model.requests)) == (5, 5, 5)
        first = set(verdicts(studio, few))
        more = finish(judgings, wish(model, most_items=9, seed=3))
        assert (more.total, more.done, len(model.requests)) == (9, 9, 9)
        assert first < set(verdicts(studio, more))
        other = finish(judgings, wish(model, name="other", most_items=5, seed=4))
        assert set(verdicts(studio, other)) != first
        one = finish(judgings, wish(model, models=["model-b"]))
        assert (one.total, one.done) == (8, 8)
    with pytest.raises(Invalid, match="no answer of 'nobody' in the set; there are answers of model-a, model-b"):
        judgings.start(wish(model, models=["nobody"]))


def test_two_that_start_the_same_judging_at_once_share_it(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(grader, latency=0.02) as model:
        views: list[JudgingView] = []
        threads = [threading.Thread(target=lambda: views.append(judgings.start(wish(model)))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with pytest.raises(Conflict, match="another choice or other limits"):
            judgings.start(wish(model, concurrency=2))
        assert len({view.judging_id for view in views}) == 1
        assert ended(judgings, views[0].judging_id).done == len(model.requests) == PAIRS
    assert [event.name for event in studio.rubrics.judgings.events(views[0].judging_id)] == ["begun", "ended"]


def test_stopped_while_it_starts_it_ends_and_can_go_on(judgings: Judgings, small: str) -> None:
    with endpoint(grader, latency=0.02) as model:
        for _ in range(5):
            view = judgings.start(wish(model, concurrency=2))
            judgings.stop(view.judging_id)
            if judgings.view(view.judging_id).state == "running":
                with pytest.raises(Conflict, match="about to stop"):
                    judgings.start(wish(model, concurrency=2))
            assert ended(judgings, view.judging_id).state in ("stopped", "finished")
        view = ended(judgings, judgings.resume(view.judging_id).judging_id)
        assert (view.state, view.done, view.calls) == ("finished", PAIRS, len(model.requests))


def test_a_judging_cut_off_by_the_end_of_its_server_is_told_and_goes_on(
    studio: Studio, settings: Settings, small: str
) -> None:
    judgings = Judgings(studio)
    with endpoint(grader, latency=0.05) as model:
        view = judgings.start(wish(model, concurrency=2))
        wait_until(lambda: judgings.view(view.judging_id).done > 2)
        judgings.close()
        studio.close()
        studio = Studio(settings)
        judgings = Judgings(studio)
        (stopped,) = judgings.every(small)
        assert stopped.state == "stopped" and "The server was stopped" in stopped.reason
        assert (stopped.total, stopped.done) == (PAIRS, len(model.requests))
        # as a killed one leaves it: a beginning without an end
        studio.rubrics.judgings.happened(view.judging_id, JudgingEvent("begun", stopped.plan, AT))
        assert judgings.view(view.judging_id).state == "interrupted"
        done = ended(judgings, judgings.resume(view.judging_id).judging_id)
        assert (done.state, done.done, done.calls) == ("finished", PAIRS, PAIRS)
    judgings.close()
    studio.close()


# ---------------------------------------------------------------- limits


def test_a_limit_of_tokens_holds_over_all_sittings(judgings: Judgings, small: str) -> None:
    with endpoint(grader) as model:
        view = finish(judgings, wish(model, most_tokens=5000, concurrency=2))
        assert view.state == "stopped" and "raise the limit" in view.reason and 0 < view.done < PAIRS
        assert view.prompt_tokens + view.completion_tokens <= 5000
        again = finish(judgings, wish(model, most_tokens=5000, concurrency=2))
        assert (again.state, again.done) == ("stopped", view.done) and "raise the limit" in again.reason
        whole = finish(judgings, wish(model, most_tokens=10**6))
        assert (whole.state, whole.done, len(model.requests)) == ("finished", PAIRS, PAIRS)


def test_a_limit_of_money_needs_prices_and_holds(judgings: Judgings, small: str) -> None:
    with pytest.raises(ValidationError, match="price_prompt"):
        NewJudging(set_id=small, base_url="http://127.0.0.1:9/v1", model="m", most_money=1)
    prices = {"price_prompt": 2.0, "price_completion": 8.0}
    with endpoint(grader) as model:
        view = finish(judgings, wish(model, most_money=0.01, concurrency=1, **prices))
        assert view.state == "stopped" and view.cost and view.cost <= 0.01 and view.unscored == 0


def test_an_endpoint_that_counts_nothing_cannot_be_held_to_a_limit(judgings: Judgings, small: str) -> None:
    def uncounted(number: int, body: Body, headers: Headers) -> Answer:
        return Answer({**dict(grader(number, body, headers).body), "usage": None})  # type: ignore[call-overload]

    with endpoint(uncounted) as model:
        view = finish(judgings, wish(model, most_tokens=10**6, concurrency=1))
        assert view.state == "stopped" and "does not tell how many tokens" in view.reason and view.done == 1
        assert finish(judgings, wish(model)).done == PAIRS


# ---------------------------------------------------------------- faults

PASSING = ["429", "429-seconds", "500", "503-html", "cut", "flood", "error-in-200"]
FATAL = {"401-echo": "right key", "404-model": "name of the model"}


@pytest.mark.parametrize("fault", PASSING)
def test_what_passes_is_waited_for_and_leaves_no_mark_on_the_verdicts(
    judgings: Judgings, small: str, fault: str
) -> None:
    with endpoint(with_faults(grader, (fault, every(5)))) as model:
        view = finish(judgings, wish(model))
        assert (view.state, view.met, view.not_met, view.calls) == ("finished", 8, 8, PAIRS)
        assert len(model.requests) > PAIRS


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_an_answer_that_never_comes_is_given_up_and_asked_for_again(judgings: Judgings, small: str, fault: str) -> None:
    with endpoint(with_faults(grader, (fault, once()))) as model:
        view = finish(judgings, wish(model, timeout=0.3))
        assert (view.state, view.done, len(model.requests)) == ("finished", PAIRS, PAIRS + 1)


@pytest.mark.parametrize("fault", FATAL)
def test_what_no_retry_mends_stops_the_judging_and_leaves_the_items_open(
    judgings: Judgings, small: str, fault: str
) -> None:
    canary = "sk-canary-of-the-judge"
    with endpoint(with_faults(grader, (fault, lambda number, body: number >= 5))) as model:
        view = finish(judgings, wish(model, key=canary, concurrency=2))
        assert (view.state, view.done, view.unscored) == ("stopped", 5, 0) and FATAL[fault] in view.reason
        assert canary not in view.model_dump_json()
    with endpoint(grader) as model:  # the same endpoint, mended, would be the same judging
        assert finish(judgings, wish(model)).done == PAIRS


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("refusal", "refuses to answer"), ("filter", "content filter"), ("empty", "it is empty")],
)
def test_a_judge_that_never_judges_is_given_up(judgings: Judgings, studio: Studio, fault: str, reason: str) -> None:
    tasks = [task(f"t{n}") for n in range(MOST_IN_VAIN)]
    put(studio.rubrics.store, tasks, [answer(each) for each in tasks])
    with endpoint(with_faults(grader, (fault, lambda number, body: True))) as model:
        view = finish(judgings, wish(model, concurrency=1))
    assert (view.state, view.done, view.unscored) == ("stopped", 0, MOST_IN_VAIN)
    assert f"The first {MOST_IN_VAIN} items brought no verdict" in view.reason and reason in view.reason
    assert all(reason in why.reason for why in view.unscored_for) and view.prompt_tokens > 0


def test_an_answer_that_the_endpoint_refuses_does_not_end_the_others(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    bad = task("bad", words=["blue"] * 12)
    put(studio.rubrics.store, [bad], [answer(bad, "model-a", ["forbidden words"])], small)
    refused = lambda *_: error(400, "This text is not allowed.")  # noqa: E731
    forbidden = lambda number, body: "forbidden words" in words(body)  # noqa: E731
    with endpoint(with_faults(grader, (refused, forbidden))) as model:
        view = finish(judgings, wish(model, concurrency=4))
    assert (view.state, view.done, view.unscored, view.total) == ("finished", PAIRS, 12, PAIRS + 12)
    (why,) = view.unscored_for
    assert why.items == 12 and "not allowed" in why.reason


def test_an_endpoint_that_is_gone_stops_the_judging(judgings: Judgings, small: str) -> None:
    wanted = NewJudging(set_id=small, base_url="http://127.0.0.1:9/v1", model="m", concurrency=2)
    view = finish(judgings, wanted)
    assert view.state == "stopped" and "in 3 tries" in view.reason and "check that it runs" in view.reason
    assert view.done == view.calls == 0 or view.calls == view.unscored <= 5


def test_a_judging_that_waits_for_its_endpoint_stops_at_once(studio: Studio, small: str) -> None:
    judgings = Judgings(studio)  # with waits as long as they really are
    later = lambda *_: error(429, "Slow down.", retry_after="100")  # noqa: E731
    with endpoint(with_faults(grader, (later, lambda number, body: number >= 3))) as model:
        view = judgings.start(wish(model))
        wait_until(lambda: judgings.view(view.judging_id).trouble == "HTTP 429")
        judgings.stop(view.judging_id)
        wait_until(lambda: judgings.view(view.judging_id).state == "stopped", 60)
        assert judgings.view(view.judging_id).unscored == 0
    judgings.close()


def test_what_was_paid_for_before_a_stop_is_recorded(judgings: Judgings, studio: Studio, small: str) -> None:
    def script(number: int, body: Body, headers: Headers) -> Answer:
        return error(402, "No credit.") if number else completion(body, {"content": "Let me see."})

    with endpoint(script) as model:
        view = finish(judgings, wish(model, concurrency=1))
    assert view.state == "stopped" and "No credit" in view.reason
    (row,) = rows(studio, view)
    assert "No credit" in row.unscored and "Let me see." in (row.exchange or "") and row.prompt_tokens > 0


@pytest.mark.parametrize("text", ["{" * 10**6, "x" * 10**6, '{"reason": "' + "x" * 10**6])
def test_an_endless_reply_is_no_verdict_and_is_kept_in_part(judgings: Judgings, studio: Studio, text: str) -> None:
    one = task("t1", words=["blue"])
    put(studio.rubrics.store, [one], [answer(one)])
    with endpoint(lambda number, body, headers: completion(body, {"content": text})) as model:
        view = finish(judgings, wish(model))
        assert all(len(json.dumps(request.body)) < 10**5 for request in model.requests), "it is not sent back"
    (row,) = rows(studio, view)
    assert row.verdict is None and len(row.exchange or "") < 10**6
    assert json.loads(row.exchange or "")[0]["reply"]["shortened_from"] > 10**6


# ---------------------------------------------------------------- permission


def test_the_hosts_rules_for_endpoints_hold(studio: Studio, small: str) -> None:
    with endpoint(grader) as friend, endpoint(grader) as stranger:
        with pytest.raises(Forbidden, match="off here"):
            Judgings(studio, Endpoints(forbidden="Models are off here.")).start(wish(friend))
        listed = Judgings(studio, Endpoints(key=SecretStr("operators-key"), listed=[friend.url], only=True))
        with pytest.raises(Forbidden, match="listed"):
            listed.start(wish(stranger))
        finish(listed, wish(friend))
        assert {request.headers["authorization"] for request in friend.requests} == {"Bearer operators-key"}
        assert not stranger.requests
        with pytest.raises(Invalid, match=r"The judging cannot begin: the key may hold only"):
            listed.resume(listed.every(small)[0].judging_id, SecretStr("two words"))
        listed.close()


def test_what_is_not_there_is_told(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(grader) as model:
        with pytest.raises(NotFound, match="no rubric set"):
            judgings.start(wish(model, "nowhere"))
        with pytest.raises(NotFound, match="no rubric set"):
            judgings.every("nowhere")
        for ask in (judgings.view, judgings.stop, judgings.resume):
            with pytest.raises(NotFound, match="no judging"):
                ask("nowhere")
        empty = put(studio.rubrics.store, [task("t")], [], "empty")
        with pytest.raises(Invalid, match="nothing to judge"):
            judgings.start(wish(model, empty))
        assert not model.requests and judgings.every() == []


def test_verdicts_that_came_with_data_are_listed_and_have_no_judge_to_ask(
    judgings: Judgings, studio: Studio, small: str
) -> None:
    record = JudgingRecord("imported-1", small, "their judge", "imported", {}, AT)
    studio.rubrics.judgings.begin(record)
    pair = {"judging_id": "imported-1", "answer": 1, "reason": "", "evidence": "", "how": "imported", "exchange": None}
    none = {"prompt_tokens": 0, "completion_tokens": 0, "cost": None, "latency": None, "at": AT}
    studio.rubrics.judgings.add(
        [
            VerdictRow(item=1, verdict="met", unscored="", **pair, **none),  # type: ignore[arg-type]
            VerdictRow(item=2, verdict=None, unscored="spelt Partially", **pair, **none),  # type: ignore[arg-type]
        ]
    )
    (view,) = judgings.every(small)
    assert (view.state, view.total, view.done, view.met, view.unscored) == ("imported", 2, 1, 1, 1)
    assert judgings.stop("imported-1") == view
    with pytest.raises(Conflict, match="came with data"):
        judgings.resume("imported-1")


def test_a_judging_of_another_prompt_does_not_go_on(judgings: Judgings, studio: Studio, small: str) -> None:
    with endpoint(grader) as model:
        settings = wish(model).settings
    older = JudgingRecord("old", small, "a-judge", "run", {**settings.stored, "prompt": "judge/0+0"}, AT)
    studio.rubrics.judgings.begin(older)
    with pytest.raises(Invalid, match="another version of the prompt"):
        judgings.resume("old")


def test_so_many_judgings_may_be_under_way(judgings: Judgings, small: str) -> None:
    with endpoint(grader, latency=0.2) as model:
        for n in range(MOST_JUDGINGS):
            judgings.start(wish(model, name=f"judge {n}", concurrency=1))
        with pytest.raises(Busy, match="judgings are under way"):
            judgings.start(wish(model, name="one more"))
        for view in judgings.every():
            judgings.stop(view.judging_id)


def test_the_key_reaches_the_endpoint_and_nothing_else(
    studio: Studio, small: str, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    caplog.set_level("DEBUG")
    canary = "sk-canary-4711-judge"
    echoing = saying(lambda shown, own: own.replace("The answer", f"{canary} The answer"))
    judgings = Judgings(studio, wait=0.001)
    rules = (("401-echo", lambda number, body: number == 9), ("500", every(5)), (echoing, every(2)))
    with endpoint(with_faults(grader, *rules)) as model:
        view = finish(judgings, wish(model, key=canary))
        assert view.state == "stopped"
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {canary}"}
    judgings.close()
    told = view.model_dump_json() + caplog.text + repr(view) + repr(rows(studio, view))
    studio.close()
    files: list[Path] = [path for path in settings.data_dir.rglob("*") if path.is_file()]
    assert "canary" not in told and not any(b"canary" in path.read_bytes() for path in files)


def test_a_fault_of_ours_leaves_the_item_open_and_is_told(
    judgings: Judgings, studio: Studio, small: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = task("broken", words=["blue"]).model_copy(update={"turns": task("broken", 1, ["blue"]).turns})
    put(studio.rubrics.store, [broken], [], small)
    row = studio.rubrics.store.task(small, "broken")
    assert row
    studio.rubrics.store.add_answers([(row.id, "model-a", 1, '{"turns": [{}]}')])  # no text at all
    with endpoint(grader) as model:
        view = finish(judgings, wish(model))
    assert (view.state, view.done, view.total, view.unscored) == ("stopped", PAIRS, PAIRS + 1, 0)
    assert "failed on 1 item and has logged why" in view.reason and "item" in caplog.text


def test_a_name_that_no_file_of_verdicts_can_hold_is_refused() -> None:
    with pytest.raises(ValidationError, match="at most 80 characters"):
        NewJudging(set_id="s", base_url="http://127.0.0.1:9/v1", model="m" * 81)
    assert NewJudging(set_id="s", base_url="http://127.0.0.1:9/v1", model="m" * 81, name="m").settings.judge == "m"


def test_a_full_disk_stops_it_in_one_sentence_and_with_room_it_goes_on(
    judgings: Judgings, studio: Studio, small: str, caplog: pytest.LogCaptureFixture
) -> None:
    full = threading.Event()

    def long(number: int, body: Body, headers: Headers) -> Answer:
        assert full.wait(30)
        said = {**json.loads(verdict(asked(body))), "reason": secrets.token_hex(50_000)}
        return completion(body, {"content": json.dumps(said)})

    with endpoint(long) as model:
        begun = judgings.start(wish(model, concurrency=1))
        with no_room(studio):
            full.set()
            stopped = ended(judgings, begun.judging_id)
            assert stopped.state == "stopped" and stopped.reason.startswith("The disk is full"), stopped
            assert stopped.calls < PAIRS
        assert not [record for record in caplog.records if record.exc_info], "no traceback"
    with endpoint(grader) as model:
        done = finish(judgings, wish(model, concurrency=1))
    assert (done.state, done.done, done.reason) == ("finished", 16, "")
