"""What results and lists cost with 100 to 10,000 sessions, and whether the interval covers.

Run: python -m benchmarks.results [--quick]. The databases are filled by SQL with whole logs of made-up scores, about
100 actions a session: agents that play all 110 tasks, and people who play 1 to 27.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from benchmarks.strokes import random_strokes
from easel_app.painting.renderer import RENDERER
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import Task
from easel_app.scoring.uncertainty import LEVEL, RESAMPLES, mean_intervals
from easel_app.services import figures
from easel_app.services.ranking import ResultQuery
from easel_app.services.results import ResultService
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.figures import FiguresRecord
from easel_app.store.records import ActionRecord, SessionRecord, Wanted, insert

NOW = "2026-01-01T00:00:00.000+00:00"
MOST_RESULTS_MS, MOST_LIST_MS = 500.0, 100.0
TOGETHER = 100
"""Sessions of one transaction."""
ADD_ACTION = (
    "INSERT INTO actions (session_id, seq, request_id, kind, params, outcome, message, step, status, scores, "
    "canvas_digest, actor, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SAMPLE = 50
"""Sessions whose figures are computed from their log; those of the others are made up."""


def scores(similarity: float) -> dict[str, Any]:
    """The stored scores of a canvas."""
    return {"metric": "similarity/1", "similarity": similarity, "ssim": similarity, "l1": 0.2, "edge_iou": 0.1}


def sessions(tasks: list[Task], number: int) -> Iterator[tuple[SessionRecord, Task]]:
    """So many sessions: 44 in 100 of agents by all tasks in turn, the others of people by some tasks each."""
    agents = number * 44 // 100
    people = [player for player in range(number) for _ in range(1 + 7 * player % 27)][:number]
    for k in range(number):
        kind = "agent" if k < agents else "human"
        player = k // len(tasks) if k < agents else people[k - agents]
        task = tasks[k % len(tasks)] if k < agents else tasks[(k * 37) % len(tasks)]
        yield SessionRecord(
            id=hashlib.sha256(str(k).encode()).hexdigest()[:16], task_id=task.id, task_digest=task.digest,
            protocol="benchmark", player_kind=kind, player_name=f"{kind} {player}", player_model=None,
            renderer=RENDERER, metric=task.metric, task_set=task.task_set, token_hash="", start_scores=scores(0.3),
            created_at=f"2026-01-01T{k // 3600:02d}:{k // 60 % 60:02d}:{k % 60:02d}.000+00:00",
        ), task  # fmt: skip


class Filler:
    """Fills a studio's database with sessions that have ended."""

    def __init__(self, studio: Studio) -> None:
        rows = random_strokes(200).round(4).tolist()
        self._strokes = [json.dumps(dict(zip(STROKE_FIELDS, row, strict=True))) for row in rows]
        self._studio, self._rng = studio, np.random.default_rng(0)
        self.actions = 0

    def fill(self, number: int, sample: int) -> None:
        """Add so many sessions, all but the first few with figures."""
        waiting = enumerate(sessions([t for t in self._studio.tasks.list() if not t.kind.semantic], number))
        while some := list(islice(waiting, TOGETHER)):
            self._studio._database.write(lambda connection, some=some: self._add(connection, some, sample))

    def _add(
        self, connection: sqlite3.Connection, some: list[tuple[int, tuple[SessionRecord, Task]]], sample: int
    ) -> None:
        for k, (session, task) in some:
            connection.execute(*insert(session, "sessions"))
            curve = np.clip(0.3 + 0.4 * self._rng.random(task.budget).cumsum() / task.budget, 0, 1).tolist()
            connection.executemany(
                ADD_ACTION,
                [
                    (
                        session.id, step, f"#{step}", "brush_stroke", self._strokes[(k + step) % len(self._strokes)],
                        "applied", "", step, "spent" if step == task.budget else "open", json.dumps(scores(value)),
                        session.id * 4, session.player_kind, NOW,
                    )
                    for step, value in enumerate(curve, 1)
                ],
            )  # fmt: skip
            self.actions += len(curve)
            if k >= sample:
                connection.execute(*insert(self._figures(session, task, curve), "figures"))

    def _figures(self, session: SessionRecord, task: Task, curve: list[float]) -> FiguresRecord:
        final = ActionRecord(
            session.id,
            1,
            "#1",
            "invalid",
            {},
            "invalid",
            "",
            1,
            "spent",
            scores(curve[-1]),
            "",
            session.player_kind,
            NOW,
        )
        return figures.of_log(task, session, [final])


