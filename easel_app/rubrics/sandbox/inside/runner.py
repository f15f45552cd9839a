"""The first process in the sandbox: it sets the limits, starts the workers that run the code, and answers for them.

It never runs code itself, yet what is outside does not rely on that: whoever took it over would still be shut in.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import importlib
import math
import os
import resource
import selectors
import signal
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from . import frames, scratch, worker
from .streams import Stream

USER: Final = 1000
TICK: Final = 0.02
"""Seconds between two looks at what a call has used up."""
SPARE_PROCESSES: Final = 4
"""The first process, this one and two workers."""
OPEN_FILES: Final = 256
_PR_SET_DUMPABLE: Final = 4
_CAPABILITY_VERSION: Final = 0x20080522
"""The third, of which sets have two words for each capability's three kinds."""
PATIENCE: Final = 1.0
"""Seconds in which a process has to stop, or to end after it closed its files; then it is ended."""
_LOOK: Final = 0.002
_HOW: Final = {worker.DONE: "done", worker.RAISED: "raised", worker.MEMORY: "too_much_memory"}


class Limits(NamedTuple):
    """As in `execution.Limits`."""

    wall: float
    cpu: float
    memory: int
    file: int
    processes: int
    output: int
    images: int
    image_bytes: int
    all_image_bytes: int


