"""Runs of a studio, with waits between tries that tests can afford."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from easel_app.runs.judging import Judgings
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.runs.views import RunView
from easel_app.services.studio import Studio
from tests.conftest import wait_until
from tests.rubrics.making import small_set

Finish = Callable[..., RunView]


@pytest.fixture
def runs(studio: Studio) -> Iterator[Runs]:
    runs = Runs(studio, wait=0.001)
    yield runs
    runs.close()


def finish(runs: Runs, wish: NewRun) -> RunView:
    """Play a run to its end, whatever that is."""
    view = runs.start(wish)
    wait_until(lambda: runs.view(view.run_id).state != "running", 120)
    return runs.view(view.run_id)


def actions(studio: Studio, run_id: str) -> dict[str, list[tuple[Any, ...]]]:
    """What the sessions of a run hold, by session; times and tokens aside."""
    return {
        found.session.id: [
            (a.seq, a.kind, dict(a.params), a.outcome, a.message, a.step, dict(a.scores), a.canvas_digest)
            for a in studio.sessions.records(found.session.id)[1]
        ]
        for found in studio.sessions.of_run(run_id)
    }


@pytest.fixture
def judgings(studio: Studio) -> Iterator[Judgings]:
    """Judgings that hardly wait between tries."""
    studio.rubrics.library.first_look.job = lambda: None  # the sample set would only take time here
    judgings = Judgings(studio, wait=0.001)
    yield judgings
    judgings.close()


@pytest.fixture
def small(studio: Studio) -> str:
    """The id of a small set."""
    return small_set(studio.rubrics.store)
