"""Verifying a data set: every file and every figure against the manifest, and some trajectories painted again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from easel_app.engine import Replayer, StepEngine
from easel_app.painting import png
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import digest
from easel_app.runs.prompts import INTEGERS
from easel_app.scoring.similarity import WINDOW
from easel_app.services.problems import Conflict
from easel_app.trajectories.folder import CARD, MANIFEST, NOTICES, PARTS, Folder, Shard, Split
from easel_app.trajectories.reading import DataSet, Trajectory, damaged, rows_of, strokes_of
from easel_app.trajectories.records import Terms
from easel_app.trajectories.sampling import Subset, chosen_steps, worth_showing
from easel_app.trajectories.shards import SAMPLING, intact, seed_of
from easel_app.trajectories.tables import SAMPLE

OTHERS = (CARD, MANIFEST, NOTICES)
"""Files beside the tables."""
LIGHT = tuple(column.name for column in SAMPLE)
"""Columns of a sample without its pictures."""
KEPT = (".work", "reasoning")
"""Folders that are not looked into: they have notes of their own."""


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


class _Seen:
    """What was found in all shards so far."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.references: Counter[Split] = Counter()
        self.terms: Counter[tuple[str, str, str, str]] = Counter()
        self.samples: dict[Split, Counter[Subset]] = {}
        self.trajectories = self.strokes = self.distinct = self.falling = self.painted = self.compared = 0
        self.replayed = 0
        self.similarity = self.seconds = 0.0


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
    bad = {fault.partition(" ")[0] for fault in faults}
    rng, seen, shards = np.random.default_rng(seed), _Seen(), data.shards()
    whole = True
    for done, shard in enumerate(shards):
        told(done, len(shards))
        if bad.intersection(shard.file(part) for part in PARTS):
            whole = False  # what is damaged is told, and cannot be read
            continue
        try:
            faults += _shard(data, shard, share, rng, scores, seen)
        except Conflict as conflict:
            whole = False
            faults.append(conflict.message)
    told(len(shards), len(shards))
    if whole:
        faults += _figures(data, seen)
    return Verified(len(data.manifest.files), seen.painted, seen.replayed, seen.compared, seen.seconds, tuple(faults))


def _files(data: DataSet) -> Iterator[str]:
    """What is wrong with the files."""
    folder: Folder = data.folder
    named = data.manifest.files
    for shard in data.shards():
        for part in PARTS:
            if (name := shard.file(part)) not in named:
                yield f"{name} is not named by the manifest."
    for name, note in named.items():
        path = folder.path / name
        if not path.exists():
            yield f"{name} is not there."
        elif not intact(path, note):
            size = path.stat().st_size
            how = f"{size:,} of {note.bytes:,} bytes" if size != note.bytes else "another digest"
            yield f"{name} is not the file that the manifest names: {how}."
        else:
            try:
                with damaged(name):
                    rows = pq.read_metadata(path).num_rows
            except Conflict as conflict:
                yield conflict.message
                continue
            if rows != note.rows:
                yield f"{name} has {rows:,} rows, not {note.rows:,}."
    for path in sorted(folder.path.rglob("*")):
        name = path.relative_to(folder.path).as_posix()
        if path.is_file() and name.partition("/")[0] not in KEPT and name not in named and name not in OTHERS:
            yield f"{name} is not of this data set."


