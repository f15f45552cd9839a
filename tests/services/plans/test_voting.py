"""Votes on plans: what is blind, what is told for a vote and when, what is refused, and that nothing is lost."""

from __future__ import annotations

import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from pydantic import ValidationError

from easel_app.services.plans.listing import Filters
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.views import PlanView
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.reviewers import Person
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.plans.making import (
    CALL_VOTE,
    CONTENTS,
    GOOD,
    INSPECTION,
    JUDGE,
    SET,
    enrol,
    inspect,
    make_plan,
    make_set,
    said,
)

GAP = f"gap:{JUDGE}/1"
PARTS = ("call:1", "call:2", "gaps", GAP, "fs", "plan")


@pytest.fixture
def plans(studio: Studio) -> Plans:
    return studio.plans


@pytest.fixture
def answer(plans: Plans) -> int:
    """A plan of two calls, on which a judge reports one gap."""
    made = make_plan(plans, GOOD)
    inspect(plans, [made])
    return made


@pytest.fixture
def ada(plans: Plans) -> Person:
    return enrol(plans, "Ada")


def secrets(view: PlanView) -> list[str]:
    return sorted(set(re.findall(r"SECRET[ \w]*", view.model_dump_json())))


def test_nothing_that_a_judge_says_is_told_before_the_vote(plans: Plans, answer: int, ada: Person) -> None:
    for person in (None, ada):
        view = plans.views.view(answer, person)
        (judge,) = view.judges
        assert (judge.precision, judge.recall, judge.chief, view.others, secrets(view)) == (None, None, None, [], [])
        assert set(judge.standing.values()) == {"hidden"}


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("call:1", ["SECRET call 1"]),
        ("gaps", ["SECRET gap 1", "SECRET recall"]),
        ("fs", ["SECRET chief"]),
        ("plan", []),
    ],
)
@pytest.mark.parametrize("how", ["vote", "reveal"])
def test_a_vote_on_a_part_or_a_wish_to_see_it_tells_of_that_part_only(
    plans: Plans, answer: int, ada: Person, part: str, told: list[str], how: str
) -> None:
    view = plans.votes.cast(answer, ada, said(part)) if how == "vote" else plans.votes.reveal(answer, ada, part)
    assert secrets(view) == told and view.mine
    assert view.mine.blind == ({part: True} if how == "vote" else {}) and view.mine.revealed == [part]
    later = plans.votes.cast(answer, ada, said(part))
    assert later.mine and later.mine.blind == {part: False}


def test_the_summary_and_the_rates_come_with_the_last_call(plans: Plans, answer: int, ada: Person) -> None:
    (judge,) = plans.votes.cast(answer, ada, said("call:2")).judges
    assert judge.precision and [each.call_id for each in judge.precision.calls] == [2]
    assert (judge.precision.summary, judge.precision.credit, judge.standing["precision"]) == (None, None, "hidden")
    (judge,) = plans.votes.cast(answer, ada, said("call:1")).judges
    assert judge.precision and judge.precision.summary == "SECRET precision" and judge.precision.credit
    assert judge.standing == {"precision": "shown", "recall": "hidden", "chief": "hidden"}


def test_of_a_plan_without_calls_the_summary_waits_for_the_gaps(plans: Plans, ada: Person) -> None:
    answer = make_plan(plans, "No picture at all.")
    inspect(plans, [answer])
    assert secrets(plans.views.view(answer, ada)) == []
    view = plans.votes.cast(answer, ada, said("gaps"))
    assert "SECRET precision" in secrets(view)
    assert view.judges[0].precision and view.judges[0].precision.credit == {
        "strict": None,
        "no_fail": None,
        "partial_credit": None,
    }


def test_why_there_is_no_report_waits_as_the_report_would(plans: Plans, ada: Person) -> None:
    answer = make_plan(plans, GOOD)
    inspect(plans, [answer], unscored=("recall", "chief"))
    (judge,) = plans.views.view(answer, ada).judges
    assert (judge.standing["chief"], judge.unscored) == ("unscored", {})
    (judge,) = plans.votes.cast(answer, ada, said("fs")).judges
    assert list(judge.unscored) == ["chief"] and judge.standing["recall"] == "unscored"


def test_seeing_the_final_score_spoils_every_part_not_voted_on_yet(plans: Plans, answer: int, ada: Person) -> None:
    plans.votes.cast(answer, ada, said("call:1"))
    plans.votes.cast(answer, ada, said("fs"))
    view = plans.votes.cast(answer, ada, said("call:2"))
    assert view.mine and view.mine.blind == {"call:1": True, "fs": True, "call:2": False}


