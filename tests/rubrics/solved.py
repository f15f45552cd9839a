"""Answers to a turn for tests: a scripted model, and tools that work in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from easel_app.llm import Reply, Request
from easel_app.rubrics.records import AnswerTurn
from easel_app.rubrics.rounds import Round
from easel_app.rubrics.solving import Manner, Said, solve
from easel_app.rubrics.tools.observation import Called, Toolbox
from easel_app.scoring.tool_schemas import TOOLS
from easel_app.sources import fields
from easel_app.sources.pictures import NoPicture, identify
from easel_app.sources.showing import Picture, shown
from tests.endpoint import Body, Script, endpoint
from tests.llm.conftest import client, run
from tests.rubrics.files import picture

PROMPT = "What is on the sign?"
SIGN = Picture("0" * 64, shown(picture(9)))


@dataclass
class Bench:
    """Tools that answer at once: code makes as many images as it says, the calculator knows the length of its text."""

    names: Sequence[str] = tuple(tool.name for tool in TOOLS)
    backends: Mapping[str, str] = field(default_factory=lambda: {tool.name: "local" for tool in TOOLS})
    log: list[str] = field(default_factory=list)
    """What began and ended, in order."""

    @property
    def offered(self) -> list[Mapping[str, Any]]:
        return [{"type": "function", "function": {"name": name, "parameters": {}}} for name in self.names]

    async def call(self, name: str, arguments: str) -> Called:
        self.log.append(f"begin {name}")
        try:
            given = json.loads(arguments)
        except (ValueError, RecursionError):
            given = None
        await asyncio.sleep(0)
        self.log.append(f"end {name}")
        if not isinstance(given, dict):
            return Called(name, arguments, {"status": "error", "error": "the arguments are no JSON object"}, (), 0.5)
        return Called(name, given, *self._answer(name, given), 0.25)

    def _answer(self, name: str, given: dict[str, Any]) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        if name == "python_image_processing":
            code = str(given.get("code"))
            images = tuple(
                b"no picture" if each == "x" else picture(int(each)) for each in code if each in "x123456789"
            )
            paths = [f"out_{at}.png" for at in range(len(images))]
            return {"ok": "true", "stdout": code, "output_path": (paths or [""])[0], "output_paths": paths}, images
        if name == "calculator":
            return {"result": len(str(given.get("expression"))), "status": "success"}, ()
        return {"status": "error", "error": f"there is no tool {name!r}", "given": given}, ()

    async def close(self) -> None:
        """Nothing is held."""


@dataclass
class Solved:
    """What came of a turn."""

    answer: AnswerTurn
    rounds: list[Round]
    bodies: list[Body]
    """Requests as they arrived."""
    replies: list[Reply]
    doing: list[tuple[int, str]]
    album: Album
    asked: list[Request]
    heard_at: list[int]
    """Requests that had arrived when each round was heard."""


class Album:
    """Pictures in memory."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.seen: list[Picture] = []

    async def keep(self, content: bytes) -> tuple[fields.Picture, Picture] | None:
        try:
            record = identify(content)
        except NoPicture:
            return None
        self.files[record.digest] = content
        found = await self.again(record)
        return (record, found) if found else None

    async def again(self, record: fields.Picture) -> Picture | None:
        content = self.files.get(record.digest)
        if content is None:
            return None
        self.seen.append(Picture(record.digest, shown(content)))
        return self.seen[-1]


def manner(**more: Any) -> Manner:
    usual = {
        "prompt": "strong",
        "temperature": 0.0,
        "extra": {},
        "max_tokens": None,
        "most_rounds": 20,
        "pictures": "tool",
    }
    return Manner(**{**usual, **more})


def solved(
    script: Script,
    *,
    prompt: str = PROMPT,
    pictures: Sequence[Picture] = (),
    earlier: Sequence[Said] = (),
    names: Sequence[str] = (),
    box: Toolbox | None = None,
    how: Manner | None = None,
    done: Sequence[Round] = (),
    album: Album | None = None,
) -> Solved:
    """Let a scripted model answer one turn. Raises as `solve` does."""
    rounds, replies, asked, doing = list[Round](), list[Reply](), list[Request](), list[tuple[int, str]]()
    heard_at: list[int] = []
    here = album or Album()

    async def heard(each: Round, request: Request, reply: Reply) -> None:
        rounds.append(each)
        replies.append(reply)
        asked.append(request)
        heard_at.append(len(running.requests))

    async def go() -> AnswerTurn:
        async with client(running) as model:
            return await solve(
                model, earlier, prompt, pictures, names, box or Bench(), how or manner(), done, here.keep, here.again,
                heard, lambda number, what: doing.append((number, what)),
            )  # fmt: skip

    with endpoint(script) as running:
        answer = run(go())
    return Solved(answer, rounds, [each.body for each in running.requests], replies, doing, here, asked, heard_at)


def stored(rounds: Sequence[Round]) -> list[Round]:
    """Rounds as they come back from a store."""
    return [Round.model_validate_json(each.model_dump_json()) for each in rounds]
