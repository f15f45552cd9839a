"""REST: sets of plans, the plans as documents, and people's verdicts on them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import BaseModel, Field

from easel_app.plans.records import Severity, Status
from easel_app.scoring.plan import Gap
from easel_app.services.plans.library import tools
from easel_app.services.plans.listing import Filters
from easel_app.services.plans.viewing import Reports
from easel_app.services.plans.views import PlanPage, PlanSet, PlanView, PlanVoteBody, Revealing, Step, Tools
from easel_app.services.reviewers import Person
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.rubrics import AnyToken, Token

SetId = Annotated[str, Path(max_length=120, description="The set, as /api/plans/sets names it.")]
AnswerId = Annotated[int, Path(ge=1, lt=2**53, description="The plan, as the list of its set names it.")]
QueryId = Annotated[str, Path(max_length=128, description="The query, by its id in the set.")]
WhichJudge = Annotated[str | None, Query(max_length=120, description="Which judge's reports; left out: all.")]
Shown = Annotated[
    Reports,
    Query(description="`shown` shows a reader without a token what judges say, and what people do."),
]
HARMLESS = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
"""So that no browser makes more of a file than it is said to be."""


class Which(BaseModel):
    """Names a plan."""

    answer: int = Field(description="The plan.")


def _filters(
    planner: Annotated[str | None, Query(max_length=80, description="Only plans of this planner.")] = None,
    category: Annotated[str | None, Query(max_length=80, description="Only queries of this category.")] = None,
    tool: Annotated[
        Literal["reference", "diffusion", "search", "code", "edit", "unknown"] | None,
        Query(description="Only plans that call this tool; `unknown`: one that is none."),
    ] = None,
    status: Annotated[Status | None, Query(description="Only plans with a call that was read so.")] = None,
    problem: Annotated[str | None, Query(max_length=40, description="Only plans with this problem code.")] = None,
    severity: Annotated[Severity | None, Query(description="Only plans with a problem of this severity.")] = None,
    gap: Annotated[
        Gap | Literal["any"] | None,
        Query(
            description="Only plans with a gap of this kind, of the judge's or of yours; a judge's counts where it may "
            "be shown to you."
        ),
    ] = None,
    open: Annotated[bool, Query(description="Only plans with a part on which you have not voted.")] = False,
    verdict: Annotated[
        Literal["accept", "revise", "reject", "none"] | None,
        Query(description="Only plans of which you say so; `none`: of which you say nothing."),
    ] = None,
    q: Annotated[
        str, Query(max_length=200, description="Words that must all stand in what is shown of a plan to you.")
    ] = "",
    inspection: Annotated[
        str | None, Query(max_length=120, description="Whose final scores and gaps; left out: the first judge's.")
    ] = None,
    reports: Shown = "blind",
) -> Filters:
    return Filters(planner, category, tool, status, problem, severity, gap, open, verdict, q, inspection, reports)


Filtered = Annotated[Filters, Depends(_filters)]


def _sent(view: PlanView) -> Response:
    """A plan as JSON at once: a long one would take seconds by way of plain objects."""
    return Response(view.model_dump_json(), media_type="application/json")


def router(studio: Studio) -> APIRouter:
    """Routes under /api/plans."""
    routes = APIRouter(prefix="/plans", tags=["plans"])
    plans = studio.plans

    def somebody(token: str | None) -> Person | None:
        return plans.reviewers.person(token) if token else None

    @routes.get("/sets", summary="The sets of plans")
    def sets() -> list[PlanSet]:
        return [plans.library.view(record) for record in plans.library.sets()]

    @routes.get("/sets/{set_id}", summary="One set of plans", responses=responses(404))
    def one_set(set_id: SetId) -> PlanSet:
        return plans.library.view(plans.library.set(set_id))

    @routes.get("/tools", summary="The tools that a plan may call")
    def registry() -> list[Tools]:
        return tools()

    @routes.get(
        "/sets/{set_id}/plans",
        summary="The plans of a set that fit some filters, by query and then by planner",
        description="What judges and others say is told, filtered by and searched only as far as it may be shown to "
        "you: on the parts on which you have voted, or that you have asked to see.",
        responses=responses(403, 404),
    )
    def page(
        set_id: SetId,
        filters: Filtered,
        token: AnyToken,
        offset: Annotated[int, Query(ge=0, lt=2**53, description="How many to leave out.")] = 0,
        limit: Annotated[int, Query(ge=1, le=500, description="How many to list at most.")] = 100,
    ) -> PlanPage:
        return plans.lists.page(set_id, somebody(token), filters, offset, limit)

    @routes.get(
        "/sets/{set_id}/step",
        summary="Where a plan stands among those that fit some filters, and what is around it",
        responses=responses(403, 404),
    )
    def step(
        set_id: SetId,
        filters: Filtered,
        token: AnyToken,
        answer: Annotated[int | None, Query(ge=1, lt=2**53, description="The plan; left out: before all.")] = None,
    ) -> Step:
        return plans.lists.step(set_id, somebody(token), filters, answer)

    @routes.get("/sets/{set_id}/find", summary="Which plan is a planner's answer to a query", responses=responses(404))
    def find(
        set_id: SetId,
        query_id: Annotated[str, Query(max_length=128, description="The query.")],
        planner: Annotated[str, Query(max_length=80, description="Who planned.")],
        attempt: Annotated[int, Query(ge=1, le=1000, description="Which of their attempts.")] = 1,
    ) -> Which:
        return Which(answer=plans.library.find(set_id, query_id, planner, attempt))

    @routes.get(
        "/sets/{set_id}/queries/{query_id:path}/reference",
        summary="The data's own answer to a query, as a plan",
        response_model=PlanView,
        responses=responses(404),
    )
    def reference(set_id: SetId, query_id: QueryId) -> Response:
        return _sent(plans.views.reference(set_id, query_id))

    @routes.get(
        "/answers/{answer}",
        summary="A plan as a document, with what may be shown beside it",
        description="Of what judges and others say, you are shown the parts on which you have voted, or that you have "
        "asked to see. Without a token nothing of it, or with `reports=shown` all.",
        response_model=PlanView,
        responses=responses(403, 404),
    )
    def one_plan(
        answer: AnswerId, token: AnyToken, inspection: WhichJudge = None, reports: Shown = "blind"
    ) -> Response:
        return _sent(plans.views.view(answer, somebody(token), inspection=inspection, reports=reports))

    @routes.get(
        "/answers/{answer}/raw", summary="All of a plan's text", response_class=Response,
        responses={**responses(404), 200: {"content": {"text/plain": {}}}},
    )  # fmt: skip
    def raw(answer: AnswerId) -> Response:
        name = {"Content-Disposition": f'attachment; filename="plan-{answer}.txt"'}
        return Response(plans.views.raw(answer), media_type="text/plain", headers=HARMLESS | name)

    @routes.post(
        "/answers/{answer}/votes",
        summary="Say what you think of a part of a plan, change it, or take it back",
        description="The answer comes after the vote is committed, and shows what others say of the part. A vote is "
        "blind if nothing of that was shown to you before; only blind votes enter agreement.",
        response_model=PlanView,
        responses=responses(401, 403, 404, 409),
    )
    def vote(answer: AnswerId, wish: PlanVoteBody, token: Token) -> Response:
        return _sent(plans.votes.cast(answer, plans.reviewers.person(token), wish))

    @routes.post(
        "/answers/{answer}/reveal",
        summary="See what others say of a part of a plan, or of all of it, without voting first",
        description="From then on a vote of yours on it is no longer blind. What the Chief Judge says (`fs`) speaks of "
        "every part.",
        response_model=PlanView,
        responses=responses(401, 403, 404),
    )
    def reveal(answer: AnswerId, wish: Revealing, token: Token) -> Response:
        return _sent(plans.votes.reveal(answer, plans.reviewers.person(token), wish.part))

    @routes.get(
        "/pictures/{digest}", summary="A picture of a pool", response_class=Response,
        responses={**responses(404), 200: {"content": {"image/*": {}}}},
    )  # fmt: skip
    def picture(digest: Annotated[str, Path(max_length=64, description="SHA-256 of its file.")]) -> Response:
        content, kind = plans.library.picture(digest)
        kept = {"Cache-Control": "private, max-age=31536000, immutable"}
        return Response(content, media_type=kind, headers=HARMLESS | kept)

    return routes
