"""Plans, their calls and their gaps as tables: one row each, with what judges and people say in the same row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from easel_app.exports.plans.content import Content
from easel_app.plans.outline import Outline
from easel_app.plans.records import Call
from easel_app.plans.rules import format_score
from easel_app.scoring.plan import CRITERIA, POLICIES, TOOLS, Verdict, call_credit, fs_tier
from easel_app.services.plans.documents import facts
from easel_app.services.plans.judged import Judged, judged
from easel_app.services.plans.people import Words, current, words
from easel_app.services.spreadsheets import Cell
from easel_app.store.plans import PlanKey

Row = dict[str, Cell]
ABOUT = ("set", "query_id", "category", "planner", "attempt")
CALL = (
    *ABOUT,
    *("call", "block", "tool", "called", "status", "format_score", "description", "params", "problems", "explanations"),
    *("people", "people_succeed"),
)
"""Columns of calls, in this order in the file (docs/plan-export.md); then `CALL_BY_JUDGE` for each judge."""
CALL_BY_JUDGE = ("success", "necessary", "boundary_ok", *CRITERIA, "suggested_tool", "reason")
PLAN = (
    *ABOUT,
    *("title", "no_output", "paragraphs", "calls", *[f"calls_{tool}" for tool in TOOLS]),
    *("strict", "lenient", "repaired", "failed", "errors", "warnings", "hints", "problems"),
    *("tool_precision", "tool_recall", "tool_f1", "image_precision", "image_recall", "image_f1", "image_order"),
    *("duplicates", "out_of_range", "people", "people_fs", "people_mi", "accept", "revise", "reject"),
)
"""Columns of plans; then `PLAN_BY_JUDGE` for each judge."""
PLAN_BY_JUDGE = ("fs", "tier", "mi", *POLICIES)
GAP = (
    *ABOUT,
    *("rater_kind", "rater", "gap_id", "type", "after_block", "severity", "suggested_tool", "anchor_quote"),
    *("reason_or_note", "upheld", "not_upheld"),
)


class Sheet(NamedTuple):
    """A table."""

    columns: Sequence[str]
    rows: Iterator[Row]


class Said:
    """What judges and people say of a set, people by their present words."""

    def __init__(self, content: Content) -> None:
        self.judges: dict[str, Judged] = {
            name: judged(row for _, row in content.report_rows(by)) for by, name in content.reporting.items()
        }
        self.people: Words = words(current(vote for _, vote in content.votes()))


def calls(content: Content) -> Sheet:
    """One row for each call of each plan."""
    said = Said(content)
    return Sheet([*CALL, *_by_judge(said, CALL_BY_JUDGE)], _call_rows(content, said))


def plans(content: Content) -> Sheet:
    """One row for each plan."""
    said = Said(content)
    rows = (_plan_row(content, said, key, found) for key, found in content.outlines)
    return Sheet([*PLAN, *_by_judge(said, PLAN_BY_JUDGE)], rows)


def gaps(content: Content) -> Sheet:
    """One row for each gap of each judge and person."""
    return Sheet(GAP, _gap_rows(content, Said(content)))


def judge_column(judge: str, name: str) -> str:
    """The name of a judge's column."""
    return f"judge: {judge}: {name}"


def _by_judge(said: Said, names: Sequence[str]) -> Iterator[str]:
    return (judge_column(judge, name) for judge in said.judges for name in names)


def _about(content: Content, key: PlanKey) -> Row:
    words: Row = {"set": content.record.id, "query_id": key.query_id, "category": key.category}
    return words | {"planner": key.planner, "attempt": key.attempt}


def _call_rows(content: Content, said: Said) -> Iterator[Row]:
    for key, found in content.outlines:
        if found.tools:
            plan = content.plans.library.read(key.id).plan
            blocks = {block.call: block.number for block in plan.blocks}
            for call in plan.calls:
                yield _about(content, key) | {"block": blocks[call.id]} | _call_row(said, key.id, call)


