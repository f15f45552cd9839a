"""Trials: have models try a draft, and a judge grade them, so that only tasks at which enough of them fail are kept.

A trial is a tool run for each model and one judging, all of which go on where they stood; so does the trial when it is
wished for again. What came of it is read from their answers and verdicts (`services.rubrics.draft_trials`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Literal

from pydantic import SecretStr

from easel_app.runs.judging_settings import JudgeSettings, NewJudging
from easel_app.runs.sitting import Sittings
from easel_app.runs.tool_run_settings import NewToolRun
from easel_app.runs.trying import Judges, ToolRuns, TrialSitting, Work
from easel_app.scoring.rubric import is_critical
from easel_app.services.endpoints import Endpoints, endpoint_of
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Draft, DraftTask, NewTrial
from easel_app.services.rubrics.draft_rights import Standing
from easel_app.services.rubrics.draft_trials import Progress, TrialWish, player_of
from easel_app.services.rubrics.drafting import DraftService, reused
from easel_app.services.rubrics.drafts import task_id_of, task_of
from easel_app.store.drafts import RequestReused, Superseded, TrialRecord

MOST_TRIALS = 4
"""Trials under way at a time."""
PATIENCE = 5.0
"""Seconds that a trial which is about to end is waited for."""
PAUSE = 0.25
"""Seconds between two looks at how far the models and the judge are."""


class Trials:
    """All trials of a studio."""

    def __init__(
        self,
        drafts: DraftService,
        tool_runs: ToolRuns,
        judges: Judges,
        endpoints: Endpoints | None = None,
        *,
        network: Literal["service", "off"] = "off",
        pause: float = PAUSE,
    ) -> None:
        """Serve the trials of drafts, which are told of it.

        Args:
            drafts: what is tried.
            tool_runs: who has models answer.
            judges: who has answers judged.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            network: what answers searches: the host's services, or nobody, for there is no recording of a new task.
            pause: seconds between two looks at how far they are.
        """
        self._drafts, self._tool_runs, self._judges = drafts, tool_runs, judges
        self._endpoints, self._network, self._pause = endpoints or Endpoints(), network, pause
        self._sittings: Sittings[TrialSitting] = Sittings("trial", MOST_TRIALS)
        self._lock = threading.Lock()
        drafts.book.trying = self

    @property
    def forbidden(self) -> str:
        """Why no model may be asked here; empty when one may."""
        return self._endpoints.forbidden

    def progress(self, trial: int) -> Mapping[str, Progress]:
        """How far the models of a trial are; empty when this process has not seen it."""
        found = self._sittings.last(str(trial))
        return dict(found.progress) if found else {}

    def close(self) -> None:
        """Stop all of them and wait a little."""
        self._sittings.close()

    def start(self, draft_id: str, person: Person, wish: NewTrial) -> Draft:
        """Have models try the last version of a draft; a trial of equal wishes goes on where it stood.

        Raises:
            NotFound: no such draft.
            Forbidden: somebody else writes it, or models may not be asked here.
            Invalid: something is missing, or the wish cannot be met.
            Conflict: the version was tried, it was changed meanwhile, another trial of it is under way, or the request
                id was that of another trial.
            Busy: too many trials are under way.
        """
        standing = self._drafts.standing(draft_id)
        refusal = standing.refusal("try", person)
        known = self._drafts.store.known("attempt", person.id, wish.request_id)
        if refusal and not known and refusal.code != "tried":
            raise refusal
        wanted = self._stored(wish, standing.task)
        if refusal and not known:
            if self._last(standing) == wanted:  # sent again, though the first answer told that it is under way
                return self._drafts.view(draft_id, person)
            raise refusal
        with self._lock:
            if refusal is None:
                self._alone(standing, wanted)
                task_id = task_id_of(draft_id, standing.version)
                self._drafts.book.freeze(task_of(task_id, standing.task, self._drafts.pictures(standing.task)))
            trial = self._attempt(standing, person, wish.request_id, wanted)
            if refusal is None and trial.version == standing.version:
                self._launch(trial, wish, wanted)
        return self._drafts.view(draft_id, person)

    def _stored(self, wish: NewTrial, task: DraftTask) -> TrialWish:
        """The wish as it is stored.

        Raises:
            Invalid: it cannot be met.
            Forbidden: an endpoint may not be asked here.
        """
        if len(set(wish.models)) < len(wish.models):
            raise Invalid("models", "A model is named twice; name each of them once.", "models")
        if wish.least_failures > len(wish.models):
            message = f"{wish.least_failures} of {len(wish.models)} models cannot fail; name more, or ask for fewer."
            raise Invalid("least_failures", message, "least_failures")
        items = [item for turn in task.turns for item in turn.rubric]
        if not any(is_critical({"weight": item.weight, "critical": item.critical}, wish.critical) for item in items):
            message = "No rubric item has the critical flag, so every answer would pass; set it, or go by weight."
            raise Invalid("no_critical_item", message, "critical")
        judge_at = wish.judge_base_url or wish.base_url
        for field, base_url, model, key in (
            *(("base_url", wish.base_url, model, wish.key) for model in wish.models),
            ("judge_base_url", judge_at, wish.judge, self._judge_key(wish)),
        ):
            try:
                endpoint_of(base_url, model)
            except ValueError as error:
                raise Invalid(field, f"The trial cannot begin: {error}.", field) from None
            self._endpoints.permit(base_url, model, key, "trial")
        judging = JudgeSettings(set_id=self._drafts.book.set_id, base_url=judge_at, model=wish.judge)
        return TrialWish(
            base_url=wish.base_url,
            models=wish.models,
            judge=wish.judge,
            judge_base_url=judge_at,
            judging_id=judging.judging_id,
            least_failures=wish.least_failures,
            critical=wish.critical,
        )

    def _judge_key(self, wish: NewTrial) -> SecretStr | None:
        """The models' key goes to the judge only where both answer at one address."""
        same = wish.judge_base_url in (None, wish.base_url)
        return wish.judge_key or (wish.key if same else None)

    def _last(self, standing: Standing) -> TrialWish | None:
        """The wish of the last trial of the last version, or None."""
        found = [t for t in self._drafts.store.trials(standing.record.id) if t.version == standing.version]
        return TrialWish.model_validate(found[-1].content) if found else None

    def _alone(self, standing: Standing, wanted: TrialWish) -> None:
        """Let no two trials of one version go on side by side.

        Raises:
            Conflict: another one does.
        """
        for trial in self._drafts.store.trials(standing.record.id):
            found = self._sittings.of(str(trial.id)) if trial.version == standing.version else None
            if found and not found.over and TrialWish.model_validate(trial.content) != wanted:
                message = "Other models, or the same ones elsewhere, are trying this version; wait until they are done."
                raise Conflict("under_way", message)

    def _attempt(self, standing: Standing, person: Person, request_id: str, wanted: TrialWish) -> TrialRecord:
        """The stored trial."""
        draft, content = standing.record.id, wanted.model_dump_json()
        try:
            wanted_id = self._drafts.store.attempt(draft, standing.version, person.id, content, request_id, now())
        except Superseded:
            message = "It was changed while the trial was to begin; look at the last version and have that one tried."
            raise Conflict("changed_meanwhile", message) from None
        except RequestReused:
            raise reused() from None
        return next(trial for trial in self._drafts.store.trials(draft) if trial.id == wanted_id)

    def _launch(self, trial: TrialRecord, wish: NewTrial, wanted: TrialWish) -> None:
        """Begin a trial, or go on with it, unless it is under way. Raises Busy."""
        book, store = self._drafts.book, self._drafts.store
        runs = {
            model: NewToolRun(
                set_id=book.set_id,
                base_url=wanted.base_url,
                model=model,
                player=player_of(trial.id, model),
                network=self._network,
                tasks=(task_id_of(trial.draft, trial.version),),
                key=wish.key,
            )
            for model in wanted.models
        }
        judging = NewJudging(
            set_id=book.set_id, base_url=wanted.judge_base_url, model=wanted.judge, key=self._judge_key(wish)
        )
        work = Work(
            runs, judging, lambda: book.view(trial), lambda: store.versions(trial.draft)[-1].version == trial.version
        )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._sittings.start(
                    str(trial.id),
                    _join,
                    lambda: TrialSitting(work, self._tool_runs, self._judges, self._pause),
                    lambda _: None,
                )
                return
            except Conflict as conflict:
                if conflict.code != "stopping" or time.monotonic() > until:
                    raise
                time.sleep(self._pause)


def _join(sitting: TrialSitting) -> None:
    """Raise Conflict unless what is under way is all that is wished for."""
    if sitting.over:
        raise Conflict("stopping", "This trial is about to end; try again in a moment.")
    if any(told.state == "failed" for told in sitting.progress.values()):
        message = "Other models are still at it; have the ones that failed tried again when those are done."
        raise Conflict("under_way", message)
