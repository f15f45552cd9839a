"""The pool: references of all families in one fixed order, none twice, none like a task, each of its group's split."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.services.problems import Invalid
from easel_app.trajectories.folder import Split
from easel_app.trajectories.recipe import PoolWish
from easel_app.trajectories.references.families import opened, quotas
from easel_app.trajectories.references.hashing import apart, colours_of, phash_of
from easel_app.trajectories.references.leaks import Tasks, published
from easel_app.trajectories.references.reference import Box, Reference, ReferenceSource, Skipped, View
from easel_app.trajectories.references.splitting import split_of

BITS = 10
"""Two references are alike up to so many differing bits of their hashes, of 64 …"""
COLOURS = 6.0
"""… if the colours of their 4 × 4 parts differ by no more than this on average, 0..255."""
OVERLAP = 0.5
"""Of two views of one picture, the most that they may share of what they cover together (intersection over union)."""
PATIENCE = 2_000
"""Candidates of one family that may be skipped in a row before it counts as spent."""


class Placed(NamedTuple):
    """A reference of the pool."""

    reference: Reference
    split: Split
    number: int
    """Within its split, from 0."""
    key: str
    """Of the reference."""
    candidate: int
    """Which of its family it was."""


def pool(wish: PoolWish) -> Iterator[Placed | Skipped]:
    """The references that are wished for, and what was skipped on the way.

    The same wish and the same files give the same references in the same order, whatever else runs. Of each reference
    about 80 bytes are remembered, and of a crop of a photograph where it lies.

    How many references there are of each family is exact; how many of them validation gets is not, for a group (a cell
    of a photograph, an emoji, a word) comes into one split as a whole: it is about its share, in a small pool perhaps
    none, and no training picture is a variant of one of validation's.

    Raises:
        Refusal: a family is unknown or not there; or, at the latest when it runs out, that it cannot give its share.
    """
    wanted = quotas(wish.families, wish.references)
    sources = opened(wish, wanted)
    for name, source in sources.items():
        if source.count is not None and source.count < wanted[name]:
            raise _too_few(name, 0, wanted[name], source.count, Counter())
    seen, numbers = Seen(_tasks()), Counter[Split]()
    drawers = {name: _drawn(name, source, wanted[name], seen) for name, source in sources.items()}
    for name in interleaved(wanted):
        for found in drawers[name]:
            if isinstance(found, Skipped):
                yield found
                continue
            index, reference, key = found
            split = split_of(reference.group, wish.validation)
            yield Placed(reference, split, numbers[split], key, index)
            numbers[split] += 1
            break


def interleaved(wanted: Mapping[str, int]) -> Iterator[str]:
    """Each family as often as it is wanted, always the one that is most behind; of equals the first."""
    total = sum(wanted.values())
    given = dict.fromkeys(wanted, 0)
    for place in range(1, total + 1):
        name = max(wanted, key=lambda name: wanted[name] * place - given[name] * total)
        given[name] += 1
        yield name


class Seen:
    """What the references so far look like, and what the tasks do."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks, self._count = tasks, 0
        self._keys, self._bits = np.zeros(1024, np.uint64), np.zeros(1024, np.uint64)
        self._colours = np.zeros((1024, 48), np.uint8)
        self._views: defaultdict[str, list[Box]] = defaultdict(list)

    def refusal(self, reference: Reference, key: str) -> tuple[str, str] | None:
        """Why a reference is not taken: a code, and part of a sentence; None if it is, and then it counts as seen."""
        view = reference.view
        if view and any(overlap(view.box, box) > OVERLAP for box in self._views[view.picture]):
            return "overlapping", "a crop of the same picture that shares more than half with it is there already"
        number, bits, colours = np.uint64(int(key, 16)), phash_of(reference.pixels), colours_of(reference.pixels)
        if (self._keys[: self._count] == number).any():
            return "duplicate", "the same picture is there already"
        near = np.flatnonzero(apart(bits, self._bits[: self._count]) <= BITS)
        difference = np.abs(self._colours[near].astype(np.int16) - colours).mean(axis=1)
        if (difference <= COLOURS).any():
            return "near duplicate", "a picture that looks the same is there already"
        if task := self._tasks.like(reference.pixels, bits):
            return f"like task {task}", f"it looks like the task {task}, which must not be trained on"
        self._remember(number, bits, colours, view)
        return None

    def _remember(self, number: np.uint64, bits: np.uint64, colours: NDArray[np.uint8], view: View | None) -> None:
        if view:
            self._views[view.picture].append(view.box)
        if self._count == len(self._keys):
            self._keys, self._bits = (np.concatenate([held, np.zeros_like(held)]) for held in (self._keys, self._bits))
            self._colours = np.concatenate([self._colours, np.zeros_like(self._colours)])
        self._keys[self._count], self._bits[self._count], self._colours[self._count] = number, bits, colours
        self._count += 1


def overlap(a: Box, b: Box) -> float:
    """Intersection over union of two boxes, 0..1."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def _drawn(
    name: str, source: ReferenceSource, wanted: int, seen: Seen
) -> Iterator[tuple[int, Reference, str] | Skipped]:
    """The references of one family and what was skipped, from its first candidate on.

    Raises:
        Invalid: it has no more, and one more was asked for.
    """
    index = given = missed = 0
    skips: Counter[str] = Counter()
    while missed < PATIENCE if source.count is None else index < source.count:
        found = source.draw(index)
        index, missed = index + 1, missed + 1
        if isinstance(found, Reference):
            key = found.key
            refusal = seen.refusal(found, key)
            if refusal is None:
                given, missed = given + 1, 0
                yield index - 1, found, key
                continue
            reason, why = refusal
            called = f"number {index - 1}" if source.count is None else found.source.detail
            found = Skipped(found.family, called, reason, f"{called} of {found.family} is left out, for {why}.")
        skips["like a task" if found.reason.startswith("like task") else found.reason] += 1
        yield found
    raise _too_few(name, given, wanted, index, skips)


def _too_few(name: str, given: int, wanted: int, candidates: int, skips: Counter[str]) -> Invalid:
    reasons = ", ".join(f"{count} {reason}" for reason, count in skips.most_common())
    has = (
        f"gives {given} references of {candidates} candidates ({reasons})" if skips else f"has {candidates} candidates"
    )
    do = "bring more pictures, give it a smaller share, or ask for fewer references"
    return Invalid("too_few_references", f"{name} {has}, and {wanted} are asked for; {do}.", "families")


@cache
def _tasks() -> Tasks:
    return published()
