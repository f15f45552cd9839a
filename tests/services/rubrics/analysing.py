"""A set of answers with traces, conditions and several attempts, put into the store directly, and what analyses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from easel_app.rubrics.records import Answer, AnswerTurn, Task, ToolCall, Turn
from easel_app.services.ledger import now
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.rows import row_of_answer
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import NewItem, NewTask
from easel_app.store.sets import SetRecord
from tests.services.rubrics.making import JUDGING, SET, item

CROP = "from PIL import Image\nim = Image.open('image_1.png')\nim.crop((0, 0, 9, 9)).save('zoom.png')\nprint('saved')"
GOOD = ToolCall(name="calculator", arguments={"expression": "1+1"}, observation={"result": 2}, round=1)
BAD = ToolCall(name="calculator", arguments={"expression": "1/0"}, observation={"error": "by zero"}, round=2)
IMAGE = ToolCall(
    name="python_image_processing", arguments={"code": CROP}, observation={"ok": "true", "stdout": "saved\n"}, round=1
)
Verdicts = str
"""A letter for each item, in the order of turns: m met, n not met, - none."""


def analyses(studio: Studio) -> Analyses:
    return studio.rubrics.analyses


class Made:
    """A set that is being made; its judge says what it is told to say."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.rubrics = studio, studio.rubrics
        self.rubrics.store.create(SetRecord(SET, "Made up", False, {}, now()))
        self.rubrics.judgings.begin(JudgingRecord(JUDGING, SET, "Judge", "imported", {}, now()))
        self.rows: dict[str, int] = {}

    def task(self, task_id: str, weights: Sequence[Sequence[int]] = ((5, 3),), **about: Any) -> None:
        """A task with a turn for each list of weights."""
        prompts = about.pop("prompts", [f"Prompt of {task_id}" for _ in weights])
        asked = Task(id=task_id, turns=tuple(Turn(prompt=prompt, golden_answer="Gold") for prompt in prompts), **about)
        rubric: list[NewItem] = [
            item(turn, number, weight=weight)
            for turn, row in enumerate(weights, 1)
            for number, weight in enumerate(row)
        ]
        new = NewTask(task_id, asked.category, asked.domain, len(weights), asked.model_dump_json(), rubric)
        self.rows |= self.rubrics.store.add_tasks(SET, [new])

    def answer(
        self,
        task_id: str,
        player: str,
        said: Verdicts,
        calls: Sequence[ToolCall] = (),
        *,
        turns: Sequence[Mapping[str, Any]] | None = None,
        attempt: int = 1,
        judging: str = JUDGING,
        **more: Any,
    ) -> int:
        """An answer with what the judge says of its items; its row id. `turns` are its turns, else one with calls."""
        spoken = tuple(AnswerTurn(**turn) for turn in turns or [{"text": "Answer", "calls": tuple(calls)}])
        answer = Answer(task_id=task_id, model=player, attempt=attempt, turns=spoken, **more)
        row = self.rows[task_id]
        self.rubrics.store.add_answers([row_of_answer(row, answer)])
        answer_id = self.rubrics.store.answer_id(row, player, attempt)
        assert answer_id is not None
        verdicts = [
            VerdictRow(judging, answer_id, each.id, verdict, "SECRET REASON", "", "" if verdict else "cut off",
                       "imported", None, 0, 0, None, None, now())
            for each, letter in zip(self.rubrics.store.items_of(row), said, strict=True)
            if letter != "-"
            for verdict in [{"m": "met", "n": "not_met"}[letter]]
        ]  # fmt: skip
        self.rubrics.judgings.add(verdicts)
        return answer_id
