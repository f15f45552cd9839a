"""REST: import plans, from a file that is sent or from a file or folder of the server."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from easel_app.services.plans.import_reports import PlanImportReport
from easel_app.services.plans.imports import NewPlanImport, PlanImport, PlanImports, PlanUpload
from easel_app.services.taking_in.imports import MOST_UPLOAD
from easel_app.services.wings import PLANS
from easel_app.web import set_imports
from easel_app.web.errors import ErrorBody


class RefusedPlanImport(ErrorBody):
    """An import that was refused for what is in the file; any other refusal has no report."""

    report: PlanImportReport | None = Field(default=None, description="What is wrong, record by record.")


KIND = set_imports.Kind(
    PLANS,
    upload=PlanUpload,
    named=NewPlanImport,
    view=PlanImport,
    report=PlanImportReport,
    refused=RefusedPlanImport,
    file="Import a file of plans",
    body="The body is a file of JSON lines (easel-plans/1), of one of the other formats that docs/plan-format.md "
    f"tells, or one plan as a bare text, plain or packed by gzip, of at most {MOST_UPLOAD // 1024**2} MB unpacked; "
    "pictures are data URLs, and nothing is ever fetched.",
    media_types=("application/x-ndjson", "application/json", "text/plain", "application/gzip"),
    source="Import a file or folder of the server",
)


def router(imports: PlanImports) -> APIRouter:
    """Routes under /api/plans/imports."""
    return set_imports.router(imports, KIND)
