"""What the tests of judgings share: a wish, and what came of it."""

from __future__ import annotations

from typing import Any

from easel_app.runs.judging import Judgings
from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.services.studio import Studio
from easel_app.store.judgings import VerdictRow
from tests.conftest import wait_until
from tests.endpoint import Script, with_faults
from tests.endpoint.app import Running
from tests.endpoint.judge import grader

PAIRS = 16
Verdicts = dict[tuple[int, int], str | None]


def wish(at: Running, set_id: str = "small", **more: Any) -> NewJudging:
    return NewJudging(**{"set_id": set_id, "base_url": at.url, "model": "a-judge", **more})


def ended(judgings: Judgings, judging_id: str) -> JudgingView:
    wait_until(lambda: judgings.view(judging_id).state != "running", 60)
    return judgings.view(judging_id)


def finish(judgings: Judgings, wanted: NewJudging) -> JudgingView:
    return ended(judgings, judgings.start(wanted).judging_id)


def verdicts(studio: Studio, view: JudgingView) -> Verdicts:
    return {(row.answer, row.item): row.verdict for row in studio.rubrics.judgings.verdicts(view.judging_id)}


def rows(studio: Studio, view: JudgingView) -> list[VerdictRow]:
    found = [
        studio.rubrics.judgings.verdict(view.judging_id, row.answer, row.item)
        for row in studio.rubrics.judgings.verdicts(view.judging_id)
    ]
    return [row for row in found if row]


def beginning(script: Script, number: int) -> Script:
    """A judge that becomes another after so many requests."""
    return with_faults(grader, (script, lambda at, body: at >= number))
