"""Drafts in the store: each act is one commit, nothing that is stored ever changes, and a kill loses no draft."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from easel_app.store.database import Database
from easel_app.store.drafts import DraftStore, Superseded
from easel_app.store.reviewers import ReviewerStore

DRAFT_TABLES = ("task_drafts", "task_versions", "task_trials", "task_decisions")
CONTENT = '{"title": "t", "category": null, "turns": [{"rubric": [{}, {}]}, {"rubric": []}]}'


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    ReviewerStore(database).enrol("Ada", "hash", "now")
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> DraftStore:
    return DraftStore(database)


def test_a_draft_has_an_outline_that_is_read_from_its_last_version(store: DraftStore) -> None:
    store.begin("d", 1, CONTENT, "1", "then")
    store.change("d", 1, 1, CONTENT.replace('"t"', '"u"'), "2", "now")
    (found,) = store.outlines()
    assert found._asdict() == {
        "id": "d", "author": 1, "name": "Ada", "version": 2, "title": "u", "category": None, "turns": 2, "items": 2,
        "at": "now",
    }  # fmt: skip
    assert store.content("d", 1) == CONTENT and store.content("d", 3) is None and store.draft("e") is None


@pytest.mark.parametrize("table", DRAFT_TABLES)
def test_what_is_stored_is_never_changed(database: Database, store: DraftStore, table: str) -> None:
    store.begin("d", 1, CONTENT, "1", "now")
    store.attempt("d", 1, 1, "{}", "1", "now")
    store.decide("d", 1, 1, ("accept", ""), "1", "now")
    for statement in (f"UPDATE {table} SET at = ''", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            database.write(lambda connection, statement=statement: connection.execute(statement))  # type: ignore[misc]


def test_what_is_refused_leaves_nothing_behind(database: Database, store: DraftStore) -> None:
    store.begin("d", 1, CONTENT, "1", "now")
    before = list(database.read().iterdump())
    with pytest.raises(Superseded):
        store.change("d", 3, 1, CONTENT, "2", "now")
    with pytest.raises(Superseded):
        store.attempt("d", 2, 1, "{}", "2", "now")
    with pytest.raises(Superseded):
        store.decide("d", 2, 1, ("accept", ""), "2", "now")
    with pytest.raises(sqlite3.IntegrityError):
        store.begin("e", 99, CONTENT, "3", "now")
    assert list(database.read().iterdump()) == before, "not even half of a draft"


def _write(folder: Path, told: Connection) -> None:
    store = DraftStore(Database(folder))
    for number in range(100_000):
        store.begin(f"d{number}", 1, CONTENT, f"b{number}", "now")
        store.change(f"d{number}", 1, 1, CONTENT, f"c{number}", "now")
        told.send(number)


def test_a_draft_that_was_acknowledged_survives_a_kill_and_none_is_half_there(tmp_path: Path) -> None:
    database = Database(tmp_path)
    ReviewerStore(database).enrol("Ada", "hash", "now")
    database.close()
    told, tell = multiprocessing.Pipe(duplex=False)
    writer = multiprocessing.get_context("spawn").Process(target=_write, args=(tmp_path, tell))
    writer.start()
    assert writer.pid
    last = -1
    while last < 20:
        last = told.recv()
    os.kill(writer.pid, signal.SIGKILL)
    writer.join()
    while told.poll():
        last = told.recv()
    database = Database(tmp_path)
    store = DraftStore(database)
    versions = {outline.id: outline.version for outline in store.outlines()}
    assert all(versions[f"d{number}"] == 2 for number in range(last + 1))
    assert all(store.versions(draft) for draft in versions)
    database.close()
