"""A model that inspects plans: it reads what a request shows it with a parser of its own, and reports as a test wants.

An honest one is simple: a call is good when it speaks of a mill, a paragraph that says "as shown below" lacks a picture
when no call follows it, and the final score follows from both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.endpoint.app import Answer, Body, Headers, Script
from tests.endpoint.painter import completion, words

ROLES = {"Precision Inspector": "precision", "Recall Inspector": "recall", "Chief Judge": "chief"}
AGAIN = "That is not the JSON object"
POINTS = "as shown below"


class Shown(NamedTuple):
    """A block of the plan as an inspector is shown it."""

    number: int
    call: int | None
    status: str
    text: str


@dataclass(frozen=True)
class Asked:
    """What a request shows an inspector."""

    mark: str
    inspector: str
    query: str
    documents: tuple[str, ...]
    pool: str
    blocks: tuple[Shown, ...]
    reports: Mapping[str, Any]


def asked(body: Body) -> Asked:
    """The texts between the marks of a request; what a text holds never ends it, since its mark is not there."""
    user = words({"messages": [message for message in body["messages"] if message["role"] == "user"]})
    (mark,) = re.findall(r"\AThe mark of this request is ([0-9a-f]+)\.\n", user)
    found = re.findall(rf"\[BEGIN ([^\n]*) {mark}\]\n(.*?)\n\[END \1 {mark}\]", user, re.DOTALL)
    texts = dict(found)
    assert len(texts) == len(found) == user.count(f" {mark}]") // 2, "a name stands twice, or a text has no end"
    (role,) = re.findall(
        r"\n\nYou are the (\w+ \w+)\. [^\n]*(?:\n.*)?\Z", user.rpartition(f" {mark} was material")[2], re.S
    )
    blocks = []
    for name, text in texts.items():
        if at := re.fullmatch(r"block (\d+)(?:, call (\d+), (\w+))?", name):
            blocks.append(Shown(int(at[1]), int(at[2]) if at[2] else None, at[3] or "", text))
    assert [block.number for block in blocks] == list(range(1, len(blocks) + 1))
    reports = {ROLES[name[14:]]: json.loads(text) for name, text in texts.items() if name.startswith("report of the ")}
    documents = tuple(text for name, text in texts.items() if name.startswith("document "))
    return Asked(mark, ROLES[role], texts["query"], documents, texts["pool"], tuple(blocks), reports)


def good(block: Shown) -> bool:
    """Whether a call speaks of a mill."""
    return "mill" in block.text


def call(call_id: int, success: bool = True) -> dict[str, Any]:
    """What is said of one call."""
    scores = {"placement": 2, "coherence": 2, "parameters": 2 if success else 1, "format": 2}
    told = {"call_id": call_id, "reason": f"It is {'right' if success else 'vague'}.", "necessary": True}
    return {**told, "boundary_ok": True, "scores": scores, "success": success, "suggested_tool": None}


def gap(gap_id: int, quote: str, block: int) -> dict[str, Any]:
    """A place without its picture."""
    told = {"gap_id": gap_id, "type": "dangling_reference", "anchor_quote": quote, "after_block": block}
    return {**told, "reason": "Nothing is shown.", "suggested_tool": "search", "severity": "major"}


def report(shown: Asked) -> dict[str, Any]:
    """An honest report."""
    if shown.inspector == "precision":
        calls = [call(block.call, good(block)) for block in shown.blocks if block.call]
        return {"calls": calls, "summary": f"{len(calls)} calls."}
    if shown.inspector == "recall":
        kinds = [*[block.call for block in shown.blocks[1:]], None]
        points = [
            b for b, then in zip(shown.blocks, kinds, strict=True) if POINTS in b.text and not b.call and not then
        ]
        gaps = [gap(number, POINTS, block.number) for number, block in enumerate(points, 1)]
        return {"gaps": gaps, "mi": len(gaps), "summary": f"{len(gaps)} gaps."}
    bad = [each["call_id"] for each in shown.reports["precision"]["calls"] if 1 in each["scores"].values()]
    gaps = [each["gap_id"] for each in shown.reports["recall"]["gaps"]]
    fs, tier = (90, "80-100") if not bad and not gaps else (65, "60-80") if not gaps else (45, "40-60")
    return {"reason": "So it is.", "decisive_calls": bad, "decisive_gaps": gaps, "fs": fs, "tier": tier}


def inspector(number: int, body: Body, headers: Headers) -> Answer:
    """An inspector without fault, in whatever role it is asked."""
    return completion(body, {"content": json.dumps(report(asked(body)))})


Say = Callable[[Asked, dict[str, Any]], Any]


def reporting(say: Say, *then: Say) -> Script:
    """An inspector that makes what it says from what it is shown and its report; asked to correct it, the next way.

    What is no text is said as JSON.
    """
    turns = [say, *then]

    def script(number: int, body: Body, headers: Headers) -> Answer:
        shown = asked(body)
        again = sum(AGAIN in words({"messages": [message]}) for message in body["messages"])
        said = turns[min(again, len(turns) - 1)](shown, report(shown))
        return completion(body, {"content": said if isinstance(said, str) else json.dumps(said)})

    return script
