"""Without the extra `train` its commands say in one sentence how to get it, and the others do not need it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from easel_app.services.problems import Refusal
from easel_app.trajectories.training.extra import PACKAGES, train_extra


def test_a_package_that_is_missing_is_named_with_the_extra() -> None:
    with pytest.raises(Refusal, match=r"needs torch, .* -e '\.\[train\]'"), train_extra():
        raise ModuleNotFoundError("No module named 'torch.nn'", name="torch.nn")


def test_a_module_of_ours_that_is_missing_is_a_fault_of_ours() -> None:
    with pytest.raises(ModuleNotFoundError), train_extra():
        raise ModuleNotFoundError("No module named 'easel_app.nothing'", name="easel_app.nothing")


def test_the_commands_and_the_export_load_none_of_it() -> None:
    code = (
        "import sys, easel_app.cli; from easel_app.trajectories.training import exporting, output, serving; "
        f"print(sorted(set({PACKAGES!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
