"""REST: what can be painted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from easel_app.painting.tasks import OWN, SEMANTIC, Task
from easel_app.services.intake import Crop
from easel_app.services.problems import Invalid, Unsupported
from easel_app.services.studio import Studio
from easel_app.services.tasks import OWN_BUDGETS
from easel_app.services.views import BestOfTask
from easel_app.web.errors import responses

TaskId = Annotated[str, Path(description="The task, as the list names it.")]
Left = Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False, description="Crop: left edge over the width.")]
Top = Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False, description="Crop: top edge over the height.")]
Side = Annotated[float | None, Query(ge=0, le=1, allow_inf_nan=False, description="Crop: side over the shorter side.")]


def router(studio: Studio) -> APIRouter:
    """Routes under /api/tasks."""
    routes = APIRouter(prefix="/tasks", tags=["tasks"])

    @routes.get("", summary="List the published tasks", responses=responses(404))
    def list_tasks(category: Annotated[str | None, Query(description="Only this group.")] = None) -> list[Task]:
        return studio.tasks.list(category)

    @routes.get("/best", summary="The best of people, agents and painters on the semantic tasks")
    def best() -> list[BestOfTask]:
        return studio.results.best([task.id for task in studio.tasks.list(SEMANTIC)])

    @routes.get("/{task_id}", summary="One task", responses=responses(404))
    def get_task(task_id: TaskId) -> Task:
        return studio.tasks.get(task_id)

    @routes.get(
        "/{task_id}/reference.png",
        summary="The picture to paint",
        response_class=Response,
        responses={**responses(404), 200: {"content": {"image/png": {}}}},
    )
    def get_reference(task_id: TaskId, request: Request) -> Response:
        task = studio.tasks.get(task_id)
        tag = f'"{task.sha256}"'
        scope = "private" if task.category == OWN else "public"
        headers = {"ETag": tag, "Cache-Control": f"{scope}, max-age=600"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(task.png, media_type="image/png", headers=headers)

    @routes.post(
        "/own",
        summary="Make a task of your own picture",
        description="The body is a PNG, JPEG or WebP file of at most 8 MB. It is cropped to a square, scaled and "
        "stored without its metadata; the task is in no list and its sessions are in no ranking.",
        status_code=201,
        responses=responses(403, 408, 413, 415, 503),
        openapi_extra={"requestBody": {"required": True, "content": {"image/*": {}}}},
    )
    async def add_own(
        request: Request,
        size: Annotated[int, Query(description=f"Width of the task: one of {list(OWN_BUDGETS)}.")] = 128,
        left: Left = None,
        top: Top = None,
        side: Side = None,
    ) -> Task:
        if size not in OWN_BUDGETS:
            sizes = ", ".join(map(str, OWN_BUDGETS))
            message = f"size is {size}, but it must be one of {sizes}; correct it and try again."
            raise Invalid("invalid", message, "size")
        if not request.headers.get("content-type", "image/*").startswith(("image/", "application/octet-stream")):
            message = "The body must be the picture itself; send it with its own content type, such as image/png."
            raise Unsupported("content_type", message)
        crop = None
        if (left, top, side) != (None, None, None):
            if left is None or top is None or side is None:
                raise Invalid("invalid", "A crop needs left, top and side; send all three or none.", "side")
            crop = Crop(left, top, side)
        return await run_in_threadpool(studio.tasks.add_own, await request.body(), size, crop)

    return routes
