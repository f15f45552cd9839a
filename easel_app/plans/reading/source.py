"""A source of plans: a file or a folder of them, read in an order in which nothing refers to what comes later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from easel_app.plans.files import PoolOrder
from easel_app.plans.reading import finishing, lists, llmi, marks, own, raw, rows
from easel_app.plans.reading.bare import TextFile, is_bare
from easel_app.plans.reading.bases import REFERENCE, Base, Evidence
from easel_app.plans.reading.drafts import Draft, How, NotUsable, Value, as_id, first
from easel_app.plans.reading.keys import query_key
from easel_app.sources.entries import Entry, JsonFile
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import shown
from easel_app.sources.references import Folder
from easel_app.sources.source import Readable, Source, on_disk, stem

ENDINGS: Final = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
TEXTS: Final = (".txt", ".md", ".markdown")
LONE: Final = "imported planner"
"""What a planner is called whom neither the data nor a file's name names."""
IndexBase = Literal["auto", "0", "1"]
OURS, OTHERS, LATER = range(3)
"""Files in our format, in that of others, and those that only answer what others asked."""
_SHAPES: Final[Sequence[tuple[Callable[[Value], bool], Callable[[Value, How], Draft]]]] = (
    (lists.is_opening, lists.read_opening),
    (lists.is_mmie, lists.read_mmie),
    (marks.is_mramg, marks.read_mramg),
    (marks.is_rag, marks.read_rag),
    (llmi.is_row, llmi.read),
    (rows.is_row, rows.read),
)
"""Forms of others, the most particular first."""


