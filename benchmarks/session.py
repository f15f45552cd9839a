"""A session's stroke from wish to commit, and a seek in a long one. Run: python -m benchmarks.session [--quick]."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.strokes import KINDS, reference, task_of
from easel_app.painting.canvas import History
from easel_app.painting.renderer import render
from easel_app.painting.stroke import Stroke
from easel_app.services.live import Viewer
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession, Player
from easel_app.settings import Settings

LIMITS = {64: None, 128: 1.5, 256: 3.0}
"""Milliseconds that the p50 of a session's stroke may take."""


async def session_strokes(count: int) -> bool:
    """Time `act` as REST calls it: validated wish in, committed answer out, patch encoded for a viewer."""
    print("\nA session's stroke: mask, skia composite, scores, patch encoded, committed (ms; one viewer)")
    print(f"{'px':>4} {'strokes':>9} {'n':>5} {'p50':>7} {'p95':>7} {'limit of p50':>13}")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Settings(data_dir=Path(folder)))
        for size, limit in LIMITS.items():
            task = task_of(reference(size))
            studio.tasks._catalogue._tasks[task.id] = task
            for kind in ("painting", "random"):
                player = Player(kind="painter", name="bench")
                begun = studio.sessions.begin(NewSession(task_id=task.id, protocol="practice", player=player))
                viewer = Viewer()
                studio.sessions.watch(begun.session_id, viewer)
                spent = []
                for k, vector in enumerate(KINDS[kind](count, size)):
                    stroke = Stroke.from_vector(vector).model_dump()
                    body = {"request_id": f"r{k}", "action": {"kind": "brush_stroke", "stroke": stroke}}
                    start = time.perf_counter()
                    studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
                    spent.append((time.perf_counter() - start) * 1e3)
                    await asyncio.sleep(0)
                p50, p95 = np.percentile(spent, [50, 95])
                good &= limit is None or p50 <= limit
                print(f"{size:>4} {kind:>9} {count:>5} {p50:>7.2f} {p95:>7.2f} {limit or '-':>13}")
        studio.close()
    return good


def seeks() -> bool:
    """Time a seek to every step of a 500-stroke log at 256 px; the bytes must be those of a full render."""
    print("\nSeek in a 500-stroke log at 256 px (ms; limit 20)")
    good = True
    for kind in ("painting", "random"):
        strokes = KINDS[kind](500, 256)
        canvas = np.full((256, 256, 3), 255, np.uint8)
        history = History(canvas)
        for stroke in strokes:
            canvas = render(stroke[None], canvas)
            history.paint(stroke, canvas)
        assert (history.at(500) == render(strokes, np.full((256, 256, 3), 255, np.uint8))).all()
        spent = []
        for step in np.random.default_rng(0).permutation(501):
            start = time.perf_counter()
            history.at(int(step))
            spent.append((time.perf_counter() - start) * 1e3)
        p50, p95, worst = np.percentile(spent, [50, 95, 100])
        good &= worst <= 20
        print(f"{kind:>9}: p50 {p50:.2f}, p95 {p95:.2f}, worst {worst:.2f}, n {len(spent)}")
    return good


def main() -> bool:
    """Print both tables; True when all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer strokes")
    quick = parser.parse_known_args()[0].quick
    return bool(asyncio.run(session_strokes(100 if quick else 500)) & seeks())


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
