"""REST: import plans, from a file that is sent or from a file or folder of the server."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from easel_app.services.plans.import_reports import PlanImportReport
from easel_app.services.plans.imports import NewPlanImport, PlanImport, PlanImports, PlanUpload
from easel_app.services.taking_in.imports import MOST_UPLOAD
from easel_app.web.errors import ErrorBody, ErrorDetail, responses
from easel_app.web.waiting import while_wanted

ImportId = Annotated[str, Path(max_length=64, description="The import, as it was named when it began.")]
KINDS = ("application/x-ndjson", "application/json", "text/plain", "application/gzip")


class RefusedPlanImport(ErrorBody):
    """An import that was refused for what is in the file; any other refusal has no report."""

    report: PlanImportReport | None = Field(default=None, description="What is wrong, record by record.")


def router(imports: PlanImports) -> APIRouter:
    """Routes under /api/plans/imports."""
    routes = APIRouter(prefix="/plans/imports", tags=["plans"])

    @routes.post(
        "",
        summary="Import a file of plans",
        description="The body is a file of JSON lines (easel-plans/1), of one of the other formats that "
        "docs/plan-format.md tells, or one plan as a bare text, plain or packed by gzip, of at most "
        f"{MOST_UPLOAD // 1024**2} MB unpacked; pictures are data URLs, and nothing is ever fetched. All of it is "
        "looked at first. If something is wrong with it nothing is stored, and the error brings the report; with "
        "`partial` the rest is stored. Records that the set has already are skipped.",
        status_code=201,
        response_model=PlanImportReport,
        responses={**responses(403, 408, 409, 413, 503), 422: {"model": RefusedPlanImport}},
        openapi_extra={"requestBody": {"required": True, "content": {kind: {} for kind in KINDS}}},
    )
    async def take_in(request: Request, wish: Annotated[PlanUpload, Query()]) -> PlanImportReport | JSONResponse:
        body = await request.body()
        report = await while_wanted(request, lambda stopping: imports.upload(body, wish, stopping))
        if report.state != "refused":
            return report
        field = report.faults[0].place if report.faults else None
        detail = ErrorDetail(code="import_refused", message=report.sentence(), field=field)
        return JSONResponse(RefusedPlanImport(error=detail, report=report).model_dump(mode="json"), 422)

    @routes.post(
        "/source",
        summary="Import a file or folder of the server",
        description="It goes on in the background. Only where nobody but this machine can reach the studio.",
        status_code=202,
        responses=responses(403, 503),
    )
    def start(wish: NewPlanImport) -> PlanImport:
        return imports.start(wish)

    @routes.get("/{import_id}", summary="An import as it is now", responses=responses(404))
    def view(import_id: ImportId) -> PlanImport:
        return imports.view(import_id)

    @routes.delete(
        "/{import_id}",
        summary="Stop an import",
        description="What is stored stays, and the same import goes on with it.",
        responses=responses(404),
    )
    def stop(import_id: ImportId) -> PlanImport:
        return imports.stop(import_id)

    return routes
