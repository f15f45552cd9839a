"""Where the MCP server is reached: streamable HTTP at /mcp, stateless, one JSON answer a request."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import INVALID_REQUEST
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.guard import MCP_PATHS
from easel_app.web.limits import MOST_JSON
from easel_app.web.mcp.server import create_server


class Endpoint:
    """ASGI endpoint of the MCP server; it answers while `run()` is entered."""

    def __init__(self, studio: Studio, settings: Settings) -> None:
        """Serve a studio to the hosts that the settings name."""
        # of each handshake-era request the SDK tells at level INFO that it was the end of a session
        logging.getLogger("mcp").setLevel(logging.WARNING)
        self._manager = StreamableHTTPSessionManager(
            create_server(studio),
            json_response=True,
            stateless=True,
            security_settings=protection(settings.hosts),
            max_request_body_size=MOST_JSON,
        )

    def run(self) -> AbstractAsyncContextManager[None]:
        """What must be entered before the first request and left after the last; once."""
        return self._manager.run()

    @property
    def routes(self) -> list[Route]:
        """Both spellings of the path: a redirect from one to the other would lose a request's body."""
        return [Route(path, self, include_in_schema=False) for path in MCP_PATHS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] == "POST":
            # names of hosts know no case, but the SDK compares them letter by letter
            headers = [(name, value.lower() if name == b"host" else value) for name, value in scope["headers"]]
            await self._manager.handle_request({**scope, "headers": headers}, receive, send)
            return
        # a stream that GET opens would stay silent for ever, for nothing here outlives its request
        message = "This is an MCP endpoint: connect a client to this address by streamable HTTP, which sends POST."
        refusal = {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": message}}
        await JSONResponse(refusal, 405, {"Allow": "POST"})(scope, receive, send)


def protection(hosts: Sequence[str]) -> TransportSecuritySettings:
    """The SDK's own check of Host and Origin, saying what our middleware says: these names, with any port or none.

    It knows no patterns: where one stands among the names (`*`, `*.example.com`) the check is the middleware's alone.
    """
    names = [host.lower() for host in hosts]
    if any("*" in name for name in names):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    places = [place for name in names for place in (name, f"{name}:*")]
    origins = [f"{scheme}://{place}" for scheme in ("http", "https") for place in places]
    return TransportSecuritySettings(allowed_hosts=places, allowed_origins=origins)
