"""What a call to a model endpoint costs here, and how much of the endpoint's throughput is kept.

The scripted endpoint runs as a process of its own and answers 50 ms after a request began to arrive. Each call carries
two pictures of 30 kB. The same load is sent by our client, by httpx2 alone, by the official openai package in its usual
and in its rawest form, and by bare sockets, which show what the endpoint itself can serve.
"""

from __future__ import annotations

import asyncio
import base64
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

import httpx2
import openai
import orjson

from easel_app.llm import Client, Endpoint, Request
from easel_app.painting.stroke import Stroke

LATENCY, CONCURRENCY = 0.05, 16
CALLS, ROUNDS = 1600, 3
PICTURE = 30_000
MOST_MS, LEAST_SHARE = 1.5, 0.9
KEY = "sk-benchmark-0123456789"
Ask = Callable[[int], Awaitable[object]]


class Measured(NamedTuple):
    """One round."""

    milliseconds: float
    """Processor time of this process a call."""
    calls: float
    """Calls a second."""


def requests() -> list[Request]:
    """Different requests, each with two pictures, made before the clock runs."""
    rng = random.Random(0)  # noqa: S311  pixels, no secrets
    pictures = ["data:image/png;base64," + base64.b64encode(rng.randbytes(PICTURE)).decode() for _ in range(16)]
    schema = Stroke.model_json_schema()
    tool = {"type": "function", "function": {"name": "brush_stroke", "description": "Paint.", "parameters": schema}}
    rules = {"role": "system", "content": "You paint a canvas to match a reference. " * 40}

    def user(at: int) -> dict[str, Any]:
        shown = (pictures[at], pictures[at * 7 % 16])
        parts = [{"type": "image_url", "image_url": {"url": picture}} for picture in shown]
        return {"role": "user", "content": [{"type": "text", "text": "Reference and canvas:"}, *parts]}

    return [Request([rules, user(at)], tools=[tool], temperature=0.7, max_tokens=400) for at in range(16)]


@contextmanager
def serving(latency: float) -> Iterator[str]:
    """The endpoint as a process; its base URL."""
    command = [sys.executable, "-m", "tests.endpoint", "--latency", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@asynccontextmanager
async def ours(url: str, load: list[Request]) -> AsyncIterator[Ask]:
    """The client that the project uses."""
    endpoint = Endpoint.model_validate({"base_url": url, "model": "painter", "key": KEY})
    async with Client(endpoint, concurrency=CONCURRENCY) as client:
        yield lambda at: client.complete(load[at % len(load)])


@asynccontextmanager
async def bare_httpx2(url: str, load: list[Request]) -> AsyncIterator[Ask]:
    """httpx2 alone: no retries, no checks."""
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:

        async def ask(at: int) -> object:
            content = orjson.dumps({"model": "painter", **load[at % len(load)].parameters()})
            return orjson.loads((await http.post(f"{url}/chat/completions", content=content)).content)

        yield ask


@asynccontextmanager
async def sdk(url: str, load: list[Request]) -> AsyncIterator[Ask]:
    """The openai package as its documentation shows it."""
    async with openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0) as client:
        create: Any = client.chat.completions.create
        yield lambda at: create(model="painter", **load[at % len(load)].parameters())


@asynccontextmanager
async def raw_sdk(url: str, load: list[Request]) -> AsyncIterator[Ask]:
    """The openai package at its leanest: ready bytes in, bytes out."""
    async with openai.AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0) as client:

        async def ask(at: int) -> object:
            content = orjson.dumps({"model": "painter", **load[at % len(load)].parameters()})
            options: Any = {"headers": {"content-type": "application/json"}}
            post: Any = client.post
            answer = await post("/chat/completions", cast_to=httpx2.Response, content=content, options=options)
            return orjson.loads(answer.content)

        yield ask


@asynccontextmanager
async def sockets(url: str, load: list[Request]) -> AsyncIterator[Ask]:
    """Bare connections and requests made beforehand: what the endpoint can serve."""
    host, _, port = url.removeprefix("http://").partition("/")[0].partition(":")
    bodies = [orjson.dumps({"model": "painter", **request.parameters()}) for request in load]
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n"
    )
    ready = [head.format(len(body)).encode() + body for body in bodies]
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(at: int) -> object:
        reader, writer = idle.pop() if idle else await asyncio.open_connection(host, int(port))
        writer.write(ready[at % len(ready)])
        lines = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(lines.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        answer = await reader.readexactly(length)
        idle.append((reader, writer))
        return answer

    try:
        yield ask
    finally:
        for _, writer in idle:
            writer.close()


async def measure(ask: Ask, calls: int) -> Measured:
    """Send `calls` from `CONCURRENCY` tasks, each waiting for its answer before it sends the next one."""
    await asyncio.gather(*(ask(at) for at in range(CONCURRENCY)))  # connections stand
    numbers = iter(range(calls))

    async def work() -> None:
        for number in numbers:
            await ask(number)

    wall, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
    spent, took = time.process_time() - processor, time.perf_counter() - wall
    return Measured(1000 * spent / calls, calls / took)


async def _round(way: Callable[[str, list[Request]], Any], url: str, load: list[Request], calls: int) -> Measured:
    async with way(url, load) as ask:
        return await measure(ask, calls)


def best(rounds: list[Measured]) -> Measured:
    """The least time and the most calls, since other work on the machine only ever takes away."""
    return Measured(min(each.milliseconds for each in rounds), max(each.calls for each in rounds))


def main() -> bool:
    """Print each way's figures; whether ours hold."""
    load = requests()
    size = len(orjson.dumps(load[0].parameters())) / 1000
    ideal = CONCURRENCY / LATENCY
    ways = {
        "easel_app.llm": ours,
        "httpx2 alone": bare_httpx2,
        "openai, as documented": sdk,
        "openai, raw": raw_sdk,
        "bare sockets": sockets,
    }
    print(f"\nModel endpoint: {CONCURRENCY} callers, answers in {1000 * LATENCY:.0f} ms, requests of {size:.0f} kB")
    found: dict[str, list[Measured]] = {name: [] for name in ways}
    with serving(LATENCY) as url:
        for _ in range(ROUNDS):  # in turn, so that a busy machine meets all of them
            for name, way in ways.items():
                found[name].append(asyncio.run(_round(way, url, load, CALLS)))
    for name, rounds in found.items():
        milliseconds, calls = best(rounds)
        kept = f"{calls:4.0f} calls/s, {calls / ideal:4.0%} of {ideal:.0f}"
        print(f"  {name:22s} {milliseconds:5.2f} ms processor time a call, {kept}")
    with serving(0.0) as url:
        print(f"  endpoint at no latency: {asyncio.run(_round(sockets, url, load, 2 * CALLS)).calls:.0f} requests/s")
    milliseconds, calls = best(found["easel_app.llm"])
    print(f"  wanted: at most {MOST_MS} ms, at least {LEAST_SHARE:.0%}")
    return milliseconds <= MOST_MS and calls >= LEAST_SHARE * ideal


if __name__ == "__main__":
    sys.exit(not main())
