"""Where the project's files are, and what it asks to be installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - said here, before the import below fails with a riddle
    sys.exit(f"Easel Studio needs Python 3.11 or newer, and this is {sys.version.split()[0]}: run `make install`.")

import tomllib

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / os.environ.get("EASEL_VENV", ".venv")
"""What is filled: `.venv`, or `.venv-train` by `make test-train`, which is many times as large."""
VENV_PYTHON = VENV / "bin" / "python"
PYPROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "constraints.txt"

BUILD_TOOLS = ("pip", "hatchling", "editables")
"""What builds and installs the project itself: in `.venv`, and pinned, so that no build fetches anything."""

EXTRAS = ("dev",)
"""Groups of optional dependencies that `make test` installs."""
TRAIN_EXTRAS = (*EXTRAS, "train", "cluster")
"""Those that `make test-train` installs; all of them are pinned."""


def requirements(*extras: str) -> list[str]:
    """Requirements of the project as pyproject.toml states them, with those of the named extras."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
