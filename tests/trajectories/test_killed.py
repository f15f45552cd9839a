"""`easel trajectories make`, killed by -9 at any point, goes on by the same command and ends with the same bytes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from easel_app.trajectories.folder import Folder
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.verifying import verify
from tests.trajectories.small import made

OPTIONS = {"references": 24, "size": 64, "painter": "greedy-quick", "strokes": 40, "shard": 2, "validation": 0.2}
SAME = {"pool": {"references": 24, "validation": 0.2}, "painter": "greedy-quick", "strokes": 40, "shard": 2}
SAMPLES = {"c1_all": 16, "c1_until": 50, "c1_some": 12, "c2": 12, "c2_half": 50.0}
PATIENCE = 120.0

pytestmark = pytest.mark.crash


def begin(folder: Path, processes: int) -> subprocess.Popen[str]:
    options = [f"--{name}={value}" for name, value in (OPTIONS | {"processes": processes}).items()]
    command = [sys.executable, "-m", "easel_app.cli", "trajectories", "make", str(folder), *options]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def when(seen: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    """Wait until something is seen, or the run has ended by itself."""
    end = time.monotonic() + PATIENCE
    while not seen() and run.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.005)


def test_killed_at_several_points_it_ends_with_the_bytes_of_a_run_that_nobody_killed(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "killed")
    notes = lambda least: lambda: folder.done.exists() and len(list(folder.done.glob("*.json"))) >= least  # noqa: E731
    points: list[Callable[[], bool]] = [
        lambda: (folder.work / "references").exists(),
        lambda: any(folder.path.glob("samples/.*")),
        notes(4),
    ]
    for point in points:
        run = begin(folder.path, 1)
        when(point, run)
        run.kill()
        run.communicate()
        assert not folder.manifest.exists()
    last = begin(folder.path, 2)
    said, complaints = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, complaints
    assert "24 references" in said
    whole = made(tmp_path / "whole", samples=SAMPLES, **SAME)
    assert (tmp_path / "whole" / "manifest.json").read_bytes() == folder.manifest.read_bytes()
    names = {f"{each.parent.name}/{each.name}" for each in folder.path.glob("*/*") if each.parent.name != ".work"}
    assert names == set(whole.files)
    assert verify(DataSet(folder.path), share=1.0).faults == ()
