"""The Analysis and Trace views as a person sees them, and answers with tools to look at."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, expect

from easel_app.rubrics.records import (
    Answer,
    AnswerTurn,
    Conditions,
    Ending,
    ErrorKind,
    Remark,
    Task,
    ToolCall,
    Tools,
    Turn,
    Verdict,
    Vote,
)
from easel_app.services.ledger import now
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import NewQueue
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow
from easel_app.store.rubrics import NewItem, NewTask
from easel_app.store.sets import SetRecord
from tests.browser.easel import HTTP
from tests.browser.grading import API, Grading, picture, small_set

HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}} \u202e"
MANY, HARM, ALONE, OPEN, BLIND = "set-many", "set-harm", "set-alone", "set-open", "set-blind"
ALPHA, BETA, GAMMA = "alpha", "alpha (weak prompt, no tools)", "gamma"
CODE = """from PIL import Image
# the "upper" corner
im = Image.open("image_1.png").convert("RGB")
im.crop((0, 0, 32, 32)).resize((96, 96)).save("corner.png")
print("needle at", 45)
"""
CATEGORIES = ("region_switch", "follow_up", "temporal_visual_reasoning")
SECRET = "THE JUDGE SAYS WHY"


class Page(Grading):
    """One page of the studio that is opened on a view of the analysis."""

    def ready(self) -> None:
        self.page.locator(".s-rubrics:not([aria-busy])").wait_for()
        self.settled()

    def settled(self) -> None:
        """Until what is on show is what the link asks for."""
        self.find(".panel > *, .trace-main, .hole").first.wait_for()
        busy = ".panel[aria-busy], .panel .skel, .trace-body[aria-busy], .trace-sheet .skel, [aria-busy=true]"
        expect(self.find(busy)).to_have_count(0)

    @property
    def address(self) -> dict[str, str]:
        return {name: value for name, (value,) in parse_qs(urlsplit(self.page.url).query, True).items()}

    def choose(self, name: str, value: str) -> None:
        self.find(f'[data-choose="{name}"]').select_option(value)
        self.settled()

    def ask(self, path: str, **query: Any) -> Any:
        """What the server answers to anyone."""
        return HTTP.get(f"{self.url}{API}/{path}", params=query).raise_for_status().json()

    def cells(self, row: Locator) -> list[str]:
        return [" ".join(text.split()) for text in row.locator("th, td:not(.gauged)").all_inner_texts()]

    @property
    def here(self) -> dict[str, str | None]:
        """The step that the page is at."""
        found = self.find(".step.here").first
        return {name: found.get_attribute(f"data-{name}") for name in ("turn", "call", "round")}

    def wide(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth"))


def conditions(name: str) -> Conditions | None:
    if name == GAMMA:
        return None
    weak = name == BETA
    return Conditions(
        model="alpha",
        prompt="weak" if weak else "strong",
        prompt_version="1",
        tools=Tools.NONE if weak else Tools.ALL,
        history="golden",
        temperature=0,
    )


def calls_of(rubrics: Rubrics, number: int, many: int) -> tuple[ToolCall, ...]:
    """Calls of one turn, two of them in the first round; each third one fails."""
    failed: dict[str, Any] = {"ok": "false", "stdout": "", "stderr": "NameError: name 'needle' is not defined"}
    done: dict[str, Any] = {"ok": "true", "stdout": "needle at 45\n", "stderr": "", "output_path": "corner.png"}
    return tuple(
        ToolCall(
            name="python_image_processing" if k % 2 == 0 else "calculator",
            arguments={"code": CODE} if k % 2 == 0 else {"expression": f"{number} + {k}"},
            observation=(failed if k % 3 == 2 else done) if k % 2 == 0 else {"result": number + k, "status": "success"},
            pictures=(picture(rubrics, (200, 40 * k, number)),) if k % 2 == 0 and k % 3 != 2 else (),
            round=max(1, k),
            latency=0.25 + k,
        )
        for k in range(many)
    )


def put_tasks(rubrics: Rubrics, set_id: str, name: str, tasks: int) -> dict[str, tuple[int, Task]]:
    rubrics.store.create(SetRecord(set_id, name, False, {}, now()))
    made = {}
    for number in range(tasks):
        turns = 2 if number % 2 else 1
        task = Task(
            id=f"{set_id}-{number}",
            category=CATEGORIES[number % 3],
            domain=("finance", "sports")[number % 2],
            turns=tuple(
                Turn(
                    prompt=f"How much does the meter of task {number} show in turn {k}?",
                    golden_answer="GOLDEN: it shows 45.",
                    tool_trajectory="crop, then read",
                    pictures=(picture(rubrics, (30, 30, number + k)),),
                )
                for k in range(1, turns + 1)
            ),
        )
        items = [
            NewItem(turn, f"i{k}", f"Criterion {turn}.{k}", weight, None, "objective", "explicit", ["reasoning"], None)
            for turn in range(1, turns + 1)
            for k, weight in enumerate((5, 2))
        ]
        new = NewTask(task.id, task.category, task.domain, turns, task.model_dump_json(), items)
        made[task.id] = (rubrics.store.add_tasks(set_id, [new])[task.id], task)
    return made


def judged(rubrics: Rubrics, set_id: str) -> None:
    """A judge's verdicts on all pairs."""
    chance = random.Random(1)
    judging = f"judging-{set_id}"
    rubrics.judgings.begin(JudgingRecord(judging, set_id, "o4-mini", "imported", {}, now()))
    rubrics.judgings.add(
        VerdictRow(
            judging, pair.answer.id, pair.item.id, chance.choice(("met", "met", "not_met")), SECRET, "", "", "imported",
            None, 0, 0, None, None, now(),
        )
        for pair in rubrics.queues.pairs(set_id)
    )  # fmt: skip


