"""What the tests of inspections share: a small set, a wish, and what came of it."""

from __future__ import annotations

from typing import Any

from easel_app.runs.inspection_settings import InspectionView, NewInspection
from easel_app.runs.inspections import Inspections
from easel_app.services.studio import Studio
from easel_app.store.inspections import ReportRow
from tests.conftest import wait_until
from tests.endpoint.app import Running
from tests.plans.inspected import GOOD, PARAGRAPHS, PLAN
from tests.plans.making import tag
from tests.services.plans.making import SET, make_set

FLAWLESS = f"{PARAGRAPHS[0]}\n\n{tag(GOOD)}"
TEXTS = (PLAN, FLAWLESS, PARAGRAPHS[1], "")
"""With a vague call and a gap; without a fault; without a call and with a gap; without output."""
PLANS, REPORTS, CALLS = 6, 18, 16
"""Plans with output, reports on them, and those that are asked for: plans without calls need no Precision."""


def inspected_set(studio: Studio, set_id: str = SET) -> list[int]:
    """Four queries answered by two planners, by the texts in turn; the answers' row ids."""
    studio.plans.library.first_look.job = lambda: None  # the sample set would only take time here
    return make_set(studio.plans, 4, texts=TEXTS, set_id=set_id)


def wish(at: Running | str, set_id: str = SET, **more: Any) -> NewInspection:
    url = at if isinstance(at, str) else at.url
    return NewInspection.model_validate({"set_id": set_id, "base_url": url, "model": "a-judge", **more})


def ended(inspections: Inspections, wanted: str) -> InspectionView:
    wait_until(lambda: inspections.view(wanted).state != "running", 60)
    return inspections.view(wanted)


def finish(inspections: Inspections, wanted: NewInspection) -> InspectionView:
    return ended(inspections, inspections.start(wanted).inspection_id)


def rows(studio: Studio, view: InspectionView) -> dict[tuple[int, str], ReportRow]:
    found = studio.plans.inspections.reports(view.inspection_id)
    return {(row.answer, row.inspector): row for row in found}


def reports(studio: Studio, view: InspectionView) -> dict[tuple[int, str], Any]:
    return {key: row.report for key, row in rows(studio, view).items() if row.report is not None}
