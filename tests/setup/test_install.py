"""When .venv is kept, brought up to date or made anew."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.setup.conftest import BASE_PYTHON, Checkout

STAMP = "from tools.setup import install, kernels; install.write_stamp(install.wanted_stamp({extras}))"
FAULT = "from tools.setup import install; print(install.fault(install.read_stamp(), install.wanted_stamp()))"
COVERS = "from tools.setup import install; print(install.read_stamp().covers(install.wanted_stamp({extras})))"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}


@pytest.fixture
def installed(checkout: Checkout) -> Checkout:
    """A checkout whose empty .venv claims to be complete: it shows what an install would touch."""
    checkout.make_venv()
    checkout.python(STAMP.format(extras=""))
    kernels = "kernels.stamp_file().parent.mkdir(parents=True); kernels.stamp_file().write_text(kernels.fingerprint())"
    checkout.python(f"from tools.setup import kernels; {kernels}")
    return checkout


def stamp(checkout: Checkout) -> dict[str, object]:
    return dict(json.loads((checkout.folder / ".venv" / "easel-setup.json").read_text()))


def test_a_second_install_does_nothing_and_says_nothing(installed: Checkout) -> None:
    done = installed.run("make", "install", PATH=f"{BASE_PYTHON.parent}:{os.environ['PATH']}", **OFFLINE)
    assert (done.returncode, done.stdout) == (0, "")  # there is no pip in this .venv that could have been called


def test_an_environment_that_works_is_kept(installed: Checkout) -> None:
    assert installed.python(FAULT) == "None"
    assert installed.python(COVERS.format(extras="")) == "True"


def test_there_being_none_is_a_reason_to_make_one(checkout: Checkout) -> None:
    assert checkout.python(FAULT) != "None"


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_file_asks_for_an_update_and_not_for_a_new_environment(installed: Checkout, name: str) -> None:
    with (installed.folder / name).open("a") as file:
        file.write("# changed\n")
    assert installed.python(FAULT) == "None"
    assert installed.python(COVERS.format(extras="")) == "False"


def test_what_the_tests_need_covers_what_the_studio_needs_and_not_the_reverse(installed: Checkout) -> None:
    assert installed.python(COVERS.format(extras="'dev'")) == "False"
    installed.python(STAMP.format(extras="'dev'"))
    assert installed.python(COVERS.format(extras="'dev'")) == "True"
    assert installed.python(COVERS.format(extras="")) == "True"


def test_a_copied_checkout_makes_its_own_environment(installed: Checkout, tmp_path: Path) -> None:
    copy = Checkout(tmp_path / "copy")
    shutil.copytree(installed.folder, copy.folder, symlinks=True)
    assert copy.python(FAULT) == f"it was made in {installed.folder}"


def test_an_environment_of_another_python_is_made_anew(installed: Checkout) -> None:
    file = installed.folder / ".venv" / "easel-setup.json"
    file.write_text(json.dumps({**stamp(installed), "python": "cpython-39 in /elsewhere"}))
    assert installed.python(FAULT) == "it was made with cpython-39 in /elsewhere"


def test_an_environment_whose_python_was_removed_is_made_anew(installed: Checkout) -> None:
    python = installed.folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(installed.folder / "gone")
    assert installed.python(FAULT) == "its Python does not work"


def test_an_environment_without_its_configuration_is_made_anew(installed: Checkout) -> None:
    (installed.folder / ".venv" / "pyvenv.cfg").unlink()
    assert installed.python(FAULT) == "its Python does not work"


def test_somebodys_own_environment_is_kept(checkout: Checkout) -> None:
    checkout.make_venv()
    assert checkout.python(FAULT) == "None"


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"checkout": 1}'])
def test_an_unreadable_stamp_is_none(installed: Checkout, broken: str) -> None:
    (installed.folder / ".venv" / "easel-setup.json").write_text(broken)
    assert installed.python("from tools.setup import install; print(install.read_stamp())") == "None"


def test_an_install_that_fails_leaves_no_valid_stamp_and_is_begun_anew(checkout: Checkout) -> None:
    done = checkout.run(BASE_PYTHON, "-m", "tools.setup.install", **OFFLINE)
    assert done.returncode == 1
    assert "The install stopped, since `python -m pip` failed" in done.stdout
    assert "give the same command again" in done.stdout
    assert "Traceback" not in done.stdout
    assert stamp(checkout)["files"] == "not finished"
    assert checkout.python(FAULT) == "its last install did not finish"
