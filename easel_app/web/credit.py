"""REST: what each stroke is worth to the canvas that it lies on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from easel_app.services.credit import Following
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.sessions import SessionId

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def router(studio: Studio) -> APIRouter:
    """Routes under /api/sessions/{session_id}/credit."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])

    @routes.get(
        "/{session_id}/credit",
        summary="What the canvas would lose without each stroke, as JSON lines",
        description="First a `plan`: `seq`, the actions in the log; `of`, the strokes that lie on the canvas; `score`. "
        "Then a `credit` for each of these strokes, the lowest first: `seq` of the action that painted it; `without`, "
        "the score of what all the others paint in order; `credit`, the canvas's score less that. At last `done`. "
        "Lines come as they are computed; closing the connection stops it.",
        response_class=StreamingResponse,
        responses={**responses(404, 409, 503), 200: {"content": {"application/x-ndjson": {}}}},
    )
    async def credit(session_id: SessionId) -> StreamingResponse:
        return _Followed(await run_in_threadpool(studio.credit.follow, session_id))

    return routes


class _Followed(StreamingResponse):
    """The lines of a computation, which is followed as long as the connection is there."""

    def __init__(self, following: Following) -> None:
        super().__init__(_lines(following), media_type="application/x-ndjson", headers=HEADERS)
        self._following = following

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:  # a stream that was cut off, or never began, has no other end
            self._following.close()


async def _lines(following: Following) -> AsyncIterator[str]:
    yield _line("plan", seq=following.seq, of=following.of, score=following.score)
    async for found in following.credits():
        yield "".join(_line("credit", **one._asdict()) for one in found)
    yield _line("done")


def _line(name: str, **fields: float) -> str:
    return json.dumps({"type": name, **fields}) + "\n"
