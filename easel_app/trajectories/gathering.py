"""Stage one: the references, drawn and written shard by shard before anything is painted."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from easel_app.exports.parquet import Table
from easel_app.painting import png
from easel_app.trajectories.folder import SPLITS, Folder, Shard, Split, durable, sha256, write
from easel_app.trajectories.recipe import Recipe
from easel_app.trajectories.records import FileNote, Gathered, Terms
from easel_app.trajectories.references.pool import Placed, pool
from easel_app.trajectories.references.reference import Skipped
from easel_app.trajectories.shards import intact
from easel_app.trajectories.tables import REFERENCES

NOTE = "references.json"
"""In the work folder: there once all references are drawn."""
SKIPPED = "skipped.jsonl"
"""In the work folder: every candidate that gave no reference, and why."""


def gathered(folder: Folder) -> Gathered | None:
    """What is noted of the references; None if they are not all there, or one of their files is damaged."""
    try:
        note = Gathered.model_validate_json(_note(folder).read_bytes())
    except (OSError, ValueError):
        return None
    _rename(folder, note)
    return note if all(intact(folder.path / name, file) for name, file in note.files.items()) else None


def gather(folder: Folder, recipe: Recipe, told: Callable[[int], None]) -> Gathered:
    """Draw the references and write them.

    Args:
        folder: of the data set.
        recipe: which references, and how many in a shard.
        told: hears how many there are.

    Raises:
        Refusal: a family cannot give its share.
        OSError: it cannot be written.
    """
    drafts = folder.work / "references"
    shutil.rmtree(drafts, ignore_errors=True)
    drafts.mkdir()
    writers: dict[Split, _Writer] = {split: _Writer(drafts, split, recipe.shard) for split in SPLITS}
    terms: Counter[tuple[str, str, str, str]] = Counter()
    skipped: Counter[str] = Counter()
    with ExitStack() as stack:
        for writer in writers.values():
            stack.enter_context(writer)
        log = stack.enter_context((folder.work / SKIPPED).open("w", encoding="utf-8"))
        for each in pool(recipe.pool):
            if isinstance(each, Skipped):
                skipped[each.reason] += 1
                log.write(json.dumps(each._asdict(), ensure_ascii=False) + "\n")
                continue
            writers[each.split].add(each)
            source = each.reference.source
            terms[each.reference.family, source.origin, source.author, source.licence] += 1
            told(terms.total())
    counts: dict[Split, int] = {split: len(writer.files) for split, writer in writers.items() if writer.files}
    note = Gathered(
        references={split: writers[split].rows for split in counts},
        terms=tuple(
            Terms(family=family, origin=origin, author=author, licence=licence, references=count)
            for (family, origin, author, licence), count in sorted(terms.items())
        ),
        skipped=dict(sorted(skipped.items())),
        shards=counts,
        files={
            Shard(split, number, counts[split]).file("references"): file
            for split in counts
            for number, file in enumerate(writers[split].files)
        },
    )
    write(_note(folder), note.model_dump_json(indent=1))
    _rename(folder, note)
    return note


class _Writer:
    """Writes the references of a split, a file a shard."""

    def __init__(self, folder: Path, split: Split, size: int) -> None:
        self._folder, self._split, self._size = folder, split, size
        self.rows = 0
        self.files: list[FileNote] = []
        self._stack = ExitStack()
        self._table: Table | None = None

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: Any) -> None:
        if kind is None:
            self._close()
        else:
            self._stack.__exit__(kind, *more)

    def add(self, placed: Placed) -> None:
        if self._table is None:
            self._path = _draft(self._folder, self._split, len(self.files))
            self._table = self._stack.enter_context(Table(self._stack.enter_context(durable(self._path)), REFERENCES))
        self._table.add([_row(placed)])
        self.rows += 1
        if self._table.rows == self._size:
            self._close()

    def _close(self) -> None:
        if self._table is not None:
            rows = self._table.rows
            self._stack.close()
            self.files.append(FileNote(sha256=sha256(self._path), bytes=self._path.stat().st_size, rows=rows))
            self._table = None


def _row(placed: Placed) -> dict[str, Any]:
    reference = placed.reference
    return {
        "reference_key": placed.key,
        "family": reference.family,
        "title": reference.title,
        **reference.source.model_dump(),
        "image": {"bytes": png.encode(reference.pixels), "path": f"{placed.key}.png"},
    }


def _note(folder: Folder) -> Path:
    return folder.work / NOTE


def _draft(folder: Path, split: Split, number: int) -> Path:
    """Where a file of references is before it is known how many there will be."""
    return folder / f"{split}-{number:05}.parquet"


def _rename(folder: Folder, note: Gathered) -> None:
    """Give the files the names that tell how many there are, as far as they have not got them."""
    for shard in note.all_shards():
        draft = _draft(folder.work / "references", shard.split, shard.number)
        if draft.exists():
            draft.replace(folder.file(shard, "references"))
