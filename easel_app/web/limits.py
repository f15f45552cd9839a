"""How much a request may carry."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from easel_app.services.logs import MOST_BYTES
from easel_app.services.rubrics.drafting import MOST_DRAFT
from easel_app.services.taking_in.imports import MOST_UPLOAD
from easel_app.sources import pictures
from easel_app.web.errors import error
from easel_app.web.guard import READING, takes_bodies

MOST_JSON = 64 * 1024
MOST_PICTURE = 8 * 1024 * 1024
LARGER = {
    "/api/tasks/own": MOST_PICTURE,
    "/api/sessions/import": MOST_BYTES,
    "/api/rubrics/imports": MOST_UPLOAD,
    "/api/plans/imports": MOST_UPLOAD,
    "/api/rubrics/drafts/pictures": pictures.MOST_BYTES,
}
"""Routes whose bodies may be larger than JSON needs to be."""
DRAFTS, MOST_OF_DRAFTS = "/api/rubrics/drafts", 2 * MOST_DRAFT
"""Tasks that are being written are long, and JSON makes them longer."""
PATIENCE = 60.0
"""Seconds that a body may take to arrive."""
MOST_DRAINED = 32 * 1024 * 1024
"""How much of a body that is too large is read and dropped, so that the caller, still sending, can hear the answer."""


def most_of(path: str) -> int:
    """Bytes that the body of a request to this path may have."""
    long = path == DRAFTS or path.startswith(f"{DRAFTS}/")
    return LARGER.get(path) or (MOST_OF_DRAFTS if long else MOST_JSON)


class BodyLimit:
    """ASGI middleware: reads the body of a request to the API or MCP before anything parses it; refuses a large one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is no request with a body."""
        if scope["type"] != "http" or scope["method"] in READING or not takes_bodies(scope):
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        most, length, more = most_of(path), 0, True
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(PATIENCE):
                while more and length <= max(most, MOST_DRAINED):
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    more = message.get("more_body", False)
                    length += len(message.get("body", b""))
                    parts = [*parts, message.get("body", b"")] if length <= most else []
        except TimeoutError:
            refusal = error(408, "too_slow", f"The body did not arrive within {PATIENCE:.0f} s; send it again.")
            await refusal(scope, receive, send)
            return
        if length > most:
            refusal = error(413, "too_large", f"The body has more than {most // 1024} kB; send a smaller one.")
            await refusal(scope, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        await self._app(scope, replay, send)
