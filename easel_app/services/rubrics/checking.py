"""Whether records fit each other and what a set holds already. Of what was seen only ids and digests are kept."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.records import Answer, Judged, JudgeVerdict, SetLine, Task
from easel_app.services.rubrics.judge_names import judge_names
from easel_app.services.rubrics.reports import MOST_REMARKS, Remarks, Tally
from easel_app.services.rubrics.rows import fingerprint, said, task_of
from easel_app.sources.fields import Record
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import shown
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import RubricStore

Key = tuple[str | int, ...]


class _Known(NamedTuple):
    """A record that the set holds, or that was found before."""

    digest: bytes
    place: Place | None
    """Where it stands in this source; None when only the set holds it."""
    scored: bool = True
    """Of a verdict: whether it is one."""


class Checker:
    """Looks at records in their order and says which of them are to be stored."""

    def __init__(self, store: RubricStore, judgings: JudgingStore, set_id: str | None) -> None:
        """Compare with what the set holds; None: with nothing."""
        self.sound, self.there = Tally(), Tally()
        self.faults, self.notes = Remarks(), Remarks()
        self.refused = self.followed = 0
        self.followers: list[str] = []
        """Where the first of the followed ones stand."""
        self._known: dict[Hashable, _Known] = {}
        self._rubrics: dict[str, tuple[frozenset[str], ...]] = {}
        """Ids of the items of each turn, by task."""
        self._refused: dict[Key, Place] = {}
        self._said: set[Hashable] = set()
        """What the set's judges say, by the names that they have in an export: run here, they are no imported ones."""
        if set_id is not None:
            self._remember(store, judgings, set_id)

    def wants(self, found: Found | Problem) -> bool:
        """Whether what was found is a record to be stored; else it is counted as what it is."""
        if isinstance(found, Problem):
            if found.note:
                self._note(found.place, found.faults)
            else:
                self._refuse(found.place, found.faults, found.key)
            return False
        record = found.record
        if isinstance(record, SetLine):
            return False
        if isinstance(record, Task):
            wanted = self._task(found, record)
        elif isinstance(record, Answer):
            wanted = self._answer(found, record)
        else:
            assert isinstance(record, Judged)  # noqa: S101
            wanted = self._judged(found, record)
        if wanted:
            self._note(found.place, found.notes)
        return wanted

    def _remember(self, store: RubricStore, judgings: JudgingStore, set_id: str) -> None:
        pairs: dict[int, Key] = {}
        for row in store.tasks(set_id):
            task = task_of(row, store.items_of(row.id))
            self._rubrics[task.id] = _items(task)
            self._known["task", task.id] = _Known(fingerprint(task), None)
        for stored in store.answers(set_id):
            answer = Answer.model_validate(stored.record)
            key = key_of("answer", answer.task_id, answer.model, answer.attempt)
            self._known[key] = _Known(fingerprint(answer), None)
            pairs[stored.id] = key
        judges = judgings.judgings(set_id)
        names = judge_names(judges)
        items = {item.id: (item.turn, item.item_id) for item in store.items(set_id)} if judges else {}
        for judging in judges:
            for verdict in judgings.verdicts(judging.id):
                digest = said(verdict.verdict, verdict.reason, verdict.evidence, verdict.unscored)
                pair = (*pairs[verdict.answer], *items[verdict.item])
                if judging.origin == "imported":
                    self._known[judging.judge, *pair] = _Known(digest, None, verdict.verdict is not None)
                self._said.add((names[judging.id], *pair, digest))

    def _task(self, found: Found, task: Task) -> bool:
        key = key_of("task", task.id)
        if found.beside and (key in self._known or key in self._refused):
            return False
        if not self._new(found, key, fingerprint(task), f"task {shown(task.id)}"):
            return False
        self._rubrics[task.id] = _items(task)
        count = sum(map(len, self._rubrics[task.id]))
        if not count:
            why = f"task {shown(task.id)} has no rubric item, so that its answers stay unscored"
            self._note(found.place, (Fault("turns", why),))
        self.sound.tasks += 1
        self.sound.items += count
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
        new = self._new(found, key, fingerprint(answer), what)
        self.sound.answers += new
        return new

    def _judged(self, found: Found, record: Judged) -> bool:
        if not self._has_task(found, record.task_id):
            return False
        key = key_of("answer", record.task_id, record.model, record.attempt)
        if key in self._refused:
            self._follow(found.place)
            return False
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
            self.sound.votes += 1  # of votes every one counts; which of them are there is known when they are stored
            return True
        about = (record.judge, *key, record.turn, record.item_id)
        digest = said(record.verdict, record.reason, record.evidence, record.unscored)
        known = self._known.get(about)
        if (*about, digest) in self._said and not (known and known.place):  # it was exported from here
            self._known[about] = _Known(digest, found.place, record.verdict is not None)
            self._count(record)
            return False
        what = f"verdict of {shown(record.judge)} on item {shown(record.item_id)} of this answer"
        new = self._new(found, about, digest, what, record.verdict is not None)
        self.sound.verdicts += new
        return new

    def _follow(self, place: Place) -> None:
        """A record that is left out only because what it belongs to is refused."""
        self.followed += 1
        if len(self.followers) < MOST_REMARKS:
            self.followers.append(str(place))

    def _has_task(self, found: Found, task_id: str) -> bool:
        if key_of("task", task_id) in self._refused:
            self._follow(found.place)
            return False
        if task_id not in self._rubrics:
            why = f"there is no task {shown(task_id)} before it; import the task first, or correct the id"
            return self._refuse(found.place, (Fault("task_id", why),))
        return True

    def _new(self, found: Found, key: Key, digest: bytes, what: str, scored: bool = True) -> bool:
        """Whether a record of that key is neither in the set nor was found before; else it is counted."""
        known = self._known.get(key)
        if known is None or (known.place is None and scored and not known.scored):  # a verdict in place of none
            self._known[key] = _Known(digest, found.place, scored)
            return True
        if known.place is not None:
            why = f"the {what} stands at {known.place} already; leave one of them out, or correct the id"
            return self._refuse(found.place, (Fault("", why),))
        if known.digest != digest:
            why = f"the set holds another {what}; what is stored never changes, so import this as a set of another name"
            return self._refuse(found.place, (Fault("", why),), key)
        self._known[key] = known._replace(place=found.place)
        self._count(found.record)
        return False

    def _count(self, record: Record) -> None:
        if isinstance(record, Task):
            self.there.tasks += 1
            self.there.items += sum(len(turn.rubric) for turn in record.turns)
        self.there.answers += isinstance(record, Answer)
        self.there.verdicts += isinstance(record, JudgeVerdict)

    def _refuse(self, place: Place, faults: tuple[Fault, ...], key: Key = ()) -> bool:
        self.refused += 1
        known = self._known.get(key)
        if key and (known is None or known.place is None):  # one of a pair came in: what refers to it has it
            self._refused[key] = place
        for fault in faults:
            self.faults.add(place, fault)
        return False

    def _note(self, place: Place, notes: tuple[Fault, ...]) -> None:
        for note in notes:
            self.notes.add(place, note)


def _items(task: Task) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(item.id for item in turn.rubric) for turn in task.turns)
