"""What is stored of tasks that are being written: drafts, their versions, trials by models, reviewers' decisions.

Nothing here is ever changed. How far a draft is follows from its rows, and what may be added is decided in the one
transaction that adds it, so that of two callers at once one wins and the other is told.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from easel_app.store.database import Database
from easel_app.store.sets import SetStore


class DraftRecord(NamedTuple):
    """A draft."""

    id: str
    author: int
    """Row id of who began it."""
    name: str
    """Their name."""
    at: str


class VersionRecord(NamedTuple):
    """A version of a draft, without its content."""

    version: int
    author: int
    name: str
    at: str


class DraftOutline(NamedTuple):
    """A draft in a list, with facts of its last version."""

    id: str
    author: int
    name: str
    version: int
    title: str
    category: str | None
    turns: int
    items: int
    at: str


class TrialRecord(NamedTuple):
    """Models were to try a version."""

    id: int
    draft: str
    version: int
    content: Mapping[str, Any]
    """Who was to try it and how; never a key."""
    at: str


class DecisionRecord(NamedTuple):
    """A reviewer's decision on a version."""

    draft: str
    version: int
    round: int
    reviewer: int
    name: str
    decision: str
    note: str
    at: str


class RequestReused(Exception):
    """The person has used the request id for something else."""


class Superseded(Exception):
    """The version is not the draft's last one; the exception's value is the last one."""


class Decided(Exception):
    """The version has no room for the decision: its review is over, the person has decided, or another round is due."""


Act = Literal["change", "attempt", "decide"]
_ACTS: dict[Act, tuple[str, str]] = {
    "change": ("task_versions", "author"),
    "attempt": ("task_trials", "person"),
    "decide": ("task_decisions", "reviewer"),
}


