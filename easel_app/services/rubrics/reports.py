"""What came of an import of rubric data, in numbers of its records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from easel_app.services.taking_in.reports import Counts, Report


class Tally(Counts):
    """Numbers of records."""

    words: ClassVar[Mapping[str, str]] = {
        "tasks": "task", "answers": "answer", "verdicts": "verdict", "votes": "vote"
    }  # fmt: skip

    tasks: int = Field(default=0, description="Tasks.")
    items: int = Field(default=0, description="Rubric items of these tasks.")
    answers: int = Field(default=0, description="Answers of models.")
    verdicts: int = Field(default=0, description="Verdicts of judges.")

    def told(self, name: str) -> str:
        """The number of one kind in words; items are part of their tasks."""
        return super().told(name) + (f" with {self.items:,} rubric items" if name == "tasks" and self.items else "")


class ImportReport(Report[Tally]):
    """What came of an import."""
