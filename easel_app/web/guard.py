"""What may be asked of the server at all, before anything reads the request.

Every Gradio handler and file route can be called by anyone, and a page of another origin can send simple requests to a
studio on this machine. So outside the API and MCP, where nothing needs it, only reading is possible; and what changes
something must come from this origin or from no page at all.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from easel_app.web.errors import error

READING = frozenset({"GET", "HEAD"})
MCP_PATHS = ("/mcp", "/mcp/")
"""Where the MCP server is."""


class Guard:
    """ASGI middleware that turns away writes to the page and writes from foreign pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may be asked."""
        refusal = None
        if scope["type"] == "http" and scope["method"] not in READING:
            if not takes_bodies(scope):
                refusal = error(404, "not_found", "Only the API takes this method; see /api/openapi.json.")
            elif _foreign(Headers(scope=scope)):
                message = "Pages of another origin may not act here; use the studio's own page or the API directly."
                refusal = error(403, "foreign_origin", message)
        elif scope["type"] == "websocket":
            return  # nothing here speaks it
        await (refusal or self._app)(scope, receive, send)


def takes_bodies(scope: Scope) -> bool:
    """Whether a request goes to the API or to MCP, the only places that take more than a look."""
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return path.startswith("/api/") or path in MCP_PATHS


def _foreign(headers: Headers) -> bool:
    """Whether a browser says that the request comes from a page of another origin.

    The scheme is not compared, for a proxy may have taken TLS off; what is no browser sends no Origin.
    """
    if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host")
    except ValueError:  # no address at all
        return True
