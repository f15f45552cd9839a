"""Reading a finished data set: its manifest, and its samples with their pictures, stored or painted anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import UnidentifiedImageError

from easel_app.engine import Replayer
from easel_app.engine.kernel import Floats, Ints
from easel_app.painting import png
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.runs.prompts import INTEGERS
from easel_app.services.problems import Conflict, NotFound
from easel_app.trajectories.folder import Folder, Part, Shard, Split
from easel_app.trajectories.records import FORMAT, Manifest
from easel_app.trajectories.sampling import SUBSETS, Subset

DAMAGE = (pa.ArrowException, ArithmeticError, LookupError, TypeError, ValueError, UnidentifiedImageError)
"""What reading raises of a file that is not what it should be."""
PNG = b"\x89PNG"
"""What a picture begins with."""
BATCH = 64
"""Rows that are read at once."""


class Sample(NamedTuple):
    """A picture, a canvas, and the stroke that followed."""

    reference_key: str
    family: str
    subset: Subset
    step: int
    strokes: int
    action: tuple[int, ...]
    """13 thousandths, in the published order."""
    similarity: float
    similarity_after: float
    reference: bytes
    """PNG."""
    canvas: bytes
    """PNG, before the stroke."""


class Trajectory(NamedTuple):
    """A reference and all strokes that were painted after it."""

    reference_key: str
    painter: str
    seed: int
    actions: Ints
    """int32 (n, 13): thousandths."""
    similarity: Floats
    """float64 (n + 1,)."""
    canvas_sha256: str
    reference: bytes
    """PNG."""


def strokes_of(actions: Any) -> Floats:
    """Strokes in [0, 1] of actions in thousandths, any shape."""
    strokes: Floats = np.asarray(actions, np.float64) / INTEGERS
    return strokes


class DataSet:
    """A data set that is complete."""

    def __init__(self, path: Path) -> None:
        """Open the data set at `path`.

        Raises:
            NotFound: there is none.
            Conflict: it is of another format, or not complete.
        """
        self.folder = Folder(path)
        try:
            text = self.folder.manifest.read_bytes()
        except FileNotFoundError:
            if self.folder.recipe.exists():
                message = f"{path} is not complete; give the command again that makes it, which goes on where it was."
                raise Conflict("incomplete", message) from None
            message = f"{path} holds no data set of trajectories: there is no manifest.json; choose another folder."
            raise NotFound("no_dataset", message) from None
        except OSError as error:
            raise NotFound("no_dataset", f"{path} cannot be read ({error.strerror}); correct this.") from None
        try:
            self.manifest = Manifest.model_validate_json(text)
        except ValueError:
            message = f"The manifest of {path} is not of the format {FORMAT}; make the data set anew in another folder."
            raise Conflict("other_format", message) from None
        counts = self.manifest.references
        if min(counts.values(), default=0) < 1 or sum(counts.values()) != self.manifest.recipe.pool.references:
            message = f"The manifest of {path} contradicts itself: its references are not those of its recipe."
            raise Conflict("damaged", f"{message} Make the data set anew in another folder.")

    def shards(self, split: Split | None = None) -> list[Shard]:
        """Its shards, those for training first."""
        size = self.manifest.recipe.shard
        counts = {each: -(-rows // size) for each, rows in self.manifest.references.items() if split in (None, each)}
        return [Shard(each, number, count) for each, count in counts.items() for number in range(count)]

    def samples(self, split: Split, subset: Subset | None = None) -> Iterator[Sample]:
        """The samples of a split, or of one subset of it, in their order; a few are in memory at a time."""
        for shard in self.shards(split):
            yield from self.shard_samples(shard, subset)

    def shard_samples(self, shard: Shard, subset: Subset | None = None) -> Iterator[Sample]:
        """The samples of one shard."""
        name, count = shard.file("samples"), 0
        with damaged(name):
            rows = rows_of(self.folder.file(shard, "samples"))
            for sample in _stored(rows) if self.manifest.recipe.images else self._painted(shard, rows):
                count += 1
                if not self._sound(sample):
                    raise ValueError(f"row {count} is no sample")
                if subset in (None, sample.subset):
                    yield sample
            if count != self.manifest.files[name].rows:
                raise ValueError(f"{count:,} rows can be read")

    def _sound(self, sample: Sample) -> bool:
        """Whether a sample can be one of this data set."""
        numbers = len(sample.action) == len(STROKE_FIELDS) and all(0 <= each <= INTEGERS for each in sample.action)
        steps = 0 <= sample.step < sample.strokes == self.manifest.recipe.strokes
        pictures = all(picture.startswith(PNG) for picture in (sample.reference, sample.canvas))
        return numbers and steps and pictures and sample.subset in SUBSETS and bool(np.isfinite(sample[6:8]).all())

    def trajectories(self, shard: Shard) -> Iterator[Trajectory]:
        """The trajectories of one shard, with their references."""
        with damaged(shard.file("trajectories")):
            yield from self._trajectories(shard)

    def _trajectories(self, shard: Shard) -> Iterator[Trajectory]:
        references = rows_of(self.folder.file(shard, "references"))
        for row, reference in zip(rows_of(self.folder.file(shard, "trajectories")), references, strict=True):
            if row["reference_key"] != reference["reference_key"]:
                raise ValueError(f"{row['reference_key']} stands where {reference['reference_key']} should")
            yield Trajectory(
                row["reference_key"],
                row["painter"],
                row["seed"],
                np.array(row["actions"], np.int32).reshape(-1, 13),
                np.array(row["similarity"]),
                row["canvas_sha256"],
                reference["image"]["bytes"],
            )

    def file(self, shard: Shard, part: Part) -> Path:
        """Where a part of a shard is."""
        return self.folder.file(shard, part)

    def _painted(self, shard: Shard, rows: Iterator[dict[str, Any]]) -> Iterator[Sample]:
        """Samples without pictures, whose canvases are painted anew from the trajectories."""
        row = next(rows, None)
        for trajectory in self.trajectories(shard):
            mine = []
            while row is not None and row["reference_key"] == trajectory.reference_key:
                mine.append(row)
                row = next(rows, None)
            canvases = canvases_of(trajectory.actions, [each["step"] for each in mine], trajectory.reference)
            yield from (_sample(each, trajectory.reference, canvases[each["step"]]) for each in mine)
        if row is not None:
            raise ValueError(f"{row['reference_key']} has no trajectory there")


def canvases_of(actions: Ints, steps: Sequence[int], reference: bytes) -> dict[int, bytes]:
    """The canvas before each of the steps, PNG.

    Args:
        actions: int32 (n, 13), thousandths.
        steps: from 0 to n.
        reference: PNG, which tells the size.
    """
    replayer, at, found = Replayer(len(png.decode(reference))), 0, {}
    for step in sorted(set(steps)):
        replayer.paint(strokes_of(actions[at:step]))
        at = step
        found[step] = png.encode(replayer.canvas)
    return found


@contextmanager
def damaged(name: str) -> Iterator[None]:
    """Say of what cannot be read as it should that it is damaged. Raises Conflict."""
    try:
        yield
    except DAMAGE as why:
        what = " ".join(str(why).split())[:120] or type(why).__name__
        message = f"{name} is damaged ({what}); verify the data set, and make it again by the command that made it."
        raise Conflict("damaged", message) from None


def rows_of(path: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Rows of a parquet file, of which a few are in memory at a time; all columns, or those that are named."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(BATCH, columns=None if columns is None else list(columns)):
            yield from batch.to_pylist()


def _stored(rows: Iterator[dict[str, Any]]) -> Iterator[Sample]:
    for row in rows:
        yield _sample(row, row["reference"]["bytes"], row["canvas"]["bytes"])


def _sample(row: dict[str, Any], reference: bytes, canvas: bytes) -> Sample:
    return Sample(
        row["reference_key"],
        row["family"],
        row["subset"],
        row["step"],
        row["strokes"],
        tuple(row["action"]),
        row["similarity"],
        row["similarity_after"],
        reference,
        canvas,
    )
