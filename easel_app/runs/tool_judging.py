"""What follows a tool run: a judge grades its answers, and a queue lays them out for people."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import defaultdict
from typing import NamedTuple

from pydantic import SecretStr

from easel_app.runs.judging import Judgings
from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.runs.settings import LONGEST_NAME, Limits, part_of
from easel_app.runs.tool_run_settings import JudgeWish
from easel_app.runs.tool_running import ToolRunning
from easel_app.services.ledger import now
from easel_app.services.problems import Busy, Conflict, Refusal
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import NewQueue
from easel_app.store.reviews import QueueRecord
from easel_app.store.tool_runs import ToolRunEvent, ToolRunStore

NOBODY = 0
"""Stands for a reviewer where it does not matter how entries stand for anybody."""
SEED = 0
"""Of the order of a queue's answers."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two looks at a judge; each pause is half as long again as the one before."""


class Wishes(NamedTuple):
    """Who judges, with which key."""

    judge: JudgeWish
    key: SecretStr | None


class Judgement:
    """Has the answers of a sitting judged once they are all made, and laid out in a queue."""

    def __init__(self, rubrics: Rubrics, store: ToolRunStore, judgings: Judgings, wishes: Wishes) -> None:
        self._rubrics, self._store, self._judgings, self._wishes = rubrics, store, judgings, wishes

    async def __call__(self, running: ToolRunning) -> None:
        """Do it; what keeps it from being done stops the sitting with the reason."""
        try:
            view = await self._begun(running)
            if view is None:
                return
            await asyncio.to_thread(self._happened, running.run_id, "judging", view.judging_id)
            view = await self._ended(running, view)
            if view.state == "finished":
                await asyncio.to_thread(self._lay_out, running, view)
            elif not running.stopping:
                running.stop(f"The judge {view.judge} stopped: {view.reason}")
        except Refusal as refusal:
            running.stop(f"The answers are there, but they cannot be judged: {refusal}")

    async def _begun(self, running: ToolRunning) -> JudgingView | None:
        """The judging, as soon as nobody else keeps the judge busy; None when the sitting is to stop before."""
        settings, judge = running.settings, self._wishes.judge
        wish = NewJudging(
            **part_of(judge, Limits).model_dump(),
            set_id=settings.set_id,
            base_url=judge.base_url or settings.base_url,
            model=judge.model,
            models=(settings.name,),
            key=self._wishes.key,
        )
        pause = FIRST_PAUSE
        while not running.stopping:
            try:
                return await asyncio.to_thread(self._judgings.start, wish)
            except (Busy, Conflict):  # it judges other answers of the set, or is about to stop
                await asyncio.sleep(pause)
                pause = min(1.5 * pause, LONGEST_PAUSE)
        return None

    async def _ended(self, running: ToolRunning, view: JudgingView) -> JudgingView:
        pause, told = FIRST_PAUSE, False
        while view.state == "running":
            if running.stopping and not told:
                await asyncio.to_thread(self._judgings.stop, view.judging_id)
                told = True
            await asyncio.sleep(pause)
            pause = min(1.5 * pause, LONGEST_PAUSE)
            running.judging = view = await asyncio.to_thread(self._judgings.view, view.judging_id)
        return view

    def _lay_out(self, running: ToolRunning, view: JudgingView) -> None:
        """Make a queue of those of the answers that are in none yet, of this judge and this player alone."""
        player, set_id = running.settings.name, running.settings.set_id
        reviews, queues = self._rubrics.reviews, self._rubrics.queues
        there = [
            queue.id
            for queue in reviews.queues(set_id)
            if queue.judging_id == view.judging_id and queue.settings.get("models") == [player]
        ]
        laid_out = {entry.answer for queue_id in there for entry in reviews.standings(queue_id, NOBODY, 0.0)}
        new: dict[int, list[int]] = defaultdict(list)
        for answer, item in queues.pairs(set_id):
            if answer.model == player and answer.id not in laid_out:
                new[answer.id].append(item.id)
        if new:
            record = QueueRecord(
                id=f"queue-{secrets.token_hex(6)}",
                set_id=set_id,
                judging_id=view.judging_id,
                name=f"{player}, judged by {view.judge}"[:LONGEST_NAME].strip(),
                required=self._wishes.judge.required,
                hold=NewQueue.model_fields["hold"].default,
                settings={"strata": [], "even": False, "seed": SEED, "size": None, "models": [player]},
                created_at=now(),
            )
            order = random.Random(SEED).sample(sorted(new), len(new))  # noqa: S311  no secret
            entries = [(place, answer, item, 1.0) for place, answer in enumerate(order, 1) for item in new[answer]]
            reviews.add_queue(record, entries)
            there.append(record.id)
        if there:
            self._happened(running.run_id, "queue", there[-1])

    def _happened(self, run_id: str, name: str, wanted: str) -> None:
        """Record what came of the answers, once."""
        content = {f"{name}_id": wanted}
        if content not in [event.content for event in self._store.events(run_id) if event.name == name][-1:]:
            self._store.happened(run_id, ToolRunEvent(name, content, now()))
