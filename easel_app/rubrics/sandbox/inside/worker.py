"""The process that runs the code. From the first call on it is the code's: nothing that it says is believed."""

from __future__ import annotations

import atexit
import ctypes
import io
import linecache
import os
import platform
import resource
import sys
import threading
import time
import traceback
import types
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from . import frames, seccomp
from .scratch import SCRATCH

CODE, SAID = 3, 4
"""File descriptors: code comes in, how it ended goes out."""
DONE, RAISED, MEMORY = b"d", b"r", b"m"
_COMPILE, _EXECUTE = compile, exec
_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER = 4, 22, 38, 2


def live(files: Sequence[int], memory: int, keep: bool) -> NoReturn:
    """Be a worker until the end.

    Args:
        files: what its file descriptors 0 to 4 become; there are no others.
        memory: bytes of address space.
        keep: whether variables live from call to call; else there is one call.
    """
    for to, file in enumerate(files):
        os.dup2(file, to)
    os.closerange(len(files), resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    _reseed()
    exactly = frames.reader(CODE)
    module = types.ModuleType("__main__")
    vars(module).update(exit=sys.exit, quit=sys.exit)
    sys.modules["__main__"] = module
    os.chdir(SCRATCH)
    sys.path.insert(0, SCRATCH)  # code may import what it wrote
    shut()
    read, run, variables, number = frames.read, _run, vars(module), 0  # held here, where code finds them less easily
    while True:
        head, (source,) = read(exactly)
        number += 1
        said = run(source.decode("utf-8", "surrogatepass"), variables, number, keep)
        with suppress(BaseException):
            sys.stdout.flush()
        with suppress(BaseException):
            sys.stderr.flush()
        try:
            os.write(SAID, said + head["token"].encode())
        except OSError:  # the code has closed it: whoever listens sees that, and ends this process
            while True:
                time.sleep(1)


def shut() -> None:
    """Put the code's filter on this process, or end it: without one nothing is run."""
    rules = seccomp.program(platform.machine(), seccomp.code_rules(os.getpid()))
    array = ctypes.create_string_buffer(rules, len(rules))
    filter_ = _Program(len(rules) // 8, ctypes.cast(array, ctypes.c_void_p))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = (ctypes.c_int, *[ctypes.c_ulong] * 4)
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or prctl(_PR_SET_SECCOMP, _FILTER, ctypes.addressof(filter_), 0, 0):
        os._exit(1)


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _reseed() -> None:
    """Else each call would draw the random numbers of the one before; Python's own module sees to itself."""
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()


def _run(source: str, variables: dict[str, Any], number: int, keep: bool) -> bytes:
    sys.stdout, sys.stderr = _text(1), _text(2)  # code may have closed or replaced them
    name = "<code>" if number == 1 else f"<code {number}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        _EXECUTE(_COMPILE(source, name, "exec", dont_inherit=True), variables)
        return DONE
    except BaseException as error:
        return _told(error)
    finally:
        if not keep:
            _end()


def _told(error: BaseException) -> bytes:
    """Print what was raised as Python does, without the frames that are ours."""
    if isinstance(error, SystemExit) and isinstance(error.code, int | None):
        return RAISED if error.code else DONE
    with suppress(BaseException):
        if isinstance(error, SystemExit):
            sys.stderr.write(f"{error.code}\n")
        else:
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
            traceback.print_exception(error)
    out_of_memory = isinstance(error, MemoryError) or getattr(error, "code", None) == _CV_NO_MEMORY
    return MEMORY if out_of_memory else RAISED


_CV_NO_MEMORY: Final = -4
"""`cv2.error.code` where OpenCV could not allocate."""


def _end() -> None:
    """What Python does at the end of a program: wait for threads that are no daemons, then call what was registered."""
    with suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]
    with suppress(BaseException):
        atexit._run_exitfuncs()


def _text(file: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(file, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )
