"""What came of an import of plans, in numbers of its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from easel_app.services.taking_in.reports import Counts, Report


class PlanTally(Counts):
    """Numbers of records."""

    words: ClassVar[Mapping[str, str]] = {
        "queries": "query",
        "answers": "answer",
        "reports": "report",
        "votes": "vote",
    }

    queries: int = Field(default=0, description="Queries.")
    answers: int = Field(default=0, description="Answers of planners.")
    reports: int = Field(default=0, description="Reports of judges' inspectors.")


class PlanImportReport(Report[PlanTally]):
    """What came of an import of plans."""
