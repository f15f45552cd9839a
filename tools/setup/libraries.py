"""The system libraries that skia-python needs and does not bring: absent from slim Debian images."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools.setup import debian

PACKAGES = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libexpat.so.1": "libexpat1"}
"""Debian's package of each library that the dynamic linker looks for when skia is imported."""

_MISSING = re.compile(r"^ImportError: (\S+): cannot open shared object file", re.MULTILINE)


def missing_library(python: Path) -> str | None:
    """Name of the first library that keeps skia from being imported, or None when it can be.

    Raises:
        SystemExit: It cannot be imported for another reason.
    """
    done = subprocess.run([python, "-c", "import skia"], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    if found := _MISSING.search(done.stderr):
        return found[1]
    sys.exit(f"skia-python, which paints, is installed but cannot be imported; Python says:\n{done.stderr}")


def ensure(python: Path) -> None:
    """Makes sure that skia can be imported: installs what is missing when it may, else says how to.

    Raises:
        SystemExit: A library is missing, and it is for the reader to install it.
    """
    library = missing_library(python)
    if library in PACKAGES and debian.install(*PACKAGES.values()):
        library = missing_library(python)
    if library is None:
        return
    if library not in PACKAGES:
        sys.exit(f"skia-python needs the system library {library}, which is missing: install it, then try again.")
    sys.exit(
        f"skia-python needs the system library {library}, which is missing: install it (on Debian or Ubuntu: "
        f"sudo apt-get install {' '.join(PACKAGES.values())}; on Fedora: sudo dnf install libglvnd-egl libglvnd-glx), "
        "then try again."
    )
