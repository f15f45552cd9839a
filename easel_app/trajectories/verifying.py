"""Verifying a data set: every file against the manifest, and a random share of the trajectories painted again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from easel_app.engine import Replayer, StepEngine
from easel_app.painting import png
from easel_app.painting.tasks import digest
from easel_app.scoring.similarity import WINDOW
from easel_app.trajectories.folder import PARTS, Folder, Shard
from easel_app.trajectories.reading import DataSet, Trajectory, rows_of, strokes_of
from easel_app.trajectories.shards import intact


class Verified(NamedTuple):
    """What was found."""

    files: int
    """Held against the manifest."""
    references: int
    """Painted again."""
    strokes: int
    """Of them."""
    samples: int
    """Whose canvases were painted again."""
    seconds: float
    """Of one processor, for painting again without scores."""
    faults: tuple[str, ...]
    """What is wrong, a sentence each."""


def verify(
    data: DataSet,
    share: float = 0.01,
    seed: int = 0,
    scores: bool = False,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Verified:
    """Verify a data set.

    Args:
        data: the data set.
        share: of the references whose trajectories are painted again, in (0, 1]; of each shard at least one.
        seed: which ones.
        scores: compute the similarities again, too.
        told: hears how many shards are done, of how many.

    Raises:
        OSError: a file cannot be read.
    """
    Replayer(WINDOW).paint(np.zeros((1, 13)))  # the kernel is loaded before anything is timed
    faults = list(_files(data))
    rng = np.random.default_rng(seed)
    references = strokes = samples = 0
    seconds = 0.0
    shards = data.shards()
    bad = {fault.partition(" ")[0] for fault in faults}
    for done, shard in enumerate(shards):
        told(done, len(shards))
        if bad.intersection(shard.file(part) for part in PARTS):
            continue  # what is damaged is told, and cannot be read
        count = pq.read_metadata(data.file(shard, "references")).num_rows
        chosen = set(rng.choice(count, max(1, round(share * count)), replace=False).tolist())
        painted = _Painted(data, shard, chosen, scores)
        faults += painted.faults
        references, strokes = references + len(chosen), strokes + painted.strokes
        samples, seconds = samples + painted.samples, seconds + painted.seconds
    told(len(shards), len(shards))
    return Verified(len(data.manifest.files), references, strokes, samples, seconds, tuple(faults))


def _files(data: DataSet) -> Iterator[str]:
    """What is wrong with the files."""
    folder: Folder = data.folder
    for name, note in data.manifest.files.items():
        path = folder.path / name
        if not path.exists():
            yield f"{name} is not there."
        elif not intact(path, note):
            yield f"{name} is not the file that the manifest names: {path.stat().st_size:,} of {note.bytes:,} bytes."
        elif (rows := pq.read_metadata(path).num_rows) != note.rows:
            yield f"{name} has {rows:,} rows, not {note.rows:,}."
    for part in PARTS:
        for path in sorted((folder.path / part).glob("*.parquet")):
            if (name := f"{part}/{path.name}") not in data.manifest.files:
                yield f"{name} is not of this data set."


class _Painted:
    """Some trajectories of a shard, painted again."""

    def __init__(self, data: DataSet, shard: Shard, chosen: set[int], scores: bool) -> None:
        self.strokes = self.samples = 0
        self.seconds = 0.0
        self.faults: list[str] = []
        name = shard.file("trajectories")
        keys: set[str] = set()
        trajectories: dict[str, Trajectory] = {}
        for number, trajectory in enumerate(data.trajectories(shard)):
            keys.add(trajectory.reference_key)
            if number in chosen:
                trajectories[trajectory.reference_key] = trajectory
                self.faults += [f"{name}: {fault}" for fault in self._replay(trajectory, scores)]
        name = shard.file("samples")
        for row in rows_of(data.file(shard, "samples")):
            if row["reference_key"] not in keys:
                self.faults.append(f"{name}: {row['reference_key']} is no reference of this shard.")
            elif found := trajectories.get(row["reference_key"]):
                self.faults += [f"{name}: {fault}" for fault in self._compare(row, found)]

    def _replay(self, trajectory: Trajectory, scores: bool) -> Iterator[str]:
        reference = png.decode(trajectory.reference)
        strokes = strokes_of(trajectory.actions)
        begun = time.process_time()
        replayer = Replayer(len(reference))
        replayer.paint(strokes)
        self.seconds += time.process_time() - begun
        self.strokes += len(strokes)
        if digest(reference)[: len(trajectory.reference_key)] != trajectory.reference_key:
            yield f"the picture of {trajectory.reference_key} is another one."
        if digest(replayer.canvas) != trajectory.canvas_sha256:
            yield f"the strokes of {trajectory.reference_key} lead to another canvas."
        if scores:
            engine = StepEngine(reference)
            again = [engine.scores().similarity, *(engine.step(stroke).similarity for stroke in strokes)]
            if again != trajectory.similarity.tolist():
                yield f"the similarities of {trajectory.reference_key} are others."

    def _compare(self, row: Mapping[str, Any], trajectory: Trajectory) -> Iterator[str]:
        """A sample against its trajectory."""
        self.samples += 1
        step = row["step"]
        what = f"sample {row['subset']} {step} of {row['reference_key']}"
        if not 0 <= step < len(trajectory.actions):
            yield f"{what} is of no step of its trajectory."
            return
        if row["action"] != trajectory.actions[step].tolist():
            yield f"{what} has another action than its trajectory."
        if [row["similarity"], row["similarity_after"]] != trajectory.similarity[step : step + 2].tolist():
            yield f"{what} has other similarities than its trajectory."
        if "canvas" not in row:
            return
        if row["reference"]["bytes"] != trajectory.reference:
            yield f"{what} shows another reference."
        replayer = Replayer(len(png.decode(trajectory.reference)))
        replayer.paint(strokes_of(trajectory.actions[:step]))
        if not np.array_equal(replayer.canvas, png.decode(row["canvas"]["bytes"])):
            yield f"{what} shows another canvas than its strokes lead to."
