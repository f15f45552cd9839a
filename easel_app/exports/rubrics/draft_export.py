"""Tasks that were written here and accepted, in the schema of VisualToolBench's data set.

Their rows are those of the table of tasks (`columns`), as its `dataset.json` holds them: a JSON list whose pictures are
data URLs, or paths of files beside it. Either is read by the import of rubric data, which is how they get into a set.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

from easel_app.exports.files import File
from easel_app.exports.rubrics.columns import PARTS, Row
from easel_app.exports.rubrics.content import Content
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.rubrics import Rubrics

DATASET = "dataset.json"
IMAGES = "images"
"""Folder of the pictures beside it."""
Refer = Callable[[Row], str]
"""From a picture as a table holds it (`bytes`, `path`) to how a row names it."""


class AcceptedTasks:
    """Accepted tasks as they are at one moment."""

    def __init__(self, rubrics: Rubrics, drafts: DraftService, draft_id: str | None = None) -> None:
        """Look up which there are, or only that of one draft."""
        wanted = {task for draft, task in drafts.accepted().items() if draft_id in (None, draft)}
        self._content = Content(rubrics, drafts.book.set_id) if wanted else None
        if self._content:
            found = self._content.outlines.items()
            self._content.outlines = {row_id: outline for row_id, outline in found if outline.task_id in wanted}

    def __len__(self) -> int:
        return len(self._content.outlines) if self._content else 0

    def rows(self) -> Iterator[Row]:
        """Their rows, with data URLs for pictures; one picture after the other is read."""
        return self._rows(_data_url)

    def json(self) -> Iterator[bytes]:
        """A whole `dataset.json` with data URLs for pictures, row by row."""
        return listed(self.rows())

    def files(self) -> Iterator[File]:
        """A `dataset.json` with its pictures beside it, each file to be read before the next one is asked for."""
        there: dict[str, None] = {}

        def path(picture: Row) -> str:
            if picture["bytes"] is not None:
                there[picture["path"]] = None
            return f"{IMAGES}/{picture['path']}"

        yield File(DATASET, listed(map(_with_paths, self._rows(path))), large=True)
        for name in there:
            content = self._content.picture(name.partition(".")[0]) if self._content else None
            if content is not None:
                yield File(f"{IMAGES}/{name}", [content])

    def _rows(self, refer: Refer) -> Iterator[Row]:
        if self._content:
            for row in PARTS[0].rows(self._content):
                by_turn = [[refer(picture) for picture in turn] for turn in row["images_by_turn"]]
                flat = [picture for turn in by_turn for picture in turn]
                yield row | {"images": flat, "images_by_turn": by_turn}


def listed(rows: Iterator[Row]) -> Iterator[bytes]:
    """Rows as a JSON list, piece by piece."""
    yield b"["
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n").encode() + json.dumps(row, ensure_ascii=False).encode()
    yield b"\n]\n"


def _data_url(picture: Row) -> str:
    """A picture within its row; one whose file is gone keeps its name, so that an import can tell which."""
    name, content = picture["path"], picture["bytes"]
    if content is None:
        return str(name)
    return f"data:image/{name.rpartition('.')[2]};base64,{base64.b64encode(content).decode()}"


def _with_paths(row: Row) -> dict[str, Any]:
    """A row in the columns that the authors' own `dataset.json` has for files."""
    row = dict(row)
    row["image_paths"], row["images_by_turn_paths"] = row.pop("images"), row.pop("images_by_turn")
    return row
