"""What of this machine the sandbox is shown: its Python, the packages that code may use, system libraries, devices."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from easel_app.rubrics.sandbox.none import no_sandbox

DISTRIBUTIONS: Final = ("numpy", "pillow", "opencv-python", "opencv-python-headless", "scikit-image", "matplotlib")
"""What code may import, with what these need; of the two of OpenCV, one is installed."""
PRELOADED: Final = (
    "numpy", "PIL.Image", "PIL.ImageDraw", "PIL.ImageEnhance", "PIL.ImageFilter", "PIL.ImageFont", "PIL.ImageOps",
    "cv2", "skimage.io", "skimage.color", "skimage.exposure", "skimage.feature", "skimage.filters", "skimage.measure",
    "skimage.morphology", "skimage.restoration", "skimage.segmentation", "skimage.transform", "scipy.ndimage",
    "matplotlib.pyplot",
)  # fmt: skip
"""Imported once a session, before its first call."""
PACKAGES: Final = "/sandbox/packages"
FONTS: Final = "/usr/share/fonts/truetype/dejavu"
"""Where code looks for fonts; the files are matplotlib's own."""
_PYTHON: Final = "/sandbox/python"
_DEVICES: Final = ("null", "zero", "full", "random", "urandom")


class Shown(NamedTuple):
    """What is bound into the sandbox, all of it read-only."""

    executable: str
    """Python, by its path within."""
    options: tuple[str, ...]
    """Of bubblewrap."""


@cache
def shown() -> Shown:
    """What is shown, found out once for this process.

    Raises:
        SandboxUnavailable: a package is missing.
    """
    executable, python = _python()
    return Shown(executable, (*_system(), *python, *_packages(), *_devices()))


def _system() -> Iterator[str]:
    """The dynamic loader and the libraries of the system; no programs."""
    for name in ("lib", "lib64"):
        if Path("/usr", name).is_dir():
            yield from ("--ro-bind", f"/usr/{name}", f"/usr/{name}")
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))


def _python() -> tuple[str, list[str]]:
    """The interpreter that this one was made from, with its standard library, without what was installed into it."""
    base, name = Path(sys.base_prefix), f"python{sys.version_info[0]}.{sys.version_info[1]}"
    program = base / "bin" / name
    if base == Path("/usr"):  # its library is among the system's
        return str(program), ["--ro-bind", str(program), str(program)]
    options = ["--ro-bind", str(program), f"{_PYTHON}/bin/{name}", "--ro-bind", str(base / "lib"), f"{_PYTHON}/lib"]
    if (base / "lib64").is_dir():
        options += ["--ro-bind", str(base / "lib64"), f"{_PYTHON}/lib64"]
    if (base / "lib" / name / "site-packages").is_dir():
        hidden = f"{_PYTHON}/lib/{name}/site-packages"
        options += ["--size", "4096", "--tmpfs", hidden, "--remount-ro", hidden]
    return f"{_PYTHON}/bin/{name}", options


def _packages() -> Iterator[str]:
    """Each file and folder of the distributions, and of those that they require."""
    todo, seen = list(DISTRIBUTIONS), set()
    while todo:
        if (name := _canonical(todo.pop())) in seen:
            continue
        seen.add(name)
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # the other OpenCV, or for another system
        required = [each.partition(";") for each in found.requires or ()]
        todo += [re.split(r"[^\w.-]", each.strip())[0] for each, _, marker in required if "extra" not in marker]
        places = {part: found.locate_file(part) for part in sorted({file.parts[0] for file in found.files or ()})}
        for part, place in places.items():
            if part not in ("..", "__pycache__") and Path(str(place)).exists():
                yield from ("--ro-bind", str(place), f"{PACKAGES}/{part}")
        if name == "matplotlib":
            yield from ("--ro-bind", str(found.locate_file("matplotlib/mpl-data/fonts/ttf")), FONTS)
    if missing := [name for name in ("numpy", "pillow", "scikit-image", "matplotlib") if not _installed(name)]:
        raise no_sandbox(f"{' and '.join(missing)} cannot be found; install what the studio requires anew")


def _installed(name: str) -> bool:
    return any(importlib.metadata.distributions(name=name))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _devices() -> Iterator[str]:
    for name in _DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
