"""Charts from the data of code calls: every natural shape is read, what is left out is told, nothing does harm."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.plans import parse_plan
from easel_app.plans.chart_data import LONGEST_LABEL, MOST_COLUMNS, MOST_ROWS, number
from easel_app.plans.charts import MOST_PARTS, Chart, chart_of, draw_chart, why_not
from easel_app.services.plans.views import ChartView

AB = (("a", "b"), [("", (1.0, 2.0))])


def chart(data: Any, kind: str = "bar") -> Chart:
    return draw_chart({"diagram_type": kind, "data": data})


def drawn(found: Chart) -> tuple[tuple[str, ...], list[tuple[str, tuple[float | None, ...]]]]:
    return found.labels, [(each.name, each.values) for each in found.series]


@pytest.mark.parametrize(
    "data",
    [
        {"a": 1, "b": 2},
        [["a", 1], ["b", 2]],
        [{"a": 1}, {"b": 2}],
        {"title": "T", "data": {"a": 1, "b": 2}},
        '{"a": 1, "b": 2}',
        "```json\n{\"a\": 1, \"b\": 2}\n```",
        "a,1\nb,2",
        "a: 1, b: 2",
        "a = 1\nb = 2\n",
        "a | 1\n--|--\nb | 2",
        {"a": "1 kg", "b": "2%"},
    ],
    ids=str,
)  # fmt: skip
def test_one_series_without_a_name_is_read_in_every_shape(data: Any) -> None:
    found = chart(data)
    assert drawn(found) == AB and found.note == "" and found.x is None


@pytest.mark.parametrize(
    ("data", "series"),
    [
        ({"labels": ["a", "b"], "values": [1, 2]}, ["values"]),
        ({"x": ["a", "b"], "y": [1, 2]}, ["y"]),
        ([{"name": "a", "kg": 1}, {"name": "b", "kg": 2}], ["kg"]),
        ("thing;kg\na;1\nb;2", ["kg"]),
        ("| thing | kg |\n|---|---|\n| a | 1 |\n| b | 2 |", ["kg"]),
        ([["thing", "kg"], ["a", 1], ["b", 2]], ["kg"]),
        ({"columns": ["thing", "kg"], "rows": [["a", 1], ["b", 2]]}, ["kg"]),
        ({"data": {"values": [{"q": "a", "kg": 1}, {"q": "b", "kg": 2}]}, "mark": "bar"}, ["kg"]),
        ({"x_axis": {"label": "X", "values": ["a", "b"]}, "y": {"label": "Y", "values": [1, 2]}}, ["y"]),
        ({"type": "bar", "data": {"labels": ["a", "b"], "datasets": [{"label": "kg", "data": [1, 2]}]}}, ["kg"]),
        ({"labels": ["a", "b"], "series": [{"name": "k", "values": [1, 2]}, {"name": "m", "data": [1, 2]}]}, "km"),
        ({"labels": ["a", "b"], "values": {"k": [1, 2], "m": [1, 2]}}, "km"),
        ({"k": {"a": 1, "b": 2}, "m": {"a": 1, "b": 2}}, "km"),
        ({"city": ["a", "b"], "k": [1, 2], "m": [1, 2]}, "km"),
        ([{"label": "k", "values": {"a": 1, "b": 2}}, {"label": "m", "values": [["a", 1], ["b", 2]]}], "km"),
    ],
    ids=str,
)
def test_series_are_read_with_their_names_in_every_shape(data: Any, series: list[str] | str) -> None:
    assert drawn(chart(data)) == (("a", "b"), [(name, (1.0, 2.0)) for name in series])


def test_a_line_over_numbers_stands_where_they_say_from_left_to_right() -> None:
    for data in ({"2019": 1, "2024": 3, "2020": 2}, {"x": [2019, 2024, 2020], "y": [1, 3, 2]}):
        found = chart(data, "line chart")
        assert found.x == (2019.0, 2020.0, 2024.0) and found.labels == ("2019", "2020", "2024")
        assert found.series[0].values == (1.0, 2.0, 3.0)
    assert chart({"2019": 1, "2024": 3}, "bar").x is None


def test_points_keep_their_places_even_where_two_stand_above_each_other() -> None:
    data = {"series": [{"name": "k", "points": [[1, 2], [1, 3]]}, {"name": "m", "data": [{"x": 5, "y": 6}]}]}
    found = chart(data, "scatter plot")
    assert found.x == (1.0, 1.0, 5.0)
    assert drawn(found)[1] == [("k", (2.0, 3.0, None)), ("m", (None, None, 6.0))]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Bar Chart", "bar"), ("stacked_bar", "bar"), ("grouped-column chart", "bar"), ("barchart", "bar"),
        ("line", "line"), ("area plot", "line"), ("Pie", "pie"), ("doughnut", "pie"), ("scatterplot", "scatter"),
        ("flowchart", None), ("timeline", None), ("pipeline", None), ("mind map", None), ("chart", None), ("", None),
        ("\0\ud800", None), ("条形图", None),
    ],
)  # fmt: skip
def test_the_kind_is_told_by_whole_words(name: str, kind: str | None) -> None:
    found = chart_of({"diagram_type": name, "data": {"a": 1}})
    assert (found.kind if found else None) == kind
    assert bool(found) != bool(why_not({"diagram_type": name, "data": {"a": 1}}))


@pytest.mark.parametrize(
    ("data", "kind", "note"),
    [
        ({"a": math.nan, "b": 10**400, "c": math.inf, "d": 3}, "bar", "3 values that are no finite numbers"),
        ([{"q": "a", "n": 1, "note": "x"}], "bar", "not drawn: note."),
        ({"a": 1, "source": "somebody"}, "bar", "not drawn: source."),
        (list(range(10**5)), "bar", "first 400 of 100,000 points"),
        ({"a": 1}, "stacked bar", "side by side"),
        ({"x": ["a", "b"], "k": [1, 2], "m": [3, 4]}, "pie", "one series, here k."),
        ({str(k): 1 for k in range(50)}, "pie", f"first {MOST_PARTS} of 50 parts"),
        ({"labels": ["a"], "values": {f"s{k}": [k] for k in range(99)}}, "bar", "first 12 series"),
        ({f"s{k}": {"a": 1} for k in range(99)}, "bar", "first 12 series"),
        ([1, 2, 2, 9], "histogram", "4 numbers are counted in 3 ranges"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_drawn_is_told(data: Any, kind: str, note: str) -> None:
    assert note in chart(data, kind).note


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        (None, "no data"),
        ({}, "no data"),
        ({"code": "import os"}, "never run"),
        ({"data": [1]}, "names no kind"),
        ({"diagram_type": "bar", "data": []}, "empty"),
        ({"diagram_type": "bar", "data": "hello"}, "without a table"),
        ({"diagram_type": "bar", "data": "[1, 2"}, "begins as JSON"),
        ({"diagram_type": "bar", "data": ["a", "b"]}, "no numbers"),
        ({"diagram_type": "bar", "data": 5}, "neither a list"),
        ({"diagram_type": "bar", "data": [1, [2], {"a": 3}]}, "mix"),
        ({"diagram_type": "pie", "data": {"a": -1, "b": 2}}, "below zero"),
        ({"diagram_type": "pie", "data": {"a": 0}}, "add up to nothing"),
        ({"diagram_type": "bar", "data": "9" * 300_000}, "300,000 characters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_why_there_is_no_chart_is_told(params: Any, reason: str) -> None:
    assert chart_of(params) is None and reason in why_not(params)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (3, 3.0), (True, None), (None, None), ("1,234.5", 1234.5), ("−3", -3.0), ("$ 12", 12.0), ("45 %", 45.0),
        ("12 kg", 12.0), ("3.5 km/h", 3.5), (".5", 0.5), ("1e3", 1000.0), ("2019-05", None), ("", None), (".", None),
        ("-", None), ("1,2", None), ("abc", None), ("1 2", None), ("nan", None), ("1e999", None), (10**400, None),
    ],
)  # fmt: skip
def test_a_number_is_one_only_where_it_says_one(given: Any, value: float | None) -> None:
    assert number(given) == value


def test_hostile_words_become_short_lines_that_print() -> None:
    data = {"series": [{"name": "<b>\0\u202e\ud800" + "x" * 999, "values": [1]}], "labels": ["a\n\tb\x1b[31m"]}
    found = chart({"title": "\ud800", **data})
    texts = [found.title, *found.labels, *(each.name for each in found.series)]
    assert all(text.isprintable() and len(text) <= LONGEST_LABEL for text in texts)
    assert found.labels == ("a b�[31m",)


def test_nested_beyond_reason_and_large_beyond_reason_end_soon() -> None:
    deep: Any = [1]
    for _ in range(900):
        deep = {"data": deep}
    began = time.process_time()
    assert "too many objects" in why_not({"diagram_type": "bar", "data": deep})
    assert why_not({"diagram_type": "bar", "data": "[" * 100_000})
    assert why_not({"diagram_type": "bar", "data": ", " * 90_000 + " " * 20_000})
    for data in (
        [[k] * 300 for k in range(3000)],
        {str(k): [1] * 5 for k in range(50_000)},
        [{"values": [1]}] * 50_000,
    ):
        found = chart(data)
        assert len(found.series) <= MOST_COLUMNS and len(found.labels) <= MOST_ROWS
    assert time.process_time() - began < 5


def test_charts_of_a_plans_calls_are_what_the_page_takes() -> None:
    call = '<tool>{"tool_name":"plot","params":{"type":"bar","dataset":{"a":1,"b":null}}}</tool>'
    found = chart_of(parse_plan(f"Words.\n\n{call}").calls[0].params)
    assert found and ChartView.model_validate(asdict(found)).series[0].values == [1.0, None]


KEYS = st.sampled_from(
    ["data", "values", "series", "labels", "x", "y", "name", "title", "points", "rows", "a", "b", ""]
)
PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(["1,5\n2,6", "[1, 2]", "a: 1, b: 2", 10**400, -0.0, 1e308, "1e308"])
)  # fmt: skip
ANY = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip
NAMES = st.sampled_from(["bar", "line", "pie", "scatter", "histogram", "flow"])


@settings(max_examples=300)
@given(data=ANY, name=NAMES)
def test_whatever_the_data_there_is_a_sound_chart_or_a_reason(data: Any, name: str) -> None:
    params = {"diagram_type": name, "data": data}
    found = chart_of(params)
    if found is None:
        assert why_not(params).endswith(".")
        return
    count = len(found.labels)
    assert 1 <= count <= MOST_ROWS and 1 <= len(found.series) <= MOST_COLUMNS
    assert all(len(each.values) == count for each in found.series)
    assert len({each.name for each in found.series}) == len(found.series)
    numbers = [value for each in found.series for value in each.values if value is not None]
    assert numbers and all(map(math.isfinite, [*numbers, *(found.x or ())]))
    assert found.x is None or (len(found.x) == count and found.kind in ("line", "scatter"))
    assert found.kind != "line" or found.x is None or list(found.x) == sorted(found.x)
    json.dumps(asdict(found), ensure_ascii=False, allow_nan=False).encode()
    assert chart_of(params) == found


@given(st.dictionaries(st.text("abcdefgh", min_size=1), st.integers(-(10**6), 10**6), min_size=1, max_size=20))
def test_every_number_of_a_plain_object_is_drawn_at_its_label(data: dict[str, int]) -> None:
    found = chart(data)
    (series,) = found.series
    assert dict(zip(found.labels, series.values, strict=True)) == data and found.note == ""
