"""What is stored of the people who review: their names, and the digests of their tokens."""

from __future__ import annotations

import hashlib
import sqlite3

from easel_app.store.database import Database

IMPORTED = " (imported)"
"""What stands behind the name of somebody who reviews here where data speak in it."""


LONGEST_NAME = 80
"""Characters of a reviewer's name."""


def imported_name(name: str) -> str:
    """What somebody is called where data speak in the name of one who reviews here; no longer than a name may be."""
    if len(name) + len(IMPORTED) <= LONGEST_NAME:
        return name + IMPORTED
    digest = hashlib.sha256(name.encode()).hexdigest()[:6]
    return f"{name[: LONGEST_NAME - len(IMPORTED) - len(digest) - 1]}~{digest}{IMPORTED}"


class ReviewerStore:
    """Reads and appends reviewers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def enrol(self, name: str, token_hash: str, at: str) -> bool:
        """Store a new reviewer with a token; False when the name is taken."""

        def job(connection: sqlite3.Connection) -> bool:
            if connection.execute("SELECT 1 FROM reviewers WHERE name = ?", [name]).fetchone():
                return False
            row = connection.execute("INSERT INTO reviewers (name, created_at) VALUES (?, ?)", [name, at]).lastrowid
            connection.execute("INSERT INTO reviewer_tokens VALUES (?, ?, ?)", [row, token_hash, at])
            return True

        return self._database.write(job)

    def admit(self, name: str, token_hash: str, at: str) -> None:
        """Store one more token of a reviewer, who is enrolled if they are not."""

        def job(connection: sqlite3.Connection) -> None:
            row = reviewer_id(connection, name, at)
            connection.execute("INSERT INTO reviewer_tokens VALUES (?, ?, ?)", [row, token_hash, at])

        self._database.write(job)

    def reviewer(self, token_hash: str) -> tuple[int, str] | None:
        """Row id and name of the reviewer with that token, or None."""
        query = "SELECT id, name FROM reviewer_tokens JOIN reviewers r ON r.id = reviewer WHERE token_hash = ?"
        row = self._database.read().execute(query, [token_hash]).fetchone()
        return (row["id"], row["name"]) if row else None


def reviewer_id(connection: sqlite3.Connection, name: str, at: str) -> int:
    """Row id of the reviewer of a name, who is stored if they are not."""
    row = connection.execute("SELECT id FROM reviewers WHERE name = ?", [name]).fetchone()
    if row:
        return int(row["id"])
    found = connection.execute("INSERT INTO reviewers (name, created_at) VALUES (?, ?)", [name, at]).lastrowid
    assert found is not None  # noqa: S101
    return found
