"""The families of semantic tasks: any number of instances of each kind, each named by family, size and seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from easel_app.painting import png
from easel_app.painting.families import apple, circle, handwriting, maze
from easel_app.painting.families.draft import Draft
from easel_app.painting.protocol import Kind
from easel_app.painting.tasks import GENERATED, Source, Task, digest

LARGEST_SEED = 2**31 - 1
KEPT = 128
"""Generated tasks that are kept in memory."""
MOST_INSTANCES = 1000
_RANGE = re.compile(r"([a-z]+-[0-9]{1,4})-([0-9]{1,10})\.\.([0-9]{1,10})")
_NAME = re.compile(r"([a-z]+)-([1-9][0-9]{0,3})-(0|[1-9][0-9]{0,9})")


class Family(NamedTuple):
    """One way to make tasks."""

    kind: Kind
    version: str
    """Name and version of the generator; it changes whenever a picture or a truth would change."""
    sizes: tuple[int, ...]
    """Widths in px that it can make."""
    draft: Callable[[int, int], Draft]
    """Makes a task of a size and a seed."""


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "circle": Family(Kind.OUTLINE, "circles/1", tuple(circle.SIZES), circle.draft),
        "apple": Family(Kind.OUTLINE, "apples/1", tuple(apple.SIZES), apple.draft),
        "handwriting": Family(Kind.HANDWRITING, "words/1", tuple(handwriting.SIZES), handwriting.draft),
        "maze": Family(Kind.MAZE, maze.VERSION, tuple(maze.SIZES), maze.draft),
    }
)
"""All families by their name."""


def name_of(family: str, size: int, seed: int) -> str:
    """The id of an instance, such as ``maze-512-7``."""
    return f"{family}-{size}-{seed}"


def instances(text: str) -> list[str]:
    """The ids that a name stands for: ``maze-512-1..50`` for fifty mazes, any other text for itself.

    Raises:
        ValueError: the second seed is below the first, or there are more than `MOST_INSTANCES`.
    """
    found = _RANGE.fullmatch(text)
    if not found:
        return [text]
    first, last = int(found[2]), int(found[3])
    if not first <= last < first + MOST_INSTANCES:
        raise ValueError(f"{text} names {last - first + 1} tasks; name 1 to {MOST_INSTANCES}, the lower seed first")
    return [f"{found[1]}-{seed}" for seed in range(first, last + 1)]


def family_of(task_id: str) -> str | None:
    """The family and size that a generated task is an instance of, such as ``maze-512``; None for any other id."""
    found = _NAME.fullmatch(task_id)
    if not found or found[1] not in FAMILIES:
        return None
    size, seed = int(found[2]), int(found[3])
    return f"{found[1]}-{size}" if size in FAMILIES[found[1]].sizes and seed <= LARGEST_SEED else None


def generated(task_id: str) -> Task | None:
    """The task that an id names, made anew from its family, size and seed; None when it names none."""
    return _made(task_id) if family_of(task_id) else None


@lru_cache(KEPT)
def _made(task_id: str) -> Task:
    name, size, seed = task_id.split("-")
    family = FAMILIES[name]
    return task_of(task_id, GENERATED, family, family.draft(int(size), int(seed)), f"seed {seed}, {size} px")


def task_of(task_id: str, category: str, family: Family, draft: Draft, detail: str) -> Task:
    """The task of a draft, under an id and in a category; `detail` tells how it was made."""
    picture = draft.picture
    record = {
        "id": task_id,
        "kind": family.kind,
        "category": category,
        "title": draft.title,
        "instruction": draft.instruction,
        "width": len(picture),
        "height": len(picture),
        "budget": draft.budget,
        "source": Source(
            origin=f"family {family.version}", author="Easel Studio", licence="Apache-2.0", detail=detail
        ).model_dump(),
        "sha256": digest(picture),
    }
    return Task.load(record, png.encode(picture), draft.truth, family.version)
