"""The folder of a data set: what lies where in it, who is at work in it, and what is finished.

README.md, manifest.json        written last: a folder that has them is complete
references/<split>-…parquet     the pictures and where they come from
trajectories/<split>-…parquet   the actions
samples/<split>-…parquet        the samples
.work/                          recipe, lock, and a note for each shard that is finished
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple

from easel_app.exports.whole import whole_file
from easel_app.services.problems import Conflict

Split = Literal["train", "validation"]
SPLITS: tuple[Split, ...] = ("train", "validation")
Part = Literal["references", "trajectories", "samples"]
PARTS: tuple[Part, ...] = ("references", "trajectories", "samples")
CARD, MANIFEST, NOTICES = "README.md", "manifest.json", "NOTICES.md"


class Shard(NamedTuple):
    """Some references in a row, and all that is made of them."""

    split: Split
    number: int
    """Within its split."""
    total: int
    """Shards of the split."""

    def file(self, part: Part) -> str:
        """Name of a file of the shard within the data set, as `datasets` expects it."""
        return f"{part}/{self.split}-{self.number:05}-of-{self.total:05}.parquet"


class Folder:
    """A data set's folder."""

    def __init__(self, path: Path) -> None:
        """The folder at `path`, whether or not there is one."""
        self.path = path.absolute()
        self.work = self.path / ".work"
        self.recipe, self.done, self.manifest = self.work / "recipe.json", self.work / "done", self.path / MANIFEST

    def file(self, shard: Shard, part: Part) -> Path:
        """Where a part of a shard is."""
        return self.path / shard.file(part)

    def note(self, shard: Shard) -> Path:
        """Where it is noted that a shard is finished."""
        return self.done / f"{shard.split}-{shard.number:05}.json"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the only run in the folder, which is made if it is not there.

        Raises:
            Conflict: another run is at work in it, or it holds something else.
            OSError: it cannot be written to.
        """
        if self.path.exists() and not self.work.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            message = f"{self.path} holds something else than a data set of trajectories; choose an empty folder."
            raise Conflict("not_empty", message)
        self.work.mkdir(parents=True, exist_ok=True)
        with (self.work / "lock").open("a+", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                who = lock.read().strip() or "unknown"
                message = f"Another run (process {who}) is at work in {self.path}; wait for it or take another folder."
                raise Conflict("in_use", message) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    def sweep(self) -> None:
        """Remove the unfinished files that a run left behind that was killed."""
        for place in (self.path, self.work, self.done, *(self.path / part for part in PARTS)):
            with suppress(FileNotFoundError):
                for file in place.glob(".*.????????"):
                    file.unlink()


@contextmanager
def durable(path: Path) -> Iterator[Path]:
    """A place to write to; what is there afterwards is at `path`, even if the machine fails then. Raises OSError."""
    with whole_file(path) as unfinished:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write(path: Path, text: str) -> None:
    """Write a text, durably. Raises OSError."""
    with durable(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def sha256(path: Path) -> str:
    """Digest of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
