"""A whole rubric set in our own format: a file of lines with its pictures beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from easel_app.exports.files import File
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.lines import file_of, line_of, path_of, set_line, statement_records
from easel_app.rubrics.records import Answer, Task
from easel_app.sources.fields import Picture

LINES = "set.jsonl"
MISSING = "missing-pictures.txt"


class Package:
    """The files of a set."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self.missing: list[Picture] = []
        """Pictures whose file is no longer in the data folder, known once all files were made."""

    def files(self) -> Iterator[File]:
        """All of them, each to be read before the next one is asked for."""
        pictures: dict[str, Picture] = {}  # by digest, in the order in which they are shown
        yield File(LINES, self._lines(pictures), large=True)
        for picture in pictures.values():
            content = self._content.picture(picture.digest)
            if content is None:
                self.missing.append(picture)
            else:
                yield File(path_of(picture), [content])
        if self.missing:
            told = "These pictures are no longer in the studio's data folder, so what shows them cannot be imported:"
            yield File(MISSING, ["\n".join([told, *map(file_of, self.missing), ""]).encode()])

    def _lines(self, pictures: dict[str, Picture]) -> Iterator[bytes]:
        yield line_of(set_line(self._content))
        records: Iterable[Task | Answer] = chain(self._content.tasks(), self._content.answers())
        for record in records:
            pictures |= {picture.digest: picture for picture in shown(record)}
            yield line_of(record)
        yield from map(line_of, statement_records(self._content))


def shown(record: Task | Answer) -> Iterator[Picture]:
    """The pictures of a task, or those that tools made for an answer."""
    if isinstance(record, Task):
        return (picture for turn in record.turns for picture in turn.pictures)
    return (picture for turn in record.turns for call in turn.calls for picture in call.pictures)
