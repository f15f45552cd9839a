"""A sitting of a planning: queries answered side by side, each answer stored as it comes."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import SecretStr

from easel_app.llm import EndpointRefused, Reply
from easel_app.llm.answers import one_line, refused_for_content
from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.prompting import MOST_SENT, MOST_SHOWN, length, request
from easel_app.runs.asking import Asking, Unsendable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.planning_settings import PlannerSettings, PlanningPlan
from easel_app.runs.sitting import connect
from easel_app.services.plans.plans import Plans
from easel_app.sources.fields import storable
from easel_app.sources.pictures import NoPicture
from easel_app.sources.showing import Picture, shown

USED = re.compile(r"Used (\d+) \+ (\d+) tokens(?:, cost (\d+\.\d+))?\.")
"""In an answer's note, what it took to make it: the one place where this is kept."""


class Wanted(NamedTuple):
    """An answer that is asked for."""

    query: int
    """The query's row id."""
    query_id: str
    attempt: int


class Spent(NamedTuple):
    """What the calls of a planning used."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: object) -> Spent:
        """Both together; a cost that one of them lacks counts as nothing."""
        if not isinstance(other, Spent):
            return NotImplemented
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        counts = (self.calls + other.calls, self.prompt_tokens + other.prompt_tokens)
        return Spent(*counts, self.completion_tokens + other.completion_tokens, sum(costs) if costs else None)

    @property
    def told(self) -> str:
        """In words, from which `spent_of` reads it again."""
        cost = "" if self.cost is None else f", cost {self.cost:.8f}"
        return f"Used {self.prompt_tokens} + {self.completion_tokens} tokens{cost}."


def spent_of(note: str) -> Spent:
    """What an answer's note says that its call used; nothing when it says nothing."""
    found = USED.search(note)
    return Spent(1, int(found[1]), int(found[2]), float(found[3]) if found[3] else None) if found else Spent()


class Planning(Asking[Wanted, AnswerRecord]):
    """One sitting of a planning."""

    work, item, brings = "planning", "query", "plan"

    def __init__(
        self,
        plans: Plans,
        settings: PlannerSettings,
        plan: PlanningPlan,
        wanted: Sequence[Wanted],
        there: Mapping[Wanted, Spent],
        key: SecretStr | None,
        wait: float = 1.0,
    ) -> None:
        """Prepare to ask for those of the answers that are not `there` yet, with what those took; `play` does it.

        Waits between tries of a call are multiplied by `wait`.

        Raises:
            ValueError: the plan has a money limit without prices.
        """
        self.settings, self.plan, self._plans = settings, plan, plans
        super().__init__([each for each in wanted if each not in there], len(wanted), plan.concurrency, {})
        self.spent, self.no_output = sum(there.values(), Spent()), 0
        self._counting = threading.Lock()
        self._client = connect(settings.base_url, settings.model, key, plan, self.spent, wait, spare=("temperature",))

    async def _find(self, wanted: Wanted, exchanges: Exchanges) -> AnswerRecord:
        assert self._client  # noqa: S101
        settings = self.settings
        query, pictures = await asyncio.to_thread(self._read, wanted)
        asked = request(query, settings.shots, settings.index_base, pictures, settings.temperature, settings.max_tokens)
        try:
            reply = await self._client.complete(asked)
        except EndpointRefused as refusal:
            if not refused_for_content(refusal.status, refusal.said):
                raise
            return self._answer(wanted, "", str(refusal))
        exchanges.hear(asked, reply)
        text = "" if (why := _nothing(reply)) else reply.text or ""
        usage = reply.usage
        notes = [Spent(1, usage.prompt_tokens, usage.completion_tokens, usage.cost).told]
        if text and reply.finish_reason == "length":
            notes.append("It was cut off at its longest length.")
        return self._answer(wanted, text, why, *notes)

    def _answer(self, wanted: Wanted, text: str, no_output: str, *notes: str) -> AnswerRecord:
        return AnswerRecord(
            query_id=wanted.query_id,
            planner=self.settings.name,
            attempt=wanted.attempt,
            text=text,
            index_base=self.settings.index_base,
            no_output=storable(no_output)[:2000],
            note=" ".join([self.settings.told, *notes]),
            origin=self.settings.planning_id,
        )

    def _store(self, job: Wanted, found: AnswerRecord | str, exchanges: Exchanges) -> None:
        """Store an answer. What has no answer is left as it is, so that the next sitting asks again."""
        if isinstance(found, str):
            return
        row = (job.query, found.planner, found.attempt, json.dumps(found.model_dump()))
        if not self._plans.store.add_answers([row]):
            self.stop(f"Meanwhile another answer of {found.planner!r} came into the set; take another planner's name.")
            raise RuntimeError("the answer's place was taken")
        with self._counting:
            self.no_output += bool(found.no_output)
            self.spent += spent_of(found.note)

    def _told(self, job: Wanted) -> str:
        return f"{self.settings.planning_id}, query {job.query_id}"

    def _read(self, wanted: Wanted) -> tuple[QueryRecord, dict[int, Picture]]:
        """A query, and the pictures that are sent along, by their place in its pool.

        Raises:
            Unsendable: it is too long.
        """
        row = self._plans.store.query_of(wanted.query)
        assert row is not None  # noqa: S101  nothing is ever deleted
        query = QueryRecord.model_validate(row.record)
        if (found := length(query)) > MOST_SENT:
            raise Unsendable(f"The query has {found:,} characters, and at most {MOST_SENT:,} are sent to a planner.")
        pictures: dict[int, Picture] = {}
        for place, image in enumerate(query.pool if self.settings.pictures == "pool" else ()):
            if (
                image.picture
                and len(pictures) < MOST_SHOWN
                and (content := self._plans.pictures.get(image.picture.digest))
            ):
                try:
                    pictures[place] = Picture(image.picture.digest, shown(content))
                except NoPicture:
                    continue  # it is listed, as one whose file is gone is
        return query, pictures


def _nothing(reply: Reply) -> str:
    """Why a reply is no answer; empty when it is one."""
    if reply.finish_reason == "content_filter":
        return "A content filter of the endpoint stopped the answer."
    if (reply.text or "").strip():
        return ""
    if reply.refusal:
        return f"The model refuses to answer: “{one_line(reply.refusal, 1500)}”."
    if reply.finish_reason == "length":
        return "The model used up all tokens of its reply before it said anything."
    return f"The model answered nothing (finish reason: {one_line(reply.finish_reason or 'none given')})."
