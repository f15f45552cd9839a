"""The Rubric review tab as a person sees it, and data to review."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Locator, expect

from easel_app.rubrics.records import Answer, AnswerTurn, Task, ToolCall, Turn
from easel_app.services.ledger import now
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import NewQueue
from easel_app.sources.fields import Picture
from easel_app.sources.pictures import identify
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import NewItem, NewTask
from easel_app.store.sets import SetRecord
from tests.browser.easel import HTTP, Easel
from tests.browser.profiles import Profiles

API = "/api/rubrics"


class Reviewing(Easel):
    """A page on which people review, whichever the benchmark."""

    def link(self, name: str) -> str | None:
        """A parameter of the link."""
        found = self.page.evaluate("(name) => new URLSearchParams(location.search).get(name)", name)
        return None if found is None else str(found)


class Grading(Reviewing):
    """One page of the studio that is opened on the Rubric review tab."""

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.url}/?tab=rubrics{query}")
        self.ready()

    def ready(self) -> None:
        """Until a criterion is on show, or what stands in its place."""
        self.page.locator(".s-rubrics:not([aria-busy])").wait_for()
        self.find(".ballot[data-entry]:visible, .hole:visible").first.wait_for()
        expect(self.find(".review-view[aria-busy]")).to_have_count(0)

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-rubrics {selector}")

    @property
    def criterion(self) -> Locator:
        return self.find("h2.crit")

    @property
    def judged(self) -> Locator:
        """What the judges say, once that is told."""
        return self.find("[data-judge]")

    @property
    def entry(self) -> int:
        """The entry on show."""
        return int(self.find(".ballot[data-entry]").get_attribute("data-entry") or 0)

    def wait_entry(self, entry: int) -> None:
        expect(self.find(".ballot[data-entry]")).to_have_attribute("data-entry", str(entry))

    def vote(self, key: str) -> None:
        """Vote by a key, and wait until the vote is stored."""
        self.press(key)
        expect(self.find(".state")).to_contain_text("aved")

    def go_on(self) -> None:
        """To the next open criterion, by key."""
        before = self.entry
        self.press("Enter")
        expect(self.find(".ballot[data-entry]")).not_to_have_attribute("data-entry", str(before))

    def enrol(self, name: str, key: str = "m") -> None:
        """Vote for the first time, under a name."""
        expect(self.find(".ballot[data-entry]")).to_be_visible()  # before it is there, the keys vote on nothing
        self.press(key)
        expect(self.find(".who-form input").first).to_be_focused()
        self.page.keyboard.type(name)
        self.press("Enter")
        expect(self.find(".state")).to_contain_text("aved")

    @property
    def token(self) -> str:
        """The reviewer's token, as the browser keeps it."""
        found = self.page.evaluate("Object.values(JSON.parse(localStorage.getItem('es-reviewers')))[0]")
        return str(found["tokens"][found["name"]])


