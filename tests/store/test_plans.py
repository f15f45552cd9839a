"""What is stored of plans is append-only and comes back as it was, and so are reports and votes on them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from easel_app.services.plans.plans import Plans
from easel_app.services.plans.sight import sight_of
from easel_app.services.reviewers import Person
from easel_app.settings import Settings
from easel_app.store.database import Database
from easel_app.store.inspections import ReportRow
from easel_app.store.judges import JudgingEvent, JudgingRecord
from easel_app.store.plan_votes import AdoptedPlanVote, NewPlanVote, PlanVoteStore, RequestReused
from easel_app.store.plans import NewQuery
from easel_app.store.reviewers import IMPORTED, LONGEST_NAME
from easel_app.store.sets import ImportEvent
from tests.services.plans.making import GOOD, INSPECTION, SET, enrol, inspect, make_plan, make_set, said

PLAN_TABLES = (
    *("plan_sets", "plan_imports", "plan_queries", "plan_answers", "plan_outlines", "inspections", "inspection_events"),
    *("inspector_reports", "plan_votes", "plan_reveals", "plan_executions"),
)
AT = "2026-11-30T12:00:00Z"


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database with a row in each table."""
    folder: Path = tmp_path_factory.mktemp("full")
    database = Database(folder)
    plans = Plans(database, Settings(data_dir=folder))
    made = make_set(plans)
    plans.store.happened(SET, ImportEvent("a file", "begun", {}, AT))
    inspect(plans, made)
    plans.inspections.happened(INSPECTION, JudgingEvent("begun", {}, AT))
    plans.library.outlines(SET)
    plans.votes.cast(made[0], enrol(plans, "Ada"), said("call:1"))
    statement = "INSERT INTO plan_executions VALUES (1, ?, 1, 'pool', NULL, 'no picture', 0.5, ?)"
    database.write(lambda c: c.execute(statement, [made[0], AT]))
    yield database
    database.close()


@pytest.mark.parametrize("table", PLAN_TABLES)
def test_what_is_stored_cannot_be_changed_or_taken_away(full: Database, table: str) -> None:
    column = full.read().execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
    before = [tuple(row) for row in full.read().execute(f"SELECT * FROM {table}")]
    assert before
    for statement in (
        f"UPDATE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
    ):
        if statement.startswith("INSERT") and not _unique(full, table):
            continue
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            full.write(lambda c, statement=statement: c.execute(statement))
    assert [tuple(row) for row in full.read().execute(f"SELECT * FROM {table}")] == before


def _unique(database: Database, table: str) -> bool:
    """Whether a table knows a second row of the same key."""
    keys = database.read().execute(f"SELECT SUM(pk) FROM pragma_table_info('{table}')").fetchone()[0]
    return bool(keys)


@pytest.mark.parametrize(
    "values",
    [
        "(1, 1, 'fs', NULL, '', 2, NULL, 'x', '')",
        "(1, 1, 'fs', NULL, '', 1, 1, 'x', '')",  # blind, and yet a change
        "(99999, 1, 'fs', NULL, '', 0, NULL, 'x', '')",
        "(1, 99999, 'fs', NULL, '', 0, NULL, 'x', '')",
    ],
)
def test_the_database_knows_what_a_vote_is(full: Database, values: str) -> None:
    names = "answer, reviewer, part, content, note, blind, supersedes, request_id, at"
    with pytest.raises(sqlite3.IntegrityError):
        full.write(lambda c: c.execute(f"INSERT INTO plan_votes ({names}) VALUES {values}"))


@pytest.fixture
def plans(tmp_path: Path) -> Iterator[Plans]:
    database = Database(tmp_path)
    yield Plans(database, Settings(data_dir=tmp_path))
    database.close()


def test_a_plan_comes_back_whatever_characters_it_holds(plans: Plans) -> None:
    text = "a\x00\udc00\ud800\ufeff\r\n\u202e\U0010ffff"
    row = plans.store.answer(make_plan(plans, text))
    assert row and row.record["text"] == text and (row.planner, row.attempt) == ("planner a", 1)


def test_what_is_there_already_stays_as_it_is(plans: Plans) -> None:
    make_set(plans, queries=1)
    before = plans.store.counts(SET)
    again = plans.store.add_queries(SET, [NewQuery("q1", "other", None, "{}"), NewQuery("q2", None, None, "{}")])
    stored = plans.store.query(SET, "q1")
    assert stored and (stored.id, stored.category) == (again["q1"], "Recipe")
    assert plans.store.add_answers([(stored.id, "planner a", 1, "{}"), (stored.id, "planner a", 2, "{}")]) == 1
    assert plans.store.counts(SET) == {"queries": before["queries"] + 1, "answers": before["answers"] + 1}
    assert [key.attempt for key in plans.store.keys(SET)] == [1, 1, 2]


