"""An agent that plays by MCP with the official client, over real HTTP."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from mcp import Client
from mcp_types import CallToolResult, ImageContent, TextContent
from PIL import Image

Result = TypeVar("Result")
MODES = {"2026-07-28": "auto", "2025-11-25": "legacy"}
"""Revisions of the protocol, and the client's name for the way to each."""


class Agent:
    """Calls tools; in a session that it started, with its token."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.mine: dict[str, str] = {}

    async def start(self, task_id: str = "programmatic-01", **wish: Any) -> dict[str, Any]:
        begun = await self.do("start_session", task_id=task_id, **{"player": "Tester", **wish})
        self.mine = {name: begun[name] for name in ("session_id", "write_token")}
        return begun

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.client.call_tool(tool, arguments)

    async def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.call(tool, **arguments)
        assert not answer.is_error, answer
        assert isinstance(answer.structured_content, dict)
        assert json.loads(text(answer)) == answer.structured_content, "what the model reads is what the program reads"
        return answer.structured_content

    async def paint(self, stroke: dict[str, float], **more: Any) -> dict[str, Any]:
        return await self.do("brush_stroke", **self.mine, **stroke, **more)

    async def refused(self, tool: str, **arguments: Any) -> str:
        answer = await self.call(tool, **arguments)
        sentence = text(answer)
        assert answer.is_error and answer.structured_content is None, answer
        assert sentence and "\n" not in sentence and len(sentence) < 400
        return sentence

    async def look(self, **look: Any) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
        answer = await self.call("observe", **look)
        assert not answer.is_error, answer
        reference, canvas = (block for block in answer.content if isinstance(block, ImageContent))
        return pixels(reference), pixels(canvas), json.loads(text(answer))


def text(answer: CallToolResult) -> str:
    """The last text of an answer."""
    return [block for block in answer.content if isinstance(block, TextContent)][-1].text


def pixels(block: ImageContent) -> np.ndarray:
    assert block.mime_type == "image/png"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(block.data))).convert("RGB"))


def play(url: str, scene: Callable[[Agent], Awaitable[Result]], mode: str = "auto") -> Result:
    """Let an agent play a scene, on a loop of its own thread: the browser's driver holds one in this thread."""

    async def run() -> Result:
        async with Client(f"{url}/mcp", mode=mode) as client:
            return await scene(Agent(client))

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run()).result(60)
