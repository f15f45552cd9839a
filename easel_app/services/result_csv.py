"""The leaderboard as a CSV file (RFC 4180), one row for each player and anchor."""

from __future__ import annotations

from collections.abc import Iterator

from easel_app.services.result_views import ResultRow, Results
from easel_app.services.spreadsheets import Cell, lines

FACTS = ("category", "protocol", "renderer", "metric")
"""What all rows have in common, written in each, so that files can be put together."""
APART = ("final", "categories", "tasks", "curve")
"""Fields that are no single cell; a curve has no place in the file."""
PLAIN = tuple(name for name in ResultRow.model_fields if name not in APART)


def as_csv(results: Results) -> str:
    """The rows of an answer, players first; a text that a spreadsheet would compute begins with an apostrophe."""
    rows = [dict(_cells(row)) for row in (*results.players, *results.anchors)]
    shared: dict[str, Cell] = {name: getattr(results, name) for name in FACTS}
    names = dict.fromkeys(name for row in rows for name in row) or dict.fromkeys(PLAIN)
    return "".join(lines([*FACTS, *names], ({**shared, **row} for row in rows)))


def _cells(row: ResultRow) -> Iterator[tuple[str, Cell]]:
    for name in PLAIN:
        yield name, getattr(row, name)
        if name == "complete":  # the score beside what it is of
            yield from (("final", row.final.mean), ("final_low", row.final.low), ("final_high", row.final.high))
    for category, mean in row.categories.items():
        yield category, mean.mean
        yield from ((f"{category}_{part}", getattr(mean, part)) for part in ("low", "high", "n"))
    yield from row.tasks.items()
