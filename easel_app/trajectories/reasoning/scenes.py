"""The strokes that texts are written on: reference, canvas before and after, painted again from a finished data set."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from easel_app.engine import Replayer
from easel_app.painting import png
from easel_app.services.problems import Conflict
from easel_app.trajectories.folder import Shard
from easel_app.trajectories.reading import DataSet, Trajectory, strokes_of

Pixels = NDArray[np.uint8]
AT_A_TIME = 4096
"""Rows of two narrow columns that are in memory."""


class Scene(NamedTuple):
    """A stroke and what it is painted on."""

    shard: Shard
    reference_key: str
    step: int
    reference: Pixels
    canvas: Pixels
    """uint8 (n, n, 3), before the stroke."""
    action: tuple[int, ...]
    """13 thousandths."""
    after: Pixels


def data_digest(data: DataSet) -> str:
    """A name for all that is in the tables of a data set."""
    digests = {name: note.sha256 for name, note in data.manifest.files.items()}
    return hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()


def is_chosen(key: str, share: float) -> bool:
    """Whether a reference is of the share that gets texts; of a larger share it is too.

    The key itself decides on the split, so the choice is made by a digest of it.
    """
    number = int.from_bytes(hashlib.sha256(f"reasoning {key}".encode()).digest()[:8], "big")
    return bool(number < share * 2**64)


def chosen_steps(data: DataSet, shard: Shard, share: float) -> dict[str, list[int]]:
    """The steps that samples of the chosen references are of, each once and in order, by the reference's key.

    Raises:
        OSError: the file cannot be read (pyarrow's ArrowInvalid, a ValueError, where it is damaged).
    """
    found: dict[str, set[int]] = {}
    with pq.ParquetFile(data.file(shard, "samples")) as file:
        for batch in file.iter_batches(AT_A_TIME, columns=["reference_key", "step"]):
            for row in batch.to_pylist():
                found.setdefault(row["reference_key"], set()).add(row["step"])
    return {key: sorted(steps) for key, steps in found.items() if is_chosen(key, share)}


def scenes_of(shard: Shard, trajectory: Trajectory, steps: Collection[int]) -> Iterator[Scene]:
    """The strokes of some steps of a trajectory, in order.

    Raises:
        Conflict: the trajectory has no such step.
    """
    strokes, reference, at = strokes_of(trajectory.actions), png.decode(trajectory.reference), 0
    replayer = Replayer(len(reference))
    for step in sorted(set(steps)):
        if not 0 <= step < len(strokes):
            message = f"{trajectory.reference_key} has a sample of step {step}, but {len(strokes)} strokes"
            raise Conflict("damaged", f"{message}; verify the data set, and make it anew.")
        replayer.paint(strokes[at:step])
        canvas = replayer.canvas.copy()
        replayer.paint(strokes[step : step + 1])
        action = tuple(trajectory.actions[step].tolist())
        yield Scene(shard, trajectory.reference_key, step, reference, canvas, action, replayer.canvas.copy())
        at = step + 1
