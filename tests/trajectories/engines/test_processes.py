"""Processes of one machine: the same bytes however many there are and whoever is killed, and nobody left behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from easel_app.services.problems import Conflict
from easel_app.trajectories.engines import ATTEMPTS, Processes
from tests.conftest import wait_until
from tests.trajectories.engines.jobs import Job, Untaken, begun, made, makers, threads, ungiven

SHARDS = range(6)


def work(workers: int, job: Any, shards: Any = SHARDS) -> list[tuple[int, int]]:
    told: list[tuple[int, int]] = []
    Processes(workers, prepare=lambda: None).work(job, shards, told.append)
    return told


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What this process alone makes."""
    folder = tmp_path_factory.mktemp("alone")
    told = work(1, Job(folder))
    assert told == [(shard, os.getpid()) for shard in SHARDS]
    return made(folder)


def test_two_workers_one_of_them_killed_midway_leave_the_same_bytes(tmp_path: Path, alone: dict[str, bytes]) -> None:
    told = work(2, Job(tmp_path, killed=(2,)))
    assert made(tmp_path) == alone
    assert sorted(shard for shard, _ in told) == list(SHARDS)  # each once
    assert begun(tmp_path, 2) == 2 and len({process for _, process in told}) in (2, 3)
    assert os.getpid() not in {process for _, process in told}


def test_a_shard_that_always_kills_its_worker_is_named_and_the_others_stay(
    tmp_path: Path, alone: dict[str, bytes]
) -> None:
    with pytest.raises(Conflict, match=f"shard 3 died {ATTEMPTS} times .*SIGKILL"):
        work(2, Job(tmp_path, always=(3,)))
    assert begun(tmp_path, 3) == ATTEMPTS
    assert made(tmp_path).items() <= alone.items() and "3.bin" not in made(tmp_path)
    work(1, Job(tmp_path))
    assert made(tmp_path) == alone


def test_a_full_disk_stops_the_run_with_its_own_error_and_a_refusal_with_its_sentence(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as full:
        work(2, Job(tmp_path, full=(1,)))
    assert full.value.filename == "1.bin" and "jobs.py" in "".join(full.value.__notes__)  # where it was raised
    with pytest.raises(Conflict) as refused:
        work(2, Job(tmp_path, refused=(1,)))
    assert (refused.value.code, str(refused.value)) == ("other_recipe", "The folder is of another recipe.")
    assert not any(map(alive, makers(tmp_path)))


def test_an_error_of_who_is_told_dismisses_the_workers(tmp_path: Path) -> None:
    def told(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Processes(2, prepare=lambda: None).work(Job(tmp_path, endless=(1,)), range(2), told)
    assert not any(map(alive, makers(tmp_path)))


def test_what_a_worker_cannot_take_or_give_is_told_and_never_waited_for(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="cannot be taken"):
        work(2, Untaken())
    with pytest.raises(Exception, match="pickle"):
        work(2, ungiven)


def test_kernels_are_compiled_once_before_there_are_workers_and_these_have_one_thread_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    heard: list[Any] = []
    engine = Processes(2, prepare=lambda: heard.append("compiled"))
    engine.work(threads, [], heard.append)
    engine.work(threads, [0], heard.append)
    assert heard == [("7", None)]  # this process alone compiles what it needs
    engine.work(threads, range(2), heard.append)
    assert heard[1:] == ["compiled", ("1", "1"), ("1", "1")]
    assert (os.environ["OMP_NUM_THREADS"], os.environ.get("NUMBA_NUM_THREADS")) == ("7", None)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_a_run_that_is_stopped(tmp_path: Path, sent: signal.Signals) -> None:
    script = (
        "from pathlib import Path; from easel_app.trajectories.engines import Processes;"
        "from tests.trajectories.engines.jobs import Job;"
        f"Processes(2, lambda: None).work(Job(Path({str(tmp_path)!r}), endless=(0, 1)), range(4), print)"
    )
    with subprocess.Popen([sys.executable, "-c", script], process_group=0, stderr=subprocess.PIPE, text=True) as run:
        wait_until(lambda: len(makers(tmp_path)) == 2)
        with watched(makers(tmp_path)) as gone:
            if sent == signal.SIGINT:
                os.killpg(run.pid, sent)  # as a terminal does it: to all of them
            else:
                run.send_signal(sent)
            assert gone(5.0)
        _, said = run.communicate()
    assert run.returncode == -sent
    assert said.count("Traceback") == (1 if sent == signal.SIGINT else 0)  # that of the run, none of a worker
    assert made(tmp_path) == {}


@contextmanager
def watched(processes: set[int]) -> Iterator[Any]:
    """Asks whether the processes are all gone within so many seconds; a number may be taken again, a handle not."""
    handles = [os.pidfd_open(process) for process in processes]

    def gone(seconds: float) -> bool:
        return all(select.select([handle], [], [], seconds)[0] for handle in handles)

    try:
        yield gone
    finally:
        for handle in handles:
            os.close(handle)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
