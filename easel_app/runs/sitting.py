"""Sittings: long work with a model that goes on side by side, can be stopped, and goes on where it stood another time.

One thread and one event loop for each that is under way; the work itself is a run's, or a judging's.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import pairwise
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import SecretStr

from easel_app.llm import Budget, Client, Endpoint
from easel_app.runs.settings import Limits
from easel_app.services.problems import Busy, Conflict
from easel_app.store.database import StoreFull

HANDS = 3
"""Threads that paint and record. More of them take the interpreter from the loop that talks to the endpoint, and from
each other: one for each of 16 sessions kept 75 % of the endpoint's throughput, three keep 90 % (benchmarks.runs).
"""
FAREWELL = 5.0
"""Seconds that calls under way get when the server stops."""
log = logging.getLogger(__name__)


class Sitting(ABC):
    """Work until it is through or stopped."""

    def __init__(self) -> None:
        self.reason = ""
        """Why it stopped, in one sentence; empty as long as nothing stopped it."""
        self.begun = time.monotonic()
        self._client: Client | None = None
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def trouble(self) -> str:
        """Why the endpoint gave no answer when it was asked last; empty when it answers."""
        return next((client.trouble for client in self.clients if client.trouble), "")

    @property
    def clients(self) -> Sequence[Client]:
        """Whom it asks; nobody in a sitting that needs no model."""
        return (self._client,) if self._client else ()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def stop(self, reason: str) -> None:
        """Let the calls under way come to their end and be recorded, and ask nothing more; the first reason counts."""
        self.reason = self.reason or reason
        self._stop.set()
        if self._loop and not self._loop.is_closed():
            for client in self.clients:
                self._loop.call_soon_threadsafe(client.halt)

    async def play(self) -> None:
        """Work until nothing is left, or something stops it."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(HANDS))
        try:
            await self._play()
        finally:
            for client in self.clients:
                await client.aclose()

    @abstractmethod
    async def _play(self) -> None:
        """The work itself."""


