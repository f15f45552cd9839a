"""The real server as a process of its own: started as it is typed, or forked from a process that has imported it.

The import of the whole studio takes several times as long as all else that a server does at its start.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Protocol

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["easel_app.application", __name__])
Environment = dict[str, str]


class Command(Protocol):
    """The `easel` command, running; a part of `subprocess.Popen`."""

    @property
    def stdout(self) -> IO[str] | None: ...
    def kill(self) -> None: ...
    def terminate(self) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


Start = Callable[[list[str], Environment], Command]
"""How the command comes to run with some arguments in some environment: `typed` or `forked`."""


def typed(arguments: list[str], environment: Environment) -> Command:
    """Start the command as a person does."""
    command = [sys.executable, "-m", "easel_app.cli", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def forked(arguments: list[str], environment: Environment) -> Command:
    """Start the command from a process that has imported all of it; elsewhere than on Linux a fork is not safe."""
    return _Fork(arguments, environment) if sys.platform == "linux" else typed(arguments, environment)


class _Fork:
    def __init__(self, arguments: list[str], environment: Environment) -> None:
        heard, said = FORKS.Pipe(duplex=False)
        with heard, said:
            self._process = FORKS.Process(target=be_easel, args=(arguments, environment, said), daemon=True)
            self._process.start()
            self.stdout = os.fdopen(os.dup(heard.fileno()))
        self.kill, self.terminate = self._process.kill, self._process.terminate

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutError(f"The process has not ended after {timeout} seconds.")
        return self._process.exitcode


def be_easel(arguments: list[str], environment: Environment, output: Connection) -> None:
    """Run the `easel` command in this process, which does nothing else."""
    from easel_app.cli import main

    os.environ.clear()
    os.environ.update(environment)
    os.dup2(output.fileno(), 1)
    sys.argv[1:] = arguments
    main()


class Server:
    """A server on a data folder that outlives it; when it is started again it has the same address."""

    def __init__(self, data_dir: Path, start: Start = typed) -> None:
        self.data_dir = data_dir
        self.port = 0
        """Whichever is free at the first start."""
        self._start = start
        self._command: Command | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {**os.environ, "EASEL_DATA_DIR": str(self.data_dir)}
        self._command = self._start(["serve", "--port", str(self.port)], environment)
        assert self._command.stdout
        line = self._command.stdout.readline()  # printed when it answers
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found and self.port in (0, int(found[1])), f"the server did not start: {line!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        if self._command:
            self._command.kill()
            self._end()

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        assert self._command
        self._command.terminate()
        return self._end()

    def _end(self) -> int:
        assert self._command and self._command.stdout
        status = self._command.wait(20)
        self._command.stdout.close()
        self._command = None
        return status


@contextmanager
def serving(data_dir: Path, start: Start = typed) -> Iterator[Server]:
    server = Server(data_dir, start)
    try:
        server.start()
        yield server
    finally:
        server.kill()
