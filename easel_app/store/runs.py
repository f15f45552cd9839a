"""What is stored of a run: its settings, what was found out on its way, its sessions and what they cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from easel_app.store.database import Database
from easel_app.store.records import insert, parse


@dataclass(frozen=True)
class RunRecord:
    """One player with one set of settings, over any number of tasks and repeats."""

    id: str
    settings: Mapping[str, Any]
    created_at: str


class RunEvent(NamedTuple):
    """A sitting of a run began or ended."""

    name: str
    """`begun` with the plan of the sitting, or `ended` with state and reason."""
    content: Mapping[str, Any]
    at: str


class Spent(NamedTuple):
    """What the endpoint's answers to a run used; of a run's sessions or of one."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """None when no answer's price is known."""


class RunStore:
    """Reads and appends runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, run: RunRecord) -> None:
        """Store a run unless it is there already; returns after the commit."""
        statement, values = insert(run, "runs")
        self._database.write(lambda c: c.execute(statement.replace("INSERT", "INSERT OR IGNORE", 1), values))

    def run(self, run_id: str) -> RunRecord | None:
        """The run of that id, or None."""
        row = self._database.read().execute("SELECT * FROM runs WHERE id = ?", [run_id]).fetchone()
        return RunRecord(**parse(row)) if row else None

    def runs(self) -> list[RunRecord]:
        """All runs, newest first."""
        rows = self._database.read().execute("SELECT * FROM runs ORDER BY created_at DESC, rowid DESC")
        return [RunRecord(**parse(row)) for row in rows]

    def happened(self, run_id: str, event: RunEvent) -> None:
        """Store that a sitting began or ended; returns after the commit."""
        values = [run_id, event.name, json.dumps(event.content), event.at]
        self._database.write(lambda c: c.execute("INSERT INTO run_events VALUES (?, ?, ?, ?)", values))

    def events(self, run_id: str) -> list[RunEvent]:
        """When sittings of the run began and ended, in order; a sitting that was cut off has no end."""
        rows = self._database.read().execute("SELECT * FROM run_events WHERE run_id = ? ORDER BY rowid", [run_id])
        return [RunEvent(row["name"], json.loads(row["content"]), row["at"]) for row in rows]

    def settle(self, run_id: str, name: str, value: Any) -> Any:
        """Store a fact about a run unless it is known already; returns the stored one, after the commit."""
        statement = "INSERT OR IGNORE INTO run_facts VALUES (?, ?, ?)"
        self._database.write(lambda c: c.execute(statement, [run_id, name, json.dumps(value)]))
        return self.fact(run_id, name)

    def fact(self, run_id: str, name: str) -> Any:
        """What is known about a run by that name, or None."""
        query = "SELECT value FROM run_facts WHERE run_id = ? AND name = ?"
        row = self._database.read().execute(query, [run_id, name]).fetchone()
        return json.loads(row["value"]) if row else None

    def sessions(self, run_id: str) -> dict[tuple[str, int], str]:
        """Ids of the run's sessions by task and repeat."""
        query = "SELECT task_id, repeat, session_id FROM run_sessions WHERE run_id = ?"
        rows = self._database.read().execute(query, [run_id])
        return {(row["task_id"], row["repeat"]): row["session_id"] for row in rows}

    def spent(self, run_id: str) -> Spent:
        """What all answers to the run used."""
        query = (
            # TOTAL cannot overflow as SUM can
            "SELECT COUNT(*) AS calls, TOTAL(prompt_tokens) AS prompt, TOTAL(completion_tokens) AS completion, "
            "SUM(cost) AS cost "
            "FROM exchanges JOIN run_sessions USING (session_id) WHERE run_id = ?"
        )
        row = self._database.read().execute(query, [run_id]).fetchone()
        return Spent(row["calls"], int(row["prompt"]), int(row["completion"]), row["cost"])

    def invalid(self, run_id: str) -> int:
        """Actions of the run's sessions that could not be read."""
        query = (
            "SELECT COUNT(*) AS n FROM actions JOIN run_sessions USING (session_id) "
            "WHERE run_id = ? AND outcome = 'invalid'"
        )
        return int(self._database.read().execute(query, [run_id]).fetchone()["n"])
