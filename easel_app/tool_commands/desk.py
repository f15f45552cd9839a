"""Who runs models with tools for a command: the studio that serves the data folder, else this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from easel_app.services.wings import RUBRICS
from easel_app.settings import Settings
from easel_app.terminal import Remote, in_the_open

if TYPE_CHECKING:
    from easel_app.runs.tool_run_settings import NewToolRun, ToolRunView
    from easel_app.services.rubrics.analysis_views import Analysis
    from easel_app.services.studio import Studio

ROUTE = f"/api/{RUBRICS.name}/tool-runs"


class Desk(Protocol):
    """Runs models with tools."""

    where: str
    """Who it is, in one sentence."""
    address: str
    """Of the studio's page; empty where none is served."""

    def names(self) -> Mapping[str, str]:
        """Names of the rubric sets by id."""

    def start(self, wish: NewToolRun) -> ToolRunView:
        """Begin a run or go on with it."""

    def view(self, run_id: str) -> ToolRunView:
        """A run as it is now."""

    def stop(self, run_id: str) -> ToolRunView:
        """Ask a run to stop."""

    def every(self, set_id: str | None) -> list[ToolRunView]:
        """All runs, or those on a set, newest first."""

    def analysis(self, set_id: str, judging_id: str) -> Analysis:
        """How the models of a set did by a judge."""


@contextmanager
def desk(settings: Settings) -> Iterator[Desk]:
    """Whoever has the data folder.

    Raises:
        StoreUnusable: another process has it open and does not serve it, or it cannot be used.
        RunRefused: the studio that serves it cannot be reached.
    """
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            raise
        with closing(_Served(used.address)) as served:
            yield served
        return
    with closing(_Here(studio, settings)) as here:
        yield here


class _Here:
    """This process."""

    address = ""

    def __init__(self, studio: Studio, settings: Settings) -> None:
        from easel_app.runs.judging import Judgings
        from easel_app.runs.tool_equipment import Equipment
        from easel_app.runs.tool_runs import ToolRuns

        self.where = f"No studio serves {settings.data_dir.resolve()}, so the model is run here."
        self._studio, self._judgings = studio, Judgings(studio)
        self._runs = ToolRuns(studio, self._judgings, Equipment.of(settings))
        self.start, self.view, self.stop = self._runs.start, self._runs.view, self._runs.stop
        self.every = self._runs.every
        self.names = studio.rubrics.library.names

    def analysis(self, set_id: str, judging_id: str) -> Analysis:
        return self._studio.rubrics.analyses.analysis.analysis(set_id, judging_id, "weight")

    def close(self) -> None:
        self._runs.close()
        self._judgings.close()
        self._studio.close()


class _Served(Remote):
    """A studio that is being served. Each method raises RunRefused."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address
        self.where = f"The studio at {address} runs the model."

    def names(self) -> Mapping[str, str]:
        found = json.loads(self._send("GET", f"/api/{RUBRICS.name}/sets"))
        return {each["set_id"]: each["name"] for each in found}

    def start(self, wish: NewToolRun) -> ToolRunView:
        return self._run("POST", "", json=in_the_open(wish))

    def view(self, run_id: str) -> ToolRunView:
        return self._run("GET", f"/{quote(run_id, safe='')}")

    def stop(self, run_id: str) -> ToolRunView:
        return self._run("DELETE", f"/{quote(run_id, safe='')}")

    def every(self, set_id: str | None) -> list[ToolRunView]:
        from easel_app.runs.tool_run_settings import ToolRunView

        found = json.loads(self._send("GET", ROUTE, params={"set": set_id} if set_id else {}))
        return [ToolRunView.model_validate(each) for each in found]

    def analysis(self, set_id: str, judging_id: str) -> Analysis:
        from easel_app.services.rubrics.analysis_views import Analysis

        path = f"/api/{RUBRICS.name}/sets/{quote(set_id, safe='')}/analysis"
        return Analysis.model_validate_json(self._send("GET", path, params={"by": judging_id}))

    def _run(self, method: str, path: str, **more: object) -> ToolRunView:
        from easel_app.runs.tool_run_settings import ToolRunView

        return ToolRunView.model_validate_json(self._send(method, f"{ROUTE}{path}", **more))
