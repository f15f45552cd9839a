"""The guarded transport: it connects to what it looked at, and only there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import httpx
import pytest

from easel_app.rubrics.tools.guarded import GuardedTransport, Reach, Refused
from tests.llm.conftest import run
from tests.rubrics.tools.sites import Site, listening, moved, page, serving

HERE = "127.0.0.1"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving({"/": page("<p>hello"), "/away": moved("/")}) as running:
        yield running


class Names:
    """A resolver that gives one answer after the other, the last of them again and again."""

    def __init__(self, *told: Sequence[str]) -> None:
        self.told = list(told)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.told.pop(0) if len(self.told) > 1 else self.told[0]


def get(url: str, reach: Reach | None = None) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=GuardedTransport(reach), timeout=10) as client:
            return await client.get(url)

    return run(ask())


def test_it_refuses_this_machine_and_makes_no_connection() -> None:
    with serving({"/": page("secret")}) as site:
        for host in (HERE, "localhost", "[::1]", "[::ffff:7f00:1]", "127.1", "2130706433", "0x7f000001"):
            with pytest.raises(Refused):
                get(f"http://{host}:{site.port}/", Reach(ports=frozenset({site.port})))
        assert site.asked == []


class Lax(Reach):
    """Takes every address for a public one, as this machine's own may be."""

    def allows(self, address: str) -> bool:
        return True


def test_this_machine_is_refused_by_whatever_address_it_is_reached(site: Site) -> None:
    before = len(site.asked)
    with pytest.raises(Refused, match="this machine"):
        get(f"http://pages.example:{site.port}/", Lax(Names([HERE]), ports=frozenset({site.port})))
    assert len(site.asked) == before


@pytest.mark.parametrize("address", ["10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1%lo", "0.0.0.0"])
def test_a_name_that_resolves_to_what_is_private_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="public internet"):
        get("http://pages.example/", Reach(resolver=Names([address])))


def test_one_private_address_among_public_ones_is_one_too_many() -> None:
    with pytest.raises(Refused, match="public internet"):
        get("http://pages.example/", Reach(resolver=Names(["93.184.216.34", "10.0.0.1"])))


def test_a_resolver_that_answers_otherwise_the_second_time_has_no_say(site: Site) -> None:
    names = Names([HERE], ["10.0.0.1"])
    answer = get(f"http://pages.example:{site.port}/", Reach(names, loopback=True))
    assert answer.text == "<p>hello"
    assert names.asked == ["pages.example"]


def test_each_redirect_is_resolved_and_looked_at_again(site: Site) -> None:
    names = Names([HERE], ["10.0.0.1"])

    async def ask() -> None:
        transport = GuardedTransport(Reach(names, loopback=True))
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            await client.get(f"http://pages.example:{site.port}/away")

    with pytest.raises(Refused, match="public internet"):
        run(ask())
    assert len(names.asked) == 2


def test_the_certificate_is_asked_for_by_name_though_the_connection_goes_to_an_address() -> None:
    with listening() as (port, heard), pytest.raises(httpx.TransportError):
        get(f"https://pages.example:{port}/", Reach(Names([HERE]), loopback=True))
    assert b"pages.example" in heard[0]


@pytest.mark.parametrize("port", [22, 25, 3306, 7860])
def test_ports_that_are_not_of_pages_are_not_asked(port: int) -> None:
    names = Names(["93.184.216.34"])
    with pytest.raises(Refused, match=f"port {port} is not asked"):
        get(f"http://pages.example:{port}/", Reach(names))
    assert names.asked == []


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".example", "%00.example"])
def test_hosts_that_are_none_are_told_so(host: str) -> None:
    with pytest.raises((Refused, httpx.InvalidURL)):
        get(f"http://{host}/")


def test_a_proxy_of_the_environment_does_not_count(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert get(f"{site.address}/", Reach(loopback=True)).status_code == 200
