"""A call to an endpoint over real HTTP: what is sent, where it goes, and how many are under way."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest

from easel_app.llm import Budget, Client, Endpoint, EndpointRefused, EndpointUnreachable, Request
from tests.endpoint import (
    Running,
    always,
    endpoint,
    faulty,
    once,
    painter,
    redirect,
)
from tests.llm.conftest import KEY, TOOL, ask, client, free_address, request, run, until


def test_the_endpoint_gets_the_request_as_it_was_made() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    message = {"role": "user", "content": [{"type": "text", "text": "Grün ☂"}, picture]}
    wish = Request(
        [message],
        tools=[TOOL],
        tool_choice="required",
        temperature=0.5,
        max_tokens=300,
        seed=7,
        response_format={"type": "json_object"},
    )
    with endpoint(painter) as running:
        run(ask(running, wish))
    (arrived,) = running.requests
    assert arrived.body == {
        "model": "painter",
        "messages": [message],
        "tools": [TOOL],
        "tool_choice": "required",
        "temperature": 0.5,
        "max_tokens": 300,
        "seed": 7,
        "response_format": {"type": "json_object"},
    }
    assert arrived.headers["authorization"] == f"Bearer {KEY}"
    assert arrived.headers["content-type"] == "application/json"


def test_what_is_not_given_is_not_sent() -> None:
    with endpoint(painter) as running:
        run(ask(running, Request([{"role": "user", "content": "x"}], tools=[])))
    assert set(running.requests[0].body) == {"model", "messages"}


def test_without_a_key_no_header_says_one() -> None:
    async def go(running: Running) -> None:
        async with Client(Endpoint(base_url=running.url, model="painter")) as asked:
            await asked.complete(request())

    with endpoint(painter) as running:
        run(go(running))
    assert "authorization" not in running.requests[0].headers


def test_no_more_calls_than_allowed_are_under_way() -> None:
    async def go(running: Running) -> None:
        async with client(running, concurrency=3) as asked:
            await asyncio.gather(*(asked.complete(request(f"{at}")) for at in range(12)))

    with endpoint(painter, latency=0.005) as running:
        run(go(running))
    assert running.most_at_once == 3


def test_a_cancelled_call_gives_back_its_place_and_its_share() -> None:
    budget = Budget(tokens=10_000)

    async def go(running: Running) -> None:
        async with client(running, concurrency=1, budget=budget) as asked:
            hung = asyncio.create_task(asked.complete(request("hang")))
            await until(lambda: running.requests)
            hung.cancel()
            with pytest.raises(asyncio.CancelledError):
                await hung
            assert (await asked.complete(request("next"))).tool_calls

    with endpoint(faulty("hang", once())) as running:
        run(go(running))
    assert budget._under_way == 0


def test_calls_share_their_connections() -> None:
    ports: set[str] = set()

    async def go(running: Running) -> None:
        async with client(running, concurrency=2) as asked:
            for at in range(6):
                await asked.complete(request(f"{at}"))
            pool = asked._http._transport._pool  # type: ignore[attr-defined]
            ports.update(map(str, pool.connections))

    with endpoint(painter) as running:
        run(go(running))
    assert len(ports) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(status: int) -> None:
    with endpoint(painter) as other:
        redirecting = endpoint(redirect(f"{other.url}/chat/completions", status))
        with redirecting as running, pytest.raises(EndpointRefused) as caught:
            run(ask(running))
    assert other.requests == []
    assert other.url in str(caught.value)


@pytest.mark.parametrize("location", ["", "http://[", "//", "\x7f", "http://a:b@c:99999999/"])
def test_a_redirect_to_nowhere_is_a_refusal_too(location: str) -> None:
    with endpoint(redirect(location)) as running, pytest.raises((EndpointRefused, EndpointUnreachable)):
        run(ask(running, attempts=1))


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, free_address())
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with endpoint(painter) as running:
        assert run(ask(running, attempts=1)).tool_calls


def test_a_proxy_of_the_environment_is_asked_for_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go(url: str) -> Any:
        async with Client(Endpoint(base_url=url, model="painter"), attempts=1) as asked:
            return await asked.complete(request())

    with endpoint(painter) as running:
        root, name = running.url.removesuffix("/v1").rsplit("/", 1)
        for variable in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(variable, raising=False)
        for variable in ("HTTP_PROXY", "http_proxy"):
            monkeypatch.setenv(variable, root)
        assert run(go(f"http://model.invalid/{name}/v1")).tool_calls
    assert running.requests[0].headers["host"] == "model.invalid"


def test_nothing_meant_for_another_provider_is_sent_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "foreign: secret")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login foreign password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with endpoint(painter) as running:
        run(ask(running))
    told = running.requests[0]
    assert "foreign" not in orjson.dumps(told.headers).decode()


def test_a_client_can_serve_one_loop_after_another() -> None:
    with endpoint(faulty("429", always())) as running, pytest.raises(EndpointUnreachable):
        run(ask(running, attempts=2))
    with endpoint(painter) as running:
        assert run(ask(running)).retries == ()
