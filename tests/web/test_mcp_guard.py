"""Who may reach the MCP server: the hosts that the settings name, no foreign page, with bodies of a decent size."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from easel_app.web.mcp.endpoint import Endpoint
from tests.conftest import Server
from tests.serving import forked

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HOSTS = [
    # settings, Host, whether it is ours
    ({}, "127.0.0.1", True), ({}, "127.0.0.1:7860", True), ({}, "localhost", True), ({}, "localhost:7860", True),
    ({}, "LocalHost:7860", True), ({}, "[::1]:7860", True), ({}, "evil.example", False),
    ({}, "localhost.evil.example", False),
    ({}, "evil.example:7860", False), ({}, "127.0.0.1.evil.example", False), ({}, "", False),
    ({"host": "0.0.0.0"}, "any.example", True), ({"allowed_hosts": ["*"]}, "any.example:81", True),
    ({"allowed_hosts": ["Easel.Example"]}, "easel.example", True),
    ({"allowed_hosts": ["easel.example"]}, "easel.example:443", True),
    ({"allowed_hosts": ["easel.example"]}, "localhost", False),
    ({"allowed_hosts": ["easel.example"]}, "sub.easel.example", False),
    ({"allowed_hosts": ["*.easel.example"]}, "sub.easel.example", True),
    ({"allowed_hosts": ["*.easel.example"]}, "evil.example", False),
]  # fmt: skip


@contextmanager
def serving(tmp_path: Path, **given: object) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path, **given)  # type: ignore[arg-type]
    studio = Studio(settings)
    with TestClient(create_api(studio, settings)) as client:
        yield client


@pytest.mark.parametrize("given, host, ours", HOSTS)
def test_only_the_hosts_of_the_settings_are_served(
    tmp_path: Path, given: dict[str, object], host: str, ours: bool
) -> None:
    with serving(tmp_path, **given) as client:
        answer = client.post("/mcp", json=PING, headers={"Host": host})
        assert answer.status_code == (200 if ours else 400), answer.text
        assert client.get("/api/tasks", headers={"Host": host}).status_code == answer.status_code


@pytest.mark.parametrize("given, host, ours", [entry for entry in HOSTS if "*" not in str(entry[0])])
def test_the_sdks_own_check_says_the_same(
    studio: Studio, tmp_path: Path, given: dict[str, object], host: str, ours: bool
) -> None:
    settings = Settings(data_dir=tmp_path, **given)  # type: ignore[arg-type]
    if "*" in settings.hosts:
        return
    endpoint = Endpoint(studio, settings)
    bare = Starlette(routes=endpoint.routes, lifespan=lambda _: endpoint.run())
    with TestClient(bare) as client:
        assert client.post("/mcp", json=PING, headers={"Host": host}).status_code == (200 if ours else 421)
        if ours:
            own = {"Host": host, "Origin": f"https://{host.lower()}"}
            assert client.post("/mcp", json=PING, headers=own).status_code == 200
            foreign = {"Host": host, "Origin": "http://evil.example"}
            assert client.post("/mcp", json=PING, headers=foreign).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://127.0.0.1:81"}],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_foreign_page_cannot_call(server: Server, path: str, headers: dict[str, str]) -> None:
    answer = httpx.post(server.url + path, json=PING, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")


def test_a_page_of_our_own_can(server: Server) -> None:
    assert httpx.post(f"{server.url}/mcp", json=PING, headers={"Origin": server.url}).json()["result"] == {}


@pytest.mark.parametrize("verb", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_it_takes_post_alone(server: Server, verb: str) -> None:
    answer = httpx.request(verb, f"{server.url}/mcp", headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert verb == "HEAD" or answer.json()["error"]["code"] == -32600
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/mcp/x", "/mcpx", "/x/mcp", "/mcp//"])
def test_nothing_beside_it_is_open(server: Server, path: str) -> None:
    assert httpx.post(server.url + path, json=PING).status_code == 404


def test_a_large_body_is_refused_before_it_is_parsed(server: Server) -> None:
    headers = {"Content-Type": "application/json"}
    for content in (b" " * 70_000, (b" " * 65536 for _ in range(4))):
        assert httpx.post(f"{server.url}/mcp", content=content, headers=headers).status_code == 413
    fits = httpx.post(f"{server.url}/mcp", content=b" " * 60_000 + b"{}", headers=headers)
    assert (fits.status_code, fits.json()["jsonrpc"]) == (400, "2.0")


def test_the_server_stops_while_a_client_is_connected(tmp_path: Path) -> None:
    with httpx.Client() as client:
        server = Server(tmp_path, forked)
        server.start()
        try:
            assert client.post(f"{server.url}/mcp", json=PING).json()["result"] == {}
            assert server.stop() in (0, -15)
        finally:
            server.kill()
