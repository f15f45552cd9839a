"""Judgings as a caller sees them: let a model judge the answers of a rubric set, go on, look, stop."""

from __future__ import annotations

import time
from typing import Any

from pydantic import SecretStr

from easel_app.runs.grading import Grading
from easel_app.runs.judging_settings import JudgePlan, JudgeSettings, JudgingView, NewJudging, Unscored
from easel_app.runs.pairs import chosen
from easel_app.runs.sitting import Sittings, seconds
from easel_app.services.endpoints import Endpoints
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingEvent, JudgingRecord

MOST_JUDGINGS = 4
"""Judgings under way at a time."""
MOST_REASONS = 8
"""Reasons for no verdict that are told."""
STOPPED = "Stopped on demand; start it again to go on."


class Judgings:
    """All judgings of a studio, of which several may look at one set."""

    def __init__(self, studio: Studio, endpoints: Endpoints | None = None, *, wait: float = 1.0) -> None:
        """Serve the judgings of a studio.

        Args:
            studio: whose rubric sets are judged.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        self._rubrics, self._endpoints, self._wait = studio.rubrics, endpoints or Endpoints(), wait
        self._sittings: Sittings[Grading] = Sittings("judging", MOST_JUDGINGS)

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
        return self._start(settings, self._plan(record.id), key)

    def _start(self, settings: JudgeSettings, plan: JudgePlan, key: SecretStr | None) -> JudgingView:
        permitted = self._endpoints.permit(settings.base_url, settings.model, key, "judging")
        pairs = chosen(self._rubrics.store, self._rubrics.library.set(settings.set_id).id, plan)
        wanted, judgings = settings.judging_id, self._rubrics.judgings

        def join(grading: Grading) -> None:
            if grading.plan != plan:
                message = "This judging is under way with another choice or other limits; wait for it or stop it."
                raise Conflict("under_way", message)

        def begin() -> Grading:
            grading = Grading(self._rubrics, settings, plan, pairs, permitted, self._wait)
            judgings.begin(JudgingRecord(wanted, settings.set_id, settings.judge, "run", settings.stored, now()))
            judgings.happened(wanted, JudgingEvent("begun", plan.model_dump(mode="json"), now()))
            return grading

        self._sittings.start(wanted, join, begin, self._end)
        return self.view(wanted)

    def _end(self, grading: Grading) -> None:
        content = {
            "state": "finished" if grading.finished else "stopped",
            "reason": "" if grading.finished else grading.reason,
            "left_out": sorted(grading.left_out),
        }
        self._rubrics.judgings.happened(grading.judging_id, JudgingEvent("ended", content, now()))

    def stop(self, wanted: str) -> JudgingView:
        """Ask a judging to stop: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such judging.
        """
        if grading := self._sittings.of(wanted):
            grading.stop(STOPPED)
        return self.view(wanted)

    def close(self) -> None:
        """Stop all judgings and wait a little for their calls under way."""
        self._sittings.close()

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
        record, judgings = self._find(wanted), self._rubrics.judgings
        under_way = self._sittings.of(wanted)
        last = under_way or self._sittings.last(wanted)
        events = judgings.events(wanted)
        ended = dict(events[-1].content) if events and events[-1].name == "ended" and not under_way else {}
        tallies = judgings.tallies(wanted)
        plan = dict(next((event.content for event in reversed(events) if event.name == "begun"), {}))
        total, done = (last.total, last.done) if last else self._progress(record, plan)
        state: Any = "imported" if record.origin == "imported" else "running" if under_way else ended.get("state")
        reasons = last.unscored.most_common(MOST_REASONS) if last else []
        return JudgingView(
            judging_id=record.id,
            set_id=record.set_id,
            judge=record.judge,
            origin="imported" if record.origin == "imported" else "run",
            settings=dict(record.settings),
            plan=plan,
            created_at=record.created_at,
            state=state or "interrupted",
            reason=under_way.reason if under_way else ended.get("reason", ""),
            total=total,
            done=done,
            **tallies,
            unscored_for=[Unscored(reason=reason, items=items) for reason, items in reasons],
            **judgings.spent(wanted)._asdict(),
            elapsed=seconds(events) + (time.monotonic() - under_way.begun if under_way else 0.0),
            eta=under_way.eta if under_way else None,
            trouble=under_way.trouble if under_way else "",
            left_out=sorted(under_way.left_out) if under_way else ended.get("left_out", []),
        )

    def _progress(self, record: JudgingRecord, plan: dict[str, Any]) -> tuple[int, int]:
        """How many pairs a judging that nobody works at holds, and how many of them have a verdict."""
        scored = self._rubrics.judgings.scored(record.id)
        if record.origin == "imported":
            return len(scored) + self._rubrics.judgings.tallies(record.id)["unscored"], len(scored)
        pairs = chosen(self._rubrics.store, record.set_id, JudgePlan.model_validate(plan))
        return len(pairs), len(scored.intersection(pairs))

    def _plan(self, wanted: str) -> JudgePlan:
        plans = [event.content for event in self._rubrics.judgings.events(wanted) if event.name == "begun"]
        return JudgePlan.model_validate(plans[-1] if plans else {})

    def _find(self, wanted: str) -> JudgingRecord:
        record = self._rubrics.judgings.judging(wanted)
        if record is None:
            message = "There is no judging of that id; GET /api/rubrics/judgings lists them."
            raise NotFound("no_such_judging", message, "judging_id")
        return record
