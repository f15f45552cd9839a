"""Plannings as a caller sees them: let a model answer the queries of a set by plans, go on, look, stop."""

from __future__ import annotations

import hashlib
from typing import Any

from easel_app.runs.planning import Planning, Spent, Wanted, spent_of
from easel_app.runs.planning_settings import NewPlanning, PlannerSettings, PlanningPlan, PlanningView, Unanswered
from easel_app.runs.sitting import Sittings
from easel_app.services.endpoints import Endpoints
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio

MOST_PLANNINGS = 4
"""Plannings under way at a time."""
MOST_REASONS = 8
"""Reasons for no answer that are told."""
STOPPED = "Stopped on demand; start it again to go on."


class Plannings:
    """All plannings of a studio."""

    def __init__(self, studio: Studio, endpoints: Endpoints | None = None, *, wait: float = 1.0) -> None:
        """Serve the plannings of a studio.

        Args:
            studio: whose sets of plans grow.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        self._plans, self._endpoints, self._wait = studio.plans, endpoints or Endpoints(), wait
        self._sittings: Sittings[Planning] = Sittings("planning", MOST_PLANNINGS)

    def start(self, wish: NewPlanning) -> PlanningView:
        """Begin a planning, or go on with the one of equal settings; one that is under way just goes on.

        Queries that the planner has answered are not asked again; those of which nothing is stored are.

        Raises:
            Forbidden: models may not be asked here.
            NotFound: there is no such set.
            Invalid: a set without queries, or a key that no request can carry.
            Conflict: the planner's name is taken by answers that were made otherwise; or the planning is under way by
                another plan, or about to stop.
            Busy: too many are under way.
        """
        settings, plan = wish.settings, wish.plan
        permitted = self._endpoints.permit(settings.base_url, settings.model, wish.key, "planning")
        self._plans.library.set(settings.set_id)
        wanted = self._chosen(settings.set_id, plan)

        def join(planning: Planning) -> None:
            if planning.plan != plan:
                message = "This planning is under way with another choice or other limits; wait for it or stop it."
                raise Conflict("under_way", message)

        def begin() -> Planning:
            self._alone(settings)
            there = self._there(settings)
            return Planning(self._plans, settings, plan, wanted, there, permitted, self._wait)

        self._sittings.start(settings.planning_id, join, begin, lambda planning: None)
        return self.view(settings.planning_id)

    def stop(self, wanted: str) -> PlanningView:
        """Ask a planning to stop: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such planning.
        """
        if planning := self._sittings.of(wanted):
            planning.stop(STOPPED)
        return self.view(wanted)

    def close(self) -> None:
        """Stop all plannings and wait a little for their calls under way."""
        self._sittings.close()

    def view(self, wanted: str) -> PlanningView:
        """A planning as it is now.

        Raises:
            NotFound: there is none of that id, or it was before the server started.
        """
        last = self._sittings.last(wanted)
        if last is None:
            message = "There is no planning of that id since this server started; begin it again, and it goes on."
            raise NotFound("no_such_planning", message, "planning_id")
        running = self._sittings.of(wanted) is last
        ended: Any = "finished" if last.finished else "stopped"
        reasons = last.unscored.most_common(MOST_REASONS)
        return PlanningView(
            planning_id=wanted,
            set_id=last.settings.set_id,
            planner=last.settings.name,
            settings=last.settings.identity,
            plan=last.plan.model_dump(mode="json"),
            state="running" if running else ended,
            reason=last.reason if running or not last.finished else "",
            total=last.total,
            done=last.done,
            no_output=last.no_output,
            unanswered=[Unanswered(reason=reason, queries=count) for reason, count in reasons],
            **last.spent._asdict(),
            eta=last.eta if running else None,
            trouble=last.trouble if running else "",
            left_out=sorted(last.left_out),
        )

    def _alone(self, settings: PlannerSettings) -> None:
        """Let no two plannings write in one name side by side.

        Raises:
            Conflict: another one does.
        """
        for other in self._sittings.under_way():
            if (other.settings.set_id, other.settings.name) == (settings.set_id, settings.name):
                message = (
                    f"Another planning is answering in the name {settings.name!r}, and answers of two kinds under one "
                    "name could not be told apart; give another planner's name, or wait for it."
                )
                raise Conflict("planner_taken", message, "planner")

    def _chosen(self, set_id: str, plan: PlanningPlan) -> list[Wanted]:
        """The answers that a plan asks for, query by query.

        Raises:
            Invalid: the set has no queries.
        """
        ids = {row.id: row.query_id for row in self._plans.store.queries(set_id)}
        if not ids:
            raise Invalid("nothing_to_plan", "There are no queries in the set; import some.", "set_id")
        kept = ids
        if plan.most is not None and plan.most < len(ids):
            drawn = sorted(ids, key=lambda row: hashlib.sha256(f"{plan.seed}\n{ids[row]}".encode()).digest())
            few = set(drawn[: plan.most])
            kept = {row: query_id for row, query_id in ids.items() if row in few}
        return [
            Wanted(row, query_id, attempt) for attempt in range(1, plan.attempts + 1) for row, query_id in kept.items()
        ]

    def _there(self, settings: PlannerSettings) -> dict[Wanted, Spent]:
        """The planner's answers that are there, and what they took.

        Raises:
            Conflict: one was made otherwise.
        """
        store, there = self._plans.store, dict[Wanted, Spent]()
        for key in store.keys(settings.set_id):
            row = store.answer(key.id) if key.planner == settings.name else None
            if row is None:
                continue
            if row.record.get("origin") != settings.planning_id:
                message = (
                    f"There are answers of {settings.name!r} in the set that were made by other settings or elsewhere; "
                    "answers of two kinds under one name could not be told apart, so give another planner's name."
                )
                raise Conflict("planner_taken", message, "planner")
            there[Wanted(key.query, key.query_id, key.attempt)] = spent_of(row.record["note"])
        return there
