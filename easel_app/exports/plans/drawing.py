"""A chart of a code call as a picture (SVG), from its data alone; with the numbers as a table beneath."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from easel_app.exports.plans.markup import Content, Markup, element
from easel_app.services.plans.views import ChartView, SeriesView

WIDTH: Final = 440
HEIGHT: Final = 180
LEFT: Final = 52
"""Px beside the plot, where its scale stands."""
BOTTOM: Final = 20
TOP: Final = 8
LARGEST: Final = 1e300
"""Numbers that a scale can hold; larger ones stand in the table alone."""
MOST_LABELS: Final = 8
"""Labels of places that are written."""
COLOURS: Final = 5
"""`series-0` … in the style sheet; more series begin again."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def chart(view: ChartView) -> Markup:
    """A chart with its title, its legend and what it leaves out."""
    named = [series.name for series in view.series if series.name] if len(view.series) > 1 else []
    parts = view.labels if view.kind == "pie" else named
    legend = element(
        "ul", {"class": "legend"}, [element("li", {"class": _colour(k)}, name) for k, name in enumerate(parts)]
    )
    return element(
        "figure",
        {"class": "chart"},
        element("figcaption", {"dir": "auto"}, view.title) if view.title else None,
        _picture(view),
        legend if parts else None,
        element("p", {"class": "note"}, view.note) if view.note else None,
        element("details", {}, element("summary", {}, "Its numbers"), _table(view)),
    )


def ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers that divide a scale, at most so many and one more.

    Example:
        >>> ticks(0, 10)
        [0.0, 2.5, 5.0, 7.5, 10.0]
    """
    span = (high - low) / most
    if not (span > 0 and math.isfinite(span)):
        return [low]
    power = 10.0 ** math.floor(math.log10(span))
    step = next((power * each for each in _STEPS if power * each >= span), power * 10)
    if not step > 0:
        return [low]
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, first + most + 1) if k * step <= high + step * 1e-9]


def _picture(view: ChartView) -> Markup:
    drawn = _pie(view.series[0]) if view.kind == "pie" and view.series else _plot(view)
    size: dict[str, str | None] = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "class": f"plot {view.kind}"}
    return element("svg", size, element("title", {}, view.title or f"A {view.kind} chart"), drawn)


def _plot(view: ChartView) -> Iterator[Content]:
    values = [value for series in view.series for value in series.values if value is not None]
    if not values:
        return
    low, high = min(values), max(values)
    if view.kind == "bar":
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        around = max(1.0, abs(low) / 2)
        low, high = low - around, high + around
    if max(-low, high) > LARGEST:
        return
    plot = HEIGHT - TOP - BOTTOM

    def y(value: float) -> float:
        return TOP + plot * ((high - value) / (high - low))

    for tick in ticks(low, high):
        yield element(
            "line", {"class": "grid", "x1": f"{LEFT}", "x2": f"{WIDTH}", "y1": _px(y(tick)), "y2": _px(y(tick))}
        )
        yield element("text", {"class": "tick end", "x": f"{LEFT - 6}", "y": _px(y(tick) + 4)}, f"{tick:.4g}")
    places = _places(view)
    for place, label in _labels(view, places):
        yield element("text", {"class": "tick mid", "x": _px(place), "y": f"{HEIGHT - 4}"}, label)
    step = (WIDTH - LEFT) / max(len(places), 1)
    for number, series in enumerate(view.series):
        points = [(x, value) for x, value in zip(places, series.values, strict=False)]
        if view.kind == "bar":
            wide = 0.8 * step / len(view.series)
            for x, value in points:
                if value is not None:
                    at = x - 0.4 * step + number * wide
                    top, foot = sorted((y(value), y(0.0)))
                    box = {"x": at, "y": top, "width": wide * 0.94, "height": max(foot - top, 0.5)}
                    yield element("rect", {"class": _colour(number), **{key: _px(px) for key, px in box.items()}})
        else:
            known = [None if value is None else (x, y(value)) for x, value in points]
            if view.kind == "line":
                for one, two in pairwise(known):
                    if one and two:
                        ends = {"x1": _px(one[0]), "y1": _px(one[1]), "x2": _px(two[0]), "y2": _px(two[1])}
                        yield element("line", {"class": _colour(number), **ends})
            for point in filter(None, known):
                yield element(
                    "circle", {"class": _colour(number), "cx": _px(point[0]), "cy": _px(point[1]), "r": "2.5"}
                )


def _places(view: ChartView) -> list[float]:
    """Where the values stand, px from the left."""
    inner = WIDTH - LEFT
    if view.x:
        low, high = min(view.x), max(view.x)
        span = high - low
        if 0 < span <= LARGEST:
            return [LEFT + 8 + (inner - 16) * ((x - low) / span) for x in view.x]
    return [LEFT + inner * (k + 0.5) / len(view.labels) for k in range(len(view.labels))]


def _labels(view: ChartView, places: Sequence[float]) -> Iterator[tuple[float, str]]:
    every = math.ceil(len(places) / MOST_LABELS) or 1
    most = max(4, 64 // min(len(places), MOST_LABELS)) if places else 0
    for place, label in list(zip(places, view.labels, strict=False))[::every]:
        yield place, label if len(label) <= most else f"{label[: most - 1]}…"


def _pie(series: SeriesView) -> Iterator[Content]:
    values = [max(value or 0.0, 0.0) for value in series.values]
    total = math.fsum(values)
    if not 0 < total < math.inf:
        return
    middle, radius, turn = (WIDTH / 2, HEIGHT / 2), HEIGHT / 2 - 4, 0.0
    for number, value in enumerate(values):
        share = value / total
        if share > 0.9999:
            yield element(
                "circle", {"class": _colour(number), "cx": _px(middle[0]), "cy": _px(middle[1]), "r": _px(radius)}
            )
        elif share > 0:
            ends = [
                (middle[0] + radius * math.sin(2 * math.pi * at), middle[1] - radius * math.cos(2 * math.pi * at))
                for at in (turn, turn + share)
            ]
            (x1, y1), (x2, y2) = ends
            arc = f"A{radius:.1f} {radius:.1f} 0 {int(share > 0.5)} 1 {x2:.1f} {y2:.1f}"
            path = f"M{middle[0]:.1f} {middle[1]:.1f}L{x1:.1f} {y1:.1f}{arc}Z"
            yield element("path", {"class": _colour(number), "d": path})
        turn += share


def _table(view: ChartView) -> Markup:
    heads = ["", *[series.name or "value" for series in view.series]]
    rows = [
        [
            label,
            *[
                "" if k >= len(series.values) or (value := series.values[k]) is None else f"{value:g}"
                for series in view.series
            ],
        ]
        for k, label in enumerate(view.labels)
    ]
    return element(
        "div",
        {"class": "wide"},
        element(
            "table",
            {},
            element("tr", {}, [element("th", {}, head) for head in heads]),
            [element("tr", {}, [element("td", {}, cell) for cell in row]) for row in rows],
        ),
    )


def _colour(number: int) -> str:
    return f"series-{number % COLOURS}"


def _px(value: float) -> str:
    return f"{value:.1f}"
