"""Lists of plans: what fits, in which order, what is told of it, and what a search finds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from easel_app.plans.files import AnswerRecord, Document
from easel_app.services.plans.listing import Filters
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.views import PlanPage
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import Person
from easel_app.services.studio import Studio
from tests.services.plans.making import (
    CATEGORIES,
    FAULTY,
    GOOD,
    JUDGE,
    SET,
    add_answer,
    add_query,
    call,
    enrol,
    inspect,
    make_plan,
    make_query,
    make_set,
    said,
)

NOBODY = None


def page(plans: Plans, person: Person | None = None, offset: int = 0, limit: int = 100, **filters: Any) -> PlanPage:
    return plans.lists.page(SET, person, Filters(**filters), offset, limit)


def found(plans: Plans, person: Person | None = None, **filters: Any) -> list[int]:
    return [plan.answer for plan in page(plans, person, **filters).plans]


@pytest.fixture
def plans(studio: Studio) -> Plans:
    return studio.plans


def test_plans_come_by_query_and_then_by_planner(plans: Plans) -> None:
    made = make_set(plans, queries=2, planners=("zoe", "adam"))
    row = plans.store.query(SET, "q1")
    assert row
    late = add_answer(plans, row.id, AnswerRecord(query_id="q1", planner="mia", text=GOOD))
    again = add_answer(plans, row.id, AnswerRecord(query_id="q1", planner="adam", attempt=2, text=GOOD))
    assert found(plans) == [made[1], again, late, made[0], made[3], made[2]]


def test_a_page_tells_how_many_there_are_and_where_the_next_begins(plans: Plans) -> None:
    made = make_set(plans, queries=3)
    first = page(plans, limit=2, planner="planner a")
    assert ([plan.answer for plan in first.plans], first.total, first.of, first.next) == ([made[0], made[2]], 3, 6, 2)
    last = page(plans, offset=2, limit=2, planner="planner a")
    assert ([plan.answer for plan in last.plans], last.next) == ([made[4]], None)
    assert page(plans, offset=99).plans == []


def test_a_plan_in_a_list_tells_what_the_parser_found(plans: Plans) -> None:
    make_set(plans, queries=1)
    good, faulty = page(plans).plans
    assert (good.title, good.calls, good.tools["search"], good.codes, good.category) == (
        "How does mill 1 work?", 2, 1, [], CATEGORIES[0]
    )  # fmt: skip
    assert (faulty.calls, faulty.codes[0], faulty.problems) == (
        3, "img_index_out_of_range", {"error": 4, "warning": 7, "hint": 0}
    )  # fmt: skip
    assert (good.fs, good.gaps, good.plan, good.done) == (None, None, None, 0.0)


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"planner": "planner b"}, {1, 3, 5}),
        ({"category": "Travel"}, {2, 3}),
        ({"tool": "search"}, {0, 2, 4}),
        ({"tool": "unknown"}, {1, 3, 5}),
        ({"status": "repaired"}, {1, 3, 5}),
        ({"problem": "lead_in_phrase"}, {1, 3, 5}),
        ({"severity": "error"}, {1, 3, 5}),
        ({"severity": "hint"}, set()),
        ({"open": True}, {0, 1, 2, 3, 4, 5}),
        ({"verdict": "accept"}, set()),
        ({"verdict": "none"}, {0, 1, 2, 3, 4, 5}),
        ({"gap": "any"}, set()),
        ({"planner": "nobody"}, set()),
        ({"planner": "planner a", "category": "Recipe", "q": "mill"}, {0}),
    ],
    ids=str,
)
def test_filters_narrow_together(plans: Plans, filters: dict[str, Any], fits: set[int]) -> None:
    made = make_set(plans)
    inspect(plans, made)
    assert found(plans, **filters) == [answer for k, answer in enumerate(made) if k in fits]


def test_what_a_judge_says_is_told_where_it_may_be_shown(plans: Plans) -> None:
    made = make_set(plans)
    inspect(plans, made, gaps=2, fs=55)
    inspect(plans, made[:2], "second", "second judge", gaps=0, fs=90)
    ada = enrol(plans, "Ada")
    assert {(plan.fs, plan.gaps) for plan in page(plans, ada).plans} == {(None, None)}
    plans.votes.cast(made[0], ada, said("gaps"))
    plans.votes.cast(made[1], ada, said("fs"))
    plans.votes.reveal(made[2], ada, "all")
    wanted = [(None, 2), (55, None), (55, 2), (None, None), (None, None), (None, None)]
    assert [(plan.fs, plan.gaps) for plan in page(plans, ada).plans] == wanted
    second = [(None, 0), (90, None), (None, None), (None, None), (None, None), (None, None)]
    assert [(plan.fs, plan.gaps) for plan in page(plans, ada, inspection="second").plans] == second
    assert {(plan.fs, plan.gaps) for plan in page(plans, reports="shown").plans} == {(55, 2)}
    assert [(p.fs, p.gaps) for p in page(plans, ada, reports="shown").plans] == wanted, "a name is held to its votes"


def test_a_filter_by_gap_tells_nothing_that_may_not_be_shown(plans: Plans) -> None:
    made = make_set(plans)
    inspect(plans, made, gaps=1)  # procedural_gap
    ada = enrol(plans, "Ada")
    assert found(plans, ada, gap="any") == found(plans, gap="procedural_gap") == []
    plans.votes.cast(made[0], ada, said("gaps"))  # finds an unmet_request
    plans.votes.cast(made[1], ada, said("gaps", {"about": "gaps", "gaps": []}))
    plans.votes.cast(made[2], ada, said("fs"))
    assert found(plans, ada, gap="procedural_gap") == made[:2]
    assert found(plans, ada, gap="unmet_request") == made[:1], "her own"
    assert found(plans, ada, gap="any") == made[:2]
    assert found(plans, reports="shown", gap="procedural_gap") == made
    assert found(plans, reports="shown", gap="unmet_request") == [], "others' words are no judge's"


def test_what_is_open_and_what_a_person_says_are_theirs(plans: Plans) -> None:
    made = make_set(plans, queries=1)
    ada, ben = enrol(plans, "Ada"), enrol(plans, "Ben")
    for part in ("call:1", "call:2", "gaps", "fs"):
        plans.votes.cast(made[0], ada, said(part))
    assert page(plans, ada).plans[0].done == 0.8
    plans.votes.cast(made[0], ada, said("plan"))
    assert found(plans, ada, open=True) == [made[1]] and found(plans, ben, open=True) == made
    assert found(plans, ada, verdict="revise") == [made[0]] and found(plans, ben, verdict="revise") == []
    plans.votes.cast(made[0], ada, said("plan", None))
    assert found(plans, ada, open=True) == made and found(plans, ada, verdict="none") == made


@pytest.mark.parametrize("text", ["", " \n"])
def test_of_an_answer_that_is_none_only_a_verdict_is_asked(plans: Plans, text: str) -> None:
    answer, ada = make_plan(plans, text), enrol(plans, "Ada")
    assert plans.views.view(answer, ada).no_output
    plans.votes.cast(answer, ada, said("plan"))
    (listed,) = page(plans, ada).plans
    assert listed.no_output and listed.done == 1
    assert found(plans, ada, open=True) == []


def test_a_step_leads_through_what_fits_and_on_to_what_is_open(plans: Plans) -> None:
    made = make_set(plans)
    ada = enrol(plans, "Ada")

    def step(answer: int | None, person: Person | None = ada, **filters: Any) -> tuple[Any, ...]:
        told = plans.lists.step(SET, person, Filters(**filters), answer)
        return told.place, told.total, told.previous, told.next, told.open

    assert step(made[0]) == (1, 6, None, made[1], made[1])
    assert step(made[5]) == (6, 6, made[4], None, made[0])
    assert step(made[3], planner="planner a") == (None, 3, made[2], made[4], made[4])
    assert step(None, planner="planner b") == (None, 3, None, made[1], made[1])
    assert step(made[0], q="nowhere") == (None, 0, None, None, None)
    for answer in made[:5]:
        for part in ("call:1", "call:2", "call:3"):
            if not (part == "call:3" and answer in made[::2]):
                plans.votes.cast(answer, ada, said(part))
        for part in ("gaps", "fs", "plan"):
            plans.votes.cast(answer, ada, said(part))
    assert step(made[0])[-1] == made[5] and step(made[5])[-1] is None


@pytest.mark.parametrize(
    "q",
    ["MILL", "work 1", "turn", "river search", "old", "lead_in_phrase", "announces picture", "planner", "recipe", "q1",
     "img/90.png", "gone.png", '"img_index":', "é", "\"quoted", "naïve"],
)  # fmt: skip
def test_a_search_finds_whatever_is_shown_of_a_plan(plans: Plans, q: str) -> None:
    search = call("search", query='old é "quoted" mill\fnaïve')
    answer = make_plan(plans, f"Here is the image:\n\n{call('ref', img_index=0)}\n\nThe *river*.\n\n{search}")
    assert found(plans, q=q) == [answer], q


def test_every_word_of_a_search_must_stand_somewhere(plans: Plans) -> None:
    make_plan(plans, GOOD)
    assert found(plans, q="river nowhere") == [] == found(plans, q="SECRET")
    assert found(plans, q="query_first") == [] == found(plans, q="88f7"), (
        "what is not shown: fields' own words, digests"
    )
    assert len(found(plans, q="   ")) == 1


def test_a_search_finds_what_judges_and_people_say_only_where_it_may_be_shown(plans: Plans) -> None:
    made = make_set(plans)
    inspect(plans, made)
    ada, ben = enrol(plans, "Ada"), enrol(plans, "Ben")
    for answer in made[:2]:
        plans.votes.cast(answer, ben, said("call:1", note="whisper one"))
        plans.votes.cast(answer, ben, said("plan", note="whisper two"))
    assert found(plans, q="secret") == found(plans, ada, q="whisper") == found(plans, ada, q=JUDGE) == []
    assert found(plans, ben, q="whisper one") == made[:2], "their own words"
    plans.votes.cast(made[0], ada, said("call:1"))
    assert found(plans, ada, q="secret call 1") == [made[0]] and found(plans, ada, q="secret precision") == []
    assert found(plans, ada, q="whisper one") == [made[0]] and found(plans, ada, q="whisper two") == []
    plans.votes.cast(made[1], ada, said("gaps"))
    assert found(plans, ada, q="SECRET gap") == [made[1]]
    assert found(plans, q="secret chief", reports="shown") == made


def test_a_judge_that_gave_no_report_is_not_searched_before_it_may_be(plans: Plans) -> None:
    answer = make_plan(plans, GOOD)
    inspect(plans, [answer], unscored=("chief",))
    ada = enrol(plans, "Ada")
    plans.votes.cast(answer, ada, said("gaps"))
    assert found(plans, ada, q="its tier") == []
    plans.votes.cast(answer, ada, said("fs"))
    assert found(plans, ada, q="its tier") == [answer]


def test_plans_that_come_in_are_listed_and_found(plans: Plans) -> None:
    made = make_set(plans, queries=1)
    assert found(plans, q="mill") == made
    query = make_query(plans, 9, documents=(Document(text="A word of *zinnias*"),))
    row = add_query(plans, query)
    late = add_answer(plans, row, AnswerRecord(query_id="q9", planner="late", text=FAULTY))
    assert found(plans) == [*made, late] and found(plans, q="zinnias") == [late]


def test_a_set_tells_what_is_in_it(plans: Plans) -> None:
    made = make_set(plans)
    inspect(plans, made, unscored=("chief",))
    enrol(plans, "Zoe")
    plans.votes.cast(made[0], enrol(plans, "Ada"), said("plan"))
    view = plans.library.view(plans.library.set(SET))
    assert (view.queries, view.answers, view.planners) == (3, 6, ["planner a", "planner b"])
    assert view.categories == sorted(CATEGORIES) and view.reviewers == ["Ada"]
    (judge,) = view.inspections
    assert (judge.judge, judge.reports) == (JUDGE, {"precision": 6, "recall": 6, "chief": 0})
    assert judge.unscored == {"precision": 0, "recall": 0, "chief": 6} and judge.models["recall"] == "a model"
    assert "SECRET" not in json.dumps(view.model_dump())


def test_what_is_not_there_is_said(plans: Plans) -> None:
    make_set(plans)
    with pytest.raises(NotFound, match="no set of plans"):
        plans.lists.page("nowhere", NOBODY, Filters(), 0, 10)
    with pytest.raises(NotFound, match="no such inspection"):
        page(plans, inspection="nobody")
    with pytest.raises(NotFound, match="no such answer"):
        plans.library.find(SET, "q1", "nobody", 1)
