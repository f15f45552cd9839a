"""The endpoint as an ASGI app, and one server of this process that serves as many of them as tests need."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import orjson
import uvicorn
from starlette.types import Receive, Scope, Send

Body = dict[str, Any]
Headers = dict[str, str]
PATH = "/chat/completions"
FLOOD = b" " * 65536


@dataclass(frozen=True)
class Answer:
    """What the endpoint answers."""

    body: bytes | Mapping[str, Any] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Literal["whole", "cut", "stall", "flood", "hang"] = "whole"
    """The whole body; half of it, then the connection is closed or nothing more comes; blanks without end; nothing."""


Script = Callable[[int, Body, Headers], Answer]
"""From the request's number, counted from 0, its body and its headers (names in lower case) to the answer."""


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived."""

    at: float
    """By `time.monotonic`."""
    body: Body
    headers: Headers


class App:
    """Speaks `/chat/completions` under any prefix."""

    def __init__(self, script: Script, latency: float = 0.0, keep: bool = True) -> None:
        """Answer by `script`, `latency` seconds after a request began to arrive; keep what arrived if `keep`."""
        self.script, self.latency = script, latency
        self.requests: list[Recorded] = []
        self.errors: list[Exception] = []
        """What scripts raised; a client sees a 500."""
        self.most_at_once = 0
        self._keep, self._numbers, self._at_once = keep, itertools.count(), 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = asyncio.get_running_loop().time()
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await self._serve(scope, receive, send, began)
        finally:
            self._at_once -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: Send, began: float) -> None:
        parts: list[bytes] = []
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        if scope["method"] != "POST" or not scope["path"].endswith(PATH):
            await _send(send, Answer({"error": {"message": f"Not found: {scope['path']}"}}, 404))
            return
        try:
            body = orjson.loads(b"".join(parts))
        except ValueError as error:
            await _send(send, Answer({"error": {"message": f"The body is no JSON: {error}"}}, 400))
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if self._keep:
            self.requests.append(Recorded(time.monotonic(), body, headers))
        try:
            answer = self.script(next(self._numbers), body, headers)
        except Exception as error:
            self.errors.append(error)
            raise
        left = began + self.latency - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)
        if answer.ending != "hang":
            await _send(send, answer)
        if answer.ending in ("hang", "stall", "flood"):
            await _last(receive, send, answer.ending == "flood")


async def _send(send: Send, answer: Answer) -> None:
    """Send an answer, or the first half; uvicorn closes the connection of an app that returns before all is sent."""
    body = answer.body if isinstance(answer.body, bytes) else orjson.dumps(answer.body)
    length = {} if answer.ending == "flood" else {"content-length": str(len(body))}
    headers = {"content-type": "application/json", **length, **answer.headers}
    lines = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": lines})
    whole = answer.ending == "whole"
    part = body if whole else body[: len(body) // 2]
    await send({"type": "http.response.body", "body": part, "more_body": not whole})


async def _last(receive: Receive, send: Send, flood: bool) -> None:
    """Say nothing, or send blanks, until the client has gone."""
    gone = asyncio.ensure_future(receive())
    while flood and not gone.done():
        await send({"type": "http.response.body", "body": FLOOD, "more_body": True})
        await asyncio.sleep(0)
    await gone


def configuration(app: Any, port: int) -> uvicorn.Config:
    """How both servers run: on loopback, quiet."""
    quiet: dict[str, Any] = {"log_config": None, "log_level": "critical", "access_log": False}
    return uvicorn.Config(app, port=port, interface="asgi3", http="h11", ws="none", lifespan="off", **quiet)


class Running:
    """An endpoint that answers at `url`."""

    def __init__(self, app: App, url: str) -> None:
        self._app, self.url = app, url

    @property
    def requests(self) -> list[Recorded]:
        """What arrived so far, in order."""
        return list(self._app.requests)

    @property
    def most_at_once(self) -> int:
        """Most requests that were under way at a time."""
        return self._app.most_at_once


class _Shared(uvicorn.Server):
    """One server for the life of the process, since each would take a tenth of a second to stop."""

    def __init__(self) -> None:
        super().__init__(configuration(self._dispatch, port=0))
        self.apps: dict[str, App] = {}
        self.ready = threading.Event()
        self.port = 0

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.port = self.servers[0].sockets[0].getsockname()[1]
        self.ready.set()

    async def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> None:
        # a request that came by way of a proxy has the whole address for its path
        path = scope["path"].partition("://")[2].partition("/")[2] if "://" in scope["path"] else scope["path"][1:]
        app = self.apps.get(path.partition("/")[0])
        if app:
            await app(scope, receive, send)
        else:
            await _send(send, Answer({"error": {"message": "no such endpoint"}}, 404))


@cache
def _shared() -> _Shared:
    server = _Shared()
    threading.Thread(target=server.run, daemon=True, name="scripted endpoint").start()
    assert server.ready.wait(10), "the scripted endpoint did not start"
    return server


_names = itertools.count()


@contextmanager
def endpoint(script: Script, latency: float = 0.0) -> Iterator[Running]:
    """Serve a script over real HTTP on a free port of loopback; at the end, what the script raised is raised again."""
    server, name = _shared(), f"endpoint-{next(_names)}"
    app = server.apps[name] = App(script, latency)
    try:
        yield Running(app, f"http://127.0.0.1:{server.port}/{name}/v1")
    finally:
        del server.apps[name]
    if app.errors:
        raise app.errors[0]
