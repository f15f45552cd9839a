"""Numbers in whatever shape a plan gives them, read as one table: a name for each row, and columns of numbers.

Models write the data of a chart as they like, since no form of it is prescribed: lists of numbers, of pairs or of
records, objects of lists, series with points of their own, JSON or comma-separated lines within a text. What is read
is never executed; how much of it is looked at is bounded, whatever it holds.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeGuard

from easel_app.plans.json_text import MOST_DEEP, decode, value_end

MOST_ROWS: Final = 400
MOST_COLUMNS: Final = 12
LOOKED_AT: Final = 64
"""Columns that are looked at for numbers."""
MOST_CHARACTERS: Final = 200_000
"""Of data that are given as text."""
LONGEST_LABEL: Final = 80
MOST_NESTED: Final = 5
"""Objects around the data, such as {"data": {"values": …}}."""
PLACES: Final = frozenset(
    {
        *("label", "labels", "name", "names", "category", "categories", "x", "x_values", "xs", "key", "group", "item"),
        *("year", "years", "month", "months", "day", "days", "date", "dates", "time", "week", "quarter", "hour", "t"),
        *("stage", "step", "country", "city", "region"),
    }
)
"""Names of what stands below a chart rather than in it."""
NAMES: Final = ("name", "label", "title", "legend", "series", "category", "group", "key")
VALUES: Final = ("values", "data", "y", "points", "y_values", "value")
SERIES: Final = ("series", "datasets", "data", "lines", "traces")
HOLDERS: Final = ("data", "dataset", "values", "series", "datasets", "points", "rows", "table")
HEADS: Final = ("columns", "headers", "header", "fields")
ABOUT: Final = frozenset(
    {
        *("title", "subtitle", "type", "kind", "options", "config", "layout", "style", "axes", "legend", "encoding"),
        *("colors", "colours", "color", "colour", "x_label", "y_label", "xlabel", "ylabel", "x_axis_label"),
        *("y_axis_label", "unit", "units"),
    }
)
"""Names of what says how a chart looks."""
_NUMBER = re.compile(
    r"[~≈<>]?\s*[$€£¥₹]?\s*(?P<digits>[-+\N{MINUS SIGN}]?(?:\d{1,3}(?:[, \N{NO-BREAK SPACE}]\d{3})+|\d+)?(?:\.\d*)?)"
    r"(?P<power>[eE][-+]?\d{1,3})?\s*(?P<unit>%|[^\W\d_°]{0,10}|°[CF]?)(?:/[^\W\d_]{1,10})?"
)
_SEPARATORS = (("\t", None), ("|", None), (";", None), (",", None), (":", 2), ("=", 2))
"""Of fields in a line of text, the strongest first, and how many fields it makes at least and at most."""
_RULE = re.compile(r"[\s|:+-]*")
"""Between a Markdown table's head and body."""


class NotReadable(ValueError):
    """The data are no numbers that could be drawn; the message is a part of a sentence that says why."""


@dataclass
class Table:
    """Rows with a name each, and columns of numbers."""

    labels: list[str]
    x: list[float] | None
    """The names of the rows as numbers, where all of them are."""
    columns: dict[str, list[float | None]]
    """None for a number that is missing."""
    named: bool = True
    """Whether the data name their rows; else they are counted."""
    notes: list[str] = field(default_factory=list)
    """What of the data is left out, in sentences."""
    title: str = ""


def read_table(data: Any, first_is_place: bool = False) -> Table:
    """The table that data of any shape are.

    Args:
        data: any value, of JSON above all.
        first_is_place: whether the first of several columns of numbers says where the others stand, whatever its name.

    Raises:
        NotReadable: they are none.
    """
    return _Reader(first_is_place).read(data, 0)


def number(value: Any) -> float | None:
    """A finite number, or one that a text of digits, perhaps with a sign of currency or a unit, says; else None."""
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value.strip()) if len(value) <= 40 else None
        digits = re.sub(r"[,\s]", "", found["digits"]).replace("\N{MINUS SIGN}", "-") if found else ""
        try:
            value = float(digits + (found["power"] or "")) if found else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) and abs(value) < 1e300 else None
    except OverflowError:  # an integer that no float holds
        return None


def words(value: Any) -> str:
    """A value as a label: on one line, short, with nothing in it that does not print."""
    if isinstance(value, str):
        line = " ".join(value[: 4 * LONGEST_LABEL].split())
        line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
        return line if len(line) <= LONGEST_LABEL else line[: LONGEST_LABEL - 1] + "…"
    if isinstance(value, bool):
        return "true" if value else "false"
    if (found := number(value)) is not None:
        return str(value) if isinstance(value, int) and abs(value) < 10**15 else f"{found:.6g}"
    return "" if value is None else "…"


class _Reader:
    """Reads one value. Each method makes a table of one shape, or hands a simpler one on."""

    def __init__(self, first_is_place: bool) -> None:
        self._first_is_place = first_is_place

    def read(self, data: Any, depth: int) -> Table:
        if depth > MOST_NESTED:
            raise NotReadable("its data stand within too many objects")
        if isinstance(data, str):
            return self._text(data, depth)
        if isinstance(data, Mapping):
            return self._object(data, depth)
        if _is_list(data):
            return self._list(data, depth)
        raise NotReadable("its data are neither a list, nor an object, nor a text of them")

    def _text(self, text: str, depth: int) -> Table:
        if len(text) > MOST_CHARACTERS:
            raise NotReadable(f"its data are a text of {len(text):,} characters, and at most {MOST_CHARACTERS:,} are")
        text = text.strip().removeprefix("```json").removeprefix("```csv").strip("`").strip()
        if text[:1] in ("[", "{"):
            ended = value_end(text, 0)
            if not ended or ended.end != len(text) or ended.depth > MOST_DEEP:
                raise NotReadable("its data are a text that begins as JSON and is none")
            return self.read(decode(text).value, depth + 1)
        rows = _lines(text)
        if not rows:
            raise NotReadable("its data are a text without a table in it")
        return self._rows(rows)

    def _object(self, data: Mapping[Any, Any], depth: int) -> Table:
        keyed = {words(key).lower(): value for key, value in islice(data.items(), MOST_ROWS + 1)}
        title = words(keyed.get("title")) if isinstance(keyed.get("title"), str) else ""
        kept = {key: value for key, value in data.items() if key not in ABOUT or number(value) is not None}
        lists = {key: _inner_list(value) for key, value in kept.items() if _is_data(value)}
        if lists:
            table = self._of_lists(lists, depth)
        else:
            table = self._pairs(list(islice(kept.items(), MOST_ROWS)))
            _shorten(table, len(kept))
        table.title = table.title or title
        return table

    def _of_lists(self, lists: Mapping[Any, Any], depth: int) -> Table:
        """Of an object, by what in it is no plain value."""
        lowered = {words(key).lower(): value for key, value in islice(lists.items(), LOOKED_AT)}
        places = next((value for key, value in lowered.items() if key in PLACES and _is_plain(value)), None)
        for key in SERIES:
            if (many := lowered.get(key)) is not None and _is_list(many) and _are_series(many):
                return self._series(many, places, depth)
        for key in HOLDERS:
            if _is_list(body := lowered.get(key)) and body and all(map(_is_list, body[:MOST_ROWS])):
                head = next((lowered[name] for name in HEADS if _is_plain(lowered.get(name))), None)
                return self._rows([head, *body]) if head else self.read(body, depth + 1)
        plain = [(key, value) for key, value in islice(lists.items(), LOOKED_AT) if _is_plain(value)]
        if plain and not (len(plain) == 1 and places is not None and len(lists) > 1):
            return self._columns(plain, loose=True)
        if places is None and (held := next((lowered[key] for key in HOLDERS if key in lowered), None)) is not None:
            return self.read(held, depth + 1)
        if len(lists) == 1 or places is not None:
            inner = next(value for value in lists.values() if value is not places)
            if isinstance(inner, Mapping) and places is not None:
                return self._of_lists({"labels": places, **inner}, depth + 1)
            return self.read(inner, depth + 1)
        named = [{"name": words(key), "values": value} for key, value in lists.items()]
        return self._series(named, None, depth)

    def _list(self, data: Sequence[Any], depth: int) -> Table:
        if not data:
            raise NotReadable("its data are empty")
        head = data[:MOST_ROWS]
        if all(isinstance(row, Mapping) for row in head):
            if _are_series(head):
                return self._series(data, None, depth)
            if len(data) == 1 and any(isinstance(value, Mapping) or _is_list(value) for value in data[0].values()):
                return self.read(data[0], depth + 1)
            return self._records(data)
        if all(_is_list(row) for row in head):
            table = self._rows(data)
        elif not any(isinstance(row, Mapping) or _is_list(row) for row in head):
            table = self._columns([(None, head)])
        else:
            raise NotReadable("its data mix numbers, lists and objects")
        _shorten(table, len(data))
        return table

    def _records(self, data: Sequence[Mapping[Any, Any]]) -> Table:
        """One object for each row."""
        head = data[:MOST_ROWS]
        if all(len(row) == 1 for row in head) and len({key for row in head for key in row}) > 1:
            table = self._pairs([next(iter(row.items())) for row in head])
        else:
            keys = list(dict.fromkeys(key for row in head for key in islice(row, LOOKED_AT)))[:LOOKED_AT]
            table = self._columns([(key, [row.get(key) for row in head]) for key in keys])
        _shorten(table, len(data))
        return table

    def _pairs(self, pairs: Sequence[tuple[Any, Any]]) -> Table:
        """A label and a value for each row; one with words for a value has none."""
        good = [(key, value) for key, value in pairs if value is None or number(value) is not None or _is_number(value)]
        table = self._columns([("label", [key for key, _ in good]), (None, [value for _, value in good])])
        if wordy := [words(key) for key, value in pairs if (key, value) not in good]:
            table.notes.append(_not_drawn(wordy))
        return table

    def _rows(self, rows: Sequence[Sequence[Any]]) -> Table:
        """One list for each row, with names of the columns above them perhaps."""
        head = [list(row[:LOOKED_AT]) for row in rows[: MOST_ROWS + 1]]
        width = max(map(len, head), default=0)
        above = len(head) > 1 and all(isinstance(each, str) and number(each) is None for each in head[0])
        above = above and any(number(each) is not None for row in head[1:] for each in row)
        names: list[str | None] = [words(name) for name in head[0]] if above else []
        names += [None] * (width - len(names))
        body = head[1:] if above else head[:MOST_ROWS]
        columns = [(names[k], [row[k] if k < len(row) else None for row in body]) for k in range(width)]
        table = self._columns(columns)
        _shorten(table, len(rows) - above)
        return table

    def _series(self, data: Sequence[Any], places: Sequence[Any] | None, depth: int) -> Table:
        """One object for each series, over the same places or over its own."""
        read: dict[str, Table] = {}
        for k, each in enumerate(data[:MOST_COLUMNS]):
            values = next((each[name] for name in VALUES if name in each and _is_data(each[name])), None)
            own = next((value for key, value in each.items() if key in PLACES and _is_plain(value)), places)
            if _is_list(values) and _is_plain(values) and own is not None:
                table = self._columns([("label", own), ("value", values)])
            else:
                table = _Reader(True).read(values, depth + 1)
            name = next((words(each[name]) for name in NAMES if isinstance(each.get(name), str)), f"series {k + 1}")
            while name in read:
                name += "’"
            read[name] = table
        made = _side_by_side(read)
        if len(data) > MOST_COLUMNS:
            made.notes.append(f"Only the first {MOST_COLUMNS} series are drawn.")
        return made

    def _columns(self, columns: Sequence[tuple[Any, Sequence[Any]]], loose: bool = False) -> Table:
        """Of columns of plain values.

        Args:
            columns: names and values.
            loose: whether they are lists of an object, of which none comes first.
        """
        rows = min(MOST_ROWS, max((len(values) for _, values in columns), default=0))
        named = [(words(name), list(values[:rows])) for name, values in columns]
        named = [(name, values + [None] * (rows - len(values))) for name, values in named]
        figures = {k: _numbers(values) for k, (_, values) in enumerate(named)}
        numeric = [k for k, found in figures.items() if found is not None]
        place = next((k for k, (name, _) in enumerate(named) if name.lower() in PLACES), None)
        if place is None:
            place = next((k for k in figures if figures[k] is None), None)
        if place is None and len(numeric) > 1 and rows > 1 and (self._first_is_place or not loose):
            place = numeric[0]
        drawn = [k for k in numeric if k != place]
        if not drawn:
            if not numeric:
                raise NotReadable("its data hold no numbers")
            place, drawn = None, numeric
        notes = _left_out(named, figures, place, drawn)
        taken: dict[str, list[float | None]] = {}
        for k in drawn[:MOST_COLUMNS]:
            name = named[k][0] or (f"column {k + 1}" if len(drawn) > 1 else "")
            while name in taken:
                name += "’"
            taken[name] = figures[k] or []
        given = [str(k + 1) for k in range(rows)] if place is None else [words(value) for value in named[place][1]]
        at = None if place is None else [number(value) for value in named[place][1]]
        x = [each for each in at if each is not None] if at else []
        table = Table(given, x if len(x) == rows else None, taken, place is not None, notes)
        longest = max(len(values) for _, values in columns)
        _shorten(table, longest)
        return table


