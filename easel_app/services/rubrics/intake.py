"""Taking rubric data in: looked at whole before anything is stored, then stored batch by batch.

All problems are found first, so that one report tells them all; with problems nothing is stored unless the rest is
wanted. What is stored is what the second look accepts again, so that a file which changes in between harms nobody. An
import that was cut off goes on when it is given again: what is there is skipped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from easel_app.rubrics.reading import Source
from easel_app.rubrics.records import SetLine
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.rubrics.checking import Checker
from easel_app.services.rubrics.library import set_id_of
from easel_app.services.rubrics.reports import ImportReport, Tally
from easel_app.services.rubrics.storing import Votes, Writer
from easel_app.sources.fields import Label
from easel_app.sources.found import Found
from easel_app.store.files import PictureFiles
from easel_app.store.judgings import JudgingStore
from easel_app.store.rubrics import RubricStore
from easel_app.store.sets import ImportEvent, SetRecord

MOST_REFUSED = 50_000
"""Records that are refused before a file is given up: what comes after them is not looked at."""
Stage = Literal["fetching", "checking", "importing"]
_NAME: TypeAdapter[str] = TypeAdapter(Label)


class Progress(NamedTuple):
    """How far an import is."""

    stage: Stage
    records: int
    """Looked at in this stage."""
    total: int | None
    """Records that there are, once known."""
    bytes: int
    """Of the source, read in this stage."""
    size: int
    """Bytes of the source."""


class ImportStopped(Exception):
    """Nobody waits for the import any more; what was stored stays, and the same import goes on with it."""


class RubricIntake:
    """Takes in rubric data."""

    def __init__(self, store: RubricStore, judgings: JudgingStore, pictures: PictureFiles, votes: Votes) -> None:
        self._store, self._judgings, self._pictures, self._votes = store, judgings, pictures, votes
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def take_in(
        self,
        source: Source,
        *,
        name: str | None = None,
        partial: bool = False,
        told: Callable[[Progress], None] = lambda progress: None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> ImportReport:
        """Import a source into the set of a name, which is made if there is none; returns when all is on disk.

        Args:
            source: what to import.
            name: the set's name; None: as its first line says, else the source's title.
            partial: whether what is in order is imported although something else is not.
            told: called now and then with how far it is.
            stopping: asked before each record whether nobody waits any more.

        Raises:
            Invalid: the name is none, or there is none.
            Conflict: another import into the set is under way, a sample would get into a set that is none, or the
                source changes meanwhile.
            ImportStopped: `stopping` said so.
        """
        line = next((found.record for found in source.read() if isinstance(found, Found)), None)
        line = line if isinstance(line, SetLine) else SetLine()
        wanted = _valid(name or line.name or source.title)
        set_id = set_id_of(wanted)
        with self._alone(set_id, wanted):
            stored = self._store.set(set_id)
            if stored and stored.name != wanted:
                message = f"The sets {stored.name!r} and {wanted!r} would have one id; give the new one another name."
                raise Conflict("set_id_taken", message, "name")
            if stored and line.sample and not stored.sample:
                message = f"The data is a sample, but the set {wanted!r} is none; import it under another name."
                raise Conflict("sample_into_set", message, "name")
            look = _Look(source, told, stopping)
            first = Checker(self._store, self._judgings, set_id if stored else None)
            for _ in look.accepted("checking", first):
                pass
            wrong = first.refused or not (first.sound.records or first.there.records)
            if wrong and not (partial and first.sound.records + first.there.records):
                return _report(source, wanted, set_id if stored else None, "refused", first, Tally())
            begun = stored is not None and self._begun(set_id)
            if not (first.sound.records or begun) and stored:  # all of it is there
                return _report(source, wanted, set_id, _state(first), first, Tally())
            if stored is None:
                about = {"source": line.source or source.name, "licence": line.licence}
                self._store.create(SetRecord(set_id, wanted, line.sample, about, now()))
            self._happened(set_id, source, "begun", {"partial": partial, "bytes": source.size})
            second = Checker(self._store, self._judgings, set_id)
            writer = Writer(self._store, self._judgings, self._pictures, self._votes, set_id)
            for found in look.accepted("importing", second):
                if second.refused > first.refused and not partial:
                    break
                writer.add(found)
            writer.flush()
            if second.refused > first.refused and not partial:
                message = f"{source.name} changed while it was imported; import it again, for what is stored stays."
                raise Conflict("source_changed", message)
            added = writer.added
            second.there.votes = second.sound.votes - added.votes
            report = _report(source, wanted, set_id, _state(second), second, added)
            self._happened(set_id, source, "ended", {"state": report.state, "added": added.model_dump()})
            return report

    @contextmanager
    def _alone(self, set_id: str, name: str) -> Iterator[None]:
        with self._lock:
            if set_id in self._busy:
                message = f"Another import into the set {name!r} is under way; try again when it is done."
                raise Conflict("import_under_way", message, "name")
            self._busy.add(set_id)
        try:
            yield
        finally:
            with self._lock:
                self._busy.discard(set_id)

    def _begun(self, set_id: str) -> bool:
        """Whether the last import into a set was cut off."""
        events = self._store.imports(set_id)
        return bool(events) and events[-1].name == "begun"

    def _happened(self, set_id: str, source: Source, name: str, content: dict[str, object]) -> None:
        self._store.happened(set_id, ImportEvent(source.name, name, content, now()))


class _Look:
    """Goes through a source and tells how far it is."""

    def __init__(self, source: Source, told: Callable[[Progress], None], stopping: Callable[[], bool]) -> None:
        self._source, self._told, self._stopping = source, told, stopping
        self._total: int | None = None

    def accepted(self, stage: Stage, checker: Checker) -> Iterator[Found]:
        """What is to be stored."""
        count = 0
        for count, found in enumerate(self._source.read(), 1):
            if self._stopping():
                raise ImportStopped
            if checker.refused >= MOST_REFUSED:
                message = f"More than {MOST_REFUSED:,} records are refused, so this is no rubric data; look at it."
                raise Invalid("not_rubric_data", message)
            if checker.wants(found):
                assert isinstance(found, Found)  # noqa: S101  a problem is never wanted
                yield found
            self._told(Progress(stage, count, self._total, self._source.position, self._source.size))
        self._total = count
        self._told(Progress(stage, count, count, self._source.size, self._source.size))


def _valid(name: str) -> str:
    try:
        return _NAME.validate_python(name)
    except ValidationError:
        message = "The set's name must be one line of 1 to 80 characters without blanks at its ends; give another one."
        raise Invalid("set_name", message, "name") from None


def _state(checker: Checker) -> Literal["imported", "imported in part"]:
    return "imported in part" if checker.refused else "imported"


def _report(
    source: Source,
    name: str,
    set_id: str | None,
    state: Literal["imported", "imported in part", "refused"],
    checker: Checker,
    added: Tally,
) -> ImportReport:
    return ImportReport(
        state=state,
        set_id=set_id,
        name=name,
        source=source.name,
        added=added,
        there=checker.there,
        sound=checker.sound,
        refused=checker.refused,
        followed=checker.followed,
        followers=checker.followers,
        faults=checker.faults.kept,
        more_faults=checker.faults.more,
        notes=checker.notes.kept,
        more_notes=checker.notes.more,
    )
