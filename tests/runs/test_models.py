"""A model behind an endpoint plays tasks: what it is asked, what is recorded, and every fault on the way."""

from __future__ import annotations

import base64
import gzip
import json
import threading
from contextlib import suppress
from typing import Any

import pytest
from pydantic import SecretStr

from easel_app.painting import png
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import digest
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Conflict, Forbidden, Invalid
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewGuest
from tests.conftest import stroke, wait_until
from tests.endpoint import FAULTS, Answer, completion, endpoint, every, faulty, once, painter, share, with_faults
from tests.endpoint.app import Running
from tests.endpoint.faults import error
from tests.endpoint.painter import digest as shown
from tests.endpoint.painter import pictures, words
from tests.runs.conftest import actions, finish

TASK, STEPS = "programmatic-01", 32


def wish(at: Running, **more: Any) -> NewRun:
    return NewRun(**{"base_url": at.url, "model": "scripted", "tasks": [TASK], **more})


def only_session(studio: Studio, run_id: str) -> str:
    (found,) = studio.sessions.of_run(run_id)
    return found.session.id


# ---------------------------------------------------------------- what is asked and recorded


def test_a_reconstruction_shows_reference_canvas_and_schema_and_nothing_of_the_past(runs: Runs, studio: Studio) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.steps.done, view.calls) == ("finished", STEPS, STEPS)
        session = only_session(studio, view.run_id)
        task = studio.tasks.get(TASK)
        for step, request in enumerate(model.requests):
            body = request.body
            assert [message["role"] for message in body["messages"]] == ["system", "user"]
            (reference, canvas) = pictures(body)
            assert base64.b64decode(reference.partition(",")[2]) == task.png
            seen = png.decode(base64.b64decode(canvas.partition(",")[2]))
            assert digest(seen) == digest(png.decode(studio.sessions.canvas(session, step)))
            assert "last turns" not in words(body) and "step" not in words(body).lower()
            (tool,) = body["tools"]
            assert list(tool["function"]["parameters"]["properties"]) == list(STROKE_FIELDS)
            assert not {"temperature", "max_tokens", "seed"} & set(body)


def test_what_was_shown_said_and_used_stands_with_each_action(runs: Runs, studio: Studio) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model, price_prompt=1.0, price_completion=10.0))
        session = only_session(studio, view.run_id)
        evidence = list(studio.sessions.evidence(session))
        log = [entry for entry in studio.sessions.log(session) if entry["type"] == "action"]
        assert [entry["seq"] for entry in evidence] == [action["seq"] for action in log] == list(range(1, STEPS + 1))
        for entry, action, request in zip(evidence, log, model.requests, strict=True):
            said = entry["reply"]["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
            assert json.loads(said) == action["params"]
            seen = [part["picture"] for part in entry["shown"][0]["content"] if part["type"] == "picture"]
            assert [(picture["picture"], picture["step"]) for picture in seen] == [
                ("reference", action["step"] - 1), ("canvas", action["step"] - 1),
            ]  # fmt: skip
            sent = [png.decode(base64.b64decode(url.partition(",")[2])) for url in pictures(request.body)]
            assert [picture["sha256"] for picture in seen] == [digest(pixels) for pixels in sent]
            assert entry["prompt_tokens"] > 0 and entry["completion_tokens"] > 0 and entry["latency"] > 0
        assert view.prompt_tokens == sum(entry["prompt_tokens"] for entry in evidence)
        assert view.cost == pytest.approx(sum(entry["cost"] for entry in evidence)) and view.cost
        assert view.cost == pytest.approx((view.prompt_tokens + 10 * view.completion_tokens) / 1e6)


def test_pictures_may_be_enlarged_under_a_grid_and_it_is_recorded(runs: Runs, studio: Studio) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model, scale=4, grid=True))
        sizes = {png.decode(base64.b64decode(url.partition(",")[2])).shape for url in pictures(model.requests[5].body)}
        assert sizes == {(256, 256, 3)}
        entry = next(iter(studio.sessions.evidence(only_session(studio, view.run_id))))
        seen = [part["picture"] for part in entry["shown"][0]["content"] if part["type"] == "picture"]
        assert {(picture["scale"], picture["grid"]) for picture in seen} == {(4, "grid/1")}