def test_outlines_are_kept_by_the_version_that_made_them(plans: Plans) -> None:
    answer = make_plan(plans, GOOD)
    plans.store.add_outlines("one", [(answer, {"title": "first"})])
    plans.store.add_outlines("one", [(answer, {"title": "second"})])
    plans.store.add_outlines("two", [(answer, {"title": "third"})])
    assert plans.store.outlines(SET, "one") == {answer: {"title": "first"}}
    assert plans.store.outlines(SET, "two") == {answer: {"title": "third"}}
    assert plans.store.outlines(SET, "none") == plans.store.outlines("nowhere", "one") == {}


def report(answer: int, inspector: str = "chief", **changes: Any) -> ReportRow:
    fields: dict[str, Any] = {
        "inspection_id": "i", "answer": answer, "inspector": inspector, "report": {"fs": 1}, "unscored": "",
        "how": "strict", "exchange": '{"prompt": "…"}', "prompt_tokens": 10, "completion_tokens": 2, "cost": 0.5,
        "latency": 1.0, "at": AT,
    }  # fmt: skip
    return ReportRow(**fields | changes)


def test_the_last_word_of_an_inspector_on_a_plan_counts(plans: Plans) -> None:
    one, two = make_set(plans, queries=1)
    for name, at in (("late", "2"), ("i", "1")):
        plans.inspections.begin(JudgingRecord(name, SET, f"judge {name}", "run", {}, at))
    failed = report(one, report=None, unscored="cut off", how="", exchange="first")
    plans.inspections.add([failed, report(two, "recall"), report(one, inspection_id="late", exchange=None)])
    before = plans.inspections.last(SET)
    plans.inspections.add([report(one, report={"fs": 2}, exchange="second")])
    plans.inspections.begin(JudgingRecord("i", SET, "another", "run", {}, "3"))
    assert [each.judge for each in plans.inspections.judgings(SET)] == ["judge i", "judge late"], (
        "ids are not taken over"
    )
    assert plans.inspections.reports("i") == [
        report(two, "recall", exchange=None), report(one, report={"fs": 2}, exchange=None)
    ]  # fmt: skip
    assert [(row.inspection_id, row.report) for row in plans.inspections.reports_on(one)] == [
        ("i", {"fs": 2}),
        ("late", {"fs": 1}),
    ]
    assert plans.inspections.exchange("i", one, "chief") == "second"
    assert plans.inspections.exchange("i", one, "recall") is None
    assert plans.inspections.last(SET) == before + 1 and plans.inspections.last("nowhere") == 0
    spent = plans.inspections.spent("i")
    assert (spent.calls, spent.prompt_tokens, spent.cost) == (3, 30, 1.5), "tries that failed were paid for too"


@pytest.mark.parametrize("wrong", [{"report": None}, {"unscored": "x"}, {"inspector": "king"}, {"answer": 99999}])
def test_a_report_is_there_or_the_reason_why_not(plans: Plans, wrong: dict[str, Any]) -> None:
    answer = make_plan(plans, GOOD)
    plans.inspections.begin(JudgingRecord("i", SET, "judge", "run", {}, AT))
    with pytest.raises(sqlite3.IntegrityError):
        plans.inspections.add([report(answer), report(**{"answer": answer} | wrong)])
    assert plans.inspections.reports("i") == [], "all or none"


class Ballot:
    """A person at a plan, and the store of votes."""

    def __init__(self, store: PlanVoteStore, person: Person, answer: int) -> None:
        self.store, self.person, self.answer, self.count = store, person, answer, 0

    def vote(self, part: str, content: Any = None, **more: Any) -> bool:
        self.count += 1
        fields = {"note": "", "request_id": f"r{self.count}", "at": AT} | more
        return self.store.vote(self.person.id, NewPlanVote(self.answer, part, content, **fields))


@pytest.fixture
def ballot(plans: Plans) -> Ballot:
    return Ballot(plans.ballots, enrol(plans, "Ada"), make_plan(plans, GOOD))


@pytest.mark.parametrize("seen", ["call:1", "all", "fs"])
def test_who_has_seen_what_others_say_does_not_vote_blind(ballot: Ballot, seen: str) -> None:
    ballot.store.reveal(ballot.person.id, ballot.answer, seen, AT)
    assert ballot.vote("call:1", {"x": 1}) is False
    assert ballot.vote("call:2", {"x": 1}) is (seen == "call:1")