def test_all_is_shown_to_a_name_only_once_that_is_recorded(plans: Plans, answer: int, ada: Person) -> None:
    with pytest.raises(Forbidden, match="no longer blind"):
        plans.views.view(answer, ada, reports="shown")
    assert len(secrets(plans.views.view(answer, None, reports="shown"))) == 6
    plans.votes.reveal(answer, ada, "all")
    view = plans.views.view(answer, ada, reports="shown")
    assert len(secrets(view)) == 6 and view.mine and view.mine.revealed == ["all"]
    view = plans.votes.cast(answer, ada, said("gaps"))
    assert view.mine and view.mine.blind == {"gaps": False}


def test_who_has_voted_on_everything_may_see_everything(plans: Plans, answer: int, ada: Person) -> None:
    for part in ("call:1", "call:2", "gaps", "plan", "fs"):
        view = plans.votes.cast(answer, ada, said(part))
    assert plans.views.view(answer, ada, reports="shown") == view
    assert view.mine and all(view.mine.blind.values()) and len(view.mine.blind) == 5


def test_others_words_are_shown_part_by_part_and_only_as_they_stand(plans: Plans, answer: int, ada: Person) -> None:
    ben = enrol(plans, "Ben")
    for part in PARTS[:3]:
        plans.votes.cast(answer, ben, said(part, note=f"first {part}"))
    plans.votes.cast(answer, ben, said(GAP))
    plans.votes.cast(answer, ben, said("call:1", note="second"))
    plans.votes.cast(answer, ben, said("call:2", None))
    assert plans.views.view(answer, ada).others == []
    (other,) = plans.votes.cast(answer, ada, said("call:1")).others
    assert (other.reviewer, other.part, other.note, other.blind) == ("Ben", "call:1", "second", False)
    assert plans.votes.cast(answer, ada, said("call:2")).others == [other], "Ben took that back"
    assert len(plans.votes.cast(answer, ada, said("gaps")).others) == 2
    assert [each.part for each in plans.votes.cast(answer, ada, said(GAP)).others] == ["gaps", GAP, "call:1"]
    assert plans.views.view(answer, None).others == []
    assert len(plans.views.view(answer, None, reports="shown").others) == 3 + 4


def test_what_a_person_said_comes_back_as_it_stands(plans: Plans, answer: int, ada: Person) -> None:
    for part in PARTS:
        plans.votes.cast(answer, ada, said(part, note=f"on {part}"))
    plans.votes.cast(answer, ada, said("fs", {"about": "fs", "fs": 33}))
    view = plans.votes.cast(answer, ada, said("plan", None))
    assert view.mine
    assert view.mine.calls[2].model_dump() == CALL_VOTE
    assert view.mine.gaps and view.mine.gaps.model_dump(mode="json") == {
        "about": "gaps",
        "gaps": [{"after_block": 1, "type": "unmet_request", "note": ""}],
    }
    assert (view.mine.fs, view.mine.plan, view.mine.upheld) == (33, None, {f"{JUDGE}/1": True})
    assert view.mine.notes == {part: f"on {part}" for part in PARTS if part not in ("fs", "plan")}
    assert set(view.mine.blind) == {*PARTS} - {"plan"}


def test_a_vote_taken_back_and_given_again_is_not_blind(plans: Plans, answer: int, ada: Person) -> None:
    plans.votes.cast(answer, ada, said("call:1"))
    view = plans.votes.cast(answer, ada, said("call:1", None))
    assert view.mine and view.mine.calls == {} and secrets(view) == ["SECRET call 1"]
    view = plans.votes.cast(answer, ada, said("call:1"))
    assert view.mine and view.mine.blind == {"call:1": False}


def test_a_retry_changes_nothing_and_another_vote_by_its_id_is_refused(plans: Plans, answer: int, ada: Person) -> None:
    vote, back = said("fs"), said("fs", None)
    first = plans.votes.cast(answer, ada, vote)
    assert plans.votes.cast(answer, ada, vote) == first
    plans.votes.cast(answer, ada, back)
    assert plans.votes.cast(answer, ada, back).mine == plans.votes.cast(answer, ada, vote).mine
    assert len(plans.ballots.votes_on(answer)) == 2
    with pytest.raises(Conflict, match="another vote of yours"):
        plans.votes.cast(answer, ada, said("plan", request_id=vote.request_id))
    assert plans.votes.cast(answer, enrol(plans, "Ben"), vote).mine, "ids are each person's own"


