"""What is stored of rubrics is append-only, but for the places that are kept for a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.settings import Settings
from easel_app.store.database import Database
from easel_app.store.judges import JudgingEvent
from easel_app.store.sets import ImportEvent
from tests.services.rubrics.making import JUDGING, SET, judge, make_queue, make_set, said

APPEND_ONLY = (
    *("rubric_sets", "rubric_imports", "rubric_tasks", "rubric_items", "rubric_answers", "judgings", "judging_events"),
    *("judge_verdicts", "reviewers", "reviewer_tokens", "review_queues", "review_entries", "reveals", "votes"),
)
REWRITTEN = ("reservations",)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database with a row in each table."""
    folder: Path = tmp_path_factory.mktemp("full")
    database = Database(folder)
    rubrics = Rubrics(database, Settings(data_dir=folder))
    make_set(rubrics)
    judge(rubrics)
    rubrics.store.happened(SET, ImportEvent("a file", "begun", {}, "now"))
    rubrics.judgings.happened(JUDGING, JudgingEvent("begun", {}, "now"))
    queue = rubrics.queues.record(make_queue(rubrics).queue_id)
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    kept = rubrics.votes.reserved(queue, ada, 1, only=False)
    assert kept
    rubrics.votes.cast(kept.entries[0].entry, ada, said("1"))
    yield database
    database.close()


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_what_is_stored_cannot_be_changed_or_taken_away(full: Database, table: str) -> None:
    column = full.read().execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
    assert full.read().execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            full.write(lambda c, statement=statement: c.execute(statement))


def test_a_reservation_can_be_given_back(full: Database) -> None:
    assert full.read().execute("SELECT COUNT(*) FROM reservations").fetchone()[0] == 2
    full.write(lambda c: c.execute("DELETE FROM reservations"))


@pytest.mark.parametrize(
    "values",
    [
        "(1, 1, 1, 'review', 'perhaps', NULL, '', NULL, 1, NULL, NULL, 'x', '')",
        "(1, 1, 1, 'king', 'met', NULL, '', NULL, 1, NULL, NULL, 'x', '')",
        "(1, 1, 1, 'review', 'met', 7, '', NULL, 1, NULL, NULL, 'x', '')",
        "(1, 1, 1, 'review', 'met', NULL, '', NULL, 1, 1, NULL, 'x', '')",  # blind, and yet a change
        "(99999, 1, 1, 'review', 'met', NULL, '', NULL, 1, NULL, NULL, 'x', '')",
    ],
)
def test_the_database_knows_what_a_vote_is(full: Database, values: str) -> None:
    names = "answer, item, reviewer, role, verdict, confidence, note, error, blind, supersedes, entry, request_id, at"
    with pytest.raises(sqlite3.IntegrityError):
        full.write(lambda c: c.execute(f"INSERT INTO votes ({names}) VALUES {values}"))
