"""REST: what planners score, how far to trust their judges, and what is published."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from easel_app.services.plans.figures_views import Agreement, PlanScores, PublishedPlans
from easel_app.services.plans.published import published
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.rubrics import AnyToken, SetId


def router(studio: Studio) -> APIRouter:
    """Routes under /api/plans."""
    routes = APIRouter(prefix="/plans", tags=["plans"])
    plans = studio.plans

    @routes.get(
        "/sets/{set_id}/scores",
        summary="What the planners of a set score, by each judge and by people",
        description="SR names its policy and its aggregation. Absolute scores of different judges are not to be "
        "compared. Rows of people are made of their present words, one for each person and plan; correlations with "
        "people of what they said blind. Rows are told to whoever asks, and a row of one plan (of a planner in a "
        "category, say) is what is said of that plan: whoever is still to vote blind must not look.",
        responses=responses(404),
    )
    def scores(set_id: SetId) -> PlanScores:
        return plans.scores.scores(set_id)

    @routes.get(
        "/sets/{set_id}/agreement",
        summary="How far to trust three inspectors, with n and a 95 % interval for every statistic",
        description="What people said before anything was revealed to them, beside each inspector and beside each "
        "other. The list of calls leaves out those on which the caller may still say something blind; without a token, "
        "that may be any.",
        responses=responses(403, 404),
    )
    def agreement(
        set_id: SetId,
        token: AnyToken,
        inspection: Annotated[
            str | None, Query(max_length=120, description="Which judge; left out: the first.")
        ] = None,
        tell: Annotated[
            bool, Query(description="Tell everything in the list; whoever is still to vote blind must not look.")
        ] = False,
    ) -> Agreement:
        person = plans.reviewers.person(token) if token else None
        return plans.agreement.agreement(set_id, inspection, person, tell=tell)

    @routes.get("/published", summary="The benchmark's published results, which are not comparable with ours")
    def published_results() -> PublishedPlans:
        return published()

    return routes
