"""Files of plans for tests, in each of the formats that are imported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.reading import PlanSource
from easel_app.sources.found import Found, Problem

Row = dict[str, Any]
TEXT = "Cats sleep a lot.\n\n"


def call(tool: str = "reference", **params: Any) -> str:
    """A tool call; of a reference the image with the index 0 unless another one is named."""
    body = {"tool_name": tool, "description": "A cat.", "params": params or {"img_index": 0}}
    return f"<tool>{json.dumps(body)}</tool>"


def cites(*indices: int) -> str:
    """A plan that cites images."""
    return "".join(f"{TEXT}{call(img_index=index)}\n\n" for index in indices)


def query(query_id: str = "q1", **more: Any) -> Row:
    """A query in our own format, with a pool of two images that have no file."""
    images = [{"name": "cat.png", "missing": "It was lost."}, {"name": "dog.png", "missing": "It was lost."}]
    return {"type": "query", "id": query_id, "category": "Pets", "query": "How do cats sleep?", "query_images": images,
            **more}  # fmt: skip


def answer(query_id: str = "q1", planner: str = "p", text: str = TEXT + call(), **more: Any) -> Row:
    return {"type": "answer", "query_id": query_id, "planner": planner, "text": text, **more}


REPORTS: dict[str, Row] = {
    "precision": {
        "calls": [
            {
                "call_id": 1,
                "necessary": True,
                "boundary_ok": True,
                "scores": {"placement": 2, "coherence": 2, "parameters": 1, "format": 2},
                "reason": "It fits.",
            }
        ],
        "summary": "Good.",
    },
    "recall": {
        "gaps": [
            {
                "gap_id": 1,
                "type": "procedural_gap",
                "anchor_quote": "Cats sleep a lot.",
                "after_block": 1,
                "suggested_tool": "diffusion",
                "severity": "minor",
                "reason": "A picture would help.",
            }
        ],
        "mi": 1,
        "summary": "One gap.",
    },
    "chief": {"fs": 72, "tier": "60-80", "reason": "Useful.", "decisive_gaps": [1]},
}


def report(inspector: str = "precision", query_id: str = "q1", planner: str = "p", **more: Any) -> Row:
    """A report that fits `answer`."""
    about = {"type": "report", "query_id": query_id, "planner": planner, "judge": "j", "inspector": inspector}
    return {**about, **({} if "unscored" in more else {"report": REPORTS[inspector]}), **more}


def vote(about: str = "fs", key: str = "", query_id: str = "q1", planner: str = "p", **more: Any) -> Row:
    content: Row = {
        "fs": {"about": "fs", "fs": 60},
        "plan": {"about": "plan", "verdict": "revise"},
        "gap": {"about": "gap", "upheld": True},
        "gaps": {"about": "gaps", "gaps": [{"after_block": 1, "type": "unmet_request"}]},
        "call": {"about": "call", **{k: v for k, v in REPORTS["precision"]["calls"][0].items()
                                     if k in ("necessary", "boundary_ok", "scores")}},
    }[about]  # fmt: skip
    said = {"type": "vote", "query_id": query_id, "planner": planner, "reviewer": "Ann", "about": about, "key": key}
    return {**said, "content": content, "blind": True, "at": "2026-05-04T10:00:00Z", **more}


def row(trace_id: Any = "t1", **more: Any) -> Row:
    """A row of ATP-Bench with a pool of three images."""
    return {
        "trace_id": trace_id,
        "query": "Which colours suit me?",
        "image_query": ["img/me.png"],
        "doc": ["Warm auburn …", "Deep brown …"],
        "images": [["img/auburn.png"], ["img/brown.png"]],
        "gt": cites(0),
        **more,
    }


def lines(path: Path, entries: Iterable[Any]) -> Path:
    """A file of JSON lines; what is bytes is written as it is."""
    with path.open("wb") as file:
        for each in entries:
            file.write((each if isinstance(each, bytes) else json.dumps(each).encode()) + b"\n")
    return path


def source(path: Path, **how: Any) -> PlanSource:
    return PlanSource([path], path.name, **how)


def read(where: Path | PlanSource, **how: Any) -> tuple[list[Any], list[str]]:
    """The records that are found, and what is told of what is wrong."""
    found = list((where if isinstance(where, PlanSource) else source(where, **how)).read())
    problems = [each for each in found if isinstance(each, Problem)]
    return [each.record for each in found if isinstance(each, Found)], [
        f"{problem.place}: {fault.what}" for problem in problems for fault in problem.faults
    ]


def taken(tmp_path: Path, *entries: Any, **how: Any) -> tuple[list[QueryRecord], list[AnswerRecord]]:
    """Queries and answers of entries in which nothing is wrong."""
    records, wrong = read(lines(tmp_path / "model-a.jsonl", entries), **how)
    assert wrong == []
    return [each for each in records if isinstance(each, QueryRecord)], [
        each for each in records if isinstance(each, AnswerRecord)
    ]
