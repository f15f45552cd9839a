"""Imports of plans for callers: of a file that they send, or of a file or folder of the server that they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from easel_app.plans.files import PoolOrder
from easel_app.plans.reading import IndexBase, PlanSource, from_disk
from easel_app.services.plans.import_reports import PlanImportReport
from easel_app.services.plans.intake import PlanIntake
from easel_app.services.taking_in.imports import SENT, Imports, ImportView, SourcePath, Stopping, Told, Wish
from easel_app.services.views import Line
from easel_app.settings import Settings


class PlanUpload(Wish):
    """How a file is imported."""

    planner: Line | None = Field(
        None,
        description="Whose plans are in files that do not say it; null: as the file is called, and `imported planner` "
        "where it is sent, for then it has no name.",
    )
    index_base: IndexBase = Field(
        "auto", description="Index of the first image in data that leave it open; `auto`: as the plans tell."
    )
    pool_order: PoolOrder = Field(
        "query_first", description="Which images of the pool come first in data that leave it open."
    )


class NewPlanImport(PlanUpload):
    """What is needed to import from a disk of the server."""

    source: SourcePath = Field(description="The path of a file or folder on the server.")


class PlanImport(ImportView[PlanImportReport]):
    """An import of plans as it is now."""


class PlanImports(Imports[PlanUpload, NewPlanImport, PlanImportReport, PlanImport]):
    """Imports of plans."""

    command: ClassVar[str] = "easel plans import"
    _view: ClassVar[type[Any]] = PlanImport

    @classmethod
    def of(cls, intake: PlanIntake, settings: Settings) -> PlanImports:
        """Those of a studio."""
        return cls(intake, forbidden=cls.forbidden(settings))

    def _sent(self, path: Path, wish: PlanUpload) -> PlanSource:
        return PlanSource([path], SENT, alone=True, **_how(wish))

    @classmethod
    def named(cls, wish: NewPlanImport, told: Told, stopping: Stopping) -> PlanSource:
        """The source that a wish names. Raises SourceUnusable."""
        return from_disk(Path(wish.source).expanduser(), **_how(wish))


def _how(wish: PlanUpload) -> dict[str, Any]:
    return {"planner": wish.planner, "index_base": wish.index_base, "pool_order": wish.pool_order}
