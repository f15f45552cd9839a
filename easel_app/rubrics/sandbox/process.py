"""A sandbox as a process of this machine: started, talked to, ended."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import select
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from easel_app.rubrics.sandbox import host, text
from easel_app.rubrics.sandbox.command import command
from easel_app.rubrics.sandbox.inside import seccomp
from easel_app.rubrics.sandbox.inside.syscalls import MACHINES
from easel_app.rubrics.sandbox.none import no_sandbox

_USERS: Final = "0 0 1\n1000 61999 1\n"
"""Users within and without, where this process is root: the code's is one that owns nothing."""
_PATIENCE: Final = 30.0
"""Seconds until bubblewrap has to tell of its inner process."""
_MOST_SAID: Final = 4096
MISSING: Final = "bubblewrap is not installed: install it (on Debian or Ubuntu: sudo apt-get install bubblewrap)"


class Process:
    """A running sandbox. It belongs to the thread and to the event loop that started it, and dies with the thread."""

    def __init__(self, process: subprocess.Popen[bytes], incoming: int) -> None:
        self._process = process
        self._incoming = incoming
        self._inner: int | None = None
        self._reader = asyncio.StreamReader()
        self._listener: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | None = None

    @classmethod
    async def start(cls, scratch: int) -> Process:
        """Start one.

        Args:
            scratch: bytes of its scratch folder.

        Raises:
            SandboxUnavailable: it cannot be started.
        """
        if not (bubblewrap := shutil.which("bwrap")):
            raise no_sandbox(MISSING)
        shown = host.shown()
        if (machine := platform.machine()) not in MACHINES:
            raise no_sandbox(f"its filter of system calls is not written for processors such as this one ({machine})")
        root = _is_root()
        with _Pipes() as pipes:
            (rules_in, rules_out), (incoming, told) = pipes.new(), pipes.new()
            os.write(rules_out, seccomp.program(machine, seccomp.SANDBOX))
            pipes.close(rules_out)
            (wait, go), (info, tell) = pipes.new(), pipes.new()
            line = command(bubblewrap, shown, scratch, rules_in, tell, wait if root else None)
            try:
                process = subprocess.Popen(  # noqa: S603, ASYNC220 - a few milliseconds, and it dies with this thread
                    line,
                    bufsize=0,
                    env={},
                    pass_fds=(rules_in, wait, tell),
                    stdin=subprocess.PIPE,
                    stdout=told,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                raise no_sandbox(f"bubblewrap cannot be started ({error.strerror})") from None
            found = cls(process, pipes.keep(incoming))
            pipes.close(tell)
            started = asyncio.ensure_future(asyncio.to_thread(found._meet, info, go if root else None))
            try:
                await asyncio.shield(started)
                await found._connect()
            except BaseException as error:
                # a thread goes on when whoever waits for it is cut off; and bubblewrap, ended by halves, would stay
                try:
                    await asyncio.gather(started, return_exceptions=True)
                finally:
                    said = found.said()
                    await found.end()
                if isinstance(error, OSError):
                    raise no_sandbox(not_started(said or str(error))) from None
                raise
            return found

    def _meet(self, info: int, go: int | None) -> None:
        """Learn of the inner process, and let it go on as whom it shall.

        Raises:
            OSError: it ended, or may not have these users.
        """
        told = b""
        while not told.rstrip().endswith(b"}"):
            if not select.select([info], [], [], _PATIENCE)[0] or not (part := os.read(info, 4096)):
                raise OSError("it ended")
            told += part
        number = int(json.loads(told)["child-pid"])
        self._inner = os.pidfd_open(number)
        if go is not None:
            for name in ("uid_map", "gid_map"):
                Path("/proc", str(number), name).write_text(_USERS, encoding="ascii")
            os.write(go, b"1")

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(self._reader)
        file = os.fdopen(self._incoming, "rb", 0)
        self._incoming = -1
        self._listener, _ = await loop.connect_read_pipe(lambda: protocol, file)
        self._writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._process.stdin)

    @property
    def number(self) -> int:
        """Of the process that this machine sees."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, parts: Sequence[bytes]) -> None:
        """Send it something; what it does not take is kept until it does, or ends."""
        if self._writer:
            for part in parts:
                self._writer.write(part)

    async def receive(self, count: int) -> bytes:
        """So many bytes of what it says.

        Raises:
            EOFError: it ended.
        """
        return await self._reader.readexactly(count)

    def said(self) -> str:
        """What bubblewrap or Python complained of last, in one line."""
        said = b""
        if self._process.stderr:
            os.set_blocking(self._process.stderr.fileno(), False)
            with suppress(OSError):
                said = self._process.stderr.read(_MOST_SAID) or b""
        lines = text.cleaned(said).split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")[-300:].strip().rstrip(".")

    async def end(self) -> None:
        """Kill it with all that is in it, and let go of it; safe to call twice."""
        if self._inner is not None:  # first, since it does not die with its parent before that has let it go on
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inner, signal.SIGKILL)
            os.close(self._inner)
            self._inner = None
        self._process.kill()
        if self._writer and not self._writer.is_closing():
            self._writer.abort()  # what it has not taken is not waited for
        if self._listener:
            self._listener.close()
        if self._incoming >= 0:
            os.close(self._incoming)
            self._incoming = -1
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()  # it was killed: this takes no time
        await asyncio.sleep(0)  # the transports close their files when the loop comes round


def not_started(said: str) -> str:
    """Why a sandbox does not start, as a part of a sentence, from what was said last."""
    return f"it does not start here ({said or 'without a word'}); the studio's user must be allowed user name spaces"


class _Pipes:
    """File descriptors that are closed in the end, whatever happens."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._open:
            os.close(file)

    def new(self) -> tuple[int, int]:
        """A pipe: the end to read from, the end to write to."""
        ends = os.pipe()
        self._open.update(ends)
        return ends

    def close(self, file: int) -> None:
        os.close(file)
        self._open.discard(file)

    def keep(self, file: int) -> int:
        self._open.discard(file)
        return file


def _is_root() -> bool:
    """Whether this process is root with users to give away; root of a container may have none but itself."""
    if os.geteuid() != 0:
        return False
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()]
    return any(int(first) <= 61999 < int(first) + int(count) for first, _, count in ranges)
