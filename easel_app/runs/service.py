"""Runs as a caller sees them: begin or go on, look, stop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import SecretStr

from easel_app.painting.families.registry import family_of, generated
from easel_app.painting.painters import able
from easel_app.painting.tasks import OWN, Task
from easel_app.runs.attempt import Place
from easel_app.runs.run import Run, Standing, places_of, standings
from easel_app.runs.settings import MODEL, NewRun, RunPlan, RunSettings, run_id
from easel_app.runs.sitting import Sittings, seconds, unrecorded
from easel_app.runs.summary import Scored, score, semantic_table, table
from easel_app.runs.views import ActiveAttempt, Attempts, RunView, Steps
from easel_app.services.endpoints import Endpoints
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import Player
from easel_app.store.runs import RunEvent, RunRecord

MOST_RUNS = 4
"""Runs under way at a time."""
STOPPED = "Stopped on demand; start it again to go on."


class Runs:
    """All runs of a studio."""

    def __init__(self, studio: Studio, endpoints: Endpoints | None = None, *, wait: float = 1.0) -> None:
        """Serve the runs of a studio.

        Args:
            studio: whose sessions they play.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        self._studio, self._endpoints, self._wait = studio, endpoints or Endpoints(), wait
        self._sittings: Sittings[Run] = Sittings("run", MOST_RUNS)
        self._scored: dict[str, Scored] = {}
        self._finished: dict[str, RunView] = {}

    def start(self, wish: NewRun) -> RunView:
        """Begin a run, or go on with the one of equal settings; one that is under way just goes on.

        Raises:
            Forbidden: runs are off here.
            Busy: too many are under way.
            Conflict: it is under way by another plan, or the session that it takes over cannot be gone on with.
            Invalid: no such task or category, or a key that no request can carry.
            NotFound: no such session to take over, or it has not come to that step.
        """
        settings, plan = self._settled(wish)
        identity = settings.identity(self._studio.tasks.task_sets)
        return self._start(run_id(identity), identity, settings, plan, wish.key)

    def _settled(self, wish: NewRun) -> tuple[RunSettings, RunPlan]:
        """Settings and plan; where a session is taken over, with its rules and its task."""
        settings, plan, wanted = wish.settings, wish.plan, wish.take_over
        if wanted is None:
            return settings, plan
        task, protocol = self._studio.sessions.forkable(wanted.session_id, wanted.step, settings.protocol)
        if task.category == OWN:
            message = "No run shows a picture that a person brought; go on from that session by MCP or in the page."
            raise Conflict("own_picture", message, "take_over.session_id")
        if wanted.step >= task.budget:  # of practice, which has no end of its own
            message = f"A run plays the task's {task.budget} steps, and all are used there; go on from an earlier step."
            raise Conflict("no_steps_left", message, "take_over.step")
        return settings.model_copy(update={"protocol": protocol}), plan.model_copy(update={"tasks": (task.id,)})

    def resume(self, wanted: str, key: SecretStr | None = None) -> RunView:
        """Go on with a run by the plan of its last sitting.

        Raises:
            NotFound: there is no such run.
            Invalid: it was begun by another version; and as `start` does.
        """
        record = self._find(wanted)
        settings, plan = self._kept(record)
        identity = settings.identity(self._studio.tasks.task_sets)
        if run_id(identity) != record.id:
            message = "The run was begun by another version of the studio, and versions never mix; begin a new run."
            raise Invalid("other_version", message)
        return self._start(record.id, identity, settings, plan, key)

    def _start(
        self, wanted: str, identity: dict[str, Any], settings: RunSettings, plan: RunPlan, key: SecretStr | None
    ) -> RunView:
        chosen = self._endpoints.permit(settings.base_url, settings.model, key)
        tasks = self._chosen(plan, settings.player)

        def join(run: Run) -> None:
            if run.plan != plan:
                message = "This run is under way with other tasks or limits; wait, stop it, or name this one."
                raise Conflict("under_way", message)

        def begin() -> Run:
            run = Run(self._studio, wanted, settings, plan, tasks, chosen, self._wait)
            self._studio.runs.begin(RunRecord(wanted, identity, now()))
            self._finished.pop(wanted, None)
            self._studio.runs.happened(wanted, RunEvent("begun", plan.model_dump(mode="json"), now()))
            return run

        self._sittings.start(wanted, join, begin, self._end)
        return self.view(wanted)

    def _end(self, run: Run) -> None:
        state = "finished" if run.finished else "stopped"
        if state == "stopped" and not run.reason:
            run.stop(f"Sessions that were given up: {len(run.failures)}; start the run again to go on with them.")
        self._studio.runs.happened(run.run_id, RunEvent("ended", {"state": state, "reason": run.reason}, now()))

    def stop(self, wanted: str) -> RunView:
        """Ask a run to stop: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such run.
        """
        if run := self._sittings.of(wanted):
            run.stop(STOPPED)
        return self.view(wanted)

    def close(self) -> None:
        """Stop all runs and wait a little for their calls under way."""
        self._sittings.close()

    def every(self) -> list[RunView]:
        """All runs, newest first."""
        return [self.view(record.id) for record in self._studio.runs.runs()]

    def view(self, wanted: str) -> RunView:
        """A run as it is now.

        Raises:
            NotFound: there is no such run.
        """
        if wanted in self._finished:  # nothing can change any more
            return self._finished[wanted]
        view = self._view(wanted)
        with self._sittings.lock:
            if view.state == "finished" and not self._sittings.of(wanted):
                self._finished[wanted] = view
        return view

    def _view(self, wanted: str) -> RunView:
        record = self._find(wanted)
        under_way = self._sittings.of(wanted)
        run = under_way or self._sittings.last(wanted)
        settings, plan = (run.settings, run.plan) if run else self._kept(record)
        found = run.standings if run else self._standings(record.id, settings, plan)
        events = self._studio.runs.events(wanted)
        ended = events[-1] if events and events[-1].name == "ended" and not under_way else None
        progress = [standing.progress for standing in list(found.values())]
        started = [entry for entry in progress if entry.step > settings.first_step]
        # scores of different metrics have no mean: reconstructions, or semantic tasks where there are no others
        alike = [e.score for e in started if not self._semantic(e.place)] or [e.score for e in started]
        spent = self._studio.runs.spent(wanted)
        sitting = time.monotonic() - run.begun if under_way and run else 0.0
        total, done = sum(entry.budget for entry in progress), sum(entry.step for entry in progress)
        made = done - run.begun_steps if run else 0
        active = set(run.active) if under_way and run else set()
        scored = self._scores(found)
        return RunView(
            run_id=wanted,
            name=settings.name,
            player=_player(settings),
            settings=dict(record.settings),
            plan=plan.model_dump(mode="json"),
            created_at=record.created_at,
            state="running" if under_way else ended.content["state"] if ended else unrecorded(run),
            reason=ended.content["reason"] if ended else run.reason if run else "",
            attempts=Attempts(
                total=len(found),
                done=sum(standing.ended for standing in list(found.values())),
                failed=len(run.failures) if run else 0,
                active=len(active),
            ),
            steps=Steps(total=total, done=done),
            score=sum(alike) / len(alike) if alike else None,
            invalid=self._studio.runs.invalid(wanted),
            calls=spent.calls,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
            cost=spent.cost,
            elapsed=seconds(events) + sitting,
            eta=sitting / made * run.left if under_way and run and made else None,
            trouble=run.trouble if under_way and run else "",
            active=[
                ActiveAttempt(task_id=entry.place.task_id, repeat=entry.place.repeat, **entry._asdict())
                for entry in progress
                if entry.place in active
            ],
            failures=list(run.failures) if run else [],
            summary=table(scored),
            semantic=semantic_table(scored),
        )

    def _semantic(self, place: Place) -> bool:
        return bool(family_of(place.task_id)) or self._studio.tasks.get(place.task_id).kind.semantic

    def _scores(self, found: dict[Place, Standing]) -> list[Scored]:
        """Scores of the sessions that have ended; an ended session never changes, so each is read once."""
        ended = [standing.progress for standing in list(found.values()) if standing.ended]
        for entry in ended:
            if entry.session_id not in self._scored:
                task = self._studio.tasks.get(entry.place.task_id)
                begun, actions = self._studio.sessions.records(entry.session_id)
                self._scored[entry.session_id] = score(task, begun, actions)
        return [self._scored[entry.session_id] for entry in ended]

    def _standings(self, wanted: str, settings: RunSettings, plan: RunPlan) -> dict[Place, Standing]:
        return standings(self._studio, wanted, settings, places_of(self._chosen(plan, settings.player), plan))

    def _kept(self, record: RunRecord) -> tuple[RunSettings, RunPlan]:
        """Settings and last plan of a run as they are stored."""
        settings = {name: value for name, value in record.settings.items() if name != "versions"}
        plans = [event.content for event in self._studio.runs.events(record.id) if event.name == "begun"]
        return RunSettings.model_validate(settings), RunPlan.model_validate(plans[-1] if plans else {})

    def _find(self, wanted: str) -> RunRecord:
        record = self._studio.runs.run(wanted)
        if record is None:
            raise NotFound("no_such_run", "There is no run of that id; GET /api/runs lists them.", "run_id")
        return record

    def _chosen(self, plan: RunPlan, player: str) -> Sequence[Task]:
        """The tasks of a plan that its player can paint: the listed ones in their order, then generated ones."""
        tasks = [*self._studio.tasks.list(), *(made for made in map(generated, plan.tasks or ()) if made)]
        known, categories = {task.id for task in tasks}, {task.category for task in tasks}
        for wanted in plan.tasks or ():
            if wanted not in known:
                alike = get_close_matches(wanted, sorted(known), 1)
                made = "generated ones are named by family, size and seed, such as maze-512-101."
                advice = f"did you mean {alike[0]}?" if alike else f"GET /api/tasks lists them, and {made}"
                raise Invalid("no_such_task", f"There is no task {wanted!r}; {advice}", "tasks")
        for wanted in plan.categories or ():
            if wanted not in categories:
                there = ", ".join(sorted(categories))
                raise Invalid("no_such_category", f"There is no category {wanted!r}; there are {there}.", "categories")
        chosen = [
            task
            for task in tasks
            if (plan.tasks is None or task.id in plan.tasks)
            and (plan.categories is None or task.category in plan.categories)
            and (player == MODEL or player in able(task.truth))
        ]
        if not chosen:
            kinds = [task for task in tasks if plan.tasks is None or task.id in plan.tasks]
            others = dict.fromkeys(name for task in kinds for name in able(task.truth)) if plan.tasks else {}
            who = f"; {' or '.join(others)} can paint them" if others else "; name other tasks or categories"
            message = f"No task that {player} can paint is in the choice{who}."
            raise Invalid("no_tasks", message, "tasks")
        return chosen


def _player(settings: RunSettings) -> Player:
    if settings.player == MODEL:
        return Player.model_construct(kind="agent", name=settings.model or "", model=settings.model)
    return Player.model_construct(kind="painter", name=settings.player, model=None)
