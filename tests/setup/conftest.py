"""A copy of the set-up in a folder of its own, so that tests can break it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.setup.project import ROOT

CLEAN = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "PYTHON", "PORT")}
"""This process's environment less what `make test` leaves in it."""


@dataclass
class Checkout:
    """A folder with the set-up's own files and nothing else of the project."""

    folder: Path

    def run(self, *command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs a command in it and returns what it said, both streams together."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**CLEAN, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def python(self, code: str, **environment: str) -> str:
        """Runs Python code in it with an interpreter outside its .venv; it must succeed."""
        done = self.run(BASE_PYTHON, "-c", code, **environment)
        assert done.returncode == 0, done.stdout
        return done.stdout.strip()

    def make_venv(self) -> None:
        """An empty .venv, without pip: whatever would install something into it fails."""
        self.run(BASE_PYTHON, "-m", "venv", "--without-pip", ".venv")


BASE_PYTHON = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "a checkout"  # most paths of most people have no space in them; this one has
    (folder / "tools").mkdir(parents=True)
    shutil.copytree(ROOT / "tools" / "setup", folder / "tools" / "setup", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "constraints.txt", "Makefile"):
        shutil.copy(ROOT / name, folder)
    return Checkout(folder)