def _call_row(said: Said, answer: int, call: Call) -> Row:
    people = [own[call.id] for own in said.people.calls.get(answer, {}).values() if call.id in own]
    row: Row = {
        "call": call.id,
        "tool": call.tool,
        "called": call.name_as_sent,
        "status": call.status,
        "format_score": format_score(call.status),
        "description": call.description,
        "params": _as_json(call.params),
        "problems": "; ".join(dict.fromkeys(problem.code for problem in call.problems)),
        "explanations": " ".join(problem.explanation for problem in call.problems),
        "people": len(people),
        "people_succeed": sum(call_credit(verdict).strict == 1 for verdict in people),
    }
    for judge, own in said.judges.items():
        verdict = own.calls.get(answer, {}).get(call.id)
        if verdict:
            row |= {judge_column(judge, name): value for name, value in _verdict(verdict).items()}
    return row


def _verdict(verdict: Verdict) -> Row:
    gates: Row = {name: _yes(verdict[name]) for name in ("necessary", "boundary_ok")}
    told: Row = {"suggested_tool": verdict["suggested_tool"], "reason": verdict["reason"]}
    return {"success": _yes(call_credit(verdict).strict == 1)} | gates | dict(verdict["scores"]) | told


def _plan_row(content: Content, said: Said, key: PlanKey, found: Outline) -> Row:
    told, people = facts(found), said.people
    mi, fs = people.gaps.get(key.id, {}), people.fs.get(key.id, {})
    verdicts = people.plans.get(key.id, {})
    names = {name for of in (people.calls, people.gaps, people.fs, people.plans) for name in of.get(key.id, {})}
    row = _about(content, key) | {
        "title": found.title,
        "no_output": _yes(found.no_output),
        "paragraphs": found.paragraphs,
        "calls": len(found.tools),
        **{f"calls_{tool}": count for tool, count in told.tools.items()},
        **told.statuses,
        **{f"{severity}s": found.severities.get(severity, 0) for severity in ("error", "warning", "hint")},
        "problems": "; ".join(found.codes),
        "image_order": told.image_order,
        "duplicates": told.duplicates,
        "out_of_range": told.out_of_range,
        "people": len(names),
        "people_fs": fmean(fs.values()) if fs else None,
        "people_mi": fmean(map(len, mi.values())) if mi else None,
        **{verdict: list(verdicts.values()).count(verdict) for verdict in ("accept", "revise", "reject")},
    }
    for kind, overlap in (("tool", told.tool_set), ("image", told.image_set)):
        if overlap:
            row |= {f"{kind}_{name}": getattr(overlap, name) for name in ("precision", "recall", "f1")}
    for judge, own in said.judges.items():
        row |= {judge_column(judge, name): value for name, value in _judged(own, key.id, len(found.tools)).items()}
    return row


def _judged(own: Judged, answer: int, calls: int) -> Row:
    fs, lists = own.fs.get(answer), own.gaps.get(answer)
    row: Row = {} if fs is None else {"fs": fs, "tier": fs_tier(fs).label}
    if lists is not None:
        row["mi"] = len(lists)
    credits = [call_credit(verdict) for verdict in own.calls.get(answer, {}).values()]
    if credits and len(credits) == calls:
        row |= {name: fmean(getattr(credit, name) for credit in credits) for name in POLICIES}
    return row


def _gap_rows(content: Content, said: Said) -> Iterator[Row]:
    names = ("gap_id", "type", "after_block", "severity", "suggested_tool", "anchor_quote")
    for key, _ in content.outlines:
        upheld = said.people.upheld.get(key.id, {})
        for judge, own in said.judges.items():
            for gap in own.gaps.get(key.id, ()):
                part = f"{judge}/{gap['gap_id']}"
                count = Counter(found[part] for found in upheld.values() if part in found)
                yield (
                    _about(content, key)
                    | {"rater_kind": "judge", "rater": judge, "reason_or_note": gap["reason"]}
                    | {name: gap[name] for name in names}
                    | {"upheld": count[True], "not_upheld": count[False]}
                )
        for person, found in said.people.gaps.get(key.id, {}).items():
            for gap in found:
                yield _about(content, key) | {"rater_kind": "person", "rater": person} | {
                    "type": gap["type"], "after_block": gap["after_block"], "reason_or_note": gap["note"]
                }  # fmt: skip


def _yes(value: bool) -> str:
    return str(value).lower()


def _as_json(value: Mapping[str, Any] | None) -> str | None:
    try:
        return None if value is None else json.dumps(value, ensure_ascii=False)
    except ValueError:  # a whole number of thousands of digits
        return "a value that cannot be written"
