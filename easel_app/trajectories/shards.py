"""One shard: its references are painted, and the chosen steps become samples.

A shard is a function of the recipe, the versions and its references alone, so whoever makes it, here or on another
machine, writes the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import platform
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Ints
from easel_app.exports.parquet import Table
from easel_app.painting import png
from easel_app.painting.painters import PAINTERS, painter
from easel_app.painting.tasks import digest
from easel_app.runs.prompts import INTEGERS
from easel_app.services.problems import Conflict
from easel_app.trajectories.folder import Folder, Part, Shard, durable, sha256, write
from easel_app.trajectories.reading import canvases_of, rows_of, strokes_of
from easel_app.trajectories.recipe import Recipe
from easel_app.trajectories.records import Begun, FileNote, Finished, versions
from easel_app.trajectories.sampling import Chosen, Subset, chosen_steps, worth_showing
from easel_app.trajectories.tables import PICTURES, SAMPLE, TRAJECTORIES, sample_columns

SAMPLING = 1
"""Keeps the chance of sampling apart from the painter's, which is of the same seed."""


class Painted(NamedTuple):
    """A painting, stroke by stroke."""

    actions: Ints
    """int32 (n, 13): thousandths."""
    similarity: list[float]
    """n + 1: before the first stroke and after each one."""
    changed: NDArray[np.bool_]
    """(n,): whether the stroke changed the canvas."""
    last: Bytes
    """uint8 (size, size, 3)."""


def seed_of(recipe: Recipe, key: str) -> int:
    """The seed that a reference is painted and sampled with."""
    return int.from_bytes(hashlib.sha256(f"{recipe.pool.seed} {key}".encode()).digest()[:4], "big")


def paint(reference: Bytes, recipe: Recipe, seed: int) -> Painted:
    """Paint a reference, every stroke on the grid of thousandths, so that the canvases are those of the actions.

    Args:
        reference: uint8 (n, n, 3), sRGB.
        recipe: who paints and how long.
        seed: at least 0.
    """
    engine = StepEngine(reference)
    hired = painter(recipe.painter, reference, recipe.strokes, seed, grid=INTEGERS)
    actions = np.zeros((recipe.strokes, 13), np.int32)
    similarity, changed = [engine.scores().similarity], np.zeros(recipe.strokes, np.bool_)
    for step in range(recipe.strokes):
        stroke = hired.next(engine.canvas, step)
        if stroke is None:
            raise ValueError(f"{hired.name} stops before its {recipe.strokes} strokes: choose a painter that does not")
        actions[step] = np.rint(stroke * INTEGERS)
        similarity.append(engine.step(strokes_of(actions[step])).similarity)
        changed[step] = any(engine.box)
    return Painted(actions, similarity, changed, engine.canvas.copy())


@dataclass(frozen=True)
class ShardJob:
    """Makes the shards of a folder, each by its place in a list. Can be pickled, and so go to other machines."""

    folder: Path
    begun: Begun
    shards: tuple[Shard, ...]
    references: tuple[str, ...]
    """SHA-256 of each shard's file of references."""

    def __call__(self, index: int) -> Finished:
        """Make a shard, or take it as it is if it is finished and whole.

        Raises:
            Conflict: this machine has other versions than the run began with, or the folder is of another run now.
            OSError: it cannot be written.
        """
        here = self.begun.model_copy(update={"versions": versions(self.begun.recipe)})
        if difference := self.begun.difference(here):
            who = f"{platform.node()} would write other bytes than the machine that began"
            raise Conflict("other_versions", f"{who}: {difference}; install the same there, then go on.")
        folder, shard = Folder(self.folder), self.shards[index]
        if Begun.model_validate_json(folder.recipe.read_bytes()) != self.begun:
            message = f"{self.folder} is of another recipe by now; nothing was written, let the run there go on."
            raise Conflict("other_recipe", message)
        references = self.references[index]
        return finished(folder, shard, references) or _make(folder, shard, references, self.begun.recipe)


def finished(folder: Folder, shard: Shard, references: str, thoroughly: bool = True) -> Finished | None:
    """What is noted of a shard; None if it is not finished, or one of its files is not what the note says.

    Args:
        folder: of the data set.
        shard: which one.
        references: SHA-256 of the file of references that it has to be of.
        thoroughly: hold the digests of the files against the note, too, and not only their sizes.
    """
    try:
        note = Finished.model_validate_json(folder.note(shard).read_bytes())
        whole = all(intact(folder.file(shard, part), file, thoroughly) for part, file in note.files.items())
    except (OSError, ValueError):
        return None
    mine = (note.split, note.number, note.references) == (shard.split, shard.number, references)
    return note if whole and mine else None


def intact(path: Path, note: FileNote, thoroughly: bool = True) -> bool:
    """Whether a file is what was noted of it: its size, and thoroughly its digest."""
    if not path.is_file() or path.stat().st_size != note.bytes:
        return False
    return not thoroughly or sha256(path) == note.sha256


