"""Taking data in: looked at whole before anything is stored, then stored batch by batch.

All problems are found first, so that one report tells them all; with problems nothing is stored unless the rest is
wanted. What is stored is what the second look accepts again, so that a file which changes in between harms nobody. An
import that was cut off goes on when it is given again: what is there is skipped.
"""

from __future__ import annotations

import hashlib
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.taking_in.checking import Checker
from easel_app.services.taking_in.reports import C, Report, State
from easel_app.services.taking_in.storing import Writer
from easel_app.sources.fields import Label
from easel_app.sources.found import Found
from easel_app.sources.source import Source
from easel_app.store.sets import ImportEvent, SetRecord, SetStore

MOST_REFUSED = 50_000
"""Records that are refused before a file is given up: what comes after them is not looked at."""
Stage = Literal["fetching", "checking", "importing"]
_NAME: TypeAdapter[str] = TypeAdapter(Label)
R = TypeVar("R", bound=Report[Any])


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


class SetLine(Protocol):
    """What a source may say of the set in its first line."""

    name: str | None
    sample: bool
    source: str
    licence: str


def set_id_of(name: str) -> str:
    """The id of the set of a name: readable, and of that name only."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-") or "set"
    return f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


class Intake(ABC, Generic[C, R]):
    """Takes in one kind of data; who derives it names its records, and says how they are checked and stored."""

    data: ClassVar[str]
    """What the data are called, such as `rubric data`."""
    _line: ClassVar[type[Any]]
    """The record of a first line, a `SetLine`."""
    _report: ClassVar[type[Any]]
    """The model of its reports, `R`."""

    def __init__(self, sets: SetStore) -> None:
        """Take in sets of a store."""
        self._sets = sets
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    @abstractmethod
    def _checker(self, set_id: str | None) -> Checker[C]:
        """Who compares with what a set holds; None: with nothing."""

    @abstractmethod
    def _writer(self, set_id: str) -> Writer[C]:
        """Who stores into a set."""

    def take_in(
        self,
        source: Source,
        *,
        name: str | None = None,
        partial: bool = False,
        told: Callable[[Progress], None] = lambda progress: None,
        stopping: Callable[[], bool] = lambda: False,
    ) -> R:
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
        look = _Look(source, self.data, told, stopping)
        look.prepare()
        first_record = next((found.record for found in source.read() if isinstance(found, Found)), None)
        line: SetLine = first_record if isinstance(first_record, self._line) else self._line()
        wanted = _valid(name or line.name or source.title)
        set_id = set_id_of(wanted)
        with self._alone(set_id, wanted):
            stored = self._sets.set(set_id)
            if stored and stored.name != wanted:
                message = f"The sets {stored.name!r} and {wanted!r} would have one id; give the new one another name."
                raise Conflict("set_id_taken", message, "name")
            if stored and line.sample and not stored.sample:
                message = f"The data is a sample, but the set {wanted!r} is none; import it under another name."
                raise Conflict("sample_into_set", message, "name")
            with closing(self._checker(set_id if stored else None)) as first:
                for _ in look.accepted("checking", first):
                    pass
            none = type(first.sound)()
            wrong = first.refused or not (first.sound.records or first.there.records)
            if wrong and not (partial and first.sound.records + first.there.records):
                return self._told(source, wanted, set_id if stored else None, "refused", first, none)
            begun = stored is not None and self._begun(set_id)
            if not (first.sound.records or begun) and stored:  # all of it is there
                return self._told(source, wanted, set_id, _state(first), first, none)
            if stored is None:
                about = {"source": line.source or source.name, "licence": line.licence}
                self._sets.create(SetRecord(set_id, wanted, line.sample, about, now()))
            self._happened(set_id, source, "begun", {"partial": partial, "bytes": source.size})
            writer = self._writer(set_id)
            with closing(self._checker(set_id)) as second:
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
            report = self._told(source, wanted, set_id, _state(second), second, added)
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
        events = self._sets.imports(set_id)
        return bool(events) and events[-1].name == "begun"

    def _happened(self, set_id: str, source: Source, name: str, content: dict[str, object]) -> None:
        self._sets.happened(set_id, ImportEvent(source.name, name, content, now()))

    def _told(self, source: Source, name: str, set_id: str | None, state: State, checker: Checker[C], added: C) -> R:
        report: R = self._report(
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
        return report


class _Look:
    """Goes through a source and tells how far it is."""

    def __init__(
        self, source: Source, data: str, told: Callable[[Progress], None], stopping: Callable[[], bool]
    ) -> None:
        self._source, self._data, self._told, self._stopping = source, data, told, stopping
        self._total: int | None = None

    def prepare(self) -> None:
        """Let the source look through itself first, if it needs to."""

        def beat() -> None:
            if self._stopping():
                raise ImportStopped
            self._told(Progress("checking", 0, None, self._source.position, self._source.size))

        self._source.prepare(beat)

    def accepted(self, stage: Stage, checker: Checker[Any]) -> Iterator[Found]:
        """What is to be stored."""
        count = 0
        for count, found in enumerate(self._source.read(), 1):
            if self._stopping():
                raise ImportStopped
            if checker.refused >= MOST_REFUSED:
                message = f"More than {MOST_REFUSED:,} records are refused, so this is no {self._data}; look at it."
                raise Invalid(f"not_{self._data.replace(' ', '_')}", message)
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


def _state(checker: Checker[Any]) -> Literal["imported", "imported in part"]:
    return "imported in part" if checker.refused else "imported"
