"""What came of an import, for people and programs: what came in, what did not and why, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, Field

from easel_app.sources.found import Fault, Place

MOST_REMARKS = 200
"""Faults, or notes, that are told one by one."""
State = Literal["imported", "imported in part", "refused"]


class Remark(BaseModel):
    """What is wrong or odd at a place."""

    place: str = Field(description="Such as `line 17`, `entry 17` of a JSON list, or `row 17`; with the file's name.")
    field: str = Field(description="Path of the value; empty when all of the record is meant.")
    message: str = Field(description="What stands there, why that is refused, and what to do.")


class Counts(BaseModel):
    """Numbers of records; whoever derives it has a field for each kind."""

    words: ClassVar[Mapping[str, str]] = {"votes": "vote"}
    """What one record of each kind is called, by the field; others are parts of records."""

    votes: int = Field(default=0, description="Votes of people.")

    @property
    def records(self) -> int:
        """All of them."""
        return sum(getattr(self, name) for name in self.words)

    def text(self) -> str:
        """In words, such as "12 tasks with 80 rubric items, 36 answers"."""
        counted = [self.told(name) for name in self.words if getattr(self, name)]
        return ", ".join(counted) or "nothing"

    def told(self, name: str) -> str:
        """The number of one kind in words."""
        count = getattr(self, name)
        return f"{count:,} {self.words[name] if count == 1 else name}"


C = TypeVar("C", bound=Counts)


class Report(BaseModel, Generic[C]):
    """What came of an import."""

    state: State = Field(description="`refused`: something is wrong and nothing was stored.")
    set_id: str | None = Field(description="The set that it is in; null when there is none.")
    name: str = Field(description="The set's name.")
    source: str = Field(description="Where it came from.")
    added: C = Field(description="What is new in the set.")
    there: C = Field(description="What the set had already, the same in all.")
    sound: C = Field(description="What is in order and not in the set yet: an import in part would add it.")
    refused: int = Field(description="Records that are refused.")
    followed: int = Field(description="Records left out only because what they belong to is refused.")
    followers: list[str] = Field(description=f"Where the first {MOST_REMARKS} of these stand.")
    faults: list[Remark] = Field(description=f"Why, the first {MOST_REMARKS}.")
    more_faults: int = Field(description="How many more.")
    notes: list[Remark] = Field(description=f"What is odd and was settled, the first {MOST_REMARKS}.")
    more_notes: int = Field(description="How many more.")

    def sentence(self) -> str:
        """What came of it, in one sentence."""
        if self.state == "refused":
            n = self.refused
            if not n:
                return "Nothing was imported, for there is no record in it; choose another source."
            what = f"{n:,} record{' is' if n == 1 else 's are'} refused"
            first = f", first {self.faults[0].place}: {self.faults[0].message}" if self.faults else "; correct this"
            rest = ", or import the rest in part" if self.sound.records else ""
            return f"Nothing was imported, for {what}{first}{rest}."
        left = f"; {self.refused + self.followed:,} records were left out" if self.refused + self.followed else ""
        before = f"; there already: {self.there.text()}" if self.there.records else ""
        return f"Imported into {self.name}: {self.added.text()}{before}{left}."


@dataclass(slots=True)
class Remarks:
    """Collects remarks: the first ones are kept, the others counted."""

    kept: list[Remark] = field(default_factory=list)
    more: int = 0

    def add(self, place: Place, fault: Fault) -> None:
        """Take one in."""
        if len(self.kept) < MOST_REMARKS:
            self.kept.append(Remark(place=str(place), field=fault.field, message=fault.what))
        else:
            self.more += 1
