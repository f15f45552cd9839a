"""Sets of plans, and single plans, in each of the forms that they leave the studio in as one file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from easel_app.exports.files import blocks, zipped
from easel_app.exports.outgoing import Export, encoded, export
from easel_app.exports.plans import figures, page, sheets
from easel_app.exports.plans.content import Content
from easel_app.exports.plans.package import Package, lines
from easel_app.exports.plans.thumbnails import Thumbnails
from easel_app.exports.statistics import statistics_csv
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.views import PlanView
from easel_app.services.problems import Invalid
from easel_app.services.spreadsheets import lines as sheet
from easel_app.settings import static_folder

SetName = Literal["set.jsonl", "set.zip", "calls.csv", "plans.csv", "gaps.csv", "scores.csv", "agreement.csv"]
PlanName = Literal["plan.html", "compare.html"]
REFERENCE: Final = "reference"
"""Stands for the data's own answer where a plan is named."""


class PlanExports:
    """Plans as files."""

    def __init__(self, plans: Plans, static: Path | None = None) -> None:
        """Export plans; `static` is where the style sheets are, if not the project's own."""
        self._plans, self._static = plans, static or static_folder()

    def export(self, set_id: str, name: SetName) -> Export:
        """A set in one of its forms; what is of the set at this moment.

        Raises:
            NotFound: there is no such set.
        """
        made = self._pieces(Content(self._plans, set_id), name)
        return export(f"{set_id}-{name}", blocks(made))

    def plan(self, answer_id: int) -> Export:
        """A plan as a page of its own, with all that judges and people say of it.

        Raises:
            NotFound: there is no such plan.
        """
        view = self._view(answer_id)
        content = page.plan_page(view, Thumbnails(self._plans.pictures.get), self._static)
        return export(f"{view.query_id}-{view.planner}-plan.html", iter([content.encode()]))

    def compare(self, answer_id: int, other: int | Literal["reference"]) -> Export:
        """Two plans of one query, or one beside the data's own answer, as a page of their own.

        Raises:
            NotFound: there is no such plan, or no answer of the data's own.
            Invalid: they answer different queries.
        """
        left = self._view(answer_id)
        right = self._plans.views.reference(left.set_id, left.query_id) if other == REFERENCE else self._view(other)
        if (left.set_id, left.query_id) != (right.set_id, right.query_id):
            message = "Two plans are compared that answer one query, and these answer two; choose another one."
            raise Invalid("other_query", message, "other")
        content = page.compare_page(left, right, Thumbnails(self._plans.pictures.get), self._static)
        return export(f"{left.query_id}-{left.planner}-{right.planner}-compare.html", iter([content.encode()]))

    def _view(self, answer_id: int) -> PlanView:
        return self._plans.views.view(answer_id, None, reports="shown")

    def _pieces(self, content: Content, name: SetName) -> Iterable[bytes]:
        if name == "set.jsonl":
            return lines(content)
        if name == "set.zip":
            return zipped(Package(content).files())
        # figures are computed before anything is sent: a fault is then told instead of cutting the file off
        if name == "agreement.csv":
            return encoded([statistics_csv(figures.agreement(content))])
        if name == "scores.csv":
            return encoded(sheet(figures.SCORE_COLUMNS, list(figures.score_rows(content))))
        table = {"calls.csv": sheets.calls, "plans.csv": sheets.plans, "gaps.csv": sheets.gaps}[name](content)
        return encoded(sheet(*table))
