"""The commands that a newcomer types."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.setup.conftest import CLEAN
from tools.setup.project import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)


def make(*arguments: str, **environment: str) -> str:
    """What make would do, or does for `help`; it must succeed."""
    done = subprocess.run(
        ["make", *arguments], cwd=ROOT, env={**CLEAN, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_issues_targets_exist() -> None:
    assert TARGETS
    assert {"run", "install", "test", "test-train", "bench", "tasks", "clean", "help"} <= set(TARGETS[1].split())


def test_help_is_what_make_alone_says_and_lists_every_target() -> None:
    assert TARGETS
    listed = re.findall(r"^  make ([\w-]+) +(\S.*)$", make(), re.MULTILINE)
    assert [name for name, _ in listed] == TARGETS[1].split()
    assert make() == make("help")


@pytest.mark.parametrize("target", ["install", "run", "test", "test-train", "check", "bench", "tasks", "pins", "clean"])
def test_a_target_has_a_recipe(target: str) -> None:
    assert make("--dry-run", target)


def test_run_hands_port_and_data_folder_on() -> None:
    last = make("--dry-run", "run", "PORT=7870", "DATA_DIR=my paintings").splitlines()[-1]
    assert last.endswith('easel_app.cli serve --port "7870" --data-dir "my paintings"')


def test_run_leaves_both_to_the_settings_when_they_are_not_given() -> None:
    last = make("--dry-run", "run", PORT="1", DATA_DIR="elsewhere").splitlines()[-1]  # not ours: no EASEL_ before them
    assert last.split("easel_app.cli ")[1].strip() == "serve"


def test_pytest_ends_the_tests_after_all_other_checks() -> None:
    steps = make("--dry-run", "test").splitlines()
    assert ["--dev" in steps[0], "ruff check" in steps[1], "mypy" in steps[2], "lint-imports" in steps[3]] == [True] * 4
    chosen = steps[-1].split(" -m pytest ")[1].split()
    spread = ("--numprocesses=", "--maxprocesses=", "--dist=", "--no-loadscope-reorder")
    assert all(option.startswith(spread) for option in chosen), "it runs all tests; options say only where"
    assert "tools.setup.browser" in steps[-1]


def test_ci_runs_what_anyone_can_run() -> None:
    script = ROOT / ".ci" / "run"
    lines = script.read_text().splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert "set -euo pipefail" in lines
    assert lines[-2:] == ["make test </dev/null", "exec make test-train </dev/null"]
    assert os.access(script, os.X_OK)