@pytest.mark.parametrize(
    ("part", "content", "refusal", "message"),
    [
        ("call:3", ..., NotFound, "no call 3; it has 2"),
        ("call:0", ..., Invalid, "by its number"),
        ("call:01", ..., Invalid, "by its number"),
        ("call:²", ..., Invalid, "by its number"),
        ("call:", ..., Invalid, "by its number"),
        ("call:1", CONTENTS["fs"], Invalid, "about call, but its content is about fs"),
        ("gaps:1", ..., Invalid, "leave the key out"),
        ("fs:x", ..., Invalid, "leave the key out"),
        ("plan", None, Conflict, "no vote here to take back"),
        ("gaps", {"about": "gaps", "gaps": [{"after_block": 5, "type": "unmet_request"}]}, Invalid, "no block 5"),
        (GAP, ..., Forbidden, "vote on that first"),
        ("gap:nobody/9", ..., Forbidden, "vote on that first"),
    ],
)
def test_a_vote_that_does_not_fit_is_refused_and_changes_nothing(
    plans: Plans, answer: int, ada: Person, part: str, content: Any, refusal: type[Exception], message: str
) -> None:
    with pytest.raises(refusal, match=re.escape(message)):
        plans.votes.cast(answer, ada, said(part, content))
    assert plans.ballots.votes_on(answer) == [] and plans.ballots.revealed(ada.id, answer) == set()


def test_two_judges_of_one_name_are_two_and_each_has_its_own_gap(plans: Plans, answer: int, ada: Person) -> None:
    """Such as one model at another temperature."""
    inspect(plans, [answer], "second")
    first, second = (each.judge for each in plans.views.view(answer, ada).judges)
    assert first == JUDGE and second == f"{JUDGE} (second)"
    plans.votes.cast(answer, ada, said("gaps"))
    seen = plans.votes.cast(answer, ada, said(f"gap:{second}/1")).mine
    assert seen and list(seen.upheld) == [f"{second}/1"]
    agreed = {each: plans.agreement.agreement(SET, each).recall.upheld.votes.n for each in (INSPECTION, "second")}
    assert agreed == {INSPECTION: 0, "second": 1}


@pytest.mark.parametrize("key", [f"{JUDGE}/2", "nobody/1", f"{JUDGE}", "1", "/1", f"{JUDGE}/0", f"{JUDGE}/1/"])
def test_only_a_gap_that_a_judge_reports_can_be_upheld(plans: Plans, answer: int, ada: Person, key: str) -> None:
    plans.votes.cast(answer, ada, said("gaps"))
    with pytest.raises((NotFound, Invalid)):
        plans.votes.cast(answer, ada, said(f"gap:{key}"))
    assert plans.votes.cast(answer, ada, said(GAP)).mine


@pytest.mark.parametrize("part", ["call:3", "call:x", "call:", "gap:stern/judge/1", "", "ALL", "x" * 200])
def test_only_a_part_of_the_plan_is_revealed(plans: Plans, answer: int, ada: Person, part: str) -> None:
    with pytest.raises((NotFound, Invalid)):
        plans.votes.reveal(answer, ada, part)
    assert plans.ballots.revealed(ada.id, answer) == set()


def test_a_final_score_is_a_whole_number_to_a_hundred() -> None:
    for fs in (101, -1, 70.0, True, "70"):
        with pytest.raises(ValidationError):
            said("fs", {"about": "fs", "fs": fs})


def test_many_votes_at_once_all_count_and_one_of_each_is_blind(plans: Plans, answer: int) -> None:
    people = [enrol(plans, f"P{k}") for k in range(3)]
    jobs = [(person, said(part)) for person in people for part in ("call:1", "call:1", "gaps", "plan")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda job: plans.votes.cast(answer, *job), jobs + jobs))  # each sent twice
    votes = plans.ballots.votes_on(answer)
    assert sorted((vote.reviewer, vote.request_id) for vote in votes) == sorted((p.name, w.request_id) for p, w in jobs)
    assert sorted((vote.reviewer, vote.part) for vote in votes if vote.blind) == sorted(
        (person.name, part) for person in people for part in ("call:1", "gaps", "plan")
    )


