"""REST: a session as a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from easel_app.exports.clip import Clip, Form
from easel_app.exports.service import Exports, Stopped
from easel_app.services.sessions import PAGE
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.sessions import SessionId
from easel_app.web.waiting import while_wanted

PIECE = 256 * 1024
TYPES: dict[Form, str] = {"webp": "image/webp", "gif": "image/gif", "mp4": "video/mp4"}


def router(studio: Studio, static: FilePath | None = None) -> APIRouter:
    """Routes under /api/sessions/{session_id}/export; `static` is where a replay's scripts are, else the project's."""
    routes = APIRouter(prefix="/sessions/{session_id}/export", tags=["exports"])
    exports = Exports(studio.sessions, studio.tasks, static)

    def headers(session_id: str, kind: str) -> dict[str, str]:
        disposition = f'attachment; filename="{exports.name(session_id, kind)}"'
        return {"Content-Disposition": disposition, "Cache-Control": "no-store"}

    @routes.get(
        "/replay.html",
        summary="A replay that opens from disk, without a server",
        response_class=Response,
        responses={**responses(404), 200: {"content": {"text/html": {}}}},
    )
    def replay(session_id: SessionId) -> Response:
        # it is to be kept and opened from disk: here its scripts would be this origin's
        alone = {"Content-Security-Policy": "sandbox"}
        page = exports.replay(session_id)
        return Response(page, media_type="text/html", headers={**headers(session_id, "html"), **alone})

    @routes.get(
        "/canvas.{form}",
        summary="The canvas after each step as a clip",
        description="The last frame is held for a second. Two clips are made at a time, else 503; MP4 needs the extra "
        "`video`, else 415.",
        response_class=StreamingResponse,
        responses={**responses(404, 409, 415, 503), 200: {"content": {kind: {} for kind in TYPES.values()}}},
    )
    async def clip(
        session_id: SessionId,
        form: Annotated[Form, Path(description="Format of the clip.")],
        wish: Annotated[Clip, Query()],
        request: Request,
    ) -> Response:
        found = await run_in_threadpool(headers, session_id, form)
        try:
            file = await while_wanted(request, partial(exports.clip, session_id, form, wish))
        except Stopped:
            return Response(status_code=204)  # to nobody
        return StreamingResponse(_pieces(file), media_type=TYPES[form], headers=found)

    @routes.get("/atif.json", summary="The trajectory in ATIF", responses=responses(404))
    def atif(session_id: SessionId, request: Request) -> JSONResponse:
        found = exports.atif(session_id, str(request.base_url).rstrip("/"))
        return JSONResponse(found, headers=headers(session_id, "atif.json"))

    @routes.get(
        "/log.jsonl",
        summary="Everything that happened, as `easel import` takes it",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {"application/x-ndjson": {}}}},
    )
    def log(session_id: SessionId) -> StreamingResponse:
        found = headers(session_id, "jsonl")
        lines = exports.log(session_id)
        blocks = iter(lambda: "".join(islice(lines, PAGE)), "")  # each block is a turn of a worker thread
        return StreamingResponse(blocks, media_type="application/x-ndjson", headers=found)

    return routes


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece
