"""Bytes and seconds of each export. Run: python -m benchmarks.exports [--quick]."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchmarks.strokes import painting_strokes, reference, task_of
from easel_app.exports.card import Tally
from easel_app.exports.clip import Clip
from easel_app.exports.dataset import Chosen, write_dataset
from easel_app.exports.service import Exports
from easel_app.painting.stroke import BrushStroke, Stroke
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession, Player
from easel_app.settings import Settings

MOST_HTML = 1_000_000
"""Bytes of a self-contained replay of 128 strokes at 128 px."""
SESSIONS = 100


def painted(studio: Studio, size: int, count: int, seed: int = 0) -> str:
    """The id of a session with that many strokes on a canvas of that size, ended by its budget."""
    task = task_of(reference(size), count)
    task._task_set = "bench/1"  # own pictures are in no data set
    studio.tasks._catalogue._tasks[task.id] = task
    wish = NewSession(task_id=task.id, protocol="studio", player=Player(kind="painter", name="bench"))
    session_id = studio.sessions.begin(wish).session_id
    for number, vector in enumerate(painting_strokes(count, size, seed)):
        action = BrushStroke(kind="brush_stroke", stroke=Stroke.from_vector(vector))
        studio.sessions.play(session_id, NewAction(request_id=f"r{number}", action=action))
    return session_id


def measured(make: Callable[[], bytes]) -> tuple[int, float]:
    """Bytes of an export and seconds of processor time that it took."""
    start = time.process_time()
    size = len(make())
    return size, time.process_time() - start


def files(exports: Exports, session_id: str, what: str) -> int:
    """Print each export of a session; returns the bytes of the replay."""
    forms: dict[str, Callable[[], bytes]] = {
        "html": lambda: exports.replay(session_id).encode(),
        "png": lambda: exports.picture(session_id, scale=4),
        "atif": lambda: json.dumps(exports.atif(session_id)).encode(),
        "log": lambda: "".join(exports.log(session_id)).encode(),
        "webp": lambda: exports.clip(session_id, "webp", Clip(frames=600)).read(),
        "webp, beside": lambda: exports.clip(session_id, "webp", Clip(frames=600, reference=True)).read(),
        "gif": lambda: exports.clip(session_id, "gif", Clip(frames=600)).read(),
        "mp4": lambda: exports.clip(session_id, "mp4", Clip(frames=600)).read(),
    }
    exports.picture(session_id)  # the session is open from here on
    print(f"\n{what}: kB, and seconds of one core")
    sizes = {}
    for name, make in forms.items():
        sizes[name], seconds = measured(make)
        print(f"{name:>13} {sizes[name] / 1000:>9.1f} {seconds:>8.2f}")
    return sizes["html"]


def dataset(studio: Studio, folder: Path) -> None:
    """Print what a data set of sessions of 128 strokes at 128 px takes."""

    def write(name: str, chosen: Chosen) -> Tally:
        return write_dataset(folder / name, chosen, studio.sessions, studio.tasks, studio.runs)

    chosen = Chosen(task="bench-128")
    start = time.process_time()
    tally = write("timed", chosen)
    seconds = time.process_time() - start
    tracemalloc.start()
    write("traced", chosen)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    folder /= "timed"
    print(f"\nData set of {tally.sessions} sessions, {tally.actions} actions: {seconds:.2f} s of one core")
    print(f"most memory that Python had at a time: {peak / 1e6:.1f} MB")
    for path in (*sorted((folder / "data").iterdir()), folder / "README.md"):
        print(f"{path.name:>17} {path.stat().st_size / 1000:>9.1f} kB")
    logs = sum(path.stat().st_size for path in (folder / "logs").iterdir())
    print(f"{'logs':>17} {logs / 1000:>9.1f} kB")


def main() -> bool:
    """Print all tables; True when the replay is small enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sessions and strokes")
    quick = parser.parse_known_args()[0].quick
    with tempfile.TemporaryDirectory() as name:
        studio = Studio(Settings(data_dir=Path(name, "data")))
        exports = Exports(studio.sessions, studio.tasks)
        small = painted(studio, 128, 128)
        size = files(exports, small, "128 strokes at 128 px")
        files(exports, painted(studio, 256, 100 if quick else 500), f"{100 if quick else 500} strokes at 256 px")
        for seed in range(1, 10 if quick else SESSIONS):
            painted(studio, 128, 128, seed)
        dataset(studio, Path(name, "set"))
        studio.close()
    print(f"\nreplay of 128 strokes: {size / 1e6:.2f} MB (limit {MOST_HTML / 1e6:.0f})")
    return size <= MOST_HTML


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
