"""Judgings as a caller sees them: let a model judge the answers of a rubric set, go on, look, stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr

from easel_app.runs.grading import Grading
from easel_app.runs.judging_settings import JudgePlan, JudgeSettings, JudgingView, NewJudging
from easel_app.runs.pairs import chosen
from easel_app.runs.presiding import Presiding
from easel_app.services.endpoints import Endpoints
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord

MOST_JUDGINGS = 4
"""Judgings under way at a time."""


class Judgings(Presiding[Grading]):
    """All judgings of a studio, of which several may look at one set."""

    work, listed = "judging", "GET /api/rubrics/judgings"

    def __init__(self, studio: Studio, endpoints: Endpoints | None = None, *, wait: float = 1.0) -> None:
        """Serve the judgings of a studio.

        Args:
            studio: whose rubric sets are judged.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        super().__init__(studio.rubrics.judgings, MOST_JUDGINGS)
        self._rubrics, self._endpoints, self._wait = studio.rubrics, endpoints or Endpoints(), wait

    def start(self, wish: NewJudging) -> JudgingView:
        """Begin a judging, or go on with the one of equal settings; one that is under way just goes on.

        Items that have a verdict are not asked about again; those that were left unscored are.

        Raises:
            Forbidden: models may not be asked here.
            NotFound: there is no such set.
            Invalid: no such model's answers, nothing to judge, or a key that no request can carry.
            Conflict: it is under way by another plan, or about to stop.
            Busy: too many are under way.
        """
        return self._start(wish.settings, wish.plan, wish.key)

    def resume(self, wanted: str, key: SecretStr | None = None) -> JudgingView:
        """Go on with a judging by the plan of its last sitting.

        Raises:
            NotFound: there is no such judging.
            Conflict: its verdicts came with data.
            Invalid: it was begun by another version; and as `start` does.
        """
        record = self._find(wanted)
        if record.origin == "imported":
            message = "These verdicts came with data, so there is no judge to ask; begin a judging of your own."
            raise Conflict("imported", message)
        settings = JudgeSettings.of(record.settings)
        if settings.judging_id != record.id:
            message = "The judging was begun by another version of the prompt, and versions never mix; begin a new one."
            raise Invalid("other_version", message)
        return self._start(settings, JudgePlan.model_validate(self._last_plan(record.id)), key)

    def _start(self, settings: JudgeSettings, plan: JudgePlan, key: SecretStr | None) -> JudgingView:
        permitted = self._endpoints.permit(settings.base_url, settings.model, key, "judging")
        pairs = chosen(self._rubrics.store, self._rubrics.library.set(settings.set_id).id, plan)
        wanted = settings.judging_id
        record = JudgingRecord(wanted, settings.set_id, settings.judge, "run", settings.stored, now())
        self._launch(record, plan, lambda: Grading(self._rubrics, settings, plan, pairs, permitted, self._wait))
        return self.view(wanted)

    def stop(self, wanted: str) -> JudgingView:
        """Ask a judging to stop: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such judging.
        """
        self._stop(wanted)
        return self.view(wanted)

    def every(self, set_id: str | None = None) -> list[JudgingView]:
        """The judgings of a set, or all of them, oldest first; those that came with data too.

        Raises:
            NotFound: there is no such set.
        """
        if set_id is not None:
            self._rubrics.library.set(set_id)
        return [self.view(record.id) for record in self._rubrics.judgings.judgings(set_id)]

    def view(self, wanted: str) -> JudgingView:
        """A judging as it is now.

        Raises:
            NotFound: there is no such judging.
        """
        record = self._find(wanted)
        facts = {**self._standing(record), **self._rubrics.judgings.tallies(wanted)}
        return JudgingView(judging_id=record.id, **facts)

    def _progress(self, record: JudgingRecord, plan: Mapping[str, Any]) -> tuple[int, int]:
        scored = self._rubrics.judgings.scored(record.id)
        if record.origin == "imported":
            return len(scored) + self._rubrics.judgings.tallies(record.id)["unscored"], len(scored)
        pairs = chosen(self._rubrics.store, record.set_id, JudgePlan.model_validate(plan))
        return len(pairs), len(scored.intersection(pairs))
