"""The agreement panel and a reviewer's requests from a real database. Run: python -m benchmarks.panel.

A set as large as the published one: 1,204 tasks, three models, about 8,000 pairs of an answer and a rubric item, each
with a verdict of a judge and three votes. What `benchmarks.agreement` leaves out is here: reading rows, votes and
verdicts from SQLite, and making JSON of it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from easel_app.rubrics.records import Answer, AnswerTurn, Task, Turn
from easel_app.services.ledger import now
from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.panel import PanelQuery
from easel_app.services.rubrics.queues import Filters
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.reviews import AdoptedVote
from easel_app.store.rubrics import NewTask
from easel_app.store.sets import SetRecord
from tests.services.rubrics.making import SET, item, judge, make_queue

TASKS, MODELS, REVIEWERS = 1_204, ("a", "b", "c"), 3
MOST_SECONDS = 2.0
"""Processor time from the request to the JSON of the whole panel, with 2,000 resamples."""
MOST_REQUEST = 0.15
"""Seconds that a request on the way to the next criterion may take."""


def fill(rubrics: Rubrics) -> int:
    """Put the set, the verdicts and the votes into the store; how many pairs there are."""
    rubrics.store.create(SetRecord(SET, "Benchmark", False, {}, now()))
    asked = [Task(id=f"t{k}", category="temporal", domain="finance", turns=(Turn(prompt="?"),)) for k in range(TASKS)]
    rubric = [item(1, k) for k in range(3)]
    tasks = [
        NewTask(task.id, task.category, task.domain, 1, task.model_dump_json(), rubric[: 3 if k % 5 == 0 else 2])
        for k, task in enumerate(asked)
    ]
    rows = rubrics.store.add_tasks(SET, tasks)
    rubrics.store.add_answers(
        (row, model, 1, Answer(task_id=task, model=model, turns=(AnswerTurn(text="!"),)).model_dump_json())
        for task, row in rows.items()
        for model in MODELS
    )
    judge(rubrics, ("met", "met", "not_met"))
    pairs, rng = list(rubrics.queues.pairs(SET)), np.random.default_rng(0)
    said = np.where(rng.random((len(pairs), REVIEWERS)) < 0.7, "met", "not_met")
    rubrics.reviews.adopt(
        [
            AdoptedVote(pair.answer.id, pair.item.id, f"reviewer {k}", "review", str(said[at, k]), None, "", None, True,
                        f"{at}-{k}", now())
            for at, pair in enumerate(pairs)
            for k in range(REVIEWERS)
        ]
    )  # fmt: skip
    return len(pairs)


def seconds(job: Callable[[], object], times: int = 1, clock: Callable[[], float] = time.perf_counter) -> float:
    """Median seconds that a job takes."""
    spent = []
    for _ in range(times):
        begun = clock()
        job()
        spent.append(clock() - begun)
    return median(spent)


def main() -> bool:
    """Print the figures; True when the limits hold."""
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Settings(data_dir=Path(folder)))
        rubrics = studio.rubrics
        pairs = fill(rubrics)
        queue = rubrics.queues.record(make_queue(rubrics, required=REVIEWERS).queue_id)
        token = rubrics.reviewers.enrol(NewReviewer(name="Benchmark")).token
        person, last = rubrics.reviewers.person(token), rubrics.queues.view(queue).answers
        panel = seconds(lambda: rubrics.panel.panel(PanelQuery(SET)).model_dump_json(), clock=time.process_time)
        requests = {
            "next answer, at the beginning": lambda: rubrics.votes.reserved(queue, person, 1, only=False),
            "next answer, at the end": lambda: rubrics.votes.reserved(queue, person, last, only=False),
            "one answer": lambda: rubrics.votes.assignment(queue, last // 2, person),
            "the way through the queue": lambda: rubrics.queues.walk(queue, person, Filters()),
        }
        spent = {name: seconds(job, 5) for name, job in requests.items()}
        studio.close()
    size = f"{pairs:,} pairs × {REVIEWERS} reviewers, {TASKS:,} tasks, 2,000 resamples"
    print(f"\nAgreement panel from the database: {size}")
    print(f"  request to JSON, cold: {panel:.2f} s of processor time (limit {MOST_SECONDS:.0f} s)")
    for name, value in spent.items():
        print(f"  {name}: {1000 * value:.0f} ms (median of 5)")
    return panel <= MOST_SECONDS and max(list(spent.values())[:3]) <= MOST_REQUEST


if __name__ == "__main__":
    main()
