"""A rubric set as a data set in Hugging Face layout: a card, and a parquet table for each kind of record.

Rows are written as records are read, so that memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from easel_app.exports.parquet import Table
from easel_app.exports.rubrics.card import Tally, card
from easel_app.exports.rubrics.columns import PARTS
from easel_app.exports.rubrics.content import Content
from easel_app.services.problems import NotFound

SPLIT = "test"
"""The one split, called as in VisualToolBench's data set."""


def write_layout(folder: Path, content: Content, told: Callable[[str, int], None] = lambda name, rows: None) -> Tally:
    """Write a data set into a folder that is there and empty; a table without rows is left out.

    Args:
        folder: where to.
        content: the set.
        told: hears which table is being written, and how many rows it has.

    Raises:
        NotFound: the set has no task.
        OSError: it cannot be written.
    """
    if not content.outlines:
        raise NotFound("no_tasks", "The set has no task, so there is no data set to write; import some first.")
    tally = Tally()
    for part in PARTS:
        path = folder / part.name / f"{SPLIT}.parquet"
        path.parent.mkdir()
        with Table(path, part.columns) as table:
            for row in part.rows(content):
                tally.see(row)
                table.add([row])
                told(part.name, table.rows)
        if table.rows:
            tally.rows[part.name], tally.bytes[part.name] = table.rows, table.bytes
        else:
            path.unlink()
            path.parent.rmdir()
    (folder / "README.md").write_text(card(content, tally, SPLIT), encoding="utf-8")
    return tally
