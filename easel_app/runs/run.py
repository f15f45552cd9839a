"""A run under way: its sessions side by side, the endpoint's limits, and how far it is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pydantic import SecretStr

from easel_app.llm import BudgetSpent, EndpointError, EndpointRefused
from easel_app.painting.painters import painter
from easel_app.painting.rollout import Status
from easel_app.painting.scores import headline, restored
from easel_app.painting.tasks import Task
from easel_app.runs.attempt import Attempt, Place, Progress
from easel_app.runs.policies import ModelPolicy, PainterPolicy, Policy, Tooling
from easel_app.runs.settings import MODEL, RunPlan, RunSettings
from easel_app.runs.sitting import Sitting, connect
from easel_app.runs.views import Failure
from easel_app.services.problems import Refusal
from easel_app.services.sessions import place_id
from easel_app.services.studio import Studio
from easel_app.services.views import NewFork, NewSession, Player, Sharing
from easel_app.store.database import StoreFull
from easel_app.store.records import RunPlace, Summary

MOST_IN_A_ROW = 3
"""Attempts given up one after another, without a step in between, after which the endpoint counts as gone."""
FOR_ALL = (401, 402, 403, 404)
"""Refusals that speak of the key, the account or the model, not of one request."""
log = logging.getLogger(__name__)


class Standing(NamedTuple):
    """How far one session of the plan is."""

    progress: Progress
    ended: bool


def places_of(tasks: Sequence[Task], plan: RunPlan) -> list[tuple[Task, Place]]:
    """The attempts of a plan in their order: every task once, then every task again."""
    return [(task, Place(task.id, repeat)) for repeat in range(1, plan.repeats + 1) for task in tasks]


def standings(
    studio: Studio, run_id: str, settings: RunSettings, planned: Iterable[tuple[Task, Place]]
) -> dict[Place, Standing]:
    """How far the sessions of a run are by the store: those that are planned, and those that are on record besides."""
    kept = {found.session.id: found for found in studio.sessions.of_run(run_id)}
    earlier = [(studio.tasks.get(task_id), Place(task_id, repeat)) for task_id, repeat in studio.runs.sessions(run_id)]
    return {
        place: _standing(place, task, kept.get(place_id(RunPlace(run_id, place.repeat), task.id)), run_id, settings)
        for task, place in [*planned, *earlier]
    }


def _standing(place: Place, task: Task, kept: Summary | None, run_id: str, settings: RunSettings) -> Standing:
    session_id = place_id(RunPlace(run_id, place.repeat), task.id)
    if kept is None or kept.last is None:
        blank = task.anchors.blank if task.anchors else 0.0
        return Standing(Progress(place, session_id, settings.first_step, task.budget, blank), False)
    last = kept.last
    ended = last.status != Status.OPEN or (not settings.rules(task.kind).budget and last.step >= task.budget)
    return Standing(Progress(place, session_id, last.step, task.budget, headline(restored(last.scores))), ended)


class Run(Sitting):
    """One sitting of a run."""

    def __init__(
        self,
        studio: Studio,
        run_id: str,
        settings: RunSettings,
        plan: RunPlan,
        tasks: Sequence[Task],
        key: SecretStr | None,
        wait: float = 1.0,
    ) -> None:
        """Prepare to play `tasks` by a plan; `play` does it. Waits between tries of a call are multiplied by `wait`.

        Raises:
            ValueError: the plan has a money limit without prices.
        """
        super().__init__()
        self.run_id, self.settings, self.plan = run_id, settings, plan
        self._studio = studio
        self.places = places_of(tasks, plan)
        self.standings = standings(studio, run_id, settings, self.places)
        self.failures: list[Failure] = []
        self.active: set[Place] = set()
        self.begun_steps = self.steps
        self._in_a_row = 0
        if settings.player == MODEL:
            address, model = settings.base_url or "", settings.model or ""
            self._client = connect(address, model, key, plan, studio.runs.spent(run_id), wait)
        known = studio.runs.fact(run_id, "by_tools")
        self._tooling = Tooling(settings.calling, known, lambda found: studio.runs.settle(run_id, "by_tools", found))

    @property
    def steps(self) -> int:
        """Steps used by all sessions."""
        return sum(standing.progress.step for standing in list(self.standings.values()))

    @property
    def finished(self) -> bool:
        """Whether every session of the plan has ended."""
        return all(self.standings[place].ended for _, place in self.places)

    @property
    def left(self) -> int:
        """Steps that the plan still has to make."""
        progress = [self.standings[place].progress for _, place in self.places if not self.standings[place].ended]
        return sum(entry.budget - entry.step for entry in progress)

    async def _play(self) -> None:
        """Play until every session has ended, the run is stopped, or the endpoint or a limit stops it."""
        left = iter([(task, place) for task, place in self.places if not self.standings[place].ended])
        async with asyncio.TaskGroup() as group:
            for _ in range(self.plan.concurrency):
                group.create_task(self._work(left))

    async def _work(self, left: Iterator[tuple[Task, Place]]) -> None:
        for task, place in left:
            if self._stop.is_set():
                return
            self.active.add(place)
            try:
                await self._attempt(task, place)
            except BudgetSpent as error:
                self.stop(str(error))
            except EndpointError as error:
                if self._stop.is_set():
                    return
                self._give_up(place, str(error))
                self._in_a_row += 1
                refused = isinstance(error, EndpointRefused) and error.status in FOR_ALL
                if refused or self._in_a_row >= MOST_IN_A_ROW:
                    self.stop(str(error))
            except StoreFull as full:
                self.stop(str(full))
            except Refusal as error:
                self._give_up(place, error.message)
            except Exception:
                log.exception("run %s: %s failed", self.run_id, place)
                self._in_a_row += 1
                if self._in_a_row >= MOST_IN_A_ROW:
                    self.stop("This server failed on several sessions and has logged why; nothing recorded is lost.")
                self._give_up(place, "This server failed on it and has logged why; start the run again to go on.")
            finally:
                self.active.discard(place)

    def _give_up(self, place: Place, message: str) -> None:
        self.failures.append(Failure(task_id=place.task_id, repeat=place.repeat, message=message))

    async def _attempt(self, task: Task, place: Place) -> None:
        session_id = self.standings[place].progress.session_id
        await asyncio.to_thread(self._begin, task, place, session_id)
        attempt = Attempt(place, session_id, self._policy(task, place, session_id), self._studio.sessions, self._hear)
        ended = await attempt.play(self._stop.is_set)
        self.standings[place] = Standing(self.standings[place].progress, ended)

    def _hear(self, progress: Progress) -> None:
        self._in_a_row = 0 if progress.step > self.standings[progress.place].progress.step else self._in_a_row
        self.standings[progress.place] = Standing(progress, False)

    def _begin(self, task: Task, place: Place, session_id: str) -> None:
        if self._studio.sessions.known(session_id):
            return
        settings = self.settings
        kind, name = ("agent", settings.model) if settings.player == MODEL else ("painter", settings.player)
        player = Player.model_validate({"kind": kind, "name": name, "model": settings.model})
        sessions, at = self._studio.sessions, RunPlace(self.run_id, place.repeat)
        protocol = settings.rules(task.kind).name
        if settings.take_over is None:
            wish = NewSession(task_id=task.id, protocol=protocol, player=player, shared=settings.shared)
            sessions.begin(wish, at)
            return
        fork = NewFork(step=settings.take_over.step, player=player, protocol=protocol)
        begun = sessions.fork(settings.take_over.session_id, fork, at)
        if settings.shared:
            sessions.share(session_id, begun.write_token, Sharing(shared=True))

    def _policy(self, task: Task, place: Place, session_id: str) -> Policy:
        sessions, settings = self._studio.sessions, self.settings
        if self._client:
            rules = settings.rules(task.kind)
            return ModelPolicy(self._client, self._tooling, settings, sessions, session_id, task, rules)
        seed = settings.seed + place.repeat - 1
        hired = painter(settings.player, task.reference, task.budget, seed, task.truth)
        return PainterPolicy(hired, sessions, session_id)
