"""Making a data set, or going on with one: references, then shards, then manifest and card.

Whatever is finished stays; what a crash, a full disk or a stop left unfinished is made anew. A folder is of one recipe
and one set of versions for good, so that no data set is mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from easel_app.painting.painters import able
from easel_app.services.problems import Conflict, Invalid
from easel_app.trajectories.card import write_card
from easel_app.trajectories.engines import Engine
from easel_app.trajectories.folder import PARTS, Folder, write
from easel_app.trajectories.gathering import NOTE, gather, gathered
from easel_app.trajectories.recipe import Recipe
from easel_app.trajectories.records import Begun, Finished, Gathered, Manifest, manifest_of, versions
from easel_app.trajectories.shards import ShardJob, finished


class Progress(NamedTuple):
    """Where the making stands."""

    stage: str
    """references or samples."""
    done: int
    total: int
    note: Finished | None = None
    """The shard that has just been finished."""


def make(folder: Folder, recipe: Recipe, engine: Engine, told: Callable[[Progress], None]) -> Manifest:
    """Make a data set, or go on where an earlier run was stopped.

    Args:
        folder: where to; it may not exist yet.
        recipe: what to make; of a folder that was begun the same one.
        engine: who works the shards off.
        told: hears of the progress.

    Raises:
        Refusal: the folder holds something else or is of another recipe, another run is at work in it, or a family
            cannot give its share.
        OSError: it cannot be written.
    """
    if recipe.painter not in able(None):
        names = ", ".join(able(None))
        raise Invalid("unknown_painter", f"There is no painter {recipe.painter!r} of pictures; take one of {names}.")
    with folder.held():
        begun = _begin(folder, recipe)
        for part in PARTS:
            (folder.path / part).mkdir(exist_ok=True)
        folder.done.mkdir(exist_ok=True)
        folder.sweep()
        wanted = recipe.pool.references
        found = gathered(folder) or gather(folder, recipe, lambda count: told(Progress("references", count, wanted)))
        shards = tuple(found.all_shards())
        digests = tuple(found.files[each.file("references")].sha256 for each in shards)
        job = ShardJob(folder.path, begun, shards, digests)
        each = enumerate(zip(job.shards, job.references, strict=True))
        notes = {index: note for index, (shard, digest) in each if (note := finished(folder, shard, digest))}
        due = [index for index in range(len(job.shards)) if index not in notes]
        total, done = sum(found.references.values()), _references(notes.values())
        told(Progress("samples", done, total))

        def hear(note: Finished) -> None:
            nonlocal done
            done += note.files["trajectories"].rows
            told(Progress("samples", done, total, note))

        if due:
            folder.manifest.unlink(missing_ok=True)
            engine.work(job, due, hear)
            folder.sweep()  # of workers that were killed
        return _complete(folder, begun, found, job)


def _references(notes: Iterable[Finished]) -> int:
    return sum(note.files["trajectories"].rows for note in notes)


def _begin(folder: Folder, recipe: Recipe) -> Begun:
    """Note what the run begins with, or hold it against what an earlier one began with."""
    begun = Begun(recipe=recipe, versions=versions(recipe))
    if not folder.recipe.exists():
        if folder.manifest.exists() or any(folder.path.glob("*/*.parquet")):
            message = f"{folder.recipe} is missing, so nobody knows what made the rest; begin in another folder."
            raise Conflict("other_recipe", message)
        write(folder.recipe, begun.model_dump_json(indent=1))
        return begun
    try:
        before = Begun.model_validate_json(folder.recipe.read_bytes())
    except ValueError:
        message = f"The recipe in {folder.recipe} cannot be read; begin anew in another folder."
        raise Conflict("other_recipe", message) from None
    difference = before.difference(begun)
    if difference and not (folder.work / NOTE).exists():  # nothing is painted yet, so nothing can be mixed
        write(folder.recipe, begun.model_dump_json(indent=1))
        return begun
    if difference:
        message = (
            f"{folder.path} was begun with another recipe: {difference}; give the command as it was, or choose another "
            "folder, for nothing is mixed."
        )
        raise Conflict("other_recipe", message)
    return before


def _complete(folder: Folder, begun: Begun, found: Gathered, job: ShardJob) -> Manifest:
    """Write manifest and card of a folder whose shards are all finished, from what is on disk."""
    notes = []
    for shard, digest in zip(job.shards, job.references, strict=True):
        # digests were held against the files when these were written
        note = finished(folder, shard, digest, thoroughly=False)
        if note is None:
            message = f"Shard {shard.number} of {shard.split} is missing; give the same command again, which makes it."
            raise Conflict("incomplete", message)
        notes.append(note)
    manifest = manifest_of(begun, found, notes)
    for part in PARTS:
        for path in (folder.path / part).glob("*.parquet"):
            if f"{part}/{path.name}" not in manifest.files:
                path.unlink()  # of references that there are no more, since a folder of pictures changed
    write_card(folder, manifest)
    write(folder.manifest, manifest.model_dump_json(indent=1))
    return manifest
