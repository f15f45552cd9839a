"""Charts as pictures: the same bytes each time, whatever the texts and the numbers are."""

from __future__ import annotations

import io
import math
import warnings
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.plans.charts import Chart, Kind, Series, draw_chart
from easel_app.plans.drawing import CannotDraw, draw

KINDS: tuple[Kind, ...] = ("bar", "line", "pie", "scatter")


def picture(content: bytes) -> Image.Image:
    found = Image.open(io.BytesIO(content))
    assert (found.format, found.size) == ("PNG", (800, 450))
    return found.convert("RGB")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_drawn_in_colour_and_twice_the_same(kind: str) -> None:
    chart = draw_chart({"diagram_type": kind, "data": {"x": [1, 2, 4], "k": [3, 1, 2], "m": [1, 2, None]}})
    first = draw(chart)
    assert draw(chart) == first
    assert any(max(colour) - min(colour) > 60 for _, colour in picture(first).getcolors(1 << 20) or ())


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_words_and_no_formulas(kind: Kind) -> None:
    words = ("$x$", r"$\frac{a}{b", "_hidden", "漢字 🙂", "\\$ $", "a" * 80, "")
    series = tuple(Series(name, (1.0, 2.0, None, 4.0, 0.0, 6.0, 7.0)) for name in words)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture(draw(Chart(kind, " ".join(words), words, series, None, "")))


def test_numbers_of_every_size_are_drawn() -> None:
    for kind in ("bar", "line", "scatter"):
        for size in (1e99, 5e-324, 123456789.123):
            picture(draw(draw_chart({"diagram_type": kind, "data": [[size, size], [size / 3, -size], [0, -0.0]]})))


def test_numbers_that_no_axis_holds_are_refused() -> None:
    with pytest.raises(CannotDraw, match="too large"):
        draw(draw_chart({"diagram_type": "bar", "data": {"a": 1e200}}))


@settings(max_examples=8)
@given(
    kind=st.sampled_from(KINDS),
    data=st.dictionaries(st.text(max_size=20), st.floats(-1e90, 1e90) | st.none(), min_size=1, max_size=8),
)
def test_whatever_can_be_charted_is_drawn(kind: str, data: dict[str, Any]) -> None:
    try:
        chart = draw_chart({"diagram_type": kind, "data": data})
    except ValueError:
        return
    picture(draw(chart))
    assert all(value is None or math.isfinite(value) for series in chart.series for value in series.values)
