"""Trials of drafts: real tool runs and a real judging against a scripted endpoint, and what comes of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from easel_app.rubrics.sandbox.none import NoSandbox
from easel_app.runs.judging import Judgings
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_runs import ToolRuns
from easel_app.runs.trials import Trials
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Conflict, Forbidden, Invalid, Refusal
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Draft, NewTrial, Trial
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.studio import Studio
from tests.conftest import wait_until
from tests.endpoint import Answer, Body, Headers, Script, endpoint
from tests.endpoint.app import Running
from tests.endpoint.faults import error
from tests.endpoint.judge import grader
from tests.endpoint.painter import completion
from tests.endpoint.tool_user import Play, Wish, tool_user
from tests.services.rubrics.draft_making import begun, changed, drafts_of, person, request_id, said

SUM = [[Wish("calculator", {"expression": "6 * 7"})]]
RIGHT, WRONG = Play(SUM, "It costs 42."), Play(SUM, "It costs 24.")


def house_of(judge: Script = grader, **plays: Play | Script) -> Script:
    """An endpoint with several models, and a judge."""
    scripts = {name: play if callable(play) else tool_user({}, play) for name, play in plays.items()} | {"judge": judge}

    def script(number: int, body: Body, headers: Headers) -> Answer:
        return scripts[body["model"]](number, body, headers)

    return script


class House(NamedTuple):
    studio: Studio
    drafts: DraftService
    trials: Trials
    ada: Person

    def start(self, draft: Draft, at: Running, *models: str, **more: Any) -> Draft:
        return self.trials.start(draft.draft_id, self.ada, wish(at, *models, **more))

    def trial(self, draft: Draft) -> Trial:
        return self.drafts.view(draft.draft_id, self.ada).trials[-1]

    def ended(self, draft: Draft) -> Draft:
        """The draft once nobody is at its last trial."""
        last = self.drafts.store.trials(draft.draft_id)[-1].id
        wait_until(lambda: all(told.state in ("done", "failed") for told in self.trials.progress(last).values()), 60)
        return self.drafts.view(draft.draft_id, self.ada)


def wish(at: Running, *models: str, **more: Any) -> NewTrial:
    facts = {"request_id": request_id(), "base_url": at.url, "models": models, "judge": "judge"}
    return NewTrial.model_validate(facts | more)


def states(trial: Trial) -> list[tuple[str, bool | None]]:
    return [(model.state, model.passed) for model in trial.models]


@pytest.fixture
def trials_of(studio: Studio, drafts: DraftService) -> Iterator[Callable[..., Trials]]:
    """Trials of the studio, as a server would have them after each start."""
    works: list[Any] = []

    def make(endpoints: Endpoints | None = None) -> Trials:
        judgings = Judgings(studio, endpoints, wait=0.001)
        equipment = Equipment(NoSandbox("The tests of trials need none."), {}, studio.rubrics.pictures._folder)
        tool_runs = ToolRuns(studio, judgings, equipment, endpoints, wait=0.001)
        trials = Trials(drafts, tool_runs, judgings, endpoints, pause=0.01)
        works.extend((trials, tool_runs, judgings))
        return trials

    yield make
    for work in works:
        work.close()


@pytest.fixture
def drafts(studio: Studio) -> DraftService:
    return drafts_of(studio)


@pytest.fixture
def house(studio: Studio, drafts: DraftService, trials_of: Callable[..., Trials]) -> House:
    return House(studio, drafts, trials_of(), person(studio.rubrics, "Ada"))


def test_a_task_at_which_two_of_three_models_fail_is_kept_reviewed_by_two_and_accepted(house: House) -> None:
    draft = begun(house.drafts, house.ada)
    with endpoint(house_of(m1=WRONG, m2=RIGHT, m3=WRONG)) as at:
        begins = house.start(draft, at, "m1", "m2", "m3")
        assert begins.stage == "trial" and begins.trials[0].outcome == "open"
        found = house.ended(draft)
    (trial,) = found.trials
    assert states(trial) == [("done", False), ("done", True), ("done", False)]
    assert (trial.failures, trial.outcome, found.stage) == (2, "kept", "review")
    assert [model.score for model in trial.models] == [pytest.approx(2 / 7), 1.0, pytest.approx(2 / 7)]
    answer = house.studio.rubrics.store.answer(trial.models[0].answer or 0)
    assert answer and answer.record["turns"][0]["calls"][0]["observation"]["result"] == 42, "with its trace"
    assert answer.record["conditions"]["model"] == "m1"
    assert "python_image_processing" in trial.models[0].off and "calculator" not in trial.models[0].off
    assert trial.task_id == f"{draft.draft_id}-v1" and "tried" in found.why_not["try"]
    for name in ("Bob", "Eve"):
        found = DraftReviews(house.drafts).decide(draft.draft_id, person(house.studio.rubrics, name), said(draft))
    assert found.stage == "accepted"


def test_a_task_at_which_one_model_fails_is_dropped_unless_that_is_enough(house: House) -> None:
    first, second = begun(house.drafts, house.ada), begun(house.drafts, house.ada)
    with endpoint(house_of(m1=RIGHT, m2=WRONG, m3=RIGHT)) as at:
        house.start(first, at, "m1", "m2", "m3")
        house.start(second, at, "m1", "m2", "m3", least_failures=1)  # both at once, with one judge
        assert house.ended(first).stage == "dropped"
        assert house.ended(second).stage == "review"


def test_a_model_that_cannot_be_asked_is_told_and_the_same_wish_goes_on_with_it(house: House) -> None:
    draft, broken = begun(house.drafts, house.ada), [True]

    def absent(number: int, body: Body, headers: Headers) -> Answer:
        return error(404, "no such model") if broken else tool_user({}, WRONG)(number, body, headers)

    with endpoint(house_of(m1=WRONG, m2=RIGHT, m3=absent)) as at:
        asked = wish(at, "m1", "m2", "m3")
        house.trials.start(draft.draft_id, house.ada, asked)
        found = house.ended(draft)
        assert states(found.trials[0]) == [("done", False), ("done", True), ("failed", None)]
        assert "404" in found.trials[0].models[2].reason and found.stage == "trial" and "try" in found.may
        broken.clear()
        before = Counter(each.body["model"] for each in at.requests)
        house.trials.start(draft.draft_id, house.ada, asked.model_copy(update={"request_id": "another"}))
        found = house.ended(draft)
        after = Counter(each.body["model"] for each in at.requests)
    assert found.stage == "review" and len(found.trials) == 1
    assert after["m1"] == before["m1"] and after["m2"] == before["m2"], "what has answered is not asked again"
    assert after["judge"] == before["judge"] + 2


def test_a_model_that_failed_is_tried_again_only_once_the_others_are_done(house: House) -> None:
    draft = begun(house.drafts, house.ada)
    restless = tool_user({}, Play(SUM, "It costs 24.", endless=True))
    with endpoint(house_of(m1=restless, m2=lambda *_: error(404, "no such model")), latency=0.2) as at:
        asked = wish(at, "m1", "m2")
        house.trials.start(draft.draft_id, house.ada, asked)
        wait_until(lambda: house.trial(draft).models[1].state == "failed", 60)
        with pytest.raises(Conflict) as caught:
            house.trials.start(draft.draft_id, house.ada, asked)
        assert caught.value.code == "under_way" and house.trial(draft).models[0].state == "running"
        changed(house.drafts, draft, house.ada)  # which ends it
        house.ended(draft)


def test_a_judge_that_says_nothing_usable_leaves_it_open_and_is_asked_again(
    house: House, trials_of: Callable[..., Trials]
) -> None:
    draft, mute = begun(house.drafts, house.ada), [True]

    def judge(number: int, body: Body, headers: Headers) -> Answer:
        return completion(body, {"content": "Hm."}) if mute else grader(number, body, headers)

    with endpoint(house_of(judge, m1=WRONG)) as at:
        house.start(draft, at, "m1", least_failures=1)
        found = house.ended(draft)
        (model,) = found.trials[0].models
        assert (model.state, model.passed, found.stage) == ("failed", None, "trial") and model.answer and model.reason
        later = house._replace(trials=trials_of())  # as after a restart
        assert later.trial(draft).models == [model], "what the judge said is on record"
        mute.clear()
        later.start(draft, at, "m1", least_failures=1)
        assert later.ended(draft).stage == "review"
    asked = Counter(each.body["model"] for each in at.requests)
    assert asked["m1"] == 2, "what has answered is not asked again"


def test_after_a_restart_it_goes_on_with_what_is_left(house: House, trials_of: Callable[..., Trials]) -> None:
    draft = begun(house.drafts, house.ada)
    with endpoint(house_of(m1=WRONG, m2=lambda *_: error(401, "no"))) as at:
        asked = wish(at, "m1", "m2")
        house.trials.start(draft.draft_id, house.ada, asked)
        house.ended(draft)
    later = trials_of()
    (first, second) = house.trial(draft).models
    assert first.state == "done" and (second.state, second.answer) == ("failed", None)
    assert second.reason.startswith("It has not answered yet")
    with endpoint(house_of(m1=RIGHT, m2=WRONG)) as at:  # elsewhere: that is another trial, with answers of its own
        later.start(draft.draft_id, house.ada, wish(at, "m1", "m2", least_failures=1))
        found = house._replace(trials=later).ended(draft)
    assert [states(trial) for trial in found.trials] == [
        [("done", False), ("failed", None)], [("done", True), ("done", False)],
    ]  # fmt: skip
    assert found.stage == "review"


def test_a_change_voids_a_trial_and_ends_it(house: House) -> None:
    draft, done = begun(house.drafts, house.ada), threading.Event()
    restless = tool_user({}, Play(SUM, "", endless=True))

    def slow(number: int, body: Body, headers: Headers) -> Answer:
        return (tool_user({}, WRONG) if done.is_set() else restless)(number, body, headers)

    with endpoint(house_of(m1=slow), latency=0.2) as at:
        house.start(draft, at, "m1", least_failures=1)
        wait_until(lambda: len(at.requests) > 0)
        with pytest.raises(Conflict) as caught:
            house.start(draft, at, "m1", "m2", least_failures=1)
        assert caught.value.code == "under_way"
        anew = changed(house.drafts, draft, house.ada)
        assert anew.stage == "draft"
        wait_until(lambda: house.trial(draft).models[0].state == "failed", 60)
        assert "changed meanwhile" in house.trial(draft).models[0].reason
        done.set()
        house.start(anew, at, "m1", least_failures=1)
        found = house.ended(anew)
    assert [(trial.version, trial.outcome) for trial in found.trials] == [(1, "open"), (2, "kept")]
    assert found.stage == "review"


def test_one_wish_sent_by_many_at_once_is_one_trial(house: House) -> None:
    draft, together = begun(house.drafts, house.ada), threading.Barrier(6)
    with endpoint(house_of(m1=WRONG)) as at:
        asked = wish(at, "m1", least_failures=1)

        def start(number: int) -> int:
            together.wait()
            again = asked if number % 2 else asked.model_copy(update={"request_id": f"own-{number}"})
            return len(house.trials.start(draft.draft_id, house.ada, again).trials)

        with ThreadPoolExecutor(6) as hands:
            assert set(hands.map(start, range(6))) == {1}
        found = house.ended(draft)
        asked_for = Counter(each.body["model"] for each in at.requests)
        assert house.trials.start(draft.draft_id, house.ada, asked).stage == "review", "sent again when all is done"
    assert found.stage == "review" and asked_for == {"m1": 2, "judge": 2}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"models": ("m", "m")}, "models"),
        ({"least_failures": 3}, "least_failures"),
        ({"critical": "flag"}, "no_critical_item"),
        ({"base_url": "ftp://x"}, "base_url"),
        ({"base_url": "http://name:word@host/v1"}, "base_url"),
        ({"judge_base_url": "nowhere"}, "judge_base_url"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_before_anything_is_stored(
    house: House, change: dict[str, Any], code: str
) -> None:
    draft = begun(house.drafts, house.ada)
    facts = {"request_id": "1", "base_url": "http://127.0.0.1:1/v1", "models": ("m1", "m2"), "judge": "judge"}
    with pytest.raises(Invalid) as caught:
        house.trials.start(draft.draft_id, house.ada, NewTrial.model_validate(facts | change))
    assert caught.value.code == code and "word@" not in caught.value.message
    assert house.drafts.view(draft.draft_id, house.ada).trials == []


def test_who_may_not_is_told_why(house: House, trials_of: Callable[..., Trials]) -> None:
    draft, bob = begun(house.drafts, house.ada), person(house.studio.rubrics, "Bob")
    facts = {"request_id": "1", "base_url": "http://127.0.0.1:1/v1", "models": ("m1", "m2"), "judge": "judge"}
    asked = NewTrial.model_validate(facts)

    def refused(trials: Trials, draft: Draft, who: Person) -> str:
        with pytest.raises(Refusal) as caught:
            trials.start(draft.draft_id, who, asked)
        return caught.value.code

    assert refused(house.trials, draft, bob) == "not_author"
    assert refused(house.trials, changed(house.drafts, draft, house.ada, domain=""), house.ada) == "incomplete"
    whole = begun(house.drafts, house.ada)
    assert refused(trials_of(Endpoints(only=True)), whole, house.ada) == "endpoint_not_listed"
    off = trials_of(Endpoints(forbidden="Models cannot be run from this studio."))
    with pytest.raises(Forbidden, match="cannot be run"):
        off.start(whole.draft_id, house.ada, asked)
    assert house.drafts.view(whole.draft_id, house.ada).why_not["try"] == "Models cannot be run from this studio."


def test_a_key_goes_to_its_own_address_and_nowhere_else(house: House) -> None:
    draft = begun(house.drafts, house.ada)
    with endpoint(house_of(m1=WRONG)) as at, endpoint(house_of()) as elsewhere:
        house.start(draft, at, "m1", least_failures=1, key="secret-1", judge_base_url=elsewhere.url)
        house.ended(draft)
        assert {each.headers.get("authorization") for each in at.requests} == {"Bearer secret-1"}
        assert elsewhere.requests and all("secret-1" not in str(each.headers) for each in elsewhere.requests)
    files = list(house.studio.rubrics.pictures._folder.parent.glob("easel.db*"))
    assert files and all(b"secret-1" not in path.read_bytes() for path in files)