def _shard(
    data: DataSet, shard: Shard, share: float, rng: np.random.Generator, scores: bool, seen: _Seen
) -> Iterator[str]:
    """What is wrong with a shard. Raises Conflict where it cannot be read."""
    name = shard.file("references")
    with damaged(name):
        rows = list(rows_of(data.file(shard, "references")))
        families = {row["reference_key"]: row["family"] for row in rows}
        for row in rows:
            seen.terms[row["family"], row["origin"], row["author"], row["licence"]] += 1
    for key in seen.keys.intersection(families):
        yield f"{name}: {key} is in another shard, too."
    size = data.manifest.recipe.shard
    expected = min(size, data.manifest.references[shard.split] - shard.number * size)
    if len(families) != expected or len(rows) != expected:
        yield f"{name} has {len(families):,} references, not {expected:,}."
    seen.keys.update(families)
    seen.references[shard.split] += len(rows)
    chosen = set(rng.choice(len(rows), max(1, round(share * len(rows))), replace=False).tolist()) if rows else set()
    with damaged(shard.file("samples")):
        samples: dict[str, list[dict[str, Any]]] = {}
        order: list[str] = []
        for row in rows_of(data.file(shard, "samples"), LIGHT):
            samples.setdefault(row["reference_key"], []).append(row)
            if not order or order[-1] != row["reference_key"]:
                order.append(row["reference_key"])
        if data.manifest.recipe.images:
            wanted = {row["reference_key"] for number, row in enumerate(rows) if number in chosen}
            whole = [row for row in rows_of(data.file(shard, "samples")) if row["reference_key"] in wanted]
            samples |= {key: [row for row in whole if row["reference_key"] == key] for key in wanted & set(samples)}
    if order != [key for key in families if key in samples]:
        yield f"{shard.file('samples')}: the samples are not those of its references, in their order."
    counts = seen.samples.setdefault(shard.split, Counter())
    for number, trajectory in enumerate(data.trajectories(shard)):
        mine = samples.get(trajectory.reference_key, [])
        seen.trajectories += 1
        seen.strokes += len(trajectory.actions)
        seen.similarity += float(trajectory.similarity[-1:].sum())
        counts.update(row["subset"] for row in mine)
        seen.distinct += len({row["step"] for row in mine})
        seen.falling += sum(row["similarity_after"] < row["similarity"] for row in mine)
        with damaged(shard.file("trajectories")):
            faults = list(_trajectory(data, trajectory))
            changed = None
            if number in chosen and not faults:
                changed = _replay(trajectory, scores, seen, faults)
        yield from (f"{shard.file('trajectories')}: {fault}" for fault in faults)
        if not faults:
            with damaged(shard.file("samples")):
                found = list(_samples(data, trajectory, mine, families[trajectory.reference_key], changed, seen))
            yield from (f"{shard.file('samples')}: {fault}" for fault in found)


def _trajectory(data: DataSet, trajectory: Trajectory) -> Iterator[str]:
    """A trajectory against the manifest."""
    recipe, key = data.manifest.recipe, trajectory.reference_key
    if trajectory.actions.shape != (recipe.strokes, len(STROKE_FIELDS)):
        yield f"the trajectory of {key} has not {recipe.strokes} strokes of {len(STROKE_FIELDS)} numbers."
    elif not ((trajectory.actions >= 0) & (trajectory.actions <= INTEGERS)).all():
        yield f"the trajectory of {key} has a number that is not in 0 to {INTEGERS}."
    if trajectory.similarity.shape != (recipe.strokes + 1,) or not np.isfinite(trajectory.similarity).all():
        yield f"the trajectory of {key} has not a similarity for each of its canvases."
    if trajectory.painter != data.manifest.versions.get("painter"):
        yield f"the trajectory of {key} is by another painter than the manifest's."
    if trajectory.seed != seed_of(recipe, key):
        yield f"the trajectory of {key} is of another seed."


def _replay(trajectory: Trajectory, scores: bool, seen: _Seen, faults: list[str]) -> np.ndarray[Any, Any]:
    """Paint a trajectory again; returns which strokes changed the canvas, bool (n,)."""
    key, reference = trajectory.reference_key, png.decode(trajectory.reference)
    strokes = strokes_of(trajectory.actions)
    begun = time.process_time()
    replayer = Replayer(len(reference))
    replayer.paint(strokes)
    seen.seconds += time.process_time() - begun
    seen.painted, seen.replayed = seen.painted + 1, seen.replayed + len(strokes)
    if digest(reference)[: len(key)] != key:
        faults.append(f"the picture of {key} is another one.")
    if digest(replayer.canvas) != trajectory.canvas_sha256:
        faults.append(f"the strokes of {key} lead to another canvas.")
    if scores:
        engine = StepEngine(reference)
        again = [engine.scores().similarity, *(engine.step(stroke).similarity for stroke in strokes)]
        if again != trajectory.similarity.tolist():
            faults.append(f"the similarities of {key} are others.")
    changed, slowly = np.zeros(len(strokes), np.bool_), Replayer(len(reference))
    for step in range(len(strokes)):
        before = slowly.canvas.copy()
        slowly.paint(strokes[step : step + 1])
        changed[step] = not np.array_equal(before, slowly.canvas)
    return changed