PEOPLE = ("Ada", "Ben", "Cleo")
who = st.sampled_from(PEOPLE)


class Inspecting(RuleBasedStateMachine):
    """Three people at one plan in any order, and a second plan that nobody touches."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.studio = Studio(Settings(data_dir=Path(self.folder.name)))
        self.plans = self.studio.plans
        self.answer, self.other = make_set(self.plans, queries=1, texts=(GOOD, GOOD))
        inspect(self.plans, [self.answer, self.other])
        self.people = {name: enrol(self.plans, name) for name in PEOPLE}
        self.seen: dict[str, set[str]] = {name: set() for name in PEOPLE}
        self.said: dict[tuple[str, str], tuple[str, bool] | None] = {}
        """By person and part: note of what stands and whether it is blind; None when taken back."""
        self.rows = 0

    def teardown(self) -> None:
        self.studio.close()
        self.folder.cleanup()

    def sees(self, name: str, part: str) -> bool:
        return bool(self.seen[name] & {part, "all"})

    @rule(name=who, part=st.sampled_from(PARTS), twice=st.booleans())
    def vote(self, name: str, part: str, twice: bool) -> None:
        note = f"WHISPER{self.rows:03}"
        wish = said(part, note=note)
        if part == GAP and not self.sees(name, "gaps"):
            with pytest.raises(Forbidden):
                self.plans.votes.cast(self.answer, self.people[name], wish)
            return
        blind = (name, part) not in self.said and not self.seen[name] & {part, "all", "fs"}
        for _ in range(1 + twice):
            self.plans.votes.cast(self.answer, self.people[name], wish)
        self.said[name, part] = (note, blind)
        self.seen[name].add(part)
        self.rows += 1

    @precondition(lambda self: any(self.said.values()))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        name, part = data.draw(st.sampled_from(sorted(key for key, stands in self.said.items() if stands)))
        self.plans.votes.cast(self.answer, self.people[name], said(part, None))
        self.said[name, part] = None
        self.rows += 1

    @rule(name=who, part=st.sampled_from(["call:1", "call:2", "gaps", "fs", "plan", "all"]))
    def reveal(self, name: str, part: str) -> None:
        self.plans.votes.reveal(self.answer, self.people[name], part)
        self.seen[name].add(part)

    @invariant()
    def everybody_is_told_what_they_may_see_and_no_more(self) -> None:
        for name, person in self.people.items():
            view = self.plans.views.view(self.answer, person)
            text = view.model_dump_json()
            may = {
                "SECRET call 1": self.sees(name, "call:1"),
                "SECRET call 2": self.sees(name, "call:2"),
                "SECRET precision": self.sees(name, "call:1") and self.sees(name, "call:2"),
                "SECRET gap 1": self.sees(name, "gaps"),
                "SECRET recall": self.sees(name, "gaps"),
                "SECRET chief": self.sees(name, "fs"),
            }
            assert {secret: secret in text for secret in may} == may
            whispers = {
                stands[0]
                for (other, part), stands in self.said.items()
                if stands and (other == name or self.sees(name, part))
            }
            assert set(re.findall(r"WHISPER\d+", text)) == whispers
            own = {part: stands[1] for (other, part), stands in self.said.items() if other == name and stands}
            assert view.mine and view.mine.blind == own

    @invariant()
    def lists_and_searches_tell_no_more(self) -> None:
        for name, person in self.people.items():
            first, second = self.plans.lists.page(SET, person, Filters(), 0, 10).plans
            assert (first.fs is not None, first.gaps is not None) == (self.sees(name, "fs"), self.sees(name, "gaps"))
            assert (second.fs, second.gaps, second.done) == (None, None, 0.0)
            for q, part in (("secret chief", "fs"), ("secret recall", "gaps")):
                hits = [plan.answer for plan in self.plans.lists.page(SET, person, Filters(q=q), 0, 10).plans]
                assert hits == ([self.answer] if self.sees(name, part) else [])

    @invariant()
    def a_reader_without_a_name_is_told_nothing(self) -> None:
        text = self.plans.views.view(self.answer, None).model_dump_json()
        assert "SECRET" not in text and "WHISPER" not in text
        assert len(self.plans.ballots.votes_on(self.answer)) == self.rows, "nothing said is lost"


Inspecting.TestCase.settings = settings(max_examples=15, stateful_step_count=18, deadline=None)
test_people_inspect_in_any_order = Inspecting.TestCase
