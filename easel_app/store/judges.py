"""What is stored of any kind of judge: which one with which settings, its sittings, and what its answers used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from easel_app.store.database import Database


@dataclass(frozen=True)
class JudgingRecord:
    """One judge with one set of settings, over one set of answers."""

    id: str
    set_id: str
    judge: str
    """Its name: that of the model, or as an import calls it."""
    origin: str
    """`run` when it was asked here, `imported` when its verdicts came in with data."""
    settings: Mapping[str, Any]
    """Of a run with the version of the prompt."""
    created_at: str


class JudgingEvent(NamedTuple):
    """A sitting of a judging began or ended."""

    name: str
    """`begun` with the plan of the sitting, or `ended` with state and reason."""
    content: Mapping[str, Any]
    at: str


class JudgingSpent(NamedTuple):
    """What the endpoint's answers to a judging used."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    """None when no answer's price is known."""


class JudgeStore:
    """Reads and appends judges of one kind; who derives it names the tables, and the column that names a judge."""

    _judgings: ClassVar[str]
    _events: ClassVar[str]
    _said: ClassVar[str]
    _key: ClassVar[str]

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, record: JudgingRecord) -> None:
        """Store a judging unless it is there already; returns after the commit."""
        values = [record.id, record.set_id, record.judge, record.origin, json.dumps(record.settings), record.created_at]
        self._database.write(
            lambda c: c.execute(f"INSERT OR IGNORE INTO {self._judgings} VALUES (?, ?, ?, ?, ?, ?)", values)  # noqa: S608
        )

    def judging(self, judging_id: str) -> JudgingRecord | None:
        """The judging of that id, or None."""
        row = self._database.read().execute(f"SELECT * FROM {self._judgings} WHERE id = ?", [judging_id]).fetchone()  # noqa: S608
        return JudgingRecord(**{**dict(row), "settings": json.loads(row["settings"])}) if row else None

    def judgings(self, set_id: str | None = None) -> list[JudgingRecord]:
        """All judgings, or those of a set, oldest first."""
        query = f"SELECT * FROM {self._judgings} WHERE ?1 IS NULL OR set_id = ?1 ORDER BY created_at, rowid"  # noqa: S608
        rows = self._database.read().execute(query, [set_id])
        return [JudgingRecord(**{**dict(row), "settings": json.loads(row["settings"])}) for row in rows]

    def happened(self, judging_id: str, event: JudgingEvent) -> None:
        """Store that a sitting began or ended; returns after the commit."""
        values = [judging_id, event.name, json.dumps(event.content), event.at]
        self._database.write(lambda c: c.execute(f"INSERT INTO {self._events} VALUES (?, ?, ?, ?)", values))  # noqa: S608

    def events(self, judging_id: str) -> list[JudgingEvent]:
        """When sittings began and ended, in order; a sitting that was cut off has no end."""
        query = f"SELECT * FROM {self._events} WHERE {self._key} = ? ORDER BY rowid"  # noqa: S608
        rows = self._database.read().execute(query, [judging_id])
        return [JudgingEvent(row["name"], json.loads(row["content"]), row["at"]) for row in rows]

    def spent(self, judging_id: str) -> JudgingSpent:
        """What all answers to a judging used, the ones that gave no verdict included."""
        query = (
            "SELECT COUNT(*) AS calls, TOTAL(prompt_tokens) AS prompt, TOTAL(completion_tokens) AS completion, "  # noqa: S608
            f"SUM(cost) AS cost FROM {self._said} WHERE {self._key} = ? AND exchange IS NOT NULL"
        )
        row = self._database.read().execute(query, [judging_id]).fetchone()
        return JudgingSpent(row["calls"], int(row["prompt"]), int(row["completion"]), row["cost"])
