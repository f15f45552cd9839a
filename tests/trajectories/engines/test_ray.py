"""Ray: the same bytes though a worker is killed, and what a shard raises is told as it was raised.

Marked `engine`: Ray is 240 MB and takes many seconds to start.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from easel_app.services.problems import Conflict
from easel_app.trajectories.engines import ATTEMPTS, engine_named
from tests.trajectories.engines.jobs import Job, begun, made

pytestmark = [pytest.mark.engine, pytest.mark.filterwarnings("default")]
pytest.importorskip("ray", reason="the extra `ray` is not installed")
SHARDS = range(6)


def test_a_worker_that_is_killed_midway_is_made_up_for_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    engine_named("processes", processes=1).work(Job(tmp_path / "alone"), SHARDS, lambda _: None)
    told: list[tuple[int, int]] = []
    engine_named("ray", processes=2).work(Job(tmp_path, killed=(2,)), SHARDS, told.append)
    assert made(tmp_path) == made(tmp_path / "alone")
    assert sorted(shard for shard, _ in told) == list(SHARDS)  # each once
    assert begun(tmp_path, 2) == 2


def test_a_shard_that_always_kills_its_worker_is_named(tmp_path: Path) -> None:
    with pytest.raises(Conflict, match=f"shard 1 died {ATTEMPTS} times"):
        engine_named("ray", processes=2).work(Job(tmp_path, always=(1,), endless=(0,)), range(2), lambda _: None)
    assert begun(tmp_path, 1) == ATTEMPTS


def test_a_full_disk_stops_the_run_with_its_own_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as full:
        engine_named("ray", processes=2).work(Job(tmp_path, full=(1,), endless=(0,)), range(2), lambda _: None)
    assert full.value.filename == "1.bin"


def test_a_cluster_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(Conflict, match=r"no Ray cluster to work on at 127\.0\.0\.1:9"):
        engine_named("ray", options={"address": "127.0.0.1:9"}).work(Job(tmp_path), SHARDS, lambda _: None)
