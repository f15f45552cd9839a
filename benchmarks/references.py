"""The pool of references: seconds and memory of the default one. Run: python -m benchmarks.references [--quick]."""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter

from easel_app.trajectories.recipe import PoolWish
from easel_app.trajectories.references.families import DRAWERS
from easel_app.trajectories.references.hashing import phash_of
from easel_app.trajectories.references.leaks import published
from easel_app.trajectories.references.pool import Placed, pool

REFERENCES = 11_000
MOST_SECONDS = 90.0
"""Of one core, for the default pool."""
MOST_GROWTH = 24.0
"""MB that the second half of it may add to memory."""
MOST_ALARMS = 0.002
"""Share of pictures of our own that may be taken for a task."""


def drawing(count: int) -> None:
    """Print what a picture of each family takes."""
    print(f"\n{'family':>14} {'draw':>7} {'leak check':>11}   ms of one core, means of {count} at 128 px")
    tasks = published()
    for name, family in DRAWERS.items():
        source = family(1, 128, 0.02)
        source.draw(0)
        start = time.process_time()
        pictures = [source.draw(index).pixels for index in range(count)]
        drawn = time.process_time()
        for pixels in pictures:
            tasks.like(pixels, phash_of(pixels))
        checked = time.process_time()
        print(f"{name:>14} {(drawn - start) / count * 1e3:>7.2f} {(checked - drawn) / count * 1e3:>11.2f}")


def whole(count: int) -> bool:
    """Print what a pool takes; returns whether it keeps to its limits, which are those of the default one."""
    start, half = time.process_time(), 0.0
    given: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for each in pool(PoolWish(references=count)):
        if isinstance(each, Placed):
            given[each.split] += 1
            if given.total() == count // 2:
                half = _memory()
        else:
            skipped[each.reason] += 1
    seconds, growth = time.process_time() - start, _memory() - half
    alarms = sum(number for reason, number in skipped.items() if reason.startswith("like task"))
    told = ", ".join(f"{number} {reason}" for reason, number in skipped.items()) or "nothing"
    print(f"\n{count:,} references: {seconds:.1f} s of one core, {seconds / count * 1e3:.2f} ms each; left out: {told}")
    print(f"memory {_memory():.0f} MB at its highest, {growth:.1f} MB of it since the first half")
    print(f"at most {MOST_SECONDS:.0f} s for {REFERENCES:,}, {MOST_GROWTH:.0f} MB, {MOST_ALARMS:.1%} false alarms")
    return seconds <= MOST_SECONDS * count / REFERENCES and growth <= MOST_GROWTH and alarms <= MOST_ALARMS * count


def main() -> bool:
    """Print all of it; returns whether the limits hold."""
    parser = argparse.ArgumentParser(description="The pool of references.")
    parser.add_argument("--quick", action="store_true", help="a tenth of it")
    quick = parser.parse_known_args()[0].quick
    print("\nReferences")
    drawing(40 if quick else 400)
    return whole(REFERENCES // 10 if quick else REFERENCES)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
