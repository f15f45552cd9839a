"""Tool runs: the samples under three settings, killed and gone on with, and what a large set does to memory.

Run: python -m benchmarks.tool_runs. The scripted model and its judge are a process of their own (python -m
benchmarks.tool_runs endpoint), and so is each command. Of the large set every task has a picture of its own and a
calculation; each 25th runs code besides, since a sandbox for each would only measure sandboxes.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from easel_app.rubrics.records import RubricItem, Task, Turn
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.pictures import identify
from tests.endpoint.__main__ import Server
from tests.endpoint.app import App, configuration
from tests.endpoint.tool_user import Play, Wish, sample_judge, samples, tool_user
from tests.rubrics.making import put

SETTINGS: tuple[tuple[str, ...], ...] = ((), ("--tools", "no_vision"), ("--tools", "none", "--prompt", "weak"))
MOST_SECONDS = 180.0
"""The samples under all of them."""
TASKS, WITH_CODE = 1000, 25
FIFTHS = ("first", "third", "last")
MOST_GROWTH = 1.15
"""Memory when the last tasks are answered, over that when the first fifth is."""
SAMPLE = "Sample: studio pictures"
CODE = "from PIL import Image\nim = Image.open('image_1.jpg'); im.crop((0, 0, 99, 99)).save('crop.png'); print(im.size)"
SUM = [Wish("calculator", {"expression": "(128 - 28) / 128"})]
LATENCY = 0.02


def plays() -> dict[str, Play]:
    """What the model does: the samples as they are, tasks of the large set with code here and there."""
    coded = Play(rounds=[[Wish("python_image_processing", {"code": CODE})], SUM], answer="It is blue.")
    return {**samples(), **{f"Question {n}": coded for n in range(0, TASKS, WITH_CODE)}}


def serve_endpoint() -> None:
    """Be the model and its judge."""
    model = tool_user(plays(), Play(rounds=[SUM], answer="It is blue."))

    def script(number: int, body: Any, headers: Any) -> Any:
        return (sample_judge if body["model"] == "judge" else model)(number, body, headers)

    Server(configuration(App(script, LATENCY, keep=False), 0)).run()


@contextmanager
def endpoint() -> Iterator[str]:
    """The address of the scripted model while its process runs."""
    command = [sys.executable, "-m", "benchmarks.tool_runs", "endpoint"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own
        assert process.stdout
        yield process.stdout.readline().strip()
        process.kill()


def run(folder: Path, address: str, name: str, *options: str) -> subprocess.Popen[str]:
    """Start `easel tools run` on a set."""
    command = [sys.executable, "-m", "easel_app.cli", "tools", "run", name, "--data-dir", str(folder), "--json"]
    command += ["--base-url", address, "--model", "scripted", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What it tells at its end."""
    told, _ = process.communicate()
    assert process.returncode == 0, f"it ended with {process.returncode}"
    return dict(json.loads(told))


def rounds(folder: Path) -> int:
    """Rounds in the store, read beside whoever writes it."""
    try:
        with sqlite3.connect(f"file:{folder}/easel.db?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM tool_rounds").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def stored(folder: Path) -> list[str]:
    """The answers of tool runs as they are stored, but for the times that tools took."""
    with sqlite3.connect(f"file:{folder}/easel.db?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT record FROM rubric_answers WHERE json_extract(record, '$.origin') != ''")
        found = [json.loads(row[0]) for row in rows]
    for call in (call for answer in found for turn in answer["turns"] for call in turn["calls"]):
        call["latency"] = 0
    return sorted(json.dumps(answer, sort_keys=True) for answer in found)


