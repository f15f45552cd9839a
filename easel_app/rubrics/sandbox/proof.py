"""The self-test: code that tries to get out of a sandbox, and a look from outside at whether it did."""

from __future__ import annotations

import json
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from easel_app.rubrics.sandbox import command
from easel_app.rubrics.sandbox.execution import Limits
from easel_app.rubrics.sandbox.session import BubblewrapSession

_WALL, _SCRATCH, _FILE, _THREADS = 10.0, 4 * 2**20, 2 * 2**20, 8
"""Small limits, so that what lies beyond them is soon tried."""
_CODE: Final = "import json; from inside.attempts import attempt; print(json.dumps(attempt(**{!r})))"


class Finding(NamedTuple):
    """What the self-test found."""

    what: str
    """A sentence without its full stop."""
    holds: bool


async def proven(limits: Limits) -> tuple[Finding, ...]:
    """Whether a sandbox holds what it promises, by trying.

    Raises:
        SandboxUnavailable: none can be started.
    """
    small = replace(limits, wall=_WALL, scratch=_SCRATCH, file=_FILE, processes=_THREADS)
    with _canary() as canary, _listening() as (listeners, port, abstract):
        given = {
            "canary": str(canary), "port": port, "abstract": abstract, "environment": ("PWD", *command.ENVIRONMENT),
            "memory": 2 * small.memory, "file": _FILE, "scratch": _SCRATCH,
        }  # fmt: skip
        session = await BubblewrapSession.open({}, False, small, preload=())
        try:
            told = await session.run(_CODE.format(given))
        finally:
            await session.close()
        reached = any(_reached(listener) for listener in listeners)
    try:
        found = json.loads(told.stdout)
        findings = [Finding(what, holds is True) for what, holds in found.items()]
    except (ValueError, AttributeError):
        last = (told.stderr.strip().splitlines() or list(told.notes) or [""])[-1]
        return (Finding(f"the code that tries to get out can run ({told.outcome}: {last})", False),)
    return (*findings, Finding("nobody knocked at this machine's doors", not reached))


@contextmanager
def _canary() -> Iterator[Path]:
    """A file with a secret that everybody may read."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder, "canary")
        file.write_text(secrets.token_hex(), encoding="ascii")
        yield file


@contextmanager
def _listening() -> Iterator[tuple[list[socket.socket], int, str]]:
    """Sockets of this machine: their list, the port of one, the abstract name of the other."""
    name = f"\0easel-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as local, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(name)
        abstract.listen()
        yield [local, abstract], int(local.getsockname()[1]), name


def _reached(listener: socket.socket) -> bool:
    listener.setblocking(False)
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True
