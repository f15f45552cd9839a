"""What the traces of a set come to: how each answer, and each player in all, used its tools.

Traces are large and never change, and answers are only ever added: each is read once, and what it comes to is kept.
Reading the code of a call takes far longer than all the rest (most of a millisecond), and a benchmark has a hundred
thousand of them. So whoever only looks in waits for a while at most; what is not read by then is read when they look
again, and how far it has come is told.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from easel_app.rubrics.records import Conditions
from easel_app.scoring.image_functions import KINDS
from easel_app.scoring.image_operations import TOOL, image_operations
from easel_app.scoring.tool_use import call_outcome, decoded
from easel_app.services.kept import Kept
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.store.rubrics import AnswerKey

WAIT = 0.7
"""Seconds that whoever looks in waits for code to be read."""
MOST_SETS = 8
"""Sets whose figures are kept."""
MOST_NAMES = 40
"""Names of tools that are told apart: a model may make up a new one for every call."""
OTHER_NAMES = "(other names)"
Record = Mapping[str, Any]


class Used(NamedTuple):
    """How one answer used its tools."""

    calls: int
    successes: int
    pictures: int
    """That its calls made."""
    rounds: int | None
    """Of all turns; None where they are not on record of each."""


@dataclass
class Tally:
    """What all answers of one player come to."""

    names: Counter[str] = field(default_factory=Counter)
    """Calls by the tool's name as it was sent."""
    succeeded: Counter[str] = field(default_factory=Counter)
    """Those that succeeded."""
    failures: Counter[str] = field(default_factory=Counter)
    """The others, by why."""
    pictures: int = 0
    image_calls: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    """Turns by how they ended."""
    conditions: Counter[str] = field(default_factory=Counter)
    """Answers by their conditions as JSON, empty where they are not known."""
    origins: set[str] = field(default_factory=set)
    operations: Counter[str] = field(default_factory=Counter)
    """Calls of the image tool that hold an operation, by its kind, as far as their code was read."""
    occurrences: Counter[str] = field(default_factory=Counter)
    images_read: int = 0
    """Calls of the image tool whose code was read."""
    no_operation: int = 0
    unparsed: int = 0

    def add(self, record: Record) -> Used:
        """Count an answer in, all but what its code says."""
        calls = list(calls_of(record))
        successes = 0
        for call in calls:
            outcome = call_outcome(sent(call))
            self.names[call["name"]] += 1
            self.image_calls += call["name"] == TOOL
            if outcome.success:
                successes += 1
                self.succeeded[call["name"]] += 1
            else:
                self.failures[outcome.why] += 1
        pictures = sum(len(call.get("pictures", ())) for call in calls)
        self.pictures += pictures
        self.endings.update(turn["ended"] for turn in record["turns"] if turn.get("ended"))
        known = record.get("conditions")
        self.conditions[json.dumps(known, sort_keys=True) if known else ""] += 1
        if origin := record.get("origin"):
            self.origins.add(origin)
        rounds = [turn.get("rounds") for turn in record["turns"]]
        return Used(len(calls), successes, pictures, None if None in rounds else sum(rounds))

    def read(self, codes: Sequence[str]) -> None:
        """Count in what operations the code of an answer holds."""
        for code in codes:
            found = image_operations(code)
            self.images_read += 1
            self.operations.update(found.kinds)
            self.occurrences.update(found.occurrences)
            self.no_operation += not found.occurrences
            self.unparsed += not found.parsed


@dataclass
class Figures:
    """What the traces of a set come to."""

    used: dict[int, Used] = field(default_factory=dict)
    """By the answer's row id."""
    players: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    unread: list[AnswerKey] = field(default_factory=list)
    """Answers whose code is still to be read."""

    @property
    def mark(self) -> tuple[int, int]:
        """Changes whenever anything in it does."""
        return len(self.used), len(self.unread)


class FigureService:
    """Reads traces, each once."""

    def __init__(self, library: RubricLibrary) -> None:
        self._library = library
        self._kept = Kept[str, Figures](MOST_SETS)
        self._reading = threading.Lock()

    def figures(self, set_id: str, keys: Sequence[AnswerKey], wait: float | None = WAIT) -> Figures:
        """What the traces of a set come to.

        Args:
            set_id: which set.
            keys: its answers.
            wait: seconds after which no more code is read this time; None: all of it is.
        """
        while (found := self._figures(set_id, keys, WAIT if wait is None else wait)).unread and wait is None:
            time.sleep(0.001)  # whoever else has been waiting for the lock gets it
        return found

    def _figures(self, set_id: str, keys: Sequence[AnswerKey], wait: float) -> Figures:
        with self._reading:
            end = time.monotonic() + wait
            found = self._kept.get(set_id) or self._kept.put(set_id, Figures())
            for key, record in self._records([key for key in keys if key.id not in found.used]):
                tally = found.players[key.model]
                found.used[key.id] = tally.add(record)
                codes = codes_of(record)
                if not codes or time.monotonic() < end:
                    tally.read(codes)
                else:
                    found.unread.append(key)
            while found.unread and time.monotonic() < end:
                for key, record in self._records([found.unread.pop()]):
                    found.players[key.model].read(codes_of(record))
            # others go on counting into what is kept
            return Figures(dict(found.used), deepcopy(found.players), list(found.unread))

    def _records(self, keys: Sequence[AnswerKey]) -> Iterator[tuple[AnswerKey, Record]]:
        for key in keys:
            if answer := self._library.store.answer(key.id):
                yield key, answer.record


def calls_of(record: Record) -> Iterator[Record]:
    """All calls of an answer."""
    return (call for turn in record["turns"] for call in turn.get("calls", ()))


def sent(call: Record) -> dict[str, Any]:
    """A call in the benchmark's own words, as `scoring.tool_use` takes it."""
    observation = call.get("observation")
    return {"function_name": call["name"], "function_args": call.get("arguments"), "observation": observation}


def codes_of(record: Record) -> list[str]:
    """The code of each call of the image tool; empty where a call has none."""
    return [code_of(call) for call in calls_of(record) if call["name"] == TOOL]


def code_of(call: Record) -> str:
    """The code of a call; empty where it has none."""
    arguments = decoded(call.get("arguments"))
    code = arguments.get("code") if isinstance(arguments, Mapping) else None
    return code if isinstance(code, str) else ""


def by_name(counts: Counter[str], known: Counter[str]) -> dict[str, int]:
    """Calls by the tool's name, the names that are most frequent in `known` first, rare ones taken together."""
    names = [name for name, _ in known.most_common(MOST_NAMES)]
    found = {name: counts[name] for name in names}
    others = counts.total() - sum(found.values())
    return {**found, OTHER_NAMES: found.get(OTHER_NAMES, 0) + others} if len(known) > len(names) else found


def by_kind(counts: Counter[str]) -> dict[str, int]:
    """Counts by kind of image operation, all eight of them."""
    return {kind: counts[kind] for kind in KINDS}


def common(conditions: Counter[str]) -> tuple[Conditions | None, list[str]]:
    """What the conditions of some answers have in common, and what differs; `unknown` where some have none."""
    known: list[dict[str, Any]] = [json.loads(text) for text in conditions if text]
    if not known:
        return None, []
    names = [name for name in Conditions.model_fields if any(each.get(name) != known[0].get(name) for each in known)]
    differing = names + ["unknown"] * ("" in conditions)
    if "model" in differing:
        return None, differing
    return Conditions.model_validate({name: value for name, value in known[0].items() if name not in names}), differing
