"""What there is of the texts of a data set: ledgers, tables, manifest; and the strokes still to be asked about."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, overload

import pyarrow.parquet as pq

from easel_app.exports.parquet import Table
from easel_app.llm import Usage
from easel_app.services.problems import Conflict
from easel_app.trajectories.folder import Folder, Shard, durable, write
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.reasoning.checking import Fault
from easel_app.trajectories.reasoning.ledger import Ledger
from easel_app.trajectories.reasoning.records import (
    FOLDER,
    MANIFEST,
    TABLE,
    Counts,
    NewReasoning,
    ReasoningManifest,
    State,
    reasoning_manifest,
    table_name,
)
from easel_app.trajectories.reasoning.scenes import Scene, chosen_steps, data_digest, scenes_of

Steps = dict[str, list[int]]


class Sheaf:
    """One shard that is at work: its answers, and how many strokes nobody has come to an end with."""

    def __init__(self, shard: Shard, steps: Steps, ledger: Ledger) -> None:
        """Begin with what the ledger holds."""
        self.shard, self.steps, self.ledger = shard, steps, ledger
        self.left = counts_of(steps, ledger).open


class Job(NamedTuple):
    """A stroke to ask about."""

    sheaf: Sheaf
    scene: Scene


class Desk:
    """The texts of one data set by one writer, while this process holds them; `held` gives it."""

    def __init__(self, data: DataSet, wish: NewReasoning) -> None:
        """Read what is there.

        Raises:
            Conflict: the texts that are there are by another writer or on another data set, or are damaged.
            OSError: a file cannot be read (pyarrow's ArrowInvalid, a ValueError, where it is damaged).
        """
        self.data, self.wish, self.folder = data, wish, data.folder.path / FOLDER
        self._digest = data_digest(data)
        self._refuse_change()
        writer = hashlib.sha256((wish.writer.model_dump_json() + self._digest).encode()).hexdigest()[:16]
        self._ledgers = self.folder / ".work" / writer
        self._lock = threading.Lock()
        self._counts: dict[str, Counts] = {}
        self._calls, self._used = 0, Usage()
        self._under_way: list[Sheaf] = []
        self._fault: Exception | None = None
        for shard in data.shards():
            self._take_stock(shard)
        self._note(self.manifest())

    def manifest(self, state: State = "running", reason: str = "") -> ReasoningManifest:
        """What there is to note of the texts now."""
        return ReasoningManifest(
            writer=self.wish.writer,
            share=self.wish.share,
            data=self._digest,
            state=state,
            reason=reason,
            calls=self._calls,
            prompt_tokens=self._used.prompt_tokens,
            completion_tokens=self._used.completion_tokens,
            cost=self._used.cost,
            shards=self._counts,
        )

    def _refuse_change(self) -> None:
        try:
            before = reasoning_manifest(self.data.folder.path)
        except ValueError as damaged:
            raise Conflict("damaged", str(damaged)) from None
        change = before.change(self.wish.writer, self.wish.share, self._digest) if before else None
        if change:
            message = (
                f"The texts in {self.folder} were begun otherwise: {change}; give the command as it was, or remove "
            )
            raise Conflict("other_reasoning", f"{message}that folder to begin anew, for nothing is mixed.")

    def _take_stock(self, shard: Shard) -> None:
        """Count what there is of a shard, and write its table if all is there but that."""
        steps = chosen_steps(self.data, shard, self.wish.share)
        if not steps:
            return
        sheaf = Sheaf(shard, steps, Ledger(self._ledger_of(shard)))
        try:
            counts = self._counts[table_name(shard)] = counts_of(steps, sheaf.ledger)
            for answer in sheaf.ledger:
                self.book(answer.usage)
            if not counts.open and not self._has_table(shard, counts):
                self._write_table(sheaf)
        finally:
            sheaf.ledger.close()

    def book(self, usage: Usage) -> None:
        """Add what an answer used."""
        with self._lock:
            self._calls, self._used = self._calls + 1, self._used + usage

    def jobs(self) -> Iterator[Job]:
        """The strokes to ask about, shard by shard; ends early when the data set cannot be read, see `close`."""
        try:
            for shard in self.data.shards():
                counts = self._counts.get(table_name(shard))
                if counts is not None and counts.open:
                    yield from self._jobs_of(shard)
        except (OSError, ValueError, Conflict) as fault:  # told when the calls under way are recorded
            self._fault = fault

    def _jobs_of(self, shard: Shard) -> Iterator[Job]:
        sheaf = Sheaf(shard, chosen_steps(self.data, shard, self.wish.share), Ledger(self._ledger_of(shard)))
        self._under_way.append(sheaf)
        for trajectory in self.data.trajectories(shard):
            key = trajectory.reference_key
            steps = [step for step in sheaf.steps.get(key, ()) if sheaf.ledger.open((key, step))]
            for scene in scenes_of(shard, trajectory, steps) if steps else ():
                yield Job(sheaf, scene)

    def done(self, job: Job) -> None:
        """A stroke has come to an end, with a text or without; the last one of a shard has its table written.

        Raises:
            OSError: the table cannot be written.
        """
        with self._lock:
            job.sheaf.left -= 1
            if not job.sheaf.left:
                self._finish(job.sheaf)

    def close(self, reason: str = "") -> ReasoningManifest:
        """Write the tables of what is under way, and how it ended.

        Args:
            reason: why strokes are left to be asked about.

        Raises:
            OSError: a file cannot be written or read.
            Conflict: the data set is damaged.
        """
        with self._lock:
            for sheaf in list(self._under_way):
                self._finish(sheaf)
            finished = not self.manifest().counts.open
            manifest = self.manifest("finished" if finished else "stopped", "" if finished else reason)
            self._note(manifest)
        if self._fault:
            raise self._fault
        return manifest

    def _finish(self, sheaf: Sheaf) -> None:
        self._under_way.remove(sheaf)
        self._counts[table_name(sheaf.shard)] = counts_of(sheaf.steps, sheaf.ledger)
        try:
            self._write_table(sheaf)
        finally:
            sheaf.ledger.close()
        self._note(self.manifest())

    def _write_table(self, sheaf: Sheaf) -> None:
        """The texts of a shard, in the order of the data set."""
        with durable(self.folder / table_name(sheaf.shard)) as draft, Table(draft, TABLE) as table:
            table.add(self._rows(sheaf))

    def _rows(self, sheaf: Sheaf) -> Iterator[dict[str, Any]]:
        for key, step in _places(sheaf.steps):
            found = sheaf.ledger.finding((key, step))
            if isinstance(found, str):
                yield {
                    "reference_key": key,
                    "step": step,
                    "reasoning": found,
                    "model": self.wish.writer.model,
                    "prompt": self.wish.writer.prompt,
                    "turn": len(sheaf.ledger.said(key, step)),
                }

    def _has_table(self, shard: Shard, counts: Counts) -> bool:
        try:
            return bool(pq.read_metadata(self.folder / table_name(shard)).num_rows == counts.texts)
        except (OSError, ValueError):
            return False

    def _note(self, manifest: ReasoningManifest) -> None:
        write(self.folder / MANIFEST, manifest.model_dump_json(indent=1))

    def _ledger_of(self, shard: Shard) -> Path:
        return self._ledgers / f"{Path(table_name(shard)).stem}.jsonl"


class Jobs(Sequence[Job]):
    """The strokes to ask about, of which only those under way are in memory."""

    def __init__(self, desk: Desk) -> None:
        """Those of a desk."""
        self._desk, self._count = desk, desk.manifest().counts.open

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Job]:
        return self._desk.jobs()

    @overload
    def __getitem__(self, at: int) -> Job: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Job]: ...
    def __getitem__(self, at: int | slice) -> Job | Sequence[Job]:
        """One of them, or several: whatever comes before is painted too."""
        if isinstance(at, slice):
            return list(self)[at]
        return next(islice(self, range(self._count)[at], None))


@contextmanager
def held(data: DataSet, wish: NewReasoning) -> Iterator[Desk]:
    """The desk of a data set, for this process alone.

    Raises:
        Conflict: another run is at work on it; and as `Desk` does.
        OSError: it cannot be read or written.
    """
    folder = Folder(data.folder.path / FOLDER)
    with ExitStack() as stack:
        try:
            stack.enter_context(folder.held())
        except Conflict as refusal:
            if refusal.code != "not_empty":
                raise
            message = f"{folder.path} holds texts whose answers are not here; remove it to have them written anew."
            raise Conflict("not_empty", message) from None
        folder.sweep()
        yield Desk(data, wish)


def counts_of(steps: Steps, ledger: Ledger) -> Counts:
    """What came of the strokes of a shard."""
    left_out: Counter[str] = Counter()
    wanted = texts = 0
    for place in _places(steps):
        found = ledger.finding(place)
        wanted += 1
        texts += isinstance(found, str)
        if isinstance(found, Fault) and not ledger.open(place):
            left_out[found.code] += 1
    return Counts(wanted=wanted, texts=texts, left_out=dict(sorted(left_out.items())))


def _places(steps: Steps) -> Iterator[tuple[str, int]]:
    return ((key, step) for key, each in steps.items() for step in each)
