"""A set of plans with reports of judges and blind words of people, drawn from a seed, straight into the stores."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from easel_app.plans.files import AnswerRecord, QueryRecord, ReportRecord
from easel_app.scoring.plan import CRITERIA, GAPS, fs_tier
from easel_app.services.plans.plans import Plans
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.inspections import ReportRow
from easel_app.store.judges import JudgingRecord
from easel_app.store.plan_votes import NewPlanVote
from easel_app.store.plans import NewQuery, PlanKey
from easel_app.store.sets import SetRecord

SET = "made-up"
TOOLS = ('"reference","description":"a","params":{"img_index":0}', '"search","description":"b","params":{"query":"q"}')


def empty_plans(folder: Any) -> Studio:
    """A studio without samples."""
    studio = Studio(Settings(data_dir=folder))
    studio.plans.library.first_look.job = lambda: None
    return studio


def plan_text(calls: int) -> str:
    """A plan of as many paragraphs, each with a call behind it, and one paragraph more."""
    parts = [f'Paragraph {k + 1}.\n\n<tool>{{"tool_name":{TOOLS[k % 2]}}}</tool>\n\n' for k in range(calls)]
    return "".join([*parts, "The end."])


def make_plans(
    plans: Plans, queries: int = 6, planners: Sequence[str] = ("a", "b", "c"), calls: int = 2, *, sample: bool = False
) -> list[PlanKey]:
    """Queries of two categories, each answered by every planner; the answers."""
    plans.store.create(SetRecord(SET, "Made up", sample, {"source": "made up"}, "2026-01-01"))
    reference = plan_text(1)
    records = [
        QueryRecord(id=f"q{k:02}", category=("Recipe", "Travel")[k % 2], query=f"Question {k}?", reference=reference)
        for k in range(queries)
    ]
    rows = plans.store.add_queries(SET, [NewQuery(r.id, r.category, None, _json(r)) for r in records])
    answers = [AnswerRecord(query_id=r.id, planner=name, text=plan_text(calls)) for r in records for name in planners]
    plans.store.add_answers([(rows[each.query_id], each.planner, 1, _json(each)) for each in answers])
    return plans.store.keys(SET)


def verdict(rng: random.Random) -> dict[str, Any]:
    """What is said of a call; as often as not it succeeds."""
    full = rng.random() < 0.5
    scores = {criterion: 2 if full else rng.choice((0, 1, 2, 2, 2)) for criterion in CRITERIA}
    gate = full or rng.random() < 0.6
    return {"necessary": gate, "boundary_ok": full or rng.random() < 0.6, "scores": scores}


def gap(number: int, after_block: int, kind: str = GAPS[0], severity: str = "minor") -> dict[str, Any]:
    """A gap as a judge reports it."""
    return {"gap_id": number, "type": kind, "anchor_quote": "Paragraph", "after_block": after_block,
            "suggested_tool": "search", "severity": severity, "reason": "r"}  # fmt: skip


def report(plans: Plans, by: str, key: PlanKey, inspector: str, content: dict[str, Any] | None) -> None:
    """Store one report, or that there is none."""
    said = {"report": content} if content is not None else {"unscored": "cut off"}
    record = ReportRecord(
        query_id=key.query_id,
        planner=key.planner,
        judge="j",
        inspector=inspector,
        **said,  # type: ignore[arg-type]
    )
    row = ReportRow(by, key.id, inspector, record.report, record.unscored, "strict", "{}", 1, 1, None, None, "2026")
    plans.inspections.add([row])


def precision(verdicts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """A report on calls 1, 2 …"""
    calls = [{"call_id": k, "reason": "r", "suggested_tool": None, **each} for k, each in enumerate(verdicts, 1)]
    return {"calls": calls, "summary": "s"}


def recall(gaps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A report of gaps."""
    return {"gaps": list(gaps), "mi": len(gaps), "summary": "s"}


def chief(fs: int) -> dict[str, Any]:
    """A report of a final score."""
    return {"fs": fs, "tier": fs_tier(fs).label, "reason": "r", "decisive_calls": [], "decisive_gaps": []}


def judge(plans: Plans, seed: int, by: str = "one", model: str = "m", roles: Any = None) -> None:
    """A judge with all three reports on every plan of `make_plans`."""
    models = roles or dict.fromkeys(("precision", "recall", "chief"), model)
    plans.inspections.begin(JudgingRecord(by, SET, f"judge {by}", "run", {"models": models}, f"2026-01-0{seed % 9}"))
    rng = random.Random(seed)
    for key, found in plans.library.outlines(SET):
        report(plans, by, key, "precision", precision([verdict(rng) for _ in found.tools]))
        places = [rng.randint(0, found.paragraphs + len(found.tools)) for _ in range(rng.randint(0, 3))]
        report(plans, by, key, "recall", recall([gap(k, at, rng.choice(GAPS)) for k, at in enumerate(places, 1)]))
        report(plans, by, key, "chief", chief(rng.randint(0, 100)))


def person(plans: Plans, name: str) -> Person:
    """Somebody who may vote."""
    return plans.reviewers.person(plans.reviewers.enrol(NewReviewer(name=name)).token)


def vote(plans: Plans, who: Person, answer: int, part: str, content: dict[str, Any] | None, note: str = "") -> bool:
    """Store a vote; whether it is blind."""
    request = f"{part}/{random.random()}"
    return plans.ballots.vote(who.id, NewPlanVote(answer, part, content, note, request, "2026-02-01"))


def vote_on_all(plans: Plans, who: Person, seed: int, share: float = 1.0) -> None:
    """Words of a person on the parts of all plans, or of a share of them, final scores last."""
    rng = random.Random(seed)
    for key, found in plans.library.outlines(SET):
        if rng.random() > share:
            continue
        for call in range(1, len(found.tools) + 1):
            vote(plans, who, key.id, f"call:{call}", {"about": "call", **verdict(rng)})
        last = found.paragraphs + len(found.tools)
        gaps = [
            {"after_block": rng.randint(0, last), "type": rng.choice(GAPS), "note": ""}
            for _ in range(rng.randint(0, 3))
        ]
        vote(plans, who, key.id, "gaps", {"about": "gaps", "gaps": gaps})
        vote(plans, who, key.id, "plan", {"about": "plan", "verdict": rng.choice(("accept", "revise", "reject"))})
        vote(plans, who, key.id, "fs", {"about": "fs", "fs": rng.randint(0, 100)})


def _json(record: Any) -> str:
    return json.dumps(record.model_dump())
