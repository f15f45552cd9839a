"""Kernels are compiled once, and again exactly when numba would find its cache stale."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.setup.conftest import BASE_PYTHON, Checkout

COMPILER = """\
import pathlib, sys
log = pathlib.Path("compilations")
log.write_text(log.read_text() + "x" if log.exists() else "x")
sys.exit(pathlib.Path("broken").exists())
"""


@pytest.fixture
def studio(checkout: Checkout) -> Checkout:
    """A checkout with one kernel and a compiler that counts how often it is called."""
    checkout.make_venv()
    engine = checkout.folder / "easel_app" / "engine"
    engine.mkdir(parents=True)
    (engine / "mask.py").write_text("kernel = 1\n")
    (checkout.folder / "easel_app" / "cli.py").write_text(COMPILER)
    return checkout


def ensure(studio: Checkout, **environment: str) -> subprocess.CompletedProcess[str]:
    return studio.run(BASE_PYTHON, "-c", "from tools.setup import kernels; kernels.ensure()", **environment)


def compilations(studio: Checkout) -> int:
    return len((studio.folder / "compilations").read_text())


def test_the_first_install_compiles_and_the_second_does_not(studio: Checkout) -> None:
    assert "Compiling" in ensure(studio).stdout
    assert ensure(studio).stdout == ""
    assert compilations(studio) == 1


def test_a_changed_kernel_is_compiled_again(studio: Checkout) -> None:
    ensure(studio)
    (studio.folder / "easel_app" / "engine" / "mask.py").write_text("kernel = 22\n")
    ensure(studio)
    assert compilations(studio) == 2


def test_a_changed_painter_is_compiled_again(studio: Checkout) -> None:
    painters = studio.folder / "easel_app" / "painting" / "painters"
    painters.mkdir(parents=True)
    (painters / "search.py").write_text("kernel = 1\n")
    ensure(studio)
    (painters / "search.py").write_text("kernel = 22\n")
    ensure(studio)
    assert compilations(studio) == 2


def test_a_touched_kernel_is_compiled_again_as_numba_goes_by_times(studio: Checkout) -> None:
    ensure(studio)
    os.utime(studio.folder / "easel_app" / "engine" / "mask.py", (1, 1))
    ensure(studio)
    assert compilations(studio) == 2


def test_a_copied_checkout_compiles_for_itself_as_numba_goes_by_places(studio: Checkout, tmp_path: Path) -> None:
    ensure(studio)
    copy = Checkout(tmp_path / "copy")
    shutil.copytree(studio.folder, copy.folder, symlinks=True)
    ensure(copy)
    assert compilations(copy) == 2


def test_another_compiler_version_compiles_again(studio: Checkout) -> None:
    ensure(studio)
    with (studio.folder / "constraints.txt").open("a") as file:
        file.write("# another version\n")
    ensure(studio)
    assert compilations(studio) == 2


def test_a_removed_cache_takes_the_stamp_with_it(studio: Checkout, tmp_path: Path) -> None:
    ensure(studio, NUMBA_CACHE_DIR=str(tmp_path / "one"))
    ensure(studio, NUMBA_CACHE_DIR=str(tmp_path / "two"))
    ensure(studio, NUMBA_CACHE_DIR=str(tmp_path / "one"))
    assert compilations(studio) == 2


def test_a_failure_is_said_and_tried_again(studio: Checkout) -> None:
    (studio.folder / "broken").touch()
    done = ensure(studio)
    assert done.returncode == 1
    assert "did not compile" in done.stdout
    (studio.folder / "broken").unlink()
    assert ensure(studio).returncode == 0
    assert compilations(studio) == 2
