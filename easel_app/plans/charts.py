"""The chart that a code call asks for, as data: drawn by the page, or by a backend of ours, and never by a plan's code.

Bars, lines, parts of a pie and points in a plane are known. Whatever else a call names, a flowchart say, and whatever
holds no numbers, is not drawn, for a reason that is told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal

from easel_app.plans.chart_data import NotReadable, Table, read_table, words

Kind = Literal["bar", "line", "pie", "scatter"]
KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("bar", "column", "histogram", "barh", "hist", "columns", "bars"), "bar"),
    **dict.fromkeys(("line", "area", "series", "trend", "curve", "lines", "spline"), "line"),
    **dict.fromkeys(("pie", "donut", "doughnut"), "pie"),
    **dict.fromkeys(("scatter", "bubble", "point", "points", "dots"), "scatter"),
}
"""What a word in the name of a kind of diagram means."""
MOST_PARTS: Final = 40
"""Of a pie."""
NOT_SHOWN: Final = {
    "stacked": "The bars stand side by side here, not stacked.",
    "bubble": "The sizes of bubbles are not drawn.",
}
_WORD = re.compile(r"[^\W\d_]+")
_SUFFIX = re.compile(r"(?:chart|plot|graph|diagram)s?$")


class NoChart(ValueError):
    """There is nothing to draw; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers that belong together, one for each label; None where there is none."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw. Texts are short and on one line, numbers finite."""

    kind: Kind
    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    x: tuple[float, ...] | None
    """Where the values stand, as many as there are labels, of a scatter or a line over numbers; else None."""
    note: str
    """What of the data is not drawn; empty when all is."""


def chart_of(params: Mapping[str, Any] | None) -> Chart | None:
    """The chart of a code call's parameters; None when there is nothing to draw, for a reason that `why_not` tells."""
    try:
        return draw_chart(params)
    except NoChart:
        return None


def why_not(params: Mapping[str, Any] | None) -> str:
    """Why there is no chart of these parameters, in one sentence; empty when there is one."""
    try:
        draw_chart(params)
    except NoChart as reason:
        return str(reason)
    return ""


def draw_chart(params: Mapping[str, Any] | None) -> Chart:
    """The chart of a code call's parameters, under the names of the registry: `diagram_type` and `data`.

    Raises:
        NoChart: there is nothing to draw.
    """
    params = params or {}
    data = params.get("data")
    if data is None:
        if "code" in params:
            raise NoChart("The call gives code, which is never run here, and no data.")
        raise NoChart("The call gives no data.")
    inner: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
    named = next((each for each in (params.get("diagram_type"), inner.get("type")) if isinstance(each, str)), "")
    if not named.strip():
        raise NoChart("The call names no kind of diagram.")
    found = [word.lower() for word in _WORD.findall(named[:200])]
    kind = _kind(found)
    if kind is None:
        what = words(named)
        raise NoChart(f"Bars, lines, pies and points can be drawn from data alone, and “{what}” is none of them.")
    try:
        table = read_table(data, first_is_place=kind == "scatter")
    except NotReadable as reason:
        raise NoChart(f"Nothing can be drawn, since {reason}.") from None
    title = next((words(each) for each in (params.get("title"), table.title) if isinstance(each, str) and each), "")
    table.notes += [note for word, note in NOT_SHOWN.items() if word in found]
    if {"histogram", "hist"} & set(found) and not table.named:
        table = _binned(table)
    if kind == "pie":
        table = _parts(table)
    chart = _chart(kind, title, table)
    return _in_order(chart) if kind == "line" and chart.x else chart


def _kind(found: Sequence[str]) -> Kind | None:
    """The kind that words name, the first that is known."""
    for word in found:
        for tried in (word, _SUFFIX.sub("", word)):
            if tried in KINDS:
                return KINDS[tried]
    return None


def _chart(kind: Kind, title: str, table: Table) -> Chart:
    series = tuple(Series(name, tuple(values)) for name, values in table.columns.items())
    x = tuple(table.x) if table.x is not None and kind in ("line", "scatter") else None
    return Chart(kind, title, tuple(table.labels), series, x, " ".join(table.notes))


def _in_order(chart: Chart) -> Chart:
    """A line from left to right."""
    assert chart.x is not None  # noqa: S101
    order = sorted(range(len(chart.x)), key=chart.x.__getitem__)
    return replace(
        chart,
        x=tuple(chart.x[k] for k in order),
        labels=tuple(chart.labels[k] for k in order),
        series=tuple(Series(each.name, tuple(each.values[k] for k in order)) for each in chart.series),
    )


def _parts(table: Table) -> Table:
    """A table as the parts of one whole."""
    if len(table.labels) == 1 and len(table.columns) > 1:  # one row that names its parts by its columns
        values = [column[0] for column in table.columns.values()]
        table = Table(
            list(table.columns), None, {table.labels[0] if table.named else "": values}, True, table.notes, table.title
        )
    name, values = next(iter(table.columns.items()))
    notes = list(table.notes)
    if len(table.columns) > 1:
        notes.append(f"A pie shows one series, here {name}.")
    if len(values) > MOST_PARTS:
        notes.append(f"Only the first {MOST_PARTS} of {len(values)} parts are drawn.")
        values = values[:MOST_PARTS]
    if any(value is not None and value < 0 for value in values):
        raise NoChart("Nothing can be drawn, since a pie has no parts below zero.")
    if not 0 < sum(value or 0.0 for value in values) < math.inf:
        raise NoChart("Nothing can be drawn, since the parts of the pie add up to nothing.")
    return Table(table.labels[: len(values)], None, {name: values}, table.named, notes, table.title)


def _binned(table: Table) -> Table:
    """How many of the first column's numbers fall into each of some ranges (Sturges' rule)."""
    name, column = next(iter(table.columns.items()))
    values = [value for value in column if value is not None]
    low, high = min(values), max(values)
    bins = math.ceil(math.log2(len(values))) + 1 if low < high else 1
    counts: list[float | None] = [0.0] * bins
    for value in values:
        k = min(bins - 1, int((value - low) / (high - low) * bins)) if low < high else 0
        counts[k] = (counts[k] or 0.0) + 1
    edges = [low + (high - low) * k / bins for k in range(bins + 1)]
    labels = [f"{words(a)}–{words(b)}" for a, b in pairwise(edges)]
    notes = [*table.notes, f"{len(values)} numbers are counted in {bins} ranges."]
    return Table(labels, None, {name: counts}, True, notes, table.title)
