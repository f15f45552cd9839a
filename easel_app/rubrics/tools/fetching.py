"""Fetches a public page: redirects looked at one by one, and a cap on all that a server can make long."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import NamedTuple

import httpx

from easel_app.llm.client import AGENT
from easel_app.rubrics.tools.guarded import GuardedTransport, Reach, Refused

MOST_BYTES = 2 * 1024 * 1024
"""Of a page, before and after decompression; the rest is not read."""
MOST_SECONDS = 20.0
"""For a page with all its redirects, however slowly they come."""
MOST_REDIRECTS = 5
MOST_URL = 2048
"""Characters of an address."""
_HEADERS = {"accept": "text/html, text/plain;q=0.9, */*;q=0.5", "accept-encoding": "gzip", "user-agent": AGENT}


class NoPage(Exception):
    """There is no page; the message is a sentence that says why."""


class Fetched(NamedTuple):
    """What a server sent, none of which can be trusted."""

    url: str
    """The last one, after redirects."""
    kind: str
    """Its content type without parameters, in small letters; empty when it tells none."""
    charset: str
    """As the server names it; empty when it names none."""
    content: bytes
    whole: bool
    """Whether that is all of it."""


async def fetch(url: str, reach: Reach | None = None, seconds: float = MOST_SECONDS) -> Fetched:
    """The page at an address, asked for without cookies, proxies or names.

    Args:
        url: http or https, as somebody wrote it.
        reach: where connections may go to; None: to public addresses only.
        seconds: that it may take in all.

    Raises:
        NoPage: there is none, or it may not be asked for.
    """
    where = checked(url)
    try:
        async with asyncio.timeout(seconds), GuardedTransport(reach) as transport:
            for _ in range(MOST_REDIRECTS + 1):
                found = await _ask(transport, where)
                if isinstance(found, Fetched):
                    return found
                where = found
    except TimeoutError:
        raise NoPage(f"The page did not come within {seconds:g} s.") from None
    except Refused as error:
        raise NoPage(f"The page is not asked for: {error}.") from None
    except (httpx.HTTPError, httpx.StreamError, OSError):
        raise NoPage("The page's server cannot be reached, or broke off.") from None
    raise NoPage(f"The page redirects more than {MOST_REDIRECTS} times.")


def checked(text: str) -> httpx.URL:
    """An address that may be asked for, so far as its form tells.

    Raises:
        NoPage: it may not.
    """
    text = text.strip()
    if len(text) > MOST_URL:
        raise NoPage(f"The address is longer than {MOST_URL:,} characters.")
    if not text.isprintable() or set(text) & set(' \\<>"'):
        raise NoPage("The address holds blanks or other characters that no address has.")
    try:
        url = httpx.URL(text)
        host, port = url.host, url.port
    except (httpx.InvalidURL, ValueError):
        raise NoPage("The address cannot be read as one.") from None
    if url.scheme not in ("http", "https") or not host:
        raise NoPage("The address must begin with http:// or https:// and name a host.")
    if url.userinfo:
        raise NoPage("The address holds a name or password, which are not sent.")
    if port is not None and not 0 < port < 2**16:
        raise NoPage(f"The address names port {port}, which there is not.")
    return url.copy_with(fragment=None)


async def _ask(transport: GuardedTransport, url: httpx.URL) -> Fetched | httpx.URL:
    """The page, or where it is."""
    answer = await transport.handle_async_request(httpx.Request("GET", url, headers=_HEADERS))
    try:
        if answer.has_redirect_location:
            return _redirected(url, answer.headers["location"])
        if not answer.is_success:
            raise NoPage(f"The page's server answers with {_told(answer.status_code)}.")
        kind, content = answer.headers.get("content-type", ""), bytearray()
        async with aclosing(_decompressed(answer)) as parts:
            async for part in parts:
                content += part
                if len(content) > MOST_BYTES:
                    break
    finally:
        await answer.aclose()
    return Fetched(
        url=str(url),
        kind=kind.partition(";")[0].strip().lower(),
        charset=_charset(answer),
        content=bytes(content[:MOST_BYTES]),
        whole=len(content) <= MOST_BYTES,
    )


def _charset(answer: httpx.Response) -> str:
    """What the server names; the library's reader of such headers can stumble over what is none in any way."""
    try:
        return answer.charset_encoding or ""
    except Exception:
        return ""


def _redirected(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return checked(str(url.join(location)))
    except (httpx.InvalidURL, ValueError):
        raise NoPage("The page redirects to what is no address.") from None
    except NoPage as error:
        raise NoPage(f"The page redirects, which is not followed: {error}") from None


async def _decompressed(answer: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body, at most a little more than `MOST_BYTES` of it at a time, however small it was when it was sent."""
    encoding = answer.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise NoPage("The page is compressed in a way that was not asked for.")
    inflate = zlib.decompressobj(47) if encoding not in ("", "identity") else None  # 47: gzip or zlib, as it comes
    read = 0
    async with aclosing(answer.aiter_raw()) as parts:  # type: ignore[type-var]
        async for part in parts:
            read += len(part)
            try:
                yield inflate.decompress(part, MOST_BYTES + 1) if inflate else part
            except zlib.error:
                raise NoPage("The page is compressed, and damaged.") from None
            if read > MOST_BYTES or (inflate and inflate.eof):
                return


def _told(status: int) -> str:
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"
