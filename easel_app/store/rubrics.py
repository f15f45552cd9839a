"""What is stored of rubric sets: tasks, their items, models' answers. Records come in once and are never changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from easel_app.store.sets import SetStore


@dataclass(frozen=True, slots=True)
class NewItem:
    """A rubric item as it comes in."""

    turn: int
    item_id: str
    description: str
    weight: int
    critical: bool | None
    objectivity: str | None
    explicitness: str | None
    categories: Sequence[str]
    final_answer: bool | None


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task as it comes in; `record` is the rest of it as JSON, without its items."""

    task_id: str
    category: str | None
    domain: str | None
    turns: int
    record: str
    items: Sequence[NewItem]


@dataclass(frozen=True, slots=True)
class ItemRow(NewItem):
    """A stored rubric item."""

    id: int
    task: int


class TaskRow(NamedTuple):
    """A stored task."""

    id: int
    set_id: str
    task_id: str
    category: str | None
    domain: str | None
    turns: int
    record: Mapping[str, Any]


class Outline(NamedTuple):
    """A stored task without what it asks."""

    id: int
    task_id: str
    category: str | None
    domain: str | None
    turns: int


class AnswerRow(NamedTuple):
    """A stored answer."""

    id: int
    task: int
    model: str
    attempt: int
    record: Mapping[str, Any]


class AnswerKey(NamedTuple):
    """An answer without what it says."""

    id: int
    task: int
    task_id: str
    model: str
    attempt: int


class RubricStore(SetStore):
    """Reads and appends rubric sets."""

    _sets, _imports = "rubric_sets", "rubric_imports"

    def add_tasks(self, set_id: str, tasks: Iterable[NewTask]) -> dict[str, int]:
        """Store tasks that are not there yet, all or none; the row ids of all of them by task id, after the commit."""
        found = list(tasks)

        def job(connection: sqlite3.Connection) -> dict[str, int]:
            ids: dict[str, int] = {}
            for task in found:
                there = connection.execute(
                    "SELECT id FROM rubric_tasks WHERE set_id = ? AND task_id = ?", [set_id, task.task_id]
                ).fetchone()
                ids[task.task_id] = there["id"] if there else _add_task(connection, set_id, task)
            return ids

        return self._database.write(job)

    def add_answers(self, answers: Iterable[tuple[int, str, int, str]]) -> int:
        """Store answers (task's row id, model, attempt, JSON) that are not there yet; how many are new."""
        rows = list(answers)
        statement = "INSERT OR IGNORE INTO rubric_answers (task, model, attempt, record) VALUES (?, ?, ?, ?)"
        return self._database.write(lambda c: c.executemany(statement, rows).rowcount)

    def task(self, set_id: str, task_id: str) -> TaskRow | None:
        """The task of that id in a set, or None."""
        query = "SELECT * FROM rubric_tasks WHERE set_id = ? AND task_id = ?"
        return _task(self._database.read().execute(query, [set_id, task_id]).fetchone())

    def task_of(self, row_id: int) -> TaskRow | None:
        """The task of that row id, or None."""
        return _task(self._database.read().execute("SELECT * FROM rubric_tasks WHERE id = ?", [row_id]).fetchone())

    def tasks(self, set_id: str) -> Iterable[TaskRow]:
        """All tasks of a set in their order, read one after the other."""
        rows = self._database.read().execute("SELECT * FROM rubric_tasks WHERE set_id = ? ORDER BY id", [set_id])
        return (task for task in map(_task, rows) if task)

    def outlines(self, set_id: str) -> list[Outline]:
        """All tasks of a set in their order, without what they ask."""
        query = "SELECT id, task_id, category, domain, turns FROM rubric_tasks WHERE set_id = ? ORDER BY id"
        return [Outline(*row) for row in self._database.read().execute(query, [set_id])]

    def item_categories(self, set_id: str) -> list[str]:
        """The categories of a set's rubric items, in alphabetical order."""
        query = (
            "SELECT DISTINCT c.value AS name FROM rubric_items i JOIN rubric_tasks t ON t.id = i.task, "
            "json_each(i.categories) c WHERE t.set_id = ? ORDER BY name"
        )
        return [row["name"] for row in self._database.read().execute(query, [set_id])]

    def items(self, set_id: str) -> list[ItemRow]:
        """All rubric items of a set, by task and turn, in the order of their rubric."""
        query = (
            "SELECT i.* FROM rubric_items i JOIN rubric_tasks t ON t.id = i.task WHERE t.set_id = ? "
            "ORDER BY i.task, i.turn, i.id"
        )
        return [_item(row) for row in self._database.read().execute(query, [set_id])]

    def items_of(self, task: int) -> list[ItemRow]:
        """The rubric items of a task by turn, in the order of their rubric."""
        query = "SELECT * FROM rubric_items WHERE task = ? ORDER BY turn, id"
        return [_item(row) for row in self._database.read().execute(query, [task])]

    def answer(self, row_id: int) -> AnswerRow | None:
        """The answer of that row id, or None."""
        row = self._database.read().execute("SELECT * FROM rubric_answers WHERE id = ?", [row_id]).fetchone()
        return _answer(row) if row else None

    def answers(self, set_id: str) -> Iterable[AnswerRow]:
        """All answers of a set, by task, read one after the other."""
        query = (
            "SELECT a.* FROM rubric_answers a JOIN rubric_tasks t ON t.id = a.task WHERE t.set_id = ? "
            "ORDER BY a.task, a.id"
        )
        return map(_answer, self._database.read().execute(query, [set_id]))

    def answer_keys(self, set_id: str) -> list[AnswerKey]:
        """All answers of a set by task, without what they say."""
        query = (
            "SELECT a.id, a.task, t.task_id, a.model, a.attempt FROM rubric_answers a "
            "JOIN rubric_tasks t ON t.id = a.task WHERE t.set_id = ? ORDER BY a.task, a.id"
        )
        return [AnswerKey(*row) for row in self._database.read().execute(query, [set_id])]

    def answer_id(self, task: int, model: str, attempt: int) -> int | None:
        """The row id of a model's answer to a task, or None."""
        query = "SELECT id FROM rubric_answers WHERE task = ? AND model = ? AND attempt = ?"
        row = self._database.read().execute(query, [task, model, attempt]).fetchone()
        return int(row["id"]) if row else None

    def counts(self, set_id: str) -> dict[str, int]:
        """How many tasks, items, answers and pairs of an answer and an item a set holds."""
        query = """
            WITH t AS (SELECT id FROM rubric_tasks WHERE set_id = :id) SELECT
              (SELECT COUNT(*) FROM t) AS tasks,
              (SELECT COUNT(*) FROM t JOIN rubric_items i ON i.task = t.id) AS items,
              (SELECT COUNT(*) FROM t JOIN rubric_answers a ON a.task = t.id) AS answers,
              (SELECT COUNT(*) FROM t JOIN rubric_answers a ON a.task = t.id JOIN rubric_items i ON i.task = t.id)
                AS pairs
        """
        row = self._database.read().execute(query, {"id": set_id}).fetchone()
        return dict(zip(row.keys(), row, strict=True))


