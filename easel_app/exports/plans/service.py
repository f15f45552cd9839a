"""Sets of plans, and single plans, in each of the forms that they leave the studio in as one file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from easel_app.exports.files import blocks, zipped
from easel_app.exports.plans import figures, page, sheets
from easel_app.exports.plans.content import Content
from easel_app.exports.plans.package import Package, lines
from easel_app.exports.plans.thumbnails import Thumbnails
from easel_app.exports.rubrics.figures import agreement_csv
from easel_app.exports.rubrics.service import encoded
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.views import PlanView
from easel_app.services.problems import Invalid
from easel_app.services.spreadsheets import lines as sheet
from easel_app.settings import static_folder

SetName = Literal["set.jsonl", "set.zip", "calls.csv", "plans.csv", "gaps.csv", "scores.csv", "agreement.csv"]
PlanName = Literal["plan.html", "compare.html"]
TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "zip": "application/zip",
    "html": "text/html; charset=utf-8",
}
"""Media types by how the name ends."""
_PLAIN = re.compile(r"[^A-Za-z0-9.-]+")


class Export(NamedTuple):
    """A file that is being made."""

    file_name: str
    """Of letters, digits, dots and dashes."""
    media_type: str
    pieces: Iterator[bytes]


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
        return _export(f"{set_id}-{name}", blocks(made))

    def plan(self, answer_id: int) -> Export:
        """A plan as a page of its own, with all that judges and people say of it.

        Raises:
            NotFound: there is no such plan.
        """
        view = self._view(answer_id)
        content = page.plan_page(view, Thumbnails(self._plans.pictures.get), self._static)
        return _export(f"{view.query_id}-{view.planner}-plan.html", iter([content.encode()]))

    def compare(self, answer_id: int, other_id: int) -> Export:
        """Two plans of one query as a page of their own.

        Raises:
            NotFound: there is no such plan.
            Invalid: they answer different queries.
        """
        left, right = self._view(answer_id), self._view(other_id)
        if (left.set_id, left.query_id) != (right.set_id, right.query_id):
            message = "Two plans are compared that answer one query, and these answer two; choose another one."
            raise Invalid("other_query", message, "other")
        content = page.compare_page(left, right, Thumbnails(self._plans.pictures.get), self._static)
        return _export(f"{left.query_id}-{left.planner}-{right.planner}-compare.html", iter([content.encode()]))

    def _view(self, answer_id: int) -> PlanView:
        return self._plans.views.view(answer_id, None, reports="shown")

    def _pieces(self, content: Content, name: SetName) -> Iterable[bytes]:
        if name == "set.jsonl":
            return lines(content)
        if name == "set.zip":
            return zipped(Package(content).files())
        # figures are computed before anything is sent: a fault is then told instead of cutting the file off
        if name == "agreement.csv":
            return encoded([agreement_csv(figures.agreement(content))])
        if name == "scores.csv":
            return encoded(sheet(figures.SCORE_COLUMNS, list(figures.score_rows(content))))
        table = {"calls.csv": sheets.calls, "plans.csv": sheets.plans, "gaps.csv": sheets.gaps}[name](content)
        return encoded(sheet(*table))


def _export(name: str, pieces: Iterator[bytes]) -> Export:
    return Export(_PLAIN.sub("-", name), TYPES[name.rpartition(".")[2]], pieces)
