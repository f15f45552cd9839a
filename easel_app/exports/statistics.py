"""Nested statistics, such as how far judges and people agree, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from easel_app.services.spreadsheets import Cell, lines

ESTIMATE = ("value", "low", "high", "n", "undefined")
LONGEST_LABEL = 80
"""Characters of a text by which an element of a list is told from the others."""
STEP = " > "


def statistics_csv(found: Mapping[str, Any]) -> str:
    """Any nested statistics as a CSV file.

    Each record with a `value`, or with a `low` and a `high`, becomes a row, and so does each number that stands alone;
    what is undefined has an empty cell. `path` names what the statistic is of, step by step. An element of a list goes
    by the short texts in it, else by its number.

    Args:
        found: mappings and sequences in each other, as of `dataclasses.asdict`.

    Returns:
        Columns `path, statistic, value, low, high, n, undefined`, and whatever else records hold.
    """
    rows = list(_statistics(found, ()))
    more = dict.fromkeys(name for row in rows for name in row if name not in ("path", "statistic", *ESTIMATE))
    return "".join(lines(["path", "statistic", *ESTIMATE, *more], rows))


def _statistics(value: Any, path: tuple[str, ...]) -> Iterator[dict[str, Cell]]:
    if isinstance(value, Mapping):
        if _is_record(value):
            yield _row(path, {name: _cell(part) for name, part in value.items()})
            return
        for name, part in value.items():
            yield from _statistics(part, (*path, str(name)))
    elif _is_list(value):
        labels = [_label(element) for element in value]
        names = [" / ".join(label.values()) for label in labels]
        for number, (element, label, name) in enumerate(zip(value, labels, names, strict=True), 1):
            step = name if name and names.count(name) == 1 else f"{number} {name}".strip()
            rest = {key: part for key, part in element.items() if key not in label} if label else element
            yield from _statistics(rest, (*path, step))
    else:
        yield _row(path, {"value": _cell(value)})


def _is_record(value: Mapping[str, Any]) -> bool:
    flat = not any(isinstance(part, Mapping) or _is_list(part) for part in value.values())
    return flat and ("value" in value or {"low", "high"} <= set(value))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _label(element: Any) -> dict[str, str]:
    """The short texts in an element of a list."""
    parts = element.items() if isinstance(element, Mapping) else ()
    return {key: part for key, part in parts if isinstance(part, str) and 0 < len(part) <= LONGEST_LABEL}


def _row(path: tuple[str, ...], cells: Mapping[str, Cell]) -> dict[str, Cell]:
    return {**cells, "path": STEP.join(path[:-1]), "statistic": path[-1] if path else ""}


def _cell(value: Any) -> Cell:
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None or isinstance(value, str | int | float) else str(value)
