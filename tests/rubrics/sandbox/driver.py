"""Opens sandboxes and runs code in them as it is told, a line of JSON each way: what a server does, as any user."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import replace
from typing import Any

from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.execution import Limits
from easel_app.rubrics.sandbox.session import BubblewrapSession


async def answer(sandbox: Bubblewrap, sessions: dict[str, BubblewrapSession], wish: dict[str, Any]) -> dict[str, Any]:
    name = wish["name"]
    if wish["do"] == "open":
        images = {key: base64.b64decode(value) for key, value in wish["images"].items()}
        sessions[name] = await sandbox.open(images, wish["keep"])
        return {}
    if wish["do"] == "close":
        await sessions.pop(name).close()
        return {}
    done = await sessions[name].run(wish["code"])
    images = [(each.name, base64.b64encode(each.content).decode()) for each in done.images]
    return {
        "outcome": done.outcome, "stdout": done.stdout, "stderr": done.stderr, "images": images, "notes": done.notes,
        "seconds": done.seconds,
    }  # fmt: skip


async def main(limits: dict[str, Any]) -> None:
    sandbox, sessions = Bubblewrap(replace(Limits(), **limits)), {}
    print(json.dumps({"off": await asyncio.to_thread(lambda: sandbox.off)}), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await answer(sandbox, sessions, json.loads(line))), flush=True)
    for session in sessions.values():
        await session.close()


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
