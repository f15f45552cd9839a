"""An inspection: what is asked and recorded, how it goes on, what stops it, and every fault on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from easel_app.plans.files import AnswerRecord
from easel_app.plans.inspectors import MOST_CALLS, MOST_SENT, PROMPTS
from easel_app.runs.inspection_settings import NewInspection
from easel_app.runs.inspections import Inspections
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.judges import JudgingEvent
from tests.conftest import wait_until
from tests.endpoint import Answer, Body, Headers, Script, completion, endpoint, every, once, with_faults
from tests.endpoint.faults import error
from tests.endpoint.inspector import asked, inspector, reporting
from tests.endpoint.painter import pictures, words
from tests.plans.inspected import INJECTIONS, injected
from tests.plans.making import call
from tests.runs.inspected import (
    CALLS,
    PLANS,
    REPORTS,
    ended,
    finish,
    inspected_set,
    reports,
    rows,
    wish,
)
from tests.services.plans.making import SET, add_answer, add_query, inspect, make_plan

CANARY = "sk-canary-of-the-inspector"


@pytest.fixture
def answers(studio: Studio) -> list[int]:
    return inspected_set(studio)


@pytest.fixture
def inspections(studio: Studio, answers: list[int]) -> Iterator[Inspections]:
    """Inspections that hardly wait between tries."""
    inspections = Inspections(studio, wait=0.001)
    yield inspections
    inspections.close()


def of_role(role: str) -> Any:
    return lambda number, body: asked(body).inspector == role


def silent(number: int, body: Body, headers: Headers) -> Answer:
    return completion(body, {"content": "Perhaps."})


# ---------------------------------------------------------------- what is asked and recorded


def test_three_inspectors_report_on_every_plan_with_output(
    inspections: Inspections, studio: Studio, answers: list[int]
) -> None:
    with endpoint(inspector) as model:
        view = finish(inspections, wish(model))
        assert Counter(asked(sent.body).inspector for sent in model.requests) == {
            "precision": 4,
            "recall": 6,
            "chief": 6,
        }
    assert (view.state, view.total, view.done, view.calls) == ("finished", REPORTS, REPORTS, CALLS)
    assert view.reports == dict.fromkeys(("precision", "recall", "chief"), PLANS) and not any(view.unscored.values())
    assert (view.without_output, view.judge, set(view.models.values())) == (2, "a-judge", {"a-judge"})
    found = reports(studio, view)
    assert [found[answer, "chief"]["fs"] for answer in answers if (answer, "chief") in found] == [45, 90, 45] * 2
    assert found[answers[0], "recall"]["mi"] == 1 and len(found[answers[0], "precision"]["calls"]) == 2
    assert "success" not in json.dumps(found[answers[0], "precision"]), "it is derived"
    assert found[answers[2], "precision"]["calls"] == []
    assert inspections.every(SET) == [view]


def test_what_was_asked_said_and_used_stands_with_each_report(inspections: Inspections, studio: Studio) -> None:
    with endpoint(with_faults(inspector, ("500", once()))) as model:
        view = finish(inspections, wish(model, price_prompt=1.0, price_completion=10.0))
        sent = {json.dumps(each.body["messages"][1]) for each in model.requests}
    for (answer, role), row in rows(studio, view).items():
        exchange = studio.plans.inspections.exchange(view.inspection_id, answer, role)
        if row.how == "without asking":
            assert exchange is None and role == "precision"
            continue
        (first,) = json.loads(exchange or "")
        assert first["messages"][0] == {"role": "system", "prompt": PROMPTS[role]}  # type: ignore[index]
        assert json.dumps(first["messages"][1]) in sent and first["parameters"] == {"temperature": 0.0}
        assert row.prompt_tokens and row.completion_tokens and row.latency and row.cost and row.how == "strict"
    assert view.cost == pytest.approx((view.prompt_tokens + 10 * view.completion_tokens) / 1e6)
    (record,) = studio.plans.inspections.judgings(SET)
    assert (record.judge, record.origin, record.settings["prompts"]) == ("a-judge", "run", dict(PROMPTS))
    assert record.settings["models"] == view.models and "You are the Chief Judge" in record.settings["systems"]["chief"]


def test_each_role_may_have_a_model_an_endpoint_a_temperature_and_a_key_of_its_own(
    inspections: Inspections, studio: Studio
) -> None:
    with endpoint(inspector) as one, endpoint(inspector) as other:
        wanted = wish(
            one,
            recall={"model": "b-judge"},
            chief={"base_url": other.url, "model": "c-judge", "temperature": 1.0},
            key="common",
            keys={"chief": "of-chief"},
        )
        view = finish(inspections, wanted)
        by_role = {asked(sent.body).inspector: sent for sent in [*one.requests, *other.requests]}
        assert {asked(sent.body).inspector for sent in other.requests} == {"chief"}
    told = {
        role: (sent.body["model"], sent.body["temperature"], sent.headers["authorization"])
        for role, sent in by_role.items()
    }
    assert told == {
        "precision": ("a-judge", 0.0, "Bearer common"),
        "recall": ("b-judge", 0.0, "Bearer common"),
        "chief": ("c-judge", 1.0, "Bearer of-chief"),
    }
    assert (view.judge, view.state) == ("a-judge + b-judge + c-judge", "finished")
    assert view.models == {"precision": "a-judge", "recall": "b-judge", "chief": "c-judge"}
    assert not any("three roles" in warning for warning in view.warnings)


def test_chief_reads_what_the_two_others_reported(inspections: Inspections, studio: Studio) -> None:
    with endpoint(inspector) as model:
        view = finish(inspections, wish(model, concurrency=1))
        seen = [asked(sent.body) for sent in model.requests if asked(sent.body).inspector == "chief"]
    stored = [json.dumps(each) for each in reports(studio, view).values()]
    assert len(seen) == PLANS and all(json.dumps(each) in stored for shown in seen for each in shown.reports.values())


def test_calls_go_out_side_by_side_as_many_as_are_allowed(inspections: Inspections) -> None:
    with endpoint(inspector, latency=0.02) as model:
        finish(inspections, wish(model, concurrency=3, name="three"))
        assert model.most_at_once == 3, "three roles of one model share one client"


def test_pictures_of_the_pool_are_shown_when_asked_for(inspections: Inspections, studio: Studio) -> None:
    with endpoint(inspector) as model:
        plain = finish(inspections, wish(model))
        assert not any(pictures(sent.body) for sent in model.requests)
        before = len(model.requests)
        view = finish(inspections, wish(model, pictures="pool"))
        assert {len(pictures(sent.body)) for sent in model.requests[before:]} == {1}, "the other one has no file"
    assert plain.inspection_id != view.inspection_id and view.done == REPORTS
    key = next(key for key, row in rows(studio, view).items() if row.how == "strict")
    kept = studio.plans.inspections.exchange(view.inspection_id, *key)
    assert kept and '"sha256"' in kept and "base64" not in kept


# ---------------------------------------------------------------- what gives no report


def test_what_does_not_fit_is_unscored_with_the_reason_and_chief_has_nothing_to_read(
    inspections: Inspections, studio: Studio
) -> None:
    wrong = reporting(lambda shown, own: {**own, "mi": 7})
    with endpoint(with_faults(inspector, (wrong, of_role("recall")))) as model:
        view = finish(inspections, wish(model))
        assert not any(asked(sent.body).inspector == "chief" for sent in model.requests)
    assert (view.state, view.reports) == ("finished", {"precision": PLANS, "recall": 0, "chief": 0})
    assert view.unscored == {"precision": 0, "recall": PLANS, "chief": PLANS}
    found = rows(studio, view)
    whys = {role: {row.unscored for (_, each), row in found.items() if each == role} for role in view.models}
    assert whys["chief"] == {"The Chief Judge reads both reports, and there is none of the Recall Inspector."}
    assert all("mi is 7, but the number of gaps is" in why for why in whys["recall"])
    first = next(answer for answer, role in found if role == "recall")
    assert len(json.loads(studio.plans.inspections.exchange(view.inspection_id, first, "recall") or "")) == 2
    assert sum(why.items for why in view.unscored_for) == 2 * PLANS


def test_only_what_has_no_report_is_asked_for_again(inspections: Inspections, studio: Studio) -> None:
    with endpoint(
        with_faults(inspector, (silent, lambda number, body: of_role("recall")(number, body) and number < 12))
    ) as model:
        first = finish(inspections, wish(model, concurrency=1))
        lost = first.unscored["recall"]
        assert 0 < lost < PLANS and first.unscored["chief"] == lost and first.state == "finished"
        before, kept = len(model.requests), reports(studio, first)
        again = finish(inspections, wish(model, concurrency=1))
        roles = Counter(asked(sent.body).inspector for sent in model.requests[before:])
        assert roles == {"recall": lost, "chief": lost}
        assert (again.inspection_id, again.done, sum(again.unscored.values())) == (first.inspection_id, REPORTS, 0)
        assert kept.items() <= reports(studio, again).items()
        last = finish(inspections, wish(model))
        assert (last.state, len(model.requests)) == ("finished", before + 2 * lost)


def test_a_repaired_report_is_stored_with_both_questions(inspections: Inspections, studio: Studio) -> None:
    with endpoint(reporting(lambda shown, own: "Let me see.", lambda shown, own: own)) as model:
        view = finish(inspections, wish(model))
        assert (len(model.requests), view.done) == (2 * CALLS, REPORTS)
    for row in rows(studio, view).values():
        assert row.how in ("repaired turn", "without asking")


def test_what_is_too_long_is_unscored_and_never_sent_or_cut(inspections: Inspections, studio: Studio) -> None:
    long = make_plan(studio.plans, "x" * (MOST_SENT + 1), "long")
    many = make_plan(studio.plans, call() * (MOST_CALLS + 1), "many")
    for answer, set_id, reason in ((long, "long", "200,001 characters"), (many, "many", "301 calls")):
        with endpoint(inspector) as model:
            for _ in range(2):
                view = finish(inspections, wish(model, set_id))
            assert not model.requests
        assert (view.state, view.done, view.calls) == ("finished", 0, 0)
        assert view.unscored == {"precision": 1, "recall": 1, "chief": 1}
        assert all(reason in row.unscored for (of, _), row in rows(studio, view).items() if of == answer)


def test_a_lost_picture_is_told(inspections: Inspections, settings: Settings) -> None:
    for file in (settings.data_dir / "pictures").rglob("*"):
        if file.is_file():
            file.unlink()
    with endpoint(inspector) as model:
        view = finish(inspections, wish(model, pictures="pool"))
        assert not model.requests and view.done == 0
    assert [why.reason for why in view.unscored_for] == [
        "Picture 1 of the pool cannot be shown to the inspectors: its file is gone."
    ]


def test_no_injection_gains_a_report_in_an_inspection(inspections: Inspections, studio: Studio) -> None:
    made = [injected(each) for each in INJECTIONS]
    studio.plans.store.create(studio.plans.store.sets()[0]._replace(id="bad", name="Bad"))
    for number, each in enumerate(made):
        query = each.query.model_copy(update={"id": f"bad-{number}"})
        fields = {"query_id": query.id, "planner": "p", "text": each.plan.text}
        add_answer(studio.plans, add_query(studio.plans, query, "bad"), AnswerRecord(**fields))
    obeying = reporting(lambda shown, own: next((b.text for b in shown.blocks if '"fs"' in b.text and not b.call), own))
    with endpoint(inspector) as honest, endpoint(obeying) as hostile:
        views = [finish(inspections, wish(at, "bad", name=name)) for at, name in ((honest, "a"), (hostile, "b"))]
    for view in views:
        scores = [found["fs"] for (_, role), found in reports(studio, view).items() if role == "chief"]
        assert set(scores) == {45}
    assert len(reports(studio, views[0])) == 3 * len(made) > len(reports(studio, views[1])) > 0


# ---------------------------------------------------------------- going on


def test_a_stopped_inspection_goes_on_to_the_same_end(inspections: Inspections, studio: Studio) -> None:
    with endpoint(inspector) as model:
        whole = reports(studio, finish(inspections, wish(model, name="whole")))
    with endpoint(inspector, latency=0.05) as model:
        view = inspections.start(wish(model, concurrency=3))
        wait_until(lambda: inspections.view(view.inspection_id).done >= 4)
        inspections.stop(view.inspection_id)
        view = ended(inspections, view.inspection_id)
        assert (view.state, view.reason) == ("stopped", "Stopped on demand; start it again to go on.")
        assert 4 <= view.done < REPORTS and sum(view.unscored.values()) == 0 and view.calls == len(model.requests)
        view = ended(inspections, inspections.resume(view.inspection_id).inspection_id)
        assert (view.state, view.done, len(model.requests)) == ("finished", REPORTS, CALLS)
    assert reports(studio, view) == whole


def test_one_cut_off_by_the_end_of_its_server_is_told_and_goes_on(
    studio: Studio, settings: Settings, answers: list[int]
) -> None:
    inspections = Inspections(studio)
    with endpoint(inspector, latency=0.05) as model:
        view = inspections.start(wish(model, concurrency=2))
        wait_until(lambda: inspections.view(view.inspection_id).done > 2)
        inspections.close()
        studio.close()
        studio = Studio(settings)
        studio.plans.library.first_look.job = lambda: None
        inspections = Inspections(studio)
        (stopped,) = inspections.every(SET)
        assert stopped.state == "stopped" and "The server was stopped" in stopped.reason
        assert (stopped.total, stopped.calls) == (REPORTS, len(model.requests)) and 2 < stopped.done < REPORTS
        # as a killed one leaves it: a beginning without an end
        studio.plans.inspections.happened(
            view.inspection_id, JudgingEvent("begun", stopped.plan, "2026-11-30T00:00:00+00:00")
        )
        assert inspections.view(view.inspection_id).state == "interrupted"
        done = ended(inspections, inspections.resume(view.inspection_id).inspection_id)
        assert (done.state, done.done, done.calls, len(model.requests)) == ("finished", REPORTS, CALLS, CALLS)
    inspections.close()
    studio.close()


@pytest.mark.parametrize("concurrency", [1, 2, 64])
def test_chief_never_waits_for_ever(inspections: Inspections, studio: Studio, concurrency: int) -> None:
    """Not even where his colleagues were tried in vain and come last."""
    script = with_faults(inspector, (silent, lambda number, body: number % 3 == 0))
    with endpoint(script) as model:
        for _ in range(8):
            view = finish(inspections, wish(model, concurrency=concurrency))
            if view.done == view.total:
                break
        assert (view.state, view.done) == ("finished", REPORTS)


def test_a_choice_is_kept_to_and_may_grow(inspections: Inspections, studio: Studio, answers: list[int]) -> None:
    with endpoint(inspector) as model:
        few = finish(inspections, wish(model, most_plans=3, seed=4))
        assert few.total == 3 * (3 - few.without_output)
        held = set(reports(studio, few))
        more = finish(inspections, wish(model, most_plans=6, seed=4))
        assert more.inspection_id == few.inspection_id and held <= set(reports(studio, more))
        mine = finish(inspections, wish(model, name="mine", planners=["planner b"]))
        assert {answer for answer, _ in reports(studio, mine)} == {answers[1], answers[5]}
        one = finish(inspections, wish(model, name="one", answers=[answers[0]]))
        assert (one.total, one.done, one.plan["answers"]) == (3, 3, [answers[0]])
        with pytest.raises(Invalid, match="no plan of 'nobody'"):
            inspections.start(wish(model, planners=["nobody"]))
        with pytest.raises(Invalid, match="has no plan 999"):
            inspections.start(wish(model, answers=[999]))
        with pytest.raises(Invalid, match="nothing to inspect"):
            inspections.start(wish(model, answers=[answers[3]]))
        with pytest.raises(NotFound, match="no set of plans"):
            inspections.start(wish(model, "nowhere"))


# ---------------------------------------------------------------- several judges


def test_several_judges_stand_side_by_side_with_what_to_bear_in_mind(inspections: Inspections, studio: Studio) -> None:
    mild = reporting(lambda shown, own: {**own, "fs": 99, "tier": "80-100"} if shown.inspector == "chief" else own)
    with endpoint(inspector) as first, endpoint(mild) as second:
        one = finish(inspections, wish(first))
        assert [each[:30] for each in one.warnings] == ["One model has all three roles,"]
        views = [one, finish(inspections, wish(second, model="planner a"))]
    assert [view.inspection_id for view in inspections.every(SET)] == [view.inspection_id for view in views]
    told = [inspections.view(view.inspection_id).warnings for view in views]
    assert "also judged by planner a" in told[0][-1] and "also judged by a-judge" in told[1][-1]
    assert any("plans of its own: planner a" in warning for warning in told[1])
    assert all("11.46" in view.note and "68.30" in view.note for view in views)
    found = [{r["fs"] for (_, role), r in reports(studio, view).items() if role == "chief"} for view in views]
    assert found == [{45, 90}, {99}]


@pytest.mark.parametrize(
    "other",
    [{"model": "b"}, {"name": "b"}, {"pictures": "pool"}, {"temperature": None}, {"chief": {"model": "b"}}],
)
def test_other_settings_are_another_inspection(other: dict[str, Any]) -> None:
    given = {"set_id": "small", "base_url": "http://127.0.0.1:9/v1", "model": "a"}

    def identity(**more: Any) -> str:
        return NewInspection.model_validate({**given, **more}).settings.inspection_id

    first = identity()
    assert identity(concurrency=2, seed=5, most_plans=3, key="k", keys={"chief": "l"}) == first
    assert identity(chief={"model": "a", "temperature": 0.0}, recall={}) == first, "said at length it is the same"
    assert identity(**other) != first != identity(set_id="b")


def test_reports_that_came_with_data_are_listed_and_have_no_judge_to_ask(
    inspections: Inspections, studio: Studio, answers: list[int]
) -> None:
    inspect(studio.plans, answers[:2], unscored=["chief"])
    (view,) = inspections.every(SET)
    assert (view.state, view.total, view.done, view.unscored["chief"]) == ("imported", 6, 4, 2)
    with pytest.raises(Conflict, match="came with data"):
        inspections.resume(view.inspection_id)


def test_one_begun_by_another_version_of_the_prompts_does_not_go_on(inspections: Inspections, studio: Studio) -> None:
    with endpoint(inspector) as model:
        view = finish(inspections, wish(model))
        (record,) = studio.plans.inspections.judgings(SET)
        old = record.__class__(**{**record.__dict__, "id": "old"})
        studio.plans.inspections.begin(old)
        with pytest.raises(Invalid, match="versions never mix"):
            inspections.resume("old")
        assert inspections.resume(view.inspection_id).inspection_id == view.inspection_id


# ---------------------------------------------------------------- limits and faults


def test_a_limit_holds_over_all_roles_and_sittings(inspections: Inspections) -> None:
    with endpoint(inspector) as model:
        roles = {"chief": {"model": "c"}, "recall": {"model": "b"}}
        view = finish(inspections, wish(model, **roles, most_tokens=12_000, concurrency=2))
        assert view.state == "stopped" and "raise the limit" in view.reason and 0 < view.done < REPORTS
        assert view.prompt_tokens + view.completion_tokens <= 12_000
        again = finish(inspections, wish(model, **roles, most_tokens=12_000, concurrency=2))
        assert again.state == "stopped" and again.calls == view.calls
        whole = finish(inspections, wish(model, **roles))
        assert (whole.state, whole.done, len(model.requests)) == ("finished", REPORTS, CALLS)


def test_a_limit_of_money_needs_prices_and_roles_may_have_their_own(inspections: Inspections) -> None:
    with pytest.raises(ValidationError, match="price_prompt"):
        wish("http://127.0.0.1:9/v1", most_money=1)
    common, dear = {"price_prompt": 1.0, "price_completion": 1.0}, {"price_prompt": 100.0, "price_completion": 100.0}
    with endpoint(inspector) as model:
        view = finish(inspections, wish(model, **common, prices={"chief": dear}, most_money=10))
        chief = [sent for sent in model.requests if asked(sent.body).inspector == "chief"]
    tokens = view.prompt_tokens + view.completion_tokens
    assert chief and view.cost and 5 * tokens / 1e6 < view.cost < 100 * tokens / 1e6


@pytest.mark.parametrize("fault", ["429", "500", "503-html", "cut"])
def test_what_passes_is_waited_for_and_leaves_no_mark(inspections: Inspections, fault: str) -> None:
    with endpoint(with_faults(inspector, (fault, every(5)))) as model:
        view = finish(inspections, wish(model))
        assert (view.state, view.done, view.calls) == ("finished", REPORTS, CALLS) and len(model.requests) > CALLS


def test_a_wrong_key_stops_it_and_leaves_the_rest_open(inspections: Inspections) -> None:
    with endpoint(with_faults(inspector, ("401-echo", lambda number, body: number >= 5))) as model:
        view = finish(inspections, wish(model, key=CANARY, concurrency=2))
    assert view.state == "stopped" and "right key" in view.reason and sum(view.unscored.values()) == 0
    assert 5 <= view.done < REPORTS and CANARY not in view.model_dump_json()


@pytest.mark.parametrize("script", [silent, "refusal"])
def test_one_without_any_report_that_was_asked_for_is_stopped_and_says_why(
    inspections: Inspections, studio: Studio, script: Script | str
) -> None:
    """A plan without calls has a Precision report all the same, which is no success of the judge."""
    with endpoint(with_faults(inspector, (script, lambda number, body: True))) as model:
        view = finish(inspections, wish(model))
    assert view.state == "stopped" and "No call brought a report" in view.reason
    assert view.reports == {"precision": 2, "recall": 0, "chief": 0}


def test_an_endpoint_that_is_gone_stops_it(inspections: Inspections) -> None:
    view = finish(inspections, wish("http://127.0.0.1:9/v1", concurrency=2))
    assert view.state == "stopped" and "check that it runs" in view.reason and view.calls == 0


def test_one_plan_that_is_refused_does_not_end_the_others(inspections: Inspections, studio: Studio) -> None:
    refused = lambda *_: error(400, "This text is not allowed.")  # noqa: E731
    forbidden = lambda number, body: "mill 1 " in words(body)  # noqa: E731
    with endpoint(with_faults(inspector, (refused, forbidden))) as model:
        view = finish(inspections, wish(model))
    assert (view.state, view.done, view.unscored) == (
        "finished",
        REPORTS - 6,
        {"precision": 2, "recall": 2, "chief": 2},
    )
    assert any("not allowed" in why.reason for why in view.unscored_for)


def test_while_it_is_under_way_the_same_wish_joins_and_another_is_refused(inspections: Inspections) -> None:
    with endpoint(inspector, latency=0.05) as model:
        first = inspections.start(wish(model, concurrency=1))
        assert inspections.start(wish(model, concurrency=1)).inspection_id == first.inspection_id
        with pytest.raises(Conflict, match="under way"):
            inspections.start(wish(model, concurrency=2))
        assert first.state == "running" and first.eta is None
        inspections.stop(first.inspection_id)
        ended(inspections, first.inspection_id)
    with pytest.raises(NotFound, match="GET /api/plans/inspections"):
        inspections.view("nowhere")


def test_the_hosts_rules_hold_for_each_role(studio: Studio, answers: list[int]) -> None:
    with endpoint(inspector) as friend, endpoint(inspector) as stranger:
        with pytest.raises(Forbidden, match="off here"):
            Inspections(studio, Endpoints(forbidden="Models are off here.")).start(wish(friend))
        listed = Inspections(studio, Endpoints(key=SecretStr("operators-key"), listed=[friend.url], only=True))
        with pytest.raises(Forbidden, match="listed"):
            listed.start(wish(friend, chief={"base_url": stranger.url}))
        assert finish(listed, wish(friend)).done == REPORTS and not stranger.requests
        assert {sent.headers["authorization"] for sent in friend.requests} == {"Bearer operators-key"}
        listed.close()


def test_the_keys_reach_their_endpoints_and_nothing_else(
    inspections: Inspections, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    keys = {"chief": f"{CANARY}-chief", "recall": f"{CANARY}-recall"}
    with endpoint(with_faults(inspector, ("500", every(4)))) as model:
        wanted = wish(model, key=CANARY, keys=keys)
        view = finish(inspections, wanted)
        sent = {asked(each.body).inspector: each.headers["authorization"] for each in model.requests}
    assert sent == {"precision": f"Bearer {CANARY}", **{role: f"Bearer {key}" for role, key in keys.items()}}
    assert CANARY not in view.model_dump_json() + repr(wanted) + caplog.text
    folder: Path = settings.data_dir
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())
