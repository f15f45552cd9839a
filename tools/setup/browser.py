"""The browser that the tests drive: the one that is installed, else one that this module installs.

Prints its path for `make test`, which hands it to the tests as EASEL_CHROMIUM; the tests use `find_browser` when they
are started without `make`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from tools.setup import debian

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def find_browser() -> str | None:
    """Path of a Chromium or Chrome that starts, or None.

    Looks at EASEL_CHROMIUM alone when that is set, else on PATH, among macOS's applications and at Playwright's own.
    """
    if chosen := os.environ.get("EASEL_CHROMIUM"):
        chosen = shutil.which(chosen) or chosen
        return chosen if _starts(chosen) else None
    return next(filter(_starts, _candidates()), None)


def ensure_browser() -> str:
    """Path of a Chromium or Chrome that starts; installs one if there is none.

    Raises:
        SystemExit: None could be had; browser tests are never skipped in silence.
    """
    if found := find_browser():
        return found
    if chosen := os.environ.get("EASEL_CHROMIUM"):
        sys.exit(f"EASEL_CHROMIUM={chosen} does not start as a browser: correct or unset it, then try again.")
    # what an installer claims counts for nothing (Ubuntu's chromium package is a stub): the browser has to start
    for install in (_install_from_debian, _install_from_playwright):
        if install() and (found := find_browser()):
            return found
    sys.exit(
        "The browser tests need Chromium or Chrome, which is not installed and could not be: install it (on Debian: "
        "sudo apt-get install chromium), or name one with EASEL_CHROMIUM=/path/to/chromium, then try again."
    )


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from filter(os.path.exists, MAC_PATHS)
    if importlib.util.find_spec("playwright"):
        from playwright.sync_api import sync_playwright

        with contextlib.suppress(Exception), sync_playwright() as playwright:
            yield playwright.chromium.executable_path


def _starts(path: str) -> bool:
    """Whether it runs as far as telling its version, which takes all of its shared libraries."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _install_from_debian() -> bool:
    return debian.install("chromium")


def _install_from_playwright() -> bool:
    """Playwright's own build, with the system libraries that it needs where they may be installed."""
    print("Installing Playwright's Chromium …", file=sys.stderr, flush=True)
    system = ["--with-deps"] if os.geteuid() == 0 and shutil.which("apt-get") else []
    command = [sys.executable, "-m", "playwright", "install", *system, "chromium"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode == 0


if __name__ == "__main__":
    print(ensure_browser())
