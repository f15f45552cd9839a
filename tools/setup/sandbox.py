"""Bubblewrap, in which code that models write is run; without it the studio works, and the tools for code are off.

`make install` brings it where it may and else only tells; `python -m tools.setup.sandbox`, for tests, insists on it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

from tools.setup import debian

MISSING = (
    "Bubblewrap, in which code of models is run, is not installed, hence the tools for code are off: install it "
    "(on Debian or Ubuntu: sudo apt-get install bubblewrap; on Fedora: sudo dnf install bubblewrap)"
)


def find() -> str | None:
    """Path of a bubblewrap that starts, or None."""
    path = shutil.which("bwrap")
    try:
        works = (
            path and not subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return path if works else None


def offer() -> bool:
    """Installs it where this process may, else says how to; on other systems than Linux there is none.

    Returns:
        Whether it is there.
    """
    if not sys.platform.startswith("linux"):
        return False
    if find() or (debian.install("bubblewrap") and find()):
        return True
    print(f"{MISSING}.", file=sys.stderr, flush=True)
    return False


def main() -> None:
    """Makes sure that it is there.

    Raises:
        SystemExit: It could not be had; the tests of the sandbox are never skipped in silence.
    """
    if not offer():
        sys.exit("The tests need bubblewrap, which runs on Linux alone: install it, then try again.")


if __name__ == "__main__":
    main()
