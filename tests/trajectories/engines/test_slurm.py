"""Slurm by datatrove: the same bytes though a task is killed, and no job is left in the queue.

Where there is a Slurm, it is asked; else a stand-in runs the jobs' scripts.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from easel_app.services.problems import Conflict, Invalid
from easel_app.trajectories.engines import engine_named
from tests.trajectories.engines import slurm as stand_in
from tests.trajectories.engines.jobs import Job, begun, made

pytest.importorskip("datatrove", reason="the extra `cluster` is not installed")
SHARDS = range(6)


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        if shutil.which("sbatch") is None:
            for name, value in stand_in.install(tmp_path_factory.mktemp("slurm")).items():
                environment.setenv(name, value)
        yield


def engine(folder: Path, **options: str) -> Any:
    given = {"tasks": "2", "poll": "0.5", "mem_per_cpu_gb": "1", **options}
    made = engine_named("slurm", options=given, scratch=folder / "work")
    made.late = 0.5  # here a file is seen at once
    return made


def test_a_task_that_is_killed_midway_is_made_up_for_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    engine_named("processes", processes=1).work(Job(tmp_path / "alone"), SHARDS, lambda _: None)
    told: list[tuple[int, int]] = []
    engine(tmp_path).work(Job(tmp_path, killed=(2,)), SHARDS, told.append)
    assert made(tmp_path) == made(tmp_path / "alone")
    assert sorted(shard for shard, _ in told) == list(SHARDS)  # each once
    assert begun(tmp_path, 2) == 2
    assert list((tmp_path / "work").iterdir()) == []


def test_a_full_disk_in_one_of_the_processes_of_a_task_stops_the_job_with_its_own_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as full:
        several = engine(tmp_path, tasks="1", cpus_per_task="2")
        several.work(Job(tmp_path, full=(1,), endless=(0,)), range(2), lambda _: None)
    assert full.value.filename == "1.bin"
    assert not engine(tmp_path)._queued()


def test_a_run_cancels_what_an_earlier_one_left_in_the_queue_and_its_own_job_on_ctrl_c(tmp_path: Path) -> None:
    left = engine(tmp_path)._submitted(Job(tmp_path, endless=(0,)), [0, 1])
    assert next(left)[0] == 1 and engine(tmp_path)._queued()

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine(tmp_path).work(Job(tmp_path, endless=(3, 4, 5)), [2, 3, 4, 5], stop)
    assert begun(tmp_path, 0) <= 1 and not engine(tmp_path)._queued()
    assert set(made(tmp_path)) == {"1.bin", "2.bin"}


def test_what_sbatch_refuses_or_cannot_take_is_said_before_anything_is_made(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Conflict, match="sbatch refused"):
        engine(tmp_path, partition="nowhere").work(Job(tmp_path), SHARDS, lambda _: None)
    assert "error" in capfd.readouterr().err
    with pytest.raises(Invalid, match="a blank"):
        engine(tmp_path / "my data").work(Job(tmp_path), SHARDS, lambda _: None)
    assert made(tmp_path) == {}
    with pytest.MonkeyPatch.context() as environment, pytest.raises(Conflict, match="no sbatch here"):
        environment.setenv("PATH", str(tmp_path))
        engine(tmp_path).work(Job(tmp_path), SHARDS, lambda _: None)
