"""Whether tasks, answers, verdicts and votes fit each other and what a set holds already."""

from __future__ import annotations

from collections.abc import Hashable

from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.records import Answer, Judged, JudgeVerdict, SetLine, Task, Vote
from easel_app.services.judge_names import judge_names
from easel_app.services.rubrics.reports import Tally
from easel_app.services.rubrics.rows import fingerprint, said, task_of
from easel_app.services.taking_in import checking as taking_in
from easel_app.services.taking_in.checking import Key, Known
from easel_app.sources.fields import Record
from easel_app.sources.found import Fault, Found
from easel_app.sources.jsontext import shown
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import RubricStore


class Checker(taking_in.Checker[Tally]):
    """Looks at tasks, answers, verdicts and votes in their order and says which of them are to be stored."""

    def __init__(self, store: RubricStore, judgings: JudgingStore, set_id: str | None) -> None:
        """Compare with what the set holds; None: with nothing."""
        super().__init__(Tally(), Tally())
        self._rubrics: dict[str, tuple[frozenset[str], ...]] = {}
        """Ids of the items of each turn, by task."""
        self._said: set[Hashable] = set()
        """What the set's judges say, by the names that they have in an export: run here, they are no imported ones."""
        if set_id is not None:
            self._remember(store, judgings, set_id)

    def _new_and_fits(self, found: Found) -> bool:
        record = found.record
        if isinstance(record, SetLine):
            return False
        if isinstance(record, Task):
            return self._task(found, record)
        if isinstance(record, Answer):
            return self._answer(found, record)
        assert isinstance(record, Judged)  # noqa: S101
        return self._judged(found, record)

    def _remember(self, store: RubricStore, judgings: JudgingStore, set_id: str) -> None:
        pairs: dict[int, Key] = {}
        for row in store.tasks(set_id):
            task = task_of(row, store.items_of(row.id))
            self._rubrics[task.id] = _items(task)
            self._known["task", task.id] = Known(fingerprint(task), None)
        for stored in store.answers(set_id):
            answer = Answer.model_validate(stored.record)
            key = key_of("answer", answer.task_id, answer.model, answer.attempt)
            self._known[key] = Known(fingerprint(answer), None)
            pairs[stored.id] = key
        judges = judgings.judgings(set_id)
        names = judge_names(judges)
        items = {item.id: (item.turn, item.item_id) for item in store.items(set_id)} if judges else {}
        for judging in judges:
            for verdict in judgings.verdicts(judging.id):
                digest = said(verdict.verdict, verdict.reason, verdict.evidence, verdict.unscored)
                pair = (*pairs[verdict.answer], *items[verdict.item])
                if judging.origin == "imported":
                    self._known[judging.judge, *pair] = Known(digest, None, verdict.verdict is not None)
                self._said.add((names[judging.id], *pair, digest))

    def _task(self, found: Found, task: Task) -> bool:
        key = key_of("task", task.id)
        if found.beside and (key in self._known or key in self._refused):
            return False
        if not self._new(found, key, fingerprint(task), f"task {shown(task.id)}"):
            return False
        self._rubrics[task.id] = _items(task)
        if not any(self._rubrics[task.id]):
            why = f"task {shown(task.id)} has no rubric item, so that its answers stay unscored"
            self._note(found.place, (Fault("turns", why),))
        return True

    def _answer(self, found: Found, answer: Answer) -> bool:
        if not self._has_task(found, answer.task_id):
            return False
        key = key_of("answer", answer.task_id, answer.model, answer.attempt)
        turns = len(self._rubrics[answer.task_id])
        if len(answer.turns) != turns:
            why = f"it has {len(answer.turns)} turns, but its task has {turns}; give each turn of the task one"
            self._refuse(found.place, (Fault("turns", why),), key)
            return False
        what = f"answer {answer.attempt} of {shown(answer.model)} to task {shown(answer.task_id)}"
        return self._new(found, key, fingerprint(answer), what)

    def _judged(self, found: Found, record: Judged) -> bool:
        if not self._has_task(found, record.task_id):
            return False
        key = key_of("answer", record.task_id, record.model, record.attempt)
        if key in self._refused:
            return self._follow(found.place)
        if key not in self._known:
            what = f"answer {record.attempt} of {shown(record.model)} to task {shown(record.task_id)}"
            why = f"there is no {what} before it; import that first, or correct the name"
            return self._refuse(found.place, (Fault("model", why),))
        turns = self._rubrics[record.task_id]
        if record.turn > len(turns):
            why = f"turn is {record.turn}, but the task has {len(turns)}; correct it"
            return self._refuse(found.place, (Fault("turn", why),))
        if record.item_id not in turns[record.turn - 1]:
            why = f"turn {record.turn} of task {shown(record.task_id)} has no rubric item {shown(record.item_id)}"
            return self._refuse(found.place, (Fault("item_id", f"{why}; correct the id"),))
        if not isinstance(record, JudgeVerdict):
            return True  # of votes every one counts; which of them are there is known when they are stored
        about = (record.judge, *key, record.turn, record.item_id)
        digest = said(record.verdict, record.reason, record.evidence, record.unscored)
        known = self._known.get(about)
        if (*about, digest) in self._said and not (known and known.place):  # it was exported from here
            self._known[about] = Known(digest, found.place, record.verdict is not None)
            self._count(self.there, record)
            return False
        what = f"verdict of {shown(record.judge)} on item {shown(record.item_id)} of this answer"
        return self._new(found, about, digest, what, record.verdict is not None)

    def _has_task(self, found: Found, task_id: str) -> bool:
        if key_of("task", task_id) in self._refused:
            return self._follow(found.place)
        if task_id not in self._rubrics:
            why = f"there is no task {shown(task_id)} before it; import the task first, or correct the id"
            return self._refuse(found.place, (Fault("task_id", why),))
        return True

    def _count(self, tally: Tally, record: Record) -> None:
        if isinstance(record, Task):
            tally.tasks += 1
            tally.items += sum(len(turn.rubric) for turn in record.turns)
        tally.answers += isinstance(record, Answer)
        tally.verdicts += isinstance(record, JudgeVerdict)
        tally.votes += isinstance(record, Vote)


def _items(task: Task) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(item.id for item in turn.rubric) for turn in task.turns)
