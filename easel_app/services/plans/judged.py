"""What one judge reports of a set's plans, as figures take it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from easel_app.plans.reports import INSPECTORS, Inspector
from easel_app.scoring.plan import Verdict
from easel_app.store.inspections import ReportRow


@dataclass
class Judged:
    """Reports of one judge by answer; those that failed are not in it."""

    calls: dict[int, Mapping[int, Verdict]] = field(default_factory=dict)
    """Of the Precision Inspector: what it says of each call, by the call's number."""
    gaps: dict[int, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Of the Recall Inspector."""
    fs: dict[int, float] = field(default_factory=dict)
    """Of the Chief Judge."""


def judged(rows: Iterable[ReportRow]) -> Judged:
    """What counts of a judge's stored reports."""
    found = Judged()
    for row in rows:
        if row.report is None:
            continue
        if row.inspector == "precision":
            found.calls[row.answer] = {call["call_id"]: call for call in row.report["calls"]}
        elif row.inspector == "recall":
            found.gaps[row.answer] = row.report["gaps"]
        else:
            found.fs[row.answer] = row.report["fs"]
    return found


def one_model(models: Mapping[Inspector, str]) -> bool:
    """Whether one model has all three roles: its three reports are then one opinion, and no vote."""
    return len(models) == len(INSPECTORS) and len(set(models.values())) == 1
