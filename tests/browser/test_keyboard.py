"""Everything without a pointer: painting, help, the task drawer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.easel import Easel

pytestmark = pytest.mark.browser


def tab_to(easel: Easel, selector: str, most: int = 40) -> None:
    for _ in range(most):
        easel.press("Tab")
        if easel.page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


def test_a_stroke_is_painted_by_keys_alone(easel: Easel) -> None:
    easel.page.evaluate("document.activeElement.blur()")
    tab_to(easel, "[data-frame]")
    assert easel.canvas.get_attribute("role") == "application"
    easel.press("Enter")
    assert "50 % across, 50 % down" in easel.said
    easel.press("Shift+ArrowLeft", "Shift+ArrowLeft", "Enter")
    assert easel.said.startswith("Start at 25 % across, 50 % down")
    easel.press("Shift+ArrowUp", "ArrowRight", "Enter", *["Shift+ArrowRight"] * 3)
    assert easel.layer("preview").any(), "the stroke to come is shown"
    easel.press("Enter")
    easel.wait_step(1)
    stroke = easel.strokes()[0]
    assert (stroke["x_start"], stroke["y_start"]) == (0.25, 0.5)
    assert (stroke["x_control"], stroke["y_control"]) == (pytest.approx(0.25 + 1 / 64), 0.375)
    assert (stroke["x_end"], stroke["y_end"]) == (pytest.approx(0.625 + 1 / 64), 0.375)
    assert easel.said.startswith("Step 1, similarity")


def test_escape_goes_back_to_aiming_and_then_ends_it(easel: Easel) -> None:
    easel.canvas.focus()
    easel.press("ArrowRight", "Enter", "Enter", "Escape")
    assert easel.said.startswith("Stroke cancelled")
    easel.press("Escape")
    assert easel.find("[data-handles] *").count() == 0
    assert easel.step == 0


def test_the_references_colour_is_taken_at_the_crosshair(easel: Easel) -> None:
    easel.canvas.focus()
    easel.press("Shift+ArrowLeft", "i")
    reference = easel.layer("reference")
    assert easel.hex == "#" + bytes(reference[32, 24, :3]).hex().upper()


def test_the_help_lists_the_keys_and_gives_the_focus_back(easel: Easel) -> None:
    easel.find("[data-act=undo]").evaluate("(b) => b.blur()")
    easel.canvas.focus()
    easel.press("?")
    box = easel.page.get_by_role("dialog", name="Shortcuts")
    for what in ("Pick a colour", "Undo", "Submit", "Difference", "Set start, control, end", "Redo, as a new stroke"):
        expect(box.get_by_text(what, exact=True)).to_be_visible()
    for _ in range(6):
        easel.press("Tab")
        assert box.evaluate("(box) => box.contains(document.activeElement) || document.activeElement === document.body")
    easel.press("Escape")
    expect(box).not_to_be_visible()
    expect(easel.canvas).to_be_focused()


def test_keys_are_letters_in_a_field(easel: Easel) -> None:
    easel.press("t")
    drawer = easel.page.get_by_role("dialog", name="Choose a task")
    search = drawer.get_by_label("Search tasks")
    search.focus()
    easel.page.keyboard.type("d? z")
    expect(search).to_have_value("d? z")
    assert not easel.find("[data-difference-switch]").is_checked()


def test_a_task_is_chosen_by_keys(easel: Easel) -> None:
    easel.press("t")
    drawer = easel.page.get_by_role("dialog", name="Choose a task")
    tile = drawer.locator(".tile[aria-pressed=true]")
    expect(tile).to_be_focused()
    assert tile.get_attribute("data-task") == "programmatic-05"
    easel.press("Home", "ArrowRight", "ArrowDown", "Enter")
    expect(drawer).not_to_be_visible()
    easel.page.wait_for_url("**/?task=spatial-02")
    expect(easel.find(".meta")).to_have_text("Spatial geometry, task 2 of 40")
    easel.page.go_back()
    expect(easel.find(".meta")).to_have_text("Programmatic, task 5 of 15")


def test_a_category_opens_and_the_search_finds(easel: Easel) -> None:
    easel.press("t")
    drawer = easel.page.get_by_role("dialog", name="Choose a task")
    natural = drawer.get_by_role("region", name="Natural")
    assert natural.locator(".tile").count() == 4
    natural.get_by_role("button", name="All 40").press("Enter")
    assert natural.locator(".tile").count() == 40
    expect(natural.get_by_role("button", name="Fewer")).to_be_focused()
    drawer.get_by_label("Search tasks").fill("letter r")
    assert drawer.locator(".tile").count() == 1
    drawer.get_by_label("Search tasks").fill("zebra")
    expect(drawer).to_contain_text("No task by that name")
    drawer.get_by_role("button", name="Show all tasks").click()
    assert drawer.locator(".tile").count() > 16


def test_the_rules_are_explained_where_they_are_chosen(easel: Easel) -> None:
    easel.press("t")
    drawer = easel.page.get_by_role("dialog", name="Choose a task")
    for name, says in (("Practice", "no budget, never ranked"), ("Benchmark", "strokes only, exactly 32")):
        drawer.get_by_role("button", name=name).press("Enter")
        expect(drawer).to_contain_text(says)
    easel.press("Escape")
    expect(easel.find("[data-rules=benchmark]")).to_have_attribute("aria-pressed", "true")
