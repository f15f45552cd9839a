"""Zoom, pan, overlays: strokes land where they should, and what is shown is true."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.easel import Easel, Point

pytestmark = pytest.mark.browser


def seen(easel: Easel, frame: str = "[data-frame]") -> tuple[float, float, float]:
    """Zoom, and the point of the canvas at the frame's corner, measured on the screen."""
    return tuple(  # type: ignore[return-value]
        easel.find(frame).evaluate("""(frame) => {
          const outer = frame.getBoundingClientRect(), inner = frame.querySelector('canvas').getBoundingClientRect();
          return [inner.width / outer.width, (outer.x - inner.x) / inner.width, (outer.y - inner.y) / inner.height];
        }""")
    )


def shown_at(easel: Easel, point: Point) -> Point:
    """The point of the canvas that is shown at a point of the frame."""
    zoom, x, y = seen(easel)
    return x + point[0] / zoom, y + point[1] / zoom


@pytest.mark.parametrize("ratio", [1, 2])
def test_strokes_land_where_they_are_drawn_at_any_zoom(easels: object, ratio: int) -> None:
    assert callable(easels)
    easel: Easel = easels("?task=programmatic-05", device_scale_factor=ratio)
    wanted: list[Point] = []
    for wheel_at, turns in (((0.3, 0.7), 0), ((0.3, 0.7), 3), ((0.8, 0.2), 4)):
        easel.page.mouse.move(*easel.at(wheel_at))
        for _ in range(turns):
            easel.page.mouse.wheel(0, -120)
        wanted.append(shown_at(easel, (0.25, 0.4)))
        easel.paint((0.25, 0.4), (0.75, 0.6))
    strokes = easel.strokes()
    assert [(s["x_start"], s["y_start"]) for s in strokes] == [pytest.approx(point, abs=0.003) for point in wanted]
    assert strokes[2]["x_end"] - strokes[2]["x_start"] < 0.3, "deep in, the same way of the hand is a short stroke"


def test_the_wheel_keeps_the_point_under_the_pointer_and_both_pictures_agree(easel: Easel) -> None:
    place = (0.7, 0.2)
    easel.page.mouse.move(*easel.at(place))
    for _ in range(5):
        easel.page.mouse.wheel(0, -120)
    zoom = seen(easel)[0]
    assert zoom > 1.5
    assert shown_at(easel, place) == pytest.approx(place, abs=1 / 64), "to a pixel: offsets are whole device pixels"
    assert seen(easel) == pytest.approx(seen(easel, "[data-ref-frame]"), abs=1e-6)
    assert easel.find("[data-zoom]").inner_text() == f"{round(zoom * 100)}%"
    assert easel.page.evaluate("scrollY") == 0
    easel.press("0")
    assert seen(easel) == pytest.approx((1, 0, 0))


def test_space_moves_the_picture_and_paints_nothing(easel: Easel) -> None:
    easel.press("+", "+", "+", "+")
    before = seen(easel)
    easel.page.keyboard.down(" ")
    easel.drag((0.5, 0.5), (0.3, 0.4))
    easel.page.keyboard.up(" ")
    after = seen(easel)
    assert after[1] - before[1] == pytest.approx(0.2 / before[0], abs=0.01)
    assert after[2] - before[2] == pytest.approx(0.1 / before[0], abs=0.01)
    easel.paint((0.5, 0.5), (0.6, 0.6))
    assert len(easel.strokes()) == 1


def test_the_difference_map_is_dark_where_the_canvas_is_right(easel: Easel) -> None:
    easel.press("d")
    easel.page.wait_for_function(
        "document.querySelector('[data-difference]').getContext('2d').getImageData(0, 0, 64, 64).data.some((b) => b)"
    )
    reference = easel.layer("reference")[..., :3].astype(int)
    wrong = np.abs(reference - 255).sum(axis=2)
    brightness = easel.layer("difference")[..., :3].astype(int).sum(axis=2)
    right, worst = wrong < 20, wrong == wrong.max()
    assert worst.any()
    if right.any():
        assert brightness[right].max() < brightness[worst].min()
    order = np.argsort(wrong.ravel(), kind="stable")
    assert (np.diff(brightness.ravel()[order]) >= 0).all(), "brighter means more wrong, everywhere"
    before = easel.layer("difference")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    easel.page.wait_for_timeout(50)
    assert (easel.layer("difference") != before).any(), "it follows the canvas"
    easel.press("d")
    assert not easel.find("[data-difference]").is_visible()


def test_the_onion_skin_shows_while_r_is_held_and_keeps_the_sliders_value(easel: Easel) -> None:
    skin = easel.find("[data-onion]")
    easel.find("[data-onion-range]").fill("25")
    expect(skin).to_have_css("opacity", "0.25")
    easel.canvas.focus()
    easel.page.keyboard.down("r")
    expect(skin).to_have_css("opacity", "0.6")
    easel.page.keyboard.up("r")
    expect(skin).to_have_css("opacity", "0.25")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert (easel.pixels() == easel.server_pixels()).all(), "the skin is never painted"