@pytest.mark.parametrize("calling", ["tools", "text"])
def test_integers_make_the_strokes_that_they_stand_for(runs: Runs, studio: Studio, calling: str) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model, coordinates="integer", calling=calling))
        assert view.invalid == 0
        for _, _, params, *_ in actions(studio, view.run_id)[only_session(studio, view.run_id)]:
            assert all(value == round(value * 1000) / 1000 for value in params.values())
        assert bool(model.requests[0].body.get("tools")) == (calling == "tools")


def test_the_last_turns_are_shown_when_asked_for(runs: Runs, studio: Studio) -> None:
    with endpoint(faulty("missing-field", every(4))) as model:
        view = finish(runs, wish(model, history=3, protocol="studio"))
        log = [entry for entry in studio.sessions.log(only_session(studio, view.run_id)) if entry["type"] == "action"]
        told = words(model.requests[6].body)
        assert told.count("\n- ") == 3
        assert f'"x_start": {log[5]["params"]["x_start"]}' in told
        assert "invalid: y_end is missing" in words(model.requests[5].body)
        names = [tool["function"]["name"] for tool in model.requests[0].body["tools"]]
        assert names == ["brush_stroke", "undo", "submit"]


# ---------------------------------------------------------------- faults of the model

INVALID = {
    "truncated-arguments": "cut off", "empty": "empty", "refusal": "refused", "filter": "refused",
    "prose-refusal": "no JSON object", "unknown-tool": "draw_line", "out-of-range": "x_end", "nan": "x_start",
    "infinity": "x_start", "missing-field": "y_end is missing",
}  # fmt: skip
NOTED = {
    "several-calls": "2 more tool calls", "strings": "strings", "percentages": "percentages",
    "extra-field": "superfluous", "nested": "nested", "fence": "JSON in text", "prose": "JSON in text",
}  # fmt: skip
UNNOTED = {"object-arguments", "no-usage"}
PASSING = {
    "429", "429-seconds", "429-date", "500", "503-html", "cut", "flood", "truncated-json", "empty-choices",
    "error-in-200",
}  # fmt: skip
FATAL = {
    "401-echo": "key", "404-model": "name of the model", "429-quota": "quota", "redirect": "redirects",
    "429-hour": "asks to wait",
}  # fmt: skip
SLOW = {"hang", "stall"}
OTHERWISE = {"no-tools", "no-tools-router", "no-schema", "newer-limit"}


def test_every_fault_has_its_treatment_here() -> None:
    treated = [*INVALID, *NOTED, *UNNOTED, *PASSING, *FATAL, *SLOW, *OTHERWISE]
    assert sorted(treated) == sorted(FAULTS)


