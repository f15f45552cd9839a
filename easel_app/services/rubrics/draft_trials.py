"""Trials of drafts: the frozen task that models answer, and what their answers and the judge's verdicts come to.

All of it follows from what is stored; only who is at it just now is asked of whoever has the models try it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from easel_app.painting.stroke import Strict
from easel_app.rubrics.records import SPELLED, Task, Verdict
from easel_app.scoring.rubric import TaskScore, score_task
from easel_app.services.kept import Kept
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict
from easel_app.services.rubrics.authoring_views import State, Trial, TrialModel
from easel_app.services.rubrics.drafts import outcome_of, task_id_of
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.rows import row_of_task, task_of
from easel_app.services.rubrics.views import Critical
from easel_app.services.taking_in.intake import set_id_of
from easel_app.store.drafts import TrialRecord
from easel_app.store.rubrics import TaskRow
from easel_app.store.sets import SetRecord

AUTHORING = "Authoring"
"""Name of the set that holds the tasks that were tried, with the models' answers."""
ATTEMPT = 1
OFF = "off"
"""The backend of a tool that is off."""
LONGEST_PLAYER = 80
MOST_KEPT = 4096
"""Trials that have come to their end, of which the outcome is kept in memory."""
UNANSWERED = "It has not answered yet; have models try the task again, and it goes on."


class TrialWish(Strict):
    """Who is to try a version and how, as it is stored."""

    base_url: str
    models: tuple[str, ...]
    judge: str
    judge_base_url: str
    judging_id: str
    """The judging that holds the judge's verdicts."""
    least_failures: int
    critical: Critical


class Progress(NamedTuple):
    """How far a model is, as far as somebody is at it or was in this process."""

    state: State
    reason: str
    """Why it failed, in one sentence; empty when it did not, or when what is stored tells it."""


class Trying(Protocol):
    """Whoever has models try drafts."""

    @property
    def forbidden(self) -> str:
        """Why nobody does here, in one sentence; empty when somebody does."""

    def progress(self, trial: int) -> Mapping[str, Progress]:
        """How far the models of a trial are, by name; empty when nobody was at it in this process."""


class Nobody:
    """Where nobody has models try drafts."""

    forbidden = "Nobody has models try tasks here; serve this data folder and look at it there."

    def progress(self, trial: int) -> Mapping[str, Progress]:
        """Nothing."""
        return {}


class Judged(NamedTuple):
    """What the judge's verdicts on an answer come to."""

    score: TaskScore
    why: str
    """Why an item has no verdict though the judge was asked, in one sentence; empty when it was not, or all have."""


class TrialBook:
    """Freezes versions as tasks and tells what came of trials."""

    def __init__(self, library: RubricLibrary) -> None:
        self._library, self._ended = library, Kept[int, list[TrialModel]](MOST_KEPT)
        self.trying: Trying = Nobody()
        """Set by whoever has models try drafts."""

    @property
    def set_id(self) -> str:
        """The set that holds the tasks that were tried."""
        return set_id_of(AUTHORING)

    def freeze(self, task: Task) -> None:
        """Store the task that a version has become; returns after the commit. A second time changes nothing.

        Raises:
            Conflict: the set holds another task of that id, which somebody has imported.
        """
        about = {"source": "Tasks that were written here, as models tried them.", "licence": ""}
        self._library.store.create(SetRecord(self.set_id, AUTHORING, False, about, now()))
        row_id = self._library.store.add_tasks(self.set_id, [row_of_task(task)])[task.id]
        row = self._library.store.task_of(row_id)
        if row is None or task_of(row, self._library.store.items_of(row_id)) != task:
            message = f"The set {AUTHORING} holds another task {task.id}; change the draft, and it gets a new id."
            raise Conflict("task_taken", message)

    def task(self, trial: TrialRecord) -> TaskRow | None:
        """The frozen task that a trial is of; None when the trial was cut off before it was stored."""
        return self._library.store.task(self.set_id, task_id_of(trial.draft, trial.version))

    def view(self, trial: TrialRecord) -> Trial:
        """What came of a trial."""
        wish = TrialWish.model_validate(trial.content)
        models = self._ended.get(trial.id)
        if models is None:
            models = self._models(trial, wish)
            if all(model.score is not None for model in models):
                self._ended.put(trial.id, models)
        passed = [model.passed for model in models]
        return Trial(
            version=trial.version,
            set_id=self.set_id,
            task_id=task_id_of(trial.draft, trial.version),
            least_failures=wish.least_failures,
            failures=passed.count(False),
            outcome=outcome_of(passed, wish.least_failures),
            models=models,
            at=trial.at,
        )

    def _models(self, trial: TrialRecord, wish: TrialWish) -> list[TrialModel]:
        task, progress = self.task(trial), self.trying.progress(trial.id)
        return [self._model(trial, wish, name, task, progress.get(name)) for name in wish.models]

    def _model(
        self, trial: TrialRecord, wish: TrialWish, name: str, task: TaskRow | None, progress: Progress | None
    ) -> TrialModel:
        answer = self._library.store.answer_id(task.id, player_of(trial.id, name), ATTEMPT) if task else None
        judged = self._judged(task, answer, wish) if task and answer is not None else None
        found = judged.score if judged else None
        if found and found.score is not None:
            state, reason = Progress("done", "")
        else:
            state, reason = progress or Progress("failed", "")
            if state == "failed":
                reason = reason or (unjudged(judged) if judged else UNANSWERED)
        return TrialModel(
            model=name,
            state=state,
            reason=reason,
            answer=answer,
            score=found.score if found else None,
            passed=found.passed if found else None,
            off=self._off(answer) if answer is not None else [],
        )

    def _off(self, answer: int) -> list[str]:
        """The tools that were off when an answer was made."""
        row = self._library.store.answer(answer)
        conditions = row.record.get("conditions") if row else None
        return [tool for tool, backend in conditions["backends"].items() if backend == OFF] if conditions else []

    def _judged(self, task: TaskRow, answer: int, wish: TrialWish) -> Judged:
        why = ""
        rubric: list[dict[str, Mapping[str, object]]] = [{} for _ in range(task.turns)]
        said: list[dict[str, object]] = [{} for _ in range(task.turns)]
        for item in self._library.store.items_of(task.id):
            rubric[item.turn - 1][item.item_id] = {"weight": item.weight, "critical": item.critical}
            row = self._library.judgings.verdict(wish.judging_id, answer, item.id)
            if row and row.verdict:
                said[item.turn - 1][item.item_id] = SPELLED[Verdict(row.verdict)]
            elif row:
                why = why or row.unscored
        return Judged(score_task(rubric, said, critical=wish.critical), why)


def unjudged(judged: Judged) -> str:
    """Why an answer is not scored: what came of asking the judge, else that it was not asked about everything."""
    left = judged.score.n_items - judged.score.n_valid
    items = "one rubric item" if left == 1 else f"{left} rubric items"
    return judged.why or f"The judge was not asked about {items} yet; have the task tried again, and it goes on."


def player_of(trial: int, model: str) -> str:
    """How the answers of a model in a trial are called: those of another trial are others."""
    tail = f" · trial {trial}"
    if len(model) + len(tail) <= LONGEST_PLAYER:
        return model + tail
    digest = hashlib.sha256(model.encode()).hexdigest()[:6]
    return f"{model[: LONGEST_PLAYER - len(tail) - 7].rstrip()}~{digest}{tail}"
