"""The log of a session that goes on from another one: first the other's actions by reference, then its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.store.database import Database
from easel_app.store.records import ActionRecord, ObservationRecord, SessionStore
from tests.store.test_records import NOW, action, exchange, reading, session

names = (f"line-{n}" for n in count())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionStore]:
    database = Database(tmp_path_factory.mktemp("lineage"))
    yield SessionStore(database)
    database.close()


def begin(store: SessionStore, actions: int = 0, parent: str | None = None, at: int | None = None) -> str:
    """A session that goes on from step `at` of its parent and has so many actions of its own."""
    name = next(names)
    first = (at or 0) + 1
    own = [action(seq, session_id=name) for seq in range(first, first + actions)]
    store.adopt(session(name, parent_id=parent, fork_step=at), own)
    return name


def told(records: list[ActionRecord]) -> list[tuple[str, int]]:
    return [(record.session_id, record.seq) for record in records]


Tree = list[tuple[int, int, int]]
"""For each session: actions of its own, and the earlier session and the step that it goes on from (modulo)."""


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=9))
def test_in_any_tree_of_forks_a_log_is_its_parents_beginning_then_its_own(store: SessionStore, tree: Tree) -> None:
    logs: dict[str, list[tuple[str, int]]] = {}
    for own, chosen, step in tree:
        parent = list(logs)[chosen % len(logs)] if logs else None
        at = step % (len(logs[parent]) + 1) if parent else None
        name = begin(store, own, parent, at)
        kept = logs[parent][:at] if parent else []
        logs[name] = kept + [(name, len(kept) + n) for n in range(1, own + 1)]
    for name, log in logs.items():
        assert told(store.actions(name)) == log
        assert [seq for _, seq in log] == list(range(1, len(log) + 1))
        for after in range(len(log) + 1):
            assert told(store.actions(name, after=after, limit=2)) == log[after : after + 2]
        (found,) = store.summaries([name])
        assert told([found.last] if found.last else []) == log[-1:]


def test_what_the_parent_does_afterwards_is_of_no_log_but_its_own(store: SessionStore) -> None:
    parent = begin(store, 3)
    fork = begin(store, 1, parent, 2)
    grandchild = begin(store, 1, fork, 3)
    before = [store.actions(name) for name in (fork, grandchild)]
    for seq in (4, 5):
        store.append(action(seq, session_id=parent))
    assert [store.actions(name) for name in (fork, grandchild)] == before
    assert told(before[1]) == [(parent, 1), (parent, 2), (fork, 3), (grandchild, 4)]


def test_both_may_use_the_same_seqs_and_request_ids(store: SessionStore) -> None:
    parent = begin(store, 3)
    forks = [begin(store, 2, parent, 1) for _ in range(2)]
    assert all([entry.request_id for entry in store.actions(fork)] == ["r1", "r2", "r3"] for fork in forks)
    assert all(told(store.actions(fork))[1:] == [(fork, 2), (fork, 3)] for fork in forks)


def test_a_fork_of_a_fork_before_it_began_is_of_the_first_alone(store: SessionStore) -> None:
    parent = begin(store, 5)
    fork = begin(store, 5, parent, 4)
    for at, kept in ((0, []), (2, [parent] * 2), (4, [parent] * 4), (6, [parent] * 4 + [fork] * 2)):
        assert [name for name, _ in told(store.actions(begin(store, 0, fork, at)))] == kept


def test_a_fork_at_nothing_has_nothing_until_it_acts(store: SessionStore) -> None:
    fork = begin(store, 0, begin(store, 4), 0)
    assert store.actions(fork) == store.exchanges(fork) == store.observations(fork) == []
    assert store.summaries([fork])[0].last is None
    store.append(action(1, session_id=fork))
    assert told(store.actions(fork)) == [(fork, 1)]


def test_the_evidence_of_inherited_steps_is_the_parents(store: SessionStore) -> None:
    parent = begin(store, 3)
    for seq in (1, 2, 3, None):
        store.note(exchange(seq, session_id=parent, notes=[f"parent {seq}"]))
    for seq in (0, 1, 2):
        store.note(ObservationRecord(parent, seq, [{"sha256": f"parent {seq}"}], NOW))
    store.note(reading(parent))
    fork = begin(store, 1, parent, 2)
    store.note(exchange(3, session_id=fork, notes=["fork 3"]))
    store.note(exchange(None, session_id=fork, notes=["fork None"]))
    assert [entry.notes for entry in store.exchanges(fork)] == [["parent 1"], ["parent 2"], ["fork 3"], ["fork None"]]
    assert [entry.session_id for entry in store.exchanges(fork)] == [parent, parent, fork, fork]
    assert store.readings(fork) == [], "a reading is of the canvas as it was then, which is not this one's"


def test_what_the_parent_looked_at_for_its_next_step_is_not_the_forks(store: SessionStore) -> None:
    parent = begin(store, 2)
    seen = [ObservationRecord(parent, seq, [{"sha256": f"{seq}"}], NOW) for seq in (0, 1, 2)]
    store.note(seen[0])
    store.note(seen[1])
    fork = begin(store, 0, parent, 2)
    assert store.observations(fork) == seen[:2]
    store.note(seen[2])  # the parent looks at the canvas of step 2 and then makes step 3: the fork has another one
    store.append(action(3, session_id=parent))
    assert store.observations(fork) == seen[:2]
    own = ObservationRecord(fork, 2, [{"sha256": "own"}], NOW)
    store.note(own)
    assert store.observations(fork) == [*seen[:2], own]


def test_a_long_line_of_forks_keeps_every_step(store: SessionStore) -> None:
    line = [begin(store, 1)]
    for step in range(1, 300):
        line.append(begin(store, 1, line[-1], step))
    assert told(store.actions(line[-1])) == [(name, seq) for seq, name in enumerate(line, 1)]
