"""What is stored of any set of data: that it is there, where it comes from, and the imports into it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from easel_app.store.database import Database


class SetRecord(NamedTuple):
    """A set of data."""

    id: str
    name: str
    sample: bool
    """Whether it was made up and is labelled so."""
    about: Mapping[str, Any]
    """Where it comes from and what may be done with it."""
    created_at: str


class ImportEvent(NamedTuple):
    """An import into a set began or ended."""

    source: str
    name: str
    """`begun` or `ended`."""
    content: Mapping[str, Any]
    at: str


class SetStore:
    """Reads and appends sets of one kind; who derives it names the tables."""

    _sets: ClassVar[str]
    _imports: ClassVar[str]

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, record: SetRecord) -> bool:
        """Store a set; returns after the commit, and whether it is new: no second one has its id or its name."""
        values = [record.id, record.name, record.sample, json.dumps(record.about), record.created_at]
        statement = f"INSERT OR IGNORE INTO {self._sets} VALUES (?, ?, ?, ?, ?)"  # noqa: S608
        return self._database.write(lambda c: c.execute(statement, values).rowcount) == 1

    def sets(self) -> list[SetRecord]:
        """All sets, oldest first."""
        rows = self._database.read().execute(f"SELECT * FROM {self._sets} ORDER BY created_at, rowid")  # noqa: S608
        return [_set(row) for row in rows]

    def set(self, set_id: str) -> SetRecord | None:
        """The set of that id, or None."""
        query = f"SELECT * FROM {self._sets} WHERE id = ?"  # noqa: S608
        row = self._database.read().execute(query, [set_id]).fetchone()
        return _set(row) if row else None

    def happened(self, set_id: str, event: ImportEvent) -> None:
        """Store that an import began or ended; returns after the commit."""
        values = [set_id, event.source, event.name, json.dumps(event.content), event.at]
        statement = f"INSERT INTO {self._imports} VALUES (?, ?, ?, ?, ?)"  # noqa: S608
        self._database.write(lambda c: c.execute(statement, values))

    def imports(self, set_id: str) -> list[ImportEvent]:
        """When imports into a set began and ended, in order; one that was cut off has no end."""
        query = f"SELECT * FROM {self._imports} WHERE set_id = ? ORDER BY rowid"  # noqa: S608
        rows = self._database.read().execute(query, [set_id])
        return [ImportEvent(row["source"], row["name"], json.loads(row["content"]), row["at"]) for row in rows]


def _set(row: sqlite3.Row) -> SetRecord:
    return SetRecord(row["id"], row["name"], bool(row["sample"]), json.loads(row["about"]), row["created_at"])
