"""How well and how fast handwriting is read. Run: python -m benchmarks.handwriting [--half tune] [--each 9]."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from benchmarks.handwriting.confusion import confusions
from benchmarks.handwriting.sets import Drawing, everything
from easel_app.handwriting import read, warm
from easel_app.scoring.handwriting import METRIC, alignment, positional_match

CLEAN, JITTERED, FALSE, SPREAD, MILLISECONDS = 0.97, 0.90, 0.01, 0.03, 60.0
"""Least letters on clean and on jittered print and plotter fonts, most false credit a letter, most that "hello" and
others lie apart, and most processor time of a reading, 95th percentile."""
PLAIN = ("clean", "jittered")


class Row(NamedTuple):
    """One drawing that was read."""

    drawing: Drawing
    letters: str
    match: float
    """Of what is no word: the share of credit that "hello" would get."""
    aligned: float
    milliseconds: float


def row(drawing: Drawing) -> Row:
    """Read one drawing, in processor time of this thread."""
    canvas, target = drawing.canvas(), drawing.word or "hello"
    start = time.thread_time()
    letters = read(canvas).letters
    spent = (time.thread_time() - start) * 1e3
    return Row(drawing, letters, positional_match(letters, target), alignment(letters, target), spent)


def by_font(rows: list[Row]) -> float:
    """Standard error of the mean match when fonts, and not drawings, are the sample."""
    groups = defaultdict(list)
    for one in rows:
        groups[one.drawing.font].append(one.match)
    means = [float(np.mean(group)) for group in groups.values()]
    return float(np.std(means, ddof=1) / len(means) ** 0.5) if len(means) > 1 else float("nan")


def main() -> bool:
    """Print the table, the confusions and the times; True when every promise holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tune", "test"), default="test", help="fonts that were tuned on, or not")
    parser.add_argument("--each", type=int, default=9, help="drawings of each hand by each font")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_known_args()[0]
    warm()
    rows = [row(drawing) for drawing in everything(options.half, options.each, options.seed)]
    sets: dict[str, list[Row]] = defaultdict(list)
    for one in rows:
        sets[one.drawing.set].append(one)

    print(f"\n{METRIC} on fonts of the {options.half} half, {len(rows)} drawings; ± is the standard error by font")
    print(f"{'set':26}{'n':>6}{'fonts':>7}{'letters':>9}{'±':>7}{'words':>8}{'aligned':>9}")
    for name, own in sets.items():
        whole = np.mean([one.letters == one.drawing.word for one in own])
        fonts = len({one.drawing.font for one in own})
        match, aligned = np.mean([one.match for one in own]), np.mean([one.aligned for one in own])
        print(f"{name:26}{len(own):>6}{fonts:>7}{match:>9.3f}{by_font(own):>7.3f}{whole:>8.2f}{aligned:>9.3f}")

    plain = [one for kind in ("print", "plotter") for how in PLAIN for one in sets.get(f"{kind}, {how}", [])]
    hello = [one.match for one in plain if one.drawing.word == "hello"]
    others = [one.match for one in plain if one.drawing.word != "hello"]
    print(f'\n"hello" {np.mean(hello):.3f} (n {len(hello)}), other words {np.mean(others):.3f} (n {len(others)})')
    found = confusions((one.drawing.word, one.letters) for one in rows if one.drawing.word)
    print("Taken for (written, read, times; · is no letter):")
    print("  " + "  ".join(f"{a}{b} {count}" for (a, b), count in found.most_common(40)))
    times = [one.milliseconds for one in rows]
    median, p95 = np.percentile(times, [50, 95])
    print(
        f"A reading takes {median:.0f} ms of processor time, p95 {p95:.0f} ms, most {max(times):.0f} ms (n {len(rows)})"
    )

    clean, jittered = ([one.match for one in plain if one.drawing.set.endswith(how)] for how in PLAIN)
    promises = {
        f"clean {np.mean(clean):.3f} (n {len(clean)}), at least {CLEAN}": np.mean(clean) >= CLEAN,
        f"jittered {np.mean(jittered):.3f} (n {len(jittered)}), at least {JITTERED}": np.mean(jittered) >= JITTERED,
        f"scribbles at most {FALSE}": np.mean([one.match for one in sets["scribbles"]]) <= FALSE,
        f'"hello" within {SPREAD} of others': abs(np.mean(hello) - np.mean(others)) <= SPREAD,
        f"p95 at most {MILLISECONDS:.0f} ms": p95 <= MILLISECONDS,
    }
    for name, held in promises.items():
        print(f"{name}: {'holds' if held else 'DOES NOT HOLD'}")
    return all(map(bool, promises.values()))


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
