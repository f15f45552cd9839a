"""Answers of a set in a list, and one of them step by step with what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Literal, NamedTuple

from easel_app.rubrics.records import Answer, AnswerTurn
from easel_app.scoring.rubric import domain, is_critical
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.analysis_views import (
    AnswerLine,
    Answers,
    Attempt,
    Step,
    Trace,
    TraceCall,
    TraceItem,
    TraceTurn,
)
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.tool_figures import FigureService
from easel_app.services.rubrics.verdicts_by import By, VerdictsBy, rubric_of, score_of, shown
from easel_app.services.rubrics.views import CallView, Critical, JudgeView, TurnView
from easel_app.services.rubrics.waiting import WaitingService
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import AnswerKey, ItemRow

Status = Literal["passed", "failed", "scored", "incomplete", "unscored", "hidden"]


class Wanted(NamedTuple):
    """Which answers are wanted; what is None narrows nothing."""

    player: str | None = None
    category: str | None = None
    """Of the task."""
    task_id: str | None = None
    status: Status | None = None
    """Of what may be told: an answer that waits for a blind vote is `hidden` and nothing else."""


class TraceService:
    """Shows answers."""

    def __init__(
        self, library: RubricLibrary, verdicts: VerdictsBy, figures: FigureService, waiting: WaitingService
    ) -> None:
        self._library = library
        self._verdicts, self._figures, self._waiting = verdicts, figures, waiting

    def answers(
        self,
        set_id: str,
        wish: Wanted,
        wanted: str | None,
        critical: Critical,
        person: Person | None = None,
        *,
        limit: int,
        offset: int = 0,
        tell: bool = False,
    ) -> Answers:
        """Answers of a set, by task.

        Args:
            set_id: which set.
            wish: which answers.
            wanted: a judging or `people`; None: the first judging, or people where there is none.
            critical: what makes an item critical.
            person: who asks; the score of an answer that waits for their blind vote is not told. Of somebody unknown
                any vote may be wanted.
            limit: so many at most.
            offset: so many are left out first.
            tell: whether everything is told all the same.

        Raises:
            NotFound: no such set or judging.
        """
        by = self._verdicts.by(set_id, wanted, critical)
        scored = self._verdicts.scored(by)
        waiting = set() if tell else {answer for answer, _ in self._waiting.pairs(set_id, person)}
        told = [(one, shown(one.score, hidden=one.answer.id in waiting)) for one in scored]
        fitting = [
            (one, what)
            for one, what in told
            if wish.player in (None, one.answer.model)
            and wish.category in (None, one.task.category)
            and wish.task_id in (None, one.task.task_id)
            and wish.status in (None, what.status, {True: "passed", False: "failed", None: None}[what.passed])
        ]
        used = self._figures.figures(set_id, [one.answer for one in scored], 0).used
        lines = [
            AnswerLine(
                answer=one.answer.id,
                task_id=one.task.task_id,
                category=one.task.category,
                player=one.answer.model,
                attempt=one.answer.attempt,
                calls=used[one.answer.id].calls,
                pictures=used[one.answer.id].pictures,
                status=what.status,
                score=what.score,
                passed=what.passed,
            )
            for one, what in fitting[offset : offset + limit]
        ]
        return Answers(answers=lines, total=len(fitting))

    def trace(
        self,
        answer_id: int,
        wanted: str | None,
        critical: Critical,
        person: Person | None = None,
        *,
        tell: bool = False,
    ) -> Trace:
        """One answer, step by step; arguments as for `answers`.

        Raises:
            NotFound: no such answer or judging.
        """
        task, answer = self._library.task_and_answer(answer_id)
        by = self._verdicts.by(task.set_id, wanted, critical)
        items = self._library.store.items_of(task.id)
        waiting = set() if tell else {item for _, item in self._waiting.pairs(task.set_id, person, answer_id)}
        verdicts, said = self._verdicts.on(by, answer_id, items)
        rubric = rubric_of(items, task.turns)
        what = shown(score_of(rubric, items, [verdicts.get(item.id) for item in items], critical), hidden=bool(waiting))
        record = Answer.model_validate(answer.record)
        keys = [key for key in self._library.store.answer_keys(task.set_id) if key.model == answer.model]
        before, after = _neighbours(keys, task.id, answer.attempt)
        return Trace(
            answer=answer_id,
            set_id=task.set_id,
            sample=self._library.set(task.set_id).sample,
            task_id=task.task_id,
            category=task.category,
            domain=domain(task.domain) if task.domain else None,
            player=answer.model,
            attempt=answer.attempt,
            attempts=[Attempt(attempt=key.attempt, answer=key.id) for key in _attempts(keys, task.id)],
            conditions=record.conditions,
            origin=record.origin,
            status=what.status,
            score=what.score,
            passed=what.passed,
            turns=[
                _turn(view, turn) for view, turn in zip(self._library.turns(task, answer), record.turns, strict=True)
            ],
            items=[_item(item, by, verdicts, said, waiting) for item in items],
            previous=before,
            following=after,
            hidden=len(waiting),
            by=by.name,
            judge=by.judge,
            critical=critical,
        )


def steps(turn: AnswerTurn, calls: Sequence[CallView]) -> list[Step]:
    """The rounds of a turn in order, as far as they are known.

    Calls of one round that follow each other are one step; of calls without a round, which imported data have, each is
    a step of its own. A round in which the model said something and no call is on record is a step without calls.
    """
    found: list[Step] = []
    for number, (call, view) in enumerate(zip(turn.calls, calls, strict=True), 1):
        told = TraceCall(**dict(view), call=number, latency=call.latency)
        if call.round is not None and found and found[-1].round == call.round:
            found[-1].calls.append(told)
        else:
            found.append(Step(round=call.round, remark="", calls=[told]))
    for remark in turn.remarks:
        place = next((k for k, step in enumerate(found) if step.round is not None and step.round >= remark.round), None)
        if place is None or found[place].round != remark.round:
            place = len(found) if place is None else place
            found.insert(place, Step(round=remark.round, remark="", calls=[]))
        step = found[place]
        step.remark = f"{step.remark}\n\n{remark.text}" if step.remark else remark.text
    return found


def _turn(view: TurnView, turn: AnswerTurn) -> TraceTurn:
    shared = {name: value for name, value in view if name in TraceTurn.model_fields}
    return TraceTurn(**shared, steps=steps(turn, view.calls), ended=turn.ended)


def _item(
    item: ItemRow, by: By, verdicts: Mapping[int, str | None], said: Mapping[int, VerdictRow], waiting: set[int]
) -> TraceItem:
    hidden, row = item.id in waiting, said.get(item.id)
    flag = {None: None, True: "yes", False: "no"}[item.critical]
    return TraceItem.model_validate(
        {
            "turn": item.turn,
            "item_id": item.item_id,
            "description": item.description,
            "weight": item.weight,
            "critical": is_critical({"weight": item.weight, "critical": flag}, by.critical),
            "verdict": "hidden" if hidden else verdicts.get(item.id),
            "said": JudgeView.model_validate({**asdict(row), "judge": by.judge}) if row and not hidden else None,
        }
    )


def _attempts(keys: Iterable[AnswerKey], task: int) -> list[AnswerKey]:
    return sorted((key for key in keys if key.task == task), key=lambda key: key.attempt)


def _neighbours(keys: Sequence[AnswerKey], task: int, attempt: int) -> tuple[int | None, int | None]:
    """A player's answers to the tasks before and after: the same attempt where there is one, else the first."""
    tasks = list(dict.fromkeys(key.task for key in keys))
    place = tasks.index(task)

    def at(number: int) -> int | None:
        if not 0 <= number < len(tasks):
            return None
        found = _attempts(keys, tasks[number])
        return next((key.id for key in found if key.attempt == attempt), found[0].id)

    return at(place - 1), at(place + 1)
