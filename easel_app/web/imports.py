"""REST: take in a session that was played elsewhere."""

from __future__ import annotations

from fastapi import APIRouter, Request

from easel_app.services.imports import Imported
from easel_app.services.logs import MOST_BYTES
from easel_app.services.sessions import LOG_FORMAT
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.waiting import while_wanted


def router(studio: Studio) -> APIRouter:
    """The route /api/sessions/import."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])

    @routes.post(
        "/import",
        summary="Import a session from its log",
        description=f"The body is a log as `/{{session_id}}/log` gives it ({LOG_FORMAT}), plain or packed by gzip, of "
        f"at most {MOST_BYTES // 1024**2} MB unpacked. It is played again here, whole or not at all: scores are "
        "computed anew, and what the log claims is only compared with them. Nobody gets a write token.",
        status_code=201,
        responses=responses(403, 408, 409, 413, 415, 503),
        openapi_extra={
            "requestBody": {"required": True, "content": {"application/x-ndjson": {}, "application/gzip": {}}}
        },
    )
    async def take_in(request: Request) -> Imported:
        body = await request.body()
        found = await while_wanted(request, lambda stopping: studio.imports.take_in(body, stopping=stopping))
        return found.model_copy(update={"watch_url": str(request.base_url).rstrip("/") + found.watch_url})

    return routes
