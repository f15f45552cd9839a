"""How well and how fast the built-in painters paint. Run: python -m benchmarks.painters [--quick] [--painters …]."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from easel_app.engine import StepEngine, warm
from easel_app.painting.env import catalogue
from easel_app.painting.painters import PAINTERS, painter, warming
from easel_app.painting.painters.policy import DATA_POLICY, NATIVE
from easel_app.painting.tasks import Task
from easel_app.scoring.similarity import METRIC

MOST = 2.0
"""Processor milliseconds that a stroke of the data policy may take at 128 px, in the mean over all of them."""
LEAST = 0.855
"""Mean similarity at budget that the data policy reaches on all tasks."""
QUICK = 5
"""One task in so many is painted in a quick run."""


class Painting(NamedTuple):
    """What came of one task."""

    similarity: float
    milliseconds: list[float]
    """Processor time of each stroke, choosing it and nothing else."""


def paint(name: str, task: Task, strokes: int) -> Painting:
    """Paint a task with a schedule of `strokes`, from seed 0."""
    hired, engine = painter(name, task.reference, strokes), StepEngine(task.reference)
    spent = []
    for step in range(strokes):
        start = time.process_time()
        stroke = hired.next(engine.canvas, step)
        spent.append((time.process_time() - start) * 1e3)
        engine.step(stroke)
    return Painting(engine.scores().similarity, spent)


def main() -> bool:
    """Print similarity by category and milliseconds by size; True when both promises hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"one task in {QUICK}")
    parser.add_argument("--painters", nargs="+", choices=list(PAINTERS), default=[DATA_POLICY, "random"])
    options = parser.parse_known_args()[0]
    warm()
    warming.warm()
    tasks = list(catalogue())[:: QUICK if options.quick else 1]
    rows: dict[str, dict[str, list[float]]] = {
        "blank": by_category(tasks, [task.anchors.blank for task in tasks]),
        "mean fill": by_category(tasks, [task.anchors.mean_fill for task in tasks]),
    }
    spent: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for name in options.painters:
        for label, strokes in (("at budget", None), (f"at {NATIVE}", NATIVE)):
            made = [paint(name, task, strokes or task.budget) for task in tasks]
            rows[f"{PAINTERS[name].version} {label}"] = by_category(tasks, [one.similarity for one in made])
            for task, one in zip(tasks, made, strict=True):
                spent[name, label, task.width] += one.milliseconds

    print(f"\nMean similarity ({METRIC}) of {catalogue().task_set}, seed 0")
    columns = list(rows["blank"])
    print(f"{'':22}" + "".join(f"{name:>14}" for name in columns))
    print(f"{'tasks':22}" + "".join(f"{len(rows['blank'][name]):>14}" for name in columns))
    for row, scores in rows.items():
        print(f"{row:22}" + "".join(f"{np.mean(scores[name]):>14.4f}" for name in columns))
    print("\nChoosing a stroke (processor ms)")
    print(f"{'painter':22}{'px':>6}{'strokes':>9}{'median':>9}{'mean':>9}{'p95':>9}")
    for (name, label, size), times in spent.items():
        median, p95 = np.percentile(times, [50, 95])
        row = f"{PAINTERS[name].version} {label}"
        print(f"{row:22}{size:>6}{len(times):>9}{median:>9.3f}{np.mean(times):>9.3f}{p95:>9.3f}")
    if DATA_POLICY not in options.painters:
        return True
    version = PAINTERS[DATA_POLICY].version
    took = [time for (name, _, size), times in spent.items() if (name, size) == (DATA_POLICY, 128) for time in times]
    reached = np.mean(rows[f"{version} at budget"]["all"])
    print(f"\n{version}: {np.mean(took):.2f} ms over {len(took)} strokes at 128 px (at most {MOST})", end="")
    print("" if options.quick else f", similarity {reached:.4f} at budget (at least {LEAST})")
    return bool(np.mean(took) <= MOST and (options.quick or reached >= LEAST))


def by_category(tasks: list[Task], scores: list[float]) -> dict[str, list[float]]:
    """The scores of each category, and of all."""
    found: dict[str, list[float]] = defaultdict(list)
    for task, score in zip(tasks, scores, strict=True):
        found[task.category].append(score)
    return {**found, "all": scores}


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
