"""REST: tasks that are being written, tried by models, reviewed and exported. All of it needs a reviewer's token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from easel_app.exports.rubrics.draft_export import AcceptedTasks
from easel_app.runs.trials import Trials
from easel_app.services.problems import Unsupported
from easel_app.services.rubrics.authoring_views import (
    Draft,
    DraftLine,
    DraftTask,
    Exported,
    NewDecision,
    NewDraft,
    NewTrial,
    NewVersion,
    Stage,
)
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import PictureView
from easel_app.web.errors import responses
from easel_app.web.rubrics import Token

DraftId = Annotated[str, Path(max_length=64, description="The draft, as the list names it.")]
BYTES = ("image/", "application/octet-stream")


def router(rubrics: Rubrics, drafts: DraftService, trials: Trials) -> APIRouter:
    """Routes under /api/rubrics/drafts."""
    routes = APIRouter(prefix="/rubrics/drafts", tags=["rubrics"])
    reviews, person = DraftReviews(drafts), rubrics.reviewers.person

    @routes.get("", summary="The tasks that are being written, last changed first", responses=responses(401, 403))
    def every(
        token: Token,
        stage: Annotated[Stage | None, Query(description="Only those that are so far.")] = None,
        mine: Annotated[bool, Query(description="Only those that you write.")] = False,
    ) -> list[DraftLine]:
        return drafts.every(person(token), stage, mine=mine)

    @routes.post("", summary="Begin a task", status_code=201, responses=responses(401, 403, 409, 413))
    def make(wish: NewDraft, token: Token) -> Draft:
        return drafts.make(person(token), wish)

    @routes.post(
        "/pictures",
        summary="Upload a picture for a task",
        description="The body is a PNG, JPEG, WebP or GIF file of at most 32 MB and 40 megapixels, kept as it is. "
        "Versions name it by its digest.",
        status_code=201,
        responses=responses(401, 403, 408, 413, 415),
        openapi_extra={"requestBody": {"required": True, "content": {"image/*": {}}}},
    )
    async def upload(request: Request, token: Token) -> PictureView:
        await run_in_threadpool(person, token)
        if not request.headers.get("content-type", "image/*").startswith(BYTES):
            message = "The body must be the picture itself; send it with its own content type, such as image/png."
            raise Unsupported("content_type", message)
        return await run_in_threadpool(drafts.upload, await request.body())

    @routes.get(
        "/export",
        summary="The accepted tasks in the schema of VisualToolBench's data set",
        description="Pictures are data URLs. Its `rows`, saved as a file, are imported like any `dataset.json`.",
        response_class=StreamingResponse,
        responses={**responses(401, 403, 404, 409), 200: {"model": Exported, "description": "The tasks."}},
    )
    def export(
        token: Token,
        draft: Annotated[str | None, Query(max_length=64, description="Only the task of this draft.")] = None,
    ) -> StreamingResponse:
        who = person(token)
        refusal = drafts.standing(draft).refusal("export", who) if draft is not None else None
        if refusal:
            raise refusal
        tasks = AcceptedTasks(rubrics, drafts, draft)
        headers = {"Content-Disposition": 'attachment; filename="accepted-tasks.json"', "Cache-Control": "no-store"}
        return StreamingResponse(_exported(tasks.json()), media_type="application/json", headers=headers)

    @routes.get("/{draft_id}", summary="A task as it is now", responses=responses(401, 403, 404))
    def one(draft_id: DraftId, token: Token) -> Draft:
        return drafts.view(draft_id, person(token))

    @routes.post(
        "/{draft_id}/versions",
        summary="Change a task",
        description="Each change is a version. What models and reviewers said of earlier ones stays, and counts for "
        "those only.",
        status_code=201,
        responses=responses(401, 403, 404, 409, 413),
    )
    def change(draft_id: DraftId, wish: NewVersion, token: Token) -> Draft:
        return drafts.change(draft_id, person(token), wish)

    @routes.get("/{draft_id}/versions/{version}", summary="An earlier version", responses=responses(401, 403, 404))
    def version(
        draft_id: DraftId,
        version: Annotated[int, Path(ge=1, lt=2**31, description="Which one, counted from 1.")],
        token: Token,
    ) -> DraftTask:
        person(token)
        return drafts.version(draft_id, version)

    @routes.post(
        "/{draft_id}/trials",
        summary="Have models try a task and a judge grade them, or go on with that",
        description="It goes on in the background; the task tells how far it is. It is kept once enough models fail.",
        status_code=201,
        responses=responses(401, 403, 404, 409, 503),
    )
    def attempt(draft_id: DraftId, wish: NewTrial, token: Token) -> Draft:
        return trials.start(draft_id, person(token), wish)

    @routes.post(
        "/{draft_id}/decisions",
        summary="Review a task",
        description="Two rounds by two people, neither of whom has written any of it.",
        status_code=201,
        responses=responses(401, 403, 404, 409),
    )
    def decide(draft_id: DraftId, wish: NewDecision, token: Token) -> Draft:
        return reviews.decide(draft_id, person(token), wish)

    return routes


def _exported(rows: Iterator[bytes]) -> Iterator[bytes]:
    """An `Exported` whose rows are a JSON list."""
    yield b'{"rows": '
    yield from rows
    yield b"}"
