"""CSV files (RFC 4180) that a spreadsheet may open: no text in them is taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take a text for a formula by, blanks before it aside."""
BLANK = " \u00a0\u200b\u3000\ufeff"
Cell = str | float | None


class _Line:
    """A file that keeps nothing: whoever writes to it gets the text back."""

    def write(self, text: str) -> str:
        return text


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> Iterator[str]:
    """The lines of a file, the first of them naming the columns; a cell that a row does not have is empty."""
    writer: Any = csv.writer(_Line())  # a line is what `write` returns of it
    yield writer.writerow(map(harmless, columns))
    for row in rows:
        yield writer.writerow([harmless(row.get(column)) for column in columns])


def harmless(cell: Cell) -> Cell:
    """The cell as it is written: a text that a spreadsheet would compute begins with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(BLANK).startswith(FORMULAS) else cell
