"""REST: execute a plan's calls by the backends that the host has configured, look what came of it, stop it."""

from __future__ import annotations

from fastapi import APIRouter

from easel_app.services.plans.backends import BackendsView
from easel_app.services.plans.execution import ExecutionView, NewExecution
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.plans import AnswerId


def router(studio: Studio) -> APIRouter:
    """Routes under /api/plans."""
    routes = APIRouter(prefix="/plans", tags=["plans"])
    executions = studio.plans.executions

    @routes.get("/executions/backends", summary="What of plans is executed here, by tool")
    def backends() -> BackendsView:
        return executions.backends.view()

    @routes.post(
        "/answers/{answer}/executions",
        summary="Execute a plan's calls",
        description="Those that brought a picture before are left out unless `again` is true. Nothing that a plan says "
        "is run as code, and its scores never depend on what comes of it.",
        status_code=202,
        responses=responses(403, 404, 409, 503),
    )
    def start(answer: AnswerId, wish: NewExecution) -> ExecutionView:
        return executions.start(answer, wish)

    @routes.get("/answers/{answer}/executions", summary="What came of a plan's calls so far", responses=responses(404))
    def view(answer: AnswerId) -> ExecutionView:
        return executions.view(answer)

    @routes.delete(
        "/answers/{answer}/executions",
        summary="Give up what is under way; what is done stays",
        responses=responses(404),
    )
    def stop(answer: AnswerId) -> ExecutionView:
        return executions.stop(answer)

    return routes
