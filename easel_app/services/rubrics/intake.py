"""Taking rubric data in."""

from __future__ import annotations

from typing import Any, ClassVar

from easel_app.rubrics.records import SetLine
from easel_app.services.rubrics.checking import Checker
from easel_app.services.rubrics.reports import ImportReport, Tally
from easel_app.services.rubrics.storing import Votes, Writer
from easel_app.services.taking_in.intake import Intake
from easel_app.store.files import PictureFiles
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import RubricStore


class RubricIntake(Intake[Tally, ImportReport]):
    """Takes in rubric data."""

    data: ClassVar[str] = "rubric data"
    _line: ClassVar[type[Any]] = SetLine
    _report: ClassVar[type[Any]] = ImportReport

    def __init__(self, store: RubricStore, judgings: JudgingStore, pictures: PictureFiles, votes: Votes) -> None:
        super().__init__(store)
        self._store, self._judgings, self._pictures, self._votes = store, judgings, pictures, votes

    def _checker(self, set_id: str | None) -> Checker:
        return Checker(self._store, self._judgings, set_id)

    def _writer(self, set_id: str) -> Writer:
        return Writer(self._store, self._judgings, self._pictures, self._votes, set_id)
