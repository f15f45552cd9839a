"""What the self-test tries from within the code's process: each way out that it knows of has to be shut."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import resource
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from .syscalls import NUMBERS

_FOREIGN: Final = ("/proc", "/sys", "/etc", "/home", "/root", "/var", "/run", "/opt", "/srv")
_FIXED: Final = ("/", "/dev", "/usr", "/usr/lib", "/mnt", "/sandbox", "/sandbox/own/inside", "/sandbox/packages/numpy")
_PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_IS_SET = 21, 39, 47, 1
_CAPABILITIES: Final = 41
_CLONE_NEWUSER: Final = 0x10000000


def attempt(
    canary: str, port: int, abstract: str, environment: Sequence[str], memory: int, file: int, scratch: int
) -> dict[str, bool]:
    """Try them all.

    Args:
        canary: a file of this machine that everybody may read.
        port: on which this machine listens to itself.
        abstract: name of a socket on which it does as well.
        environment: names that may be in it.
        memory: bytes that are too many.
        file: bytes that a file may have.
        scratch: bytes that the scratch folder may have.

    Returns:
        What holds, by a sentence without its full stop.
    """
    libc = ctypes.CDLL(None)
    local: list[tuple[Any, ...]] = [
        (socket.create_connection, (name, port), 1) for name in ("127.0.0.1", "::1", "localhost")
    ]
    unix: list[tuple[Any, ...]] = [(_connect, name) for name in (canary, abstract)]
    calls: list[tuple[Any, ...]] = [
        (libc.unshare, _CLONE_NEWUSER),
        (libc.ptrace, 0, 0, 0, 0),
        (libc.mount, b"none", b"/scratch", b"tmpfs", 0, 0),
        *(
            (libc.syscall, numbers[_column()])
            for name, numbers in NUMBERS.items()
            if name in ("clone3", "bpf", "keyctl")
        ),
    ]
    processes: list[tuple[Any, ...]] = [(os.fork,), (os.execv, "/usr/bin/true", ["true"])]
    processes += [(os.kill, number, 0) for number in (1, os.getppid(), -1)]
    return {
        "files of this machine are out of sight": _fails(open, canary) and not any(map(os.path.exists, _FOREIGN)),
        "all but the scratch folder is read-only": all(_fails(_write, f"{folder}/new", 1) for folder in _FIXED),
        "the scratch folder and its files are limited": _fails(_write, "large", file + 1)
        and _fails(_fill, file, scratch),
        "no network and no socket of this machine can be reached": all(_fails(*each) for each in (*local, *unix)),
        "no secret is in the environment": set(os.environ) <= set(environment),
        "the code is no root": 0 not in (*os.getresuid(), *os.getresgid(), *os.getgroups()),
        "it has no rights and can get none": _no_rights(libc) and libc.prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1,
        "system calls are filtered": libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) == _FILTERED
        and all(function(*arguments) == -1 for function, *arguments in calls),
        "other processes are out of sight": os.getpid() < _FEW and os.getppid() < _FEW,
        "no process can be started or be sent a signal": all(_fails(*each) for each in processes),
        "memory is limited": _fails(bytearray, memory),
        "threads are limited": _threads(),
        "limits cannot be raised": _fails(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)),
        "numpy, Pillow, OpenCV, scikit-image and matplotlib are there": all(
            map(importlib.util.find_spec, ("numpy", "PIL", "cv2", "skimage", "matplotlib"))
        ),
    }


_FILTERED: Final = 2
_FEW: Final = 100
_SOME: Final = 2


def _fails(function: Callable[..., object], *arguments: Any) -> bool:
    try:
        function(*arguments)
    except (OSError, MemoryError, RuntimeError, ValueError):
        return True
    return False


def _write(path: str, count: int) -> None:
    Path(path).write_bytes(bytes(count))


def _fill(file: int, scratch: int) -> None:
    for number in range(scratch // file + 1):
        _write(f"part{number}", file)


def _connect(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(name)


def _no_rights(libc: ctypes.CDLL) -> bool:
    head, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    ambient = (libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_IS_SET, right, 0, 0) for right in range(_CAPABILITIES))
    return libc.capget(head, sets) == 0 and not any(sets) and not any(ambient)


def _threads() -> bool:
    """Whether some can be started and not ever more."""
    gate = threading.Event()
    threads = [threading.Thread(target=gate.wait, daemon=True) for _ in range(1000)]
    with suppress(RuntimeError, MemoryError):
        for thread in threads:
            thread.start()
    gate.set()
    return _SOME < sum(thread.ident is not None for thread in threads) < len(threads)


def _column() -> int:
    return int(os.uname().machine == "aarch64")
