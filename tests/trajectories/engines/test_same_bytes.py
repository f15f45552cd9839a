"""A data set is the same, byte for byte, whichever engine made it and whoever was killed in the middle of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from easel_app.trajectories.engines import Processes, engine_named
from easel_app.trajectories.folder import Folder
from easel_app.trajectories.making import make
from easel_app.trajectories.recipe import Recipe
from tests.trajectories.engines import slurm as stand_in
from tests.trajectories.engines.jobs import Killing

RECIPE = Recipe.model_validate(
    {
        "pool": {"references": 6, "size": 64, "families": {"geometry": 1}, "validation": 0.0},
        "samples": {"c1_all": 3, "c1_until": 8, "c1_some": 2, "c2": 2},
        "painter": "greedy",
        "strokes": 12,
        "shard": 2,
    }
)


def data_set(place: Path, engine: Any) -> dict[str, bytes]:
    """Make one; its files, by their names."""
    told: list[int] = []
    make(Folder(place), RECIPE, engine, lambda progress: told.append(progress.done))
    assert told[-1] == 6
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file() and ".work" not in path.parts and not path.name.startswith(".")
    }


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The data set that this process alone makes."""
    files = data_set(tmp_path_factory.mktemp("alone") / "set", Processes(1))
    assert len(files) == 2 + 3 * 3  # card, manifest, three files a shard
    return files


def test_of_two_processes_one_is_killed(tmp_path: Path, alone: dict[str, bytes]) -> None:
    killing = Killing(Processes(2, prepare=lambda: None), tmp_path / "killed")
    assert data_set(tmp_path / "set", killing) == alone
    assert killing.mark.exists()


def test_of_two_tasks_of_a_slurm_job_one_is_killed(
    tmp_path: Path, alone: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("datatrove", reason="the extra `cluster` is not installed")
    if shutil.which("sbatch") is None:
        for name, value in stand_in.install(tmp_path).items():
            monkeypatch.setenv(name, value)
    options = {"tasks": "2", "poll": "0.5", "mem_per_cpu_gb": "1"}
    slurm: Any = engine_named("slurm", options=options, scratch=tmp_path / "set" / ".work")
    slurm.late = 0.5
    killing = Killing(slurm, tmp_path / "killed")
    assert data_set(tmp_path / "set", killing) == alone
    assert killing.mark.exists()


@pytest.mark.engine
@pytest.mark.filterwarnings("default")
def test_of_two_workers_of_ray_one_is_killed(tmp_path: Path, alone: dict[str, bytes]) -> None:
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    killing = Killing(engine_named("ray", processes=2), tmp_path / "killed")
    assert data_set(tmp_path / "set", killing) == alone
    assert killing.mark.exists()
