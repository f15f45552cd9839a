"""The rubric sets of a studio: which there are, and what an answer shows to whoever grades it."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from easel_app.rubrics.records import Answer, Task
from easel_app.scoring.image_operations import image_operations
from easel_app.scoring.tool_use import call_outcome
from easel_app.services.problems import NotFound
from easel_app.services.prose import prose
from easel_app.services.rubrics.views import CallView, Judging, PictureView, RubricSet, TurnView
from easel_app.services.set_library import SetLibrary
from easel_app.services.wings import RUBRICS
from easel_app.sources.fields import Picture
from easel_app.store.files import PictureFiles
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import AnswerRow, RubricStore, TaskRow
from easel_app.store.sets import SetRecord

log = logging.getLogger(__name__)
IMAGE_TOOL = "python_image_processing"


class RubricLibrary(SetLibrary):
    """Finds sets, tasks and answers."""

    def __init__(self, store: RubricStore, judgings: JudgingStore, pictures: PictureFiles) -> None:
        super().__init__(RUBRICS, store, judgings, pictures)
        self.store, self.judgings = store, judgings

    def view(self, record: SetRecord) -> RubricSet:
        """What there is in a set, without its queues."""
        counts, answers = self.store.counts(record.id), self.store.answer_keys(record.id)
        tasks, items = list(self.store.outlines(record.id)), self.store.item_categories(record.id)
        cut = self.store.imports(record.id)
        return RubricSet(
            set_id=record.id,
            name=record.name,
            sample=record.sample,
            about=dict(record.about),
            **counts,
            models=sorted({key.model for key in answers}),
            categories=sorted({task.category for task in tasks if task.category}),
            item_categories=items,
            domains=sorted({task.domain for task in tasks if task.domain}),
            turns=max((task.turns for task in tasks), default=0),
            judgings=[
                Judging.model_validate({**asdict(j), "judging_id": j.id, **self.judgings.tallies(j.id)})
                for j in self.judgings.judgings(record.id)
            ],
            queues=[],
            unfinished=cut[-1].source if cut and cut[-1].name == "begun" else None,
        )

    def task_and_answer(self, answer_id: int) -> tuple[TaskRow, AnswerRow]:
        """An answer and the task that it answers.

        Raises:
            NotFound: there is no such answer.
        """
        answer = self.store.answer(answer_id)
        task = self.store.task_of(answer.task) if answer else None
        if answer is None or task is None:
            message = "There is no such answer; look at the list of answers, or at the queue again."
            raise NotFound("no_such_answer", message, "answer")
        return task, answer

    def turns(self, task: TaskRow, answer: AnswerRow) -> list[TurnView]:
        """The conversation of an answer."""
        asked, said = Task.model_validate(task.record), Answer.model_validate(answer.record)
        return [
            TurnView(
                turn=number,
                prompt=prose(turn.prompt),
                golden_answer=None if turn.golden_answer is None else prose(turn.golden_answer),
                tool_trajectory=turn.tool_trajectory,
                pictures=_pictures(turn.pictures),
                answer=prose(reply.text),
                written=reply.text,
                calls=[_call(call.model_dump()) for call in reply.calls],
                rounds=reply.rounds,
            )
            for number, (turn, reply) in enumerate(zip(asked.turns, said.turns, strict=True), 1)
        ]


def _pictures(pictures: tuple[Picture, ...]) -> list[PictureView]:
    return [PictureView(digest=each.digest, width=each.width, height=each.height) for each in pictures]


def _call(call: dict[str, Any]) -> CallView:
    outcome = call_outcome(_sent(call))
    operations: list[str] = []
    if call["name"] == IMAGE_TOOL and isinstance(call["arguments"], dict):
        operations = list(image_operations(str(call["arguments"].get("code", ""))).kinds)
    return CallView(**call | {"operations": operations, "success": outcome.success, "why": outcome.why})


def _sent(call: dict[str, Any]) -> dict[str, Any]:
    """A call in the benchmark's own words."""
    return {"function_name": call["name"], "function_args": call["arguments"], "observation": call["observation"]}