def main() -> None:
    """Serve what is outside until it goes away."""
    os.closerange(3, OPEN_FILES)
    incoming, outgoing = (fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 3) for file in (0, 1))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    _become_nobody()
    exactly = frames.reader(incoming)
    head, blobs = frames.read(exactly)
    limits = Limits(**head["limits"])
    _bound(limits)
    scratch.prepare()
    for name, content in zip(head["names"], blobs, strict=True):
        with open(f"{scratch.SCRATCH}/{name}", "wb") as file:  # noqa: PTH123
            file.write(content)
    for module in head["preload"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    os.dup2(nothing, 2)
    gc.collect()
    gc.freeze()  # else the collector of each worker would copy the memory that they share
    runner = Runner(limits, head["keep"])
    frames.write(outgoing, frames.pack({"ready": True}))
    with contextlib.suppress(EOFError):
        while True:
            _, (code,) = frames.read(exactly)
            answer, parts = runner.run(code)
            frames.write(outgoing, frames.pack(answer, parts))


def _become_nobody() -> None:
    """Where what is outside is root, this process begins as root without rights; the limits count for no root."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    libc = ctypes.CDLL(None)
    head, sets = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capset(head, sets) or 0 in (*os.getresuid(), *os.getresgid()):
        raise SystemExit("the code would have rights that it must not have")
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # no process may look into this one


def _bound(limits: Limits) -> None:
    for which, most in {
        resource.RLIMIT_NPROC: limits.processes + SPARE_PROCESSES,
        resource.RLIMIT_FSIZE: limits.file,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: OPEN_FILES,
    }.items():
        resource.setrlimit(which, (most, most))


class Runner:
    """Runs calls one after the other."""

    def __init__(self, limits: Limits, keep: bool) -> None:
        self._limits, self._keep = limits, keep
        self._worker = Worker(limits, keep)

    def run(self, code: bytes) -> tuple[dict[str, Any], list[bytes]]:
        """Run a call.

        Returns:
            The head and the blobs of the answer: the beginning and the end of stdout, the same of stderr, the images.
        """
        before = scratch.state()
        one = self._worker
        how = one.run(code)
        lives = self._keep and how in _HOW.values() and one.pause()
        status = 0 if lives else one.end()
        answer: dict[str, Any] = {"how": how, "status": status, "variables_gone": self._keep and not lives}
        parts = [part for stream in (one.out, one.err) for part in (stream.head, stream.tail)]
        answer["left_out"] = [one.out.left_out, one.err.left_out]
        scratch.prepare()
        if not lives:
            self._worker = Worker(self._limits, self._keep)
        images = self._images(scratch.changed(before), answer)
        return answer, parts + images

    def _images(self, found: Sequence[scratch.Found], answer: dict[str, Any]) -> list[bytes]:
        """The images among files; what is to be said of the others goes into the answer."""
        limits = self._limits
        kinds = [(scratch.kind(each), each) for each in found]
        answer["not_shown"] = [_name(each) for kind, each in kinds if kind == "called"][: limits.images]
        images = [each for kind, each in kinds if kind == "image"]
        fit = [each for each in images if each.size <= limits.image_bytes]
        names, contents, room = [], [], limits.all_image_bytes
        for each in fit[: limits.images]:
            if each.size <= room and (content := scratch.content(each, limits.image_bytes)):
                names.append(_name(each))
                contents.append(content)
                room -= len(content)
        large = [_name(each) for each in images if each.size > limits.image_bytes]
        answer |= {"names": names, "large": large[: limits.images], "more": len(fit) - len(names)}
        return contents


def _name(found: scratch.Found) -> str:
    path = found.path.removeprefix(f"{scratch.SCRATCH}/")
    return path.encode("utf-8", "replace").decode()[-200:]


class Worker:
    """A process that runs code."""

    def __init__(self, limits: Limits, keep: bool) -> None:
        """Start one, which waits for code."""
        self._limits = limits
        (code, self._code), (self._said, said) = os.pipe(), os.pipe()
        (out, told_out), (err, told_err) = os.pipe(), os.pipe()
        theirs = (code, said, told_out, told_err)
        self._pid = os.fork()
        if self._pid == 0:
            try:
                worker.live((0, told_out, told_err, code, said), limits.memory, keep)
            finally:
                os._exit(1)
        for file in theirs:
            os.close(file)
        for file in (self._code, self._said):
            os.set_blocking(file, False)
        self.out, self.err = Stream(out, limits.output), Stream(err, limits.output)

    def run(self, code: bytes) -> str:
        """How a call ended: as `_HOW` has it, else `too_long`, `crashed`, `unheard` or `full`.

        Unheard is one that goes on and cannot tell how it ends, or told what only other code can have said.
        """
        self.out.clear()
        self.err.clear()
        os.kill(self._pid, signal.SIGCONT)
        token = os.urandom(8).hex()
        left = memoryview(b"".join(frames.pack({"token": token}, [code])))
        how, closed = "", math.inf
        with selectors.DefaultSelector() as selector:
            for file in (self._said, self.out.file, self.err.file):
                selector.register(file, selectors.EVENT_READ)
            selector.register(self._code, selectors.EVENT_WRITE)
            end, cpu = time.monotonic() + self._limits.wall, self._cpu() + self._limits.cpu
            while not how:
                for key, _ in selector.select(TICK):
                    if key.fd == self._said:
                        if said := os.read(self._said, 4096):
                            how = _HOW.get(said[:1], "unheard") if said[1:] == token.encode() else "unheard"
                        else:  # closed, as by each process just before it ends
                            selector.unregister(self._said)
                            closed = time.monotonic() + PATIENCE
                    elif key.fd == self._code:
                        try:
                            left = left[os.write(self._code, left) :]
                        except OSError:  # it reads no more
                            left = left[len(left) :]
                        if not left:
                            selector.unregister(self._code)
                    else:
                        stream = self.out if key.fd == self.out.file else self.err
                        if not stream.read() and stream.ended:
                            selector.unregister(stream.file)
                if not how and closed < math.inf and self._ended():
                    how = "crashed"
                if not how and time.monotonic() > closed:
                    how = "unheard"
                if not how and (time.monotonic() > end or self._cpu() > cpu):
                    how = "too_long"
                if scratch.full():
                    how = "full"
        return how

    def pause(self) -> bool:
        """Let it rest until the next call, threads that it left behind included.

        Returns:
            Whether it rests and can be told something; else it is to be ended.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not scratch.full():
            os.kill(self._pid, signal.SIGSTOP)  # again, since its threads may all the while bid it go on
            number, status = os.waitpid(self._pid, os.WUNTRACED | os.WNOHANG)
            if number:
                self._drain()
                if not os.WIFSTOPPED(status):
                    self._pid = 0
                    return False
                return not (self.out.ended or self.err.ended)
            time.sleep(_LOOK)
        return False

    def end(self) -> int:
        """End it.

        Returns:
            How it ended, as `waitpid` tells it.
        """
        status = 0
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            _, status = os.waitpid(self._pid, 0)
        self._drain()
        for file in (self._code, self._said, self.out.file, self.err.file):
            os.close(file)
        return status

    def _drain(self) -> None:
        self.out.drain()
        self.err.drain()

    def _ended(self) -> bool:
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _cpu(self) -> float:
        """Seconds of the processor that all of its threads have used."""
        try:
            return time.clock_gettime((~self._pid << 3) | 2)  # the clock of that process
        except OSError:
            return 0.0


if __name__ == "__main__":
    main()
