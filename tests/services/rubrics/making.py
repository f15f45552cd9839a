"""A rubric set as the services have it, put into the store directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from easel_app.rubrics.records import Answer, AnswerTurn, Task, ToolCall, Turn
from easel_app.services.ledger import now
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import NewQueue, NewVoteBody, Queue
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import NewItem, NewTask
from easel_app.store.sets import SetRecord

SET = "made"
JUDGING = "judging-made"
WEIGHTS = (5, 3, 4, 1, 2)
CATEGORIES = ("truthfulness", "reasoning", "visual understanding")


def item(turn: int, number: int, **changes: Any) -> NewItem:
    fields: dict[str, Any] = {
        "turn": turn,
        "item_id": f"i{number}",
        "description": f"Criterion {number} of turn {turn}.",
        "weight": WEIGHTS[number % 5],
        "critical": None,
        "objectivity": "subjective" if number % 3 == 2 else "objective",
        "explicitness": "explicit",
        "categories": [CATEGORIES[number % 3]],
        "final_answer": None,
    }
    return NewItem(**fields | changes)


def make_set(
    rubrics: Rubrics, tasks: int = 3, models: Sequence[str] = ("m1", "m2"), items: int = 3, turns: int = 1
) -> None:
    """A set of that many tasks, each with an answer of each model."""
    rubrics.store.create(SetRecord(SET, "Made up", False, {}, now()))
    for number in range(1, tasks + 1):
        asked = Task(id=f"t{number}", category="temporal", domain="finance",
                     turns=tuple(Turn(prompt=f"Prompt {k}", golden_answer="Gold") for k in range(turns)))  # fmt: skip
        rubric = [item(turn + 1, k) for turn in range(turns) for k in range(items)]
        new = NewTask(asked.id, asked.category, asked.domain, turns, asked.model_dump_json(), rubric)
        row = rubrics.store.add_tasks(SET, [new])[asked.id]
        call = ToolCall(name="calculator", arguments={"expression": "1+1"}, observation={"result": 2})
        for model in models:
            said = tuple(AnswerTurn(text=f"Answer of **{model}**", calls=(call,)) for _ in range(turns))
            answer = Answer(task_id=asked.id, model=model, turns=said)
            rubrics.store.add_answers([(row, model, 1, answer.model_dump_json())])


def judge(rubrics: Rubrics, verdicts: Sequence[str | None] = ("met", "not_met", None), judging: str = JUDGING) -> None:
    """A judge's verdicts on all pairs of the set, in turn."""
    rubrics.judgings.begin(JudgingRecord(judging, SET, f"judge of {judging}", "imported", {}, now()))
    rows = []
    for k, pair in enumerate(rubrics.queues.pairs(SET)):
        verdict = verdicts[k % len(verdicts)]
        why = "" if verdict else "cut off"
        rows.append(VerdictRow(judging, pair.answer.id, pair.item.id, verdict, "SECRET REASON", "", why, "imported",
                               None, 0, 0, None, None, now()))  # fmt: skip
    rubrics.judgings.add(rows)


def make_queue(rubrics: Rubrics, **wish: Any) -> Queue:
    return rubrics.queues.make(NewQueue(**{"set_id": SET, "name": "Queue", "required": 2} | wish))


def said(request_id: str, verdict: str | None = "met", **more: Any) -> NewVoteBody:
    return NewVoteBody.model_validate({"request_id": request_id, "verdict": verdict} | more)
