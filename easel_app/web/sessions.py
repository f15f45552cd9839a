"""REST: begin a session, act, look, watch."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from easel_app.exports.service import scaled
from easel_app.painting.showing import LARGEST_SCALE
from easel_app.services.live import Event, Viewer
from easel_app.services.overlay import Overlay
from easel_app.services.painters import NewPainter, PainterView
from easel_app.services.problems import Invalid, Unauthenticated
from easel_app.services.ranking import KINDS
from easel_app.services.sessions import PAGE
from easel_app.services.studio import Studio
from easel_app.services.views import (
    Answer,
    Begun,
    Guest,
    NewAction,
    NewFork,
    NewGuest,
    NewSession,
    SessionSummary,
    SessionView,
    Sharing,
    Turn,
)
from easel_app.web.errors import responses

PING = 15.0
"""Seconds of silence after which a comment keeps the connection through proxies alive."""
SessionId = Annotated[str, Path(description="The session, as it was named when it began.")]
MOST_TOGETHER = 24
"""Sessions in one stream."""
PlayerKind = Literal["human", "agent", "painter"]
bearer = HTTPBearer(auto_error=False, description="The session's write token, or a guest's.")


def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str:
    if credentials is None:
        message = "Acting needs the session's write token; send it as 'Authorization: Bearer …'."
        raise Unauthenticated("no_token", message)
    return credentials.credentials


Token = Annotated[str, Depends(_token)]


def router(studio: Studio) -> APIRouter:
    """Routes under /api/sessions."""
    routes = APIRouter(prefix="/sessions", tags=["sessions"])
    sessions = studio.sessions

    def absolute(request: Request, path: str) -> str:
        return str(request.base_url).rstrip("/") + path

    @routes.post("", summary="Begin a session", status_code=201, responses=responses(404))
    def begin(wish: NewSession, request: Request) -> Begun:
        begun = sessions.begin(wish)
        return begun.model_copy(update={"watch_url": absolute(request, begun.watch_url)})

    @routes.post(
        "/{session_id}/actions",
        summary="Paint a stroke, undo or submit",
        description="The answer comes after the action is committed. Repeating a request id returns its first answer.",
        responses=responses(401, 403, 404, 409, 413, 503),
    )
    def act(
        session_id: SessionId,
        wish: NewAction,
        token: Token,
    ) -> Answer:
        return sessions.act(session_id, token, wish)

    @routes.get("", summary="Sessions of published tasks, newest first, or the best of each task")
    def newest(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=100, description="How many at most.")] = 24,
        before: Annotated[str | None, Query(max_length=64, description="Only those after it in the list.")] = None,
        run: Annotated[str | None, Query(max_length=120, description="Only those of this run.")] = None,
        task: Annotated[str | None, Query(max_length=64, description="Only those of this task.")] = None,
        kind: Annotated[PlayerKind | None, Query(description="Only those of such players.")] = None,
        player: Annotated[str | None, Query(max_length=80, description="Only those of players of this name.")] = None,
        status: Annotated[Literal["open", "ended"] | None, Query(description="Only those that are so.")] = None,
        order: Annotated[
            Literal["newest", "best"],
            Query(description="`best`: the best ranked painting of each task; `kind` alone narrows it."),
        ] = "newest",
    ) -> list[SessionSummary]:
        if order == "best":
            for name, value in {"run": run, "task": task, "player": player, "status": status}.items():
                if value is not None:
                    message = f"The best of each task cannot be narrowed by {name}; leave it out, or order by newest."
                    raise Invalid("not_with_best", message, name)
            found = _page(studio.results.gallery([kind] if kind else KINDS), before, limit)
        else:
            ended = None if status is None else status == "ended"
            found = sessions.newest(
                limit=limit, before=before, run=run, task=task, kind=kind, player=player, ended=ended
            )
        return [entry.model_copy(update={"watch_url": absolute(request, entry.watch_url)}) for entry in found]

    @routes.get(
        "/events",
        summary="What happens in several sessions from now on, as server-sent events",
        description="As `/{session_id}/events`, for up to 24 sessions in one stream; each event names its session.",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {"text/event-stream": {}}}},
    )
    async def all_events(
        session: Annotated[list[str], Query(min_length=1, max_length=MOST_TOGETHER, description="Ids of sessions.")],
    ) -> StreamingResponse:
        return await stream(*dict.fromkeys(session))

    @routes.post(
        "/{session_id}/forks",
        summary="Go on from a step of a session",
        description="A new session that begins with the first steps of this one, which stays as it is. Anyone may do "
        "so; the new session says where it comes from and is not ranked.",
        status_code=201,
        responses=responses(404, 409),
    )
    def fork(session_id: SessionId, wish: NewFork, request: Request) -> Begun:
        begun = sessions.fork(session_id, wish)
        return begun.model_copy(update={"watch_url": absolute(request, begun.watch_url)})

    @routes.put("/{session_id}/sharing", summary="Let others take turns, or end it", responses=responses(401, 403, 404))
    def share(session_id: SessionId, wish: Sharing, token: Token) -> Turn:
        return sessions.share(session_id, token, wish)

    @routes.post(
        "/{session_id}/guests",
        summary="Take part in a shared session",
        status_code=201,
        responses=responses(403, 404),
    )
    def join(session_id: SessionId, wish: NewGuest) -> Guest:
        return sessions.join(session_id, wish)

    @routes.post(
        "/{session_id}/hand-back", summary="Give the turn back to the player", responses=responses(401, 403, 404)
    )
    def hand_back(session_id: SessionId, token: Token) -> Turn:
        return sessions.hand_back(session_id, token)

    @routes.post(
        "/{session_id}/painter",
        summary="Let a built-in painter paint from now on",
        status_code=202,
        responses=responses(401, 403, 404, 409, 503),
    )
    def paint(session_id: SessionId, wish: NewPainter, token: Token) -> PainterView:
        return studio.painters.start(session_id, token, wish)

    @routes.delete(
        "/{session_id}/painter", summary="Stop the painter", status_code=204, responses=responses(401, 403, 404)
    )
    def stop_painter(session_id: SessionId, token: Token) -> None:
        studio.painters.stop(session_id, token)

    @routes.get("/{session_id}", summary="A session as it is now", responses=responses(404))
    def view(session_id: SessionId, request: Request) -> SessionView:
        found = sessions.view(session_id)
        return found.model_copy(update={"watch_url": absolute(request, found.watch_url)})

    @routes.get(
        "/{session_id}/canvas.png",
        summary="The canvas now, or after a step",
        response_class=Response,
        responses={**responses(404), 200: {"content": {"image/png": {}}}},
    )
    def canvas(
        session_id: SessionId,
        step: Annotated[int | None, Query(description="0 is the start canvas.")] = None,
        scale: Annotated[int, Query(ge=1, le=LARGEST_SCALE, description="Each pixel as a square of that side.")] = 1,
    ) -> Response:
        picture = scaled(sessions.canvas(session_id, step), scale)
        return Response(picture, media_type="image/png", headers={"Cache-Control": "no-store"})

    @routes.get(
        "/{session_id}/log",
        summary="Everything that happened, as JSON lines",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {"application/x-ndjson": {}}}},
    )
    def log(session_id: SessionId) -> StreamingResponse:
        return lines_of(sessions.log(session_id))

    @routes.get(
        "/{session_id}/evidence",
        summary="What the player was shown and said, as JSON lines",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {"application/x-ndjson": {}}}},
    )
    def evidence(session_id: SessionId) -> StreamingResponse:
        return lines_of(sessions.evidence(session_id))

    @routes.get(
        "/{session_id}/overlay",
        summary="What a semantic score rests on, as a picture over the canvas",
        description="For ended sessions of semantic tasks: the evidence shows the answer.",
        responses=responses(404, 409),
    )
    def show_overlay(session_id: SessionId) -> Overlay:
        return sessions.overlay(session_id)

    def lines_of(entries: Iterator[dict[str, Any]]) -> StreamingResponse:
        def blocks() -> Iterator[str]:  # each block is a turn of a worker thread
            while lines := [json.dumps(entry, ensure_ascii=False) + "\n" for entry in islice(entries, PAGE)]:
                yield "".join(lines)

        return StreamingResponse(blocks(), media_type="application/x-ndjson")

    @routes.get(
        "/{session_id}/events",
        summary="What happens from now on, as server-sent events",
        description="First a `snapshot` (the session and its canvas as base64 PNG), then an `action` for each action, "
        "with the changed rectangle as PNG. `id` is the seq, which has no gap; after a hole, reconnect.",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {"text/event-stream": {}}}},
    )
    async def events(session_id: SessionId) -> StreamingResponse:
        return await stream(session_id)

    async def stream(*session_ids: str) -> StreamingResponse:
        for session_id in session_ids:
            await run_in_threadpool(sessions.require, session_id)  # a wrong id is a 404, not an empty stream
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(_stream(studio, session_ids), media_type="text/event-stream", headers=headers)

    return routes


def _page(found: list[SessionSummary], before: str | None, limit: int) -> list[SessionSummary]:
    """What follows an entry of a list; nothing where it has no such entry."""
    ids = [entry.session_id for entry in found]
    first = 0 if before is None else ids.index(before) + 1 if before in ids else len(ids)
    return found[first : first + limit]


async def _stream(studio: Studio, session_ids: tuple[str, ...]) -> AsyncIterator[str]:
    viewer = Viewer()
    try:
        yield "retry: 1000\n\n"
        for session_id in session_ids:
            yield _format(await run_in_threadpool(studio.sessions.watch, session_id, viewer))
        async for event in viewer.events(PING):
            yield _format(event) if event else ": ping\n\n"
    finally:
        for session_id in session_ids:
            studio.sessions.live.leave(session_id, viewer)


def _format(event: Event) -> str:
    return f"id: {event.seq}\nevent: {event.name}\ndata: {event.data}\n\n"
