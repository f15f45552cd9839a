"""What a run costs beside its endpoint, and how much of the endpoint's throughput it keeps.

Run: python -m benchmarks.runs. The scripted endpoint is a process of its own that answers 50 ms after a request began
to arrive; what it takes to read and write is ours here, since one cannot tell it apart.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.llm import measure, requests, sockets
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.services.studio import Studio
from easel_app.settings import Settings

LATENCY = 0.05
SESSIONS = 16
MOST_MS, LEAST_SHARE = 8.0, 0.9
"""The runner's own time of a step, and the share of the endpoint's throughput, that we promise."""


@contextmanager
def scripted() -> Iterator[str]:
    """The endpoint's address while its process runs."""
    command = [sys.executable, "-m", "tests.endpoint", "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  our own
        assert process.stdout
        yield process.stdout.readline().strip()
        process.kill()


def play(runs: Runs, wish: NewRun) -> tuple[float, float, int]:
    """Play a run to its end: seconds by the clock, seconds of processor time, steps."""
    begun, used = time.perf_counter(), time.process_time()
    view = runs.start(wish)
    for thread in [thread for thread in threading.enumerate() if thread.name == f"run {view.run_id}"]:
        thread.join()
    taken, worked = time.perf_counter() - begun, time.process_time() - used
    view = runs.view(view.run_id)
    assert view.state == "finished", view.reason
    return taken, worked, view.steps.done


async def bare(address: str) -> float:
    """Calls a second that as many callers get who do nothing else, by sockets without HTTP's layers."""
    async with sockets(address, requests()) as ask:
        return (await measure(ask, 2000)).calls


def main() -> bool:
    """Print both figures; whether they hold."""
    print(f"\nA run against an endpoint that answers in {1000 * LATENCY:.0f} ms (128 px, two pictures each)")
    with scripted() as address, tempfile.TemporaryDirectory() as folder:
        studio = Studio(Settings(data_dir=Path(folder)))
        runs = Runs(studio)
        tasks = [task.id for task in studio.tasks.list() if task.width == 128]

        def wish(name: str, tasks: list[str], concurrency: int) -> NewRun:
            return NewRun.model_validate(
                {"name": name, "base_url": address, "model": "scripted", "tasks": tasks, "concurrency": concurrency}
            )

        play(runs, wish("warm", tasks[:1], 1))
        taken, worked, steps = play(runs, wish("alone", tasks[:1], 1))
        own = 1000 * (taken / steps - LATENCY)
        print(f"one session: {own:.1f} ms a step beside the endpoint, {1000 * worked / steps:.1f} ms of processor time "
              f"(n {steps}, limit {MOST_MS:.0f})")
        longest = [task.id for task in studio.tasks.list("natural")]
        taken, worked, steps = play(runs, wish("together", longest[: 2 * SESSIONS], SESSIONS))
        given = asyncio.run(bare(address))
        share = steps / taken / given
        print(f"{SESSIONS} sessions: {steps / taken:.0f} steps/s, {share:.1%} of the {given:.0f} of bare sockets "
              f"({SESSIONS / LATENCY:.0f} in theory); {1000 * worked / steps:.1f} ms of processor time a step "
              f"(n {steps}, least {LEAST_SHARE:.0%})")
        runs.close()
        studio.close()
    return own <= MOST_MS and share >= LEAST_SHARE


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
