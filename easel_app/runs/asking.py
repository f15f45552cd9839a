"""A sitting that asks a judge about many things side by side, each answer stored as it comes.

What a call without a usable answer means is decided here, for all kinds of judges: when the endpoint counts as gone,
when a judge counts as none, and what stays open to be asked about again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from easel_app.llm import BudgetSpent, EndpointError, EndpointRefused, EndpointUnreachable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.sitting import Sitting
from easel_app.store.database import StoreFull

MOST_IN_A_ROW = 3
"""Calls without an answer one after another, after which the endpoint counts as gone."""
MOST_IN_VAIN = 20
"""Things without a verdict before the first one of a sitting, after which the judge counts as none."""
FOR_ALL = (401, 402, 404)
"""Refusals that speak of the key, the account or the model, not of one request."""
MOST_REASON = 2000
"""Characters of a reason for no verdict."""
log = logging.getLogger(__name__)
Job = TypeVar("Job")
Found = TypeVar("Found")


class Unsendable(Exception):
    """Something cannot be put to a judge; the message says why in one sentence."""


class Asking(Sitting, Generic[Job, Found]):
    """One sitting: jobs, each of which brings a finding or the reason why there is none."""

    work: ClassVar[str]
    """What the sitting is one of, such as `judging`."""
    item: ClassVar[str]
    """What a job is about, such as `item`."""
    brings: ClassVar[str]
    """What it brings, such as `verdict`."""

    def __init__(self, left: Sequence[Job], total: int, concurrency: int, prompts: Mapping[str, str]) -> None:
        """Prepare to do what is left; `play` does it.

        Args:
            left: the jobs to do, in their order.
            total: jobs of the plan, those that are done included.
            concurrency: jobs at a time.
            prompts: versions of the system's messages, by their text.
        """
        super().__init__()
        self.total, self._left, self._concurrency, self._prompts = total, left, concurrency, prompts
        self.tried = self.scored = 0
        self.unscored: Counter[str] = Counter()
        self.left_out: set[str] = set()
        self._failed = self._in_vain = self._in_a_row = self._brought = 0
        self._why = ""

    @property
    def done(self) -> int:
        """Jobs of the plan that are done."""
        return self.total - len(self._left) + self.scored

    @property
    def finished(self) -> bool:
        """Whether every job of the plan was tried, and some call brought something, now or before."""
        return self.tried == len(self._left) and not self._all_in_vain

    @property
    def _all_in_vain(self) -> bool:
        return self._in_vain > 0 and not self._brought and self.total == len(self._left)

    @property
    def eta(self) -> float | None:
        """Seconds that the rest will take at the pace of this sitting; None before its first verdict."""
        return (time.monotonic() - self.begun) / self.tried * (len(self._left) - self.tried) if self.tried else None

    @abstractmethod
    async def _find(self, job: Job, exchanges: Exchanges) -> Found:
        """Ask about one thing; what is heard goes to `exchanges`.

        Raises:
            Unsendable: it cannot be put to the judge.
            EndpointError: the endpoint gave no answer that counts.
        """

    @abstractmethod
    def _store(self, job: Job, found: Found | str, exchanges: Exchanges) -> None:
        """Store a finding, or why there is none."""

    @abstractmethod
    def _told(self, job: Job) -> str:
        """What a job is about, for the log."""

    async def _play(self) -> None:
        left = iter(self._left)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._concurrency, len(self._left))):
                group.create_task(self._work(left))
        if self._all_in_vain and not self.stopping:
            self.stop(f"No call brought a {self.brings}, the last one for this reason: {self._why}")
        if self._failed and not self.stopping:
            many = f"{self._failed} {self.item}{'s' if self._failed > 1 else ''}"
            then = f"start the {self.work} again to go on with them"
            self.stop(f"This server failed on {many} and has logged why; {then}.")

    async def _work(self, left: Iterator[Job]) -> None:
        for job in left:
            if self.stopping:
                return
            try:
                await self._try(job)
            except StoreFull as full:
                self.stop(str(full))
            except Exception:
                log.exception("%s: %s failed", self.work, self._told(job))
                self._failed += 1
                if self._failed >= MOST_IN_VAIN:
                    self.stop(f"This server failed on many {self.item}s and has logged why; nothing recorded is lost.")

    async def _try(self, job: Job) -> None:
        exchanges = Exchanges(self._prompts)
        try:
            found = await self._find(job, exchanges)
        except Unsendable as fault:
            await self._keep(job, str(fault), exchanges)
        except EndpointError as error:
            await self._without(job, error, exchanges)
        else:
            await self._keep(job, found, exchanges)

    async def _without(self, job: Job, error: EndpointError, exchanges: Exchanges) -> None:
        """What a call that brought nothing means for the job and for the sitting."""
        spent = isinstance(error, BudgetSpent)
        for_all = spent or (isinstance(error, EndpointRefused) and error.status in FOR_ALL)
        told_to_stop = self.stopping and isinstance(error, EndpointUnreachable)
        if exchanges.made or not (for_all or told_to_stop):  # what was paid for is recorded in any case
            await self._keep(job, str(error), exchanges)
        self._in_vain, self._why = self._in_vain + 1, str(error)
        self._in_a_row = self._in_a_row + 1 if isinstance(error, EndpointUnreachable) else 0
        if for_all or self._in_a_row >= MOST_IN_A_ROW:
            self.stop(str(error))
        elif not self._brought and self._in_vain >= MOST_IN_VAIN:
            first = f"The first {self._in_vain} {self.item}s brought no {self.brings}"
            self.stop(f"{first}, the last one for this reason: {error}")

    async def _keep(self, job: Job, found: Found | str, exchanges: Exchanges) -> None:
        """Store a finding, or why there is none; count it once it is stored."""
        await asyncio.to_thread(self._store, job, found, exchanges)
        self.tried += 1
        self.left_out.update(*(reply.left_out for reply in exchanges.replies))
        if isinstance(found, str):
            self.unscored[found] += 1
        else:
            self.scored += 1
            self._brought += bool(exchanges.made)
            self._in_a_row = 0
