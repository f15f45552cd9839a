"""The system libraries that installed packages need and do not bring: absent from slim Debian images."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tools.setup import debian


class Need(NamedTuple):
    """What one Python package expects of the system."""

    package: str
    probe: tuple[str, ...]
    """Arguments that make Python load the package's machine code, and fail when a library is missing."""
    libraries: dict[str, str]
    """Debian's package of each library that the machine code links."""
    elsewhere: str
    """The command that gets them on Fedora."""


SKIA = Need(
    "skia-python",
    ("-c", "import skia"),
    {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libexpat.so.1": "libexpat1"},
    "dnf install libglvnd-egl libglvnd-glx expat",
)
PLAYWRIGHT = Need(
    "Playwright, which drives the browser in tests,",
    ("-m", "playwright", "--version"),
    {"libatomic.so.1": "libatomic1"},
    "dnf install libatomic",
)

_MISSING = re.compile(r"^(?:ImportError|\S+: error while loading shared libraries): (\S+): cannot open", re.MULTILINE)


def missing_library(python: Path, need: Need) -> str | None:
    """Name of the first library that keeps a package from being loaded, or None when it can be.

    Raises:
        SystemExit: It cannot be loaded for another reason.
    """
    done = subprocess.run([python, *need.probe], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    if found := _MISSING.search(done.stderr):
        return found[1]
    sys.exit(f"{need.package} is installed but cannot be loaded; it says:\n{done.stderr}")


def ensure(python: Path, need: Need) -> None:
    """Makes sure that a package can be loaded: installs what is missing when it may, else says how to.

    Raises:
        SystemExit: A library is missing, and it is for the reader to install it.
    """
    library, packages = missing_library(python, need), need.libraries.values()
    if library in need.libraries and debian.install(*packages):
        library = missing_library(python, need)
    if library is None:
        return
    get = f" (on Debian or Ubuntu: sudo apt-get install {' '.join(packages)}; on Fedora: sudo {need.elsewhere})"
    sys.exit(
        f"{need.package} needs the system library {library}, which is missing: "
        f"install it{get if library in need.libraries else ''}, then try again."
    )
