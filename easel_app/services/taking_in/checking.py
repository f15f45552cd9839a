"""Whether records fit each other and what a set holds already. Of what was seen only ids and digests are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Generic, NamedTuple

from easel_app.services.taking_in.reports import MOST_REMARKS, C, Remarks
from easel_app.sources.fields import Record
from easel_app.sources.found import Fault, Found, Place, Problem

Key = tuple[str | int, ...]


class Known(NamedTuple):
    """A record that the set holds, or that was found before."""

    digest: bytes
    place: Place | None
    """Where it stands in this source; None when only the set holds it."""
    scored: bool = True
    """Of what a judge says: whether it is a verdict."""


class Checker(ABC, Generic[C]):
    """Looks at records in their order and says which of them are to be stored."""

    def __init__(self, sound: C, there: C) -> None:
        """Count into two tallies of nothing."""
        self.sound, self.there = sound, there
        self.faults, self.notes = Remarks(), Remarks()
        self.refused = self.followed = 0
        self.followers: list[str] = []
        """Where the first of the followed ones stand."""
        self._known: dict[Hashable, Known] = {}
        self._refused: dict[Key, Place] = {}

    def wants(self, found: Found | Problem) -> bool:
        """Whether what was found is a record to be stored; else it is counted as what it is."""
        if isinstance(found, Problem):
            if found.note:
                self._note(found.place, found.faults)
            else:
                self._refuse(found.place, found.faults, found.key)
            return False
        wanted = self._new_and_fits(found)
        if wanted:
            self._count(self.sound, found.record)
            self._note(found.place, found.notes)
        return wanted

    def close(self) -> None:
        """Let go of what was kept to compare with."""

    @abstractmethod
    def _new_and_fits(self, found: Found) -> bool:
        """Whether a record is to be stored; else it has been refused, followed, or counted as there."""

    @abstractmethod
    def _count(self, tally: C, record: Record) -> None:
        """Add a record to a tally."""

    def _new(self, found: Found, key: Key, digest: bytes, what: str, scored: bool = True) -> bool:
        """Whether a record of that key is neither in the set nor was found before; else it is counted."""
        known = self._known.get(key)
        if known is None or (known.place is None and scored and not known.scored):  # a verdict in place of none
            self._known[key] = Known(digest, found.place, scored)
            return True
        if known.place is not None:
            why = f"the {what} stands at {known.place} already; leave one of them out, or correct the id"
            return self._refuse(found.place, (Fault("", why),))
        if known.digest != digest:
            why = f"the set holds another {what}; what is stored never changes, so import this as a set of another name"
            self._refuse(found.place, (Fault("", why),), key)
            self._known[key] = known._replace(place=found.place)
            return False
        self._known[key] = known._replace(place=found.place)
        self._count(self.there, found.record)
        return False

    def _follow(self, place: Place) -> bool:
        """A record that is left out only because what it belongs to is refused."""
        self.followed += 1
        if len(self.followers) < MOST_REMARKS:
            self.followers.append(str(place))
        return False

    def _refuse(self, place: Place, faults: tuple[Fault, ...], key: Key = ()) -> bool:
        self.refused += 1
        known = self._known.get(key)
        if key and (known is None or known.place is None):  # one of a pair came in: what refers to it has it
            self._refused[key] = place
        for fault in faults:
            self.faults.add(place, fault)
        return False

    def _note(self, place: Place, notes: tuple[Fault, ...]) -> None:
        for note in notes:
            self.notes.add(place, note)
