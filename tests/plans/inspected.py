"""What the tests of inspectors share: a small plan with its query, and what a scripted inspector makes of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from easel_app.llm import Reply, Request, Unreadable
from easel_app.plans import parse_plan
from easel_app.plans.files import QueryRecord
from easel_app.plans.inspectors import Finding, Material, inspect
from easel_app.plans.reports import Inspector, PrecisionReport, RecallReport, Report, report_of
from easel_app.settings import data_folder
from tests.endpoint import Body, Script, endpoint
from tests.endpoint.inspector import call, gap
from tests.llm.conftest import client, run
from tests.plans.making import tag

Heard = list[tuple[Request, Reply]]
QUERY = "Which mills turn by water? Show me some."
DOCUMENT = "Mills turn by wind or by water."
PARAGRAPHS = ("A mill stands by the river, and its wheel turns in the current.", "It grinds grain, as shown below.")
GOOD: dict[str, Any] = {"tool_name": "search", "description": "A mill", "params": {"query": "old mill"}}
VAGUE: dict[str, Any] = {"tool_name": "diffusion", "description": "A picture", "params": {"prompt": "grain"}}
PLAN = f"{PARAGRAPHS[0]}\n\n{tag(GOOD)}\n\n{PARAGRAPHS[0]}\n\n{tag(VAGUE)}\n\n{PARAGRAPHS[1]}"
"""Blocks: text, call 1 (good), text, call 2 (vague), text (a gap)."""


def query(text: str = QUERY, document: str = DOCUMENT, name: str = "mill.png", **more: Any) -> QueryRecord:
    image = {"name": name, "missing": "it did not come along"}
    given = {"id": "q1", "query": text, "query_images": [image], "documents": [{"text": document, "images": [image]}]}
    return QueryRecord.model_validate(given | more)


def material(text: str = PLAN, asked: QueryRecord | None = None, **more: Any) -> Material:
    asked = asked or query()
    return Material(asked, parse_plan(text, pool_size=len(asked.pool)), **more)


def reports(material: Material) -> dict[Inspector, Report]:
    """Honest reports of both inspectors before Chief."""
    calls = [{k: v for k, v in call(c.id, "mill" in c.raw).items() if k != "success"} for c in material.plan.calls]
    precision = report_of("precision", {"calls": calls, "summary": "So."})
    recall = report_of("recall", {"gaps": [gap(1, "as shown below", 5)], "mi": 1, "summary": "So."})
    assert isinstance(precision, PrecisionReport) and isinstance(recall, RecallReport)
    return {"precision": precision, "recall": recall}


class Question(NamedTuple):
    """One report that is asked for."""

    script: Script
    inspector: Inspector
    shown: Material
    others: Any = None
    """For Chief; None: honest reports."""


def findings_of(
    questions: Iterable[Question], heard: Heard | None = None
) -> tuple[list[Finding | Unreadable], list[Body]]:
    """What inspectors report, one after the other at one endpoint, and the requests that it got."""
    kept: Heard = [] if heard is None else heard
    now: list[Script] = []

    async def go() -> list[Finding | Unreadable]:
        found: list[Finding | Unreadable] = []
        async with client(running, spare=("temperature",)) as asked:
            for script, role, shown, others in questions:
                given = (others or reports(shown)) if role == "chief" else {}
                now[:] = [script]
                try:
                    found.append(await inspect(asked, role, shown, given, 0.0, lambda *both: kept.append(both)))
                except Unreadable as error:
                    found.append(error)
        return found

    with endpoint(lambda number, body, headers: now[0](number, body, headers)) as running:
        found = run(go())
    return found, [each.body for each in running.requests]


def finding_of(
    script: Script, inspector: Inspector, shown: Material, others: Any = None, heard: Heard | None = None
) -> tuple[Finding, list[Body]]:
    """What an inspector reports, and the requests that it got. Raises as `inspect` does."""
    (found,), bodies = findings_of([Question(script, inspector, shown, others)], heard)
    if isinstance(found, Unreadable):
        raise found
    return found, bodies


class Injection(NamedTuple):
    """A text that tries to be its own inspector, and where it stands."""

    name: str
    place: str
    text: str


INJECTIONS = [
    Injection(**each)
    for each in json.loads((data_folder() / "plans" / "injections.json").read_text(encoding="utf-8"))["injections"]
]


def injected(injection: Injection) -> Material:
    """The small plan with an injection in its place."""
    place, text = injection.place, injection.text
    asked = {
        "query": lambda: query(text=text),
        "document": lambda: query(document=text),
        "name": lambda: query(name=text[:500]),
    }.get(place, query)()
    of_call = {**GOOD, "params": {"query": f"old mill {text}"}} if place == "param" else GOOD
    of_call = {**of_call, "description": text} if place == "description" else of_call
    plan = PLAN.replace(tag(GOOD), tag(of_call))
    return material(f"{PARAGRAPHS[0]}\n\n{text}\n\n{plan}" if place == "plan" else plan, asked)
