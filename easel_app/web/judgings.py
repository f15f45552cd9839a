"""REST: let a model judge the answers of a rubric set, look how far it is, stop it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from easel_app.runs.judging import Judgings
from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.web.errors import responses
from easel_app.web.runs import Continue

JudgingId = Annotated[str, Path(max_length=120, description="The judging, as it was named when it began.")]


def router(judgings: Judgings) -> APIRouter:
    """Routes under /api/rubrics/judgings."""
    routes = APIRouter(prefix="/rubrics/judgings", tags=["rubrics"])

    @routes.post(
        "",
        summary="Let a model judge a set, or go on with the judging of the same settings",
        description="Each rubric item of each answer is a call of its own. What has a verdict is not judged again.",
        status_code=201,
        responses=responses(403, 404, 409, 503),
    )
    def start(wish: NewJudging) -> JudgingView:
        return judgings.start(wish)

    @routes.get("", summary="The judgings of a set, or all of them, oldest first", responses=responses(404))
    def every(
        set_id: Annotated[
            str | None, Query(alias="set", max_length=120, description="Only judgings of this set.")
        ] = None,
    ) -> list[JudgingView]:
        return judgings.every(set_id)

    @routes.get("/{judging_id}", summary="A judging as it is now", responses=responses(404))
    def view(judging_id: JudgingId) -> JudgingView:
        return judgings.view(judging_id)

    @routes.post(
        "/{judging_id}/continue",
        summary="Go on with a judging by its last plan",
        responses=responses(403, 404, 409, 503),
    )
    def resume(judging_id: JudgingId, wish: Continue) -> JudgingView:
        return judgings.resume(judging_id, wish.key)

    @routes.delete("/{judging_id}", summary="Stop a judging; it can be continued", responses=responses(404))
    def stop(judging_id: JudgingId) -> JudgingView:
        return judgings.stop(judging_id)

    return routes
