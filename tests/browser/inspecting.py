"""The Plan inspection tab as a person sees it, and plans to inspect."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from easel_app.plans.files import AnswerRecord, Document, PoolImage, QueryRecord
from easel_app.services.ledger import now
from easel_app.services.plans.plans import Plans
from easel_app.sources.pictures import identify
from easel_app.store.inspections import ReportRow
from easel_app.store.judges import JudgingRecord
from easel_app.store.plans import NewQuery
from easel_app.store.sets import SetRecord
from tests.browser.easel import HTTP
from tests.browser.grading import Reviewing, png

API = "/api/plans"


class Inspecting(Reviewing):
    """One page of the studio that is opened on the Plan inspection tab."""

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.url}/?tab=plans{query}")
        self.ready()

    def ready(self) -> None:
        """Until a plan is on show, or what stands in its place."""
        self.page.locator(".s-plans:not([aria-busy])").wait_for()
        self.find(".plans:visible, .hole:visible").first.wait_for()
        expect(self.find(".desk[aria-busy]")).to_have_count(0)

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-plans {selector}")

    @property
    def asked(self) -> Locator:
        """What is asked of the person."""
        return self.find(".ballot h3")

    @property
    def part(self) -> str | None:
        """The part that is asked about."""
        return self.find(".ballot").get_attribute("data-part")

    def wait_part(self, part: str) -> None:
        expect(self.find(".ballot")).to_have_attribute("data-part", part)

    @property
    def answer(self) -> int:
        """The plan on show."""
        return int(self.link("plan") or 0)

    def wait_link(self, name: str, value: str | None) -> None:
        self.page.wait_for_function(
            "([name, value]) => new URLSearchParams(location.search).get(name) === value", arg=[name, value]
        )

    def enrol(self, name: str, key: str = "") -> None:
        """Answer who inspects, which the first word asks for; `key` is pressed before."""
        if key:
            self.press(key)
        expect(self.page.locator("dialog[open] .who-form input").first).to_be_focused()
        self.page.keyboard.type(name)
        self.press("Enter")
        expect(self.page.locator("dialog[open]")).to_have_count(0)


class Inspector:
    """A person who needs no browser."""

    def __init__(self, url: str, name: str) -> None:
        self.url = f"{url}{API}"
        enrolled = HTTP.post(f"{url}/api/rubrics/reviewers", json={"name": name}).raise_for_status()
        self.headers = {"Authorization": f"Bearer {enrolled.json()['token']}"}

    def vote(self, answer: int, content: dict[str, Any] | None, key: str = "", about: str = "") -> dict[str, Any]:
        about = about or (content or {})["about"]
        body = {"about": about, "key": key, "content": content, "request_id": f"{about}-{key}-{answer}"}
        sent = HTTP.post(f"{self.url}/answers/{answer}/votes", json=body, headers=self.headers)
        return dict(sent.raise_for_status().json())


def words_of(folder: Path, reviewer: str) -> list[tuple[int, str, Any, str, bool]]:
    """All rows of a person in the store, in order: answer, part, content, note, blind."""
    query = (
        "SELECT v.answer, v.part, v.content, v.note, v.blind FROM plan_votes v "
        "JOIN reviewers r ON r.id = v.reviewer WHERE r.name = ? ORDER BY v.id"
    )
    connection = sqlite3.connect(f"file:{folder / 'easel.db'}?mode=ro", uri=True)
    try:
        return [
            (answer, part, content and json.loads(content), note, bool(blind))
            for answer, part, content, note, blind in connection.execute(query, [reviewer])
        ]
    finally:
        connection.close()


def call(tool: str, description: str = "What to see", **params: Any) -> str:
    """A call as a planner writes it."""
    return f"<tool>{json.dumps({'tool_name': tool, 'description': description, 'params': params})}</tool>"


BOAT = "\n\n".join(
    (
        "A clinker hull begins with the keel, a single straight timber that sets the length of everything after it.",
        call("reference", "The finished hull", img_index=0),
        "Once the keel is laid, the stem and sternpost are scarfed to its ends.",
        call("search", "Ribs", query="clinker boat ribs cross section"),
        "Ribs are steamed and pressed inside the shell, which nothing here shows.",
        "Hours by stage show where the labour goes.",
        call("code", "Hours", diagram_type="bar", data={"labels": ["keel", "planks"], "values": [2, 5]}),
        "The finished boat is tarred inside and out.",
        call("edit", "Tarred black", img_index=7, prompt="show the hull tarred black"),
    )
)
"""A plan of five paragraphs, nine blocks and four calls, of which the last cites a picture that is not there."""


def small_set(plans: Plans, name: str, *answers: str, judges: int = 1, words: str = "") -> list[int]:
    """A set `set-NAME` of one query with a picture and a document, with answers and reports on them.

    Args:
        plans: the studio's.
        name: of the set.
        answers: their texts; the planners are Alder, Birch, Cedar and Dogwood.
        judges: how many have reports, all alike; they are `judge-NAME`, `judge-NAME-2` …
        words: what every other text of the set holds.

    Returns:
        The answers' ids.
    """
    set_id = f"set-{name}"
    plans.store.create(SetRecord(set_id, f"Set {name}", False, {}, now()))
    content = png((200, 120, 30))
    plans.pictures.put(content)
    image = PoolImage(picture=identify(content), name=f"hull.png {words}"[:500])
    gone = PoolImage(name=f"ribs.png {words}"[:500], missing=f"It did not come with the data. {words}"[:500])
    query = QueryRecord(
        id=f"query-{name}",
        category="Manual",
        query=f"How is a wooden boat built? Show me. {words}",
        query_images=(image,),
        documents=(Document(text=f"Of **boats** and keels. {words}", images=(gone,)),),
        reference="It begins with the keel.\n\n" + call("reference", img_index=0),
    )
    row = plans.store.add_queries(
        set_id, [NewQuery(query.id, query.category, None, json.dumps(query.model_dump(mode="json")))]
    )[query.id]
    planners = ("Alder", "Birch", "Cedar", "Dogwood")
    for planner, text in zip(planners, answers, strict=False):
        answer = AnswerRecord(query_id=query.id, planner=planner, text=text)
        plans.store.add_answers([(row, planner, 1, json.dumps(answer.model_dump(mode="python")))])
    ids = [key.id for key in plans.store.keys(set_id)]
    for k in range(judges):
        judging = f"judge-{name}" + (f"-{k + 1}" if k else "")
        plans.inspections.begin(JudgingRecord(judging, set_id, f"Judge {k + 1}", "imported", {}, now()))
        for answer_id in ids:
            report(plans, judging, answer_id, words)
    return ids


def report(plans: Plans, judging: str, answer_id: int, words: str = "") -> None:
    """All three reports of a judge on an answer, which tell SECRET things."""
    calls = plans.library.read(answer_id).plan.calls
    scores = {"placement": 2, "coherence": 1, "parameters": 2, "format": 2}
    precision = {
        "calls": [
            {"call_id": each.id, "necessary": True, "boundary_ok": each.id != 2, "scores": scores}
            | {"reason": f"SECRET REASON {each.id} {words}", "suggested_tool": None}
            for each in calls
        ],
        "summary": f"SECRET SUMMARY {words}",
    }
    gap = {
        "gap_id": 1,
        "type": "procedural_gap",
        "anchor_quote": "Ribs are steamed and pressed",
        "after_block": min(5, len(plans.library.read(answer_id).plan.blocks)),
        "suggested_tool": "search",
        "severity": "major",
        "reason": f"SECRET GAP {words}",
    }
    recall = {"gaps": [gap], "mi": 1, "summary": f"SECRET RECALL {words}"}
    chief = {"fs": 72, "tier": "60-80", "reason": f"SECRET CHIEF {words}", "decisive_calls": [], "decisive_gaps": [1]}
    plans.inspections.add(
        ReportRow(judging, answer_id, inspector, content, "", "imported", None, 0, 0, None, None, now())
        for inspector, content in (("precision", precision), ("recall", recall), ("chief", chief))
    )
