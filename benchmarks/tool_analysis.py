"""The analysis of tool use and the search in traces from a real database. Run: python -m benchmarks.tool_analysis.

A set as large as the published one with all its models: 1,204 tasks, 16 players, 19,264 answers of about 10 kB with six
calls each, and a judge's verdict on six items of each. All of it is processor time, which a busy machine leaves as it
is.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.panel import seconds
from easel_app.rubrics.records import Answer, AnswerTurn, Conditions, Task, ToolCall, Turn
from easel_app.scoring.image_operations import image_operations
from easel_app.services.ledger import now
from easel_app.services.rubrics.rows import row_of_answer
from easel_app.services.rubrics.trace_search import Look
from easel_app.services.rubrics.traces import Wanted
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.rubrics import NewTask
from easel_app.store.sets import SetRecord
from tests.services.rubrics.making import SET, item, judge, make_queue

TASKS, PLAYERS, CALLS, ITEMS = 1_204, 16, 6, 6
MOST_FIRST, MOST_AGAIN, MOST_KEPT = 8.0, 4.0, 0.2
"""Seconds for an analysis: of traces that nobody has read, after a new verdict, and with nothing new."""
MOST_SEARCH = 1.0
"""Seconds for a search whose words are rare, or are found at once."""
CATEGORIES = ("region_switch", "hybrid_tool_reasoning", "follow_up", "temporal", "progressive")
CODE = """from PIL import Image, ImageEnhance
import numpy as np

image = Image.open("image_1.png").convert("RGB")
# look closer: {note}
region = image.crop(({at}, {at}, {at} + 90, {at} + 90))
region = region.resize((region.width * 3, region.height * 3), Image.LANCZOS)
region = ImageEnhance.Contrast(region).enhance(1.{at})
region.save("zoom_{at}.png")
for name, value in zip(("red", "green", "blue"), np.asarray(region).astype(float).mean(axis=(0, 1))):
    print(name, round(value, 2))
"""


class Words:
    """Text by the metre, of words that somebody may search for."""

    def __init__(self) -> None:
        self.rng = random.Random(0)  # noqa: S311
        words = ["".join(self.rng.choices("abcdefghijklmnopqrstuvwxyz", k=self.rng.randint(3, 9))) for _ in range(5000)]
        self._metres = " ".join(self.rng.choices(words, k=40_000))

    def text(self, length: int) -> str:
        """So many characters."""
        first = self.rng.randrange(len(self._metres) - length)
        return self._metres[first : first + length]

    def call(self, number: int) -> ToolCall:
        """A call, two of three of them of the image tool."""
        if number % 3:
            code = CODE.format(note=self.text(60), at=self.rng.randint(1, 99))
            told = {"ok": "true", "stdout": self.text(300), "stderr": "", "output_path": "zoom.png", "output_paths": []}
            return ToolCall(name="python_image_processing", arguments={"code": code}, observation=told, round=number)
        results = [{"title": self.text(40), "snippet": self.text(200), "url": "https://example.org"} for _ in range(3)]
        found = {"results": results, "status": "success"}
        return ToolCall(name="web_search", arguments={"query": self.text(30)}, observation=found, round=number)


def fill(studio: Studio) -> None:
    """Put the set and the verdicts into the store."""
    words, store = Words(), studio.rubrics.store
    store.create(SetRecord(SET, "Benchmark", False, {}, now()))
    rows: dict[str, int] = {}
    for k in range(TASKS):
        turns = tuple(Turn(prompt=words.text(600), golden_answer=words.text(800)) for _ in range(1 + k % 2))
        task = Task(id=f"t{k}", category=CATEGORIES[k % 5], domain="finance", turns=turns)
        rubric = [item(1, number) for number in range(ITEMS)]
        new = NewTask(task.id, task.category, task.domain, len(turns), task.model_dump_json(), rubric)
        rows |= store.add_tasks(SET, [new])

    def answers(player: str) -> Iterator[tuple[int, str, int, str]]:
        for k, (task_id, row) in enumerate(rows.items()):
            calls = tuple(words.call(number) for number in range(1, 1 + words.rng.randint(0, 2 * CALLS)))
            first = AnswerTurn(text=words.text(1500), calls=calls, rounds=len(calls) + 1)
            said = (first, AnswerTurn(text=words.text(1500), rounds=1))[: 1 + k % 2]
            conditions = Conditions(model=player, prompt="strong")
            yield row_of_answer(row, Answer(task_id=task_id, model=player, turns=said, conditions=conditions))

    for number in range(PLAYERS):
        store.add_answers(answers(f"player {number}"))
    judge(studio.rubrics, ("met", "met", "not_met", "met", "met", "met", "met"))


def main() -> bool:
    """Print the figures; True when the limits hold."""
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Settings(data_dir=Path(folder)))
        rubrics = studio.rubrics
        fill(studio)
        made = rubrics.analyses

        def analysis() -> str:
            return made.analysis.analysis(SET, None, "weight", wait=0).model_dump_json()

        def clocked(job: Callable[[], object]) -> float:
            return seconds(job, clock=time.process_time)

        first, kept = clocked(analysis), clocked(analysis)
        judge(rubrics, ("met",), "judging-other")  # as many verdicts again
        again = clocked(analysis)
        code = CODE.format(note="a", at=5)
        per_call = seconds(lambda: image_operations(code), 50, time.process_time)
        searches = {q: clocked(partial(made.search.hits, SET, Look(q))) for q in ("zebra crossing", "LANCZOS", "e")}
        contrived = {
            what: clocked(partial(made.search.hits, SET, Look(q)))
            for what, q in (("side by side", '"numpy image resize"'), ("in one text", "numpy image example.org"))
        }
        players = ("player 0", "player 1")
        compared = clocked(lambda: made.comparing.comparison(SET, *players, None, "weight").model_dump_json())
        make_queue(rubrics)
        waiting = clocked(lambda: made.traces.answers(SET, Wanted(), None, "weight", limit=100))
        answer = rubrics.store.answer_keys(SET)[5000].id
        trace = clocked(lambda: made.traces.trace(answer, None, "weight").model_dump_json())
        studio.close()
    print(f"\nTool analysis from the database: {TASKS:,} tasks × {PLAYERS} players, about {CALLS} calls of each")
    print(f"  analysis without image operations, nothing read yet: {first:.1f} s (limit {MOST_FIRST:.0f} s)")
    print(f"  the same after new verdicts: {again:.1f} s (limit {MOST_AGAIN:.0f} s); with nothing new: {kept:.2f} s")
    print(f"  image operations of a call: {1000 * per_call:.2f} ms, each call once, 0.7 s of them a request")
    for q, value in searches.items():
        print(f"  search for {q!r}: {value:.2f} s (limit {MOST_SEARCH:.0f} s)")
    for what, value in contrived.items():
        print(f"  search for common words that are nowhere {what}: {value:.2f} s")
    print(f"  two players compared: {compared:.2f} s; a page of answers, all waiting for blind votes: {waiting:.2f} s")
    print(f"  one trace, first of the queue: {trace:.2f} s")
    analyses_hold = first <= MOST_FIRST and again <= MOST_AGAIN and kept <= MOST_KEPT
    return analyses_hold and max(searches.values()) <= MOST_SEARCH


if __name__ == "__main__":
    main()
