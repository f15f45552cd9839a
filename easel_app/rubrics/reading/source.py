"""A source of rubric data: a file or a folder of them, read in an order in which nothing refers to what comes later."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from easel_app.rubrics.reading import beside, dataset, judged, own, responses
from easel_app.rubrics.records import Task
from easel_app.sources.entries import Entry, JsonFile
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import shown
from easel_app.sources.references import Folder
from easel_app.sources.source import Readable, Source, on_disk, stem

if TYPE_CHECKING:
    from easel_app.rubrics.reading.parquet import ParquetFile

ENDINGS: Final = (".jsonl", ".json", ".parquet", ".jsonl.gz", ".json.gz")
MOST_CLEAN = 64 * 1024 * 1024
"""Bytes of the files of clean rubrics, which are held until their tasks come."""
JUDGE = "imported judge"
"""What a judge is called whose file does not name it."""
_PARQUET = b"PAR1"
_TRAIL = re.compile(r"_(?:w|wo)_tool.*$|_(?:single|multi)(?:_turn)?$|_(?:eval|judge)_results?$|_results?$")
"""What the authors' scripts put behind a model's name in the names of their files."""
CLEAN, OWN, ROWS, RESPONSES, JUDGED = range(5)
"""Shapes of entries, in the order in which they are read."""


class RubricSource(Source):
    """What records are read from, any number of times."""

    def __init__(
        self,
        files: Sequence[Path],
        name: str,
        *,
        model: str | None = None,
        judge: str | None = None,
        root: Path | None = None,
        alone: bool = False,
        title: str | None = None,
    ) -> None:
        """Read from files.

        Args:
            files: what to read.
            name: what it is called in reports.
            model: whose answers are in files that do not say it; None: as the file is called.
            judge: who judged in files that do not say it.
            root: folder that pictures may come from; None: that of the file that names them.
            alone: whether the file came without the files beside it, so that it may name none.
            title: what a set made of it is called; None: as its name without its ending, or "" when it came alone.
        """
        super().__init__(files, name, endings=ENDINGS, alone=alone, title=title)
        self._model, self._judge, self._root = model, judge or JUDGE, root

    def read(self) -> Iterator[Found | Problem]:
        """All records in order, and what is wrong at its place."""
        self._done, self._reading = 0, None
        clean: dict[str, list[Any]] = {}
        places: dict[str, Place] = {}
        ranked = []
        for path, name in self._files:
            rank = self._rank(path, name)
            if rank is None:
                why = "it holds nothing that is known here; it is left out"
                yield Problem(Place("", 0, name), (Fault("", why),), note=True)
            elif rank[0] == CLEAN:
                yield from self._collect(path, name, clean, places)
            else:
                ranked.append((rank, path, name))
        for _, path, name in sorted(ranked, key=lambda each: (each[0], each[2])):
            folder = Folder(None if self.alone else path.parent, self._root)
            model = self._model or ("" if self.alone else model_of(path))
            for entry in self._entries(path, name):
                if isinstance(entry, Problem):
                    yield entry
                    continue
                for found in self._records(entry, folder, model, clean):
                    if isinstance(found, Found) and isinstance(found.record, Task):
                        places.pop(found.record.id, None)
                    elif isinstance(found, Problem) and found.key[:1] == ("task",):
                        places.pop(str(found.key[1]), None)
                    yield found
        for task_id, place in places.items():
            why = f"there is no task {shown(task_id)} beside its rubric; import its dataset.json in the same folder"
            yield Problem(place, (Fault("task_id", why),))

    def _open(self, path: Path, name: str) -> Readable:
        return _opened(path, name)

    def _rank(self, path: Path, name: str) -> tuple[int, int] | None:
        """Where a file comes in the order, by its first entry; None for one among several that holds nothing known."""
        file = _opened(path, name)
        if not isinstance(file, JsonFile):
            return ROWS, 0
        first = next((entry for entry in file.entries() if isinstance(entry, Entry)), None)
        shape = shape_of(first.value) if first else None
        if first is None or shape is None:
            return None if name and first else (OWN, 0)
        return shape, own.TYPES.index(first.value["type"]) if shape == OWN else 0

    def _records(
        self, entry: Entry, folder: Folder, model: str, clean: Mapping[str, list[Any]]
    ) -> Iterator[Found | Problem]:
        place, value = entry
        shape = shape_of(value)
        if shape == OWN:
            return own.read(value, place, folder)
        told = shape == RESPONSES and isinstance(value.get(beside.KEY), Mapping)
        if shape in (JUDGED, RESPONSES) and not model and not told:
            why = "whose answer it is, such a file does not say; give the model's name with it"
            return iter([Problem(place, (Fault("model", why),))])
        if shape == JUDGED:
            return judged.read(value, place, model, self._judge)
        if shape == RESPONSES:
            return responses.read(value, place, folder, model, clean)
        if shape == ROWS:
            return dataset.read(value, place, folder, clean)
        if not isinstance(value, Mapping):
            why = f"it is {shown(value)}, but it must be an object with named fields; correct it"
        elif "type" in value:
            why = f"its type is {shown(value['type'])}, but it must be one of {', '.join(own.TYPES)}; correct it"
        else:
            why = "it is no task, answer or verdict of any known form; docs/rubric-format.md tells the forms"
        return iter([Problem(place, (Fault("", why),))])

    def _collect(
        self, path: Path, name: str, clean: dict[str, list[Any]], places: dict[str, Place]
    ) -> Iterator[Problem]:
        """Keep the rubrics of a file for their tasks."""
        if path.stat().st_size > MOST_CLEAN:
            why = f"rubrics without their tasks may have {MOST_CLEAN // 2**20} MB; import them as part of the tasks"
            yield Problem(Place("", 0, name), (Fault("", why),))
            return
        for entry in self._entries(path, name):
            if isinstance(entry, Problem):
                yield entry
            elif shape_of(entry.value) != CLEAN:
                yield Problem(entry.place, (Fault("", "it is no rubric as the entries before it are; correct it"),))
            elif entry.value["task_id"] in clean:
                why = f"the rubric of task {shown(entry.value['task_id'])} stands there twice; leave one out"
                yield Problem(entry.place, (Fault("task_id", why),))
            else:
                turns = entry.value.get("turns", [entry.value])
                clean[entry.value["task_id"]] = [turn["rubrics"] for turn in turns]
                places[entry.value["task_id"]] = entry.place


def from_disk(path: Path, **how: Any) -> RubricSource:
    """The source at a path: a file, or a folder with all its files that could be read.

    Raises:
        SourceUnusable: there is nothing to read.
    """
    files = on_disk(path, ENDINGS, "correct it, or give NAME/REPO of a data set")
    return RubricSource(files, path.name or str(path), **how)


def shape_of(value: Any) -> int | None:
    """The shape of an entry, by what it holds; None for one of no known shape."""
    if not isinstance(value, Mapping):
        return None
    if own.is_own(value):
        return OWN
    if judged.is_judged(value):
        return JUDGED
    if responses.is_response(value):
        return RESPONSES
    if dataset.is_row(value):
        return ROWS
    turns = value.get("turns", [value])
    clean = isinstance(turns, list) and turns and all(isinstance(each, Mapping) and "rubrics" in each for each in turns)
    return CLEAN if clean and isinstance(value.get("task_id"), str) else None


def model_of(path: Path) -> str:
    """The model whose answers a file of the authors' scripts holds, by its name."""
    named = stem(path.name, ENDINGS)
    return (_TRAIL.sub("", named).strip() or named.strip() or "model")[:80].strip()


def _opened(path: Path, name: str) -> JsonFile | ParquetFile:
    with path.open("rb") as file:
        if file.read(len(_PARQUET)) != _PARQUET:
            return JsonFile(path, name)
    from easel_app.rubrics.reading.parquet import ParquetFile  # its library takes its time

    return ParquetFile(path, name)
