"""Between records and rows: what is stored of a task, an answer and a verdict, and the way back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict

from easel_app.rubrics.records import Answer, JudgeVerdict, RubricItem, Task
from easel_app.sources.fields import Record
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import ItemRow, NewItem, NewTask, TaskRow

IMPORTED = "imported"


def row_of_task(task: Task) -> NewTask:
    """A task as it is stored: its items are rows of their own."""
    record = task.model_dump(mode="json")
    for turn in record["turns"]:
        del turn["rubric"]
    items = [
        NewItem(number, item.id, **item.model_dump(exclude={"id"}))
        for number, turn in enumerate(task.turns, 1)
        for item in turn.rubric
    ]
    text = json.dumps(record, ensure_ascii=False)
    return NewTask(task.id, task.category, task.domain, len(task.turns), text, items)


def task_of(row: TaskRow, items: Iterable[ItemRow]) -> Task:
    """The task that was stored."""
    rubrics: list[list[RubricItem]] = [[] for _ in range(row.turns)]
    for item in items:
        facts = asdict(item)
        names = RubricItem.model_fields.keys() - {"id"}
        rubrics[item.turn - 1].append(RubricItem(id=item.item_id, **{name: facts[name] for name in names}))
    turns = [{**turn, "rubric": rubric} for turn, rubric in zip(row.record["turns"], rubrics, strict=True)]
    return Task.model_validate({**row.record, "turns": turns})


def row_of_answer(task: int, answer: Answer) -> tuple[int, str, int, str]:
    """An answer as it is stored."""
    return task, answer.model, answer.attempt, answer.model_dump_json()


def row_of_verdict(judging_id: str, answer: int, item: int, said: JudgeVerdict, at: str) -> VerdictRow:
    """An imported verdict as it is stored."""
    return VerdictRow(
        judging_id=judging_id,
        answer=answer,
        item=item,
        verdict=said.verdict,
        reason=said.reason,
        evidence=said.evidence,
        unscored=said.unscored,
        how=IMPORTED if said.verdict else "",
        exchange=None,
        prompt_tokens=0,
        completion_tokens=0,
        cost=None,
        latency=None,
        at=at,
    )


def imported_judging_id(set_id: str, judge: str) -> str:
    """The id of the judging that an imported judge's verdicts on a set belong to."""
    return f"{IMPORTED}-{hashlib.sha256(f'{set_id}/{judge}'.encode()).hexdigest()[:12]}"


def fingerprint(record: Record) -> bytes:
    """What tells a record from another one, 16 bytes."""
    return hashlib.blake2b(record.model_dump_json().encode(), digest_size=16).digest()


def said(verdict: str | None, reason: str, evidence: str, unscored: str) -> bytes:
    """What tells what a verdict says from what another one says, 16 bytes."""
    return hashlib.blake2b(json.dumps([verdict, reason, evidence, unscored]).encode(), digest_size=16).digest()
