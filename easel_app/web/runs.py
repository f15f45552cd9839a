"""REST: run a model or a painter over many tasks, look how far it is, stop it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field, SecretStr

from easel_app.painting.stroke import Strict
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.runs.views import RunView
from easel_app.services.endpoints import Endpoints
from easel_app.web.errors import responses

RunId = Annotated[str, Path(max_length=120, description="The run, as it was named when it began.")]


class RunOptions(BaseModel):
    """What a run could use here."""

    allowed: bool = Field(description="Whether runs may begin here.")
    reason: str = Field(description="Why not, in one sentence; else empty.")
    key_for: list[str] = Field(description="Base URLs that the server's own key goes to when none is given.")


class Continue(Strict):
    """What is needed to go on with a run."""

    key: SecretStr | None = Field(default=None, max_length=4000, description="Key for the endpoint; kept in memory.")


def router(runs: Runs, endpoints: Endpoints) -> APIRouter:
    """Routes under /api/runs."""
    routes = APIRouter(prefix="/runs", tags=["runs"])

    @routes.get("/options", summary="Whether runs may begin here")
    def options() -> RunOptions:
        return RunOptions(allowed=not endpoints.forbidden, reason=endpoints.forbidden, key_for=endpoints.key_for)

    @routes.post(
        "",
        summary="Begin a run, or go on with the one of the same settings",
        status_code=201,
        responses=responses(403, 503),
    )
    def start(wish: NewRun) -> RunView:
        return runs.start(wish)

    @routes.get("", summary="All runs, newest first")
    def every() -> list[RunView]:
        return runs.every()

    @routes.get("/{run_id}", summary="A run as it is now", responses=responses(404))
    def view(run_id: RunId) -> RunView:
        return runs.view(run_id)

    @routes.post("/{run_id}/continue", summary="Go on with a run by its last plan", responses=responses(403, 404, 503))
    def resume(run_id: RunId, wish: Continue) -> RunView:
        return runs.resume(run_id, wish.key)

    @routes.delete("/{run_id}", summary="Stop a run; it can be continued", responses=responses(404))
    def stop(run_id: RunId) -> RunView:
        return runs.stop(run_id)

    return routes
