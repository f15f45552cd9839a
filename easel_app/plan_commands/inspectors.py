"""Who inspects when a command asks for it: the studio that serves the data folder, else the command's own process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, Protocol

from easel_app.runs.inspection_settings import InspectionView, NewInspection
from easel_app.runs.inspections import Inspections
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.database import StoreInUse
from easel_app.terminal import Remote


class Control(Protocol):
    """Begins and stops inspections."""

    def start(self, wish: NewInspection) -> InspectionView:
        """Begin an inspection or go on with it."""

    def view(self, wanted: str) -> InspectionView:
        """An inspection as it is now."""

    def stop(self, wanted: str) -> InspectionView:
        """Ask an inspection to stop."""


class Inspectors(NamedTuple):
    """Somebody who inspects."""

    control: Control
    sets: Mapping[str, str]
    """Names of the sets there, by id."""
    where: str
    """Who it is, in one sentence."""


class RemoteInspections(Remote):
    """The inspections of a served studio. Each method raises RunRefused."""

    def start(self, wish: NewInspection) -> InspectionView:
        """Begin an inspection or go on with it."""
        key = wish.key.get_secret_value() if wish.key else None
        keys = {role: own.get_secret_value() for role, own in wish.keys.items()}
        told = wish.model_dump(mode="json", exclude={"key", "keys"})
        return self._ask("POST", "", json={**told, "key": key, "keys": keys})

    def view(self, wanted: str) -> InspectionView:
        """An inspection as it is now."""
        return self._ask("GET", f"/{wanted}")

    def stop(self, wanted: str) -> InspectionView:
        """Ask an inspection to stop."""
        return self._ask("POST", f"/{wanted}/stop")

    def sets(self) -> dict[str, str]:
        """Names of the sets, by id."""
        return {found["set_id"]: found["name"] for found in json.loads(self._send("GET", "/api/plans/sets"))}

    def _ask(self, method: str, path: str, **more: Any) -> InspectionView:
        return InspectionView.model_validate_json(self._send(method, f"/api/plans/inspections{path}", **more))


@contextmanager
def inspectors(settings: Settings) -> Iterator[Inspectors]:
    """Who inspects, until the end of the block.

    Raises:
        StoreUnusable: another process has the data folder open and does not serve it, or it cannot be used.
        RunRefused: the studio that serves it cannot be reached.
    """
    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            raise
        with closing(RemoteInspections(used.address)) as remote:
            where = f"The studio at {used.address} inspects; look at it at {used.address}/?tab=plans"
            yield Inspectors(remote, remote.sets(), where)
        return
    inspections = Inspections(studio)
    try:
        sets = {record.id: record.name for record in studio.plans.library.sets()}
        yield Inspectors(inspections, sets, f"No studio serves {settings.data_dir.resolve()}, so it is inspected here.")
    finally:
        inspections.close()
        studio.close()
