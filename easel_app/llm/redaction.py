"""Takes the key out of everything that leaves the package."""

from __future__ import annotations

import json
import logging
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, quote_plus

VEIL = "[key]"
SHORTEST_SECRET = 8
"""Keys shorter than this (local servers take any word) are no secret; they are veiled only where they stand alone."""
LOGGERS = (
    "httpx2",
    "httpcore2.connection",
    "httpcore2.http11",
    "httpcore2.http2",
    "httpcore2.proxy",
    "httpcore2.socks",
    "anyio.streams.tls",
)
"""Loggers of the HTTP client. They tell no request headers, but at DEBUG the response's, which may echo a key."""


class Redaction:
    """Replaces a key, and the forms that the web writes it in, by `[key]`. Its repr does not show the key."""

    def __init__(self, key: str | None) -> None:
        """Veil `key`; None or an empty one leaves everything as it is."""
        forms = sorted(set(_forms(key)), key=len, reverse=True) if key else []
        pattern = "|".join(map(re.escape, forms))
        if key and len(key) < SHORTEST_SECRET:
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
        self._pattern = re.compile(pattern) if forms else None

    def text(self, text: str) -> str:
        """The text without the key."""
        return self._pattern.sub(VEIL, text) if self._pattern else text

    def json(self, value: Any) -> Any:
        """A copy of a JSON value without the key, in strings and in names, however deep."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(name): self.json(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.json(inner) for inner in value]
        return value

    @contextmanager
    def of_logs(self) -> Iterator[None]:
        """While this lasts, no record of the HTTP client's loggers shows the key, at any level."""
        veil = _Veil(self)
        loggers = [logging.getLogger(name) for name in LOGGERS]
        for logger in loggers:
            logger.addFilter(veil)
        try:
            yield
        finally:
            for logger in loggers:
                logger.removeFilter(veil)


class _Veil(logging.Filter):
    """Writes a record's message out and veils it; lets every record pass."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__()
        self._redaction = redaction

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._redaction.text(record.getMessage()), None
        return True


def _forms(key: str) -> Iterator[str]:
    """The key as it is, quoted for URLs, escaped in JSON, and within base64 of a longer text."""
    yield key
    for quoted in (quote(key), quote(key, safe=""), quote_plus(key)):
        yield quoted
        yield re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), quoted)
    escaped = json.dumps(key)[1:-1]
    yield escaped
    yield escaped.replace("/", "\\/")
    if len(key) < SHORTEST_SECRET:
        return
    for shift in range(3):  # three bytes make four characters, so what stands before the key shifts it
        first, last = (shift * 8 + 5) // 6, (shift + len(key)) * 8 // 6
        for encode in (b64encode, urlsafe_b64encode):
            yield encode(b"\0" * shift + key.encode())[first:last].decode()