def the_samples(folder: Path, address: str) -> bool:
    """The samples under each of the settings, to their queues."""
    begun, told = time.perf_counter(), []
    for options in SETTINGS:
        at = time.perf_counter()
        view = finish(run(folder, address, SAMPLE, "--judge", "judge", *options))
        assert view["state"] == "finished" and view["queue_id"] and view["done"] == view["total"] == 12
        told.append(f"{view['player']} {time.perf_counter() - at:.0f} s, {view['rounds']} rounds, "
                    f"{view['tool_calls']} calls, sandbox {'off' if view['sandbox_off'] else 'on'}")  # fmt: skip
    taken = time.perf_counter() - begun
    print(f"12 sample tasks x 3 settings, judged and laid out: {taken:.0f} s (limit {MOST_SECONDS:.0f} s)")
    print("\n".join(f"  {line}" for line in told))
    return taken <= MOST_SECONDS


def killed(whole: Path, folder: Path, address: str) -> bool:
    """The first of them again, killed twice on its way."""
    total = finish(run(whole, address, SAMPLE))["rounds"]
    for share in (0.3, 0.7):
        process = run(folder, address, SAMPLE)
        while rounds(folder) < share * total:
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    finish(run(folder, address, SAMPLE))
    same = stored(whole) == stored(folder)
    print(f"killed after 30 % and 70 % of {total} rounds: the records are {'the same' if same else 'OTHERS'}")
    return same


def picture(seed: int) -> bytes:
    """A picture of its own for each task, as a camera makes it."""
    small = np.random.default_rng(seed).integers(0, 256, (24, 32, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(small).resize((1600, 1200), Image.Resampling.BICUBIC).save(file, "JPEG", quality=90)
    return file.getvalue()


def fill(folder: Path, count: int) -> None:
    """Have a set of many tasks with pictures."""
    studio = Studio(Settings(data_dir=folder))
    studio.rubrics.library.first_look.job = lambda: None
    item = RubricItem(id="r", description='Says "blue".', weight=5)
    tasks = []
    for number in range(count):
        content = picture(number)
        studio.rubrics.pictures.put(content)
        turn = Turn(prompt=f"Question {number}", golden_answer="blue", pictures=(identify(content),), rubric=(item,))
        tasks.append(Task(id=f"t{number}", turns=(turn,)))
    put(studio.rubrics.store, tasks)
    studio.close()


def resident(process: int) -> float:
    """MB of memory that a process holds itself."""
    fields = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory(folder: Path, address: str, count: int = TASKS) -> bool:
    """What the command holds while it answers a large set."""
    fill(folder, count)
    process, begun = run(folder, address, "small", "--concurrency", "8"), time.perf_counter()
    seen: list[tuple[int, float]] = []
    while process.poll() is None:
        done = rounds(folder)
        if done and Path(f"/proc/{process.pid}/statm").exists():
            seen.append((done, resident(process.pid)))
        time.sleep(0.25)
    view, taken = finish(process), time.perf_counter() - begun
    last = seen[-1][0]
    marks = [max(held for done, held in seen if low * last <= done <= (low + 0.2) * last) for low in (0.0, 0.4, 0.8)]
    growth, size = marks[-1] / marks[0], len(picture(0)) / 1e3
    told = ", ".join(f"{held:.0f} MB in the {which} fifth" for held, which in zip(marks, FIFTHS, strict=True))
    print(f"{count} tasks with a picture of {size:.0f} kB each, {count // WITH_CODE} of them with code: {taken:.0f} s")
    print(f"  {view['rounds']} rounds; most memory {told}: x {growth:.2f} (limit x {MOST_GROWTH})")
    return growth <= MOST_GROWTH


def main() -> bool:
    """Print all figures; whether they hold."""
    print("\nModels that answer with tools, by a scripted model that answers in 20 ms")
    with endpoint() as address, tempfile.TemporaryDirectory() as place:
        folders = [Path(place, name) for name in ("samples", "whole", "killed", "large")]
        held = the_samples(folders[0], address)
        held &= killed(folders[1], folders[2], address)
        return held & memory(folders[3], address)


if __name__ == "__main__":
    if sys.argv[1:] == ["endpoint"]:
        serve_endpoint()
    else:
        sys.exit(0 if main() else 1)
