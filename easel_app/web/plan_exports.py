"""REST: a set of plans, or a plan, as a file of its own."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from easel_app.exports.outgoing import PAGE, TYPES, Export
from easel_app.exports.plans.service import PlanExports, SetName
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.rubrics import SetId

AnswerId = Annotated[int, Path(ge=1, lt=2**53, description="The plan, as its set's list names it.")]
TELLS = "It tells what judges and people say: whoever is still to review blind looks at it later."
FILES: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in (TYPES | PAGE).values()}}}


def router(studio: Studio) -> APIRouter:
    """Routes under /api/plans."""
    routes = APIRouter(prefix="/plans", tags=["plans"])
    exports = PlanExports(studio.plans)

    @routes.get(
        "/sets/{set_id}/export/{name}",
        summary="A set of plans, or what is said of it, as a file",
        description="`set.jsonl`: all of it in the studio's own format, to be imported elsewhere; `set.zip`: the same "
        "with its pictures; `plans`, `calls` and `gaps`: one row each, with what judges and people say; `scores`: what "
        "planners score by each judge and by people; `agreement`: each statistic of each judge's agreement with "
        "people. In CSV, texts that a spreadsheet would take for a formula begin with an apostrophe. " + TELLS,
        response_class=StreamingResponse,
        responses={**responses(404), **FILES},
    )
    def whole_set(set_id: SetId, name: Annotated[SetName, Path(description="Which file.")]) -> StreamingResponse:
        return _sent(exports.export(set_id, name))

    @routes.get(
        "/answers/{answer}/export/plan.html",
        summary="A plan as one HTML file that opens from disk",
        description="Its document with cards in place, pictures of its own pool, reports and problems. It holds no "
        "script and can fetch nothing. " + TELLS,
        response_class=StreamingResponse,
        responses={**responses(404), **FILES},
    )
    def plan(answer: AnswerId) -> StreamingResponse:
        return _sent(exports.plan(answer))

    @routes.get(
        "/answers/{answer}/export/compare.html",
        summary="Two plans of one query, or one and the reference answer, as one HTML file that opens from disk",
        description="Aligned by paragraph; else as plan.html. " + TELLS,
        response_class=StreamingResponse,
        responses={**responses(404, 422), **FILES},
    )
    def compare(
        answer: AnswerId,
        other: Annotated[
            Annotated[int, Field(ge=1, lt=2**53)] | Literal["reference"],
            Query(description="The plan beside it, or `reference`: the data's own answer."),
        ],
    ) -> StreamingResponse:
        return _sent(exports.compare(answer, other))

    return routes


def _sent(made: Export) -> StreamingResponse:
    disposition = f'attachment; filename="{made.file_name}"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
    return StreamingResponse(made.pieces, media_type=made.media_type, headers=headers)
