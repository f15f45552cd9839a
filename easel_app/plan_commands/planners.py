"""Who plans when a command asks for it: the studio that serves the data folder, else the command's own process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, Protocol

from easel_app.runs.planning_settings import NewPlanning, PlanningView
from easel_app.runs.plannings import Plannings
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.database import StoreInUse
from easel_app.terminal import Remote


class Control(Protocol):
    """Begins and stops plannings."""

    def start(self, wish: NewPlanning) -> PlanningView:
        """Begin a planning or go on with it."""

    def view(self, wanted: str) -> PlanningView:
        """A planning as it is now."""

    def stop(self, wanted: str) -> PlanningView:
        """Ask a planning to stop."""


class Planners(NamedTuple):
    """Somebody who plans."""

    control: Control
    sets: Mapping[str, str]
    """Names of the sets there, by id."""
    where: str
    """Who it is, in one sentence."""


class RemotePlannings(Remote):
    """The plannings of a served studio. Each method raises RunRefused."""

    def start(self, wish: NewPlanning) -> PlanningView:
        """Begin a planning or go on with it."""
        key = wish.key.get_secret_value() if wish.key else None
        return self._ask("POST", "", json={**wish.model_dump(mode="json", exclude={"key"}), "key": key})

    def view(self, wanted: str) -> PlanningView:
        """A planning as it is now."""
        return self._ask("GET", f"/{wanted}")

    def stop(self, wanted: str) -> PlanningView:
        """Ask a planning to stop."""
        return self._ask("DELETE", f"/{wanted}")

    def sets(self) -> dict[str, str]:
        """Names of the sets, by id."""
        return {found["set_id"]: found["name"] for found in json.loads(self._send("GET", "/api/plans/sets"))}

    def _ask(self, method: str, path: str, **more: Any) -> PlanningView:
        return PlanningView.model_validate_json(self._send(method, f"/api/plans/plannings{path}", **more))


@contextmanager
def planners(settings: Settings) -> Iterator[Planners]:
    """Who plans, until the end of the block.

    Raises:
        StoreUnusable: another process has the data folder open and does not serve it, or it cannot be used.
        RunRefused: the studio that serves it cannot be reached.
    """
    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            raise
        with closing(RemotePlannings(used.address)) as remote:
            where = f"The studio at {used.address} plans; look at it at {used.address}/?tab=plans"
            yield Planners(remote, remote.sets(), where)
        return
    plannings = Plannings(studio)
    try:
        sets = {record.id: record.name for record in studio.plans.library.sets()}
        yield Planners(plannings, sets, f"No studio serves {settings.data_dir.resolve()}, so it is planned here.")
    finally:
        plannings.close()
        studio.close()
