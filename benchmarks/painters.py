"""How well and how fast the built-in painters paint. Run: python -m benchmarks.painters [--quick].

1. The direct recipe against the quickest painter of squared error alone: time of a stroke and similarity.
2. Quality over effort: the painters that can be had, from quick to good, on one task in five.
3. The data policy and the best painter on all tasks, by category and by part of the score.
"""

from __future__ import annotations

import argparse
import time
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from benchmarks import direct
from easel_app.engine import StepEngine, warm
from easel_app.painting.env import catalogue
from easel_app.painting.painters import PAINTERS, painter, warming
from easel_app.painting.painters.policy import DATA_POLICY, NATIVE
from easel_app.painting.tasks import Task
from easel_app.scoring.similarity import METRIC, Similarity

FAST, BEST = "greedy-quick", "planner"
RUNGS = (FAST, DATA_POLICY, "greedy-s", "planner-quick", BEST)
KNOWS_S = {"greedy-s", "planner-quick", "planner"}
"""Painters that know the similarity they are scored by; all others look at squared error alone."""
TIMES = 60.0
"""The direct recipe takes at least so many times as long for a stroke as the quickest painter, and paints no better."""
MOST = {DATA_POLICY: 2.0, BEST: 10.0}
"""Processor milliseconds that a stroke may take at 128 px, in the mean over all."""
LEAST = {DATA_POLICY: (0.855, 0.910), BEST: (0.900, 0.940)}
"""Mean similarity to be reached on all tasks, at budget and at 250 strokes."""
PUBLISHED = {"Final": 0.665, "Edge IoU": 0.281}
"""The published data policy at budget, on the published pictures (arXiv 2608.25417, table of anchors)."""
EARLY = (16, 50, 96)
"""Strokes of a schedule of 250 after which the similarity is told: what is imitated most is the beginning."""
FEW, FEWER = 5, 10
"""One task in so many is painted for the curve, and by the direct recipe."""


class Painting(NamedTuple):
    """What came of one task."""

    score: Similarity
    milliseconds: float
    """Processor time of a stroke, choosing it and nothing else."""
    curve: tuple[float, ...]
    """Similarity after each stroke."""


@cache
def paint(name: str, task_id: str, strokes: int) -> Painting:
    """Paint a task with a schedule of `strokes`, from seed 0."""
    task = find(task_id)
    start = time.process_time()
    hired = painter(name, task.reference, strokes)
    spent = time.process_time() - start
    engine, reached = StepEngine(task.reference), []
    for step in range(strokes):
        start = time.process_time()
        stroke = hired.next(engine.canvas, step)
        spent += time.process_time() - start
        reached.append(engine.step(stroke).similarity)
    return Painting(engine.scores(), spent / strokes * 1e3, tuple(reached))


def paint_directly(task: Task) -> Painting:
    """The same by the direct recipe at the task's budget; its strokes are painted by brush/1 for the score."""
    start = time.process_time()
    strokes = direct.paint(task.reference, task.budget)
    spent = time.process_time() - start
    engine = StepEngine(task.reference)
    reached = tuple(engine.step(stroke).similarity for stroke in strokes)
    return Painting(engine.scores(), spent / task.budget * 1e3, reached)


def find(task_id: str) -> Task:
    found = catalogue().get(task_id)
    assert found
    return found


