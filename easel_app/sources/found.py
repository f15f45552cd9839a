"""What reading a file gives, one thing after the other: records with their place, or what is wrong at a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from easel_app.sources.fields import Record

Content = Callable[[], bytes]
"""Reads the bytes of a picture when they are wanted."""


class SourceUnusable(ValueError):
    """There is nothing that could be read at all; the message is a sentence that says what to do."""


class Stopped(Exception):
    """Nobody waits for what was to be fetched any more."""


class Place(NamedTuple):
    """Where something stands."""

    kind: str
    """`line` of JSON lines, `entry` of a JSON list, `row` of parquet; empty for a whole file."""
    number: int
    """Counted from 1."""
    file: str = ""
    """Empty when there is only one file."""

    def __str__(self) -> str:
        here = f"{self.kind} {self.number}" if self.kind else ""
        return f"{self.file}, {here}" if self.file and here else here or self.file or "the file"


class Fault(NamedTuple):
    """What is wrong with a value: two parts of a sentence, "turn 2: weight is 9" and "correct it"."""

    field: str
    """Path of the value in its record, such as `turns.1.rubric.0.weight`; empty when all of it is wrong."""
    what: str


@dataclass(frozen=True, slots=True)
class Found:
    """A record that is well formed in itself."""

    place: Place
    record: Record
    pictures: Mapping[str, Content] = field(default_factory=dict)
    """The pictures that it shows, by digest."""
    notes: tuple[Fault, ...] = ()
    """What is odd about it and was settled in reading it."""
    beside: bool = False
    """Whether it only came along, such as the task beside an answer: it is taken where there is none yet."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read, and all that is wrong with it."""

    place: Place
    faults: tuple[Fault, ...]
    key: tuple[str | int, ...] = ()
    """Of the record that is refused, as far as it can be told : what refers to it cannot come in."""
    note: bool = False
    """Whether it is only to be told, and nothing is refused."""