class Event(Protocol):
    """That a sitting began or ended, as it is stored."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def content(self) -> Any: ...  # noqa: D102
    @property
    def at(self) -> str: ...  # noqa: D102


S = TypeVar("S", bound=Sitting)


class Sittings(Generic[S]):
    """The sittings of one kind that are under way, and the last one of each that was."""

    def __init__(self, what: str, most: int) -> None:
        """Let `most` of them be under way at a time; `what` names one of them in sentences."""
        self._what, self._most = what, most
        self._under_way: dict[str, tuple[S, threading.Thread]] = {}
        self._last: dict[str, S] = {}
        self.lock = threading.Lock()
        """Held while one begins and when one has ended."""

    def start(self, wanted: str, join: Callable[[S], None], begin: Callable[[], S], end: Callable[[S], None]) -> None:
        """Begin a sitting unless it is under way.

        Args:
            wanted: the id.
            join: looks at the one that is under way; raises Conflict when it is not what is wished for.
            begin: makes a new one and records that it begins.
            end: records that it has ended.

        Raises:
            Conflict: it is under way and about to stop, or `join` says so.
            Busy: too many are under way.
        """
        with self.lock:
            found = self.of(wanted)
            if found:
                if found.stopping:
                    message = (
                        f"This {self._what} is about to stop, once its calls under way are recorded; try again in a "
                        "moment."
                    )
                    raise Conflict("stopping", message)
                join(found)
                return
            if len(self._under_way) >= self._most:
                message = f"{self._most} {self._what}s are under way; wait for one or stop one."
                raise Busy(f"too_many_{self._what}s", message)
            sitting = begin()
            name = f"{self._what} {wanted}"
            thread = threading.Thread(target=self._play, args=(wanted, sitting, end), name=name, daemon=True)
            self._under_way[wanted] = sitting, thread
            thread.start()

    def of(self, wanted: str) -> S | None:
        """The sitting of that id which is under way, or None."""
        found = self._under_way.get(wanted)
        return found[0] if found else None

    def under_way(self) -> list[S]:
        """All that are under way."""
        return [sitting for sitting, _ in list(self._under_way.values())]

    def last(self, wanted: str) -> S | None:
        """The sitting of that id which is under way, else the last one that this process has seen, or None."""
        return self.of(wanted) or self._last.get(wanted)

    def close(self) -> None:
        """Stop all of them and wait a little for their calls under way."""
        with self.lock:
            threads = [thread for _, thread in self._under_way.values()]
            for sitting, _ in self._under_way.values():
                sitting.stop(f"The server was stopped; start the {self._what} again to go on.")
        until = time.monotonic() + FAREWELL
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _play(self, wanted: str, sitting: S, end: Callable[[S], None]) -> None:
        try:
            try:
                asyncio.run(sitting.play())
            except* StoreFull:  # however deep in groups of tasks
                sitting.stop(str(StoreFull()))
        except Exception:
            log.exception("%s %s failed", self._what, wanted)
            sitting.stop(f"This server failed on the {self._what} and has logged why; start it again to go on.")
        try:
            end(sitting)
        except StoreFull as full:  # the sitting itself knows how it ended, as long as this process remembers it
            sitting.stop(str(full))
            log.warning("The end of %s %s is not recorded: %s", self._what, wanted, full)
        finally:
            with self.lock:
                self._last[wanted] = sitting
                self._under_way.pop(wanted, None)


class Spent(Protocol):
    """What earlier sittings used."""

    @property
    def calls(self) -> int: ...  # noqa: D102
    @property
    def prompt_tokens(self) -> int: ...  # noqa: D102
    @property
    def completion_tokens(self) -> int: ...  # noqa: D102
    @property
    def cost(self) -> float | None: ...  # noqa: D102


def connect(
    base_url: str,
    model: str,
    key: SecretStr | None,
    limits: Limits,
    spent: Spent | Budget,
    wait: float,
    spare: Collection[str] = (),
) -> Client:
    """A client for an endpoint within limits, of which earlier sittings have used a part.

    Args:
        base_url: where the model answers.
        model: its name there.
        key: that it is asked with.
        limits: how far and at what pace it is asked.
        spent: what earlier sittings used, or the budget that several clients share.
        wait: what every wait between tries is multiplied by.
        spare: parameters that are left out where the endpoint refuses them.

    Raises:
        ValueError: a limit of money without prices, or there can be no such endpoint.
    """
    endpoint = Endpoint(
        base_url=base_url,
        model=model,
        key=key,
        timeout=limits.timeout,
        price_prompt=limits.price_prompt,
        price_completion=limits.price_completion,
    )
    budget = spent if isinstance(spent, Budget) else budget_of(limits, spent)
    return Client(endpoint, concurrency=limits.concurrency, budget=budget, wait=wait, spare=spare)


def budget_of(limits: Limits, spent: Spent) -> Budget:
    """What may be used in all, and what earlier sittings have used of it."""
    tokens = spent.prompt_tokens + spent.completion_tokens
    return Budget(limits.most_tokens, limits.most_money, tokens, spent.cost or 0.0, spent.calls)


def unrecorded(last: Sitting | None) -> Literal["stopped", "interrupted"]:
    """The state of work that is not under way and whose end is not on record.

    Args:
        last: its last sitting in this process, which for want of room could not record its end; None: a process that
            is gone left it.
    """
    return "stopped" if last else "interrupted"


def seconds(events: Sequence[Event]) -> float:
    """Seconds of all sittings that came to an end."""
    pairs = [(a, b) for a, b in pairwise(events) if (a.name, b.name) == ("begun", "ended")]
    return sum((datetime.fromisoformat(b.at) - datetime.fromisoformat(a.at)).total_seconds() for a, b in pairs)
