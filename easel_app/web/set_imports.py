"""REST: import sets of one kind, from a file that is sent or from a source that the server can reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse

from easel_app.services.taking_in.imports import Imports
from easel_app.services.wings import Wing
from easel_app.web.errors import ErrorDetail, responses
from easel_app.web.waiting import while_wanted

ImportId = Annotated[str, Path(max_length=64, description="The import, as it was named when it began.")]


class Kind(NamedTuple):
    """What is imported, and how the routes tell of it."""

    wing: Wing
    upload: type[Any]
    """The wish of who sends a file."""
    named: type[Any]
    """The wish of who names a source."""
    view: type[Any]
    """What an import looks like."""
    report: type[Any]
    """What came of it."""
    refused: type[Any]
    """An `ErrorBody` that may bring a report."""
    file: str
    """Summary of the route that takes a file."""
    body: str
    """What a file holds, in sentences."""
    media_types: Iterable[str]
    """Of a file."""
    source: str
    """Summary of the route that takes the name of a source."""


def router(imports: Imports[Any, Any, Any, Any], kind: Kind) -> APIRouter:
    """Routes under /api/<wing>/imports."""
    routes = APIRouter(prefix=f"/{kind.wing.name}/imports", tags=[kind.wing.name])

    async def take_in(request: Request, wish: Any) -> Any:
        body = await request.body()
        report = await while_wanted(request, lambda stopping: imports.upload(body, wish, stopping))
        if report.state != "refused":
            return report
        field = report.faults[0].place if report.faults else None
        detail = ErrorDetail(code="import_refused", message=report.sentence(), field=field)
        return JSONResponse(kind.refused(error=detail, report=report).model_dump(mode="json"), 422)

    def start(wish: Any) -> Any:
        return imports.start(wish)

    # what a wish is depends on the kind, and FastAPI reads it of the function
    take_in.__annotations__["wish"] = Annotated[kind.upload, Query()]
    start.__annotations__["wish"] = kind.named
    routes.post(
        "",
        summary=kind.file,
        description=f"{kind.body} All of it is looked at first. If something is wrong with it nothing is stored, and "
        "the error brings the report; with `partial` the rest is stored. Records that the set has already are skipped.",
        status_code=201,
        response_model=kind.report,
        responses={**responses(403, 408, 409, 413, 503), 422: {"model": kind.refused}},
        openapi_extra={"requestBody": {"required": True, "content": {each: {} for each in kind.media_types}}},
    )(take_in)
    routes.post(
        "/source",
        summary=kind.source,
        description="It goes on in the background. Only where nobody but this machine can reach the studio.",
        status_code=202,
        response_model=kind.view,
        responses=responses(403, 503),
    )(start)

    @routes.get("/{import_id}", summary="An import as it is now", response_model=kind.view, responses=responses(404))
    def view(import_id: ImportId) -> Any:
        return imports.view(import_id)

    @routes.delete(
        "/{import_id}",
        summary="Stop an import",
        description="What is stored stays, and the same import goes on with it.",
        response_model=kind.view,
        responses=responses(404),
    )
    def stop(import_id: ImportId) -> Any:
        return imports.stop(import_id)

    return routes
