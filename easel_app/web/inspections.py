"""REST: let three inspectors report on the plans of a set, look how far they are, stop them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from easel_app.runs.inspection_settings import InspectionView, NewInspection
from easel_app.runs.inspections import Inspections
from easel_app.web.errors import responses
from easel_app.web.runs import Continue

InspectionId = Annotated[str, Path(max_length=120, description="The inspection, as it was named when it began.")]


def router(inspections: Inspections) -> APIRouter:
    """Routes under /api/plans/inspections."""
    routes = APIRouter(prefix="/plans/inspections", tags=["plans"])

    @routes.post(
        "",
        summary="Let models inspect the plans of a set, or go on with the inspection of the same settings",
        description="Each inspector's report on each plan is a call of its own. A report that is there is not asked "
        "for again. `base_url`, `model`, `temperature` and `key` hold for each role that does not say otherwise.",
        status_code=201,
        responses=responses(403, 404, 409, 503),
    )
    def start(wish: NewInspection) -> InspectionView:
        return inspections.start(wish)

    @routes.get("", summary="The inspections of a set, or all of them, oldest first", responses=responses(404))
    def every(
        set_id: Annotated[str | None, Query(max_length=120, description="Only inspections of this set.")] = None,
    ) -> list[InspectionView]:
        return inspections.every(set_id)

    @routes.get("/{inspection_id}", summary="An inspection as it is now", responses=responses(404))
    def view(inspection_id: InspectionId) -> InspectionView:
        return inspections.view(inspection_id)

    @routes.post(
        "/{inspection_id}/continue",
        summary="Go on with an inspection by its last plan",
        responses=responses(403, 404, 409, 503),
    )
    def resume(inspection_id: InspectionId, wish: Continue) -> InspectionView:
        return inspections.resume(inspection_id, wish.key)

    @routes.post("/{inspection_id}/stop", summary="Stop an inspection; it can be continued", responses=responses(404))
    def stop(inspection_id: InspectionId) -> InspectionView:
        return inspections.stop(inspection_id)

    return routes
