"""Leave-one-out credit of every stroke on a canvas. Run: python -m benchmarks.credit [--quick] [--limit].

The naive way repaints all other strokes for each one and scores what they give; both ways are held against each other
to the bit. Times are of the processor. `--limit` adds the worst canvas that the service takes: two minutes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.strokes import KINDS, reference, task_of
from easel_app.engine import warm
from easel_app.painting.board import board_for
from easel_app.painting.brush import dressed
from easel_app.painting.credit import credits
from easel_app.painting.env import catalogue
from easel_app.painting.painters import able, painter
from easel_app.painting.renderer import render
from easel_app.painting.scores import headline
from easel_app.painting.tasks import SEMANTIC, Task
from easel_app.services.credit import MOST_COLUMNS

MOST = 1000.0
"""Milliseconds that 128 strokes at 128 px may take."""
Strokes = NDArray[np.float64]


def milliseconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of a piece of work, and its result."""
    start = time.process_time()
    result = work()
    return (time.process_time() - start) * 1e3, result


def naive(task: Task, strokes: Strokes) -> list[float]:
    """The score without each stroke, by repainting all others."""
    board, scores = board_for(task, skia=False), []
    for k in range(len(strokes)):
        board.load(render(np.delete(strokes, k, 0), task.start))
        scores.append(headline(board.scores()))
    return scores


def faint_strokes(count: int) -> Strokes:
    """The worst: each as wide as the canvas, and so faint that none is ever hidden."""
    strokes = np.random.default_rng(0).random((count, 13))
    strokes[:, [6, 8]], strokes[:, [7, 9]] = 1.0, 0.02
    return strokes


def drawn(task: Task) -> Strokes:
    """The strokes of the script that knows a semantic task's answer."""
    hired = painter(able(task.truth)[0], task.reference, task.budget, 0, task.truth)
    board, strokes = board_for(task, skia=False), []
    while (path := hired.next(board.pixels.copy(), len(strokes))) is not None and len(strokes) < task.budget:
        strokes.append(dressed(path))
        board.paint(strokes[-1])
    return np.array(strokes)


def measure(name: str, task: Task, strokes: Strokes, *, compared: bool) -> float:
    """Print a row; returns milliseconds, infinite when a score differs from the naive way's."""
    pixels = render(strokes, task.start)
    took, found = milliseconds(lambda: list(credits(task, strokes, pixels)))
    ratio = "-"
    if compared:
        slow, scores = milliseconds(lambda: naive(task, strokes))
        ratio = f"{slow / took:.1f}"
        took = took if scores == [credit.without for credit in found] else float("inf")
    useless, harmful = (sum(test(credit.credit) for credit in found) for test in (lambda c: c == 0, lambda c: c < 0))
    print(
        f"{name:>14} {task.width:>5} {len(strokes):>8} {took:>9.0f} {took / len(strokes):>10.2f} {ratio:>7}"
        f" {useless:>8} {harmful:>8}",
        flush=True,
    )
    return took


def main() -> bool:
    """Print the table; True when the promise holds and all scores are those of the naive way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes longest")
    parser.add_argument("--limit", action="store_true", help="measure the worst canvas that the service takes")
    options = parser.parse_known_args()[0]
    warm()
    print(f"\nCredit of each stroke (processor ms; 128 strokes at 128 px: at most {MOST:.0f})")
    print(
        f"{'strokes':>14} {'px':>5} {'n':>8} {'ms':>9} {'ms a stroke':>10} {'ratio':>7} {'useless':>8} {'harmful':>8}"
    )
    good = True
    for size, count in ((128, 128), (128, 96), (256, 500)):
        for kind, make in KINDS.items():
            took = measure(kind, task_of(reference(size)), make(count, size), compared=size == 128 or not options.quick)
            good &= took <= MOST if (size, count) == (128, 128) else took < float("inf")
    for task in catalogue():
        if task.category == SEMANTIC:
            good &= measure(task.id, task, drawn(task), compared=not options.quick) < float("inf")
    measure("faint", task_of(reference(128)), faint_strokes(128), compared=False)
    if options.limit:
        for kind, strokes in (("painting", KINDS["painting"]), ("faint", lambda count, _: faint_strokes(count))):
            measure(kind, task_of(reference(512)), strokes(MOST_COLUMNS // 512, 512), compared=False)
    return bool(good)


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