def main() -> bool:
    """Print the three tables; True when all promises hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"one task in {FEW} everywhere: promises for all are left")
    options = parser.parse_known_args()[0]
    warm()
    warming.warm()
    cv2.setNumThreads(1)
    tasks = [task for task in catalogue() if task.anchors]
    held = [against_the_direct_recipe(tasks[:: 2 * FEWER if options.quick else FEWER])]
    curve(tasks[::FEW])
    for name in (DATA_POLICY, BEST):
        held += by_part(name, tasks[:: FEW if options.quick else 1], judge=not options.quick)
    return all(held)


def against_the_direct_recipe(tasks: list[Task]) -> bool:
    """Print and judge the first comparison."""
    slow = [paint_directly(task) for task in tasks]
    fast = [paint(FAST, task.id, task.budget) for task in tasks]
    took, takes = (np.mean([one.milliseconds for one in made]) for made in (slow, fast))
    reached, reaches = (np.mean([one.score.similarity for one in made]) for made in (slow, fast))
    print(
        f"\nA stroke of the direct recipe (easel.md, section 8) and of {PAINTERS[FAST].version}, squared error alone,"
    )
    print(f"{len(tasks)} tasks at budget, one thread, both painted by brush/1 for the score:")
    print(f"{took:.1f} ms and {takes:.3f} ms, ratio {took / takes:.0f} (at least {TIMES:.0f});", end=" ")
    print(f"mean similarity {reached:.4f} and {reaches:.4f} (no lower)")
    policy = [paint(DATA_POLICY, task.id, task.budget) for task in tasks]
    takes_too, reaches_too = (
        np.mean([one.milliseconds for one in policy]), np.mean([one.score.similarity for one in policy])
    )  # fmt: skip
    print(f"({PAINTERS[DATA_POLICY].version}, the data policy: ratio {took / takes_too:.0f} at {reaches_too:.4f})")
    return bool(took >= TIMES * takes and reaches >= reached)


def curve(tasks: list[Task]) -> None:
    """Print quality over effort."""
    print(f"\nQuality over effort: {len(tasks)} tasks, seed 0, {METRIC}, processor ms a stroke")
    early = "".join(f"{f'S @{step}':>8}" for step in EARLY)
    print(f"{'painter':17}{'aims at':>16}{'budget: ms':>12}{'S':>9}{f'{NATIVE}: ms':>12}{'S':>9}{early}{'AUC':>8}")
    for name in RUNGS:
        cells = ""
        for strokes in (0, NATIVE):
            made = [paint(name, task.id, strokes or task.budget) for task in tasks]
            cells += f"{np.mean([one.milliseconds for one in made]):>12.2f}"
            cells += f"{np.mean([one.score.similarity for one in made]):>9.4f}"
        cells += "".join(f"{np.mean([one.curve[step - 1] for one in made]):>8.3f}" for step in EARLY)
        print(f"{PAINTERS[name].version:17}{aim(name):>16}{cells}{np.mean([np.mean(one.curve) for one in made]):>8.3f}")


def aim(name: str) -> str:
    """What a painter looks at."""
    return "S itself" if name in KNOWS_S else "squared error"


def by_part(name: str, tasks: list[Task], judge: bool) -> list[bool]:
    """Print a painter's scores by category and part, beside the anchors; whether its promises hold."""
    held, spent, painted = [], 0.0, 0
    print(f"\n{PAINTERS[name].version}, which aims at {aim(name)}: {len(tasks)} tasks, seed 0")
    print(f"{'':14}{'strokes':>9}{'tasks':>7}{'S':>9}{'SSIM':>9}{'L1':>9}{'Edge IoU':>10}{'blank':>9}{'mean fill':>11}")
    categories = dict.fromkeys(task.category for task in tasks)
    groups = {category: [task for task in tasks if task.category == category] for category in categories}
    for strokes, least in zip((0, NATIVE), LEAST[name], strict=True):
        for label, group in {**groups, "all": tasks}.items():
            made = [paint(name, task.id, strokes or task.budget) for task in group]
            s, ssim, l1, edge = np.mean([one.score for one in made], axis=0)
            anchors = [task.anchors for task in group if task.anchors]
            blank, fill = (np.mean([getattr(one, of) for one in anchors]) for of in ("blank", "mean_fill"))
            print(f"{label:14}{strokes or 'budget':>9}{len(group):>7}{s:>9.4f}{ssim:>9.4f}{l1:>9.4f}", end="")
            print(f"{edge:>10.4f}{blank:>9.3f}{fill:>11.3f}")
            for one, task in zip(made, group, strict=True):
                if label != "all" and task.width == 128:
                    spent, painted = (
                        spent + one.milliseconds * (strokes or task.budget),
                        painted + (strokes or task.budget),
                    )
        if judge:
            held.append(bool(s >= least))
            print(f"  at least {least}: {'holds' if held[-1] else 'DOES NOT HOLD'}")
    print(f"{'published policy, other images':30}{PUBLISHED['Final']:>9.3f}", end="")
    print(f"{PUBLISHED['Edge IoU']:>28.3f}  at budget")
    held.append(spent <= MOST[name] * painted)
    print(f"{spent / painted:.2f} ms a stroke over {painted} strokes at 128 px (at most {MOST[name]})")
    return held


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
