"""A rubric set to be exported: which answers and items it has is looked up once, what they say piece by piece.

Whatever comes in meanwhile is left out, so that nothing in an export refers to what is not in it. No query stays open
between two pieces, for each may be asked for by another thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from easel_app.rubrics.records import Answer, Task
from easel_app.services.judge_names import judge_names
from easel_app.services.rubrics.queues import Pair
from easel_app.services.rubrics.rows import task_of
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.store.judgings import VerdictRow
from easel_app.store.reviews import VoteRow
from easel_app.store.rubrics import ItemRow, Outline


class Content:
    """A set as it is at one moment."""

    def __init__(self, rubrics: Rubrics, set_id: str) -> None:
        """Look up what the set of that id has.

        Raises:
            NotFound: there is no such set.
        """
        self._rubrics = rubrics
        self.record = rubrics.library.set(set_id)
        self.judges = judge_names(rubrics.judgings.judgings(set_id))
        """By judging: the judge's name, which in an export no other judging has."""
        self.outlines: dict[int, Outline] = {task.id: task for task in rubrics.store.outlines(set_id)}
        """Its tasks by their row ids."""
        self.items: dict[int, list[ItemRow]] = defaultdict(list)
        """The rubric items by task."""
        for item in rubrics.store.items(set_id):
            self.items[item.task].append(item)
        self.answer_keys = [key for key in rubrics.store.answer_keys(set_id) if key.task in self.outlines]
        self._by_answer = {key.id: key for key in self.answer_keys}
        self._by_item = {item.id: item for items in self.items.values() for item in items}

    def tasks(self) -> Iterator[Task]:
        """Its tasks with their rubrics, in their order."""
        for row_id in self.outlines:
            row = self._rubrics.store.task_of(row_id)
            if row:
                yield task_of(row, self.items[row_id])

    def answers(self) -> Iterator[Answer]:
        """All answers, by task."""
        for key in self.answer_keys:
            row = self._rubrics.store.answer(key.id)
            if row:
                yield Answer.model_validate(row.record)

    def pairs(self) -> Iterator[Pair]:
        """What there is to grade, by task, answer and turn, in the order of the rubrics."""
        return (Pair(key, item) for key in self.answer_keys for item in self.items[key.task])

    def pair(self, row: VerdictRow | VoteRow) -> Pair | None:
        """What a verdict or a vote is about; None when it came in after the set was looked up."""
        answer, item = self._by_answer.get(row.answer), self._by_item.get(row.item)
        return Pair(answer, item) if answer and item else None

    def verdicts(self, judging_id: str) -> list[tuple[Pair, VerdictRow]]:
        """What counts of a judging: its last word on each pair."""
        rows = self._rubrics.judgings.verdicts(judging_id)
        return [(pair, row) for row in rows if (pair := self.pair(row))]

    def votes(self) -> list[tuple[Pair, VoteRow]]:
        """All votes in the order in which they were cast, those that were changed later too."""
        rows = self._rubrics.reviews.votes(self.record.id)
        return [(pair, row) for row in rows if (pair := self.pair(row))]

    def picture(self, digest: str) -> bytes | None:
        """The file of a picture; None when somebody took it away from the data folder."""
        return self._rubrics.pictures.get(digest)


def judged(pair: Pair) -> dict[str, Any]:
    """What a statement is about, in the words of a file."""
    answer, item = pair
    return {
        "task_id": answer.task_id,
        "model": answer.model,
        "attempt": answer.attempt,
        "turn": item.turn,
        "item_id": item.item_id,
    }
