"""A whole set of data in our own format: a file of lines, with its pictures beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from easel_app.exports.files import File
from easel_app.sources.fields import Picture
from easel_app.store.sets import SetRecord

LINES = "set.jsonl"
PICTURES = "pictures"
"""Folder of the pictures beside the file of lines."""
MISSING = "missing-pictures.txt"


class SetPackage(ABC):
    """The files of a set."""

    def __init__(self) -> None:
        self.missing: list[Picture] = []
        """Pictures whose file is no longer in the data folder, known once all files were made."""

    @abstractmethod
    def _lines(self, pictures: dict[str, Picture]) -> Iterator[bytes]:
        """All of the set, a line a record; puts the pictures that it shows into `pictures`, by digest."""

    @abstractmethod
    def _picture(self, digest: str) -> bytes | None:
        """The file of a picture; None when it is no longer there."""

    def files(self) -> Iterator[File]:
        """All of them, each to be read before the next one is asked for."""
        pictures: dict[str, Picture] = {}  # in the order in which they are shown
        yield File(LINES, self._lines(pictures), large=True)
        for picture in pictures.values():
            content = self._picture(picture.digest)
            if content is None:
                self.missing.append(picture)
            else:
                yield File(path_of(picture), [content])
        if self.missing:
            told = "These pictures are no longer in the studio's data folder, so what shows them cannot be imported:"
            yield File(MISSING, ["\n".join([told, *map(path_of, self.missing), ""]).encode()])


def path_of(picture: Picture) -> str:
    """Where the file of a picture is beside a file of lines."""
    return f"{PICTURES}/{file_of(picture)}"


def file_of(picture: Picture) -> str:
    """A name for the file of a picture, which says what it is."""
    return f"{picture.digest}.{picture.format}"


def told_of(record: SetRecord) -> dict[str, str | bool]:
    """What the first line of a file says of a set: what it is called and where it comes from."""
    words = {name: str(record.about.get(name) or "") for name in ("source", "licence")}
    return {"name": record.name, "sample": record.sample, **words}
