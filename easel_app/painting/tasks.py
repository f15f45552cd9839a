"""The tasks: what to paint, from `data/tasks` and `data/semantic`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, computed_field

from easel_app.painting import png as png_file
from easel_app.painting.brush import RADIUS
from easel_app.painting.protocol import Kind
from easel_app.painting.scores import METRICS
from easel_app.painting.truth import TRUTH_OF, Truth, read_truth, truth_digest
from easel_app.scoring import BRUSH_COLOUR

Pixels = NDArray[np.uint8]
OWN = "own"
"""Category of a picture that a person brought; such tasks are in no list and in no ranking."""
SEMANTIC, GENERATED = "semantic", "generated"
"""Categories of the five semantic tasks, and of what their families generate, which is in no list."""


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


class FixedBrush(BaseModel):
    """The look that a task gives to every stroke, in a stroke's own units."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    radius: float = Field(description="As `radius_start` and `radius_end` of a stroke.")
    red: float = Field(description="Red of the sRGB colour, [0, 1].")
    green: float = Field(description="Green of the sRGB colour, [0, 1].")
    blue: float = Field(description="Blue of the sRGB colour, [0, 1].")


SEMANTIC_BRUSH = FixedBrush(
    radius=RADIUS, red=BRUSH_COLOUR[0] / 255, green=BRUSH_COLOUR[1] / 255, blue=BRUSH_COLOUR[2] / 255
)


class Task(BaseModel):
    """One task and its reference picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(description="Name of the task in links and requests.", examples=["natural-01"])
    kind: Kind = Field(description="What is asked for.")
    category: str = Field(
        description="Group of the task; `semantic` for the five, `generated` for more of their kinds, `own` for a "
        "person's own picture.",
        examples=["natural"],
    )
    title: str = Field(description="What is seen.")
    instruction: str = Field(description="What to do, in a sentence or two.")
    width: int = Field(description="Pixels; tasks are square.")
    height: int = Field(description="Pixels; equal to the width.")
    budget: int = Field(description="Steps that a session may use.")
    anchors: Anchors | None = Field(None, description="What controls score on this task; null for semantic tasks.")
    source: Source = Field(description="Where the picture comes from.")
    sha256: str = Field(exclude=True, description="Digest of the picture's RGB bytes.")
    _png: bytes = PrivateAttr(b"")
    _reference: Pixels = PrivateAttr(default_factory=lambda: np.empty((0, 0, 3), np.uint8))
    _truth: Truth | None = PrivateAttr(None)
    _task_set: str = PrivateAttr(OWN)

    @computed_field(description="The brush of a semantic task, whose strokes are paths; null where strokes bring it.")  # type: ignore[prop-decorator]
    @property
    def brush(self) -> FixedBrush | None:
        """The look of every stroke, or None where each stroke has its own."""
        return SEMANTIC_BRUSH if self.kind.semantic else None

    @computed_field(description="Name and version of what scores it.")  # type: ignore[prop-decorator]
    @property
    def metric(self) -> str:
        """Name and version of the metric."""
        return METRICS[self.kind]

    @classmethod
    def load(cls, record: Mapping[str, Any], png: bytes, truth: Truth | None = None, task_set: str = OWN) -> Task:
        """A task from its record and its picture as PNG.

        Args:
            record: its fields.
            png: the reference, or the start canvas of a semantic task.
            truth: what a semantic task is scored against.
            task_set: name and version of the set that it is of.

        Raises:
            ValueError: the picture is not the one that the record names, or its kind asks for another truth.
        """
        task = cls.model_validate(record)
        reference = png_file.decode(png)
        if reference.shape != (task.height, task.width, 3) or digest(reference) != task.sha256:
            raise ValueError(f"the picture of task {task.id} is not the one in its record; restore data/tasks")
        if type(truth) is not TRUTH_OF[task.kind]:
            raise ValueError(f"task {task.id} asks for {task.kind}, which {type(truth).__name__} cannot score")
        reference.flags.writeable = False
        task._png, task._reference, task._truth, task._task_set = png, reference, truth, task_set
        return task

    @property
    def reference(self) -> Pixels:
        """The picture to paint, or the start canvas of a semantic task, uint8 (height, width, 3), read-only."""
        return self._reference

    @property
    def png(self) -> bytes:
        """The same as a PNG file."""
        return self._png

    @property
    def start(self) -> Pixels:
        """The canvas before the first stroke, uint8 (height, width, 3): white, or a semantic task's picture."""
        return self._reference if self.kind.semantic else np.full((self.height, self.width, 3), 255, np.uint8)

    @property
    def truth(self) -> Truth | None:
        """What a semantic task is scored against; no player is shown it. None for a reconstruction."""
        return self._truth

    @property
    def shows_reference(self) -> bool:
        """Whether there is anything to see in the picture: a word is written on a blank canvas."""
        return self.kind is not Kind.HANDWRITING

    @property
    def task_set(self) -> str:
        """Name and version of the set that the task is of."""
        return self._task_set

    @property
    def digest(self) -> str:
        """SHA-256 of all that scores depend on: the picture, and a semantic task's truth."""
        if self._truth is None:
            return self.sha256
        return hashlib.sha256(f"{self.sha256} {truth_digest(self._truth)}".encode()).hexdigest()


class Catalogue:
    """The published tasks, in their order."""

    def __init__(self, *folders: Path) -> None:
        """Read `catalogue.json` and the pictures beside it from each folder."""
        self._tasks: dict[str, Task] = {}
        self.task_sets: tuple[str, ...] = ()
        """Name and version of each folder's set."""
        self.policy = ""
        """Name and version of the painter that the anchors of the data policy are of."""
        for folder in folders:
            content = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))
            self.task_sets += (content["task_set"],)
            self.policy = content.get("policy", self.policy)
            for entry in content["tasks"]:
                record = {name: value for name, value in entry.items() if name != "truth"}
                truth = read_truth(entry["truth"], folder) if "truth" in entry else None
                png = (folder / f"{record['id']}.png").read_bytes()
                self._tasks[record["id"]] = Task.load(record, png, truth, content["task_set"])

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
