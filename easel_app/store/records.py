"""What is stored of a session: one record when it begins, one for each action, never changed afterwards."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

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


_JSON = frozenset({"start_scores", "params", "scores"})


def _insert(record: SessionRecord | ActionRecord, table: str) -> tuple[str, dict[str, Any]]:
    names = [field.name for field in fields(record)]
    values = {
        name: json.dumps(value) if name in _JSON else value
        for name, value in asdict(record).items()
    }
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(':' + n for n in names)})", values  # noqa: S608


def _parse(row: sqlite3.Row) -> dict[str, Any]:
    return {k: json.loads(row[k]) if k in _JSON else row[k] for k in row.keys()}  # noqa: SIM118


class SessionStore:
    """Reads and appends sessions and actions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, session: SessionRecord) -> None:
        """Store a new session; returns after the commit."""
        self._database.write(lambda connection: connection.execute(*_insert(session, "sessions")))

    def append(self, action: ActionRecord) -> None:
        """Append an action to its session's log; returns after the commit.

        Raises:
            sqlite3.IntegrityError: the seq or the request id is taken, or there is no such session.
        """
        self._database.write(lambda connection: connection.execute(*_insert(action, "actions")))

    def session(self, session_id: str) -> SessionRecord | None:
        """The session of that id, or None."""
        row = self._database.read().execute("SELECT * FROM sessions WHERE id = ?", [session_id]).fetchone()
        return SessionRecord(**_parse(row)) if row else None

    def ids(self) -> list[str]:
        """Ids of all sessions, oldest first."""
        return [row["id"] for row in self._database.read().execute("SELECT id FROM sessions ORDER BY created_at")]

    def actions(self, session_id: str, *, after: int = 0, limit: int = -1) -> list[ActionRecord]:
        """A session's log, in order: what follows seq `after`, at most `limit` actions (-1: all)."""
        query = "SELECT * FROM actions WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?"
        rows = self._database.read().execute(query, [session_id, after, limit])
        return [ActionRecord(**_parse(row)) for row in rows]


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
