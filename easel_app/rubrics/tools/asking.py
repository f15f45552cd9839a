"""Asks a service that the host configured: one GET, JSON back. Its address stays out of what is told and recorded."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import aclosing
from functools import cache
from typing import Any

import httpx

from easel_app.llm.answers import error_words, parse
from easel_app.llm.client import AGENT
from easel_app.rubrics.tools.addresses import is_loopback
from easel_app.rubrics.tools.payloads import one_line

MOST_SECONDS = 20.0
MOST_BYTES = 4 * 1024 * 1024
"""Of an answer."""


class NoAnswer(Exception):
    """The service gave none; the message is a sentence without its address."""


async def ask(service: str, address: str, params: Mapping[str, str | int | float]) -> dict[str, Any]:
    """The JSON object that a service answers.

    Args:
        service: what it is called in sentences, such as "search".
        address: http or https, complete but for the query.
        params: the query.

    Raises:
        NoAnswer: it gives none.
    """
    url = httpx.URL(address)
    headers = {"accept": "application/json", "accept-encoding": "identity", "user-agent": AGENT}
    here = url.host == "localhost" or is_loopback(url.host)
    try:
        async with (
            asyncio.timeout(MOST_SECONDS),
            httpx.AsyncClient(verify=_tls(), timeout=MOST_SECONDS, trust_env=not here, follow_redirects=False) as http,
            http.stream("GET", url, params=dict(params), headers=headers) as answer,
        ):
            body = await _body(service, answer)
    except TimeoutError:
        raise NoAnswer(f"The {service} service gave no answer within {MOST_SECONDS:g} s; try again later.") from None
    except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
        raise NoAnswer(f"The {service} service cannot be reached ({type(error).__name__}).") from None
    found = _object(body)
    if not answer.is_success:
        reason = found.get("reason") if isinstance(found.get("reason"), str) else error_words(found)
        said = one_line(reason, 200).rstrip(".")
        raise NoAnswer(f"The {service} service answers with HTTP {answer.status_code}{f': {said}' if said else ''}.")
    if not found:
        raise NoAnswer(f"The {service} service answers with what is no JSON object.")
    return found


def number(value: object) -> int | float | None:
    """A number in an answer, if it is a finite one; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:  # NaN is not less either
        return None
    return value


def rows(value: object) -> list[dict[str, Any]]:
    """The objects of a list in an answer."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


async def _body(service: str, answer: httpx.Response) -> bytes:
    if answer.headers.get("content-encoding", "identity") != "identity":
        raise NoAnswer(f"The {service} service sent a compressed answer, which was not asked for.")
    body = bytearray()
    async with aclosing(answer.aiter_raw()) as parts:  # type: ignore[type-var]
        async for part in parts:
            body += part
            if len(body) > MOST_BYTES:
                raise NoAnswer(f"The {service} service sent more than {MOST_BYTES // 2**20} MB.")
    return bytes(body)


@cache
def _tls() -> ssl.SSLContext:
    """The certificates that count, read once."""
    return httpx.create_ssl_context()


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = parse(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
