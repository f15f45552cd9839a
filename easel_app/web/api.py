"""The API: REST and events under /api, MCP at /mcp, and /healthz."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from fastapi import FastAPI, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.middleware.trustedhost import TrustedHostMiddleware

from easel_app import __version__
from easel_app.runs.inspections import Inspections
from easel_app.runs.judging import Judgings
from easel_app.runs.plannings import Plannings
from easel_app.runs.readings import ModelReader
from easel_app.runs.service import Runs
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_runs import ToolRuns
from easel_app.runs.trials import Trials
from easel_app.services.endpoints import Endpoints
from easel_app.services.plans.imports import PlanImports
from easel_app.services.problems import NotFound
from easel_app.services.rubrics.imports import RubricImports
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web import (
    credit,
    drafts,
    errors,
    exports,
    imports,
    plan_executions,
    plan_exports,
    plan_figures,
    plan_imports,
    plans,
    readings,
    results,
    rubric_analysis,
    rubric_exports,
    rubric_imports,
    rubrics,
    sessions,
    tasks,
    tool_runs,
)
from easel_app.web import inspections as inspections_routes
from easel_app.web import judgings as judgings_routes
from easel_app.web import plannings as plannings_routes
from easel_app.web import runs as runs_routes
from easel_app.web.guard import Guard
from easel_app.web.limits import BodyLimit
from easel_app.web.mcp.endpoint import Endpoint

DESCRIPTION = """People and agents paint a canvas stroke by stroke to match a reference, under one budget.

Begin a session, send strokes with its write token, watch anyone's session live. Every error has one shape."""


EVERY_METHOD = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


class Health(BaseModel):
    """Whether the server works."""

    status: str = Field(description="`ok`.")
    version: str = Field(description="Version of the studio.")
    tasks: int = Field(description="Published tasks.")


def create_api(studio: Studio, settings: Settings) -> FastAPI:
    """An app with all routes but the page's; it closes the studio when it stops."""
    mcp = Endpoint(studio, settings)
    endpoints = Endpoints.of(settings)
    runs, judgings = Runs(studio, endpoints), Judgings(studio, endpoints)
    plannings, inspections = Plannings(studio, endpoints), Inspections(studio, endpoints)
    with_tools = ToolRuns(studio, judgings, Equipment.of(settings), endpoints)
    network: Literal["service", "off"] = "service" if settings.tool_services else "off"
    trials = Trials(studio.rubrics.drafts, with_tools, judgings, endpoints, network=network)
    taking = RubricImports.of(studio.rubrics.intake, settings)
    planned = PlanImports.of(studio.plans.intake, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.run():
            yield
        works = (runs, trials, with_tools, judgings, plannings, taking, planned, inspections, studio.plans.executions)
        await asyncio.gather(*(run_in_threadpool(work.close) for work in works))
        studio.close()

    # FastAPI's own documentation pages load scripts from another host: only the description itself is served
    app = FastAPI(
        title="Easel Studio",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    errors.install(app)
    app.include_router(tasks.router(studio), prefix="/api")
    app.include_router(readings.router(studio, ModelReader(studio, endpoints)), prefix="/api")  # /unread is no session
    app.include_router(sessions.router(studio), prefix="/api")
    app.include_router(credit.router(studio), prefix="/api")
    app.include_router(imports.router(studio), prefix="/api")
    app.include_router(exports.router(studio), prefix="/api")
    app.include_router(runs_routes.router(runs, endpoints), prefix="/api")
    app.include_router(results.router(studio), prefix="/api")
    app.include_router(plan_figures.router(studio), prefix="/api")
    app.include_router(plan_exports.router(studio), prefix="/api")
    app.include_router(rubrics.router(studio, settings), prefix="/api")
    app.include_router(rubric_analysis.router(studio, studio.rubrics.analyses), prefix="/api")
    app.include_router(drafts.router(studio.rubrics, studio.rubrics.drafts, trials), prefix="/api")
    app.include_router(tool_runs.router(with_tools), prefix="/api")
    app.include_router(plans.router(studio), prefix="/api")
    app.include_router(plan_executions.router(studio), prefix="/api")
    app.include_router(plan_imports.router(planned), prefix="/api")
    app.include_router(rubric_exports.router(studio), prefix="/api")
    app.include_router(rubric_imports.router(taking), prefix="/api")
    app.include_router(judgings_routes.router(judgings), prefix="/api")
    app.include_router(plannings_routes.router(plannings), prefix="/api")
    app.include_router(inspections_routes.router(inspections), prefix="/api")
    app.router.routes.extend(mcp.routes)

    @app.get("/healthz", summary="Whether the server works", tags=["server"])
    async def health() -> Health:  # answers while all worker threads are busy
        return Health(status="ok", version=__version__, tasks=len(studio.tasks.list()))

    @app.api_route("/api/{path:path}", methods=[*EVERY_METHOD], include_in_schema=False)
    def nowhere(path: str) -> Response:
        raise NotFound("not_found", "There is nothing here for this method; see /api/openapi.json.")

    app.add_middleware(BodyLimit)
    app.add_middleware(Guard)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=settings.hosts)
    return app
