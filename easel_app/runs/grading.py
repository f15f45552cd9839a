"""A sitting of a judging: items of answers side by side, each verdict stored as it comes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import SecretStr

from easel_app.llm import BudgetSpent, EndpointError, EndpointRefused, EndpointUnreachable
from easel_app.rubrics.judge import MOST_SENT, Judgement, Material, Picture, judge
from easel_app.rubrics.showing import shown
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.judging_settings import JudgePlan, JudgeSettings
from easel_app.runs.pairs import Pair
from easel_app.runs.sitting import Sitting, connect
from easel_app.services.ledger import now
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.sources.pictures import NoPicture
from easel_app.store.judgings import VerdictRow

MOST_IN_A_ROW = 3
"""Calls without an answer one after another, after which the endpoint counts as gone."""
MOST_IN_VAIN = 20
"""Items without a verdict before the first one of a sitting, after which the judge counts as none."""
FOR_ALL = (401, 402, 404)
"""Refusals that speak of the key, the account or the model, not of one request."""
MOST_REASON = 2000
"""Characters of a reason for no verdict."""
log = logging.getLogger(__name__)


class Unsendable(Exception):
    """An answer cannot be shown to a judge; the message says why in one sentence."""


class Grading(Sitting):
    """One sitting of a judging."""

    def __init__(
        self,
        rubrics: Rubrics,
        settings: JudgeSettings,
        plan: JudgePlan,
        pairs: Sequence[Pair],
        key: SecretStr | None,
        wait: float = 1.0,
    ) -> None:
        """Prepare to ask about those of the pairs that have no verdict yet; `play` does it.

        Waits between tries of a call are multiplied by `wait`.

        Raises:
            ValueError: the plan has a money limit without prices.
        """
        super().__init__()
        self.settings, self.plan, self.judging_id = settings, plan, settings.judging_id
        self._rubrics, self.total = rubrics, len(pairs)
        tried = {Pair(row.answer, row.item): row.verdict for row in rubrics.judgings.verdicts(self.judging_id)}
        left = [pair for pair in pairs if tried.get(pair) is None]
        # what was never tried goes first, so that answers that spoil a judge's replies hold up no other
        self._left = sorted(left, key=lambda pair: pair in tried)
        self.tried = self.scored = 0
        self.unscored: Counter[str] = Counter()
        self.left_out: set[str] = set()
        self._failed = self._in_vain = self._in_a_row = 0
        self._why = ""
        self._items = {item.id: item for item in rubrics.store.items(settings.set_id)}
        self._material = lru_cache(maxsize=2 + plan.concurrency // 4)(self._read)
        spent = rubrics.judgings.spent(self.judging_id)
        self._client = connect(settings.base_url, settings.model, key, plan, spent, wait, spare=("temperature",))

    @property
    def done(self) -> int:
        """Pairs of the plan that have a verdict."""
        return self.total - len(self._left) + self.scored

    @property
    def finished(self) -> bool:
        """Whether every pair of the plan was asked about, and some pair has a verdict, now or from before."""
        return self.tried == len(self._left) and not self._all_in_vain

    @property
    def _all_in_vain(self) -> bool:
        return 0 < len(self._left) == self._in_vain and not self.done

    @property
    def eta(self) -> float | None:
        """Seconds that the rest will take at the pace of this sitting; None before its first verdict."""
        return (time.monotonic() - self.begun) / self.tried * (len(self._left) - self.tried) if self.tried else None

    async def _play(self) -> None:
        left = iter(self._left)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.plan.concurrency, len(self._left))):
                group.create_task(self._work(left))
        if self._all_in_vain and not self.stopping:
            self.stop(f"No call brought a verdict, the last one for this reason: {self._why}")
        if self._failed and not self.stopping:
            many = f"{self._failed} item{'s' if self._failed > 1 else ''}"
            self.stop(f"This server failed on {many} and has logged why; start the judging again to go on with them.")

    async def _work(self, left: Iterator[Pair]) -> None:
        for pair in left:
            if self.stopping:
                return
            try:
                await self._grade(pair)
            except Exception:
                log.exception("judging %s: item %d of answer %d failed", self.judging_id, pair.item, pair.answer)
                self._failed += 1
                if self._failed >= MOST_IN_VAIN:
                    self.stop("This server failed on many items and has logged why; nothing recorded is lost.")

    async def _grade(self, pair: Pair) -> None:
        assert self._client  # noqa: S101
        item, exchanges = self._items[pair.item], Exchanges()
        try:
            material = await asyncio.to_thread(self._material, pair.answer, item.turn)
            exchanges.pictures = material.pictures
            temperature = self.settings.temperature
            found = await judge(self._client, material, item.description, temperature, exchanges.hear)
        except Unsendable as fault:
            await self._keep(pair, str(fault), exchanges)
        except EndpointError as error:
            await self._without(pair, error, exchanges)
        else:
            await self._keep(pair, found, exchanges)

    async def _without(self, pair: Pair, error: EndpointError, exchanges: Exchanges) -> None:
        """What a call that gave no verdict means for the pair and for the sitting."""
        spent = isinstance(error, BudgetSpent)
        for_all = spent or (isinstance(error, EndpointRefused) and error.status in FOR_ALL)
        told_to_stop = self.stopping and isinstance(error, EndpointUnreachable)
        if exchanges.made or not (for_all or told_to_stop):  # what was paid for is recorded in any case
            await self._keep(pair, str(error), exchanges)
        self._in_vain, self._why = self._in_vain + 1, str(error)
        self._in_a_row = self._in_a_row + 1 if isinstance(error, EndpointUnreachable) else 0
        if for_all or self._in_a_row >= MOST_IN_A_ROW:
            self.stop(str(error))
        elif not self.scored and self._in_vain >= MOST_IN_VAIN:
            self.stop(f"The first {self._in_vain} items brought no verdict, the last one for this reason: {error}")

    async def _keep(self, pair: Pair, found: Judgement | str, exchanges: Exchanges) -> None:
        """Store a verdict, or why there is none; count it once it is stored."""
        await asyncio.to_thread(self._store, pair, found, exchanges)
        self.tried += 1
        self.left_out.update(*(reply.left_out for reply in exchanges.replies))
        if isinstance(found, str):
            self.unscored[found] += 1
        else:
            self.scored += 1
            self._in_a_row = 0

    def _store(self, pair: Pair, found: Judgement | str, exchanges: Exchanges) -> None:
        judgings, used = self._rubrics.judgings, exchanges.usage
        verdict = None if isinstance(found, str) else found
        unscored = found[:MOST_REASON] if isinstance(found, str) else ""
        if not exchanges.made and (last := judgings.verdict(self.judging_id, *pair)) and last.unscored == unscored:
            return  # nothing was asked, and nothing is new
        row = VerdictRow(
            judging_id=self.judging_id,
            answer=pair.answer,
            item=pair.item,
            verdict=verdict.verdict if verdict else None,
            reason=verdict.reason if verdict else "",
            evidence=verdict.evidence if verdict else "",
            unscored=unscored,
            how=verdict.how if verdict else "",
            exchange=exchanges.dump(),
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cost=used.cost,
            latency=exchanges.latency,
            at=now(),
        )
        judgings.add([row])

    def _read(self, answer_id: int, turn: int) -> Material:
        """What a judge is shown of a turn of an answer.

        Raises:
            Unsendable: it cannot be shown.
        """
        task, answer = self._rubrics.library.task_and_answer(answer_id)
        asked, said = task.record["turns"], answer.record["turns"]
        if not turn <= min(len(asked), len(said)):
            raise Unsendable(f"The answer has no turn {turn}, so there is nothing to judge.")
        text, length = said[turn - 1]["text"], len(said[turn - 1]["text"])
        if length > MOST_SENT:
            raise Unsendable(f"The answer has {length:,} characters, and at most {MOST_SENT:,} are sent to a judge.")
        pictures = asked[turn - 1]["pictures"] if self.settings.pictures == "task" else ()
        shown_ones = tuple(self._picture(number, picture) for number, picture in enumerate(pictures, 1))
        return Material(asked[turn - 1]["prompt"], asked[turn - 1]["golden_answer"], text, shown_ones)

    def _picture(self, number: int, picture: Mapping[str, Any]) -> Picture:
        try:
            content = self._rubrics.pictures.get(picture["digest"])
            if content is None:
                raise NoPicture("its file is gone")
            return Picture(picture["digest"], shown(content))
        except NoPicture as fault:
            raise Unsendable(f"Picture {number} of the question cannot be shown to the judge: {fault}.") from None