def _make(folder: Folder, shard: Shard, references: str, recipe: Recipe) -> Finished:
    begun = time.process_time()
    if sha256(source := folder.file(shard, "references")) != references:
        raise Conflict("damaged", f"{source} is not what was written; give the same command again, which mends it.")
    folder.note(shard).unlink(missing_ok=True)
    places: dict[Part, Path] = {part: folder.file(shard, part) for part in ("trajectories", "samples")}
    samples: Counter[Subset] = Counter()
    similarity, distinct, falling, rows = 0.0, 0, 0, {}
    with ExitStack() as stack:
        drafts = {part: stack.enter_context(durable(place)) for part, place in places.items()}
        with (
            Table(drafts["trajectories"], TRAJECTORIES) as trajectories,
            Table(drafts["samples"], sample_columns(recipe.images), repeated=_repeated(recipe.images)) as table,
        ):
            for row in rows_of(source):
                painted, chosen = _painted(row, recipe)
                trajectories.add([_trajectory_row(row, recipe, painted)])
                table.add(_sample_rows(row, recipe, painted, chosen))
                samples.update(each.subset for each in chosen)
                similarity += painted.similarity[-1]
                distinct += len({step for _, step in chosen})
                falling += sum(painted.similarity[step + 1] < painted.similarity[step] for _, step in chosen)
        rows = {"trajectories": trajectories.rows, "samples": table.rows}
        pictured = drafts["samples"].stat().st_size if recipe.images else _pictured(folder, shard, recipe)
        bare = _bare(drafts["samples"]) if recipe.images else drafts["samples"].stat().st_size
    files = {part: FileNote(sha256=sha256(at), bytes=at.stat().st_size, rows=rows[part]) for part, at in places.items()}
    note = Finished(
        split=shard.split,
        number=shard.number,
        references=references,
        files=files,
        samples=dict(sorted(samples.items())),
        distinct=distinct,
        falling=falling,
        strokes=rows["trajectories"] * recipe.strokes,
        similarity=similarity,
        bare_bytes=bare,
        pictured_bytes=pictured,
        seconds=time.process_time() - begun,
    )
    write(folder.note(shard), note.model_dump_json(indent=1))
    return note


def _painted(row: Mapping[str, Any], recipe: Recipe) -> tuple[Painted, list[Chosen]]:
    seed = seed_of(recipe, row["reference_key"])
    painted = paint(png.decode(row["image"]["bytes"]), recipe, seed)
    worth = worth_showing(recipe.samples, painted.changed, np.array(painted.similarity))
    return painted, chosen_steps(recipe.samples, worth, np.random.default_rng([seed, SAMPLING]))


def _trajectory_row(row: Mapping[str, Any], recipe: Recipe, painted: Painted) -> dict[str, Any]:
    return {
        "reference_key": row["reference_key"],
        "family": row["family"],
        "painter": PAINTERS[recipe.painter].version,
        "seed": seed_of(recipe, row["reference_key"]),
        "actions": painted.actions.ravel().tolist(),
        "similarity": painted.similarity,
        "canvas_sha256": digest(painted.last),
    }


def _sample_rows(
    row: Mapping[str, Any], recipe: Recipe, painted: Painted, chosen: Sequence[Chosen]
) -> Iterator[dict[str, Any]]:
    key, reference = row["reference_key"], row["image"]["bytes"]
    canvases = canvases_of(painted.actions, [step for _, step in chosen], reference) if recipe.images else {}
    for subset, step in chosen:
        sample = {
            "reference_key": key,
            "family": row["family"],
            "subset": subset,
            "step": step,
            "strokes": recipe.strokes,
            "action": painted.actions[step].tolist(),
            "similarity": painted.similarity[step],
            "similarity_after": painted.similarity[step + 1],
        }
        if recipe.images:
            sample["reference"] = {"bytes": reference, "path": f"{key}.png"}
            sample["canvas"] = {"bytes": canvases[step], "path": f"{key}-{step}.png"}
        yield sample


def _repeated(images: bool) -> Sequence[str]:
    """Columns of which many rows hold the same picture."""
    return (PICTURES[0].name,) if images else ()


def _bare(path: Path) -> int:
    """Bytes of a file of samples without its pictures."""
    sink = io.BytesIO()
    table: pa.Table = pq.read_table(path, columns=[column.name for column in SAMPLE])
    pq.write_table(table, sink, compression="zstd")
    return len(sink.getvalue())


def _pictured(folder: Folder, shard: Shard, recipe: Recipe) -> int | None:
    """Bytes of a file of samples if it had its pictures; of the first shard alone, since they are painted for it."""
    if shard.number or shard.split != "train":
        return None
    wish = recipe.model_copy(update={"images": True})
    place = folder.work / "pictured.parquet"
    try:
        with Table(place, sample_columns(True), repeated=_repeated(True)) as table:
            for row in rows_of(folder.file(shard, "references")):
                table.add(_sample_rows(row, wish, *_painted(row, wish)))
        return place.stat().st_size
    finally:
        place.unlink(missing_ok=True)