def _add_task(connection: sqlite3.Connection, set_id: str, task: NewTask) -> int:
    values = [set_id, task.task_id, task.category, task.domain, task.turns, task.record]
    statement = "INSERT INTO rubric_tasks (set_id, task_id, category, domain, turns, record) VALUES (?, ?, ?, ?, ?, ?)"
    row_id = connection.execute(statement, values).lastrowid
    assert row_id is not None  # noqa: S101
    connection.executemany(
        "INSERT INTO rubric_items (task, turn, item_id, description, weight, critical, objectivity, explicitness, "
        "categories, final_answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row_id,
                *(item.turn, item.item_id, item.description, item.weight, item.critical, item.objectivity),
                *(item.explicitness, json.dumps(list(item.categories)), item.final_answer),
            )
            for item in task.items
        ],
    )
    return row_id


def _task(row: sqlite3.Row | None) -> TaskRow | None:
    if row is None:
        return None
    facts = (row["id"], row["set_id"], row["task_id"], row["category"], row["domain"], row["turns"])
    return TaskRow(*facts, json.loads(row["record"]))


def _item(row: sqlite3.Row) -> ItemRow:
    return ItemRow(
        id=row["id"],
        task=row["task"],
        turn=row["turn"],
        item_id=row["item_id"],
        description=row["description"],
        weight=row["weight"],
        critical=_flag(row["critical"]),
        objectivity=row["objectivity"],
        explicitness=row["explicitness"],
        categories=tuple(json.loads(row["categories"])),
        final_answer=_flag(row["final_answer"]),
    )


def _answer(row: sqlite3.Row) -> AnswerRow:
    return AnswerRow(row["id"], row["task"], row["model"], row["attempt"], json.loads(row["record"]))


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)
