"""Pictures that come in packages: found where they are installed, or fetched by name into the build folder.

Nothing here is needed at run time: the pictures of the tasks are committed. The ordinary clients (npm, pip) fetch a
package by its name and pinned version; what is in the build folder already is not fetched again.
"""

from __future__ import annotations

import bz2
import importlib.util
import json
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SCIPY = "1.11.4"
"""The last line of SciPy whose wheel carried its picture of a raccoon."""
NOTO = "1.2.9"
FLUENT = "1.2.6"


def installed(package: str, inside: str) -> Path:
    """The path of a file that an installed package ships.

    Raises:
        FileNotFoundError: the package is not installed, or has no such file.
    """
    spec = importlib.util.find_spec(package)
    roots = list(spec.submodule_search_locations or []) if spec else []
    for root in roots:
        if (path := Path(root) / inside).is_file():
            return path
    raise FileNotFoundError(f"{package} does not ship {inside} here: install it with `pip install {package}`")


@cache
def photograph(package: str, inside: str) -> NDArray[np.uint8]:
    """A photograph from an installed package as uint8 (h, w, 3); grey ones get three equal channels."""
    with Image.open(installed(package, inside)) as picture:
        return np.asarray(picture.convert("RGB"))


@cache
def raccoon(build: Path) -> NDArray[np.uint8]:
    """SciPy's picture of a raccoon, uint8 (768, 1024, 3), from the wheel that still carried it."""
    platform = ["--only-binary=:all:", "--python-version", "3.11", "--platform", "manylinux2014_x86_64"]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *platform, "--dest", str(build)]
    wheel = _fetched(build, f"scipy-{SCIPY}-*.whl", [*command, f"scipy=={SCIPY}"])
    with zipfile.ZipFile(wheel) as archive:
        raw = bz2.decompress(archive.read("scipy/misc/face.dat"))
    return np.frombuffer(raw, np.uint8).reshape(768, 1024, 3)


@cache
def emoji(build: Path, package: str, version: str, name: str) -> str:
    """One emoji of an Iconify package as a complete SVG document.

    Raises:
        KeyError: the package has no emoji of that name.
    """
    command = ["npm", "pack", "--silent", "--pack-destination", str(build), f"@iconify-json/{package}@{version}"]
    archive = _fetched(build, f"iconify-json-{package}-{version}.tgz", command)
    with tarfile.open(archive) as tar:
        member = tar.extractfile("package/icons.json")
        assert member is not None  # noqa: S101 (a file of the archive, not a folder)
        icons = json.load(member)
    icon = icons["icons"][name]
    width, height = (icon.get(side, icons.get(side, 16)) for side in ("width", "height"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">{icon["body"]}</svg>'
    )


def _fetched(build: Path, pattern: str, command: list[str]) -> Path:
    """The one file that matches, after running the command if there is none."""
    build.mkdir(parents=True, exist_ok=True)
    if not list(build.glob(pattern)):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(build.glob(pattern))
