"""The schema, as a list of numbered steps that only ever grows."""

from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

migrations = Migrations("easel")


@migrations(name="0001_sessions_and_actions")
def sessions_and_actions(db: Database) -> None:
    """Sessions and their append-only logs. What can be computed from the log is not kept beside it."""
    db.execute(
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            task_id TEXT NOT NULL,
            task_digest TEXT NOT NULL,
            protocol TEXT NOT NULL,
            player_kind TEXT NOT NULL CHECK (player_kind IN ('human', 'agent', 'painter')),
            player_name TEXT NOT NULL,
            player_model TEXT,
            renderer TEXT NOT NULL,
            metric TEXT NOT NULL,
            task_set TEXT NOT NULL,
            token_hash TEXT NOT NULL,
            start_scores TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX sessions_by_task ON sessions (task_id, created_at)")
    db.execute(
        """
        CREATE TABLE actions (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            seq INTEGER NOT NULL CHECK (seq >= 1),
            request_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            params TEXT NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'rejected', 'invalid')),
            message TEXT NOT NULL,
            step INTEGER NOT NULL CHECK (step >= 0),
            status TEXT NOT NULL CHECK (status IN ('open', 'submitted', 'spent')),
            scores TEXT,
            canvas_digest TEXT NOT NULL,
            actor TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (session_id, seq),
            UNIQUE (session_id, request_id)
        ) STRICT, WITHOUT ROWID
        """
    )
    for table in ("sessions", "actions"):
        # the log never shrinks and never changes: the database itself refuses
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            )


@migrations(name="0002_own_pictures")
def own_pictures(db: Database) -> None:
    """Pictures that people bring: the task's record and its reference."""
    db.execute(
        """
        CREATE TABLE own_tasks (
            id TEXT PRIMARY KEY,
            record TEXT NOT NULL,
            png BLOB NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
