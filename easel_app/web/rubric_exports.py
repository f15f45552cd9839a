"""REST: a rubric set as a file of its own."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import StreamingResponse

from easel_app.exports.outgoing import TYPES
from easel_app.exports.rubrics.service import Name, RubricExports
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.rubrics import SetId


def router(studio: Studio) -> APIRouter:
    """Routes under /api/rubrics/sets/{set_id}/export."""
    routes = APIRouter(prefix="/rubrics/sets/{set_id}/export", tags=["rubrics"])
    exports = RubricExports(studio.rubrics)

    @routes.get(
        "/{name}",
        summary="A rubric set, or what is said of it, as a file",
        description="`verdicts`: all that judges and people say, `.jsonl` to be imported again, `.csv` in long form; "
        "`consensus`: one row for each item of each answer; `scores`: what models score, by each judge and by people; "
        "`agreement`: each statistic of each judge's agreement with people; `set.zip`: all of the set with its "
        "pictures, to be imported elsewhere. In CSV, texts that a spreadsheet would take for a formula begin with an "
        "apostrophe. These files tell what others say: whoever is still to review blind looks at them later.",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {kind: {} for kind in TYPES.values()}}},
    )
    def export(set_id: SetId, name: Annotated[Name, Path(description="Which file.")]) -> StreamingResponse:
        made = exports.export(set_id, name)
        disposition = f'attachment; filename="{made.file_name}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return StreamingResponse(made.pieces, media_type=made.media_type, headers=headers)

    return routes
