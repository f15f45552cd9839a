"""Storing tasks, answers, verdicts and votes that an import accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from easel_app.rubrics.records import Answer, JudgeVerdict, Task, Vote
from easel_app.services.ledger import now
from easel_app.services.rubrics.reports import Tally
from easel_app.services.rubrics.rows import imported_judging_id, row_of_answer, row_of_task, row_of_verdict
from easel_app.services.taking_in import storing
from easel_app.sources.fields import Record
from easel_app.store.files import PictureFiles
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import RubricStore


class Votes(Protocol):
    """Whoever stores votes."""

    def adopt(self, set_id: str, votes: Iterable[Vote], seen: dict[str, int]) -> int:
        """Store votes on answers that the set holds; how many were not there yet."""


class Writer(storing.Writer[Tally]):
    """Stores records into a set, in the order in which they come."""

    most_together: ClassVar[Mapping[type[Any], int]] = {Task: 100, Answer: 100, JudgeVerdict: 1000, Vote: 5000}

    def __init__(
        self, store: RubricStore, judgings: JudgingStore, pictures: PictureFiles, votes: Votes, set_id: str
    ) -> None:
        super().__init__(pictures, Tally())
        self._store, self._judgings, self._votes = store, judgings, votes
        self._set_id = set_id
        self._tasks: dict[str, int] = {}
        self._items: dict[int, dict[tuple[int, str], int]] = {}
        self._answers: dict[tuple[int, str, int], int] = {}
        self._judges: set[str] = set()
        self._seen: dict[str, int] = {}

    def _store_batch(self, batch: Sequence[Any]) -> None:
        tasks = [record for record in batch if isinstance(record, Task)]
        answers = [record for record in batch if isinstance(record, Answer)]
        verdicts = [record for record in batch if isinstance(record, JudgeVerdict)]
        if tasks:
            self._tasks |= self._store.add_tasks(self._set_id, map(row_of_task, tasks))
            self.added.tasks += len(tasks)
            self.added.items += sum(len(turn.rubric) for task in tasks for turn in task.turns)
        if answers:
            rows = [row_of_answer(self._task(answer.task_id), answer) for answer in answers]
            self.added.answers += self._store.add_answers(rows)
        if verdicts:
            self._add_verdicts(verdicts)
        if votes := [record for record in batch if isinstance(record, Vote)]:
            self.added.votes += self._votes.adopt(self._set_id, votes, self._seen)

    def _add_verdicts(self, verdicts: list[JudgeVerdict]) -> None:
        rows, at = [], now()
        for verdict in verdicts:
            judging_id = imported_judging_id(self._set_id, verdict.judge)
            if verdict.judge not in self._judges:
                self._judges.add(verdict.judge)
                self._judgings.begin(JudgingRecord(judging_id, self._set_id, verdict.judge, "imported", {}, at))
            task = self._task(verdict.task_id)
            answer = self._answer(task, verdict.model, verdict.attempt)
            item = self._item(task, verdict.turn, verdict.item_id)
            rows.append(row_of_verdict(judging_id, answer, item, verdict, at))
        self._judgings.add(rows)
        self.added.verdicts += len(rows)

    def _task(self, task_id: str) -> int:
        if task_id not in self._tasks:
            row = self._store.task(self._set_id, task_id)
            assert row  # noqa: S101  nothing is accepted before its task
            self._tasks[task_id] = row.id
        return self._tasks[task_id]

    def _answer(self, task: int, model: str, attempt: int) -> int:
        key = (task, model, attempt)
        if key not in self._answers:
            row_id = self._store.answer_id(*key)
            assert row_id is not None  # noqa: S101  nothing is accepted before its answer
            self._answers[key] = row_id
        return self._answers[key]

    def _item(self, task: int, turn: int, item_id: str) -> int:
        if task not in self._items:
            self._items[task] = {(item.turn, item.item_id): item.id for item in self._store.items_of(task)}
        return self._items[task][turn, item_id]

    def _length(self, record: Record) -> int:
        if isinstance(record, Task):
            return sum(len(turn.prompt) + len(turn.golden_answer or "") for turn in record.turns)
        if isinstance(record, Answer):
            return sum(len(turn.text) + sum(len(str(call)) for call in turn.calls) for turn in record.turns)
        return len(record.reason) if isinstance(record, JudgeVerdict) else 0