def _samples(
    data: DataSet,
    trajectory: Trajectory,
    rows: list[dict[str, Any]],
    family: str,
    changed: np.ndarray[Any, Any] | None,
    seen: _Seen,
) -> Iterator[str]:
    """The samples of a trajectory against it; which steps they have to be, where it is known what changed."""
    recipe, key = data.manifest.recipe, trajectory.reference_key
    if changed is not None:
        worth = worth_showing(recipe.samples, changed, trajectory.similarity)
        expected = chosen_steps(recipe.samples, worth, np.random.default_rng([trajectory.seed, SAMPLING]))
        if [(row["subset"], row["step"]) for row in rows] != expected:
            yield f"the samples of {key} are not those that the recipe chooses."
    for row in rows:
        yield from _compare(row, trajectory, family, recipe.strokes)
        if changed is not None:
            seen.compared += 1
            if "canvas" in row:
                yield from _pictures(row, trajectory)


def _compare(row: Mapping[str, Any], trajectory: Trajectory, family: str, strokes: int) -> Iterator[str]:
    step = row["step"]
    what = f"sample {row['subset']} {step} of {row['reference_key']}"
    if not 0 <= step < strokes:
        yield f"{what} is of no step of its trajectory."
        return
    if (row["family"], row["strokes"]) != (family, strokes):
        yield f"{what} tells another family or number of strokes."
    if row["action"] != trajectory.actions[step].tolist():
        yield f"{what} has another action than its trajectory."
    if [row["similarity"], row["similarity_after"]] != trajectory.similarity[step : step + 2].tolist():
        yield f"{what} has other similarities than its trajectory."


def _pictures(row: Mapping[str, Any], trajectory: Trajectory) -> Iterator[str]:
    step = row["step"]
    what = f"sample {row['subset']} {step} of {row['reference_key']}"
    if row["reference"]["bytes"] != trajectory.reference:
        yield f"{what} shows another reference."
    if not 0 <= step < len(trajectory.actions):
        return
    replayer = Replayer(len(png.decode(trajectory.reference)))
    replayer.paint(strokes_of(trajectory.actions[:step]))
    if not np.array_equal(replayer.canvas, png.decode(row["canvas"]["bytes"])):
        yield f"{what} shows another canvas than its strokes lead to."


def _figures(data: DataSet, seen: _Seen) -> Iterator[str]:
    """What the manifest tells and the tables do not."""
    manifest = data.manifest
    terms = tuple(
        Terms(family=family, origin=origin, author=author, licence=licence, references=count)
        for (family, origin, author, licence), count in sorted(seen.terms.items())
    )
    sizes = {part: sum(note.bytes for name, note in manifest.files.items() if name.startswith(part)) for part in PARTS}
    found: dict[str, object] = {
        "references": dict(seen.references),
        "terms": terms,
        "trajectories": seen.trajectories,
        "strokes": seen.strokes,
        "samples": {split: dict(counts) for split, counts in seen.samples.items()},
        "distinct": seen.distinct,
        "falling": seen.falling,
        "bytes": sizes,
    }
    for name, value in found.items():
        if getattr(manifest, name) != value:
            yield f"The manifest tells of {name} what the tables do not."
    if abs(manifest.mean_similarity - seen.similarity / max(1, seen.trajectories)) > 1e-12:
        yield "The manifest tells of mean_similarity what the tables do not."
