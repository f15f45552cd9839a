"""What names a record while data are read."""

from __future__ import annotations


def key_of(kind: str, task_id: object, model: object = None, attempt: object = 1) -> tuple[str | int, ...]:
    """The key of a task or of an answer; empty when it cannot be told."""
    if not isinstance(task_id, str):
        return ()
    if kind == "task":
        return ("task", task_id)
    return ("answer", task_id, model, attempt) if isinstance(model, str) and isinstance(attempt, int) else ()
