"""python.sh finds a Python that can do the work, or says in one sentence what is missing."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import BASE_PYTHON, Checkout

WHERE = ("-c", "import sys; print(sys.executable)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A folder that is all of PATH, with a shell's tools and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "dirname", "env"):
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def lay(path: Path, name: str, change: str = "") -> Path:
    """Puts this Python there under a name, after a change to itself that the program it is given sees."""
    command = path / name
    program = f"import sys, os; {change or 'pass'}; exec(sys.argv[1])"
    command.write_text(f'#!/bin/sh\nshift\nexec "{BASE_PYTHON}" -c "{program}" "$@"\n')
    command.chmod(0o755)
    return command


OLD = "sys.version_info = (3, 9, 2); sys.version = '3.9.2 (main)'"
BARE = "sys.modules['ensurepip'] = None"


def search(checkout: Checkout, path: Path, **environment: str) -> tuple[int, str]:
    done = checkout.run("sh", "tools/setup/python.sh", *WHERE, PATH=str(path), **environment)
    return done.returncode, done.stdout.strip()


def test_python3_is_taken_when_it_is_good(checkout: Checkout, path: Path) -> None:
    lay(path, "python3")
    assert search(checkout, path) == (0, str(BASE_PYTHON))


def test_no_python_at_all_is_said_with_the_command_that_gets_one(checkout: Checkout, path: Path) -> None:
    code, said = search(checkout, path)
    assert code == 1
    assert "needs Python 3.11 or newer" in said
    assert "there is no python3 on PATH" in said
    assert "apt-get install python3 python3-venv" in said
    assert said.count("\n") == 0


def test_an_old_python3_is_named_with_its_version(checkout: Checkout, path: Path) -> None:
    lay(path, "python3", OLD)
    code, said = search(checkout, path)
    assert code == 1
    assert "python3 is Python 3.9.2" in said


@pytest.mark.parametrize("newer", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_a_newer_one_beside_an_old_python3_is_found(checkout: Checkout, path: Path, newer: str) -> None:
    lay(path, "python3", OLD)
    lay(path, newer)
    assert search(checkout, path)[0] == 0


def test_debians_split_off_venv_is_named_by_its_package(checkout: Checkout, path: Path) -> None:
    lay(path, "python3", BARE)
    code, said = search(checkout, path)
    assert code == 1
    assert "python3 has no ensurepip" in said
    assert f"apt-get install python3.{sys.version_info[1]}-venv" in said


def test_a_chosen_python_is_the_only_one_looked_at(checkout: Checkout, path: Path) -> None:
    lay(path, "python3")
    chosen = lay(path, "old one", OLD)
    code, said = search(checkout, path, PYTHON=str(chosen))
    assert code == 1
    assert f"{chosen} is Python 3.9.2" in said


def test_a_chosen_python_that_does_not_run_is_said(checkout: Checkout, path: Path) -> None:
    lay(path, "python3")
    code, said = search(checkout, path, PYTHON="pyhton3")
    assert code == 1
    assert "pyhton3 does not run" in said


def test_a_python_may_live_in_a_folder_with_a_space(checkout: Checkout, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my tools"
    folder.mkdir()
    assert search(checkout, path, PYTHON=str(lay(folder, "python"))) == (0, str(BASE_PYTHON))


def test_the_python_of_the_existing_environment_is_kept(checkout: Checkout, path: Path) -> None:
    checkout.make_venv()
    assert search(checkout, path) == (0, str(BASE_PYTHON))  # PATH has none


def test_a_dead_environment_does_not_stand_in_the_way(checkout: Checkout, path: Path) -> None:
    checkout.make_venv()
    python = checkout.folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(checkout.folder / "gone")
    lay(path, "python3")
    assert search(checkout, path) == (0, str(BASE_PYTHON))
