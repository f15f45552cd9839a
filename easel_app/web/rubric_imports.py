"""REST: import rubric data, from a file that is sent or from a source that the server can reach."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from easel_app.services.rubrics.imports import NewImport, RubricImport, RubricImports, Upload
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.taking_in.imports import MOST_UPLOAD
from easel_app.services.wings import RUBRICS
from easel_app.web import set_imports
from easel_app.web.errors import ErrorBody


class RefusedImport(ErrorBody):
    """An import that was refused for what is in the file; any other refusal has no report."""

    report: ImportReport | None = Field(default=None, description="What is wrong, record by record.")


KIND = set_imports.Kind(
    RUBRICS,
    upload=Upload,
    named=NewImport,
    view=RubricImport,
    report=ImportReport,
    refused=RefusedImport,
    file="Import a file of rubric data",
    body="The body is a file of JSON lines (easel-rubrics/1), or of the benchmark's own JSON or parquet, plain or "
    f"packed by gzip, of at most {MOST_UPLOAD // 1024**2} MB unpacked; pictures are data URLs or in the parquet.",
    media_types=("application/x-ndjson", "application/json", "application/vnd.apache.parquet", "application/gzip"),
    source="Import from the Hugging Face hub or from a disk of the server",
)


def router(imports: RubricImports) -> APIRouter:
    """Routes under /api/rubrics/imports."""
    return set_imports.router(imports, KIND)
