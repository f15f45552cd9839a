"""What names a record while data are read; empty where it cannot be told."""

from __future__ import annotations

Key = tuple[str | int, ...]


def query_key(query_id: object) -> Key:
    """The key of a query."""
    return ("query", query_id) if isinstance(query_id, str) else ()


def answer_key(query_id: object, planner: object, attempt: object = 1) -> Key:
    """The key of an answer."""
    told = isinstance(query_id, str) and isinstance(planner, str) and isinstance(attempt, int)
    return ("answer", query_id, planner, attempt) if told else ()  # type: ignore[return-value]
