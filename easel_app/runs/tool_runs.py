"""Tool runs as a caller sees them: let a model answer the tasks of a rubric set with tools, go on, look, stop."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import SecretStr

from easel_app.rubrics.records import Tools
from easel_app.runs.judging import Judgings
from easel_app.runs.planning_settings import Unanswered
from easel_app.runs.sitting import Sittings, seconds, unrecorded
from easel_app.runs.tool_equipment import Equipment, ToolOptions
from easel_app.runs.tool_jobs import Job, jobs
from easel_app.runs.tool_judging import Judgement, Wishes
from easel_app.runs.tool_run_settings import NewToolRun, ToolRunPlan, ToolRunSettings, ToolRunView
from easel_app.runs.tool_running import Kit, ToolRunning
from easel_app.services.endpoints import Endpoints
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.store.tool_runs import KeptAnswer, ToolRunEvent, ToolRunRecord, ToolRunStore, Used

MOST_RUNS = 8
"""Tool runs under way at a time."""
MOST_REASONS = 8
"""Reasons for no answer that are told."""
STOPPED = "Stopped on demand; start it again to go on."


class _Standing(NamedTuple):
    """How far a run is."""

    total: int
    done: int
    endings: Counter[str]
    used: Used


class ToolRuns:
    """All tool runs of a studio."""

    def __init__(
        self,
        studio: Studio,
        judgings: Judgings,
        equipment: Equipment,
        endpoints: Endpoints | None = None,
        *,
        wait: float = 1.0,
    ) -> None:
        """Serve the tool runs of a studio.

        Args:
            studio: whose rubric sets are answered.
            judgings: those of the studio, for what runs bring.
            equipment: the tools of this machine.
            endpoints: which endpoints may be asked; None: all, with no key but the caller's.
            wait: what every wait between tries of a call is multiplied by.
        """
        self._rubrics, self._store = studio.rubrics, ToolRunStore.beside(studio.rubrics.store)
        self._judgings, self._equipment = judgings, equipment
        self._endpoints, self._wait = endpoints or Endpoints(), wait
        self._sittings: Sittings[ToolRunning] = Sittings("run", MOST_RUNS)
        self._made: dict[str, tuple[list[KeptAnswer], Used]] = {}
        """What runs have come to that this process has only looked at."""

    def options(self) -> ToolOptions:
        """What a tool run could use here."""
        return ToolOptions(
            **self._equipment.here().model_dump(),
            allowed=not self._endpoints.forbidden,
            reason=self._endpoints.forbidden,
            key_for=self._endpoints.key_for,
        )

    def start(self, wish: NewToolRun) -> ToolRunView:
        """Begin a tool run, or go on with the one of equal settings; one that is under way just goes on.

        Attempts whose answers are there are not made again; those that were cut off go on where they stood.

        Raises:
            Forbidden: models may not be asked here.
            NotFound: there is no such set.
            Invalid: no such task or cassette, no service, or a key that no request can carry.
            Conflict: the player's name is taken by answers that were made otherwise, the tools are not those that the
                run began with; or it is under way by another plan, or about to stop.
            Busy: too many are under way.
        """
        return self._start(wish.settings, wish.plan, wish.key, wish.judge_key)

    def resume(self, wanted: str, key: SecretStr | None = None, judge_key: SecretStr | None = None) -> ToolRunView:
        """Go on with a tool run by the plan of its last sitting.

        Raises:
            NotFound: there is no such run.
            Invalid: it was begun by another version; and as `start` does.
        """
        record = self._find(wanted)
        settings = ToolRunSettings.of(record.settings)
        if settings.run_id != record.id:
            message = "The run was begun by another version of the prompts, and versions never mix; begin a new one."
            raise Invalid("other_version", message)
        return self._start(settings, self._last_plan(record.id), key, judge_key)

    def _start(
        self, settings: ToolRunSettings, plan: ToolRunPlan, key: SecretStr | None, judge_key: SecretStr | None
    ) -> ToolRunView:
        permitted = self._endpoints.permit(settings.base_url, settings.model, key, "run")
        wishes = self._wishes(settings, plan, key, judge_key)
        self._rubrics.library.set(settings.set_id)
        attempts = jobs(self._rubrics.store, settings.set_id, plan)
        kit = Kit(self._equipment.sandbox, self._equipment.network(settings, plan))
        if settings.tools is not Tools.NONE:
            _ = kit.sandbox.off  # whose self-test takes its time, which nobody else shall wait for
        wanted = settings.run_id

        def join(running: ToolRunning) -> None:
            if running.plan != plan:
                message = "This run is under way with other tasks or limits; wait for it or stop it."
                raise Conflict("under_way", message)

        def begin() -> ToolRunning:
            self._alone(settings)
            there = self._there(settings, attempts)
            then = Judgement(self._rubrics, self._store, self._judgings, wishes) if wishes else None
            running = ToolRunning(
                self._rubrics, self._store, settings, plan, attempts, there, kit, permitted, then, self._wait
            )
            content = {"plan": plan.model_dump(mode="json"), "backends": self._tools(running)}
            self._store.begin(ToolRunRecord(wanted, settings.set_id, settings.name, settings.identity, now()))
            self._store.happened(wanted, ToolRunEvent("begun", content, now()))
            self._made.pop(wanted, None)
            return running

        self._sittings.start(wanted, join, begin, self._end)
        return self.view(wanted)

    def _end(self, running: ToolRunning) -> None:
        content = {
            "state": "finished" if running.finished else "stopped",
            "reason": "" if running.finished else running.reason,
            "left_out": sorted(running.left_out),
            "sandbox_off": running.sandbox_off,
        }
        self._store.happened(running.run_id, ToolRunEvent("ended", content, now()))

    def stop(self, wanted: str) -> ToolRunView:
        """Ask a tool run to stop, and its judge: calls under way come to their end and are recorded.

        Raises:
            NotFound: there is no such run.
        """
        if running := self._sittings.of(wanted):
            running.stop(STOPPED)
        return self.view(wanted)

    def close(self) -> None:
        """Stop all tool runs and wait a little for their calls under way."""
        self._sittings.close()

    def every(self, set_id: str | None = None) -> list[ToolRunView]:
        """The tool runs of a set, or all of them, newest first.

        Raises:
            NotFound: there is no such set.
        """
        if set_id is not None:
            self._rubrics.library.set(set_id)
        return [self.view(record.id) for record in self._store.runs(set_id)]

    def view(self, wanted: str) -> ToolRunView:
        """A tool run as it is now.

        Raises:
            NotFound: there is no such run.
        """
        record = self._find(wanted)
        running = self._sittings.of(wanted)
        last = running or self._sittings.last(wanted)
        events = self._store.events(wanted)
        ended = dict(events[-1].content) if events and events[-1].name == "ended" and not running else {}
        standing = _standing(last) if last else self._stored(record)
        under_way: Any = "judging" if running and running.following else "running"
        sittings = [event for event in events if event.name in ("begun", "ended")]
        reasons = last.unscored.most_common(MOST_REASONS) if last else []
        judging = running.judging if running else None
        return ToolRunView(
            run_id=wanted,
            set_id=record.set_id,
            player=record.player,
            settings=dict(record.settings),
            plan=self._last_plan(wanted).model_dump(mode="json"),
            created_at=record.created_at,
            state=under_way if running else ended.get("state") or unrecorded(last),
            reason=ended.get("reason", last.reason if last else ""),
            total=standing.total,
            done=standing.done,
            endings=dict(standing.endings),
            unanswered=[Unanswered(reason=reason, queries=count) for reason, count in reasons],
            under_way=running.active if running else [],
            rounds=standing.used.calls,
            tool_calls=sum(standing.used.by_tool.values()),
            by_tool=dict(sorted(standing.used.by_tool.items())),
            calls=standing.used.calls,
            prompt_tokens=standing.used.prompt_tokens,
            completion_tokens=standing.used.completion_tokens,
            cost=standing.used.cost,
            elapsed=seconds(sittings) + (time.monotonic() - running.begun if running else 0.0),
            eta=judging.eta if judging else running.eta if running and not running.following else None,
            trouble=judging.trouble if judging else running.trouble if running else "",
            left_out=sorted(running.left_out) if running else ended.get("left_out", []),
            sandbox_off=last.sandbox_off if last else ended.get("sandbox_off", ""),
            judged=judging.done if judging else 0,
            to_judge=judging.total if judging else 0,
            judging_id=_last(events, "judging"),
            queue_id=_last(events, "queue"),
        )

    def _stored(self, record: ToolRunRecord) -> _Standing:
        """How far a run is that no sitting of this process has played; nothing adds to it until one does."""
        if record.id not in self._made:
            kept = self._store.answers(record.set_id, record.player)
            own = [each for each in kept if each.origin == record.id]
            self._made[record.id] = own, self._store.used(record.id)
        own, used = self._made[record.id]
        wanted = jobs(self._rubrics.store, record.set_id, self._last_plan(record.id))
        places = {(job.task, job.attempt) for job in wanted}
        there = [each for each in own if (each.task, each.attempt) in places]
        endings = Counter(ending for each in there for ending in each.endings if ending)
        return _Standing(len(wanted), len(there), endings, used)

    def _alone(self, settings: ToolRunSettings) -> None:
        """Let no two runs write in one name side by side.

        Raises:
            Conflict: another one does.
        """
        for other in self._sittings.under_way():
            if (other.settings.set_id, other.settings.name) == (settings.set_id, settings.name):
                message = (
                    f"Another run is answering in the name {settings.name!r}, and answers of two kinds under one name "
                    "could not be told apart; give another player's name, or wait for it."
                )
                raise Conflict("player_taken", message, "player")

    def _there(self, settings: ToolRunSettings, attempts: Iterable[Job]) -> dict[Job, KeptAnswer]:
        """Those of the attempts whose answers are there.

        Raises:
            Conflict: an answer in the player's name was made otherwise.
        """
        kept = {(each.task, each.attempt): each for each in self._store.answers(settings.set_id, settings.name)}
        if any(each.origin != settings.run_id for each in kept.values()):
            message = (
                f"There are answers of {settings.name!r} in the set that were made by other settings or elsewhere; "
                "answers of two kinds under one name could not be told apart, so give another player's name."
            )
            raise Conflict("player_taken", message, "player")
        return {job: kept[job.task, job.attempt] for job in attempts if (job.task, job.attempt) in kept}

    def _tools(self, running: ToolRunning) -> dict[str, str]:
        """What answers the tools of a run, by what its rounds on record were made with.

        Raises:
            Conflict: there are attempts left, and a tool is off that was on, or the other way round.
        """
        begun = [event.content for event in self._store.events(running.run_id) if event.name == "begun"]
        here = running.backends
        before: dict[str, str] = begun[-1]["backends"] if begun and running.used.calls else here
        other = [f"{name} was {before.get(name)}, now {now}" for name, now in here.items() if before.get(name) != now]
        if other and running.done < running.total:
            why = f", since {running.sandbox_off}" if running.sandbox_off else ""
            message = (
                f"The run was begun with other tools ({'; '.join(other)}){why}; answers of two kinds under one name "
                "could not be told apart, so bring these tools back or give another player's name."
            )
            raise Conflict("other_tools", message, "player")
        return before

    def _wishes(
        self, settings: ToolRunSettings, plan: ToolRunPlan, key: SecretStr | None, judge_key: SecretStr | None
    ) -> Wishes | None:
        """Who judges; looked at before anything begins, so that no run finds at its end that nobody may."""
        if plan.judge is None:
            return None
        address = plan.judge.base_url or settings.base_url
        own = judge_key or (key if address == settings.base_url else None)
        self._endpoints.permit(address, plan.judge.model, own, "judge")
        return Wishes(plan.judge, own)

    def _last_plan(self, wanted: str) -> ToolRunPlan:
        begun = [event.content for event in self._store.events(wanted) if event.name == "begun"]
        return ToolRunPlan.model_validate(begun[-1]["plan"] if begun else {})

    def _find(self, wanted: str) -> ToolRunRecord:
        record = self._store.run(wanted)
        if record is None:
            message = "There is no tool run of that id; GET /api/rubrics/tool-runs lists them."
            raise NotFound("no_such_tool_run", message, "run_id")
        return record


def _standing(running: ToolRunning) -> _Standing:
    return _Standing(running.total, running.done, running.endings, running.used)


def _last(events: Iterable[ToolRunEvent], name: str) -> str | None:
    """What the last event of that name came to."""
    found = [event.content[f"{name}_id"] for event in events if event.name == name]
    return str(found[-1]) if found else None
