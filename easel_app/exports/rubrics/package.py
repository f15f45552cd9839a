"""A whole rubric set in our own format: a file of lines with its pictures beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from easel_app.exports.packages import SetPackage
from easel_app.exports.rubrics.content import Content
from easel_app.exports.rubrics.lines import line_of, set_line, statement_records
from easel_app.rubrics.records import Answer, Task
from easel_app.sources.fields import Picture


class Package(SetPackage):
    """The files of a rubric set."""

    def __init__(self, content: Content) -> None:
        super().__init__()
        self._content = content

    def _picture(self, digest: str) -> bytes | None:
        return self._content.picture(digest)

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
