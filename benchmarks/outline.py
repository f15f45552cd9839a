"""What outlines take and score. Run: python -m benchmarks.outline [--quick].

Times are of the processor, so that other work on the machine does not count: of a draft, of finding the ink and the
enclosed region and scoring it, over the tracer's drawings and over the worst that we know, noise. Scores are the
tracer's on generated tasks, and those of tricks that must not pay.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from easel_app.painting.brush import dressed, line_radius
from easel_app.painting.families import apple, circle
from easel_app.painting.families.draft import Draft
from easel_app.painting.painters.scripted.tracer import STROKES, trace
from easel_app.painting.renderer import render
from easel_app.painting.truth import Mask, OutlineTruth
from easel_app.scoring.ink import ink
from easel_app.scoring.outline import dice, enclosed

PROMISED_MS, PROMISED_DICE = 60.0, 0.95
"""The most that a score may take at 512 px, and the least that the tracer must reach."""
FAMILIES = {"circle": circle, "apple": apple}


def milliseconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """What a piece of work takes, and its result."""
    start = time.process_time()
    result = work()
    return (time.process_time() - start) * 1e3, result


def target(draft: Draft) -> Mask:
    """The region of an outline's draft."""
    assert isinstance(draft.truth, OutlineTruth)
    return draft.truth.mask


def score(canvas: np.ndarray, draft: Draft) -> float:
    """From canvas to score."""
    region = enclosed(ink(canvas, draft.picture), line_radius(canvas.shape[0]))
    return dice(region, target(draft))


def tracing(count: int) -> bool:
    """The tracer on generated outlines; returns whether what is promised holds."""
    print(f"\nOutlines, {count} seeds a row (processor ms: median, largest)")
    print(f"{'family':>7} {'px':>4} {'draft':>13} {'score':>13} {'strokes':>8} {'Dice least':>11} {'median':>7}")
    good = True
    for name, family in FAMILIES.items():
        for size in family.SIZES:
            drafts, scores, reached, strokes = [], [], [], []
            for seed in range(count):
                took, made = milliseconds(partial(family.draft, size, seed))
                drafts.append(took)
                paths = trace(target(made), STROKES)
                strokes.append(len(paths))
                canvas = render(np.array([dressed(path) for path in paths]), made.picture)
                took, value = milliseconds(partial(score, canvas, made))
                scores.append(took)
                reached.append(value)
            good &= min(reached) >= PROMISED_DICE and float(np.median(scores)) <= PROMISED_MS
            print(
                f"{name:>7} {size:>4} {np.median(drafts):>6.1f} {max(drafts):>6.1f} {np.median(scores):>6.1f}"
                f" {max(scores):>6.1f} {max(strokes):>8} {min(reached):>11.4f} {np.median(reached):>7.4f}"
            )
    return good


def worst_times(count: int) -> bool:
    """Noise of many densities: many small holes, and holes for the gap's tolerance; returns whether the time holds."""
    print(f"\nRegion of noise, {count} a row (processor ms: median, largest; promised {PROMISED_MS:.0f} at 512 px)")
    good = True
    for size in circle.SIZES:
        rng, times = np.random.default_rng(0), []
        for k in range(count):
            noise = rng.random((size, size)) < (0.001, 0.01, 0.1, 0.4, 0.6, 0.9)[k % 6]
            times.append(milliseconds(partial(enclosed, noise, line_radius(size)))[0])
        good &= float(np.median(times)) <= PROMISED_MS
        print(f"{size:>4} {np.median(times):>6.1f} {max(times):>6.1f}")
    return good


def tricks(size: int = 256) -> bool:
    """What Dice gives to drawings that are no outline; returns whether none is paid for more than its region."""
    print(f"\nTricks at {size} px on circle 7 and apples 7 (Dice; of the region that is meant, by plain counting)")
    good = True
    for name, family in FAMILIES.items():
        made = family.draft(size, 7)
        share = float(target(made).mean())
        frame = [[0, 0, 0.5, 0, 1, 0], [0, 1, 0.5, 1, 1, 1], [0, 0, 0, 0.5, 0, 1], [1, 0, 1, 0.5, 1, 1]]
        rows = (np.arange(64) + 0.5) / 64
        drawings = {
            "nothing": (np.zeros((0, 6)), 0.0),
            "whole canvas": (np.array([[0, y, 0.5, y, 1, y] for y in rows]), 2 * share / (1 + share)),
            "box round all": (np.array(frame), 2 * share / (1 + share)),
            "line above": (np.array([[0, 0.02, 0.5, 0.02, 1, 0.02]]), 0.0),
        }
        for kind, (paths, meant) in drawings.items():
            strokes = np.array([dressed(path) for path in paths.astype(float)])
            value = score(render(strokes, made.picture), made)
            good &= abs(value - meant) <= 0.02
            print(f"{name:>7} {kind:>14} {value:>7.3f} {meant:>7.3f}")
    return good


def main(quick: bool = False) -> bool:
    """Print all; returns whether what is promised holds."""
    held = [tracing(4 if quick else 40), worst_times(6 if quick else 30), tricks()]
    return all(held)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer seeds")
    raise SystemExit(0 if main(quick=parser.parse_args().quick) else 1)
