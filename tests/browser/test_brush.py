"""The brush: it is kept, it takes colours from the pictures, and its picker works by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.easel import Easel, Point

pytestmark = pytest.mark.browser
SETTINGS = ("radius_start", "radius_end", "opacity_start", "opacity_end")


def settings(easel: Easel) -> list[str]:
    easel.settle()
    return [*(easel.find(f"[data-out={name}]").inner_text() for name in SETTINGS), easel.hex]


def colour_at(easel: Easel, layer: str, point: Point) -> str:
    pixels = easel.layer(layer)
    size = len(pixels)
    return "#" + bytes(pixels[int(point[1] * size), int(point[0] * size), :3]).hex().upper()


def test_settings_survive_undo_another_task_and_a_reload(easel: Easel) -> None:
    for name, value in zip(SETTINGS, ("60", "30", "80", "25"), strict=True):
        easel.find(f"[data-brush={name}]").fill(value)
    easel.find("[data-pressure]").click()
    easel.find("[data-palette] .sw").nth(2).click()
    easel.paint((0.2, 0.2), (0.8, 0.8))
    chosen = settings(easel)
    easel.press("z")
    easel.wait_step(2)
    assert settings(easel) == chosen
    easel.reload()
    assert settings(easel) == chosen
    assert not easel.find("[data-pressure]").is_checked()
    easel.open("?task=programmatic-06")
    assert settings(easel) == chosen
    assert easel.find("[data-recent] button").count() == 1


def test_what_is_set_is_what_is_painted(easel: Easel) -> None:
    for name, value in zip(SETTINGS, ("50", "0", "80", "25"), strict=True):
        easel.find(f"[data-brush={name}]").fill(value)
    easel.paint((0.2, 0.2), (0.8, 0.8))
    stroke = easel.strokes()[0]
    assert [stroke[name] for name in SETTINGS] == [0.25, 0, 0.8, 0.25]
    # width in pixels of the canvas: 2 · (0.5 + radius · W / 4)
    assert settings(easel)[:2] == ["9", "1"]
    byte = [int(255 * stroke[channel] + 0.5) for channel in ("red", "green", "blue")]
    assert f"#{bytes(byte).hex().upper()}" == easel.hex


def test_brackets_change_the_width(easel: Easel) -> None:
    before = settings(easel)
    easel.press("]", "]", "]")
    wider = settings(easel)
    assert float(wider[0]) > float(before[0])
    assert float(wider[1]) > float(before[1])
    easel.press("{")
    assert settings(easel)[0] == wider[0]
    assert float(settings(easel)[1]) < float(wider[1])


@pytest.mark.parametrize("way", ["button", "key", "alt"])
def test_a_colour_is_picked_from_the_reference(easel: Easel, way: str) -> None:
    place = (0.37, 0.61)
    if way == "button":
        easel.find("[data-act=eyedropper]").click()
    elif way == "key":
        easel.press("i")
    else:
        easel.page.keyboard.down("Alt")
    easel.page.mouse.move(*easel.at(place, "[data-ref-frame]"))
    loupe = easel.page.locator(".loupe")
    expect(loupe).to_be_visible()
    expect(loupe).to_contain_text(colour_at(easel, "reference", place))
    easel.page.mouse.click(*easel.at(place, "[data-ref-frame]"))
    if way == "alt":
        easel.page.keyboard.up("Alt")
    assert easel.hex == colour_at(easel, "reference", place)
    expect(loupe).not_to_be_visible()
    expect(easel.find("[data-act=eyedropper]")).to_have_attribute("aria-pressed", "false")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert len(easel.strokes()) == 1, "picking paints nothing"


def test_a_colour_is_picked_from_the_canvas_too(easel: Easel) -> None:
    easel.paint((0.2, 0.5), (0.8, 0.5))
    easel.press("i")
    easel.page.mouse.click(*easel.at((0.9, 0.1)))
    assert easel.hex == "#FFFFFF"
    assert easel.step == 1


def test_escape_ends_picking(easel: Easel) -> None:
    easel.press("i", "Escape")
    expect(easel.find("[data-act=eyedropper]")).to_have_attribute("aria-pressed", "false")


def test_the_colour_picker_works_by_keys(easel: Easel) -> None:
    easel.press("c")
    box = easel.page.get_by_role("dialog", name="Choose a colour")
    square = box.get_by_role("slider", name="Saturation and brightness")
    expect(square).to_be_focused()
    easel.press(*["ArrowLeft"] * 100, *["ArrowUp"] * 100)
    assert easel.hex == "#FFFFFF"
    easel.press(*["Shift+ArrowRight"] * 10, "Tab", "Home")
    assert easel.hex == "#FF0000"
    field = box.get_by_label("Hex colour")
    field.fill("#12zz")
    expect(box).to_contain_text("six hex digits")
    assert easel.hex == "#FF0000", "half a colour is no colour"
    field.fill("4f7c86")
    assert easel.hex == "#4F7C86"
    easel.press("Escape")
    expect(box).not_to_be_visible()
    expect(easel.find("[data-act=undo]")).to_be_disabled()


def test_a_press_in_the_square_chooses_and_the_colour_before_can_be_had_back(easel: Easel) -> None:
    before = easel.hex
    easel.find("[data-act=colour]").click()
    box = easel.page.get_by_role("dialog", name="Choose a colour")
    square = box.locator(".square").bounding_box()
    assert square
    easel.page.mouse.click(square["x"] + square["width"] - 8, square["y"] + 8)
    assert easel.hex != before
    box.get_by_role("button", name="Back to the colour before").click()
    assert easel.hex == before
    easel.page.mouse.click(5, 5)
    expect(box).not_to_be_visible()
