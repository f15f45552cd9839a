"""How long a maze takes to draw, a stroke to judge and a drawing to score. Run: python -m benchmarks.maze."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from easel_app.engine.contact import first_contact
from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.families.maze import SIZES, draft
from easel_app.painting.painters.scripted.solver import route_paths
from easel_app.painting.renderer import render
from easel_app.painting.truth import MazeTruth
from easel_app.scoring import BRUSH_COLOUR
from easel_app.scoring.ink import ink
from easel_app.scoring.maze import METRIC, explore

MOST_SCORING = 60.0
"""Milliseconds that scoring a drawing may take at any size, in the slowest case measured."""
MOST_CONTACT = 200.0
"""Microseconds that judging a stroke may take, in the median of each kind."""
SEEDS = range(20)


def milliseconds(act: Callable[..., object], inputs: Iterable[tuple[Any, ...]]) -> NDArray[np.float64]:
    """Processor time of each call, float64 (k,)."""
    spent = []
    for one in inputs:
        start = time.process_time()
        act(*one)
        spent.append((time.process_time() - start) * 1e3)
    return np.array(spent)


def mazes(size: int) -> list[tuple[NDArray[np.uint8], MazeTruth]]:
    """Pictures and truths of some mazes."""
    made = [draft(size, seed) for seed in SEEDS]
    return [(one.picture, one.truth) for one in made if isinstance(one.truth, MazeTruth)]


def along(truth: MazeTruth) -> NDArray[np.float64]:
    """A line down the whole margin, a hair's breadth from the outer wall, where no stroke is clear of it early."""
    size = truth.walls.shape[0]
    x = (np.nonzero(truth.walls.any(0))[0][0] + 0.5 - line_radius(size) - 0.5 - 1e-9) / size
    return np.array([x, 0.0, x, 0.5, x, 1.0])


def scored(canvas: NDArray[np.uint8], picture: NDArray[np.uint8], truth: MazeTruth) -> float:
    """Progress from the pixels alone."""
    return explore(ink(canvas, picture), truth, line_radius(canvas.shape[0])).progress


def main() -> bool:
    """Print the times by size; True when both promises hold."""
    first_contact(np.zeros(6), np.zeros((64, 64), np.bool_), 1.0)  # compiled, or loaded
    held = True
    print(f"\n{METRIC}, {len(SEEDS)} mazes of each size, processor time, median and largest")
    print(f"{'':34}" + "".join(f"{size:>9} px{'':9}" for size in SIZES))
    rows: dict[str, list[NDArray[np.float64]]] = {}
    for size in SIZES:
        rows.setdefault("draw a maze (ms)", []).append(milliseconds(draft, [(size, seed) for seed in SEEDS]))
        radius, random = line_radius(size), np.random.default_rng(0).random((100, 6))
        made = mazes(size)
        kinds = {
            "random": [(path, truth.walls, radius) for _, truth in made for path in random],
            "on the route": [(path, truth.walls, radius) for _, truth in made for path in route_paths(truth)],
            "along a wall": [(along(truth), truth.walls, radius) for _, truth in made],
        }
        for kind, strokes in kinds.items():
            spent = milliseconds(first_contact, strokes) * 1e3
            rows.setdefault(f"judge a stroke, {kind} (µs)", []).append(spent)
            held = held and bool(np.median(spent) <= MOST_CONTACT)
        solved = [
            (render(np.array([dressed(path) for path in route_paths(truth)]), picture), picture, truth)
            for picture, truth in made
        ]
        flooded = [(np.full_like(picture, BRUSH_COLOUR), picture, truth) for picture, truth in made]
        for kind, drawings in (("a solved maze", solved), ("a flooded canvas", flooded)):
            spent = milliseconds(scored, drawings)
            rows.setdefault(f"score {kind} (ms)", []).append(spent)
            held = held and bool(spent.max() <= MOST_SCORING)
    for name, columns in rows.items():
        print(f"{name:34}" + "".join(f"{np.median(one):>10.2f} {one.max():>8.2f}  " for one in columns))
    print(f"Scoring at most {MOST_SCORING:.0f} ms, judging at most {MOST_CONTACT:.0f} µs: {'yes' if held else 'NO'}")
    return held


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