class Person:
    """A reviewer who needs no browser."""

    def __init__(self, url: str, name: str) -> None:
        self.url = f"{url}{API}"
        token = HTTP.post(f"{self.url}/reviewers", json={"name": name}).raise_for_status().json()["token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def vote(self, entry: int, verdict: str | None, request_id: str = "r", **more: Any) -> dict[str, Any]:
        body = {"request_id": f"{request_id}-{entry}", "verdict": verdict} | more
        answer = HTTP.post(f"{self.url}/entries/{entry}/votes", json=body, headers=self.headers)
        return dict(answer.raise_for_status().json())


def votes_of(folder: Path, reviewer: str) -> list[tuple[int | None, str, str | None, int | None, str, bool]]:
    """All rows of a reviewer in the store, in order: entry, role, verdict, confidence, note, blind."""
    query = (
        "SELECT v.entry, v.role, v.verdict, v.confidence, v.note, v.blind FROM votes v "
        "JOIN reviewers r ON r.id = v.reviewer WHERE r.name = ? ORDER BY v.id"
    )
    connection = sqlite3.connect(f"file:{folder / 'easel.db'}?mode=ro", uri=True)
    try:
        return [(*row[:5], bool(row[5])) for row in connection.execute(query, [reviewer])]
    finally:
        connection.close()


def png(colour: tuple[int, int, int], size: int = 64) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(file, "PNG")
    return file.getvalue()


def picture(rubrics: Rubrics, colour: tuple[int, int, int]) -> Picture:
    """A picture of one colour, stored."""
    content = png(colour)
    rubrics.pictures.put(content)
    return identify(content)


Page = TypeVar("Page", bound=Easel)


@contextmanager
def watched(kind: type[Page], url: str, homes: Profiles, usual: str = "") -> Iterator[Callable[..., Page]]:
    """What opens pages of a kind, in an empty profile or beside another page; all of them are checked at the end.

    The check: no error of a script, and no request to another host.
    """
    opened: list[Page] = []
    with ExitStack() as loans:

        def open_page(query: str = usual, *, beside: Page | None = None, **options: Any) -> Page:
            page = kind(beside.page.context.new_page() if beside else loans.enter_context(homes.lent(**options)), url)
            opened.append(page)
            page.open(query)
            return page

        yield open_page
        assert not [error for page in opened for error in page.errors]
        home, asked = urlsplit(url).netloc, [url for page in opened for url in page.requests]
        assert not [url for url in asked if urlsplit(url).netloc not in ("", home)]
        for page in opened:
            page.leave()


def named(text: str, most: int = 80) -> str:
    """A name of at most so many characters; names hold nothing that cannot be seen."""
    return "".join(character for character in text if character.isprintable())[:most].strip()


def small_set(
    rubrics: Rubrics, name: str, text: str = "plain", *, answers: int = 3, turns: int = 1, **queue: Any
) -> str:
    """A set of one task with three criteria a turn, `text` in each of its fields, judged; the id of its queue."""
    set_id, judging = f"set-{name}", f"judging-{name}"
    rubrics.store.create(SetRecord(set_id, name, False, {}, now()))
    pictures = (picture(rubrics, (200, 30, 30)), picture(rubrics, (30, 30, 200)))
    asked = Task(
        id=f"task-{name}",
        category=named(f"c{text}", 128),
        domain="generalist",
        turns=tuple(
            Turn(
                prompt=f"Prompt {k}: {text}",
                golden_answer=f"Golden {k}: {text}",
                tool_trajectory=text,
                pictures=pictures,
            )
            for k in range(1, turns + 1)
        ),
    )
    items = [
        NewItem(
            turn,
            f"i{k}",
            f"Criterion {turn}.{k}: {text}",
            weight,
            weight > 2,
            ("objective", "subjective")[k % 2],
            "implicit",
            [f"kind {k}", named(f"g{text}")],
            None,
        )
        for turn in range(1, turns + 1)
        for k, weight in enumerate((5, 3, 1), 1)
    ]
    new = NewTask(asked.id, asked.category, asked.domain, turns, asked.model_dump_json(), items)
    row = rubrics.store.add_tasks(set_id, [new])[asked.id]
    call = ToolCall(
        name=f"tool {text}"[:200],
        arguments={"code": f"print({text!r})", "other": text, text[:80]: text},
        observation={"stdout": text, "status": text},
        pictures=(picture(rubrics, (30, 160, 60)),),
    )
    said = tuple(AnswerTurn(text=f"The **answer** is *{k}*: {text}", calls=(call, call)) for k in range(turns))
    for attempt in range(1, answers + 1):
        answer = Answer(task_id=asked.id, model=named(f"m{text}"), attempt=attempt, turns=said)
        rubrics.store.add_answers([(row, answer.model, attempt, answer.model_dump_json())])
    rubrics.judgings.begin(JudgingRecord(judging, set_id, named(f"judge {text}"), "imported", {}, now()))
    rubrics.judgings.add(
        VerdictRow(
            judging,
            pair.answer.id,
            pair.item.id,
            ("met", "not_met")[k % 2],
            f"SECRET REASON {text}",
            "answer is 0",
            "",
            "imported",
            None,
            0,
            0,
            None,
            None,
            now(),
        )
        for k, pair in enumerate(rubrics.queues.pairs(set_id))
    )
    wish = NewQueue(**{"set_id": set_id, "name": f"Queue of {name}"} | queue)
    return rubrics.queues.make(wish).queue_id
