"""REST: let a model read what was written in a session, beside the offline reader."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from easel_app.runs.readings import ModelReader, NewReading
from easel_app.services.studio import Studio
from easel_app.services.views import ReadingView
from easel_app.web.errors import responses
from easel_app.web.sessions import SessionId


def router(studio: Studio, reader: ModelReader) -> APIRouter:
    """Routes under /api/sessions/{session_id}/readings."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])

    @routes.get(
        "/{session_id}/readings", summary="What models read in a session of handwriting", responses=responses(404)
    )
    def readings(session_id: SessionId) -> list[ReadingView]:
        return studio.sessions.readings(session_id)

    @routes.post(
        "/{session_id}/readings",
        summary="Let a model read an ended session of handwriting",
        description="The model is shown the canvas and never told the word. Its reading is recorded beside the score.",
        status_code=201,
        responses=responses(403, 404, 409, 503),
    )
    def read(session_id: SessionId, wish: NewReading) -> ReadingView:
        return reader.read(session_id, wish)

    @routes.get("/unread", summary="Ended sessions of handwriting that a model has not read yet")
    def unread(model: Annotated[str, Query(max_length=200, description="Name of the model.")]) -> list[str]:
        return reader.unread(model)

    return routes