def put_answers(rubrics: Rubrics, made: dict[str, tuple[int, Task]], players: dict[str, tuple[int, int]]) -> None:
    """Answers of players, each with so many calls a turn and so many attempts."""
    for number, (row, task) in enumerate(made.values()):
        for name, (many, attempts) in players.items():
            for attempt in range(1, attempts + 1):
                calls = [calls_of(rubrics, number, many) for _ in task.turns]
                turns = tuple(
                    AnswerTurn(
                        text=f"It shows **45**, says {name} of task {number}.",
                        calls=made_calls,
                        remarks=(Remark(round=1, text="I look closer at the needle."),) if made_calls else (),
                        rounds=max([call.round or 1 for call in made_calls], default=0) + 1,
                        ended=Ending.ANSWERED if number % 4 else Ending.MOST_ROUNDS,
                    )
                    for made_calls in calls
                )
                known = conditions(name)
                answer = Answer(
                    task_id=task.id,
                    model=name,
                    attempt=attempt,
                    turns=turns,
                    conditions=known,
                    origin="run-1" if known else "",
                )
                rubrics.store.add_answers([(row, name, attempt, answer.model_dump_json())])


def fill(rubrics: Rubrics) -> None:
    """Three players of whom some answers wait for a blind vote; all of two; a set of harm; one without a judge."""
    rubrics.sets()  # brings the sample in
    made = put_tasks(rubrics, MANY, "Many", 12)
    put_answers(rubrics, made, {ALPHA: (4, 2), BETA: (0, 1), GAMMA: (2, 1)})
    judged(rubrics, MANY)
    pairs = list(rubrics.queues.pairs(MANY))
    rubrics.votes.adopt(
        MANY,
        [
            Vote(
                task_id=pair.answer.task_id, model=pair.answer.model, attempt=pair.answer.attempt, turn=pair.item.turn,
                item_id=pair.item.item_id, reviewer="r1", verdict=Verdict.NOT_MET, error=list(ErrorKind)[k % 4],
                blind=True,
            )
            for k, pair in enumerate(pairs[:40])
        ],
    )  # fmt: skip
    rubrics.queues.make(NewQueue(set_id=MANY, name="A few", models=(GAMMA,), size=6, required=1, seed=3))
    small_set(rubrics, "harm", HOSTILE + "long " * 19_900, required=1)
    put_answers(rubrics, put_tasks(rubrics, ALONE, "Alone", 2), {ALPHA: (2, 1)})
    put_tasks(rubrics, OPEN, "Open", 3)
    put_answers(rubrics, put_tasks(rubrics, BLIND, "Blind", 2), {ALPHA: (2, 1), GAMMA: (2, 1)})
    judged(rubrics, BLIND)
    rubrics.queues.make(NewQueue(set_id=BLIND, name="All", size=12, required=1, seed=3))