def _left_out(
    named: Sequence[tuple[str, Sequence[Any]]],
    figures: Mapping[int, Sequence[float | None] | None],
    place: int | None,
    drawn: Sequence[int],
) -> list[str]:
    """What of some columns is not drawn."""
    notes = []
    given = sum(named[k][1][j] is not None for k in drawn for j in range(len(named[k][1])))
    if missing := given - sum(value is not None for k in drawn for value in figures[k] or ()):
        notes.append(
            f"{_many(missing, 'value that is no finite number is', 'values that are no finite numbers are')} left out."
        )
    wordy = [name or f"column {k + 1}" for k, (name, _) in enumerate(named) if figures[k] is None and k != place]
    if wordy:
        notes.append(_not_drawn(wordy))
    if len(drawn) > MOST_COLUMNS:
        notes.append(f"Only the first {MOST_COLUMNS} series are drawn.")
    return notes


def _numbers(values: Sequence[Any]) -> list[float | None] | None:
    """A column as numbers; None for one that holds words, of which some may look like a number."""
    found = [number(value) for value in values]
    given = sum(value is not None and value != "" for value in values)
    good = sum(value is not None for value in found)
    odd = sum(map(_is_number, values))  # NaN and its like belong to numbers
    return found if good and 2 * max(good, odd) >= given else None


