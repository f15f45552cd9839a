"""The tasks: what to paint, from `data/tasks`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from easel_app.painting import png as png_file
from easel_app.painting.protocol import Kind

Pixels = NDArray[np.uint8]
OWN = "own"
"""Category of a picture that a person brought; such tasks are in no list and in no ranking."""


class Anchors(BaseModel):
    """Similarity of a control on the same task; None where it has not been measured."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    blank: float = Field(description="The untouched white canvas.")
    mean_fill: float = Field(description="A flat fill with the reference's mean colour.")
    dominant_fill: float = Field(description="A flat fill with the reference's most frequent colour.")
    data_policy: float | None = Field(None, description="The data policy (a greedy painter) at the task's budget.")
    data_policy_250: float | None = Field(None, description="The data policy with 250 strokes, whatever the budget.")


class Source(BaseModel):
    """Where a reference comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    origin: str = Field(description="Package, generator or collection that it is from.")
    author: str = Field(description="Who made it.")
    licence: str = Field(description="Terms that it may be used under.")
    detail: str = Field(description="Seed of a generated picture, crop of a photograph.")


class Task(BaseModel):
    """One task and its reference picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(description="Name of the task in links and requests.", examples=["natural-01"])
    kind: Kind = Field(description="What is asked for.")
    category: str = Field(description="Group of the task; `own` for a person's own picture.", examples=["natural"])
    title: str = Field(description="What is seen.")
    instruction: str = Field(description="What to do, in one sentence.")
    width: int = Field(description="Pixels; tasks are square.")
    height: int = Field(description="Pixels; equal to the width.")
    budget: int = Field(description="Steps that a session may use.")
    anchors: Anchors = Field(description="What controls score on this task.")
    source: Source = Field(description="Where the reference comes from.")
    sha256: str = Field(exclude=True, description="Digest of the reference's RGB bytes.")
    _png: bytes = PrivateAttr(b"")
    _reference: Pixels = PrivateAttr(default_factory=lambda: np.empty((0, 0, 3), np.uint8))

    @classmethod
    def load(cls, record: Mapping[str, Any], png: bytes) -> Task:
        """A task from its record and its reference as PNG.

        Raises:
            ValueError: the picture is not the one that the record names.
        """
        task = cls.model_validate(record)
        reference = png_file.decode(png)
        if reference.shape != (task.height, task.width, 3) or digest(reference) != task.sha256:
            raise ValueError(f"the picture of task {task.id} is not the one in its record; restore data/tasks")
        reference.flags.writeable = False
        task._png, task._reference = png, reference
        return task

    @property
    def reference(self) -> Pixels:
        """The picture to paint, uint8 (height, width, 3), read-only."""
        return self._reference

    @property
    def png(self) -> bytes:
        """The picture to paint as a PNG file."""
        return self._png

    @property
    def start(self) -> Pixels:
        """The canvas before the first stroke, uint8 (height, width, 3): white."""
        return np.full((self.height, self.width, 3), 255, np.uint8)


class Catalogue:
    """The published set of tasks, in its order."""

    def __init__(self, folder: Path) -> None:
        """Read `catalogue.json` and the pictures beside it."""
        content = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))
        self.task_set: str = content["task_set"]
        self.policy: str = content["policy"]
        """Name and version of the painter that the anchors of the data policy are of."""
        self._tasks = {
            record["id"]: Task.load(record, (folder / f"{record['id']}.png").read_bytes())
            for record in content["tasks"]
        }

    def __iter__(self) -> Iterator[Task]:
        return iter(self._tasks.values())

    def __len__(self) -> int:
        return len(self._tasks)

    def get(self, task_id: str) -> Task | None:
        """The task of that id, or None."""
        return self._tasks.get(task_id)


def digest(pixels: Pixels) -> str:
    """SHA-256 of a picture's bytes, row by row, as hexadecimal."""
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()
