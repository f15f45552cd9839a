"""Compiles the painting engine and the painters ahead of the first visitor, and again only when numba would have to."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from pathlib import Path

from tools.setup.project import CONSTRAINTS, ROOT, VENV_PYTHON

ENGINE = ROOT / "easel_app" / "engine"
SOURCES = (ENGINE, ROOT / "easel_app" / "painting" / "painters", ROOT / "easel_app" / "scoring")
"""Folders whose sources the machine code is made from."""


def stamp_file() -> Path:
    """The record of the last compilation; it lives in the cache that it speaks of, and goes with it."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or ENGINE / "__pycache__") / "kernels.stamp"


def fingerprint() -> str:
    """A digest that changes whenever numba would find its cache stale.

    As numba does, it looks at the places, times and sizes of the sources and at the processor; the constraints stand
    for the compiler's version.
    """
    digest = hashlib.sha256(CONSTRAINTS.read_bytes())
    for path in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    digest.update(f"{sys.implementation.cache_tag} {_processor()}".encode())
    return digest.hexdigest()


def _processor() -> str:
    """What the compiler sees of the processor: its name and features, where the system tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))


def ensure() -> None:
    """Compiles the kernels unless the last compilation still holds.

    Raises:
        SystemExit: They do not compile; the compiler has said why.
    """
    stamp = stamp_file()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint():
        return
    print("Compiling the painting kernels, so that no visitor waits for it …", flush=True)
    if subprocess.run([VENV_PYTHON, "-m", "easel_app.cli", "warm"], cwd=ROOT, check=False).returncode:
        sys.exit("The painting kernels did not compile, for the reason above; without them nothing can be painted.")
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(fingerprint(), encoding="utf-8")