class DraftStore:
    """Reads and appends drafts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def beside(cls, sets: SetStore) -> DraftStore:
        """The drafts in the database of rubric sets."""
        return cls(sets._database)

    def begin(self, draft_id: str, author: int, content: str, request_id: str, at: str) -> str:
        """Store a draft with its first version; returns its id after the commit.

        A repeated request gives the id of the draft that is there.

        Raises:
            RequestReused: the request id was that of another draft, or of a change.
        """

        def job(connection: sqlite3.Connection) -> str:
            there = _repeated(connection, *_ACTS["change"], author, request_id)
            if there:
                if there["version"] != 1 or there["content"] != content:
                    raise RequestReused
                return str(there["draft"])
            connection.execute("INSERT INTO task_drafts VALUES (?, ?, ?, ?)", [draft_id, author, request_id, at])
            _add_version(connection, draft_id, 1, author, content, request_id, at)
            return draft_id

        return self._database.write(job)

    def change(self, draft: str, based_on: int, author: int, content: str, request_id: str, at: str) -> int:
        """Store the next version of a draft; returns its number after the commit.

        A repeated request gives the version that is there.

        Raises:
            Superseded: `based_on` is not the last version.
            RequestReused: the request id was that of another change.
        """

        def job(connection: sqlite3.Connection) -> int:
            there = _repeated(connection, *_ACTS["change"], author, request_id)
            if there:
                if (there["draft"], there["version"], there["content"]) != (draft, based_on + 1, content):
                    raise RequestReused
                return based_on + 1
            _require_last(connection, draft, based_on)
            _add_version(connection, draft, based_on + 1, author, content, request_id, at)
            return based_on + 1

        return self._database.write(job)

    def attempt(self, draft: str, version: int, person: int, content: str, request_id: str, at: str) -> int:
        """Store that models are to try a version; returns the trial's row id after the commit.

        A repeated request, and a wish that is the version's last one, gives the trial that is there.

        Raises:
            Superseded: it is not the last version.
            RequestReused: the request id was that of another trial.
        """

        def job(connection: sqlite3.Connection) -> int:
            there = _repeated(connection, *_ACTS["attempt"], person, request_id)
            if there:
                if (there["draft"], there["content"]) != (draft, content):
                    raise RequestReused
                return int(there["id"])
            _require_last(connection, draft, version)
            last = connection.execute(
                "SELECT id, content FROM task_trials WHERE draft = ? AND version = ? ORDER BY id DESC LIMIT 1",
                [draft, version],
            ).fetchone()
            if last and last["content"] == content:
                return int(last["id"])
            row_id = connection.execute(
                "INSERT INTO task_trials (draft, version, person, content, request_id, at) VALUES (?, ?, ?, ?, ?, ?)",
                [draft, version, person, content, request_id, at],
            ).lastrowid
            assert row_id is not None  # noqa: S101
            return row_id

        return self._database.write(job)

    def decide(
        self,
        draft: str,
        version: int,
        reviewer: int,
        said: tuple[str, str],
        request_id: str,
        at: str,
        *,
        due: int | None = None,
        rounds: int = 2,
    ) -> int:
        """Store a decision on the last version of a draft; returns its round after the commit.

        Args:
            draft: which draft.
            version: which version the reviewer has looked at.
            reviewer: row id of who decides.
            said: the decision (`accept`, `reject`, `changes`) and the note to it.
            request_id: a repeated one gives the round that is there.
            at: when.
            due: the round that the reviewer takes it to be; None: whichever is due.
            rounds: how many there are; each but the first follows on one that accepts.

        Raises:
            Superseded: it is not the last version.
            Decided: no decision of theirs is wanted, or not in that round.
            RequestReused: the request id was that of another decision.
        """

        def job(connection: sqlite3.Connection) -> int:
            there = _repeated(connection, *_ACTS["decide"], reviewer, request_id)
            if there:
                if tuple(there[name] for name in ("draft", "version", "decision", "note")) != (draft, version, *said):
                    raise RequestReused
                return int(there["round"])
            _require_last(connection, draft, version)
            query = "SELECT reviewer, decision FROM task_decisions WHERE draft = ? AND version = ?"
            made = connection.execute(query, [draft, version]).fetchall()
            over = len(made) >= rounds or any(row["decision"] != "accept" for row in made)
            if over or due not in (None, len(made) + 1) or any(row["reviewer"] == reviewer for row in made):
                raise Decided
            connection.execute(
                "INSERT INTO task_decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [draft, version, len(made) + 1, reviewer, *said, request_id, at],
            )
            return len(made) + 1

        return self._database.write(job)

    def known(self, act: Act, person: int, request_id: str) -> bool:
        """Whether a person's request of that id was granted."""
        return _repeated(self._database.read(), *_ACTS[act], person, request_id) is not None

    def draft(self, draft: str) -> DraftRecord | None:
        """The draft of that id, or None."""
        query = "SELECT d.id, d.author, r.name, d.at FROM task_drafts d JOIN reviewers r ON r.id = d.author"
        row = self._database.read().execute(f"{query} WHERE d.id = ?", [draft]).fetchone()
        return DraftRecord(*row) if row else None

    def outlines(self) -> list[DraftOutline]:
        """All drafts, the one that was changed last first."""
        query = """
            SELECT d.id, d.author, r.name, v.version, json_extract(v.content, '$.title') AS title,
              json_extract(v.content, '$.category') AS category, json_array_length(v.content, '$.turns') AS turns,
              (SELECT COALESCE(SUM(json_array_length(t.value, '$.rubric')), 0) FROM json_each(v.content, '$.turns') t)
                AS items, v.at
            FROM task_drafts d JOIN reviewers r ON r.id = d.author JOIN task_versions v ON v.draft = d.id
            WHERE v.version = (SELECT MAX(w.version) FROM task_versions w WHERE w.draft = d.id)
            ORDER BY v.at DESC, d.rowid DESC
        """
        return [DraftOutline(*row) for row in self._database.read().execute(query)]

    def versions(self, draft: str) -> list[VersionRecord]:
        """The versions of a draft, oldest first."""
        query = (
            "SELECT v.version, v.author, r.name, v.at FROM task_versions v JOIN reviewers r ON r.id = v.author "
            "WHERE v.draft = ? ORDER BY v.version"
        )
        return [VersionRecord(*row) for row in self._database.read().execute(query, [draft])]

    def content(self, draft: str, version: int) -> str | None:
        """What a version says, as JSON; None when there is none of that number."""
        query = "SELECT content FROM task_versions WHERE draft = ? AND version = ?"
        row = self._database.read().execute(query, [draft, version]).fetchone()
        return str(row["content"]) if row else None

    def trials(self, draft: str | None = None) -> list[TrialRecord]:
        """All trials, or those of a draft, oldest first."""
        query = "SELECT id, draft, version, content, at FROM task_trials WHERE ?1 IS NULL OR draft = ?1 ORDER BY id"
        rows = self._database.read().execute(query, [draft])
        return [TrialRecord(**{**dict(row), "content": json.loads(row["content"])}) for row in rows]

    def decisions(self, draft: str | None = None) -> list[DecisionRecord]:
        """All decisions, or those of a draft, oldest first."""
        query = (
            "SELECT d.draft, d.version, d.round, d.reviewer, r.name, d.decision, d.note, d.at FROM task_decisions d "
            "JOIN reviewers r ON r.id = d.reviewer WHERE ?1 IS NULL OR d.draft = ?1 ORDER BY d.version, d.round"
        )
        return [DecisionRecord(*row) for row in self._database.read().execute(query, [draft])]


def _repeated(
    connection: sqlite3.Connection, table: str, column: str, person: int, request_id: str
) -> sqlite3.Row | None:
    """What a person's request of that id has stored, or None."""
    query = f"SELECT * FROM {table} WHERE {column} = ? AND request_id = ?"  # noqa: S608
    found: sqlite3.Row | None = connection.execute(query, [person, request_id]).fetchone()
    return found


def _require_last(connection: sqlite3.Connection, draft: str, version: int) -> None:
    last = connection.execute("SELECT MAX(version) FROM task_versions WHERE draft = ?", [draft]).fetchone()[0]
    if last != version:
        raise Superseded(last)


def _add_version(
    connection: sqlite3.Connection, draft: str, version: int, author: int, content: str, request_id: str, at: str
) -> None:
    statement = "INSERT INTO task_versions VALUES (?, ?, ?, ?, ?, ?)"
    connection.execute(statement, [draft, version, author, content, request_id, at])
