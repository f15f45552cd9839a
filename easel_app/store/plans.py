"""What is stored of sets of plans: queries, planners' answers, and what the parser found in them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from easel_app.store.sets import SetStore


class NewQuery(NamedTuple):
    """A query as it comes in; `record` is all of it as JSON of ASCII."""

    query_id: str
    category: str | None
    intent: str | None
    record: str


class QueryRow(NamedTuple):
    """A stored query."""

    id: int
    set_id: str
    query_id: str
    category: str | None
    intent: str | None
    record: Mapping[str, Any]


class PlanKey(NamedTuple):
    """An answer without its text, with whose query it answers."""

    id: int
    query: int
    query_id: str
    category: str | None
    planner: str
    attempt: int


class PlanRow(NamedTuple):
    """A stored answer."""

    id: int
    query: int
    planner: str
    attempt: int
    record: Mapping[str, Any]


class PlanStore(SetStore):
    """Reads and appends sets of plans."""

    _sets, _imports = "plan_sets", "plan_imports"

    def add_queries(self, set_id: str, queries: Iterable[NewQuery]) -> dict[str, int]:
        """Store queries that are not there yet, all or none; row ids of all of them by query id, after the commit."""
        found = list(queries)

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            statement = (
                "INSERT OR IGNORE INTO plan_queries (set_id, query_id, category, intent, record) VALUES (?, ?, ?, ?, ?)"
            )
            connection.executemany(statement, [(set_id, *query) for query in found])
            query = "SELECT id FROM plan_queries WHERE set_id = ? AND query_id = ?"
            return {
                each.query_id: int(connection.execute(query, [set_id, each.query_id]).fetchone()["id"])
                for each in found
            }

        return self._database.write(job)

    def add_answers(self, answers: Iterable[tuple[int, str, int, str]]) -> int:
        """Store answers (query's row id, planner, attempt, JSON of ASCII) that are not there yet; how many are new."""
        rows = list(answers)
        statement = "INSERT OR IGNORE INTO plan_answers (query, planner, attempt, record) VALUES (?, ?, ?, ?)"
        return self._database.write(lambda c: c.executemany(statement, rows).rowcount)

    def add_outlines(self, version: str, outlines: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
        """Store what a version of the parser found in answers; returns after the commit."""
        rows = [(answer, version, json.dumps(content)) for answer, content in outlines]
        statement = "INSERT OR IGNORE INTO plan_outlines VALUES (?, ?, ?)"
        self._database.write(lambda c: c.executemany(statement, rows))

    def query(self, set_id: str, query_id: str) -> QueryRow | None:
        """The query of that id in a set, or None."""
        statement = "SELECT * FROM plan_queries WHERE set_id = ? AND query_id = ?"
        return _query(self._database.read().execute(statement, [set_id, query_id]).fetchone())

    def query_of(self, row_id: int) -> QueryRow | None:
        """The query of that row id, or None."""
        return _query(self._database.read().execute("SELECT * FROM plan_queries WHERE id = ?", [row_id]).fetchone())

    def queries(self, set_id: str) -> Iterator[QueryRow]:
        """All queries of a set in their order, read one after the other."""
        rows = self._database.read().execute("SELECT * FROM plan_queries WHERE set_id = ? ORDER BY id", [set_id])
        return (query for query in map(_query, rows) if query)

    def answer(self, row_id: int) -> PlanRow | None:
        """The answer of that row id, or None."""
        row = self._database.read().execute("SELECT * FROM plan_answers WHERE id = ?", [row_id]).fetchone()
        return _answer(row) if row else None

    def answer_id(self, query: int, planner: str, attempt: int) -> int | None:
        """The row id of a planner's answer to a query, or None."""
        statement = "SELECT id FROM plan_answers WHERE query = ? AND planner = ? AND attempt = ?"
        row = self._database.read().execute(statement, [query, planner, attempt]).fetchone()
        return int(row["id"]) if row else None

    def answers(self, set_id: str) -> Iterator[PlanRow]:
        """All answers of a set, by query, read one after the other."""
        statement = (
            "SELECT a.* FROM plan_answers a JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ? "
            "ORDER BY a.query, a.id"
        )
        return map(_answer, self._database.read().execute(statement, [set_id]))

    def keys(self, set_id: str) -> list[PlanKey]:
        """All answers of a set by query, without their text."""
        statement = (
            "SELECT a.id, a.query, q.query_id, q.category, a.planner, a.attempt FROM plan_answers a "
            "JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ? ORDER BY a.query, a.id"
        )
        return [PlanKey(*row) for row in self._database.read().execute(statement, [set_id])]

    def keys_of(self, set_id: str, query_id: str) -> list[PlanKey]:
        """All answers to one query, without their text."""
        statement = (
            "SELECT a.id, a.query, q.query_id, q.category, a.planner, a.attempt FROM plan_answers a "
            "JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ? AND q.query_id = ? ORDER BY a.id"
        )
        return [PlanKey(*row) for row in self._database.read().execute(statement, [set_id, query_id])]

    def outlines(self, set_id: str, version: str) -> dict[int, Mapping[str, Any]]:
        """What a version of the parser found, by answer, as far as it is stored."""
        statement = (
            "SELECT o.answer, o.content FROM plan_outlines o JOIN plan_answers a ON a.id = o.answer "
            "JOIN plan_queries q ON q.id = a.query WHERE q.set_id = ? AND o.version = ?"
        )
        rows = self._database.read().execute(statement, [set_id, version])
        return {row["answer"]: json.loads(row["content"]) for row in rows}

    def counts(self, set_id: str) -> dict[str, int]:
        """How many queries and answers a set holds."""
        statement = """
            SELECT COUNT(*) AS queries,
              (SELECT COUNT(*) FROM plan_answers a JOIN plan_queries q ON q.id = a.query WHERE q.set_id = :id)
                AS answers
            FROM plan_queries WHERE set_id = :id
        """
        row = self._database.read().execute(statement, {"id": set_id}).fetchone()
        return dict(zip(row.keys(), row, strict=True))


def _query(row: sqlite3.Row | None) -> QueryRow | None:
    if row is None:
        return None
    facts = (row["id"], row["set_id"], row["query_id"], row["category"], row["intent"])
    return QueryRow(*facts, json.loads(row["record"]))


def _answer(row: sqlite3.Row) -> PlanRow:
    return PlanRow(row["id"], row["query"], row["planner"], row["attempt"], json.loads(row["record"]))