def timed(job: Callable[[], object], times: int = 1) -> float:
    """Milliseconds of a job, the median of some times."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        spent.append((time.perf_counter() - start) * 1e3)
    return float(np.median(spent))


class Spent(NamedTuple):
    """Milliseconds of what is asked of one database."""

    cold: float
    worked: float
    """Processor time of the same."""
    warm: float
    whole: float
    page: float
    """The slowest of pages by different filters."""
    open_only: float
    """A page of those that are open, where none is."""
    gallery: float
    figures: float
    """Of one session, from its log."""


def ask(studio: Studio) -> Spent:
    """Time what is asked of a studio that has just been opened."""
    results, listed = studio.results, studio.sessions

    def catch_up() -> None:
        while results.catch_up():
            pass

    def show() -> str:
        return results.results(ResultQuery()).model_dump_json()

    def begin_and_show() -> str:
        begun = ResultService(results._store, results._sessions, studio.tasks)
        return begun.results(ResultQuery()).model_dump_json()

    each, cold, warm = timed(catch_up) / SAMPLE, timed(begin_and_show, 5), timed(show, 9)
    used = time.process_time()
    begin_and_show()
    wishes: list[Wanted] = [{}, {"task": "natural-01"}, {"kind": "human"}, {"player": "human 3"}, {"ended": True}]
    wishes.append({"before": listed.newest(limit=100)[-1].session_id})
    return Spent(
        cold=cold,
        worked=(time.process_time() - used) * 1e3,
        warm=warm,
        whole=timed(lambda: results.all_results(ResultQuery())),
        page=max(timed(partial(listed.newest, limit=24, **wish), 5) for wish in wishes),
        open_only=timed(partial(listed.newest, limit=24, ended=False), 5),
        gallery=timed(results.gallery, 3),
        figures=each,
    )


def growth(numbers: tuple[int, ...]) -> bool:
    """Time what is asked of databases of different sizes."""
    print("\nResults and lists (ms): cold is the first answer of a server, with JSON; CPU is its processor time")
    columns = ("sessions", "actions", "cold", "CPU", "warm", "CSV", "page", "open only", "gallery", "figures of one")
    print(" ".join(f"{name:>9}" for name in columns))
    good = True
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio(Settings(data_dir=Path(folder)))
            filler = Filler(studio)
            filler.fill(number, SAMPLE)
            spent = ask(studio)
            studio.close()
        good &= max(spent.cold, spent.warm) <= MOST_RESULTS_MS and max(spent.page, spent.open_only) <= MOST_LIST_MS
        print(f"{number:>9,} {filler.actions:>9,} " + " ".join(f"{value:>9.1f}" for value in spent))
    print(f"limits: {MOST_RESULTS_MS:.0f} ms for cold and warm, {MOST_LIST_MS:.0f} ms for page and open only")
    return good


def coverage(samples: int) -> bool:
    """How often intervals of a mean over n tasks hold the true mean, by simulation."""
    print(f"\nCoverage of 95 % intervals of a mean over n tasks ({samples} samples, {RESAMPLES} resamples each)")
    print(f"{'tasks':>6} {'scores':>12} {'percentile':>11} {'wider level':>12} {'ours':>6} {'t':>6} {'ms each':>8}")
    rng, good = np.random.default_rng(0), True
    draws: dict[str, tuple[Callable[[tuple[int, int]], Any], float]] = {
        "normal": (lambda shape: rng.normal(0.5, 0.1, shape), 0.5),
        "skewed": (lambda shape: rng.beta(2, 6, shape), 0.25),
        "very skewed": (lambda shape: rng.exponential(0.1, shape), 0.1),
    }
    for size in (5, 15, 40, 110):
        counts = rng.multinomial(size, np.full(size, 1 / size), RESAMPLES) / size
        t = -stdtrit(size - 1, (1 - LEVEL) / 2)
        level = ndtr(-np.sqrt(size / (size - 1)) * t)
        for name, (draw, mean) in draws.items():
            table = draw((samples, size))
            resampled = counts @ table.T
            start = time.perf_counter()
            ours = np.array(mean_intervals(list(table)))
            spent = (time.perf_counter() - start) * 1e3 / samples
            half = t * table.std(1, ddof=1) / np.sqrt(size)
            ends = (
                np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0),
                np.quantile(resampled, [level, 1 - level], axis=0),
                ours.T,
                np.array([table.mean(1) - half, table.mean(1) + half]),
            )
            held = [float(((low <= mean) & (mean <= high)).mean()) for low, high in ends]
            good &= name == "very skewed" or 0.92 <= held[2] <= 0.97
            print(
                f"{size:>6} {name:>12} {held[0]:>11.3f} {held[1]:>12.3f} {held[2]:>6.3f} {held[3]:>6.3f} {spent:>8.2f}"
            )
    print("ours covers 0.92 to 0.97 but for the very skewed, which no interval of few values covers")
    return good


def main() -> bool:
    """Print the tables; True when all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no database of 10,000 sessions")
    quick = parser.parse_known_args()[0].quick
    return bool(coverage(1000 if quick else 4000) & growth((100, 1_000) if quick else (100, 1_000, 10_000)))


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
