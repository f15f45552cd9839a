"""The page's own arithmetic: curve fit, brush mask, colours."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from easel_app.engine import stroke_mask
from easel_app.painting.stroke import STROKE_FIELDS
from tests.browser.easel import Easel

pytestmark = pytest.mark.browser
FIT = "(curve, points) => curve.fitQuadratic(points)"


def bezier(
    start: tuple[float, float], control: tuple[float, float], end: tuple[float, float], t: float
) -> dict[str, float]:
    """Point of a quadratic Bézier."""
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
    return {
        axis: sum(weight * point[at] for weight, point in zip(weights, (start, control, end), strict=True))
        for at, axis in enumerate("xy")
    }


@pytest.fixture(scope="module")
def page(browser: object, server: object) -> Easel:
    from playwright.sync_api import Browser

    from tests.conftest import Server

    assert isinstance(browser, Browser)
    assert isinstance(server, Server)
    easel = Easel(browser.new_page(), server.url)
    easel.open("?task=programmatic-05")
    return easel


def test_a_path_along_a_curve_gives_its_control_point_back(page: Easel) -> None:
    rng = np.random.default_rng(7)
    for start, control, end in rng.random((20, 3, 2)).tolist():
        uneven = np.sort(np.concatenate([[0, 1], rng.random(60)]))
        fit = page.module("curve.js", FIT, [bezier(start, control, end, float(t)) for t in uneven])
        # a hairpin has many curves that pass as near; all others have one answer
        assert math.sqrt(fit["error"]) < 0.004
        middle, wanted = (
            bezier((fit["start"]["x"], fit["start"]["y"]), (fit["control"]["x"], fit["control"]["y"]), tuple(end), 0.5),
            [bezier(start, control, end, t) for t in np.linspace(0, 1, 201)],
        )
        assert min(math.hypot(middle["x"] - p["x"], middle["y"] - p["y"]) for p in wanted) < 0.01


def test_the_fit_does_not_depend_on_the_speed_of_the_hand(page: Easel) -> None:
    even = [bezier((0.1, 0.2), (0.5, 0.9), (0.9, 0.3), k / 80) for k in range(81)]
    slow_start = [bezier((0.1, 0.2), (0.5, 0.9), (0.9, 0.3), (k / 80) ** 3) for k in range(81)]
    a, b = (page.module("curve.js", FIT, points)["control"] for points in (even, slow_start))
    assert (a["x"], a["y"]) == pytest.approx((0.5, 0.9), abs=0.01)
    assert (a["x"], a["y"]) == pytest.approx((b["x"], b["y"]), abs=0.01)


def test_a_zigzag_ends_where_the_hand_did_and_stays_on_the_canvas(page: Easel) -> None:
    points = [{"x": x, "y": y} for x, y in ((0.0, 0.0), (1.0, 0.1), (0.0, 0.9), (1.0, 1.0), (0.02, 0.98), (0.9, 0.0))]
    fit = page.module("curve.js", FIT, points)
    assert fit["start"] == {"x": 0, "y": 0}
    assert fit["end"] == pytest.approx({"x": 0.9, "y": 0.0})
    assert 0 <= fit["control"]["x"] <= 1
    assert 0 <= fit["control"]["y"] <= 1


def test_an_arch_over_the_edge_is_held_inside(page: Easel) -> None:
    arch = [{"x": k / 40, "y": max(0.0, 0.3 - 0.9 * math.sin(math.pi * k / 40))} for k in range(41)]
    assert page.module("curve.js", FIT, arch)["control"]["y"] == 0


@pytest.mark.parametrize("points", [[(0.3, 0.7)], [(0.3, 0.7), (0.3, 0.7)]])
def test_a_tap_is_a_dot(page: Easel, points: list[tuple[float, float]]) -> None:
    fit = page.module("curve.js", FIT, [{"x": x, "y": y} for x, y in points])
    assert fit["start"] == fit["control"] == fit["end"] == {"x": 0.3, "y": 0.7}


def test_two_samples_make_a_straight_line(page: Easel) -> None:
    fit = page.module("curve.js", FIT, [{"x": 0.2, "y": 0.2}, {"x": 0.6, "y": 0.4}])
    assert fit["control"] == pytest.approx({"x": 0.4, "y": 0.3}, abs=1e-6)


def test_the_preview_is_the_renderers_own_mask(page: Easel) -> None:
    rng = np.random.default_rng(3)
    for size in (64, 128, 256):
        for vector in rng.random((12, 13)):
            vector[[6, 8]] **= 3  # mostly the thin strokes of a real painting
            stroke = dict(zip(STROKE_FIELDS, vector.tolist(), strict=True))
            shown = page.module(
                "mask.js",
                """(mask, [stroke, size]) => {
                  const {left, top, width, height, alpha} = mask.strokeMask(stroke, size);
                  return {left, top, width, height, alpha: [...alpha]};
                }""",
                [stroke, size],
            )
            ours = np.zeros((size, size), int)
            top, left = shown["top"], shown["left"]
            ours[top : top + shown["height"], left : left + shown["width"]] = np.reshape(
                shown["alpha"], (shown["height"], shown["width"])
            )
            patch = stroke_mask(vector, size)
            theirs = np.zeros((size, size), int)
            high, wide = patch.alpha.shape
            theirs[patch.top : patch.top + high, patch.left : patch.left + wide] = patch.alpha
            assert np.abs(ours - theirs).max() <= 1


def test_colours_survive_the_way_through_hsv_and_hex(page: Easel) -> None:
    colours = [[0, 0, 0], [255, 255, 255], [79, 124, 134], [1, 2, 3], [255, 0, 128], [128, 128, 128]]
    back = page.module(
        "paint/colour.js", "(c, list) => list.map((rgb) => [c.fromHsv(c.toHsv(rgb)), c.fromHex(c.toHex(rgb))])", colours
    )
    assert back == [[colour, colour] for colour in colours]
    assert page.module("paint/colour.js", "(c) => ['#zzz', '12345', ''].map(c.fromHex)") == [None, None, None]


def test_a_palette_holds_a_small_accent_and_only_colours_of_the_picture(page: Easel) -> None:
    colours = page.module(
        "paint/colour.js",
        """(c) => {
          const image = new ImageData(32, 32);
          const accent = [200, 30, 40, 255], light = [240, 240, 230, 255], dark = [20, 60, 90, 255];
          for (let i = 0; i < 1024; i++) image.data.set(i < 20 ? accent : i < 500 ? light : dark, 4 * i);
          return c.palette(image, 6);
        }""",
    )
    assert sorted(colours) == [[20, 60, 90], [200, 30, 40], [240, 240, 230]]


def test_text_of_people_never_becomes_markup(easels: Callable[..., Easel]) -> None:
    easel = easels()
    easel.page.route(
        "**/api/tasks",
        lambda route: route.fulfill(
            json=[
                {**task, "title": "<img src=x onerror=alert(1)>${alert(2)}{{alert(3)}}"}
                for task in route.fetch().json()[:4]
            ]
        ),
    )
    dialogs: list[str] = []
    easel.listen("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    easel.reload()
    easel.press("t")
    assert "<img src=x" in easel.find("h1").inner_text()
    assert easel.page.locator("img[src='x']").count() == 0
    assert not dialogs
