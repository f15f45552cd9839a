"""A chart as a picture, by matplotlib.

Only data reach it: no pyplot, no state, no style of the machine, no formulas in texts. The same chart on the same
installation is the same bytes.
"""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any, Final

from easel_app.plans.charts import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES, DPI = (8.0, 4.5), 100
MOST_TICKS: Final = 24
"""Labels below a chart; of more places only some are told."""
MOST_MAGNITUDE: Final = 1e100
"""Of numbers that an axis is made for."""
COLOURS: Final = (
    "#2f6fde", "#e07a1f", "#2f9e5b", "#b4457f", "#7a5cc9", "#8a6d3b",
    "#1f9fb4", "#c23b3b", "#6b7280", "#a3a11f", "#d18ac0", "#3d4f7c",
)  # fmt: skip
"""Of series, as many as a chart may have; parts of a pie go round."""


class CannotDraw(Exception):
    """There is no picture; the message says why, as a part of a sentence."""


def draw(chart: Chart) -> bytes:
    """The chart as a PNG file of 800 by 450 pixels.

    Raises:
        CannotDraw: matplotlib cannot draw these numbers.
    """
    values = [value for series in chart.series for value in series.values if value is not None] + list(chart.x or ())
    if any(abs(value) > MOST_MAGNITUDE for value in values):
        raise CannotDraw("its numbers are too large for an axis")
    try:
        return _png(chart)
    except Exception as error:  # a library that draws can stumble over numbers in more ways than can be told
        raise CannotDraw(f"matplotlib cannot draw it ({type(error).__name__})") from error


def _png(chart: Chart) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, dpi=DPI, facecolor="white", layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    if chart.title:
        axes.set_title(_text(chart.title, 90), parse_math=False, fontsize=12)
    if chart.kind == "pie":
        _pie(axes, chart)
    else:
        _series(axes, chart)
    file = io.BytesIO()
    canvas.print_png(file, metadata={"Software": None})  # type: ignore[no-untyped-call]
    return file.getvalue()


def _series(axes: Axes, chart: Chart) -> None:
    """Bars, lines or points, each series in its colour."""
    places = [float(k) for k in range(len(chart.labels))] if chart.x is None else list(chart.x)
    many = len(chart.series)
    for k, series in enumerate(chart.series):
        heights = [math.nan if value is None else value for value in series.values]
        told: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "label": f" {_text(series.name, 30)}"}
        if chart.kind == "bar":
            width = 0.8 / many
            axes.bar([place - 0.4 + (k + 0.5) * width for place in places], heights, width, **told)
        elif chart.kind == "line":
            axes.plot(places, heights, marker="o", markersize=3, **told)
        else:
            axes.scatter(places, heights, s=18, **told)
    if chart.x is None:
        step = -(-len(places) // MOST_TICKS)
        named = [_text(label, 24) for label in chart.labels[::step]]
        long = sum(map(len, named)) > 90
        turned: dict[str, Any] = {"rotation": 35, "ha": "right"} if long else {}
        axes.set_xticks(places[::step], labels=named, parse_math=False, fontsize=8 if long else 9, **turned)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    if many > 1 or chart.series[0].name:
        legend = axes.legend(frameon=False, fontsize=9)
        for text in legend.get_texts():
            text.set_parse_math(False)


def _pie(axes: Axes, chart: Chart) -> None:
    """The parts of a whole, from the top and to the right."""
    parts = [value or 0.0 for value in chart.series[0].values]
    whole = sum(parts)
    colours = [COLOURS[k % len(COLOURS)] for k in range(len(parts))]
    wedges, _ = axes.pie(parts, colors=colours, startangle=90, counterclock=False, normalize=True)[:2]
    named = [f" {_text(label, 40)}: {part / whole:.1%}" for label, part in zip(chart.labels, parts, strict=True)]
    legend = axes.legend(wedges[:MOST_TICKS], named[:MOST_TICKS], loc="center left", bbox_to_anchor=(1.0, 0.5))
    legend.set_frame_on(False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _text(words: str, most: int) -> str:
    """Words that the font has, so that every machine draws the same; others show as a square."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    known = get_font(findfont(FontProperties(family="DejaVu Sans"))).get_charmap()
    short = words if len(words) <= most else words[: most - 1] + "…"
    return "".join(char if ord(char) in known else "\N{WHITE SQUARE}" for char in short)
