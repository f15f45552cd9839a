"""Packages of Debian and its kin, installed only where this process may do so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def install(*packages: str) -> bool:
    """Installs system packages when running as root on a Debian-like system.

    Returns:
        Whether they are installed now; False without a try when not root or without apt-get.
    """
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    print(f"Installing the system packages {', '.join(packages)} …", file=sys.stderr, flush=True)
    wanted = ("install", "--no-install-recommends", *packages)
    # the package lists of a fresh machine are empty or old, which only a failed try can tell
    return _apt_get(*wanted) or (_apt_get("update") and _apt_get(*wanted, explain=True))


def _apt_get(*arguments: str, explain: bool = False) -> bool:
    done = subprocess.run(
        ["apt-get", "-qq", "-y", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode and explain:
        print(done.stdout, file=sys.stderr)
    return done.returncode == 0