def _side_by_side(tables: Mapping[str, Table]) -> Table:
    """Series over their own places as one table: over the same ones, over all of them, or one behind the other."""
    read = list(tables.values())
    notes = list(dict.fromkeys(note for table in read for note in table.notes))
    series = {
        name if len(table.columns) == 1 else f"{name}, {inner}": (table, values)
        for name, table in tables.items()
        for inner, values in table.columns.items()
    }
    if len(series) > MOST_COLUMNS:
        notes.append(f"Only the first {MOST_COLUMNS} series are drawn.")
        series = dict(islice(series.items(), MOST_COLUMNS))
    if all(len(set(table.labels)) == len(table.labels) for table in read):
        labels = list(dict.fromkeys(label for table in read for label in table.labels))
        at = {label: k for k, label in enumerate(labels)}
        x_of = {a: b for table in read if table.x is not None for a, b in zip(table.labels, table.x, strict=True)}
        columns = {name: _spread(table, values, at) for name, (table, values) in series.items()}
    else:
        labels = [label for table in read for label in table.labels]
        first = 0
        starts = {}
        for table in read:
            starts[id(table)] = first
            first += len(table.labels)
        columns = {
            name: [
                *[None] * starts[id(table)], *values, *[None] * (len(labels) - starts[id(table)] - len(values))
            ]
            for name, (table, values) in series.items()
        }  # fmt: skip
        x_of = {}
    if x_of:
        x = [x_of[label] for label in labels] if x_of.keys() == set(labels) else None
    else:
        all_x = [each for table in read for each in table.x or ()]
        x = all_x if len(all_x) == len(labels) else None
    made = Table(labels, x, columns, any(table.named for table in read), notes)
    count = len(labels)
    if count > MOST_ROWS:
        made.labels, made.x = labels[:MOST_ROWS], x[:MOST_ROWS] if x else None
        made.columns = {name: values[:MOST_ROWS] for name, values in columns.items()}
        _shorten(made, count)
    return made


