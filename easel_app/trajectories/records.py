"""What is noted of a data set while it is made and when it is done."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import PurePath
from typing import Literal

from pydantic import BaseModel, ConfigDict

from easel_app import __version__
from easel_app.engine import RENDERER
from easel_app.painting.painters import PAINTERS
from easel_app.runs.prompts import INTEGERS
from easel_app.scoring.similarity import METRIC
from easel_app.trajectories.folder import Part, Shard, Split
from easel_app.trajectories.recipe import Recipe
from easel_app.trajectories.sampling import Subset, samples_of

FORMAT: Literal["easel-trajectories/1"] = "easel-trajectories/1"
PACKAGES = ("numpy", "numba", "scipy", "scikit-image", "pillow", "pyarrow")
"""Packages that a byte of the data may depend on."""


class Record(BaseModel):
    """Refuses unknown keys and never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FileNote(Record):
    """A file that is finished."""

    sha256: str
    bytes: int
    rows: int


class Begun(Record):
    """What a run began with; another run may go on only with the same."""

    format: str = FORMAT
    recipe: Recipe
    versions: dict[str, str]

    def difference(self, other: Begun) -> str | None:
        """What another run would change, in words; None for nothing."""
        return ", ".join(differences(self.model_dump(), other.model_dump())) or None


class Terms(Record):
    """References that share where they come from and on what terms."""

    family: str
    origin: str
    author: str
    licence: str
    references: int


class Gathered(Record):
    """The references, all of them."""

    references: dict[Split, int]
    terms: tuple[Terms, ...]
    skipped: dict[str, int]
    """Candidates that gave no reference, by reason."""
    shards: dict[Split, int]
    files: dict[str, FileNote]

    def all_shards(self) -> list[Shard]:
        """Every shard, those for training first."""
        return [Shard(split, number, count) for split, count in self.shards.items() for number in range(count)]


class Finished(Record):
    """A shard that is finished."""

    split: Split
    number: int
    references: str
    """SHA-256 of the file of references that it was made of."""
    files: dict[Part, FileNote]
    samples: dict[Subset, int]
    distinct: int
    """Samples, those counted once that are of both subsets."""
    falling: int
    """Samples whose stroke lowers the similarity."""
    strokes: int
    similarity: float
    """Sum over the trajectories of the similarity at their end."""
    bare_bytes: int
    """Of the samples without their pictures, as a parquet file."""
    pictured_bytes: int | None
    """Of the samples with their pictures; None where it was not measured."""
    seconds: float
    """Of one processor."""


class Manifest(Record):
    """A data set that is complete. The same recipe and versions give the same manifest, byte for byte."""

    format: Literal["easel-trajectories/1"] = FORMAT
    recipe: Recipe
    """Without the folders that a family of pictures is in."""
    versions: dict[str, str]
    references: dict[Split, int]
    terms: tuple[Terms, ...]
    skipped: dict[str, int]
    """Candidates that gave no reference, by reason."""
    trajectories: int
    strokes: int
    samples: dict[Split, dict[Subset, int]]
    distinct: int
    """Samples, those counted once that are of both subsets."""
    falling: int
    """Samples whose stroke lowers the similarity."""
    mean_similarity: float
    """Of the last canvases."""
    bytes: dict[Part, int]
    sample_bytes: dict[str, float]
    """Of one sample on disk, on average: `pictured` and `bare`. Of a data set without pictures, `pictured` is measured
    on its first shard."""
    files: dict[str, FileNote]

    @property
    def fewer(self) -> int:
        """Samples that are missing to what the recipe asks for, since too few strokes were worth showing."""
        asked = sum(samples_of(self.recipe.samples, self.recipe.strokes).values()) * self.trajectories
        return asked - sum(sum(counts.values()) for counts in self.samples.values())


def families(terms: Iterable[Terms]) -> dict[str, int]:
    """How many references each family gave."""
    counts = Counter[str]()
    for each in terms:
        counts[each.family] += each.references
    return dict(sorted(counts.items()))


def versions(recipe: Recipe) -> dict[str, str]:
    """Name and version of all that a byte of the data may depend on."""
    named = {
        "easel": __version__,
        "painter": PAINTERS[recipe.painter].version,
        "renderer": RENDERER,
        "metric": METRIC,
        "grid": str(INTEGERS),
        "machine": platform.machine(),
    }
    return named | {name: version(name) for name in PACKAGES}


def manifest_of(begun: Begun, gathered: Gathered, finished: Iterable[Finished]) -> Manifest:
    """The manifest of shards that are all finished."""
    files, samples = dict(gathered.files), {split: Counter[Subset]() for split in gathered.shards}
    sizes: Counter[Part] = Counter({"references": sum(note.bytes for note in gathered.files.values())})
    strokes = trajectories = distinct = falling = 0
    similarity, pictured, measured = 0.0, Counter[str](), Counter[str]()
    for note in finished:
        shard = Shard(note.split, note.number, gathered.shards[note.split])
        count = sum(note.samples.values())
        for part, file in note.files.items():
            files[shard.file(part)] = file
            sizes[part] += file.bytes
        samples[note.split].update(note.samples)
        trajectories += note.files["trajectories"].rows
        distinct, falling = distinct + note.distinct, falling + note.falling
        strokes, similarity = strokes + note.strokes, similarity + note.similarity
        measured.update(samples=count, bytes=note.bare_bytes)
        if note.pictured_bytes is not None:
            pictured.update(samples=count, bytes=note.pictured_bytes)
    return Manifest(
        recipe=_without_folders(begun.recipe),
        versions=begun.versions,
        references=gathered.references,
        terms=gathered.terms,
        skipped=gathered.skipped,
        trajectories=trajectories,
        strokes=strokes,
        samples={split: dict(counts) for split, counts in samples.items()},
        distinct=distinct,
        falling=falling,
        mean_similarity=similarity / max(1, trajectories),
        bytes=dict(sizes),
        sample_bytes={
            name: counter["bytes"] / max(1, counter["samples"])
            for name, counter in (("pictured", pictured), ("bare", measured))
        },
        files=dict(sorted(files.items())),
    )


def _without_folders(recipe: Recipe) -> Recipe:
    """The recipe for strangers: of a family in a folder only the folder's own name."""
    families = {}
    for name, share in recipe.pool.families.items():
        kind, colon, place = name.partition(":")
        bare = f"{kind}{colon}{PurePath(place).name if PurePath(place).is_absolute() else place}"
        while bare in families:  # folders of one name
            bare += "'"
        families[bare] = share
    return recipe.model_copy(update={"pool": recipe.pool.model_copy(update={"families": families})})


def differences(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """What differs between two trees of settings, each in words: "seed was 0 and is 1"."""
    mine, theirs = _leaves(before), _leaves(now)
    differing = [path for path in dict.fromkeys([*mine, *theirs]) if mine.get(path) != theirs.get(path)]
    return [f"{path[-1]} was {mine.get(path)} and is {theirs.get(path)}" for path in differing]


def _leaves(tree: Mapping[str, object], above: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """A tree's leaves by their paths."""
    leaves: dict[tuple[str, ...], object] = {}
    for name, each in tree.items():
        leaves |= _leaves(each, (*above, name)) if isinstance(each, Mapping) else {(*above, name): each}
    return leaves
