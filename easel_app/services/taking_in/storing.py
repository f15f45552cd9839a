"""Storing what an import accepted: in batches of one kind, each a transaction, and pictures before what shows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from easel_app.services.problems import Conflict
from easel_app.services.taking_in.reports import C
from easel_app.sources.fields import Record
from easel_app.sources.found import Found
from easel_app.store.files import PictureFiles

MOST_CHARACTERS = 4 * 1024 * 1024
"""Of a batch's texts, roughly."""


class Writer(ABC, Generic[C]):
    """Stores records into a set, in the order in which they come."""

    most_together: ClassVar[Mapping[type[Any], int]]
    """Records of a batch, by kind."""

    def __init__(self, pictures: PictureFiles, added: C) -> None:
        """Keep pictures as files, and count what is stored into a tally of nothing."""
        self._pictures = pictures
        self.added = added
        """What is stored by now."""
        self._batch: list[Record] = []
        self._characters = 0

    def add(self, found: Found) -> None:
        """Take a record in; it is stored with its batch.

        Raises:
            Conflict: a picture is another one than when it was looked at.
        """
        record = found.record
        if self._batch and type(record) is not type(self._batch[0]):
            self.flush()
        for digest, content in found.pictures.items():
            if self._pictures.put(content()) != digest:
                message = "A picture changed while it was imported; import again, for what is stored stays."
                raise Conflict("source_changed", message)
        self._batch.append(record)
        self._characters += self._length(record)
        if len(self._batch) >= self.most_together[type(record)] or self._characters > MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Store what waits; returns after the commit."""
        batch, self._batch, self._characters = self._batch, [], 0
        if batch:
            self._store_batch(batch)

    @abstractmethod
    def _store_batch(self, batch: Sequence[Any]) -> None:
        """Store records of one kind; returns after the commit."""

    @abstractmethod
    def _length(self, record: Record) -> int:
        """Characters of the texts that make a record large."""
