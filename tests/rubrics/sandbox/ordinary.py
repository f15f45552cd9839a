"""Runs Python as an ordinary user where only root can read it: python ordinary.py MODULE ARGUMENTS…

In a mount name space of its own the folders that are shut on the way to the interpreter and to the checkout are covered
by empty ones, and what is needed is bound where it was. Nothing else changes: the user is one of this machine's.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from pathlib import Path

NOBODY = 65534
NEW_MOUNTS, BIND, PRIVATE = 0x00020000, 0x1000, 0x4000 | 0x40000
DETACH = 2
LIBC = ctypes.CDLL(None, use_errno=True)


def mount(source: Path | str, target: Path | str, kind: str = "none", flags: int = 0, options: str = "") -> None:
    given = [os.fsencode(source), os.fsencode(target), kind.encode(), flags, options.encode()]
    if LIBC.mount(*given):
        raise OSError(ctypes.get_errno(), f"mount {source} {target}")


def shut(path: Path) -> Path | None:
    """The first folder on the way that others may not pass."""
    return next((each for each in [*reversed(path.parents), path] if not each.stat().st_mode & 1), None)


def open_up(needed: list[Path]) -> None:
    if LIBC.unshare(NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "unshare")
    mount("none", "/", flags=PRIVATE)
    behind = {path: closed for path in needed if (closed := shut(path))}
    holding = Path(tempfile.mkdtemp())
    mount("none", holding, "tmpfs", options="mode=755")
    for number, path in enumerate(behind):
        (holding / str(number)).mkdir()
        mount(path, holding / str(number), flags=BIND)
    for closed in sorted(set(behind.values())):
        mount("none", closed, "tmpfs", options="mode=755")
    for number, path in enumerate(behind):
        path.mkdir(parents=True, exist_ok=True)
        mount(holding / str(number), path, flags=BIND)
    LIBC.umount2(os.fsencode(holding), DETACH)
    holding.rmdir()


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[3]
    open_up([Path(sys.base_prefix), Path(sys.prefix), root])
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.chdir(root)
    os.execve(sys.executable, [sys.executable, "-B", *sys.argv[1:]], {**os.environ, "HOME": "/nonexistent"})
