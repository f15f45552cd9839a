"""A small set of plans as the services have it, put into the store directly: for everyone's tests."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Sequence
from typing import Any

from PIL import Image

from easel_app.plans.files import AnswerRecord, Document, PoolImage, QueryRecord
from easel_app.services.ledger import now
from easel_app.services.plans.plans import Plans
from easel_app.services.plans.views import PlanVoteBody
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.sources.pictures import identify
from easel_app.store.inspections import ReportRow
from easel_app.store.judges import JudgingRecord
from easel_app.store.plans import NewQuery
from easel_app.store.sets import SetRecord

SET = "made"
INSPECTION = "inspection-made"
JUDGE = "stern/judge"
SECRET = "SECRET"
"""Stands in all that a judge says in words."""
CATEGORIES = ("Recipe", "Travel", "Academic")
PLANNERS = ("planner a", "planner b")


def call(tool: str, description: str = "A mill", **params: Any) -> str:
    """A call as it stands in a plan."""
    return f"<tool>{json.dumps({'tool_name': tool, 'description': description, 'params': params})}</tool>"


GOOD = (
    f"A mill stands by the river.\n\n{call('reference', img_index=0)}\n\n"
    f"It turns all day.\n\n{call('search', query='old mill')}\n"
)
FAULTY = (
    f"Here is the image:\n\n{call('reference', img_index=7)}\n{call('serch', q='mill')}\n\n"
    "<tool>{'tool_name': 'edit'</tool>"
)
TEXTS = (GOOD, FAULTY)
"""Of two plans: one with two good calls, and one with three faulty ones."""


def picture(plans: Plans, shade: int = 90) -> PoolImage:
    """A picture that is kept, and an image of a pool with it."""
    file = io.BytesIO()
    Image.new("RGB", (6, 4), (shade, 120, 60)).save(file, "PNG")
    plans.pictures.put(file.getvalue())
    return PoolImage(picture=identify(file.getvalue()), name=f"img/{shade}.png")


def make_query(plans: Plans, number: int = 1, **changes: Any) -> QueryRecord:
    """A query with a pool of two images, one of which did not come with the data."""
    fields: dict[str, Any] = {
        "id": f"q{number}",
        "category": CATEGORIES[(number - 1) % len(CATEGORIES)],
        "query": f"How does mill {number} work? Show me.",
        "documents": (
            Document(text="Mills *turn*.", images=(picture(plans), PoolImage(name="gone.png", missing="no file"))),
        ),
        "reference": GOOD,
    }
    return QueryRecord(**fields | changes)


def add_query(plans: Plans, query: QueryRecord, set_id: str = SET) -> int:
    """Store a query; its row id."""
    record = json.dumps(query.model_dump(mode="json"))
    return plans.store.add_queries(set_id, [NewQuery(query.id, query.category, query.intent, record)])[query.id]


def add_answer(plans: Plans, query: int, answer: AnswerRecord) -> int:
    """Store an answer to the query of that row id; its own."""
    plans.store.add_answers([(query, answer.planner, answer.attempt, json.dumps(answer.model_dump()))])
    found = plans.store.answer_id(query, answer.planner, answer.attempt)
    assert found is not None
    return found


def make_set(
    plans: Plans, queries: int = 3, planners: Sequence[str] = PLANNERS, texts: Sequence[str] = TEXTS, set_id: str = SET
) -> list[int]:
    """A set of that many queries, each answered by every planner with the texts in turn; the answers' row ids.

    The sample set stays away, which would take longer to bring in than most tests do.
    """
    plans.library.first_look.job = lambda: None
    plans.store.create(SetRecord(set_id, f"Made up {set_id}", False, {"source": "tests", "licence": "none"}, now()))
    turn, made = itertools.cycle(texts), []
    for number in range(1, queries + 1):
        query = make_query(plans, number)
        row = add_query(plans, query, set_id)
        for planner in planners:
            answer = AnswerRecord(query_id=query.id, planner=planner, text=next(turn))
            made.append(add_answer(plans, row, answer))
    return made


def make_plan(plans: Plans, text: str, set_id: str = SET, **changes: Any) -> int:
    """A set with one plan of that text, and no sample set; its row id."""
    plans.library.first_look.job = lambda: None
    plans.store.create(SetRecord(set_id, f"Made up {set_id}", False, {}, now()))
    query = make_query(plans)
    fields = {"query_id": query.id, "planner": PLANNERS[0], "text": text}
    return add_answer(plans, add_query(plans, query, set_id), AnswerRecord(**fields | changes))


def reports_on(plans: Plans, answer: int, *, gaps: int = 1, fs: int = 55, score: int = 2) -> dict[str, dict[str, Any]]:
    """What the three inspectors might say of a plan: SECRET in every text."""
    plan = plans.library.read(answer).plan
    scores = {"placement": score, "coherence": 2, "parameters": 2, "format": 2}
    kinds = ("procedural_gap", "unmet_request", "dangling_reference", "ungrounded_entity")
    low = min(fs // 20 * 20, 80)
    return {
        "precision": {
            "calls": [
                {"call_id": each.id, "necessary": True, "boundary_ok": True, "scores": scores,
                 "reason": f"{SECRET} call {each.id}", "suggested_tool": None}
                for each in plan.calls
            ],
            "summary": f"{SECRET} precision",
        },
        "recall": {
            "gaps": [
                {"gap_id": k + 1, "type": kinds[k % 4], "anchor_quote": "stands by the river", "after_block": 1,
                 "suggested_tool": "diffusion", "severity": "major", "reason": f"{SECRET} gap {k + 1}"}
                for k in range(gaps)
            ],
            "mi": gaps,
            "summary": f"{SECRET} recall",
        },
        "chief": {"fs": fs, "tier": f"{low}-{low + 20}", "reason": f"{SECRET} chief", "decisive_calls": [],
                  "decisive_gaps": []},
    }  # fmt: skip


def inspect(
    plans: Plans,
    answers: Sequence[int],
    inspection: str = INSPECTION,
    judge: str = JUDGE,
    unscored: Sequence[str] = (),
    **reports: Any,
) -> None:
    """A judge's reports on answers; none of the inspectors in `unscored`, with the reason."""
    row = plans.store.answer(answers[0])
    query = plans.store.query_of(row.query) if row else None
    assert query
    models = {"models": dict.fromkeys(("precision", "recall", "chief"), "a model")}
    plans.inspections.begin(JudgingRecord(inspection, query.set_id, judge, "imported", models, now()))
    rows = []
    for answer in answers:
        for inspector, report in reports_on(plans, answer, **reports).items():
            none = inspector in unscored
            rows.append(
                ReportRow(
                    inspection_id=inspection, answer=answer, inspector=inspector, report=None if none else report,
                    unscored=f"{SECRET} FS 95 is not in its tier" if none else "", how="" if none else "imported",
                    exchange=None, prompt_tokens=0, completion_tokens=0, cost=None, latency=None, at=now(),
                )
            )  # fmt: skip
    plans.inspections.add(rows)


def enrol(plans: Plans, name: str) -> Person:
    """A reviewer of that name."""
    return plans.reviewers.person(plans.reviewers.enrol(NewReviewer(name=name)).token)


CALL_VOTE = {
    "about": "call",
    "necessary": True,
    "boundary_ok": True,
    "scores": {"placement": 2, "coherence": 1, "parameters": 2, "format": 2},
}
CONTENTS: dict[str, dict[str, Any]] = {
    "call": CALL_VOTE,
    "gaps": {"about": "gaps", "gaps": [{"after_block": 1, "type": "unmet_request", "note": ""}]},
    "gap": {"about": "gap", "upheld": True},
    "fs": {"about": "fs", "fs": 70},
    "plan": {"about": "plan", "verdict": "revise"},
}
"""A vote on each kind of part."""
_ids = itertools.count()


def said(part: str, content: Any = ..., **more: Any) -> PlanVoteBody:
    """A vote on a part such as `call:1`, `gaps` or `gap:JUDGE/1`; `content=None` takes it back."""
    about, _, key = part.partition(":")
    body = {"about": about, "key": key, "content": CONTENTS[about] if content is ... else content}
    return PlanVoteBody.model_validate({**body, "request_id": f"r{next(_ids)}"} | more)
