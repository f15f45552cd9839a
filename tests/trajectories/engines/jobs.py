"""Stand-ins for the making of shards: as atomic and repeatable, but short, and killed or failing when told to."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from easel_app.exports.whole import write_whole
from easel_app.services.problems import Conflict


class Job(NamedTuple):
    """Writes a file for each shard, and says which process did."""

    folder: Path
    killed: tuple[int, ...] = ()
    """Shards whose worker is killed the first time, after half of the file is written."""
    always: tuple[int, ...] = ()
    """Shards whose worker is killed each time."""
    full: tuple[int, ...] = ()
    """Shards for which there is no room."""
    refused: tuple[int, ...] = ()
    endless: tuple[int, ...] = ()
    """Shards that take for ever."""

    def __call__(self, shard: int) -> tuple[int, int]:
        """The shard and the process that made it."""
        (self.folder / f"begun-{shard}-{os.getpid()}").touch()
        if shard in self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), f"{shard}.bin")
        if shard in self.refused:
            raise Conflict("other_recipe", "The folder is of another recipe.")
        while shard in self.endless:
            time.sleep(3600)
        write_whole(self.folder / f"{shard}.bin", self._pieces(shard))
        return shard, os.getpid()

    def _pieces(self, shard: int) -> Iterator[bytes]:
        block = hashlib.sha256(str(shard).encode()).digest() * 512
        yield block
        first = not (self.folder / f"killed-{shard}").exists()
        if shard in self.always or (shard in self.killed and first):
            (self.folder / f"killed-{shard}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield block


def made(folder: Path) -> dict[str, bytes]:
    """The shards' bytes by the names of their files."""
    return {path.name: path.read_bytes() for path in folder.glob("*.bin")}


def begun(folder: Path, shard: int) -> int:
    """By how many processes a shard was begun."""
    return len(list(folder.glob(f"begun-{shard}-*")))


def makers(folder: Path) -> set[int]:
    """The processes that began a shard."""
    return {int(path.name.rpartition("-")[2]) for path in folder.glob("begun-*")}


def threads(shard: int) -> tuple[str | None, str | None]:
    """How many threads the worker may have, in the eyes of two libraries."""
    return os.environ.get("OMP_NUM_THREADS"), os.environ.get("NUMBA_NUM_THREADS")


def ungiven(shard: int) -> Any:
    """What cannot be handed on to another process."""
    return lambda: shard


class Untaken:
    """A job that cannot be unpickled."""

    def __reduce__(self) -> Any:
        return fail, ()

    def __call__(self, shard: int) -> int:
        return shard


def fail() -> None:
    """Raise an error."""
    raise ValueError("this cannot be taken")


class KilledOnce(NamedTuple):
    """A job whose worker is killed in the middle of a shard, the first time."""

    job: Any
    shard: int
    mark: Path

    def __call__(self, shard: int) -> Any:
        """What the job returns."""
        if shard != self.shard or self.mark.exists():
            return self.job(shard)
        self.mark.touch()
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # whose signal ends the process
        self.job(shard)
        os.kill(os.getpid(), signal.SIGKILL)  # in time at the latest


class Killing(NamedTuple):
    """An engine of which one worker is killed in the middle of its second shard."""

    engine: Any
    mark: Path
    name: str = "killing"

    def work(self, job: Any, shards: Any, told: Any) -> None:
        """See `Engine.work`."""
        self.engine.work(KilledOnce(job, shards[1], self.mark), shards, told)
