"""Figures: what is kept of ended sessions, which of them may be ranked, and the best of each task."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from easel_app.store.database import Database
from easel_app.store.figures import FigureStore, RankedFigures, keeping
from easel_app.store.records import RunPlace, SessionStore
from easel_app.store.runs import RunRecord, RunStore
from tests.store.test_records import NOW, SCORES, action, figures, session

KINDS = ("human", "agent", "painter")


class Store:
    """The stores of one database, and sessions that have ended."""

    def __init__(self, database: Database) -> None:
        self.sessions, self.figures, self.runs = SessionStore(database), FigureStore(database), RunStore(database)

    def end(self, name: str, changes: dict[str, Any] | None = None, **facts: Any) -> None:
        """Store an ended session, with figures changed so; None keeps none."""
        record = session(name, **facts)
        last = action(session_id=name, kind="submit", status="submitted", actor=record.player_kind)
        self.sessions.adopt(record, [last], None if changes is None else keeping(figures(name, **changes)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    database = Database(tmp_path)
    yield Store(database)
    database.close()


def test_the_best_is_the_highest_then_the_shortest_then_the_oldest(store: Store) -> None:
    def ended(name: str, final: float | None, steps: int, **facts: Any) -> None:
        store.end(
            name,
            {"final": final, "steps": steps},
            **{"task_id": "maze", "metric": "maze/1", "player_kind": "human", **facts},
        )

    for name, final, steps in (("a", 0.5, 3), ("b", 0.9, 9), ("c", 0.9, 4), ("d", 0.9, 4), ("empty", None, 0)):
        ended(name, final, steps)
    ended("model", 0.1, 1, player_kind="agent")
    ended("other picture", 1.0, 1, task_digest="another")
    ended("imported", 1.0, 1, imported_from="x")
    ended("own", 1.0, 1, task_set="own")
    ended("fork", 1.0, 1, parent_id="a", fork_step=1)
    store.end("helped", {"final": 1.0, "assisted": True}, task_id="maze", player_kind="human")
    ended("elsewhere", 0.7, 1, task_id="other maze")
    store.sessions.begin(session("unfinished", task_id="maze", metric="maze/1"))
    digests = {"maze": "d", "none": "d"}
    assert store.figures.best("v1", digests, KINDS) == [("c", "maze", "human"), ("model", "maze", "agent")]
    assert store.figures.best("v1", digests, ["agent"]) == [("model", "maze", "agent")]
    assert store.figures.best("v1", {**digests, "other maze": "d"}, ["human"]) == [
        ("c", "maze", "human"), ("elsewhere", "other maze", "human"),
    ]  # fmt: skip
    assert store.figures.best("v2", digests, KINDS) == store.figures.best("v1", {}, KINDS) == []


def test_ranked_figures_come_back_as_they_were_with_who_played_and_how(store: Store) -> None:
    store.runs.begin(RunRecord("run", {}, NOW))
    store.sessions.begin(session("in run", player_model="m-1"), RunPlace("run", 1))
    kept = figures("in run", final=1 / 3, curve=bytes(range(202)) * 2)
    store.figures.add([kept])
    store.end("alone", {}, imported_from="elsewhere", player_kind="human", protocol="benchmark")
    about = {
        "task_id": "natural-01", "task_digest": "d", "task_set": "easel-tasks/1", "protocol": "studio",
        "player_kind": "agent", "player_name": "Ada", "player_model": "m-1", "renderer": "brush/1",
        "metric": "similarity/1", "imported": False, "run_id": "run",
    }  # fmt: skip
    first, second = store.figures.ranked("v1")
    assert first == RankedFigures(**asdict(kept), **about)
    assert (second.session_id, second.imported, second.run_id, second.protocol) == ("alone", True, None, "benchmark")
    assert store.figures.ranked("v2") == []


@pytest.mark.parametrize(
    ("changes", "facts"),
    [({"assisted": True}, {}), ({}, {"parent_id": "parent", "fork_step": 1}), ({}, {"task_set": "own"})],
    ids=["assisted", "a fork", "an own picture"],
)
def test_what_may_not_be_ranked_is_left_out(store: Store, changes: dict[str, Any], facts: dict[str, Any]) -> None:
    store.sessions.begin(session("parent"))
    store.end("left out", changes, **facts)
    store.end("in", {})
    assert [found.session_id for found in store.figures.ranked("v1")] == ["in"]


def test_figures_are_missing_until_those_of_that_version_are_there(store: Store) -> None:
    for name, at in (("late", "2026-01-03"), ("early", "2026-01-01"), ("middle", "2026-01-02")):
        store.end(name, created_at=at)
    store.end("practice", protocol="practice")
    store.end("counted", {})
    store.sessions.begin(session("open"))
    store.sessions.append(action(session_id="open"))
    assert store.figures.missing("v1") == ["early", "middle", "late"]
    store.figures.add([figures("late"), figures("early")])
    assert store.figures.missing("v1") == ["middle"]
    assert sorted(store.figures.missing("v2")) == ["counted", "early", "late", "middle"]


def test_what_is_there_already_stays_and_news_are_told_by_a_number(store: Store) -> None:
    store.end("a")
    store.end("b")
    seen = [store.figures.newest("v1")]
    for record in (figures("a"), figures("a", final=0.9), figures("b", version="v2"), figures("b")):
        store.figures.add([record])
        seen.append(store.figures.newest("v1"))
    assert seen[0] == 0 and seen[1] == seen[2] == seen[3] and seen[4] > seen[1] > 0
    assert [(found.session_id, found.final) for found in store.figures.ranked("v1")] == [("a", 0.5), ("b", 0.5)]
    store.figures.add([])
    assert store.figures.newest("v1") == seen[4]


def test_an_end_and_its_figures_are_stored_together_or_not_at_all(store: Store) -> None:
    store.sessions.begin(session("s"))
    statement, values = keeping(figures("s"))
    with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
        store.sessions.append(action(status="submitted"), figures=(statement, {**values, "undos": None}))
    assert store.sessions.actions("s") == [] and store.figures.ranked("v1") == []
    store.sessions.append(action(status="submitted", scores=SCORES), figures=keeping(figures("s")))
    assert len(store.sessions.actions("s")) == len(store.figures.ranked("v1")) == 1
