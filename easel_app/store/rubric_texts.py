"""Which tasks and answers may hold a text: what a search looks at before it reads any record."""

from __future__ import annotations

from collections.abc import Sequence

from easel_app.store.database import Database

LONGEST_PATTERN = 200
"""Characters of a pattern; SQLite refuses those of more than 50,000 bytes."""


class RubricTexts:
    """Looks through stored records as they lie there, which takes a tenth of the time that reading them does."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def tasks(self, set_id: str, patterns: Sequence[str]) -> list[int]:
        """Row ids of a set's tasks whose record fits all patterns of SQLite's LIKE, escaped by a backslash."""
        query = f"SELECT t.id FROM rubric_tasks t WHERE t.set_id = ?{_fits('t', patterns)} ORDER BY t.id"  # noqa: S608
        return [row["id"] for row in self._database.read().execute(query, [set_id, *patterns])]

    def answers(self, set_id: str, patterns: Sequence[str]) -> set[int]:
        """The same of its answers."""
        query = (
            "SELECT a.id FROM rubric_answers a JOIN rubric_tasks t ON t.id = a.task "  # noqa: S608
            f"WHERE t.set_id = ?{_fits('a', patterns)}"
        )
        return {row["id"] for row in self._database.read().execute(query, [set_id, *patterns])}


def _fits(table: str, patterns: Sequence[str]) -> str:
    return f" AND {table}.record LIKE ? ESCAPE '\\'" * len(patterns)
