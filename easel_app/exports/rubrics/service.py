"""A rubric set in each of the forms that it leaves the studio in as one file, made while it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from easel_app.exports.files import blocks, zipped
from easel_app.exports.outgoing import Export, encoded, export
from easel_app.exports.rubrics import figures, labels, statements
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.lines import line_of, set_line, statement_records
from easel_app.exports.rubrics.package import Package
from easel_app.exports.rubrics.responses import Responses
from easel_app.exports.statistics import statistics_csv
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.spreadsheets import lines as sheet

Name = Literal[
    "verdicts.jsonl", "verdicts.csv", "consensus.jsonl", "consensus.csv", "scores.csv", "agreement.csv", "set.zip",
    "responses.zip",
]


class RubricExports:
    """Rubric sets as files."""

    def __init__(self, rubrics: Rubrics) -> None:
        self._rubrics = rubrics

    def export(self, set_id: str, name: Name) -> Export:
        """A set in one of its forms; what is of the set at this moment.

        Raises:
            NotFound: there is no such set.
        """
        made = self._pieces(Content(self._rubrics, set_id), name)
        return export(f"{set_id}-{name}", blocks(made))

    def _pieces(self, content: Content, name: Name) -> Iterable[bytes]:
        if name == "set.zip":
            return zipped(Package(content).files())
        if name == "responses.zip":
            return zipped(Responses(self._rubrics, content).files())
        if name == "verdicts.jsonl":
            return verdict_lines(content)
        if name == "consensus.jsonl":
            return (f"{json.dumps(label.row(), ensure_ascii=False)}\n".encode() for label in labels.labels(content))
        if name == "verdicts.csv":
            return encoded(sheet(statements.COLUMNS, statements.rows(content)))
        if name == "consensus.csv":
            return encoded(sheet(*labels.sheet(content)))
        # figures are computed before anything is sent: a fault is then told instead of cutting the file off
        if name == "agreement.csv":
            return encoded([statistics_csv(figures.agreement(self._rubrics, content))])
        tables = list(figures.score_tables(self._rubrics, content))
        rows = (row for table in tables for row in figures.score_rows(table, content.judges.get(table.by)))
        return encoded(sheet(figures.SCORE_COLUMNS, rows))


def verdict_lines(content: Content) -> Iterator[bytes]:
    """What judges and people say, in our own format: a set that has the tasks and answers can take it in."""
    yield line_of(set_line(content))
    yield from map(line_of, statement_records(content))