class PlanSource(Source):
    """What records are read from, any number of times."""

    def __init__(
        self,
        files: Sequence[Path],
        name: str,
        *,
        planner: str | None = None,
        index_base: IndexBase = "auto",
        pool_order: PoolOrder = "query_first",
        root: Path | None = None,
        alone: bool = False,
        title: str | None = None,
        pictures: bool = True,
    ) -> None:
        """Read from files.

        Args:
            files: what to read.
            name: what it is called in reports.
            planner: whose plans are in files that do not say it; None: as the file is called.
            index_base: the index of the first image in data that leave it open; `auto`: as all plans of one planner
                together tell.
            pool_order: whether the query's images come before those of the documents in data that leave it open.
            root: folder that pictures may come from; None: that of the file that names them.
            alone: whether the file came without the files beside it, so that it may name none.
            title: what a set made of it is called; None: as its name without its ending, or "" when it came alone.
            pictures: whether pictures are taken in; else each is said to be missing.
        """
        super().__init__(files, name, endings=(*ENDINGS, *TEXTS), alone=alone, title=title)
        self._planner, self._root, self._order, self._pictures = planner, root, pool_order, pictures
        self._base: Base | None = None if index_base == "auto" else 1 if index_base == "1" else 0
        self._evidence: Evidence | None = None

    def prepare(self, beat: Callable[[], None]) -> None:
        """Find out where indices begin, if the data leave it open; `beat` is called before each entry."""
        if self._base is not None or self._evidence is not None:
            return
        evidence = Evidence()
        self._done, self._reading = 0, None
        for rank, path, name in self._ranked():
            if rank[0] == OURS:
                continue
            for entry in self._entries(path, name):
                beat()
                if isinstance(entry, Entry):
                    self._look(entry, self._how(path, entry.place), evidence)
        self._evidence = evidence

    def read(self) -> Iterator[Found | Problem]:
        """All records in order, and what is wrong at its place."""
        self.prepare(lambda: None)
        self._done, self._reading = 0, None
        asked = False
        for rank, path, name in self._ranked():
            folder = Folder(None if self.alone else path.parent, self._root) if self._pictures else None
            for entry in self._entries(path, name):
                if isinstance(entry, Problem):
                    yield entry
                    continue
                for found in self._records(entry, self._how(path, entry.place), folder, ours=rank[0] == OURS):
                    if asked or not isinstance(found, Problem) or found.faults:
                        yield found
                    else:
                        asked = True
                        yield replace(found, faults=(self._which_base(),))

    def _open(self, path: Path, name: str) -> Readable:
        return TextFile(path, name) if is_bare(path, ENDINGS) else JsonFile(path, name)

    def _how(self, path: Path, place: Place) -> How:
        return How(place, self._planner or (LONE if self.alone else planner_of(path)), self._order)

    def _ranked(self) -> list[tuple[tuple[int, int], Path, str]]:
        """The files in their order: by what their first entries are, then by their names."""
        return sorted(((self._rank(path, name), path, name) for path, name in self._files), key=lambda f: (f[0], f[2]))

    def _rank(self, path: Path, name: str) -> tuple[int, int]:
        found = next((each.value for each in self._open(path, name).entries() if isinstance(each, Entry)), None)
        if isinstance(found, Mapping) and own.is_own(found):
            return OURS, own.TYPES.index(found["type"])
        answers_only = isinstance(found, Mapping) and rows.is_row(found) and "query" not in found
        return (LATER if answers_only else OTHERS), 0

    def _records(self, entry: Entry, how: How, folder: Folder | None, *, ours: bool) -> Iterator[Found | Problem]:
        place, value = entry
        if own.is_own(value):
            yield from own.read(value, place, folder)
        elif ours:
            told = shown(value.get("type")) if isinstance(value, Mapping) else shown(value)
            kinds = ", ".join(own.TYPES)
            why = f"its type is {told}, but in a file of easel-plans/1 it must be one of {kinds}; correct it"
            yield Problem(place, (Fault("type", why),))
        else:
            try:
                yield from finishing.records(draft_of(value, how), place, folder, self._base_of)
            except NotUsable as error:
                key = query_key(as_id(first(value, rows.IDS))) if isinstance(value, Mapping) else ()
                yield Problem(place, (error.fault,), key)

    def _base_of(self, planner: str) -> Base | None:
        return self._base if self._base is not None else self._evidence.base(planner) if self._evidence else 0

    def _look(self, entry: Entry, how: How, evidence: Evidence) -> None:
        if own.is_own(entry.value):
            return
        try:
            draft = draft_of(entry.value, how)
        except NotUsable:
            return
        if not draft.asks_base or not isinstance(draft.query_id, str):
            return
        if draft.query is not None:
            evidence.asked(draft.query_id, finishing.pool_size(draft))
            evidence.planned(REFERENCE, draft.query_id, draft.query.get("reference") or "")
        for answer in draft.answers:
            evidence.planned(str(answer["planner"]), draft.query_id, answer["text"])

    def _which_base(self) -> Fault:
        untold = self._evidence.untold() if self._evidence else []
        who = ", ".join("the reference answers" if each == REFERENCE else shown(each) for each in untold[:5])
        more = f" and {len(untold) - 5} more" if len(untold) > 5 else ""
        why = f"whether image indices begin at 0 or at 1 cannot be told from the plans of {who}{more}"
        return Fault("index_base", f"{why}, where no index is 0 or the size of its pool; choose index_base 0 or 1")


def draft_of(value: Any, how: How) -> Draft:
    """What an entry of another format holds; what nobody knows is a plan of raw text.

    Raises:
        NotUsable: a field of a known format holds what does not belong there.
    """
    if isinstance(value, Mapping):
        for fits, read in _SHAPES:
            if fits(value):
                return read(value, how)
    return raw.read(value, how)


def planner_of(path: Path) -> str:
    """The planner whose plans a file holds that does not say it, by the file's name."""
    named = "".join(char for char in stem(path.name, (*ENDINGS, *TEXTS)) if char.isprintable()).strip()
    return named[:80].strip() or LONE


def from_disk(path: Path, **how: Any) -> PlanSource:
    """The source at a path: a file, or a folder with all its JSON files.

    Raises:
        SourceUnusable: there is nothing to read.
    """
    return PlanSource(on_disk(path, ENDINGS, "correct it"), path.name or str(path), **how)
