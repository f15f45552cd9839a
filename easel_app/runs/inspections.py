"""Inspections as a caller sees them: let three inspectors report on the plans of a set, go on, look, stop."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import SecretStr

from easel_app.plans.reports import INSPECTORS, Inspector
from easel_app.runs.inspecting import Inspecting, Keys
from easel_app.runs.inspection_settings import (
    NOTE,
    ONE_MODEL,
    InspectionPlan,
    InspectionSettings,
    InspectionView,
    NewInspection,
)
from easel_app.runs.presiding import Presiding
from easel_app.services.endpoints import Endpoints
from easel_app.services.kept import Kept
from easel_app.services.ledger import now
from easel_app.services.plans.judges import models_of
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord

MOST_INSPECTIONS = 4
"""Inspections under way at a time."""
MOST_CHOICES = 64
"""Choices of plans that are kept."""


class Chosen(NamedTuple):
    """Which plans of a set are inspected."""

    answers: list[int]
    """Row ids of those with output."""
    without_output: int
    """Others of the choice: there is nothing to inspect in them."""


class Inspections(Presiding[Inspecting]):
    """All inspections of a studio, of which several may look at one set."""

    work, listed = "inspection", "GET /api/plans/inspections"

    def __init__(self, studio: Studio, endpoints: Endpoints | None = None, *, wait: float = 1.0) -> None:
        """Serve the inspections of a studio.

        Args:
            studio: whose plans are inspected.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        super().__init__(studio.plans.inspections, MOST_INSPECTIONS)
        self._all, self._endpoints, self._wait = studio.plans, endpoints or Endpoints(), wait
        self._choices = Kept[str, tuple[int, Chosen]](MOST_CHOICES)

    def start(self, wish: NewInspection) -> InspectionView:
        """Begin an inspection, or go on with the one of equal settings; one that is under way just goes on.

        Reports that are there are not asked for again; those that an inspector could not give are.

        Raises:
            Forbidden: models may not be asked here.
            NotFound: there is no such set.
            Invalid: no such planner's plans, nothing to inspect, or a key that no request can carry.
            Conflict: it is under way by another plan, or about to stop.
            Busy: too many are under way.
        """
        return self._start(wish.settings, wish.plan, {each: wish.keys.get(each, wish.key) for each in INSPECTORS})

    def resume(self, wanted: str, key: SecretStr | None = None) -> InspectionView:
        """Go on with an inspection by the plan of its last sitting, with one key for all roles.

        Raises:
            NotFound: there is no such inspection.
            Conflict: its reports came with data.
            Invalid: it was begun by another version; and as `start` does.
        """
        record = self._find(wanted)
        if record.origin == "imported":
            message = "These reports came with data, so there is no judge to ask; begin an inspection of your own."
            raise Conflict("imported", message)
        settings = InspectionSettings.of(record.settings)
        if settings.inspection_id != record.id:
            message = "It was begun by another version of the prompts, and versions never mix; begin a new inspection."
            raise Invalid("other_version", message)
        plan = InspectionPlan.model_validate(self._last_plan(record.id))
        return self._start(settings, plan, dict.fromkeys(INSPECTORS, key))

    def _start(self, settings: InspectionSettings, plan: InspectionPlan, keys: Keys) -> InspectionView:
        permitted: Keys = {each: self._permit(settings, each, keys.get(each)) for each in INSPECTORS}
        chosen = self._chosen(self._all.library.set(settings.set_id).id, plan)
        if not chosen.answers:
            message = "There is nothing to inspect in the choice; import plans, or have some generated."
            raise Invalid("nothing_to_inspect", message, "set_id")
        wanted = settings.inspection_id
        record = JudgingRecord(wanted, settings.set_id, settings.judge, "run", settings.stored, now())
        begin = lambda: Inspecting(self._all, settings, plan, chosen.answers, permitted, self._wait)  # noqa: E731
        self._launch(record, plan, begin)
        return self.view(wanted)

    def _permit(self, settings: InspectionSettings, inspector: Inspector, key: SecretStr | None) -> SecretStr | None:
        role = settings.role(inspector)
        return self._endpoints.permit(role.base_url, role.model, key, "inspection")

    def stop(self, wanted: str) -> InspectionView:
        """Ask an inspection to stop: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such inspection.
        """
        self._stop(wanted)
        return self.view(wanted)

    def every(self, set_id: str | None = None) -> list[InspectionView]:
        """The inspections of a set, or all of them, oldest first; those that came with data too.

        Raises:
            NotFound: there is no such set.
        """
        if set_id is not None:
            self._all.library.set(set_id)
        return [self.view(record.id) for record in self._all.inspections.judgings(set_id)]

    def view(self, wanted: str) -> InspectionView:
        """An inspection as it is now.

        Raises:
            NotFound: there is no such inspection.
        """
        record = self._find(wanted)
        summary, models = self._all.library.summary(record.set_id, record.id), models_of(record)
        plan = InspectionPlan.model_validate(self._last_plan(record.id))
        facts = {
            **self._standing(record),
            "models": models,
            "reports": {each: summary.reports[each] for each in INSPECTORS},
            "unscored": {each: summary.unscored[each] for each in INSPECTORS},
            "without_output": 0 if record.origin == "imported" else self._chosen(record.set_id, plan).without_output,
            "warnings": self._warnings(record, models),
        }
        return InspectionView(inspection_id=record.id, note=NOTE, **facts)

    def _warnings(self, record: JudgingRecord, models: Mapping[Inspector, str]) -> list[str]:
        found = [ONE_MODEL] if len(models) == len(INSPECTORS) and len(set(models.values())) == 1 else []
        planners = {key.planner for key in self._all.store.keys(record.set_id)}
        if own := sorted(planners.intersection(models.values())):
            found.append(f"It judges plans of its own: {', '.join(own)} is a planner here too, and may favour itself.")
        others = [each.judge for each in self._all.inspections.judgings(record.set_id) if each.id != record.id]
        if others:
            found.append(f"The set is also judged by {', '.join(others)}; compare no absolute scores across judges.")
        return found

    def _progress(self, record: JudgingRecord, plan: Mapping[str, Any]) -> tuple[int, int]:
        summary = self._all.library.summary(record.set_id, record.id)
        done = sum(summary.reports.values())
        if record.origin == "imported":
            return done + sum(summary.unscored.values()), done
        answers = set(self._chosen(record.set_id, InspectionPlan.model_validate(plan)).answers)
        rows = self._all.inspections.reports(record.id)
        return 3 * len(answers), sum(row.report is not None and row.answer in answers for row in rows)

    def _chosen(self, set_id: str, plan: InspectionPlan) -> Chosen:
        """Which plans a sitting is about; chosen anew when the set has grown.

        Raises:
            Invalid: there are no plans of a planner, or no plan of that id in the set.
        """
        key, size = f"{set_id}\n{plan.model_dump_json()}", self._all.store.counts(set_id)["answers"]
        kept = self._choices.get(key)
        if kept is None or kept[0] != size:
            kept = self._choices.put(key, (size, self._choose(set_id, plan)))
        return kept[1]

    def _choose(self, set_id: str, plan: InspectionPlan) -> Chosen:
        outlines = self._all.library.outlines(set_id)
        planners = Counter(key.planner for key, _ in outlines)
        for planner in plan.planners or ():
            if planner not in planners:
                known = ", ".join(sorted(planners)) or "nobody"
                message = f"There is no plan of {planner!r} in the set; there are plans of {known}."
                raise Invalid("no_such_planner", message, "planners")
        if unknown := set(plan.answers or ()) - {key.id for key, _ in outlines}:
            raise Invalid("no_such_plan", f"The set has no plan {min(unknown)}; its list names their ids.", "answers")
        wanted = None if plan.answers is None else set(plan.answers)
        found = {
            key.id: (f"{key.query_id}\n{key.planner}\n{key.attempt}", outline.no_output)
            for key, outline in outlines
            if (plan.planners is None or key.planner in plan.planners) and (wanted is None or key.id in wanted)
        }
        if plan.most_plans is not None and plan.most_plans < len(found):
            drawn = sorted(found, key=lambda i: hashlib.sha256(f"{plan.seed}\n{found[i][0]}".encode()).digest())
            kept = set(drawn[: plan.most_plans])
            found = {answer: each for answer, each in found.items() if answer in kept}
        answers = [answer for answer, (_, no_output) in found.items() if not no_output]
        return Chosen(answers, len(found) - len(answers))
