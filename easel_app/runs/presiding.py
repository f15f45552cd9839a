"""What all kinds of judges have in common: their work on a set begins, goes on, is looked at, and stops."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from easel_app.runs.asking import Asking
from easel_app.runs.judge_views import Unscored
from easel_app.runs.settings import Limits
from easel_app.runs.sitting import Sittings, seconds, unrecorded
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, NotFound
from easel_app.store.judges import JudgeStore, JudgingEvent, JudgingRecord

MOST_REASONS = 8
"""Reasons for no verdict that are told."""
STOPPED = "Stopped on demand; start it again to go on."
S = TypeVar("S", bound=Asking[Any, Any])


class Presiding(ABC, Generic[S]):
    """The work of one kind of judges, of whom several may look at one set."""

    work: ClassVar[str]
    """What it is called, such as `judging`."""
    listed: ClassVar[str]
    """What lists it, such as `GET /api/rubrics/judgings`."""

    def __init__(self, store: JudgeStore, most: int) -> None:
        """Keep records in a store, and let `most` be under way at a time."""
        self._store, self._sittings = store, Sittings[S](self.work, most)
        self._plans: dict[str, Limits] = {}

    def _launch(self, record: JudgingRecord, plan: Limits, sitting: Callable[[], S]) -> None:
        """Begin a sitting, unless one of the same plan is under way.

        Raises:
            Conflict: it is under way by another plan, or about to stop.
            Busy: too many are under way.
        """

        def join(_: S) -> None:
            if self._plans.get(record.id) != plan:
                message = f"This {self.work} is under way with another choice or other limits; wait for it or stop it."
                raise Conflict("under_way", message)

        def begin() -> S:
            made = sitting()
            self._store.begin(record)
            self._store.happened(record.id, JudgingEvent("begun", plan.model_dump(mode="json"), now()))
            self._plans[record.id] = plan
            return made

        self._sittings.start(record.id, join, begin, lambda ended: self._end(record.id, ended))

    def _end(self, wanted: str, sitting: S) -> None:
        content = {
            "state": "finished" if sitting.finished else "stopped",
            "reason": "" if sitting.finished else sitting.reason,
            "left_out": sorted(sitting.left_out),
        }
        self._store.happened(wanted, JudgingEvent("ended", content, now()))

    def _stop(self, wanted: str) -> None:
        if sitting := self._sittings.of(wanted):
            sitting.stop(STOPPED)

    def close(self) -> None:
        """Stop all of it and wait a little for the calls under way."""
        self._sittings.close()

    @abstractmethod
    def _progress(self, record: JudgingRecord, plan: Mapping[str, Any]) -> tuple[int, int]:
        """How much a work that nobody sits at holds by a plan, and how much of it is done."""

    def _standing(self, record: JudgingRecord) -> dict[str, Any]:
        """The fields of `judge_views.JudgeView`."""
        under_way = self._sittings.of(record.id)
        last = under_way or self._sittings.last(record.id)
        events = self._store.events(record.id)
        ended = dict(events[-1].content) if events and events[-1].name == "ended" and not under_way else {}
        plan = self._last_plan(record.id)
        total, done = (last.total, last.done) if last else self._progress(record, plan)
        imported = record.origin == "imported"
        reasons = last.unscored.most_common(MOST_REASONS) if last else []
        return {
            "set_id": record.set_id,
            "judge": record.judge,
            "origin": "imported" if imported else "run",
            "settings": dict(record.settings),
            "plan": plan,
            "created_at": record.created_at,
            "state": "imported" if imported else "running" if under_way else ended.get("state") or unrecorded(last),
            "reason": ended.get("reason", last.reason if last else ""),
            "total": total,
            "done": done,
            "unscored_for": [Unscored(reason=reason, items=items) for reason, items in reasons],
            **self._store.spent(record.id)._asdict(),
            "elapsed": seconds(events) + (time.monotonic() - under_way.begun if under_way else 0.0),
            "eta": under_way.eta if under_way else None,
            "trouble": under_way.trouble if under_way else "",
            "left_out": sorted(under_way.left_out) if under_way else ended.get("left_out", []),
        }

    def _last_plan(self, wanted: str) -> dict[str, Any]:
        """The plan of the last sitting."""
        return dict(next((e.content for e in reversed(self._store.events(wanted)) if e.name == "begun"), {}))

    def _find(self, wanted: str) -> JudgingRecord:
        record = self._store.judging(wanted)
        if record is None:
            message = f"There is no {self.work} of that id; {self.listed} lists them."
            raise NotFound(f"no_such_{self.work}", message, f"{self.work}_id")
        return record
