"""How long to wait before a request is sent again, and who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import RetryCallState, wait_exponential_jitter

from easel_app.llm.problems import EndpointUnreachable

FIRST_WAIT, LONGEST_BACKOFF = 1.0, 60.0
"""Seconds; the wait doubles with each try, with up to a second of chance added."""
LONGEST_WAIT = 120.0
"""Seconds that an endpoint may ask us to wait: a limit by the minute fits; one by the hour is the caller's matter."""


class Trouble(Exception):
    """A try that failed in a way that may pass; it never leaves the package."""

    def __init__(self, reason: str, wait: float | None = None, everyone: bool = False) -> None:
        """Say why.

        Args:
            reason: a few words, without the key.
            wait: seconds until the next try; None: by back-off.
            everyone: whether all callers of the client should wait as long.
        """
        super().__init__(reason)
        self.reason, self.wait, self.everyone = reason, wait, everyone


class Patience:
    """The waits of one client, and the gate that holds back all of its callers."""

    def __init__(self, scale: float = 1.0) -> None:
        """Multiply every wait by `scale`."""
        self._scale, self._until = scale, 0.0
        self._over = asyncio.Event()
        self._backoff = wait_exponential_jitter(initial=FIRST_WAIT, max=LONGEST_BACKOFF, jitter=FIRST_WAIT)

    def wait(self, state: RetryCallState) -> float:
        """Seconds until the next try of a call that has just met a `Trouble`; closes the gate when all should wait."""
        trouble = state.outcome.exception() if state.outcome else None
        told, everyone = (trouble.wait, trouble.everyone) if isinstance(trouble, Trouble) else (None, False)
        seconds = self._scale * (self._backoff(state) if told is None else told)
        if everyone:
            self._until = max(self._until, asyncio.get_running_loop().time() + seconds)
        return seconds

    async def gate(self) -> None:
        """Return when no one has to wait any more. Raises as `sleep` does."""
        loop = asyncio.get_running_loop()
        while (seconds := self._until - loop.time()) > 0:  # a later trouble may move it
            await self.sleep(seconds)

    async def sleep(self, seconds: float) -> None:
        """Wait.

        Raises:
            EndpointUnreachable: the client was told to wait no more.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return
        raise EndpointUnreachable("A call was given up while it waited for the endpoint, since it was told to stop.")

    def end(self) -> None:
        """Let nobody wait any more, now and later."""
        self._over.set()


def told_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that an answer asks us to wait by Retry-After (RFC 9110, 10.2.3); None when it asks nothing of use.

    Raises:
        EndpointUnreachable: it asks for more than `LONGEST_WAIT`.
    """
    text = headers.get("retry-after", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until_date(text, headers.get("date", ""))
    if not 0 < seconds < float("inf"):
        return None
    if seconds > LONGEST_WAIT:
        raise EndpointUnreachable(
            f"The endpoint asks to wait {seconds:.0f} s, more than the {LONGEST_WAIT:.0f} s that we wait; "
            "go on after that time, or use another endpoint."
        )
    return seconds


def _until_date(text: str, now: str) -> float:
    """Seconds until an HTTP date by the server's own clock, else by ours; 0 when it is no date."""
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return 0.0
    try:
        begun = parsedate_to_datetime(now)
    except (ValueError, OverflowError):
        begun = datetime.now(UTC)
    try:
        return (until - begun).total_seconds()
    except TypeError:  # one of them names no zone
        return 0.0
