"""Round trips of an agent over MCP and REST, to a real server. Run: python -m benchmarks.mcp [--quick].

The official client, one connection, one call after the other, on a canvas of 128 px; the ways take turns stroke by
stroke, so that other work on the machine falls on all of them alike.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from mcp import Client

from benchmarks.strokes import painting_strokes
from easel_app.painting.stroke import Stroke
from tests.conftest import serving

SIZE, TASK = 128, "natural-01"
LIMITS = {"REST action": 6.0, "MCP brush_stroke": 10.0, "MCP observe": 12.0}
"""Milliseconds that the p50 of a round trip may take."""
ERAS = {"2026-07-28": "auto", "2025-11-25": "legacy"}
"""Revisions of the protocol, and the client's name for the way to each."""
Values = dict[str, Any]
Way = Callable[[int, Values], Awaitable[None]]


@asynccontextmanager
async def by_rest(url: str) -> AsyncIterator[dict[str, Way]]:
    """A session painted by REST."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        player = {"kind": "agent", "name": "bench"}
        wish = {"task_id": TASK, "protocol": "practice", "player": player}
        begun = (await client.post("/api/sessions", json=wish)).json()
        path = f"/api/sessions/{begun['session_id']}/actions"
        headers = {"Authorization": f"Bearer {begun['write_token']}"}

        async def paint(k: int, stroke: Values) -> None:
            body = {"request_id": f"r{k}", "action": {"kind": "brush_stroke", "stroke": stroke}}
            answer = await client.post(path, json=body, headers=headers)
            assert answer.status_code == 200, answer.text

        yield {"REST action": paint}


@asynccontextmanager
async def by_mcp(url: str, era: str) -> AsyncIterator[dict[str, Way]]:
    """A session painted and looked at by MCP."""
    async with Client(f"{url}/mcp", mode=ERAS[era]) as client:
        assert client.protocol_version == era
        wish = {"task_id": TASK, "protocol": "practice", "player": "bench"}
        begun = (await client.call_tool("start_session", wish)).structured_content
        assert begun
        mine = {"session_id": begun["session_id"], "write_token": begun["write_token"]}

        async def paint(_: int, stroke: Values) -> None:
            answer = await client.call_tool("brush_stroke", {**mine, **stroke})
            assert not answer.is_error, answer

        async def look(_: int, __: Values) -> None:
            answer = await client.call_tool("observe", mine)
            assert [block.type for block in answer.content].count("image") == 2

        yield {f"MCP brush_stroke {era}": paint, f"MCP observe {era}": look}


async def measure(url: str, count: int) -> dict[str, list[float]]:
    """Milliseconds of each round trip."""
    spent: dict[str, list[float]] = defaultdict(list)
    async with AsyncExitStack() as stack:
        ways = await stack.enter_async_context(by_rest(url))
        for era in ERAS:
            ways |= await stack.enter_async_context(by_mcp(url, era))
        for k, vector in enumerate(painting_strokes(count, SIZE)):
            stroke = Stroke.from_vector(vector).model_dump()
            for name, way in ways.items():
                start = time.perf_counter()
                await way(k, stroke)
                spent[name].append((time.perf_counter() - start) * 1e3)
    return spent


def main() -> bool:
    """Print the table; True when all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer strokes")
    count = 200 if parser.parse_known_args()[0].quick else 500
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        spent = asyncio.run(measure(server.url, count))
    print(f"\nRound trips at {SIZE} px, client and server on one machine (ms; mcp {version('mcp')}, load {load()})")
    print(f"{'':30} {'n':>5} {'p50':>7} {'p95':>7} {'limit of p50':>13}")
    good = True
    for name, times in spent.items():
        p50, p95 = np.percentile(times, [50, 95])
        limit = next(limit for start, limit in LIMITS.items() if name.startswith(start))
        good &= bool(p50 <= limit)
        print(f"{name:30} {len(times):>5} {p50:>7.2f} {p95:>7.2f} {limit:>13.0f}")
    return good


def load() -> str:
    """Processes that want to run, mean of the last minute, of how many cores."""
    return f"{os.getloadavg()[0]:.1f} of {os.cpu_count()}"


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
