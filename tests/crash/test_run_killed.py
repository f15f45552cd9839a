"""A killed run goes on where it stood: the same sessions in the end, and nothing that is on record is paid twice."""

from __future__ import annotations

import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from easel_app.runs.service import Runs
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import wait_until
from tests.endpoint import endpoint, painter
from tests.endpoint.app import Running
from tests.endpoint.painter import digest
from tests.runs.conftest import actions
from tests.serving import Command, forked
from tests.test_run_command import environment, steps

pytestmark = pytest.mark.crash
TASKS = [f"programmatic-{n:02}" for n in range(1, 16)] + [f"abstract-{n:02}" for n in range(1, 6)]
TOTAL, CONCURRENCY = 15 * 32 + 5 * 96, 4


def start(data_dir: Path, model: Running) -> Command:
    options = ["--base-url", model.url, "--model", "scripted", "--concurrency", str(CONCURRENCY)]
    options += [part for task in TASKS for part in ("--task", task)]
    return forked(["run", "--data-dir", str(data_dir), *options], environment())


def finish(run: Command) -> None:
    assert run.stdout
    with run.stdout:
        output = run.stdout.read()
    assert run.wait(120) == 0, output


def sessions(data_dir: Path) -> dict[str, list[tuple[Any, ...]]]:
    studio = Studio(Settings(data_dir=data_dir))
    (run,) = Runs(studio).every()
    assert (run.state, run.calls, run.steps.done) == ("finished", TOTAL, TOTAL)
    found = actions(studio, run.run_id)
    assert all(not entry.differing and entry.worst == 0 for entry in studio.sessions.rescore())
    studio.close()
    return found


def test_killed_three_times_it_ends_with_the_sessions_of_an_uninterrupted_run(tmp_path: Path) -> None:
    with endpoint(painter, latency=0.01) as model:
        finish(start(tmp_path / "whole", model))
        before = len(model.requests)
        assert before == TOTAL
        for share in (0.2, 0.5, 0.8):
            run = start(tmp_path / "killed", model)
            assert run.stdout
            with run.stdout:
                wait_until(lambda share=share: steps(tmp_path / "killed") >= share * TOTAL, 60)  # type: ignore[misc]
                run.kill()
                assert run.wait(20) == -signal.SIGKILL, "it was killed before its end"
        finish(start(tmp_path / "killed", model))
        asked = Counter(digest(request.body) for request in model.requests[before:])
    assert sessions(tmp_path / "killed") == sessions(tmp_path / "whole")
    # what was under way when the process died is on no record, and is asked again: no more than that
    assert sum(asked.values()) - TOTAL <= 3 * CONCURRENCY
