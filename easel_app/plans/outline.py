"""What a list or a table needs to know of a plan, without its text: what the parser found, in counts and names."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.parser import parse_plan
from easel_app.plans.records import Plan

VERSION: Final = "plan_outline/1"
"""Of what stands in an outline, the parser included: it changes when the same plan would get another one."""
LONGEST_TITLE = 90
_SENTENCE = re.compile(r"[^\n]{1,400}?(?:[.!?。！？](?=\s|$)|\n|$)")
_ORDER = {"error": 0, "warning": 1, "hint": 2}


@dataclass(frozen=True, slots=True)
class Outline:
    """What was found in one answer to one query; `dataclasses.asdict` makes it ready for JSON."""

    title: str
    """Of the query."""
    paragraphs: int
    tools: list[str | None]
    """Of each call, in order; None for one that names no tool of the registry."""
    statuses: dict[str, int]
    codes: dict[str, int]
    """Problems by code, the gravest first."""
    severities: dict[str, int]
    cited: list[int]
    """Images that reference calls cite, by their place in the pool from 0, repeats and those out of range included."""
    pool_size: int | None
    """None where it is not known."""
    reference_tools: list[str | None] | None
    """Of the data's own answer; None without one."""
    reference_cited: list[int] | None
    no_output: bool


def read_answer(query: QueryRecord, answer: AnswerRecord) -> Plan:
    """The plan of an answer, read with the pool of its query."""
    size = len(query.pool) if query.pool_known else None
    return parse_plan(answer.text, pool_size=size, index_base=answer.index_base, outputs_count=answer.outputs_count)


def reference_answer(query: QueryRecord) -> AnswerRecord | None:
    """The data's own answer to a query as if somebody had planned it; None without one."""
    if query.reference is None:
        return None
    return AnswerRecord(
        query_id=query.id, planner="reference answer", text=query.reference, index_base=query.index_base
    )


def outline(query: QueryRecord, answer: AnswerRecord, plan: Plan) -> Outline:
    """What is to be known of an answer without its text."""
    reference = reference_answer(query)
    own = read_answer(query, reference) if reference else None
    by_code = Counter(problem.code for problem in plan.problems)
    severity = {problem.code: problem.severity for problem in plan.problems}
    order = sorted(by_code, key=lambda code: (_ORDER[severity[code]], code))
    return Outline(
        title=title(query.query),
        paragraphs=sum(block.kind == "text" for block in plan.blocks),
        tools=[call.tool for call in plan.calls],
        statuses=dict(Counter(call.status for call in plan.calls)),
        codes={code: by_code[code] for code in order},
        severities=dict(Counter(problem.severity for problem in plan.problems)),
        cited=cited(plan, answer.index_base),
        pool_size=len(query.pool) if query.pool_known else None,
        reference_tools=[call.tool for call in own.calls] if own else None,
        reference_cited=cited(own, query.index_base) if own else None,
        no_output=bool(answer.no_output) or not answer.text.strip(),
    )


def cited(plan: Plan, index_base: int) -> list[int]:
    """The images that a plan's reference calls cite, by their place in the pool from 0, in order, with repeats."""
    return [
        index - index_base
        for call in plan.calls
        if call.tool == "reference" and (index := _index(call.params)) is not None
    ]


def title(query: str) -> str:
    """The first sentence of a query on one line, shortened, with nothing in it that does not print."""
    found = _SENTENCE.match(query.strip())
    words = " ".join((found[0] if found else query).split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in words)
    if len(shown) <= LONGEST_TITLE:
        return shown or "Query without words"
    return shown[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"


def _index(params: Any) -> int | None:
    value = (params or {}).get("img_index")
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None