@pytest.mark.parametrize("fault", INVALID)
def test_a_reply_that_cannot_be_read_is_invalid_and_costs_a_step(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(faulty(fault, every(8))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.calls, view.invalid, view.steps.done) == ("finished", STEPS, 4, STEPS)
        wrong = [row for row in actions(studio, view.run_id)[only_session(studio, view.run_id)] if row[3] == "invalid"]
        assert len(wrong) == 4 and all(INVALID[fault] in row[4] for row in wrong)
        assert view.summary[-1].invalid_rate == 4 / STEPS


@pytest.mark.parametrize("fault", NOTED)
def test_a_reply_in_another_form_is_read_and_noted_or_invalid_by_choice(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(faulty(fault, every(8))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.invalid) == ("finished", 0)
        notes = [entry["notes"] for entry in studio.sessions.evidence(only_session(studio, view.run_id))]
        assert sum(any(NOTED[fault] in note for note in said) for said in notes) == 4
    with endpoint(faulty(fault, every(8))) as model:
        view = finish(runs, wish(model, reading="strict"))
        assert (view.state, view.invalid) == ("finished", 4)


@pytest.mark.parametrize("fault", sorted(UNNOTED))
def test_what_is_no_fault_of_the_reply_changes_nothing(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(faulty(fault, every(8))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.invalid) == ("finished", 0)
        assert not any(entry["notes"] for entry in studio.sessions.evidence(only_session(studio, view.run_id)))


# ---------------------------------------------------------------- faults of the endpoint


@pytest.mark.parametrize("fault", sorted(PASSING))
def test_what_passes_is_waited_for_and_leaves_no_mark_on_the_painting(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(painter) as model:
        plain = actions(studio, finish(runs, wish(model, name="plain")).run_id)
    with endpoint(faulty(fault, share(0.2, first=True))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.invalid, view.calls) == ("finished", 0, STEPS)
        assert list(actions(studio, view.run_id).values()) == list(plain.values())
        retries = [entry["retries"] for entry in studio.sessions.evidence(only_session(studio, view.run_id))]
        assert sum(map(len, retries)) == len(model.requests) - STEPS > 0


@pytest.mark.parametrize("fault", sorted(SLOW))
def test_an_answer_that_never_comes_is_given_up_and_asked_for_again(runs: Runs, fault: str) -> None:
    with endpoint(faulty(fault, once())) as model:
        view = finish(runs, wish(model, timeout=0.3))
        assert (view.state, view.invalid, len(model.requests)) == ("finished", 0, STEPS + 1)


@pytest.mark.parametrize("fault", sorted(FATAL))
def test_what_no_retry_mends_stops_the_run_with_the_reason(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(with_faults(painter, (fault, lambda number, body: number >= 5))) as model:
        view = finish(runs, wish(model, key="canary-key"))
        assert (view.state, view.steps.done, view.invalid) == ("stopped", 5, 0)
        assert FATAL[fault] in view.reason + "".join(failure.message for failure in view.failures)
    with endpoint(painter) as model:  # mended: it goes on with the same session
        pass
    assert only_session(studio, view.run_id)


@pytest.mark.parametrize("fault", ["no-tools", "no-tools-router"])
def test_a_model_without_tools_is_asked_for_json_once_and_for_all(runs: Runs, studio: Studio, fault: str) -> None:
    with endpoint(faulty(fault)) as model:
        view = finish(runs, wish(model, concurrency=4, tasks=[TASK, "programmatic-02", "programmatic-03"]))
        assert (view.state, view.invalid, view.calls) == ("finished", 0, 3 * STEPS)
        assert sum("tools" in request.body for request in model.requests) == 1
        before = len(model.requests)
        more = finish(runs, wish(model, concurrency=4, tasks=["programmatic-04"]))
        assert more.run_id == view.run_id and len(model.requests) == before + STEPS
        assert not any("tools" in request.body for request in model.requests[before:])


def test_a_newer_name_of_the_longest_reply_is_found_out(runs: Runs) -> None:
    with endpoint(faulty("newer-limit")) as model:
        view = finish(runs, wish(model, max_tokens=500))
        assert (view.state, view.invalid) == ("finished", 0)
        assert model.requests[-1].body["max_completion_tokens"] == 500


def test_one_session_that_cannot_be_played_does_not_end_the_others(runs: Runs, studio: Studio) -> None:
    bad = base64.b64encode(studio.tasks.get("programmatic-02").png).decode()
    refused = lambda number, body, headers: error(400, "This picture is not allowed.")  # noqa: E731
    with endpoint(with_faults(painter, (refused, lambda number, body: bad in pictures(body)[0]))) as model:
        view = finish(runs, wish(model, tasks=[TASK, "programmatic-02", "programmatic-03"], concurrency=1))
        assert (view.attempts.done, view.attempts.failed) == (2, 1)
        assert [(f.task_id, "not allowed" in f.message) for f in view.failures] == [("programmatic-02", True)]
        assert view.state == "stopped" and "given up" in view.reason


def test_an_endpoint_that_is_gone_stops_the_run(runs: Runs) -> None:
    wanted = NewRun(base_url="http://127.0.0.1:9/v1", model="m", categories=["programmatic"], concurrency=2)
    view = finish(runs, wanted)
    assert view.state == "stopped" and "in 3 tries" in view.reason and "check that it runs" in view.reason
    assert 3 <= view.attempts.failed <= 5 and view.steps.done == 0


def test_a_run_that_waits_for_its_endpoint_stops_at_once(studio: Studio) -> None:
    runs = Runs(studio)  # with waits as long as they really are
    with endpoint(faulty("429-seconds", lambda number, body: number >= 3)) as model:
        view = runs.start(wish(model))
        wait_until(lambda: runs.view(view.run_id).trouble == "HTTP 429")
        runs.stop(view.run_id)
        wait_until(lambda: runs.view(view.run_id).state == "stopped", 1.5)
        assert runs.view(view.run_id).failures == [] and runs.view(view.run_id).steps.done == 3
    runs.close()


ODD: dict[str, dict[str, Any]] = {
    "more tokens than there are": {"prompt_tokens": 9 * 10**18, "completion_tokens": 9 * 10**18},
    "tokens beyond any integer": {"prompt_tokens": 1e30, "completion_tokens": 1e30},
    "a cost beyond any float": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 10**400},
    "a cost as large as floats get": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 1e308},
    "negative": {"prompt_tokens": -5, "completion_tokens": -5, "cost": -1},
}


@pytest.mark.parametrize("what", ODD)
def test_no_figure_of_an_endpoint_breaks_the_list_of_runs(runs: Runs, what: str) -> None:
    def model(number: int, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        answer = painter(number, body, headers)
        return Answer(json.dumps({**dict(answer.body), "usage": ODD[what]}).encode())  # type: ignore[call-overload]

    with endpoint(model) as running:
        view = finish(runs, wish(running))
        assert (view.state, view.calls, view.invalid) == ("finished", STEPS, 0)
        assert view.cost is None or 0 <= view.cost < 1e9
        assert [run.run_id for run in runs.every()] == [view.run_id]


def test_a_retry_after_the_end_of_time_is_no_fault_of_ours(runs: Runs) -> None:
    late = {"retry-after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"}
    with endpoint(with_faults(painter, (lambda *_: Answer({}, 429, late), once()))) as model:
        assert finish(runs, wish(model)).state == "finished"


def test_a_compressed_answer_is_not_unpacked(runs: Runs) -> None:
    bomb = Answer(gzip.compress(bytes(10**7)), 200, {"content-encoding": "gzip"})
    with endpoint(with_faults(painter, (lambda *_: bomb, once()))) as model:
        view = finish(runs, wish(model))
        assert view.state == "finished" and model.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("text", ['{"a":' * 199 + "[" + "1," * 1_000_000, "{" * 1_000_000, "x" * 1_000_000])
def test_an_endless_text_is_invalid_at_once_and_kept_in_part(runs: Runs, studio: Studio, text: str) -> None:
    with endpoint(with_faults(painter, (lambda number, body, _: completion(body, {"content": text}), once()))) as model:
        view = finish(runs, wish(model))
        assert (view.state, view.invalid) == ("finished", 1)
        first = next(iter(studio.sessions.evidence(only_session(studio, view.run_id))))
        assert first["reply"]["shortened_from"] > 10**6 and len(json.dumps(first)) < 10**6


def test_what_is_refused_leaves_no_run_behind(runs: Runs) -> None:
    with pytest.raises(ValueError, match="key may hold only"):
        NewRun(base_url="http://127.0.0.1:9/v1", model="m", key="two words")
    with pytest.raises(Invalid):
        runs.start(NewRun(base_url="http://127.0.0.1:9/v1", model="m", tasks=["nowhere"]))
    assert runs.every() == []


def test_a_key_that_no_request_can_carry_is_refused_in_words_wherever_it_comes_from(studio: Studio) -> None:
    with endpoint(painter) as model:
        runs = Runs(studio, wait=0.001)
        view = finish(runs, wish(model))
        with pytest.raises(Invalid, match="key may hold only") as refused:
            runs.resume(view.run_id, SecretStr("canary words"))
        assert "canary" not in refused.value.message
        runs.close()
        host = Runs(studio, Endpoints(key=SecretStr("canary words"), listed=[model.url]))
        with pytest.raises(Invalid, match="key may hold only"):
            host.start(wish(model, name="other"))
        assert len(host.every()) == 1


def test_the_operators_key_goes_to_listed_endpoints_only(studio: Studio) -> None:
    with endpoint(painter) as friend, endpoint(painter) as stranger:
        endpoints = Endpoints(key=SecretStr("operators-key"), listed=[f"{friend.url}/"])
        runs = Runs(studio, endpoints, wait=0.001)
        assert endpoints.key_for == [friend.url]
        finish(runs, wish(friend))
        finish(runs, wish(stranger))
        finish(runs, wish(stranger, name="own", key="my-own-key"))
        assert {request.headers["authorization"] for request in friend.requests} == {"Bearer operators-key"}
        keys = [request.headers.get("authorization") for request in stranger.requests]
        assert set(keys) == {None, "Bearer my-own-key"}
        runs.close()
        strict = Runs(studio, Endpoints(listed=[friend.url], only=True))
        with pytest.raises(Forbidden, match="listed"):
            strict.start(wish(stranger, name="other"))


# ---------------------------------------------------------------- limits


def test_a_limit_of_tokens_stops_the_run_and_a_higher_one_lets_it_go_on(runs: Runs, studio: Studio) -> None:
    with endpoint(painter) as model:
        view = finish(runs, wish(model, most_tokens=10_000))
        assert view.state == "stopped" and "raise the limit" in view.reason
        assert 0 < view.prompt_tokens + view.completion_tokens <= 10_000
        half = view.steps.done
        again = finish(runs, wish(model, most_tokens=10_000))
        assert (again.state, again.steps.done) == ("stopped", half)
        whole = finish(runs, wish(model, most_tokens=10_000_000))
        assert (whole.state, whole.run_id, whole.calls) == ("finished", view.run_id, STEPS)
        assert len(model.requests) == STEPS


def test_a_limit_of_money_needs_prices_and_holds(runs: Runs) -> None:
    with endpoint(painter) as model:
        prices = {"price_prompt": 2.0, "price_completion": 8.0}
        view = finish(runs, wish(model, most_money=0.01, **prices))
        assert view.state == "stopped" and view.cost and view.cost <= 0.01


# ---------------------------------------------------------------- people in between


def test_a_guest_pauses_the_model_until_they_hand_back(runs: Runs, studio: Studio) -> None:
    with endpoint(painter, latency=0.02) as model:
        view = runs.start(wish(model, shared=True, protocol="studio"))
        wait_until(lambda: runs.view(view.run_id).steps.done >= 3)
        session = only_session(studio, view.run_id)
        guest = studio.sessions.join(session, NewGuest(name="Ada")).guest_token
        body = {"request_id": "run-9", "action": {"kind": "brush_stroke", "stroke": stroke(3)}}
        answer = studio.sessions.act(session, guest, NewAction.model_validate(body))
        threading.Event().wait(0.2)
        assert studio.sessions.state(session).step == answer.step
        studio.sessions.hand_back(session, guest)
        wait_until(lambda: runs.view(view.run_id).state == "finished", 60)
        log = studio.sessions.records(session)[1]
        assert [action.guest for action in log].count("Ada") == 1 and len(log) == STEPS
        paid = list(studio.sessions.evidence(session))
        assert [entry["seq"] for entry in paid if entry["seq"]] == [a.seq for a in log if not a.guest]
        assert len(paid) == len(model.requests) <= STEPS  # at most one was paid for while Ada painted
        assert not studio.sessions.view(session).ranked


def test_a_run_stops_while_a_guest_has_the_turn(runs: Runs, studio: Studio) -> None:
    with endpoint(painter, latency=0.02) as model:
        view = runs.start(wish(model, shared=True, protocol="studio"))
        wait_until(lambda: runs.view(view.run_id).steps.done >= 2)
        session = only_session(studio, view.run_id)
        guest = studio.sessions.join(session, NewGuest(name="Ada")).guest_token
        body = {"request_id": "1", "action": {"kind": "brush_stroke", "stroke": stroke(3)}}
        studio.sessions.act(session, guest, NewAction.model_validate(body))
        runs.stop(view.run_id)
        wait_until(lambda: runs.view(view.run_id).state == "stopped", 3)


def test_a_guest_may_paint_the_last_step(runs: Runs, studio: Studio) -> None:
    with endpoint(painter, latency=0.01) as model:
        view = runs.start(wish(model, shared=True, protocol="studio"))
        wait_until(lambda: runs.view(view.run_id).steps.done >= 2)
        session = only_session(studio, view.run_id)
        guest = studio.sessions.join(session, NewGuest(name="Ada")).guest_token
        while studio.sessions.state(session).status == "open":
            body = {"request_id": str(studio.sessions.state(session).seq), "action": {"kind": "undo"}}
            with suppress(Conflict):
                studio.sessions.act(session, guest, NewAction.model_validate(body))
        studio.sessions.hand_back(session, guest)
        wait_until(lambda: runs.view(view.run_id).state != "running", 5)
        done = runs.view(view.run_id)
        assert (done.state, done.failures) == ("finished", [])
        assert done.calls == len(model.requests), "a call that came too late is on record too"


# ---------------------------------------------------------------- the key


def test_the_key_reaches_the_endpoint_and_nothing_else(
    studio: Studio, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    caplog.set_level("DEBUG")
    canary = "sk-canary-4711-key"
    runs = Runs(studio, wait=0.001)
    rules = (("401-echo", lambda number, body: number == 20), ("500", every(7)), ("strings", every(5)))
    with endpoint(with_faults(painter, *rules)) as model:
        view = finish(runs, wish(model, key=canary))
        assert view.state == "stopped"
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {canary}"}
    runs.close()
    told = [view.model_dump_json(), caplog.text, repr(view)]
    session = only_session(studio, view.run_id)
    told += [json.dumps(list(entries)) for entries in (studio.sessions.log(session), studio.sessions.evidence(session))]
    studio.close()
    files = [path.read_bytes() for path in settings.data_dir.rglob("*") if path.is_file()]
    assert not any("canary" in text for text in told) and not any(b"canary" in content for content in files)


def nth_kind(at: int) -> Any:
    """Chooses one request in forty by what it shows, other ones for each `at`, and each the first time only."""
    seen: set[bytes] = set()

    def chosen(number: int, body: dict[str, Any]) -> bool:
        mark = shown(body)
        hit = mark[0] % 40 == at and mark not in seen
        seen.add(mark)
        return hit

    return chosen


def test_faults_of_all_kinds_at_once_end_like_a_quiet_run(runs: Runs, studio: Studio) -> None:
    tasks = [f"programmatic-0{n}" for n in range(1, 7)]
    with endpoint(painter) as model:
        quiet = actions(studio, finish(runs, wish(model, tasks=tasks, name="quiet")).run_id)
    rules = [(fault, nth_kind(at)) for at, fault in enumerate(sorted(PASSING))]
    with endpoint(with_faults(painter, *rules)) as model:
        loud = finish(runs, wish(model, tasks=tasks, concurrency=6))
        assert loud.state == "finished" and len(model.requests) > 6 * STEPS
        found = actions(studio, loud.run_id)
    assert sorted(map(repr, found.values())) == sorted(map(repr, quiet.values()))
