"""Worker processes that make shards: hired, told what to do, missed when they die, and dismissed."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Self

from easel_app.trajectories.engines.engine import SINGLE_THREADED, Failure, attempt, portable

PATIENCE = 2.0
"""Seconds that the workers have to tidy up when they are dismissed."""
SPAWN = multiprocessing.get_context("spawn")
"""A new interpreter for each worker: a fork would copy threads and locks in whatever state they are."""


class Death(NamedTuple):
    """The worker is no more, and its shard is not made."""

    why: str


class _Worker(NamedTuple):
    process: multiprocessing.process.BaseProcess
    line: Connection


class Crew:
    """Workers on this machine, each making one shard at a time. A context: at its end they are all gone.

    Of its own, since the pools of `concurrent.futures` and loky end every worker when one dies and do not tell whose
    shard it was, and `multiprocessing.Pool` waits for the dead one for ever.
    """

    def __init__(self, job: Callable[[int], Any]) -> None:
        """Workers that do the job, which can be pickled."""
        self._job = pickle.dumps(job)
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        for worker in workers:
            worker.process.terminate()
        end = time.monotonic() + PATIENCE
        for worker in workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            _end(worker)
        self._idle.clear()
        self._busy.clear()

    @property
    def busy(self) -> int:
        """How many are at work."""
        return len(self._busy)

    def give(self, shard: int) -> None:
        """Have somebody make a shard: who has nothing to do, or else a worker newly hired."""
        worker = self._idle.pop() if self._idle else self._hire()
        self._busy[worker.line] = worker, shard
        with suppress(OSError):  # one who is dead already is missed below
            worker.line.send(shard)

    def news(self) -> Iterator[tuple[int, Any]]:
        """Wait for somebody to be done or dead: shards with what the job returned, a Failure, or a Death."""
        ready = wait(list(self._busy))
        for line in [line for line in self._busy if line in ready]:
            worker, shard = self._busy.pop(line)
            try:
                outcome = worker.line.recv()
            except (EOFError, OSError, pickle.UnpicklingError):
                yield shard, Death(_end(worker))
            else:
                self._idle.append(worker)
                yield shard, outcome

    def _hire(self) -> _Worker:
        ours, theirs = SPAWN.Pipe()
        process = SPAWN.Process(target=_serve, args=(theirs,), daemon=True)
        with theirs, _sheltered():
            process.start()
        with suppress(OSError):
            ours.send_bytes(self._job)
        return _Worker(process, ours)


def _end(worker: _Worker) -> str:
    """Make sure that a worker is gone; how it ended, in words."""
    worker.line.close()
    worker.process.join(0.1)  # it may be about to go by itself
    worker.process.kill()
    worker.process.join()
    code = worker.process.exitcode or 0
    return f"killed by {signal.Signals(-code).name}, perhaps for want of memory" if code < 0 else f"exit code {code}"


@contextmanager
def _sheltered() -> Iterator[None]:
    """Start a process with one thread for its arithmetic and deaf to Ctrl-C, on which it waits to be dismissed."""
    before = {name: os.environ.get(name) for name in SINGLE_THREADED}
    resource_tracker.ensure_running()  # for that would hear Ctrl-C again
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.environ.update(SINGLE_THREADED)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _serve(line: Connection) -> None:
    """A worker's life: the job, then shard after shard, until it is dismissed or left alone."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that unfinished files are removed
    threading.Thread(target=_die_with_parent, daemon=True).start()
    job: Callable[[int], Any] | Failure
    try:
        job = pickle.loads(line.recv_bytes())  # noqa: S301 (from the process that started this one)
    except Exception as error:
        job = Failure(portable(error))
    while True:
        try:
            shard = line.recv()
        except EOFError:
            return
        outcome = job if isinstance(job, Failure) else attempt(job, shard)
        try:
            line.send(outcome)
        except OSError:
            return
        except Exception as error:  # it cannot be pickled
            line.send(Failure(portable(error)))


def _die_with_parent() -> None:
    """End this process at once when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
