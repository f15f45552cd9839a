"""A run is begun once, its facts are settled once, and what it spent is the sum of its answers."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from easel_app.store.database import Database
from easel_app.store.records import RunPlace, SessionStore
from easel_app.store.runs import RunRecord, RunStore, Spent
from tests.store.test_records import NOW, action, exchange, session


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def runs(database: Database) -> RunStore:
    return RunStore(database)


def test_the_first_to_begin_a_run_settles_it(runs: RunStore) -> None:
    first = RunRecord("run", {"model": "m", "temperature": 0.1}, "2026-01-01")
    runs.begin(first)
    runs.begin(RunRecord("run", {"model": "other"}, "2026-01-02"))
    assert runs.run("run") == first
    assert runs.runs() == [first]
    assert runs.run("nothing") is None


def test_runs_are_listed_newest_first(runs: RunStore) -> None:
    for name, at in (("a", "2026-01-01"), ("b", "2026-01-03"), ("c", "2026-01-02"), ("d", "2026-01-02")):
        runs.begin(RunRecord(name, {}, at))
    assert [run.id for run in runs.runs()] == ["b", "d", "c", "a"]


@pytest.mark.parametrize("value", [True, False, 0, "text", [1, 2], {"a": None}, 1 / 3])
def test_a_fact_is_settled_by_the_first_who_finds_it(runs: RunStore, value: object) -> None:
    runs.begin(RunRecord("run", {}, NOW))
    assert runs.fact("run", "tools") is None
    assert runs.settle("run", "tools", value) == value
    assert runs.settle("run", "tools", "something else") == value
    assert runs.fact("run", "tools") == value
    assert runs.fact("run", "other") is None


def test_two_who_settle_a_fact_at_once_agree(runs: RunStore) -> None:
    runs.begin(RunRecord("run", {}, NOW))
    for name in map(str, range(20)):
        told: list[object] = []
        together = threading.Barrier(4)

        def settle(value: int, name: str = name, told: list[object] = told, gate: threading.Barrier = together) -> None:
            gate.wait()
            told.append(runs.settle("run", name, value))

        threads = [threading.Thread(target=settle, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(told) == 4 and set(told) == {runs.fact("run", name)}


def test_what_a_run_spent_is_the_sum_over_its_sessions(runs: RunStore, database: Database) -> None:
    store = SessionStore(database)
    for name in ("run", "dear", "unknown"):
        runs.begin(RunRecord(name, {}, NOW))
    assert runs.spent("run") == Spent(0, 0, 0, None)
    for k, (run, repeat) in enumerate([("run", 1), ("run", 2), ("dear", 1), ("unknown", 1)]):
        store.begin(session(f"s{k}"), RunPlace(run, repeat))
    store.begin(session("alone"))
    store.append(action(session_id="s0"), exchange(session_id="s0", cost=0.25))
    store.note(exchange(None, session_id="s0", prompt_tokens=7, completion_tokens=0, cost=None))  # led to no action
    store.append(action(session_id="s1"), exchange(session_id="s1", cost=0.5))
    store.append(action(session_id="s2"), exchange(session_id="s2", cost=100.0))
    store.append(action(session_id="s3"), exchange(session_id="s3", cost=None))
    store.append(action(session_id="alone"), exchange(session_id="alone", cost=1000.0))
    assert runs.spent("run") == Spent(3, 27, 6, 0.75)
    assert runs.spent("dear") == Spent(1, 10, 3, 100.0)
    assert runs.spent("unknown") == Spent(1, 10, 3, None)
    assert runs.spent("nothing") == Spent(0, 0, 0, None)
