"""What came of calls that were executed: a picture, or why there is none. The last row of a call counts."""

from __future__ import annotations

from typing import NamedTuple

from easel_app.store.database import Database


class ExecutionRow(NamedTuple):
    """One execution of one call."""

    answer: int
    call: int
    """Its number in the plan, from 1."""
    backend: str
    picture: str | None
    """Digest of the file; None when it failed."""
    failed: str
    """Why it failed; empty when it did not."""
    latency: float
    """Seconds."""
    at: str


class PlanExecutionStore:
    """Reads and appends executions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, row: ExecutionRow) -> None:
        """Store an execution; returns after the commit."""
        statement = (
            "INSERT INTO plan_executions (answer, call, backend, picture, failed, latency, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        self._database.write(lambda c: c.execute(statement, row))

    def of(self, answer: int) -> dict[int, ExecutionRow]:
        """What counts of a plan's calls, by their numbers."""
        query = (
            "SELECT answer, call, backend, picture, failed, latency, at FROM plan_executions WHERE id IN "
            "(SELECT MAX(id) FROM plan_executions WHERE answer = ? GROUP BY call) ORDER BY call"
        )
        rows = [ExecutionRow(*row) for row in self._database.read().execute(query, [answer])]
        return {row.call: row for row in rows}