def test_only_the_first_vote_on_a_part_is_blind_and_each_names_the_one_before(ballot: Ballot) -> None:
    assert [ballot.vote("gaps", {"n": k}) for k in range(3)] == [True, False, False]
    assert ballot.vote("gaps", None) is False
    rows = ballot.store.votes_on(ballot.answer)
    assert [row.content for row in rows] == [{"n": 0}, {"n": 1}, {"n": 2}, None]
    assert [row.supersedes for row in rows] == [None, *(row.id for row in rows[:-1])]
    assert ballot.store.votes(SET) == rows and ballot.store.last(SET) == rows[-1].id
    assert ballot.store.revealed(ballot.person.id, ballot.answer) == {"gaps"}
    assert ballot.store.revealed_in(ballot.person.id, SET) == {ballot.answer: {"gaps"}}
    assert ballot.store.revealed_in(ballot.person.id, "nowhere") == {}


def test_the_same_request_counts_once_and_has_the_first_answer(ballot: Ballot) -> None:
    assert ballot.vote("plan", {"v": 1}, request_id="same") is True
    assert ballot.vote("plan", {"v": 1}, request_id="same") is True
    for other in ({"part": "fs"}, {"content": {"v": 2}}, {"note": "x"}):
        with pytest.raises(RequestReused):
            ballot.vote(**{"part": "plan", "content": {"v": 1}, "request_id": "same"} | other)
    assert len(ballot.store.votes_on(ballot.answer)) == 1


def adopted(
    ballot: Ballot, name: str, content: Any, request_id: str, *, blind: bool = True, at: str = AT, number: int = 1
) -> int:
    vote = NewPlanVote(ballot.answer, "fs", content, "", request_id, at)
    return ballot.store.adopt([AdoptedPlanVote(name, blind, vote, number)])


def test_votes_that_come_with_data_come_once_and_speak_for_nobody_who_reviews_here(ballot: Ballot) -> None:
    assert [adopted(ballot, "Zoe", {"fs": 1}, "a"), adopted(ballot, "Zoe", {"fs": 1}, "a")] == [1, 0]
    assert adopted(ballot, "Zoe", {"fs": 2}, "b", at="later") == 1
    assert adopted(ballot, "Ada", {"fs": 3}, "c") == 1 and adopted(ballot, "Ada", {"fs": 3}, "c") == 0
    ballot.vote("fs", {"fs": 4}, at="then")
    assert adopted(ballot, "Ada", {"fs": 4}, "d", at="then") == 0, "what was said here comes back as it is"
    found = [(row.reviewer, row.content, row.blind) for row in ballot.store.votes_on(ballot.answer)]
    assert found == [
        ("Zoe", {"fs": 1}, True),
        ("Zoe", {"fs": 2}, False),
        ("Ada" + IMPORTED, {"fs": 3}, True),
        ("Ada", {"fs": 4}, True),
    ]


def test_words_that_data_say_again_at_the_same_moment_are_said_again(ballot: Ballot) -> None:
    """Else the last word of 50, 60, 50 would be 60 where data tell no time."""
    said: list[tuple[Any, str, int]] = [(50, "a", 1), (60, "b", 1), (50, "c", 2), (None, "d", 1), (50, "e", 3)]
    for _ in range(2):
        for fs, request_id, number in said:
            adopted(ballot, "Zoe", fs and {"fs": fs}, request_id, number=number)
    assert [row.content for row in ballot.store.votes_on(ballot.answer)] == [fs and {"fs": fs} for fs, _, _ in said]


@pytest.mark.parametrize("length", [1, 69, 70, 80])
def test_whoever_data_speak_for_has_a_name_that_a_file_can_hold(plans: Plans, ballot: Ballot, length: int) -> None:
    name, other = "n" * length, "n" * (length - 1) + "m"
    for each in {name, other}:
        plans.reviewers.admit(each)
        adopted(ballot, each, {"fs": 1}, f"of {each}")
    found = {row.reviewer for row in ballot.store.votes_on(ballot.answer)}
    assert len(found) == 2 and all(each.endswith(IMPORTED) and len(each) <= LONGEST_NAME for each in found)


def test_who_votes_in_data_counts_as_told(plans: Plans, ballot: Ballot) -> None:
    adopted(ballot, "Zoe", {"fs": 1}, "a")
    zoe = plans.reviewers.person(plans.reviewers.admit("Zoe").token)
    assert sight_of(ballot.store.revealed(zoe.id, ballot.answer)).shows("fs")


def test_records_of_queries_are_ascii_so_that_no_character_is_lost(full: Database) -> None:
    for table in ("plan_queries", "plan_answers"):
        for (record,) in full.read().execute(f"SELECT record FROM {table}"):
            assert record.isascii() and json.loads(record)
