"""What is stored of inspections: which judge with which settings, and each report of its three inspectors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from easel_app.store.judges import JudgeStore


@dataclass(frozen=True, slots=True)
class ReportRow:
    """What one inspector reports of one answer; or why it has reported nothing that counts."""

    inspection_id: str
    answer: int
    inspector: str
    """`precision`, `recall` or `chief`."""
    report: Mapping[str, Any] | None
    """As `plans.reports` has it; None with the reason in `unscored`."""
    unscored: str
    how: str
    """How the report was read: `strict`, `repaired turn`; `imported`; empty when there is none."""
    exchange: str | None
    """Request and replies as JSON; None for imported reports."""
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: float | None
    """Seconds; None for imported reports."""
    at: str


class ReportDigest(NamedTuple):
    """What a list needs to know of a report."""

    answer: int
    inspector: str
    scored: bool
    fs: int | None
    """Of a Chief Judge."""
    gaps: tuple[str, ...]
    """Kinds of those of a Recall Inspector."""


_COLUMNS = [field.name for field in fields(ReportRow)]
_NAMES = ", ".join("NULL AS exchange" if name == "exchange" else f"v.{name}" for name in _COLUMNS)
# the last row of an inspector on an answer counts
_CURRENT = (
    "v.id = (SELECT MAX(id) FROM inspector_reports w WHERE w.inspection_id = v.inspection_id "
    "AND w.answer = v.answer AND w.inspector = v.inspector)"
)


class InspectionStore(JudgeStore):
    """Reads and appends inspections."""

    _judgings, _events, _said, _key = "inspections", "inspection_events", "inspector_reports", "inspection_id"

    def add(self, reports: Iterable[ReportRow]) -> None:
        """Store reports; returns after the commit."""
        rows = [[_stored(getattr(report, name)) for name in _COLUMNS] for report in reports]
        marks = ", ".join("?" * len(_COLUMNS))
        statement = f"INSERT INTO inspector_reports ({', '.join(_COLUMNS)}) VALUES ({marks})"  # noqa: S608
        self._database.write(lambda c: c.executemany(statement, rows))

    def reports(self, inspection_id: str) -> list[ReportRow]:
        """What counts of an inspection: the last row of each inspector on each answer, without the exchanges."""
        query = f"SELECT {_NAMES} FROM inspector_reports v WHERE inspection_id = ? AND {_CURRENT} ORDER BY id"  # noqa: S608
        return [_report(row) for row in self._database.read().execute(query, [inspection_id])]

    def digest(self, inspection_id: str) -> list[ReportDigest]:
        """Of what counts of an inspection only its numbers: tens of thousands of reports are not read for them."""
        query = f"""
            SELECT v.answer, v.inspector, v.report IS NOT NULL AS scored, json_extract(v.report, '$.fs') AS fs,
              (SELECT json_group_array(json_extract(g.value, '$.type')) FROM json_each(v.report, '$.gaps') g) AS gaps
            FROM inspector_reports v WHERE inspection_id = ? AND {_CURRENT} ORDER BY id
        """  # noqa: S608
        return [
            ReportDigest(
                row["answer"], row["inspector"], bool(row["scored"]), row["fs"], tuple(json.loads(row["gaps"]))
            )
            for row in self._database.read().execute(query, [inspection_id])
        ]

    def reports_on(self, answer: int) -> list[ReportRow]:
        """What counts of all inspections on one answer, the oldest inspection first, without the exchanges."""
        query = (
            f"SELECT {_NAMES} FROM inspector_reports v JOIN inspections i ON i.id = v.inspection_id "  # noqa: S608
            f"WHERE v.answer = ? AND {_CURRENT} ORDER BY i.created_at, i.rowid, v.id"
        )
        return [_report(row) for row in self._database.read().execute(query, [answer])]

    def exchange(self, inspection_id: str, answer: int, inspector: str) -> str | None:
        """Request and replies of what counts of an inspector on an answer, or None."""
        query = (
            "SELECT exchange FROM inspector_reports WHERE inspection_id = ? AND answer = ? AND inspector = ? "
            "ORDER BY id DESC LIMIT 1"
        )
        row = self._database.read().execute(query, [inspection_id, answer, inspector]).fetchone()
        return row["exchange"] if row else None

    def last(self, set_id: str) -> int:
        """Id of the newest report on a set, 0 without any: what was computed before it is out of date."""
        query = (
            "SELECT COALESCE(MAX(v.id), 0) AS last FROM inspector_reports v "
            "JOIN inspections i ON i.id = v.inspection_id WHERE i.set_id = ?"
        )
        return int(self._database.read().execute(query, [set_id]).fetchone()["last"])


def _stored(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, Mapping) else value


def _report(row: Any) -> ReportRow:
    return ReportRow(**{**dict(row), "report": json.loads(row["report"]) if row["report"] else None})
