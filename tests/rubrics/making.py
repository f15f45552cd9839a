"""Rubric sets for tests, straight into the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from easel_app.rubrics.records import Answer, AnswerTurn, RubricItem, Task, ToolCall, Turn
from easel_app.sources.fields import Picture
from easel_app.store.rubrics import NewItem, NewTask, RubricStore
from easel_app.store.sets import SetRecord

AT = "2026-11-30T00:00:00.000+00:00"
WORDS = ("blue", "seven", "north", "oak")
"""What criteria ask for; the scripted judge looks for the words that they quote."""


def item(item_id: str, word: str = "blue", weight: int = 3, **more: Any) -> RubricItem:
    """A criterion that asks for a word."""
    return RubricItem(**{"id": item_id, "description": f'Says "{word}".', "weight": weight, **more})


def task(
    task_id: str = "t1",
    turns: int = 1,
    words: Sequence[str] = WORDS[:2],
    pictures: Sequence[Picture] = (),
    **more: Any,
) -> Task:
    """A task whose every turn has a criterion for each of some words, with weights 1 to 5 in turn."""
    made = tuple(
        Turn(
            prompt=f"Question {turn} of {task_id}: what is on the sign?",
            golden_answer=f"Reference {turn} of {task_id}: blue, seven.",
            pictures=tuple(pictures),
            rubric=tuple(
                item(
                    f"{task_id}-{turn}-{at}", word, 1 + (at + turn) % 5, objectivity=("objective", "subjective")[at % 2]
                )
                for at, word in enumerate(words)
            ),
        )
        for turn in range(1, turns + 1)
    )
    return Task(**{"id": task_id, "category": "region_switch", "domain": "generalist", "turns": made, **more})


def answer(
    to: Task, model: str = "model-a", texts: Sequence[str] = (), calls: Sequence[ToolCall] = (), attempt: int = 1
) -> Answer:
    """An answer to a task; a turn without a text of its own says "blue"."""
    said = [*texts, *["It is blue."] * (len(to.turns) - len(texts))]
    turns = tuple(AnswerTurn(text=text, calls=tuple(calls)) for text in said)
    return Answer(task_id=to.id, model=model, attempt=attempt, turns=turns)


def put(store: RubricStore, tasks: Iterable[Task], answers: Iterable[Answer] = (), set_id: str = "small") -> str:
    """Store a set; its id."""
    store.create(SetRecord(set_id, f"Set {set_id}", False, {}, AT))
    ids = store.add_tasks(set_id, [_stored(each) for each in tasks])
    store.add_answers((ids[each.task_id], each.model, each.attempt, each.model_dump_json()) for each in answers)
    return set_id


def small_set(store: RubricStore, set_id: str = "small") -> str:
    """Three tasks, one of two turns, answered by two models: 2 + 2 + 4 items, so 16 pairs, half of them met."""
    tasks = [task("t1"), task("t2"), task("t3", turns=2)]
    return put(store, tasks, [answer(each, model) for each in tasks for model in ("model-a", "model-b")], set_id)


def _stored(each: Task) -> NewTask:
    record = each.model_copy(update={"turns": tuple(turn.model_copy(update={"rubric": ()}) for turn in each.turns)})
    items = [
        NewItem(
            turn=number,
            item_id=found.id,
            description=found.description,
            weight=found.weight,
            critical=found.critical,
            objectivity=found.objectivity,
            explicitness=found.explicitness,
            categories=found.categories,
            final_answer=found.final_answer,
        )
        for number, turn in enumerate(each.turns, 1)
        for found in turn.rubric
    ]
    return NewTask(each.id, each.category, each.domain, len(each.turns), record.model_dump_json(), items)
