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


@migrations(name="0006_rubrics")
def rubrics(db: Database) -> None:
    """Tasks with rubrics, models' answers, and what judges and people say of them."""
    db.execute(
        """
        CREATE TABLE rubric_sets (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            sample INTEGER NOT NULL CHECK (sample IN (0, 1)),
            about TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    # an import that was cut off has no end, and the same one goes on with it
    db.execute(
        """
        CREATE TABLE rubric_imports (
            set_id TEXT NOT NULL REFERENCES rubric_sets (id),
            source TEXT NOT NULL,
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX rubric_imports_by_set ON rubric_imports (set_id)")
    db.execute(
        """
        CREATE TABLE rubric_tasks (
            id INTEGER PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES rubric_sets (id),
            task_id TEXT NOT NULL,
            category TEXT,
            domain TEXT,
            turns INTEGER NOT NULL CHECK (turns >= 1),
            record TEXT NOT NULL,
            UNIQUE (set_id, task_id)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE rubric_items (
            id INTEGER PRIMARY KEY,
            task INTEGER NOT NULL REFERENCES rubric_tasks (id),
            turn INTEGER NOT NULL CHECK (turn >= 1),
            item_id TEXT NOT NULL,
            description TEXT NOT NULL,
            weight INTEGER NOT NULL CHECK (weight BETWEEN 1 AND 5),
            critical INTEGER CHECK (critical IN (0, 1)),
            objectivity TEXT,
            explicitness TEXT,
            categories TEXT NOT NULL,
            final_answer INTEGER CHECK (final_answer IN (0, 1)),
            UNIQUE (task, turn, item_id)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE rubric_answers (
            id INTEGER PRIMARY KEY,
            task INTEGER NOT NULL REFERENCES rubric_tasks (id),
            model TEXT NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            record TEXT NOT NULL,
            UNIQUE (task, model, attempt)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE judgings (
            id TEXT PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES rubric_sets (id),
            judge TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('run', 'imported')),
            settings TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX judgings_by_set ON judgings (set_id)")
    db.execute(
        """
        CREATE TABLE judging_events (
            judging_id TEXT NOT NULL REFERENCES judgings (id),
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX judging_events_by_judging ON judging_events (judging_id)")
    # the last row of a judging on an item of an answer is its verdict; earlier ones are tries that gave none
    db.execute(
        """
        CREATE TABLE judge_verdicts (
            id INTEGER PRIMARY KEY,
            judging_id TEXT NOT NULL REFERENCES judgings (id),
            answer INTEGER NOT NULL REFERENCES rubric_answers (id),
            item INTEGER NOT NULL REFERENCES rubric_items (id),
            verdict TEXT CHECK (verdict IN ('met', 'not_met')),
            reason TEXT NOT NULL,
            evidence TEXT NOT NULL,
            unscored TEXT NOT NULL,
            how TEXT NOT NULL,
            exchange TEXT,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cost REAL,
            latency REAL,
            at TEXT NOT NULL,
            CHECK ((verdict IS NULL) = (unscored != ''))
        ) STRICT
        """
    )
    db.execute("CREATE INDEX judge_verdicts_by_pair ON judge_verdicts (judging_id, answer, item)")
    # who only comes with imported votes has no token, and nobody votes in that name here
    db.execute(
        """
        CREATE TABLE reviewers (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE reviewer_tokens (
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            token_hash TEXT PRIMARY KEY,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE review_queues (
            id TEXT PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES rubric_sets (id),
            judging_id TEXT REFERENCES judgings (id),
            name TEXT NOT NULL,
            required INTEGER NOT NULL CHECK (required >= 1),
            hold REAL NOT NULL CHECK (hold > 0),
            settings TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX review_queues_by_set ON review_queues (set_id)")
    db.execute(
        """
        CREATE TABLE review_entries (
            id INTEGER PRIMARY KEY,
            queue_id TEXT NOT NULL REFERENCES review_queues (id),
            place INTEGER NOT NULL CHECK (place >= 1),
            answer INTEGER NOT NULL REFERENCES rubric_answers (id),
            item INTEGER NOT NULL REFERENCES rubric_items (id),
            chance REAL NOT NULL CHECK (chance > 0 AND chance <= 1),
            UNIQUE (queue_id, answer, item)
        ) STRICT
        """
    )
    db.execute("CREATE INDEX review_entries_by_place ON review_entries (queue_id, place)")
    # the one table that is rewritten: a place kept for somebody, until a moment in Unix seconds
    db.execute(
        """
        CREATE TABLE reservations (
            entry INTEGER NOT NULL REFERENCES review_entries (id),
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            until REAL NOT NULL,
            PRIMARY KEY (entry, reviewer)
        ) STRICT, WITHOUT ROWID
        """
    )
    # who has seen what others say of an item can no longer vote blind
    db.execute(
        """
        CREATE TABLE reveals (
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            answer INTEGER NOT NULL REFERENCES rubric_answers (id),
            item INTEGER NOT NULL REFERENCES rubric_items (id),
            at TEXT NOT NULL,
            PRIMARY KEY (reviewer, answer, item)
        ) STRICT, WITHOUT ROWID
        """
    )
    # entry: where it counts towards the required number of reviewers; null for imported votes and adjudications
    db.execute(
        """
        CREATE TABLE votes (
            id INTEGER PRIMARY KEY,
            answer INTEGER NOT NULL REFERENCES rubric_answers (id),
            item INTEGER NOT NULL REFERENCES rubric_items (id),
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            role TEXT NOT NULL CHECK (role IN ('review', 'adjudication')),
            verdict TEXT CHECK (verdict IN ('met', 'not_met', 'cannot_assess')),
            confidence INTEGER CHECK (confidence BETWEEN 1 AND 3),
            note TEXT NOT NULL,
            error TEXT,
            blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
            supersedes INTEGER REFERENCES votes (id),
            entry INTEGER REFERENCES review_entries (id),
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            UNIQUE (reviewer, request_id),
            CHECK (blind = 0 OR supersedes IS NULL)
        ) STRICT
        """
    )
    db.execute("CREATE INDEX votes_by_pair ON votes (answer, item, role, reviewer)")
    db.execute("CREATE INDEX votes_by_entry ON votes (entry, reviewer) WHERE entry IS NOT NULL")
    db.execute(
        """
        CREATE VIEW current_votes AS
        SELECT * FROM votes v WHERE id = (
            SELECT MAX(id) FROM votes w
            WHERE w.answer = v.answer AND w.item = v.item AND w.role = v.role AND w.reviewer = v.reviewer
        )
        """
    )
    # whoever writes, and from wherever: no entry has more reviewers than its queue requires
    db.execute(
        """
        CREATE TRIGGER votes_enough BEFORE INSERT ON votes WHEN NEW.entry IS NOT NULL AND NEW.verdict IS NOT NULL
        BEGIN
            SELECT RAISE(ABORT, 'enough reviewers') WHERE (
                SELECT COUNT(*) FROM current_votes c
                WHERE c.entry = NEW.entry AND c.verdict IS NOT NULL AND c.reviewer != NEW.reviewer
            ) >= (
                SELECT q.required FROM review_entries e JOIN review_queues q ON q.id = e.queue_id WHERE e.id = NEW.entry
            );
        END
        """
    )
    for table in (
        "rubric_sets", "rubric_imports", "rubric_tasks", "rubric_items", "rubric_answers", "judgings", "judging_events",
        "judge_verdicts", "reviewers", "reviewer_tokens", "review_queues", "review_entries", "reveals", "votes",
    ):  # fmt: skip
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            )


@migrations(name="0007_plans")
def plans(db: Database) -> None:
    """Sets of plans: queries, answers, what inspectors report and what people say of them."""
    db.execute(
        """
        CREATE TABLE plan_sets (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            sample INTEGER NOT NULL CHECK (sample IN (0, 1)),
            about TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    # an import that was cut off has no end, and the same one goes on with it
    db.execute(
        """
        CREATE TABLE plan_imports (
            set_id TEXT NOT NULL REFERENCES plan_sets (id),
            source TEXT NOT NULL,
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX plan_imports_by_set ON plan_imports (set_id)")
    db.execute(
        """
        CREATE TABLE plan_queries (
            id INTEGER PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES plan_sets (id),
            query_id TEXT NOT NULL,
            category TEXT,
            intent TEXT,
            record TEXT NOT NULL,
            UNIQUE (set_id, query_id)
        ) STRICT
        """
    )
    # records are JSON of ASCII only, so that a plan's text is kept whatever characters it holds
    db.execute(
        """
        CREATE TABLE plan_answers (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES plan_queries (id),
            planner TEXT NOT NULL,
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            record TEXT NOT NULL,
            UNIQUE (query, planner, attempt)
        ) STRICT
        """
    )
    # what a version of the parser finds in an answer; it can be computed from the record at any time
    db.execute(
        """
        CREATE TABLE plan_outlines (
            answer INTEGER NOT NULL REFERENCES plan_answers (id),
            version TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (answer, version)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TABLE inspections (
            id TEXT PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES plan_sets (id),
            judge TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('run', 'imported')),
            settings TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX inspections_by_set ON inspections (set_id)")
    db.execute(
        """
        CREATE TABLE inspection_events (
            inspection_id TEXT NOT NULL REFERENCES inspections (id),
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX inspection_events_by_inspection ON inspection_events (inspection_id)")
    # the last row of an inspector on an answer is its report; earlier ones are tries that gave none
    db.execute(
        """
        CREATE TABLE inspector_reports (
            id INTEGER PRIMARY KEY,
            inspection_id TEXT NOT NULL REFERENCES inspections (id),
            answer INTEGER NOT NULL REFERENCES plan_answers (id),
            inspector TEXT NOT NULL CHECK (inspector IN ('precision', 'recall', 'chief')),
            report TEXT,
            unscored TEXT NOT NULL,
            how TEXT NOT NULL,
            exchange TEXT,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cost REAL,
            latency REAL,
            at TEXT NOT NULL,
            CHECK ((report IS NULL) = (unscored != ''))
        ) STRICT
        """
    )
    db.execute("CREATE INDEX inspector_reports_by_answer ON inspector_reports (inspection_id, answer, inspector)")
    # part: 'call:3', 'gaps', 'gap:JUDGE/2', 'fs', 'plan'; content is null where a vote is taken back
    db.execute(
        """
        CREATE TABLE plan_votes (
            id INTEGER PRIMARY KEY,
            answer INTEGER NOT NULL REFERENCES plan_answers (id),
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            part TEXT NOT NULL,
            content TEXT,
            note TEXT NOT NULL,
            blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
            supersedes INTEGER REFERENCES plan_votes (id),
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            UNIQUE (reviewer, request_id),
            CHECK (blind = 0 OR supersedes IS NULL)
        ) STRICT
        """
    )
    db.execute("CREATE INDEX plan_votes_by_part ON plan_votes (answer, part, reviewer)")
    # who has seen what others say of a part of an answer, or of all of it ('all'), can no longer vote blind on it
    db.execute(
        """
        CREATE TABLE plan_reveals (
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            answer INTEGER NOT NULL REFERENCES plan_answers (id),
            part TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (reviewer, answer, part)
        ) STRICT, WITHOUT ROWID
        """
    )
    # what came of a call that was executed, and by what; the last row counts
    db.execute(
        """
        CREATE TABLE plan_executions (
            id INTEGER PRIMARY KEY,
            answer INTEGER NOT NULL REFERENCES plan_answers (id),
            call INTEGER NOT NULL CHECK (call >= 1),
            backend TEXT NOT NULL,
            picture TEXT,
            failed TEXT NOT NULL,
            latency REAL NOT NULL,
            at TEXT NOT NULL,
            CHECK ((picture IS NULL) = (failed != ''))
        ) STRICT
        """
    )
    db.execute("CREATE INDEX plan_executions_by_answer ON plan_executions (answer, call)")
    for table in (
        "plan_sets", "plan_imports", "plan_queries", "plan_answers", "plan_outlines", "inspections",
        "inspection_events", "inspector_reports", "plan_votes", "plan_reveals", "plan_executions",
    ):  # fmt: skip
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            )


@migrations(name="0008_tools")
def tools(db: Database) -> None:
    """Models that answer with tools, round by round, and tasks that are being written."""
    db.execute(
        """
        CREATE TABLE tool_runs (
            id TEXT PRIMARY KEY,
            set_id TEXT NOT NULL REFERENCES rubric_sets (id),
            player TEXT NOT NULL,
            settings TEXT NOT NULL,
            created_at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX tool_runs_by_set ON tool_runs (set_id)")
    # begun and ended frame a sitting; judging and queue name what came of its answers
    db.execute(
        """
        CREATE TABLE tool_run_events (
            run TEXT NOT NULL REFERENCES tool_runs (id),
            name TEXT NOT NULL CHECK (name IN ('begun', 'ended', 'judging', 'queue')),
            content TEXT NOT NULL,
            at TEXT NOT NULL
        ) STRICT
        """
    )
    db.execute("CREATE INDEX tool_run_events_by_run ON tool_run_events (run)")
    # a round is stored once all of its calls came back, so that an attempt that was cut off goes on with the next one;
    # what is summed stands before what is long, whose pages are then not read
    db.execute(
        """
        CREATE TABLE tool_rounds (
            run TEXT NOT NULL REFERENCES tool_runs (id),
            task INTEGER NOT NULL REFERENCES rubric_tasks (id),
            attempt INTEGER NOT NULL CHECK (attempt >= 1),
            turn INTEGER NOT NULL CHECK (turn >= 1),
            round INTEGER NOT NULL CHECK (round >= 1),
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cost REAL,
            latency REAL NOT NULL,
            at TEXT NOT NULL,
            record TEXT NOT NULL,
            exchange TEXT NOT NULL,
            PRIMARY KEY (run, task, attempt, turn, round)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TABLE task_drafts (
            id TEXT PRIMARY KEY,
            author INTEGER NOT NULL REFERENCES reviewers (id),
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            UNIQUE (author, request_id)
        ) STRICT
        """
    )
    db.execute(
        """
        CREATE TABLE task_versions (
            draft TEXT NOT NULL REFERENCES task_drafts (id),
            version INTEGER NOT NULL CHECK (version >= 1),
            author INTEGER NOT NULL REFERENCES reviewers (id),
            content TEXT NOT NULL,
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (draft, version),
            UNIQUE (author, request_id)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.execute(
        """
        CREATE TABLE task_trials (
            id INTEGER PRIMARY KEY,
            draft TEXT NOT NULL,
            version INTEGER NOT NULL,
            person INTEGER NOT NULL REFERENCES reviewers (id),
            content TEXT NOT NULL,
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            UNIQUE (person, request_id),
            FOREIGN KEY (draft, version) REFERENCES task_versions (draft, version)
        ) STRICT
        """
    )
    db.execute("CREATE INDEX task_trials_by_draft ON task_trials (draft)")
    # two rounds by two people: who wrote a version, or reviewed it, does not review it again
    db.execute(
        """
        CREATE TABLE task_decisions (
            draft TEXT NOT NULL,
            version INTEGER NOT NULL,
            round INTEGER NOT NULL CHECK (round IN (1, 2)),
            reviewer INTEGER NOT NULL REFERENCES reviewers (id),
            decision TEXT NOT NULL CHECK (decision IN ('accept', 'reject', 'changes')),
            note TEXT NOT NULL,
            request_id TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (draft, version, round),
            UNIQUE (draft, version, reviewer),
            UNIQUE (reviewer, request_id),
            FOREIGN KEY (draft, version) REFERENCES task_versions (draft, version)
        ) STRICT, WITHOUT ROWID
        """
    )
    for table in (
        "tool_runs", "tool_run_events", "tool_rounds", "task_drafts", "task_versions", "task_trials", "task_decisions",
    ):  # fmt: skip
        for verb in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
            )
