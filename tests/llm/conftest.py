"""What the tests of the model client share."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from pydantic import SecretStr

from easel_app.llm import Client, Endpoint, Request
from easel_app.painting.stroke import STROKE_FIELDS
from tests.endpoint import Running

T = TypeVar("T")
KEY = "sk-canary/7f+Q=29x_Zr4"
"""A key with characters that URLs and JSON write in other ways."""
FAST = 0.001
"""What waits are multiplied by, so that a second is a millisecond."""
TOOL = {
    "type": "function",
    "function": {
        "name": "brush_stroke",
        "description": "Paint one stroke.",
        "parameters": {
            "type": "object",
            "properties": {name: {"type": "number", "minimum": 0, "maximum": 1} for name in STROKE_FIELDS},
            "required": list(STROKE_FIELDS),
        },
    },
}


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result, from an event loop in a thread of its own: the main thread's may be taken by a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def free_address() -> str:
    """An address where nothing answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


def request(words: str = "Paint.", **more: Any) -> Request:
    return Request([{"role": "user", "content": words}], **{"tools": [TOOL], **more})


async def until(true: Callable[[], object]) -> None:
    """Let other tasks run until a condition comes true."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110  nothing that could be waited for tells of it
            await asyncio.sleep(0)


@asynccontextmanager
async def client(
    running: Running, *, most: float = 30.0, prices: tuple[float, float] | None = None, **more: Any
) -> AsyncIterator[Client]:
    """A client that hardly waits between tries; a try may take `most` seconds."""
    prompt, completion = prices or (None, None)
    where = Endpoint(
        base_url=running.url,
        model="painter",
        key=SecretStr(KEY),
        timeout=most,
        price_prompt=prompt,
        price_completion=completion,
    )
    async with Client(where, **{"wait": FAST, **more}) as asked:
        yield asked


async def ask(running: Running, wish: Request | None = None, **more: Any) -> Any:
    """One reply, by a client of its own."""
    async with client(running, **more) as asked:
        return await asked.complete(wish or request())
