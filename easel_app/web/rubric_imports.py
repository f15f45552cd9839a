"""REST: import rubric data, from a file that is sent or from a source that the server can reach."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from easel_app.services.rubrics.imports import NewImport, RubricImport, RubricImports, Upload
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.taking_in.imports import MOST_UPLOAD
from easel_app.web.errors import ErrorBody, ErrorDetail, responses
from easel_app.web.waiting import while_wanted

ImportId = Annotated[str, Path(max_length=64, description="The import, as it was named when it began.")]
KINDS = ("application/x-ndjson", "application/json", "application/vnd.apache.parquet", "application/gzip")


class RefusedImport(ErrorBody):
    """An import that was refused for what is in the file; any other refusal has no report."""

    report: ImportReport | None = Field(default=None, description="What is wrong, record by record.")


def router(imports: RubricImports) -> APIRouter:
    """Routes under /api/rubrics/imports."""
    routes = APIRouter(prefix="/rubrics/imports", tags=["rubrics"])

    @routes.post(
        "",
        summary="Import a file of rubric data",
        description="The body is a file of JSON lines (easel-rubrics/1), or of the benchmark's own JSON or parquet, "
        f"plain or packed by gzip, of at most {MOST_UPLOAD // 1024**2} MB unpacked; pictures are data URLs or in the "
        "parquet. All of it is looked at first. If something is wrong with it nothing is stored, and the error brings "
        "the report; with `partial` the rest is stored. Records that the set has already are skipped.",
        status_code=201,
        response_model=ImportReport,
        responses={**responses(403, 408, 409, 413, 503), 422: {"model": RefusedImport}},
        openapi_extra={"requestBody": {"required": True, "content": {kind: {} for kind in KINDS}}},
    )
    async def take_in(request: Request, wish: Annotated[Upload, Query()]) -> ImportReport | JSONResponse:
        body = await request.body()
        report = await while_wanted(request, lambda stopping: imports.upload(body, wish, stopping))
        if report.state != "refused":
            return report
        field = report.faults[0].place if report.faults else None
        detail = ErrorDetail(code="import_refused", message=report.sentence(), field=field)
        return JSONResponse(RefusedImport(error=detail, report=report).model_dump(mode="json"), 422)

    @routes.post(
        "/source",
        summary="Import from the Hugging Face hub or from a disk of the server",
        description="It goes on in the background. Only where nobody but this machine can reach the studio.",
        status_code=202,
        responses=responses(403, 503),
    )
    def start(wish: NewImport) -> RubricImport:
        return imports.start(wish)

    @routes.get("/{import_id}", summary="An import as it is now", responses=responses(404))
    def view(import_id: ImportId) -> RubricImport:
        return imports.view(import_id)

    @routes.delete(
        "/{import_id}",
        summary="Stop an import",
        description="What is stored stays, and the same import goes on with it.",
        responses=responses(404),
    )
    def stop(import_id: ImportId) -> RubricImport:
        return imports.stop(import_id)

    return routes
