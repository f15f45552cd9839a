"""A step with exact scores against the straightforward pipeline. Run: python -m benchmarks.step [--check] [--quick].

The environment (`PaintingEnv.step`), its engine and the plain pipeline paint the same strokes by turns in one run;
times are of the processor, so that other work on the machine does not count. Ratios are of medians and of sums.
`--check` proves that the engine is right: against scikit-image after each of 1,000 strokes, and against
skia's canvas after each of 10,000.
"""

from __future__ import annotations

import argparse
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.plain import PlainPipeline
from benchmarks.stages import stage_times
from benchmarks.strokes import KINDS, reference, task_of
from easel_app.engine import StepEngine, warm
from easel_app.painting.env import PaintingEnv
from easel_app.painting.renderer import Surface, colour_bytes
from easel_app.scoring.similarity import edges, similarity

SIZES = (64, 128, 256)
PROMISED = {("painting", 128): 40.0, ("random", 128): 15.0}
"""Least ratio of the plain pipeline's time to the environment's."""
TOLERANCE = 1e-8
"""Largest difference to scikit-image in any part of a score."""
TURN = 8
"""Strokes of engine and environment for one of the plain pipeline."""


class Timing(NamedTuple):
    """What one kind of strokes takes at one size."""

    plain: float
    """Median of the plain pipeline, s a stroke."""
    engine: float
    """Median of the engine, s a stroke."""
    environment: float
    """Median of `PaintingEnv.step`, s a stroke."""
    engine_ratio: float
    """Of the medians, plain to engine."""
    ratio: float
    """Of the medians, plain to environment."""
    ratio_of_sums: float
    """Plain to environment."""
    call: float
    """Of the engine's time, what a stroke without any effect takes, s."""


def measure(size: int, kind: str, count: int) -> Timing:
    """Time all three by turns."""
    target, strokes = reference(size), KINDS[kind](count, size)
    engine, plain = StepEngine(target), PlainPipeline(target)
    env = PaintingEnv(task=task_of(target, budget=count))
    env.reset()
    fast, whole, slow = [], [], []
    for k in range(0, count - TURN + 1, TURN):
        start = time.process_time()
        for stroke in strokes[k : k + TURN]:
            engine.step(stroke)
        fast.append((time.process_time() - start) / TURN)
        start = time.process_time()
        for stroke in strokes[k : k + TURN]:
            env.step(stroke)
        whole.append((time.process_time() - start) / TURN)
        start = time.process_time()
        plain.step(strokes[k])
        slow.append(time.process_time() - start)
    unseen = np.zeros(13)
    calls = []
    for _ in range(200):
        start = time.process_time()
        engine.step(unseen)
        calls.append(time.process_time() - start)
    a, b, c = (float(np.median(times)) for times in (slow, fast, whole))
    return Timing(a, b, c, a / b, a / c, sum(slow) / sum(whole), float(np.median(calls)))


def timings(count: int) -> bool:
    """Print the table; returns whether what is promised holds."""
    print("\nA step with exact scores (plain: Learning-to-Paint stamping by OpenCV, scores by scikit-image)")
    print(f"{'':44} {'ratio of plain to'}")
    print(
        f"{'px':>4} {'strokes':>9} {'plain ms':>9} {'engine us':>10} {'env us':>7} {'engine':>7} {'env':>5}"
        f" {'env, sums':>10} {'at least':>9}"
    )
    good = True
    spent = []
    for size in SIZES:
        for kind, make in KINDS.items():
            took = measure(size, kind, count)
            least = PROMISED.get((kind, size))
            good &= least is None or min(took.ratio, took.ratio_of_sums) >= least
            print(
                f"{size:>4} {kind:>9} {took.plain * 1e3:>9.2f} {took.engine * 1e6:>10.1f}"
                f" {took.environment * 1e6:>7.1f}"
                f" {took.engine_ratio:>7.0f} {took.ratio:>5.0f} {took.ratio_of_sums:>10.0f}"
                f" {f'{least:.0f}' if least else '-':>9}"
            )
            stages = stage_times(reference(size), make(count, size))
            spent.append((size, kind, {**stages, "call": took.call * 1e6}))
    print("\nWhere the engine's time goes (processor us a stroke)")
    print(f"{'px':>4} {'strokes':>9} " + " ".join(f"{name:>10}" for name in spent[0][2]))
    for size, kind, stages in spent:
        print(f"{size:>4} {kind:>9} " + " ".join(f"{microseconds:>10.1f}" for microseconds in stages.values()))
    return good


def agreement(count: int) -> bool:
    """Hold every step against scikit-image."""
    print(f"\nAgreement with scikit-image after each of {count} strokes (at most {TOLERANCE:.0e})")
    good = True
    for size in SIZES:
        for kind, make in KINDS.items():
            target = reference(size)
            engine, worst, wrong = StepEngine(target), 0.0, 0
            for stroke in make(count, size):
                got = engine.step(stroke)
                worst = max(worst, float(np.abs(np.subtract(got, similarity(engine.canvas, target))).max()))
                wrong += int((engine.edges != edges(engine.canvas)).sum())
            again = StepEngine(target).load(engine.canvas) == engine.scores()
            good &= worst <= TOLERANCE and wrong == 0 and again
            print(
                f"{size:>4} {kind:>9}  worst difference {worst:.1e}, edge pixels that differ {wrong}, "
                f"same bits after a reload: {again}",
                flush=True,
            )
    return good


def same_bytes(count: int, size: int = 128) -> bool:
    """Hold the engine's canvas against skia's after every stroke."""
    engine = StepEngine(reference(size))
    surface = Surface(engine.canvas)
    strokes = np.concatenate([make(count // 2, size, seed=1) for make in KINDS.values()])
    np.random.default_rng(2).shuffle(strokes)
    differing = 0
    for stroke in strokes:
        engine.step(stroke)
        surface.composite(engine.mask, colour_bytes(stroke))
        differing += int((surface.pixels != engine.canvas).any())
    print(f"\nEngine and skia canvases after each of {len(strokes)} strokes at {size} px: {differing} times different")
    return differing == 0


def processor() -> str:
    """The processor's name, as far as the system tells."""
    information = Path("/proc/cpuinfo")
    names = (
        [line for line in information.read_text().splitlines() if "model name" in line] if information.exists() else []
    )
    return names[0].split(":", 1)[1].strip() if names else platform.processor() or platform.machine()


def main(check: bool = True, quick: bool = False) -> bool:
    """Print all; returns whether what is promised holds."""
    packages = ("numpy", "scipy", "scikit-image", "numba", "skia-python")
    print(f"\n{processor()}, Python {platform.python_version()}, " + ", ".join(f"{p} {version(p)}" for p in packages))
    start = time.perf_counter()
    warm()
    print(f"kernels ready after {time.perf_counter() - start:.1f} s")
    good = timings(120 if quick else 400)
    if check:
        good &= agreement(50 if quick else 1000)
        good &= same_bytes(1000 if quick else 10_000)
    return good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="hold scores against scikit-image and bytes against skia")
    parser.add_argument("--quick", action="store_true", help="fewer strokes")
    options = parser.parse_args()
    raise SystemExit(0 if main(check=options.check, quick=options.quick) else 1)
