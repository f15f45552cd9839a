"""Asks an endpoint that the host names for a picture: one POST of JSON, one picture back.

The contract is ours, so that a few lines before any generator, editor or image search fulfil it:
`{"tool": "search", "params": {"query": …}, "image": "data:image/png;base64,…" or null}` goes there, and a PNG, JPEG,
WebP or GIF file comes back as the body, or JSON `{"image": base64 or data URL}`; in JSON `{"error": "…"}` says why
there is none. Redirects are not followed, and nothing but this address is ever asked.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import ssl
from contextlib import aclosing
from functools import cache
from typing import Any

import httpx2
import orjson

from easel_app.llm.answers import error_words, one_line, parse
from easel_app.llm.client import AGENT, CONNECTING
from easel_app.llm.endpoint import Endpoint

MOST_PICTURE = 32 * 1024 * 1024
"""Bytes of a picture that is taken."""
MOST_BODY = MOST_PICTURE * 4 // 3 + 1024 * 1024
"""Bytes of an answer that are read: of a picture in base64 with some words."""


class NoImage(Exception):
    """The endpoint gave no picture; the message says why in one sentence, without its address."""


class ImageEndpoint:
    """Where pictures of one tool come from."""

    def __init__(self, address: str, timeout: float = 120.0) -> None:
        """Ask this address.

        Args:
            address: http or https, without a name, a password or a query.
            timeout: seconds that a picture may take in all.

        Raises:
            pydantic.ValidationError: it is no such address.
        """
        self._endpoint = Endpoint(base_url=address, model="pictures", timeout=timeout)

    async def fetch(self, tool: str, params: dict[str, Any], image: str | None = None) -> bytes:
        """The file that the endpoint gives for a call; what it is has still to be looked at.

        Args:
            tool: of the registry.
            params: of the call, JSON values.
            image: data URL of the picture that is to be edited.

        Raises:
            NoImage: it gives none.
        """
        content = orjson.dumps({"tool": tool, "params": params, "image": image})
        headers = {
            "accept": "image/png, image/jpeg, image/webp, image/gif, application/json",
            "accept-encoding": "identity",
            "content-type": "application/json",
            "user-agent": AGENT,
        }
        limit = self._endpoint.timeout
        try:
            async with (
                asyncio.timeout(limit),
                httpx2.AsyncClient(
                    timeout=httpx2.Timeout(None, connect=min(CONNECTING, limit)),  # the whole has its own limit
                    verify=_tls(),
                    trust_env=not self._endpoint.loopback,
                    follow_redirects=False,
                ) as http,
                http.stream("POST", self._endpoint.base_url, headers=headers, content=content) as response,
            ):
                body = await _body(response)
        except TimeoutError:
            raise NoImage(
                f"The endpoint gave no picture within {limit:g} s; try it again, or use another one."
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            why = one_line(str(error)) or type(error).__name__
            raise NoImage(f"The endpoint cannot be reached ({why}); check that it runs, then try it again.") from None
        return _picture(response.status_code, response.headers.get("content-type", ""), body)


async def _body(response: httpx2.Response) -> bytes:
    """All that is sent.

    Raises:
        NoImage: it is compressed, or too much.
    """
    if response.headers.get("content-encoding", "identity") != "identity":
        raise NoImage("The endpoint sent a compressed answer, which was not asked for.")
    parts: list[bytes] = []
    length = 0
    async with aclosing(response.aiter_bytes()) as stream:
        async for part in stream:
            parts.append(part)
            length += len(part)
            if length > MOST_BODY:
                raise NoImage(f"The endpoint sent more than the {MOST_BODY // 10**6} MB that are taken.")
    return b"".join(parts)


def _picture(status: int, kind: str, body: bytes) -> bytes:
    """The file in an answer.

    Raises:
        NoImage: there is none.
    """
    said = _object(body) if "json" in kind.lower() or not 200 <= status <= 299 else {}
    if 300 <= status <= 399:
        raise NoImage(
            f"The endpoint redirects elsewhere (HTTP {status}), which is not followed; name the right address."
        )
    words = one_line(error_words(said))
    if not 200 <= status <= 299:
        raise NoImage(f"The endpoint refused the call (HTTP {status}{f': “{words}”' if words else ''}).")
    if "json" not in kind.lower():
        return body
    image = said.get("image")
    if not isinstance(image, str) or not image:
        raise NoImage(f"The endpoint gave no picture{f': “{words}”' if words else ''}.")
    if image.startswith("data:"):
        image = image.partition(",")[2]
    try:
        return base64.b64decode(image, validate=True)
    except (binascii.Error, ValueError):
        raise NoImage("The endpoint gave a picture that is no base64.") from None


@cache
def _tls() -> ssl.SSLContext:
    """The certificates that count, read once."""
    return httpx2.create_ssl_context()


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = parse(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
