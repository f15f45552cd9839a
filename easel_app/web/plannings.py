"""REST: let a model answer the queries of a set by plans, look how far it is, stop it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from easel_app.runs.planning_settings import NewPlanning, PlanningView
from easel_app.runs.plannings import Plannings
from easel_app.web.errors import responses

PlanningId = Annotated[str, Path(max_length=120, description="The planning, as it was named when it began.")]


def router(plannings: Plannings) -> APIRouter:
    """Routes under /api/plans/plannings."""
    routes = APIRouter(prefix="/plans/plannings", tags=["plans"])

    @routes.post(
        "",
        summary="Let a model plan answers to the queries of a set, or go on with the planning of the same settings",
        description="Each query is a call of its own. What the planner has answered is not asked again.",
        status_code=201,
        responses=responses(403, 404, 409, 503),
    )
    def start(wish: NewPlanning) -> PlanningView:
        return plannings.start(wish)

    @routes.get("/{planning_id}", summary="A planning as it is now", responses=responses(404))
    def view(planning_id: PlanningId) -> PlanningView:
        return plannings.view(planning_id)

    @routes.delete("/{planning_id}", summary="Stop a planning; it can go on later", responses=responses(404))
    def stop(planning_id: PlanningId) -> PlanningView:
        return plannings.stop(planning_id)

    return routes
