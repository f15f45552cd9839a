"""Who judges when a command asks for it: the studio that serves the data folder, else the command's own process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, NamedTuple, Protocol

from easel_app.runs.judging import Judgings
from easel_app.runs.judging_settings import JudgingView, NewJudging
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.database import StoreInUse
from easel_app.terminal import Remote


class Control(Protocol):
    """Begins and stops judgings."""

    def start(self, wish: NewJudging) -> JudgingView:
        """Begin a judging or go on with it."""

    def view(self, wanted: str) -> JudgingView:
        """A judging as it is now."""

    def stop(self, wanted: str) -> JudgingView:
        """Ask a judging to stop."""


class Judges(NamedTuple):
    """Somebody who judges."""

    control: Control
    sets: Mapping[str, str]
    """Names of the rubric sets there, by id."""
    where: str
    """Who it is, in one sentence."""


class RemoteJudgings(Remote):
    """The judgings of a served studio. Each method raises RunRefused."""

    def start(self, wish: NewJudging) -> JudgingView:
        """Begin a judging or go on with it."""
        key = wish.key.get_secret_value() if wish.key else None
        return self._ask("POST", "", json={**wish.model_dump(mode="json", exclude={"key"}), "key": key})

    def view(self, wanted: str) -> JudgingView:
        """A judging as it is now."""
        return self._ask("GET", f"/{wanted}")

    def stop(self, wanted: str) -> JudgingView:
        """Ask a judging to stop."""
        return self._ask("DELETE", f"/{wanted}")

    def sets(self) -> dict[str, str]:
        """Names of the rubric sets, by id."""
        return {found["set_id"]: found["name"] for found in json.loads(self._send("GET", "/api/rubrics/sets"))}

    def _ask(self, method: str, path: str, **more: Any) -> JudgingView:
        return JudgingView.model_validate_json(self._send(method, f"/api/rubrics/judgings{path}", **more))


@contextmanager
def judges(settings: Settings) -> Iterator[Judges]:
    """Who judges, until the end of the block.

    Raises:
        StoreUnusable: another process has the data folder open and does not serve it, or it cannot be used.
        RunRefused: the studio that serves it cannot be reached.
    """
    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            raise
        with closing(RemoteJudgings(used.address)) as remote:
            where = f"The studio at {used.address} judges; look at it at {used.address}/?tab=rubrics"
            yield Judges(remote, remote.sets(), where)
        return
    judgings = Judgings(studio)
    try:
        sets = {record.id: record.name for record in studio.rubrics.library.sets()}
        yield Judges(judgings, sets, f"No studio serves {settings.data_dir.resolve()}, so it is judged here.")
    finally:
        judgings.close()
        studio.close()
