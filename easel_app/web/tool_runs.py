"""REST: let a model answer the tasks of a rubric set with tools, look how far it is, stop it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field, SecretStr

from easel_app.runs.tool_equipment import ToolOptions
from easel_app.runs.tool_run_settings import NewToolRun, ToolRunView
from easel_app.runs.tool_runs import ToolRuns
from easel_app.web.errors import responses
from easel_app.web.runs import Continue

RunId = Annotated[str, Path(max_length=120, description="The tool run, as it was named when it began.")]


class ContinueToolRun(Continue):
    """What is needed to go on with a tool run."""

    judge_key: SecretStr | None = Field(
        default=None, max_length=4000, description="Key for the judge's endpoint; kept in memory."
    )


def router(runs: ToolRuns) -> APIRouter:
    """Routes under /api/rubrics/tool-runs, and /api/rubrics/tools."""
    routes = APIRouter(prefix="/rubrics", tags=["rubrics"])

    @routes.get("/tools", summary="What tools a run can use here")
    def options() -> ToolOptions:
        return runs.options()

    @routes.post(
        "/tool-runs",
        summary="Let a model answer a set with tools, or go on with the run of the same settings",
        description="Each round of each attempt is a call of its own, stored before the next. What is answered is not "
        "asked again. With `judge` the answers are judged in the end, and laid out in a review queue.",
        status_code=201,
        responses=responses(403, 404, 409, 503),
    )
    def start(wish: NewToolRun) -> ToolRunView:
        return runs.start(wish)

    @routes.get("/tool-runs", summary="The tool runs of a set, or all of them, newest first", responses=responses(404))
    def every(
        set_id: Annotated[str | None, Query(alias="set", max_length=120, description="Only runs on this set.")] = None,
    ) -> list[ToolRunView]:
        return runs.every(set_id)

    @routes.get("/tool-runs/{run_id}", summary="A tool run as it is now", responses=responses(404))
    def view(run_id: RunId) -> ToolRunView:
        return runs.view(run_id)

    @routes.post(
        "/tool-runs/{run_id}/continue",
        summary="Go on with a tool run by its last plan",
        responses=responses(403, 404, 409, 503),
    )
    def resume(run_id: RunId, wish: ContinueToolRun) -> ToolRunView:
        return runs.resume(run_id, wish.key, wish.judge_key)

    @routes.delete("/tool-runs/{run_id}", summary="Stop a tool run; it can be continued", responses=responses(404))
    def stop(run_id: RunId) -> ToolRunView:
        return runs.stop(run_id)

    return routes
