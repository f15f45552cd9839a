"""Names and marks in the plots of the Analysis view: the modules that place them, asked in a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser

from tests.browser.easel import Easel
from tests.conftest import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def bench(browser: Browser, server: Server) -> Iterator[Easel]:
    page = Easel(browser.new_page(), server.url)
    page.open("?task=programmatic-05")
    yield page
    page.page.close()


POINTS = st.lists(st.tuples(st.integers(20, 580), st.integers(20, 280), st.integers(10, 148)), min_size=1, max_size=24)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(points=POINTS)
def test_names_in_a_plot_meet_neither_each_other_nor_a_point_nor_its_edge(
    bench: Easel, points: list[tuple[int, int, int]]
) -> None:
    asked = [{"x": x, "y": y, "w": w, "h": 16} for x, y, w in points]
    area = {"x": 0, "y": 0, "w": 600, "h": 300}
    found = bench.module(
        "rubrics/analysislabels.js", "(m, [points, area]) => m.placed(points, [], area)", [asked, area]
    )
    boxes = [(k, box) for k, box in enumerate(found) if box]
    for k, box in boxes:
        assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["w"] <= 600 and box["y"] + box["h"] <= 300
        for other, (x, y, _) in enumerate(points):
            inside = box["x"] < x < box["x"] + box["w"] and box["y"] < y < box["y"] + box["h"]
            assert other == k or not inside
        for _, two in boxes[[one for one, _ in boxes].index(k) + 1 :]:
            apart = box["x"] + box["w"] <= two["x"] or two["x"] + two["w"] <= box["x"]
            assert apart or box["y"] + box["h"] <= two["y"] or two["y"] + two["h"] <= box["y"]
    assert boxes  # a name finds room where there is any


ENDS = st.lists(st.floats(0, 300), min_size=1, max_size=24)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ends=ENDS)
def test_names_at_the_ends_of_lines_stand_apart_within_the_plot_however_many_there_are(
    bench: Easel, ends: list[float]
) -> None:
    gap = min(16.0, 300 / max(1, len(ends) - 1))
    asked = [[{"y": y} for y in ends], gap, 0, 300]
    rows = bench.module("charts.js", "(m, asked) => m.spread(...asked)", asked)
    at = [row["at"] for row in rows]
    assert sorted(row["y"] for row in rows) == [row["y"] for row in rows]
    assert all(two - one >= gap - 1e-6 for one, two in pairwise(at))
    assert min(at) >= -1e-6 and max(at) <= 300 + 1e-6


SCATTER = """(m, places) => {
  const mean = (value) => ({value, low: null, high: null, n: 9}), scale = {high: 1, write: String, unit: "task"};
  const axis = (label) => ({label, scale}), mark = {colour: "p1", form: "round"};
  const plot = new m.Scatter({title: "T", says: "", x: axis("X"), y: axis("Y")}, {watch() {}});
  document.body.append(plot.element);
  plot.show(places.map(([x, y], k) => ({name: `p${k}`, mark, x: mean(x), y: mean(y)})));
  plot.draw(320);
  const names = [...plot.host.querySelectorAll(".name")].map((one) => one.textContent);
  plot.element.remove();
  return [names, plot.left.textContent];
}"""
SHARES = st.integers(0, 4).map(lambda value: value / 4)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(places=st.lists(st.tuples(SHARES, SHARES), min_size=1, max_size=60))
def test_no_player_of_a_plot_is_left_without_a_name_unsaid(bench: Easel, places: list[tuple[float, float]]) -> None:
    names, left = bench.module("rubrics/analysisplots.js", SCATTER, places)
    more = [int(name.split(" +")[1]) if " +" in name else 0 for name in names]
    unnamed = left.removeprefix("Without a name: ").removesuffix(".").split(", ") if left else []
    assert len(names) + sum(more) + len(unnamed) == len(places)


def test_whoever_joins_changes_no_other_players_colour(bench: Easel) -> None:
    def marks(*players: tuple[str, int]) -> dict[str, str]:
        asked = [{"player": name, "first": first} for name, first in players]
        found = bench.module("rubrics/analysiswords.js", "(m, players) => m.marked(players)", asked)
        return {player["player"]: player["mark"]["colour"] for player in found}

    before = marks(("b", 4), ("c", 9))
    assert marks(("a", 12), ("b", 4), ("c", 9)) == before | {"a": "p3"}
