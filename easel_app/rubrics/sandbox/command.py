"""The command line that starts a sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from easel_app.rubrics.sandbox import host
from easel_app.rubrics.sandbox.inside import runner
from easel_app.rubrics.sandbox.inside.scratch import SCRATCH, SHARED

_OWN: Final = "/sandbox/own"
_START: Final = f"import sys; sys.path += [{_OWN!r}, {host.PACKAGES!r}]; from inside.runner import main; main()"
ENVIRONMENT: Final = {
    "HOME": SCRATCH,
    "LANG": "C.UTF-8",
    "LD_LIBRARY_PATH": "/sandbox/python/lib",
    "MPLBACKEND": "agg",
    "MPLCONFIGDIR": f"{SCRATCH}/.matplotlib",
    # threads that a library starts as it is loaded would not outlive the forks of the runner
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""All of it."""
_FOLDERS: Final = (
    "/usr", "/usr/bin", "/usr/share", "/usr/share/fonts", "/usr/share/fonts/truetype", "/dev", "/mnt",
    "/sandbox", "/sandbox/own", "/sandbox/packages", "/sandbox/python", "/sandbox/python/bin",
)  # fmt: skip
"""Those that bubblewrap would make for itself alone, where it runs as root."""
_MOUNTS: Final = "/mnt"
_LINKS: Final = ((SCRATCH, "/tmp"), (SCRATCH, f"{_MOUNTS}/data"), (SHARED, "/dev/shm"))  # noqa: S108
"""Other places that programs expect to write to."""


def command(bubblewrap: str, shown: host.Shown, scratch: int, seccomp: int, info: int, wait: int | None) -> list[str]:
    """How bubblewrap is called.

    Args:
        bubblewrap: its path.
        shown: what is bound into the sandbox.
        scratch: bytes of the scratch folder, the only place that can be written to.
        seccomp: file descriptor that the filter is read from.
        info: file descriptor that it tells the number of its inner process to.
        wait: where this process is root, the file descriptor that it awaits its users from: the code then has one of
            its own.
    """
    if wait is not None:
        user = ["--userns-block-fd", str(wait), "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        user = ["--uid", str(runner.USER), "--gid", str(runner.USER)]
    return [
        bubblewrap, "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL", *user,
        "--info-fd", str(info), "--seccomp", str(seccomp), "--hostname", "sandbox",
        *(word for folder in _FOLDERS for word in ("--perms", "0755", "--dir", folder)),
        *shown.options, "--ro-bind", str(Path(runner.__file__).parent), f"{_OWN}/inside",
        "--size", str(scratch), "--perms", "1777", "--tmpfs", SCRATCH,
        *(word for to, place in _LINKS for word in ("--symlink", to, place)),
        "--remount-ro", "/", "--chdir", SCRATCH,
        "--clearenv", *(word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)),
        "--", shown.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _START,
    ]  # fmt: skip
