"""Between records and rows: what is stored of a query, an answer, a report and a vote.

Plans may hold what UTF-8 cannot (`plans.files.PlanText`), so all of it is JSON of ASCII.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from easel_app.plans.files import AnswerRecord, QueryRecord, ReportRecord, VoteRecord
from easel_app.services.ledger import now
from easel_app.services.plans.sight import call_part
from easel_app.sources.fields import Record
from easel_app.store.inspections import ReportRow
from easel_app.store.plan_votes import AdoptedPlanVote, NewPlanVote
from easel_app.store.plans import NewQuery

IMPORTED = "imported"


def ascii_json(record: Record) -> str:
    """A record as JSON that any store can hold."""
    return json.dumps(record.model_dump())


def row_of_query(query: QueryRecord) -> NewQuery:
    """A query as it is stored."""
    return NewQuery(query.id, query.category, query.intent, ascii_json(query))


def row_of_answer(query: int, answer: AnswerRecord) -> tuple[int, str, int, str]:
    """An answer as it is stored."""
    return query, answer.planner, answer.attempt, ascii_json(answer)


def row_of_report(inspection_id: str, answer: int, said: ReportRecord, at: str) -> ReportRow:
    """An imported report as it is stored."""
    return ReportRow(
        inspection_id=inspection_id,
        answer=answer,
        inspector=said.inspector,
        report=said.report,
        unscored=said.unscored,
        how=IMPORTED if said.report is not None else "",
        exchange=None,
        prompt_tokens=0,
        completion_tokens=0,
        cost=None,
        latency=None,
        at=at,
    )


def row_of_vote(answer: int, vote: VoteRecord, set_id: str, seen: dict[str, int]) -> AdoptedPlanVote:
    """An imported vote as the store adopts it.

    The same vote has the same request id whenever it comes; the same words twice in one file are two votes.

    Args:
        answer: row id of what it is about.
        vote: it.
        set_id: which set it comes into.
        seen: how often the same vote stood in earlier parts of the file; it is added to.
    """
    content = hashlib.sha256(f"{set_id} {ascii_json(vote)}".encode()).hexdigest()[:32]
    seen[content] = seen.get(content, 0) + 1
    new = NewPlanVote(
        answer=answer,
        part=part_of(vote),
        content=vote.content.model_dump(mode="json") if vote.content else None,
        note=vote.note,
        request_id=f"import-{content}-{seen[content]}",
        at=vote.at or now(),
    )
    return AdoptedPlanVote(vote.reviewer, vote.blind, new, seen[content])


def part_of(vote: VoteRecord) -> str:
    """The part of an answer that a vote is about, whose key is in order."""
    if vote.about == "call":
        return call_part(int(vote.key))
    return f"gap:{vote.key}" if vote.about == "gap" else vote.about


def imported_inspection_id(set_id: str, judge: str) -> str:
    """The id of the inspection that an imported judge's reports on a set belong to."""
    return f"{IMPORTED}-{hashlib.sha256(f'{set_id}/{judge}'.encode()).hexdigest()[:12]}"


def fingerprint(record: Record) -> bytes:
    """What tells a record from another one, 16 bytes."""
    return hashlib.blake2b(ascii_json(record).encode(), digest_size=16).digest()


def said(report: Any, unscored: str) -> bytes:
    """What tells what a report says from what another one says, 16 bytes."""
    return hashlib.blake2b(json.dumps([report, unscored], sort_keys=True).encode(), digest_size=16).digest()
