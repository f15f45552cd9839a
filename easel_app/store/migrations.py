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


@migrations(name="0003_agents")
def agents(db: Database) -> None:
    """Who else paints in a session, what players were shown and said, and the runs that sessions belong to."""
    # null: the session's own player; else the name of a guest who took a turn
    db.execute("ALTER TABLE actions ADD COLUMN guest TEXT")
    db.execute("CREATE INDEX sessions_by_time ON sessions (created_at)")
    db.execute(
        """
        CREATE TABLE sharing (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX sharing_by_session ON sharing (session_id)")
    db.execute(
        """
        CREATE TABLE observations (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            seq INTEGER NOT NULL CHECK (seq >= 0),
            shown TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX observations_by_session ON observations (session_id, seq)")
    db.execute(
        """
        CREATE TABLE exchanges (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            seq INTEGER CHECK (seq >= 1),
            shown TEXT NOT NULL,
            reply TEXT NOT NULL,
            notes TEXT NOT NULL,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cost REAL,
            latency REAL NOT NULL,
            retries TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX exchanges_by_session ON exchanges (session_id, seq)")
    db.execute(
        """
        CREATE TABLE runs (
            id TEXT PRIMARY KEY,
            settings TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE run_facts (
            run_id TEXT NOT NULL REFERENCES runs (id),
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (run_id, name)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE run_sessions (
            run_id TEXT NOT NULL REFERENCES runs (id),
            task_id TEXT NOT NULL,
            repeat INTEGER NOT NULL CHECK (repeat >= 1),
            session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id),
            PRIMARY KEY (run_id, task_id, repeat)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE run_events (
            run_id TEXT NOT NULL REFERENCES runs (id),
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX run_events_by_run ON run_events (run_id)")
    for table in ("sharing", "observations", "exchanges", "runs", "run_facts", "run_sessions", "run_events"):
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            )


@migrations(name="0004_semantic")
def semantic(db: Database) -> None:
    """How sessions ended, for their best; and what models read on the canvases of handwriting."""
    db.execute("CREATE INDEX actions_that_end ON actions (session_id) WHERE status != 'open'")
    # a score's headline is the one of these names that its metric has
    db.execute(
        """
        CREATE VIEW ended AS
        SELECT session_id, seq, step, status, COALESCE(
            json_extract(scores, '$.similarity'), json_extract(scores, '$.dice'),
            json_extract(scores, '$.match'), json_extract(scores, '$.progress')
        ) AS score
        FROM actions WHERE status != 'open'
        """
    )
    db.execute(
        """
        CREATE TABLE readings (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            seq INTEGER NOT NULL CHECK (seq >= 0),
            canvas_digest TEXT NOT NULL,
            reader TEXT NOT NULL,
            raw TEXT NOT NULL,
            letters TEXT NOT NULL,
            confidence REAL,
            match REAL NOT NULL,
            alignment REAL NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX readings_by_session ON readings (session_id, seq)")
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER readings_no_{verb.lower()} BEFORE {verb} ON readings "
            "BEGIN SELECT RAISE(ABORT, 'readings are append-only'); END"
        )


@migrations(name="0005_watch")
def watch(db: Database) -> None:
    """Where sessions come from, and the figures of those that have ended."""
    # null: begun from the task's start canvas; else the session whose first `fork_step` steps this one goes on from
    db.execute("ALTER TABLE sessions ADD COLUMN parent_id TEXT REFERENCES sessions (id)")
    db.execute("ALTER TABLE sessions ADD COLUMN fork_step INTEGER")
    # null: played here; else the id that an imported log gives itself
    db.execute("ALTER TABLE sessions ADD COLUMN imported_from TEXT")
    db.execute("CREATE INDEX sessions_by_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL")
    # computed from the log and only kept to be found fast: what is missing is computed again
    db.execute(
        """
        CREATE TABLE figures (
            session_id TEXT NOT NULL REFERENCES sessions (id),
            version TEXT NOT NULL,
            steps INTEGER NOT NULL,
            final REAL,
            at_half REAL,
            auc REAL,
            best REAL,
            best_step INTEGER,
            final_best_gap REAL,
            edge_iou REAL,
            exact_repeat_rate REAL,
            near_repeat_rate REAL,
            invalid_rate REAL,
            rejected_rate REAL,
            undos INTEGER NOT NULL,
            draw_undo_loops INTEGER NOT NULL,
            submit_percent REAL,
            assisted INTEGER NOT NULL CHECK (assisted IN (0, 1)),
            curve BLOB NOT NULL,
            PRIMARY KEY (session_id, version)
        ) STRICT
        """
    )
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER figures_no_{verb.lower()} BEFORE {verb} ON figures "
            "BEGIN SELECT RAISE(ABORT, 'figures are append-only'); END"
        )
