"""A whole set of plans in our own format (docs/plan-format.md): a file of lines, with its pictures beside it.

A plan may hold what UTF-8 cannot, so lines are ASCII, with everything else escaped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from easel_app.exports.packages import SetPackage, path_of
from easel_app.exports.plans.content import Content
from easel_app.plans.files import PoolImage, QueryRecord
from easel_app.sources.fields import Picture, Record


class Package(SetPackage):
    """The files of a set of plans."""

    def __init__(self, content: Content) -> None:
        super().__init__()
        self._content = content

    def _picture(self, digest: str) -> bytes | None:
        return self._content.picture(digest)

    def _lines(self, pictures: dict[str, Picture]) -> Iterator[bytes]:
        return lines(self._content, pictures)


def lines(content: Content, pictures: dict[str, Picture] | None = None) -> Iterator[bytes]:
    """All of a set, a line a record: the set, queries, answers, reports, votes.

    Args:
        content: the set.
        pictures: where the pictures of the queries are put, by digest.
    """
    found = {} if pictures is None else pictures
    yield line_of(content.set_line())
    for query in content.queries():
        found |= {image.picture.digest: image.picture for image in query.pool if image.picture}
        yield line_of(query)
    yield from map(line_of, content.answers())
    yield from map(line_of, content.statements())


def line_of(record: Record) -> bytes:
    """A record as a line; its pictures are paths beside the file."""
    fields: dict[str, Any] = record.model_dump()  # as Python has it, since JSON of it may not be UTF-8
    if isinstance(record, QueryRecord):
        fields["query_images"] = list(map(_image, record.query_images))
        fields["documents"] = [
            {"text": each.text, "images": list(map(_image, each.images))} for each in record.documents
        ]
    return f"{json.dumps({'type': fields['type'], **fields})}\n".encode()


def _image(image: PoolImage) -> Mapping[str, str | None]:
    picture = path_of(image.picture) if image.picture else None
    return {"picture": picture, "name": image.name, "missing": image.missing}
