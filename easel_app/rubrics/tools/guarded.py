"""A transport for httpx that connects to public addresses only, whatever a name resolves to.

A name is resolved once; all that it resolves to must be public, and the connection goes to the address that was looked
at, so that a second answer of the resolver has no say. The certificate is still that of the name. Nothing of the
environment counts: no proxy, no certificates of its own. Redirects are the caller's: each is a request of its own.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from socket import SOCK_STREAM
from typing import Any

import httpcore
import httpx

from easel_app.rubrics.tools.addresses import is_loopback, is_plain, is_public

PORTS = frozenset({80, 443, 8080, 8443})
"""Where pages are; other ports may belong to anything, and to find out which ones are open is no business of ours."""
MOST_TRIED = 3
"""Addresses of a name to which a connection is tried."""

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]


class Refused(httpx.TransportError):
    """It is not asked; the message says why, as a sentence without a full stop."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, by the system.

    Raises:
        OSError: it has none.
        ValueError: it can be no name.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a transport may connect to."""

    resolver: Resolver = resolve
    loopback: bool = False
    """Whether this machine may be asked, at any port: for tests."""
    ports: frozenset[int] = PORTS

    def allows(self, address: str) -> bool:
        """Whether an IP address may be connected to."""
        return is_public(address) or (self.loopback and is_loopback(address))

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Where a host may be asked.

        Raises:
            Refused: it may not, or there is no such host.
        """
        if port not in self.ports and not self.loopback:
            raise Refused(f"port {port} is not asked, only {', '.join(map(str, sorted(self.ports)))}")
        if not is_plain(host):
            raise Refused("its host is a number and no usual address")
        try:
            found = await self.resolver(host, port)
        except (OSError, ValueError):  # ValueError: a label that is too long, a null character
            raise Refused("its host is not known") from None
        if not found:
            raise Refused("its host is not known")
        if not all(map(self.allows, found)):
            raise Refused("its host is not in the public internet, and private addresses are not asked")
        return found[:MOST_TRIED]


class GuardedTransport(httpx.AsyncBaseTransport):
    """Connects within a reach; no connection is used twice."""

    def __init__(self, reach: Reach | None = None) -> None:
        """Connect to public addresses only, or within the reach given."""
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=_tls(), max_keepalive_connections=0, network_backend=_Backend(reach or Reach())
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            Refused: its host is outside of the reach.
            httpx.TransportError: there is no answer.
        """
        url = request.url
        asked = httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            answer = await self._pool.handle_async_request(asked)
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Stream(answer), extensions=dict(answer.extensions)
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Backend(httpcore.AsyncNetworkBackend):
    """Connects to what was looked at."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failed: Exception = Refused("its host is not known")
        for address in await self._reach.addresses(host, port):
            try:
                stream = await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
                continue
            if not self._reach.loopback and _own(stream):
                await stream.aclose()
                raise Refused("its host is this machine")
            return stream
        raise failed

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class _Stream(httpx.AsyncByteStream):
    """What is sent, as it comes."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


def _own(stream: httpcore.AsyncNetworkStream) -> bool:
    """Whether a connection came out at this machine, by a public address of its own; a firewall would not see it."""
    here, there = stream.get_extra_info("client_addr"), stream.get_extra_info("server_addr")
    return bool(here and there and here[0] == there[0])


@contextmanager
def _as_httpx() -> Iterator[None]:
    try:
        yield
    except httpcore.TimeoutException as error:
        raise httpx.TimeoutException(str(error)) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise httpx.TransportError(str(error)) from error


@cache
def _tls() -> ssl.SSLContext:
    """The certificates that count, read once."""
    return httpx.create_ssl_context(trust_env=False)
