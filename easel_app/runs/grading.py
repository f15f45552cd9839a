"""A sitting of a judging: items of answers side by side, each verdict stored as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import SecretStr

from easel_app.rubrics.judge import MOST_SENT, PROMPT, SYSTEM, Judgement, Material, judge
from easel_app.runs.asking import MOST_REASON, Asking, Unsendable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.judging_settings import JudgePlan, JudgeSettings
from easel_app.runs.pairs import Pair
from easel_app.runs.sitting import connect
from easel_app.services.ledger import now
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.sources.pictures import NoPicture
from easel_app.sources.showing import Picture, shown
from easel_app.store.judgings import VerdictRow


class Grading(Asking[Pair, Judgement]):
    """One sitting of a judging."""

    work, item, brings = "judging", "item", "verdict"

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
        self.settings, self.plan, self.judging_id, self._rubrics = settings, plan, settings.judging_id, rubrics
        tried = {Pair(row.answer, row.item): row.verdict for row in rubrics.judgings.verdicts(self.judging_id)}
        left = [pair for pair in pairs if tried.get(pair) is None]
        # what was never tried goes first, so that answers that spoil a judge's replies hold up no other
        left.sort(key=lambda pair: pair in tried)
        super().__init__(left, len(pairs), plan.concurrency, {SYSTEM: PROMPT})
        self._items = {item.id: item for item in rubrics.store.items(settings.set_id)}
        self._material = lru_cache(maxsize=2 + plan.concurrency // 4)(self._read)
        spent = rubrics.judgings.spent(self.judging_id)
        self._client = connect(settings.base_url, settings.model, key, plan, spent, wait, spare=("temperature",))

    async def _find(self, pair: Pair, exchanges: Exchanges) -> Judgement:
        assert self._client  # noqa: S101
        item = self._items[pair.item]
        material = await asyncio.to_thread(self._material, pair.answer, item.turn)
        exchanges.pictures = material.pictures
        return await judge(self._client, material, item.description, self.settings.temperature, exchanges.hear)

    def _told(self, pair: Pair) -> str:
        return f"{self.judging_id}, item {pair.item} of answer {pair.answer}"

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
