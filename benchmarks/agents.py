"""Twenty agents at five strokes a second, each watched by three viewers: nothing lost, and the page still answers.

Run: python -m benchmarks.agents. The server is a process of its own; agents and viewers share this one.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np

from benchmarks.strokes import painting_strokes
from easel_app.painting.stroke import STROKE_FIELDS
from tests.conftest import serving

AGENTS, VIEWERS, RATE, SECONDS = 20, 3, 5.0, 12.0
STROKES = int(RATE * SECONDS)
MOST_P95 = 100.0
"""Milliseconds that the p95 of an action may take."""
MOST_PAGE = 500.0
"""Milliseconds that the page's own requests may take at worst meanwhile: still responsive."""
TASK = "natural-01"


async def agent(client: httpx.AsyncClient, begun: dict[str, str], strokes: np.ndarray, took: list[float]) -> None:
    """Paint at an even pace, whatever the answers take."""
    path = f"/api/sessions/{begun['session_id']}/actions"
    headers = {"Authorization": f"Bearer {begun['write_token']}"}
    start = time.perf_counter() + strokes[0, 0] / RATE  # agents do not march in step
    for at, stroke in enumerate(strokes):
        await asyncio.sleep(max(0.0, start + at / RATE - time.perf_counter()))
        action = {"kind": "brush_stroke", "stroke": dict(zip(STROKE_FIELDS, stroke.tolist(), strict=True))}
        sent = time.perf_counter()
        answer = await client.post(path, json={"request_id": str(at), "action": action}, headers=headers)
        answer.raise_for_status()
        took.append(1000 * (time.perf_counter() - sent))


async def viewer(client: httpx.AsyncClient, session_id: str, seen: list[int], ready: asyncio.Semaphore) -> None:
    """Read a session's events to the last stroke."""
    async with client.stream("GET", f"/api/sessions/{session_id}/events", timeout=None) as stream:
        name = ""
        async for line in stream.aiter_lines():
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: ") and name == "snapshot":
                ready.release()
            elif line.startswith("data: ") and name == "action":
                seen.append(json.loads(line[6:])["seq"])
                if seen[-1] == STROKES:
                    return


async def page(client: httpx.AsyncClient, took: list[float], over: asyncio.Event) -> None:
    """What a visitor's browser asks meanwhile: the page, the tasks, the wall."""
    while not over.is_set():
        for path in ("/", "/api/tasks", "/api/sessions", "/healthz"):
            sent = time.perf_counter()
            (await client.get(path)).raise_for_status()
            took.append(1000 * (time.perf_counter() - sent))
        await asyncio.sleep(0.5)


async def measure(address: str) -> bool:
    """Print the figures; whether they hold."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=30) as client:
        player = {"kind": "agent", "name": "bench"}
        wish = {"task_id": TASK, "protocol": "studio", "player": player}
        begun = [(await client.post("/api/sessions", json=wish)).json() for _ in range(AGENTS)]
        seen: list[list[int]] = [[] for _ in range(AGENTS * VIEWERS)]
        ready, over = asyncio.Semaphore(0), asyncio.Event()
        viewers = [
            asyncio.create_task(viewer(client, begun[at // VIEWERS]["session_id"], events, ready))
            for at, events in enumerate(seen)
        ]
        for _ in viewers:
            await ready.acquire()
        took: list[float] = []
        visited: list[float] = []
        visitor = asyncio.create_task(page(client, visited, over))
        paintings = [painting_strokes(STROKES, 128, seed) for seed in range(AGENTS)]
        await asyncio.gather(*(agent(client, *pair, took) for pair in zip(begun, paintings, strict=True)))
        await asyncio.wait_for(asyncio.gather(*viewers), 30)
        over.set()
        await visitor
    lost = sum(events != list(range(1, STROKES + 1)) for events in seen)
    p50, p95 = statistics.median(took), float(np.quantile(took, 0.95))
    print(f"\n{AGENTS} agents at {RATE:.0f} strokes a second, {VIEWERS} viewers each (128 px, {SECONDS:.0f} s)")
    print(f"actions: p50 {p50:.1f} ms, p95 {p95:.1f} ms, worst {max(took):.1f} ms "
          f"(n {len(took)}, limit of p95 {MOST_P95:.0f})")
    print(f"viewers: {lost} of {len(seen)} missed an event or saw one out of order (n {sum(map(len, seen))} events)")
    print(f"page, tasks, wall, health meanwhile: p50 {statistics.median(visited):.1f} ms, worst {max(visited):.1f} ms "
          f"(n {len(visited)}, limit of the worst {MOST_PAGE:.0f})")
    return lost == 0 and p95 <= MOST_P95 and max(visited) <= MOST_PAGE


def main() -> bool:
    """Measure against a server of its own."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        return asyncio.run(measure(server.url))


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
