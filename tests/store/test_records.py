"""An action and the exchange that led to it are stored together or not at all; a place in a run is taken once."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from easel_app.store.database import Database
from easel_app.store.figures import FiguresRecord, FigureStore
from easel_app.store.records import (
    ActionRecord,
    ExchangeRecord,
    ObservationRecord,
    ReadingRecord,
    RunPlace,
    SessionRecord,
    SessionStore,
)
from easel_app.store.runs import RunRecord, RunStore
from tests.store.test_drafts import DRAFT_TABLES
from tests.store.test_plans import PLAN_TABLES
from tests.store.test_reviews import APPEND_ONLY, REWRITTEN
from tests.store.test_tool_runs import TABLES as TOOL_TABLES

NOW = "2026-01-01T00:00:00.000+00:00"
SCORES = {"metric": "similarity/1", "similarity": 0.1, "ssim": 0.2, "l1": 1 / 3, "edge_iou": 0.0}


def session(name: str = "s", **changes: Any) -> SessionRecord:
    record = SessionRecord(
        id=name, task_id="natural-01", task_digest="d", protocol="studio", player_kind="agent", player_name="Ada",
        player_model=None, renderer="brush/1", metric="similarity/1", task_set="easel-tasks/1", token_hash="t",
        start_scores=SCORES, created_at=NOW,
    )  # fmt: skip
    return replace(record, **changes)


def action(seq: int = 1, **changes: Any) -> ActionRecord:
    record = ActionRecord(
        session_id="s", seq=seq, request_id=f"r{seq}", kind="brush_stroke", params={"red": 1 / 3}, outcome="applied",
        message="", step=seq, status="open", scores=SCORES, canvas_digest="c", actor="agent", at=NOW,
    )  # fmt: skip
    return replace(record, **changes)


def exchange(seq: int | None = 1, **changes: Any) -> ExchangeRecord:
    record = ExchangeRecord(
        session_id="s", seq=seq, shown=[{"role": "user", "content": "Male! 🎨"}], reply={"choices": []},
        notes=["fenced"], prompt_tokens=10, completion_tokens=3, cost=0.5, latency=0.25,
        retries=[{"status": 429, "waited": 1.5}], at=NOW,
    )  # fmt: skip
    return replace(record, **changes)


def figures(session_id: str = "s", version: str = "v1", **changes: Any) -> FiguresRecord:
    record = FiguresRecord(
        session_id=session_id, version=version, steps=3, final=0.5, at_half=0.4, auc=1 / 3, best=0.6, best_step=2,
        final_best_gap=0.1, edge_iou=None, exact_repeat_rate=0.0, near_repeat_rate=0.5, invalid_rate=0.0,
        rejected_rate=0.25, undos=1, draw_undo_loops=0, submit_percent=None, assisted=False, curve=bytes(404),
    )  # fmt: skip
    return replace(record, **changes)


def reading(session_id: str, reader: str = "some-vlm reading/1") -> ReadingRecord:
    return ReadingRecord(session_id, 1, "digest", reader, "{}", "hullo", 0.5, 0.8, 0.8, NOW)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> SessionStore:
    store = SessionStore(database)
    store.begin(session())
    return store


def test_records_come_back_as_they_were(store: SessionStore) -> None:
    seen = ObservationRecord("s", 0, [{"picture": "canvas", "sha256": "é"}], NOW)
    done = [action(1), action(2, guest="Bob", actor="human", kind="invalid", outcome="invalid", message="Wozu?")]
    said = [exchange(1), exchange(None, cost=None, retries=[])]
    store.append(done[0], said[0])
    store.append(done[1])
    store.note(said[1])
    store.note(seen)
    assert store.session("s") == session()
    assert store.actions("s") == done
    assert store.exchanges("s") == said
    assert store.observations("s") == [seen]
    assert store.actions("other") == store.exchanges("other") == store.observations("other") == []


WRONG = [{"seq": 0}, {"session_id": "nobody"}, {"prompt_tokens": "many"}, {"cost": "dear"}, {"latency": None}]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_an_exchange_that_cannot_be_stored_leaves_no_action(store: SessionStore, wrong: dict[str, Any]) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.append(action(), exchange(**wrong))
    assert store.actions("s") == [] == store.exchanges("s")
    store.append(action(), exchange())
    assert len(store.actions("s")) == len(store.exchanges("s")) == 1


def test_an_action_that_cannot_be_stored_leaves_no_exchange(store: SessionStore) -> None:
    store.append(action())
    for wrong in (action(), action(2, request_id="r1"), action(2, outcome="maybe"), action(2, session_id="nobody")):
        with pytest.raises(sqlite3.IntegrityError):
            store.append(wrong, exchange(2))
    assert (len(store.actions("s")), store.exchanges("s")) == (1, [])


def test_sessions_of_one_moment_are_listed_in_the_order_they_began(store: SessionStore) -> None:
    for name in "zay":
        store.begin(session(name))
    assert [found.session.id for found in store.newest(limit=9)] == ["y", "a", "z", "s"]
    assert [found.session.id for found in store.newest(limit=2, before="a")] == ["z", "s"]
    store.append(action(1))
    store.append(action(2))
    assert [found.last for found in store.newest(limit=9)] == [None, None, None, action(2)]


@pytest.mark.parametrize(
    "record",
    [exchange(1, session_id="nobody"), ObservationRecord("nobody", 0, [], NOW), reading("nobody")],
)
def test_nothing_is_noted_of_a_session_that_is_not_there(store: SessionStore, record: Any) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.note(record)


def test_readings_come_back_in_order_and_tell_what_is_unread(store: SessionStore) -> None:
    for name, metric in (("w", "handwriting/1"), ("open", "handwriting/1"), ("m", "maze/1")):
        store.begin(session(name, metric=metric))
        store.append(action(session_id=name, status="open" if name == "open" else "submitted"))
    assert store.unread("one") == store.unread("two") == ["w"]
    store.note(reading("w", "one"))
    store.note(reading("w", "one"))
    assert store.readings("w") == [reading("w", "one")] * 2 and store.readings("m") == []
    assert (store.unread("one"), store.unread("two")) == ([], ["w"])


def test_the_last_word_on_sharing_counts(store: SessionStore) -> None:
    store.begin(session("other"))
    assert not store.shared("s")
    for shared in (True, False, False, True):
        store.share("s", shared, NOW)
        assert store.shared("s") == shared
    assert not store.shared("other")


def test_a_place_in_a_run_is_taken_once_and_the_loser_leaves_nothing(store: SessionStore, database: Database) -> None:
    runs = RunStore(database)
    runs.begin(RunRecord("run", {}, NOW))
    runs.begin(RunRecord("other", {}, NOW))
    store.begin(session("a"), RunPlace("run", 1))
    for name, place in (("b", RunPlace("run", 1)), ("c", RunPlace("run", 0)), ("d", RunPlace("nothing", 1))):
        with pytest.raises(sqlite3.IntegrityError):
            store.begin(session(name), place)
        assert store.session(name) is None
    store.begin(session("e"), RunPlace("run", 2))
    store.begin(session("f", task_id="natural-02"), RunPlace("run", 1))
    store.begin(session("g"), RunPlace("other", 1))
    assert runs.sessions("run") == {("natural-01", 1): "a", ("natural-01", 2): "e", ("natural-02", 1): "f"}
    with pytest.raises(sqlite3.IntegrityError):  # a session is of one run
        database.write(lambda c: c.execute("INSERT INTO run_sessions VALUES ('other', 'natural-03', 1, 'a')"))


TABLES = (
    *("sessions", "actions", "sharing", "observations", "exchanges", "readings", "figures"),
    *("runs", "run_facts", "run_sessions", "run_events"),
)


@pytest.fixture
def full(store: SessionStore, database: Database) -> Database:
    """A database with a row in every table."""
    runs = RunStore(database)
    runs.begin(RunRecord("run", {}, NOW))
    runs.settle("run", "tools", True)
    database.write(lambda c: c.execute("INSERT INTO run_events VALUES ('run', 'begun', '{}', 'now')"))
    store.begin(session("in-run"), RunPlace("run", 1))
    store.append(action(), exchange())
    store.note(ObservationRecord("s", 1, [], NOW))
    store.note(reading("s"))
    store.share("s", True, NOW)
    FigureStore(database).add([figures("s")])
    return database


def rows(database: Database, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in database.read().execute(f"SELECT * FROM {table}")]


@pytest.mark.parametrize("table", TABLES)
def test_what_is_stored_cannot_be_changed_taken_away_or_replaced(full: Database, table: str) -> None:
    before = rows(full, table)
    assert before
    column = full.read().execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
    statements = [f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"]
    if full.read().execute(f"SELECT 1 FROM pragma_index_list('{table}') WHERE \"unique\"").fetchone():
        statements.append(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    for statement in statements:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            full.write(lambda c, statement=statement: c.execute(statement))
    assert rows(full, table) == before


def test_every_table_of_the_log_is_among_them(full: Database) -> None:
    found = [name for (name,) in full.read().execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    of_reviews = {*APPEND_ONLY, *REWRITTEN, *PLAN_TABLES, *TOOL_TABLES, *DRAFT_TABLES}
    assert {name for name in found if not name.startswith(("_", "sqlite"))} == {*TABLES, *of_reviews, "own_tasks"}
