"""A sitting of a tool run: attempts at tasks side by side, each round stored before the next one is asked for.

An attempt that was cut off goes on after its last stored round, with the messages that it would have had without the
break; the code of its earlier rounds is run again in a new sandbox first. What an attempt comes to is one answer, which
is stored when all of its turns are through.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import SecretStr

from easel_app.llm import EndpointError, EndpointRefused, Reply, Request
from easel_app.rubrics.families import sampling
from easel_app.rubrics.records import Answer, AnswerTurn, Conditions, Task, Tools
from easel_app.rubrics.rounds import Round
from easel_app.rubrics.sandbox.execution import Sandbox
from easel_app.rubrics.solving import Manner
from easel_app.rubrics.tool_prompts import PROMPTS, VERSIONS
from easel_app.rubrics.tools.network import Network
from easel_app.rubrics.tools.observation import Toolbox
from easel_app.rubrics.tools.toolbox import Toolset
from easel_app.runs.asking import Asking, Unsendable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.judging_settings import JudgingView
from easel_app.runs.sitting import connect
from easel_app.runs.tool_attempt import Album, attempt
from easel_app.runs.tool_jobs import Job
from easel_app.runs.tool_run_settings import ToolRunPlan, ToolRunSettings, Underway
from easel_app.runs.tool_workplace import Workplace, code_of
from easel_app.services.ledger import now
from easel_app.services.rubrics.rows import row_of_answer
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.store.tool_runs import KeptAnswer, RoundRow, ToolRunStore, Used

SPARE = ("temperature", "reasoning_effort", "thinking")
"""Parameters that are left out where an endpoint refuses them."""
OF_ONE = (400, 413, 422)
"""Refusals that speak of one dialogue, such as one that has become too long, which asking again would not change."""


class Kit(NamedTuple):
    """What the tools of a sitting work with."""

    sandbox: Sandbox
    network: Network


class Halted(Exception):
    """An attempt was cut off between two rounds, since the sitting was told to stop; all of its rounds are stored."""


Then = Callable[["ToolRunning"], Awaitable[None]]


class ToolRunning(Asking[Job, Answer]):
    """One sitting of a tool run."""

    work, item, brings = "run", "attempt", "whole answer"

    def __init__(
        self,
        rubrics: Rubrics,
        store: ToolRunStore,
        settings: ToolRunSettings,
        plan: ToolRunPlan,
        jobs: Sequence[Job],
        there: Mapping[Job, KeptAnswer],
        kit: Kit,
        key: SecretStr | None,
        then: Then | None = None,
        wait: float = 1.0,
    ) -> None:
        """Prepare to make those of the attempts whose answers are not `there` yet; `play` does it.

        Args:
            rubrics: whose set is answered.
            store: where rounds are kept.
            settings: what decides the answers.
            plan: of this sitting.
            jobs: the attempts of the plan, in the order in which to make them.
            there: those of them that are made.
            kit: what the tools work with.
            key: that the endpoint is asked with.
            then: what is done once all attempts of the plan are made.
            wait: what waits between tries of a call are multiplied by.

        Raises:
            ValueError: the plan has a money limit without prices.
        """
        self.settings, self.plan, self.run_id = settings, plan, settings.run_id
        self._rubrics, self._runs, self._kit, self._then = rubrics, store, kit, then
        prompts = {PROMPTS[settings.prompt]: VERSIONS[settings.prompt]}
        super().__init__([job for job in jobs if job not in there], len(jobs), plan.concurrency, prompts)
        self.used: Used = store.used(self.run_id)
        self.endings = Counter(filter(None, (ending for answer in there.values() for ending in answer.endings)))
        self.following = False
        """Whether all attempts are made, and what is done then is under way."""
        self.judging: JudgingView | None = None
        """The judge at work, as it was last looked at."""
        self._followed = then is None
        self._hopeless = 0
        self._active: dict[Job, Underway] = {}
        self._counting = threading.Lock()
        self._sampling = sampling(settings.model, settings.temperature, settings.effort)
        self._manner = Manner(
            prompt=settings.prompt,
            temperature=self._sampling.temperature,
            extra=self._sampling.extra,
            max_tokens=settings.max_tokens,
            most_rounds=settings.most_rounds,
            pictures=settings.pictures,
        )
        self.sandbox_off = "" if settings.tools is Tools.NONE else kit.sandbox.off
        self._runs_code = settings.tools is not Tools.NONE and not self.sandbox_off
        self._client = connect(settings.base_url, settings.model, key, plan, self.used, wait, spare=SPARE)

    @property
    def active(self) -> list[Underway]:
        """The attempts under way."""
        found = sorted(list(self._active.items()), key=lambda each: (each[0].attempt, each[0].task))  # noqa: C414
        return [underway for _, underway in found]

    @property
    def finished(self) -> bool:
        """Whether every attempt of the plan was made, and what is done then is through."""
        return super().finished and (self._followed or not self._through)

    @property
    def backends(self) -> dict[str, str]:
        """What answers each tool that is offered."""
        return dict(self._toolbox(self._workplace((), "")).backends)

    @property
    def _through(self) -> bool:
        """Whether no attempt is left that another sitting is likely to make."""
        return super().finished and self.done > 0 and self.done + self._hopeless == self.total

    async def _play(self) -> None:
        await super()._play()
        if self._then and self._through and not self.stopping:
            self.following = True
            try:
                await self._then(self)
            finally:
                self.following, self.judging = False, None
            self._followed = not self.stopping

    async def _try(self, job: Job) -> None:
        try:
            await super()._try(job)
        except Halted:
            return

    async def _find(self, job: Job, exchanges: Exchanges) -> Answer:
        try:
            return await self._make(job, exchanges)
        except Unsendable:
            self._hopeless += 1
            raise
        except EndpointError as refusal:
            exchanges.made.clear()  # which are stored, round by round
            self._hopeless += isinstance(refusal, EndpointRefused) and refusal.status in OF_ONE
            raise
        finally:
            self._active.pop(job, None)

    async def _make(self, job: Job, exchanges: Exchanges) -> Answer:
        assert self._client  # noqa: S101
        album = Album(self._rubrics.pictures, self.settings.longest)
        exchanges.pictures = album.seen
        task = await asyncio.to_thread(self._task, job)
        pictures = await asyncio.to_thread(album.open, task)
        done, left_out = await asyncio.to_thread(self._journal, job)
        code = code_of(each for turn in sorted(done) for each in done[turn])
        workplace = self._workplace(code, self._told(job))
        toolbox = self._toolbox(workplace)

        async def heard(turn: int, found: Round, request: Request, reply: Reply) -> None:
            await asyncio.to_thread(self._record, job, turn, found, request, reply, exchanges)
            left_out.update(reply.left_out)
            self._in_a_row = 0
            if self.stopping and (found.ending is None or turn < len(task.turns)):
                raise Halted

        def doing(turn: int, number: int, what: str) -> None:
            self._active[job] = Underway(
                task_id=job.task_id, attempt=job.attempt, turn=turn, turns=len(task.turns), round=number, doing=what
            )

        try:
            turns = await attempt(
                self._client,
                task,
                pictures,
                album,
                toolbox,
                workplace,
                self._manner,
                self.settings.history == "own",
                done,
                heard,
                doing,
            )
        finally:
            await toolbox.close()
        return self._answer(job, turns, toolbox, left_out)

    def _answer(self, job: Job, turns: tuple[AnswerTurn, ...], toolbox: Toolbox, left_out: set[str]) -> Answer:
        settings, asked = self.settings, self._sampling
        conditions = Conditions(
            model=settings.model,
            prompt=settings.prompt,
            prompt_version=VERSIONS[settings.prompt],
            tools=settings.tools,
            history=settings.history,
            temperature=None if "temperature" in left_out else asked.temperature,
            effort=None if left_out & asked.extra.keys() else asked.effort,
            sandbox=settings.variables if self._runs_code else None,
            backends=dict(toolbox.backends),
        )
        return Answer(
            task_id=job.task_id,
            model=settings.name,
            attempt=job.attempt,
            conditions=conditions,
            origin=self.run_id,
            turns=turns,
        )

    def _store(self, job: Job, found: Answer | str, exchanges: Exchanges) -> None:
        """Store an answer. What has none is left as it is, so that the next sitting goes on with it."""
        if isinstance(found, str):
            return
        if not self._rubrics.store.add_answers([row_of_answer(job.task, found)]):
            self.stop(f"Meanwhile another answer of {found.model!r} came into the set; take another player's name.")
            raise RuntimeError("the answer's place was taken")
        with self._counting:
            self.endings.update(turn.ended for turn in found.turns if turn.ended)

    def _record(self, job: Job, turn: int, found: Round, request: Request, reply: Reply, exchanges: Exchanges) -> None:
        """Store a round, with the exchange as far as it differs from the one before."""
        del exchanges.made[:-1]
        exchanges.hear(request, reply)
        told = json.loads(exchanges.dump() or "[]")[-1]
        row = RoundRow(
            run=self.run_id,
            task=job.task,
            attempt=job.attempt,
            turn=turn,
            round=found.number,
            record=found.model_dump_json(),
            exchange=json.dumps(told, ensure_ascii=False),
            prompt_tokens=reply.usage.prompt_tokens,
            completion_tokens=reply.usage.completion_tokens,
            cost=reply.usage.cost,
            latency=reply.latency,
            at=now(),
        )
        self._runs.add_round(row)
        with self._counting:
            self.used = self.used.plus(row, [call.name for call in found.calls])

    def _journal(self, job: Job) -> tuple[dict[int, list[Round]], set[str]]:
        """The rounds of an attempt that are on record by turn, and what their endpoint did not take."""
        found, left_out = defaultdict[int, list[Round]](list), set[str]()
        for row in self._runs.journal(self.run_id, job.task, job.attempt):
            found[row.turn].append(Round.model_validate_json(row.record))
            left_out.update(row.left_out)
        return found, left_out

    def _task(self, job: Job) -> Task:
        row = self._rubrics.store.task_of(job.task)
        assert row is not None  # noqa: S101  nothing is ever deleted
        return Task.model_validate(row.record)

    def _workplace(self, code: Iterable[str], told: str) -> Workplace | None:
        if not self._runs_code:
            return None
        return Workplace(self._kit.sandbox, self.settings.variables == "kept", code, told)

    def _toolbox(self, workplace: Workplace | None) -> Toolset:
        settings = self.settings
        return Toolset(settings.tools, workplace, self.sandbox_off, self._kit.network, settings.variables)

    def _told(self, job: Job) -> str:
        return f"{self.run_id}, task {job.task_id}, attempt {job.attempt}"
