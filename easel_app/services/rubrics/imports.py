"""Imports of rubric data for callers: of a file that they send, or of a source that they name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from easel_app.rubrics.reading import RubricSource, from_disk
from easel_app.services.rubrics.intake import RubricIntake
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.taking_in.imports import SENT, Imports, ImportView, SourcePath, Stopping, Told, Wish
from easel_app.services.taking_in.intake import Progress
from easel_app.services.views import Line
from easel_app.settings import Settings

HUB_NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
"""What a data set of the hub is called."""


class Upload(Wish):
    """How a file is imported."""

    model: Line | None = Field(None, description="Whose answers are in files that do not say it.")
    judge: Line | None = Field(None, description="Who judged in files that do not say it.")


class NewImport(Upload):
    """What is needed to import from the hub or from a disk of the server."""

    source: SourcePath = Field(
        description="NAME/REPO of a data set of the Hugging Face hub, or the path of a file or folder on the server.",
        examples=["ScaleAI/VisualToolBench"],
    )
    revision: Line | None = Field(None, description="Of a data set of the hub: branch, tag or commit.")


class RubricImport(ImportView[ImportReport]):
    """An import as it is now."""


class RubricImports(Imports[Upload, NewImport, ImportReport, RubricImport]):
    """Imports of rubric data."""

    command: ClassVar[str] = "easel rubrics import"
    _view: ClassVar[type[Any]] = RubricImport

    @classmethod
    def of(cls, intake: RubricIntake, settings: Settings) -> RubricImports:
        """Those of a studio."""
        return cls(intake, forbidden=cls.forbidden(settings))

    def _sent(self, path: Path, wish: Upload) -> RubricSource:
        return RubricSource([path], SENT, model=wish.model, judge=wish.judge, alone=True)

    @classmethod
    def named(cls, wish: NewImport, told: Told, stopping: Stopping) -> RubricSource:
        """The source that a wish names, on a disk or on the hub. Raises SourceUnusable, Stopped."""
        path = Path(wish.source).expanduser()
        if path.exists() or not HUB_NAME.fullmatch(wish.source):
            return from_disk(path, model=wish.model, judge=wish.judge)
        from easel_app.rubrics.reading.hub import from_hub  # its library takes its time, and few need it

        def fetched(done: int, total: int) -> None:
            told(Progress("fetching", 0, None, done, total))

        return from_hub(wish.source, wish.revision, told=fetched, stopping=stopping, model=wish.model, judge=wish.judge)
