"""Markdown of a data set's card: text of anyone stands in it without becoming markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""The hub's words for numbers of rows, up to each."""


MARKS = "|[`*_~"
"""Characters that would begin markup within a cell."""


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are Markdown already."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    """Text of anyone as code in a cell."""
    return f"`{cell(text).replace('`', chr(39))}`"


def cell(text: str) -> str:
    """Text that stands in one cell and begins no markup."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    plain = plain.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in MARKS else char for char in plain)


def size(count: int) -> str:
    """The hub's word for a number of rows."""
    return next((word for most, word in SIZES if count < most), "1M<n<10M")
