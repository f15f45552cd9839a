"""What is stored of a session: one record when it begins, one for each action, never changed afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict, Unpack

import orjson

from easel_app.store.database import Database


@dataclass(frozen=True)
class SessionRecord:
    """How a session began."""

    id: str
    task_id: str
    task_digest: str
    protocol: str
    player_kind: str
    player_name: str
    player_model: str | None
    renderer: str
    metric: str
    task_set: str
    token_hash: str
    start_scores: Mapping[str, Any]
    """Scores of the canvas before the first action."""
    created_at: str
    parent_id: str | None = None
    """The session that this one goes on from; None when it began with the task's start canvas."""
    fork_step: int | None = None
    """Steps of the parent that it began with."""
    imported_from: str | None = None
    """Id that an imported log gives itself; None for what was played here."""


@dataclass(frozen=True)
class RunPlace:
    """Which of a run's attempts a session is: its task is the session's."""

    run_id: str
    repeat: int
    """Counted from 1."""


@dataclass(frozen=True)
class ActionRecord:
    """One action as it was sent, and what became of it."""

    session_id: str
    seq: int
    request_id: str
    kind: str
    params: Mapping[str, Any]
    outcome: str
    message: str
    step: int
    status: str
    scores: Mapping[str, Any]
    canvas_digest: str
    actor: str
    at: str
    guest: str | None = None
    """Name of the guest who took this turn; None when it was the session's own player."""


@dataclass(frozen=True)
class ExchangeRecord:
    """What a model was shown, what it answered and what that cost."""

    session_id: str
    seq: int | None
    """The action that came of it; None when none did."""
    shown: Sequence[Mapping[str, Any]]
    """The messages, with each picture told by what it shows, how, and the digest of its pixels."""
    reply: Mapping[str, Any]
    """The endpoint's answer as it came."""
    notes: Sequence[str]
    """What a lenient reading of the reply had to allow."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float
    """Seconds from the request that succeeded to its answer."""
    retries: Sequence[Mapping[str, Any]]
    at: str


@dataclass(frozen=True)
class ObservationRecord:
    """What a player who acts by itself asked to see."""

    session_id: str
    seq: int
    """Actions in the log at that time."""
    shown: Sequence[Mapping[str, Any]]
    at: str


@dataclass(frozen=True)
class ReadingRecord:
    """What a model at an endpoint read on a canvas of handwriting."""

    session_id: str
    seq: int
    """Actions in the log at that time."""
    canvas_digest: str
    reader: str
    """Model and version of the prompt."""
    raw: str
    """Its answer as JSON."""
    letters: str
    confidence: float | None
    match: float
    alignment: float
    at: str


@dataclass(frozen=True)
class Summary:
    """A session as a list shows it."""

    session: SessionRecord
    last: ActionRecord | None


_JSON = frozenset({"start_scores", "params", "scores", "shown", "reply", "notes", "retries", "settings"})


Statement = tuple[str, dict[str, Any]]
"""An SQL statement with its values."""


def insert(record: Any, table: str) -> Statement:
    """Statement and values that store a record, a dataclass named like its columns."""
    values = {
        field.name: _written(getattr(record, field.name)) if field.name in _JSON else getattr(record, field.name)
        for field in fields(record)
    }
    names = list(values)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(':' + n for n in names)})", values  # noqa: S608


def _written(value: Any) -> str:
    """A value as JSON; an integer of more than 64 bits, which a model may write, takes the slower way."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value)


def parse(row: sqlite3.Row) -> dict[str, Any]:
    """A row by column, with its JSON read."""
    return {k: json.loads(row[k]) if k in _JSON else row[k] for k in row.keys()}  # noqa: SIM118


# a session and those that it goes on from, each with the last seq that counts (-1: all)
_LINE = (
    "WITH RECURSIVE line (id, last) AS (SELECT :id, -1 UNION ALL "
    "SELECT s.parent_id, CASE WHEN line.last < 0 THEN s.fork_step ELSE MIN(s.fork_step, line.last) END "
    "FROM line JOIN sessions s ON s.id = line.id WHERE s.parent_id IS NOT NULL) "
)


def _of_line(table: str, within: str = "<=") -> str:
    """What a session and those that it goes on from have in a table with a seq, up to the last one: the rows `a`."""
    return f"FROM line JOIN {table} a ON a.session_id = line.id WHERE (line.last < 0 OR a.seq {within} line.last) "


