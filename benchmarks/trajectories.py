"""Data sets end to end: references, trajectories, samples, parquet, verified. Run: python -m benchmarks trajectories.

Everything is made by the command that a user types, in processes of their own, so imports and start-up count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SAMPLES, STROKES, REFERENCES = 440_000, 250, 11_000
"""Of the published data set."""
CORES = 2
QUICK_MINUTES, BEST_HOURS = 45.0, 3.0
"""In which the whole of it is to be made on `CORES` cores, with the quickest painter and with the best."""
SPEEDUP = 1.8
"""Of two processes over one."""
REPLAY = 20_000
"""Strokes a second a core that verification paints without scores."""
GROWTH = 30.0
"""MB by which the memory of the largest process may grow where the references are four times as many."""
QUICK, BEST = "greedy-quick", "planner"
LIGHT = (500, 2_000)
"""References of two data sets of few strokes, whose memory is compared."""


class Made(NamedTuple):
    """What a command cost."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of processor time, of all its processes."""
    peak: float
    """MB of its largest process."""
    samples: int
    kilobytes: float
    """Of a sample on disk, all tables together."""
    similarity: float


def easel(*words: str) -> tuple[float, float, float, str]:
    """Run a command: wall and processor seconds, MB of its largest process, output."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "easel_app.cli", *words]
    with tempfile.TemporaryFile("w+") as output:
        run = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603  words of this file
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        told = output.read()
    if run.returncode:
        raise SystemExit(told)
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, told


def make(folder: Path, references: int, painter: str, processes: int, *more: str) -> Made:
    """Make a data set."""
    words = ["trajectories", "make", str(folder), "--references", str(references), "--painter", painter]
    wall, cpu, peak, _ = easel(*words, "--processes", str(processes), "--shard", "20", *more)
    manifest = json.loads((folder / "manifest.json").read_text())
    samples = sum(sum(each.values()) for each in manifest["samples"].values())
    size = sum(manifest["bytes"].values()) / 1000 / samples
    return Made(wall, cpu, peak, samples, size, manifest["mean_similarity"])


def main() -> bool:
    """Print what the whole data set would take; True when every promise holds."""
    held: list[bool] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        easel("warm")
        few = make(folder / "few", 60, QUICK, 1)
        many = make(folder / "many", 240, QUICK, 1)
        pair = make(folder / "pair", 60, QUICK, CORES)
        two = make(folder / "two", 240, QUICK, CORES)
        small, large = (make(folder / str(n), n, "random", 1, "--strokes", "20") for n in LIGHT)
        best = make(folder / "best", 20, BEST, 1)
        same = (folder / "many" / "manifest.json").read_bytes() == (folder / "two" / "manifest.json").read_bytes()
        _, _, _, told = easel("trajectories", "verify", str(folder / "many"), "--share", "1")
    # what starting costs is in both, and the whole is large enough for it not to matter
    quick = (many.cpu - few.cpu) / (many.samples - few.samples)
    print(f"\n{os.cpu_count()} cores; 128 px, {STROKES} strokes a reference")
    print(f"{QUICK}: {1 / quick:,.0f} samples a second a core, {many.kilobytes:.2f} kB a sample, mean similarity "
          f"{many.similarity:.4f} (n 240)")  # fmt: skip
    minutes = quick * SAMPLES / CORES / 60
    held.append(minutes <= QUICK_MINUTES)
    print(f"  {SAMPLES:,} samples on {CORES} cores: {minutes:.1f} min of each core (at most {QUICK_MINUTES:g})")
    each = best.cpu / best.samples
    hours = each * SAMPLES / CORES / 3600
    held.append(hours <= BEST_HOURS)
    print(f"{BEST}: {1 / each:,.0f} samples a second a core, mean similarity {best.similarity:.4f} (n 20)")
    print(f"  {SAMPLES:,} samples on {CORES} cores: {hours:.2f} h (at most {BEST_HOURS:g})")
    faster = (many.wall - few.wall) / (two.wall - pair.wall)  # start-up, which is in both, left out
    held.append(faster >= SPEEDUP)
    told_bytes = "the same bytes" if same else "OTHER BYTES"
    print(f"two processes against one: {faster:.2f} times as fast (at least {SPEEDUP}), {told_bytes}")
    held.append(same)
    held.append(large.peak - small.peak <= GROWTH)
    print(f"memory of the largest process: {small.peak:.0f} MB for {LIGHT[0]:,} references, {large.peak:.0f} MB for "
          f"{LIGHT[1]:,} (at most {GROWTH:g} more)")  # fmt: skip
    speed = float(told.split(" strokes a second")[0].rpartition(" ")[2].replace(",", ""))
    held.append(speed >= REPLAY)
    print(f"verification without scores: {speed:,.0f} strokes a second a core (at least {REPLAY:,})")
    return all(held)


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
