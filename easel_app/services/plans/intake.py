"""Taking plans in."""

from __future__ import annotations

from typing import Any, ClassVar

from easel_app.plans.files import SetLine
from easel_app.services.plans.checking_in import Checker
from easel_app.services.plans.import_reports import PlanImportReport, PlanTally
from easel_app.services.plans.storing import Writer
from easel_app.services.taking_in.intake import Intake
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore
from easel_app.store.plan_votes import PlanVoteStore
from easel_app.store.plans import PlanStore


class PlanIntake(Intake[PlanTally, PlanImportReport]):
    """Takes in plans."""

    data: ClassVar[str] = "set of plans"
    _line: ClassVar[type[Any]] = SetLine
    _report: ClassVar[type[Any]] = PlanImportReport

    def __init__(
        self, store: PlanStore, inspections: InspectionStore, votes: PlanVoteStore, pictures: PictureFiles
    ) -> None:
        super().__init__(store)
        self._store, self._inspections, self._votes, self._pictures = store, inspections, votes, pictures

    def _checker(self, set_id: str | None) -> Checker:
        return Checker(self._store, self._inspections, set_id)

    def _writer(self, set_id: str) -> Writer:
        return Writer(self._store, self._inspections, self._votes, self._pictures, set_id)