class Wanted(TypedDict, total=False):
    """Which sessions a list is narrowed to."""

    before: str | None
    """Those that began before this session."""
    run: str | None
    """Those of this run."""
    task: str | None
    """Those of this task."""
    kind: str | None
    """Those of this kind of player."""
    player: str | None
    """Those of players of this name."""
    ended: bool | None
    """Those that have ended, or those that are open."""


_CONDITIONS = {
    "before": "(s.created_at, s.rowid) < (SELECT created_at, rowid FROM sessions WHERE id = :before)",
    "run": "s.id IN (SELECT session_id FROM run_sessions WHERE run_id = :run)",
    "task": "s.task_id = :task",
    "kind": "s.player_kind = :kind",
    "player": "s.player_name = :player",
    # without its name the index is passed over, and all actions of each session are read
    "ended": "EXISTS (SELECT 1 FROM actions a INDEXED BY actions_that_end "
    "WHERE a.session_id = s.id AND a.status != 'open') = :ended",
}


class SessionStore:
    """Reads and appends sessions and actions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, session: SessionRecord, place: RunPlace | None = None) -> None:
        """Store a new session, with its place in a run; returns after the commit.

        Raises:
            sqlite3.IntegrityError: the place in the run is taken.
        """

        def both(connection: sqlite3.Connection) -> None:
            connection.execute(*insert(session, "sessions"))
            if place:
                values = [place.run_id, session.task_id, place.repeat, session.id]
                connection.execute("INSERT INTO run_sessions VALUES (?, ?, ?, ?)", values)

        self._database.write(both)

    def append(
        self, action: ActionRecord, exchange: ExchangeRecord | None = None, figures: Statement | None = None
    ) -> None:
        """Append an action to its session's log, with the exchange that led to it; returns after the commit.

        `figures` stores what the session came to when the action ends it.

        Raises:
            sqlite3.IntegrityError: the seq or the request id is taken, or there is no such session.
        """

        def both(connection: sqlite3.Connection) -> None:
            connection.execute(*insert(action, "actions"))
            if exchange:
                connection.execute(*insert(exchange, "exchanges"))
            if figures:
                connection.execute(*figures)

        self._database.write(both)

    def adopt(self, session: SessionRecord, actions: Sequence[ActionRecord], figures: Statement | None = None) -> None:
        """Store a whole session, all of it or nothing; returns after the commit.

        Raises:
            sqlite3.IntegrityError: there is a session of that id.
        """

        def whole(connection: sqlite3.Connection) -> None:
            connection.execute(*insert(session, "sessions"))
            for action in actions:
                connection.execute(*insert(action, "actions"))
            if figures:
                connection.execute(*figures)

        self._database.write(whole)

    def note(self, record: ExchangeRecord | ObservationRecord | ReadingRecord) -> None:
        """Store an exchange that led to no action, an observation or a reading; returns after the commit."""
        tables = {ExchangeRecord: "exchanges", ObservationRecord: "observations", ReadingRecord: "readings"}
        table = tables[type(record)]
        self._database.write(lambda connection: connection.execute(*insert(record, table)))

    def share(self, session_id: str, shared: bool, at: str) -> None:
        """Store whether guests may take turns from now on; returns after the commit."""
        values = [session_id, int(shared), at]
        self._database.write(lambda connection: connection.execute("INSERT INTO sharing VALUES (?, ?, ?)", values))

    def shared(self, session_id: str) -> bool:
        """Whether guests may take turns."""
        query = "SELECT shared FROM sharing WHERE session_id = ? ORDER BY rowid DESC LIMIT 1"
        row = self._database.read().execute(query, [session_id]).fetchone()
        return bool(row and row["shared"])

    def session(self, session_id: str) -> SessionRecord | None:
        """The session of that id, or None."""
        row = self._database.read().execute("SELECT * FROM sessions WHERE id = ?", [session_id]).fetchone()
        return SessionRecord(**parse(row)) if row else None

    def newest(self, *, limit: int, **wanted: Unpack[Wanted]) -> list[Summary]:
        """Sessions of published tasks with the last action of each, newest first.

        Args:
            limit: how many at most.
            wanted: which of them; what is None or left out does not narrow the list.
        """
        narrowing = {name: value for name, value in wanted.items() if value is not None}
        conditions = " AND ".join(["s.task_set != 'own'", *(_CONDITIONS[name] for name in narrowing)])
        query = f"SELECT s.id FROM sessions s WHERE {conditions} ORDER BY s.created_at DESC, s.rowid DESC LIMIT :limit"  # noqa: S608
        found = self._database.read().execute(query, {**narrowing, "limit": limit})
        return [self._summary(row["id"]) for row in found.fetchall()]

    def summaries(self, session_ids: Sequence[str]) -> list[Summary]:
        """Some sessions as a list shows them, in the given order."""
        return [self._summary(session_id) for session_id in session_ids]

    def _summary(self, session_id: str) -> Summary:
        session = self.session(session_id)
        assert session is not None  # noqa: S101  sessions are never deleted
        query = "SELECT * FROM actions WHERE session_id = ? ORDER BY seq DESC LIMIT 1"
        row = self._database.read().execute(query, [session_id]).fetchone()
        if row is None and session.parent_id:  # nothing of its own yet
            last = self.actions(session_id, after=(session.fork_step or 0) - 1, limit=1)
            return Summary(session, last[0] if last else None)
        return Summary(session, ActionRecord(**parse(row)) if row else None)

    def exchanges(self, session_id: str) -> list[ExchangeRecord]:
        """What a session's model was shown and answered, in order."""
        query = _LINE + "SELECT a.* " + _of_line("exchanges") + "ORDER BY a.rowid"
        return [ExchangeRecord(**parse(row)) for row in self._database.read().execute(query, {"id": session_id})]

    def observations(self, session_id: str) -> list[ObservationRecord]:
        """What a session's player asked to see, in order."""
        query = _LINE + "SELECT a.* " + _of_line("observations", "<") + "ORDER BY a.rowid"
        return [ObservationRecord(**parse(row)) for row in self._database.read().execute(query, {"id": session_id})]

    def readings(self, session_id: str) -> list[ReadingRecord]:
        """What models read on a session's canvas, in order."""
        query = "SELECT * FROM readings WHERE session_id = ? ORDER BY rowid"
        return [ReadingRecord(**parse(row)) for row in self._database.read().execute(query, [session_id])]

    def unread(self, reader: str) -> list[str]:
        """Ids of ended sessions of handwriting in which a reader has not read yet, oldest first."""
        query = (
            "SELECT s.id FROM sessions s WHERE s.metric LIKE 'handwriting/%' "
            "AND s.id IN (SELECT session_id FROM ended) "
            "AND NOT EXISTS (SELECT 1 FROM readings r WHERE r.session_id = s.id AND r.reader = ?) ORDER BY s.created_at"
        )
        return [row["id"] for row in self._database.read().execute(query, [reader])]

    def ids(self) -> list[str]:
        """Ids of all sessions, oldest first."""
        return [row["id"] for row in self._database.read().execute("SELECT id FROM sessions ORDER BY created_at")]

    def actions(self, session_id: str, *, after: int = 0, limit: int = -1) -> list[ActionRecord]:
        """A session's log, in order: what follows seq `after`, at most `limit` actions (-1: all).

        What a session goes on from is of its log: the first actions of its parent, by reference, under the parent's
        id. Every action but a submit uses one step, so the first k steps are the actions up to seq k.
        """
        query = _LINE + "SELECT a.* " + _of_line("actions") + "AND a.seq > :after ORDER BY a.seq LIMIT :limit"
        rows = self._database.read().execute(query, {"id": session_id, "after": after, "limit": limit})
        return [ActionRecord(**parse(row)) for row in rows]


class PictureStore:
    """Pictures that people bring."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, task_id: str, record: Mapping[str, Any], png: bytes, at: str) -> None:
        """Store a task of an own picture; returns after the commit."""
        values = [task_id, json.dumps(record), png, at]
        self._database.write(lambda c: c.execute("INSERT INTO own_tasks VALUES (?, ?, ?, ?)", values))

    def get(self, task_id: str) -> tuple[dict[str, Any], bytes] | None:
        """Record and PNG of that task, or None."""
        query = "SELECT record, png FROM own_tasks WHERE id = ?"
        row = self._database.read().execute(query, [task_id]).fetchone()
        return (json.loads(row["record"]), row["png"]) if row else None