def _spread(table: Table, values: Sequence[float | None], at: Mapping[str, int]) -> list[float | None]:
    made: list[float | None] = [None] * len(at)
    for label, value in zip(table.labels, values, strict=True):
        made[at[label]] = value
    return made


def _shorten(table: Table, count: int) -> None:
    """Say it once when there were more rows than are kept."""
    if count > MOST_ROWS and not any(note.endswith("points are drawn.") for note in table.notes):
        table.notes.append(f"Only the first {len(table.labels):,} of {count:,} points are drawn.")


def _lines(text: str) -> list[list[str]]:
    """The fields of a text's lines, by the separator that all of them have; none when there is none."""
    lines = [line.strip() for line in text.splitlines()[: 4 * MOST_ROWS] if line.strip()]
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    if len(lines) == 1:  # all in one line: Mon: 3, Tue: 5
        parts = re.split(r"[,;\n]\s+|;", lines[0])
        if len(parts) > 1 and all(re.search(r"[:=]", part) for part in parts):
            lines = [part for part in parts if part.strip()]
    for separator, most in _SEPARATORS:
        if separator == "|":
            rows = [[each.strip() for each in line.strip("|").split("|")] for line in lines]
        elif most:
            rows = [[each.strip() for each in line.rsplit(separator, 1)] for line in lines]
        else:
            rows = [[each.strip() for each in row] for row in _csv(lines, separator)]
        if rows and all(len(row) > 1 for row in rows):
            return rows if len(rows) > 1 or len(rows[0]) <= 2 else [[value] for value in rows[0]]
    return [[line] for line in lines] if lines and all(number(line) is not None for line in lines) else []


def _csv(lines: Iterable[str], separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return []


def _inner_list(value: Any) -> Any:
    """What {"label": …, "values": […]} holds, for an axis with a name; anything else as it is."""
    if isinstance(value, Mapping) and len(value) <= 8:
        lists = [value[name] for name in VALUES if name in value and _is_plain(value[name])]
        if len(lists) == 1 and sum(_is_list(each) for each in value.values()) == 1:
            return lists[0]
    return value


def _is_number(value: Any) -> bool:
    """Whether it is a number, though perhaps not a finite one."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _not_drawn(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"No numbers, and so not drawn: {', '.join(names[:3])}{more}."


def _are_series(data: Sequence[Any]) -> bool:
    head = data[:MOST_COLUMNS]
    return bool(head) and all(
        isinstance(each, Mapping) and any(_is_data(each.get(name)) for name in VALUES) for each in head
    )


def _is_data(value: Any) -> bool:
    return (_is_list(value) or isinstance(value, Mapping)) and bool(value)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _is_plain(value: Any) -> TypeGuard[Sequence[Any]]:
    """Whether it is a list of plain values."""
    return (
        _is_list(value)
        and bool(value)
        and not any(isinstance(each, Mapping | list | tuple) for each in value[:MOST_ROWS])
    )


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
