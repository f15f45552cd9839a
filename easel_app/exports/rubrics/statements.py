"""Long form: one row for each statement of each rater, with what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from easel_app.exports.rubrics.content import Content
from easel_app.rubrics.records import Verdict
from easel_app.scoring.rubric import CRITICAL_WEIGHT
from easel_app.services.rubrics.consensus import blind, by_pair
from easel_app.services.rubrics.queues import Pair
from easel_app.store.reviews import VoteRow

COLUMNS = (
    *("set", "task_id", "category", "domain", "model", "attempt", "turn", "item_id", "description", "weight"),
    *("critical_by_weight", "critical_flag", "objectivity", "explicitness", "categories"),
    *("rater_kind", "rater", "role", "verdict", "unscored", "blind", "current", "enters_agreement", "confidence"),
    *("error", "reason_or_note", "evidence", "at"),
)
"""In this order in the file (docs/rubric-export.md)."""
DECIDED = (Verdict.MET, Verdict.NOT_MET)
Row = dict[str, Any]


def rows(content: Content) -> Iterator[Row]:
    """All rows: judge after judge, then people's votes in the order in which they were cast."""
    for judging_id, judge in content.judges.items():
        for pair, verdict in content.verdicts(judging_id):
            yield _about(content, pair) | {
                "rater_kind": "judge",
                "rater": judge,
                "role": "judge",
                "verdict": verdict.verdict,
                "unscored": verdict.unscored,
                "current": yes(True),
                "enters_agreement": yes(verdict.verdict is not None),
                "reason_or_note": verdict.reason,
                "evidence": verdict.evidence,
                "at": verdict.at,
            }
    for pair, vote, standing in votes(content):
        yield _about(content, pair) | {
            "rater_kind": "person",
            "rater": vote.reviewer,
            "role": vote.role,
            "verdict": vote.verdict,
            "confidence": vote.confidence,
            "error": vote.error,
            "reason_or_note": vote.note,
            "blind": yes(vote.blind),
            **{name: yes(value) for name, value in standing.items()},
            "at": vote.at,
        }


def votes(content: Content) -> Iterator[tuple[Pair, VoteRow, dict[str, bool]]]:
    """All votes in their order; whether each is its person's last one, and whether agreement is computed from it."""
    cast = content.votes()
    last = {(row.answer, row.item, row.role, row.reviewer): row.id for _, row in cast}
    counted = {pair: blind(found) for pair, found in by_pair(row for _, row in cast).items()}
    for pair, row in cast:
        enters = row.blind and row.verdict in DECIDED and row.reviewer in counted[row.answer, row.item]
        current = last[row.answer, row.item, row.role, row.reviewer] == row.id
        yield pair, row, {"current": current, "enters_agreement": enters}


def yes(value: bool | None) -> str | None:
    """A yes or no as a cell."""
    return None if value is None else str(value).lower()


def _about(content: Content, pair: Pair) -> Row:
    task, item = content.outlines[pair.answer.task], pair.item
    return {
        "set": content.record.id,
        "task_id": task.task_id,
        "category": task.category,
        "domain": task.domain,
        "model": pair.answer.model,
        "attempt": pair.answer.attempt,
        "turn": item.turn,
        "item_id": item.item_id,
        "description": item.description,
        "weight": item.weight,
        "critical_by_weight": yes(item.weight >= CRITICAL_WEIGHT),
        "critical_flag": yes(item.critical),
        "objectivity": item.objectivity,
        "explicitness": item.explicitness,
        "categories": "; ".join(item.categories),
    }
