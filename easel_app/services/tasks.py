"""What can be painted: the catalogue, and pictures that people bring."""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from easel_app.painting import anchors, png
from easel_app.painting.families.registry import family_of, generated
from easel_app.painting.protocol import Kind
from easel_app.painting.tasks import OWN, Anchors, Catalogue, Source, Task, digest
from easel_app.services.intake import Crop, take_in
from easel_app.services.problems import Busy, NotFound
from easel_app.store.records import PictureStore

OWN_BUDGETS = {64: 32, 128: 128, 256: 128, 512: 128}
"""Sizes that an own picture can be scaled to, with their budgets."""
NO_TASK = (
    "There is no task of that id: the list of tasks names those that are published, and generated ones are named by "
    "family, size and seed, such as maze-512-101 or handwriting-256-3."
)
AT_ONCE = 2
"""Pictures that are read at the same time, and tasks that are generated."""
PATIENCE = 20.0
"""Seconds that a picture, or a task to generate, waits for its turn."""


class TaskService:
    """Finds tasks by id and takes in own pictures."""

    def __init__(self, catalogue: Catalogue, pictures: PictureStore) -> None:
        self._catalogue, self._pictures = catalogue, pictures
        self._hands, self._drawing = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(AT_ONCE)

    @property
    def task_sets(self) -> tuple[str, ...]:
        """Names and versions of the sets that the listed tasks are of."""
        return self._catalogue.task_sets

    def list(self, category: str | None = None) -> list[Task]:
        """The listed tasks, all or of one category.

        Raises:
            NotFound: no task is of that category.
        """
        found = [task for task in self._catalogue if category in (None, task.category)]
        if not found:
            known = ", ".join(dict.fromkeys(task.category for task in self._catalogue))
            raise NotFound("no_such_category", f"There is no such category; the categories are {known}.", "category")
        return found

    def get(self, task_id: str) -> Task:
        """The task of that id, an own picture or a generated one included.

        Raises:
            NotFound: there is none.
        """
        task = self._catalogue.get(task_id) or self._generated(task_id)
        if task is None and (stored := self._pictures.get(task_id)):
            task = Task.load(*stored)
        if task is None:
            raise NotFound("no_such_task", NO_TASK, "task_id")
        return task

    def _generated(self, task_id: str) -> Task | None:
        if not family_of(task_id):
            return None
        # drawing a large one takes a quarter of a second: a few at a time, whoever asks
        if not self._drawing.acquire(timeout=PATIENCE):
            raise Busy("busy", "Too many tasks are being generated just now; try again in a minute.")
        try:
            return generated(task_id)
        finally:
            self._drawing.release()

    def add_own(self, file: bytes, size: int, crop: Crop | None) -> Task:
        """Make a task of a picture that a person brings: cropped to a square, scaled, never listed, never ranked.

        Args:
            file: a PNG, JPEG or WebP file of at most 8 MB.
            size: width of the task, one of `OWN_BUDGETS`.
            crop: which square of the picture; None takes the largest in the middle.

        Raises:
            TooLarge, Unsupported, Invalid: the picture cannot be taken, with the reason.
            Busy: too many pictures at once.
        """
        # a large picture costs a second and some hundred megabytes: a few at a time, whoever sends them
        if not self._hands.acquire(timeout=PATIENCE):
            raise Busy("busy", "Too many pictures are being read just now; try again in a minute.")
        try:
            reference = take_in(file, size, crop)
        finally:
            self._hands.release()
        task, record = own_task(f"{OWN}-{secrets.token_hex(8)}", reference)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._pictures.add(task.id, record, task.png, at)
        return task


def own_id(sha256: str) -> str:
    """The id of an own picture's task that follows from its digest, so that a picture is kept once."""
    return f"{OWN}-{sha256[:32]}"


def own_task(task_id: str, reference: NDArray[np.uint8]) -> tuple[Task, dict[str, Any]]:
    """The task of an own picture, uint8 (n, n, 3), with n one of `OWN_BUDGETS`, and the record to store of it."""
    size = len(reference)
    task = Task(
        id=task_id,
        kind=Kind.RECONSTRUCTION,
        category=OWN,
        title="Your picture",
        instruction=f"Paint the reference as closely as you can with {OWN_BUDGETS[size]} strokes.",
        width=size,
        height=size,
        budget=OWN_BUDGETS[size],
        anchors=Anchors(**anchors.scores(reference)),
        source=Source(origin="brought by a person", author="unknown", licence="unknown", detail=""),
        sha256=digest(reference),
    )
    # the digest is no part of a task's public face, hence of no dump; what follows from the kind is not stored
    record = {**task.model_dump(mode="json", exclude=set(Task.model_computed_fields)), "sha256": task.sha256}
    return Task.load(record, png.encode(reference)), record
