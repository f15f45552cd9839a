"""A trial under way: models answer side by side, then a judge grades what they said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, Protocol

from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.runs.sitting import Sitting
from easel_app.runs.tool_run_settings import NewToolRun, ToolRunView
from easel_app.services.problems import Busy, Refusal
from easel_app.services.rubrics.authoring_views import State, Trial
from easel_app.services.rubrics.draft_trials import Progress
from easel_app.store.database import StoreFull

AT_WORK = ("running", "judging")
LATER = ("under_way", "stopping")
"""Refusals that are none in a while: the judge is at another trial's answers, or a run is about to stop."""
STOPPED = "The trial was stopped; start it again, and it goes on."
VOID = "The task was changed meanwhile, so what models make of this version no longer counts."


class Work(NamedTuple):
    """What a trial consists of."""

    runs: Mapping[str, NewToolRun]
    """What each model is to do, by its name."""
    judging: NewJudging
    """What the judge is to do, but for whose answers."""
    look: Callable[[], Trial]
    """What came of it by now."""
    current: Callable[[], bool]
    """Whether its version is still the last one."""


class ToolRuns(Protocol):
    """Whoever has models answer with tools."""

    def start(self, wish: NewToolRun) -> ToolRunView:
        """Begin a tool run, or go on with the one of equal settings."""

    def view(self, wanted: str) -> ToolRunView:
        """A tool run as it is now."""

    def stop(self, wanted: str) -> ToolRunView:
        """Ask a tool run to stop."""


class Judges(Protocol):
    """Whoever has answers judged."""

    def start(self, wish: NewJudging) -> JudgingView:
        """Begin a judging, or go on with the one of equal settings."""

    def view(self, wanted: str) -> JudgingView:
        """A judging as it is now."""

    def stop(self, wanted: str) -> JudgingView:
        """Ask a judging to stop."""


class TrialSitting(Sitting):
    """A trial under way: runs side by side, then the judge."""

    def __init__(self, work: Work, tool_runs: ToolRuns, judges: Judges, pause: float) -> None:
        """Prepare a trial; `play` does it, looking at runs and judge every `pause` seconds."""
        super().__init__()
        self.progress = dict.fromkeys(work.runs, Progress("waiting", ""))
        self._work, self._tool_runs, self._judges, self._pause = work, tool_runs, judges, pause

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.stopping or all(told.state in ("done", "failed") for told in self.progress.values())

    async def _play(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for name in self._left("answer"):
                    group.create_task(self._answer(name))
            await self._judge([name for name in self._left("score") if self.progress[name].state != "failed"])
        finally:
            for name, told in self.progress.items():
                if told.state in ("waiting", *AT_WORK):
                    self._tell([name], "failed", self.reason or STOPPED)

    def _left(self, what: Literal["answer", "score"]) -> list[str]:
        """Names of models of which something is not known yet."""
        return [model.model for model in self._work.look().models if getattr(model, what) is None]

    async def _answer(self, name: str) -> None:
        """Have a model answer, and wait until it has."""
        run_id = await self._begun(lambda: self._tool_runs.start(self._work.runs[name]).run_id, [name])
        if run_id is None:
            return
        self._tell([name], "running")
        while (view := self._tool_runs.view(run_id)).state in AT_WORK:
            if not self._wanted():
                self._tool_runs.stop(run_id)
                return
            await asyncio.sleep(self._pause)
        if view.done:
            self._tell([name], "waiting")
        else:
            why = next((each.reason for each in view.unanswered), "") or view.reason or STOPPED
            self._tell([name], "failed", why)

    async def _judge(self, names: list[str]) -> None:
        """Have the answers of models judged, and wait until they are."""
        if not names:
            return
        players = tuple(self._work.runs[name].settings.name for name in names)
        wish = self._work.judging.model_copy(update={"models": players})
        judging_id = await self._begun(lambda: self._judges.start(wish).judging_id, names)
        if judging_id is None:
            return
        self._tell(names, "judging")
        while _at(view := self._judges.view(judging_id), players) and view.state == "running":
            if not self._wanted():
                self._judges.stop(judging_id)
                return
            await asyncio.sleep(self._pause)
        why = next((each.reason for each in view.unscored_for), "") or view.reason if _at(view, players) else ""
        left = self._left("score")
        self._tell([name for name in names if name in left], "failed", why)
        self._tell([name for name in names if name not in left], "done")

    async def _begun(self, start: Callable[[], str], names: list[str]) -> str | None:
        """The id of what is started as soon as there is room for it; None when it is refused, or no longer wanted."""
        while self._wanted():
            try:
                return start()
            except StoreFull as full:
                self._tell(names, "failed", str(full))
                return None
            except Refusal as refusal:
                if not isinstance(refusal, Busy) and refusal.code not in LATER:
                    self._tell(names, "failed", refusal.message)
                    return None
            await asyncio.sleep(self._pause)
        return None

    def _wanted(self) -> bool:
        """Whether anything more is to be done."""
        if not self.stopping and not self._work.current():
            self.stop(VOID)
        return not self.stopping

    def _tell(self, names: list[str], state: State, reason: str = "") -> None:
        self.progress.update(dict.fromkeys(names, Progress(state, reason)))


def _at(view: JudgingView, players: tuple[str, ...]) -> bool:
    """Whether a judge is, or was last, at those answers; one judging has the answers of one trial after the other."""
    return tuple(view.plan.get("models") or ()) == players
