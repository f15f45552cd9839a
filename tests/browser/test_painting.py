"""Painting with a pointer, its undo and its end."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Route, expect

from tests.browser.easel import Easel, Point, try_now

pytestmark = pytest.mark.browser
BOW: tuple[Point, ...] = ((0.2, 0.6), (0.4, 0.3), (0.6, 0.3), (0.8, 0.6))


def points_of(stroke: dict[str, float]) -> tuple[Point, Point, Point]:
    return tuple((stroke[f"x_{name}"], stroke[f"y_{name}"]) for name in ("start", "control", "end"))  # type: ignore[return-value]


def test_nothing_is_written_before_the_first_stroke(easel: Easel) -> None:
    assert easel.page.evaluate("location.search") == "?task=programmatic-05"
    assert not [url for url in easel.requests if "/api/sessions" in url]
    assert easel.find("[data-act=undo]").is_disabled()
    assert easel.find("[data-act=submit]").is_disabled()
    expect(easel.find("[data-hint]")).to_have_text("Draw on the canvas to begin.")
    expect(easel.find("[data-invite]")).to_be_visible()
    easel.paint(*BOW)
    expect(easel.find("[data-invite]")).not_to_be_visible()


def test_a_stroke_is_painted_scored_and_stored_where_it_was_drawn(easel: Easel) -> None:
    easel.paint(*BOW, steps=12)
    (stroke,) = easel.strokes()
    start, control, end = points_of(stroke)
    assert start == pytest.approx(BOW[0], abs=0.003)
    assert end == pytest.approx(BOW[-1], abs=0.003)
    assert 0.4 < control[0] < 0.6
    assert control[1] < 0.25, "the control point lies beyond the bow"
    assert (easel.pixels() == easel.server_pixels()).all()
    assert (easel.pixels() != 255).any()
    view = easel.view()
    assert easel.find(".a-rail [data-score]").inner_text() == f"{view['scores']['similarity']:.3f}"
    assert easel.find("[data-value=colour]").inner_text() == f"{1 - view['scores']['l1']:.3f}"
    assert easel.said.startswith("Step 1, similarity 0.")


def test_the_preview_becomes_the_servers_pixels(easel: Easel) -> None:
    """While it waits, the overlay shows what the server will paint; nothing jumps when it comes."""
    easel.drag(*BOW, release=False)
    easel.page.wait_for_function(
        "document.querySelector('[data-preview]').getContext('2d').getImageData(0, 0, 64, 64).data.some((b) => b)"
    )
    overlay = easel.layer("preview").astype(int)
    easel.page.mouse.up()
    easel.wait_step(1)
    mask, colour = overlay[..., 3:], overlay[..., :3]
    shown = (colour * mask + 255 * (255 - mask) + 127) // 255
    assert np.abs(shown - easel.pixels()).max() <= 4, "premultiplied bytes of the overlay lose at most this"


def test_shift_draws_a_straight_stroke(easel: Easel) -> None:
    easel.page.keyboard.down("Shift")
    easel.paint(*BOW)
    easel.page.keyboard.up("Shift")
    start, control, end = points_of(easel.strokes()[0])
    assert control == pytest.approx(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), abs=1e-5)


def test_a_tap_paints_a_dot(easel: Easel) -> None:
    easel.page.mouse.click(*easel.at((0.5, 0.5)))
    easel.wait_step(1)
    start, control, end = points_of(easel.strokes()[0])
    assert start == control == end == pytest.approx((0.5, 0.5), abs=0.003)


def test_a_stroke_that_leaves_the_canvas_ends_at_its_edge(easel: Easel) -> None:
    easel.paint((0.5, 0.5), (0.9, 0.7), (1.4, 0.9))
    assert points_of(easel.strokes()[0])[2] == pytest.approx((1, 0.9), abs=0.003)


def test_escape_cancels_the_stroke_under_the_hand(easel: Easel) -> None:
    easel.drag(*BOW, release=False)
    easel.press("Escape")
    easel.page.mouse.up()
    easel.paint((0.1, 0.1), (0.2, 0.2))
    assert len(easel.strokes()) == 1


class Fingers:
    """Touch on the canvas; a gesture goes through one session of the browser's protocol."""

    def __init__(self, easel: Easel) -> None:
        self.easel, self.session = easel, easel.page.context.new_cdp_session(easel.page)

    def __call__(self, kind: str, *points: Point) -> None:
        places = [dict(zip(("x", "y", "id"), (*self.easel.at(p), at), strict=True)) for at, p in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": places})


@pytest.fixture
def phone(easels: Callable[..., Easel]) -> Easel:
    return easels("?task=programmatic-05", viewport={"width": 390, "height": 844}, has_touch=True)


def test_a_finger_paints(phone: Easel) -> None:
    touch = Fingers(phone)
    touch("Start", (0.2, 0.3))
    for at in (0.3, 0.5, 0.7):
        touch("Move", (at, 0.3))
    touch("End")
    phone.wait_step(1)
    start, _, end = points_of(phone.strokes()[0])
    assert (start, end) == (pytest.approx((0.2, 0.3), abs=0.01), pytest.approx((0.7, 0.3), abs=0.01))
    assert phone.page.evaluate("scrollY") == 0, "the page does not scroll under a stroke"


def test_two_fingers_zoom_and_paint_nothing(phone: Easel) -> None:
    touch = Fingers(phone)
    touch("Start", (0.4, 0.5))
    touch("Move", (0.42, 0.5))
    touch("Start", (0.42, 0.5), (0.6, 0.5))
    for spread in (0.1, 0.15, 0.2, 0.25):
        touch("Move", (0.5 - spread, 0.5), (0.5 + spread, 0.5))
    touch("End")
    zoom = phone.canvas.locator(".stage").evaluate("(stage) => new DOMMatrix(getComputedStyle(stage).transform).a")
    assert zoom > 1.5
    touch("Start", (0.5, 0.5))
    touch("End")
    phone.wait_step(1)
    assert len(phone.strokes()) == 1, "only the tap after the pinch is a stroke"


def pen(easel: Easel, *path: tuple[float, float, float]) -> None:
    """A pen's way: x, y and pressure."""
    session = easel.page.context.new_cdp_session(easel.page)
    for at, (x, y, force) in enumerate((*path, (*path[-1][:2], 0.0))):
        kind = "mousePressed" if at == 0 else "mouseReleased" if at == len(path) else "mouseMoved"
        across, down = easel.at((x, y))
        event = {"x": across, "y": down, "force": force, "pointerType": "pen", "button": "left", "clickCount": 1}
        session.send("Input.dispatchMouseEvent", {"type": kind, **event})


def test_the_pens_pressure_drives_the_width_unless_switched_off(easel: Easel) -> None:
    path = [(0.2 + 0.06 * k, 0.5, 0.1 + 0.08 * k) for k in range(10)]
    pen(easel, *path)
    easel.wait_step(1)
    easel.find("[data-pressure]").click()
    pen(easel, *path)
    easel.wait_step(2)
    pressed, plain = easel.strokes()
    assert pressed["radius_start"] < 0.6 * plain["radius_start"], "a light touch begins thin"
    assert pressed["radius_end"] > 1.2 * plain["radius_end"], "a strong one ends wide"


def test_a_burst_arrives_whole_and_in_order(easel: Easel) -> None:
    places = [(0.1 + 0.07 * (k % 12), 0.15 + 0.3 * (k // 12)) for k in range(24)]
    for x, y in places:
        easel.drag((x, y), (x + 0.03, y + 0.1), steps=1)
    easel.wait_step(24)
    assert [points_of(stroke)[0] for stroke in easel.strokes()] == [pytest.approx(place, abs=0.004) for place in places]
    assert (easel.pixels() == easel.server_pixels()).all()


def test_undo_and_redo_cost_a_step_each(easel: Easel) -> None:
    easel.paint(*BOW)
    painted = easel.pixels()
    easel.press("Control+z")
    easel.wait_step(2)
    assert (easel.pixels() == 255).all()
    assert easel.find("[data-act=undo]").is_disabled()
    assert easel.said.startswith("Undone. Step 2")
    easel.press("Control+Shift+z")
    easel.wait_step(3)
    assert (easel.pixels() == painted).all()
    assert easel.find("[data-act=redo]").is_disabled()
    easel.press("z")
    easel.wait_step(4)
    easel.press("Control+y")
    easel.wait_step(5)
    assert easel.strokes()[0] == easel.strokes()[2], "a redo is the same stroke again"
    assert easel.view()["steps_left"] == 32 - 5


def test_a_new_stroke_ends_the_redo(easel: Easel) -> None:
    easel.paint(*BOW)
    easel.press("z")
    easel.wait_step(2)
    easel.paint((0.1, 0.1), (0.2, 0.2))
    assert easel.find("[data-act=redo]").is_disabled()


def test_an_early_submit_asks_first_and_shows_the_result(easel: Easel) -> None:
    easel.paint(*BOW)
    easel.paint((0.1, 0.9), (0.9, 0.9))
    easel.press("Shift+Enter")
    question = easel.page.get_by_role("dialog", name="Submit now?")
    expect(question).to_contain_text("30 steps of 32 are left.")
    question.get_by_role("button", name="Keep painting").click()
    assert easel.view()["status"] == "open"
    easel.find("[data-act=submit]").click()
    question.get_by_role("button", name="Submit", exact=True).click()
    result = easel.find("[data-result]")
    expect(result).to_contain_text("Submitted after 2 steps")
    view = easel.view()
    assert view["status"] == "submitted"
    expect(result).to_contain_text(f"{max(view['curve']):.3f}")
    expect(easel.find("[data-score-title]")).to_have_text("Final similarity")
    easel.drag(*BOW)
    assert easel.view()["step"] == 2, "a finished painting is not painted on"
    first = easel.session_id
    easel.find(".dock").get_by_role("button", name="Paint again").click()
    expect(easel.find("[data-hint]")).to_have_text("Draw on the canvas to begin.")
    easel.paint(*BOW)
    assert easel.session_id != first
    easel.press("t")
    expect(easel.page.get_by_role("button", name="Circle, triangle and square, begun, step 1")).to_be_visible()


def test_next_task_is_the_next_of_its_category(easel: Easel) -> None:
    easel.paint(*BOW)
    easel.press("Shift+Enter")
    easel.page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).click()
    easel.find(".dock").get_by_role("button", name="Next task").click()
    easel.page.wait_for_url("**/?task=programmatic-06")
    expect(easel.find(".meta")).to_have_text("Programmatic, task 6 of 15")
    assert (easel.pixels() == 255).all()


def test_a_spent_budget_ends_the_painting(easel: Easel) -> None:
    for k in range(34):  # two more than there are steps
        easel.drag((0.1 + 0.02 * k, 0.2), (0.12 + 0.02 * k, 0.8), steps=1)
    expect(easel.find("[data-result]")).to_contain_text("Budget spent after 32 steps")
    view = easel.view()
    assert (view["status"], view["step"]) == ("spent", 32)
    assert easel.find(".ticks .warn").count() == 32
    assert (easel.pixels() == easel.server_pixels()).all()
    expect(easel.find("[data-hint]")).to_have_text("The budget is spent.")


def test_benchmark_rules_allow_strokes_only(easel: Easel) -> None:
    easel.find("[data-rules=benchmark]").click()
    expect(easel.find("[data-hint]")).to_have_text("Strokes only, no undo, 32 steps.")
    easel.paint(*BOW)
    assert easel.find("[data-act=undo]").is_disabled()
    assert easel.find("[data-act=submit]").is_disabled()
    easel.press("z", "Shift+Enter")
    easel.paint((0.1, 0.9), (0.9, 0.9))
    assert easel.view()["protocol"] == "benchmark"
    assert easel.view()["curve"].__len__() == 3


def test_practice_has_no_budget(easel: Easel) -> None:
    easel.find("[data-rules=practice]").click()
    easel.paint(*BOW)
    easel.press("z")
    easel.wait_step(2)
    assert easel.view()["steps_left"] is None
    assert easel.find("[data-budget]").inner_text() == ""
    assert easel.page.evaluate("localStorage.getItem('es-protocol')") == '"practice"', "the choice is remembered"


def test_a_refused_stroke_is_shown_in_place_and_the_next_one_goes_on(easel: Easel) -> None:
    easel.paint(*BOW)
    painted = easel.pixels()
    message = "x_start is 7, but it must lie in [0, 1]; correct it and try again."
    easel.expected_errors = 1

    def refuse(route: Route) -> None:
        route.fulfill(status=422, json={"error": {"code": "invalid", "message": message, "field": "x_start"}})

    easel.page.route("**/actions", refuse, times=1)
    easel.drag((0.1, 0.9), (0.9, 0.9))
    alert = easel.page.get_by_role("alert").filter(has_text=message)
    expect(alert).to_be_visible()
    assert easel.find(".refused-line").count() == 1
    assert (easel.pixels() == painted).all()
    assert not easel.layer("preview").any(), "its preview is gone"
    easel.paint((0.1, 0.1), (0.9, 0.1))
    assert not alert.is_visible()
    assert easel.find(".refused-line").count() == 0


def test_a_lost_answer_is_asked_for_again_and_counted_once(easel: Easel) -> None:
    """The stroke reached the server, its answer did not reach the page: the same request id goes out again."""
    easel.paint(*BOW)
    easel.expected_errors = 1
    sent: list[dict[str, Any]] = []
    reached: list[int] = []

    def lose(route: Route) -> None:
        if not reached:
            reached.append(route.fetch().status)
        route.abort()

    easel.page.route("**/actions", lose)
    easel.listen("request", lambda r: "/actions" in r.url and sent.append(json.loads(r.post_data or "{}")))
    easel.drag((0.1, 0.9), (0.9, 0.9))
    easel.drag((0.1, 0.1), (0.9, 0.1))
    lost = easel.page.get_by_role("alert").filter(has_text="Connection lost at step")
    expect(lost).to_contain_text("Your strokes are saved")
    easel.page.unroute("**/actions")
    try_now(lost)
    easel.wait_step(3)
    expect(lost).not_to_be_visible()
    assert reached == [200]
    ids = [body["request_id"] for body in sent]
    assert len(set(ids)) == 2
    assert len(ids) > 2, "one was sent again"
    assert len(easel.strokes()) == 3
    assert (easel.pixels() == easel.server_pixels()).all()


def test_strokes_painted_without_a_connection_wait_and_survive_a_reload(easel: Easel) -> None:
    easel.paint(*BOW)
    easel.expected_errors = 1
    easel.page.route("**/actions", lambda route: route.abort())
    easel.drag((0.1, 0.9), (0.9, 0.9))
    easel.drag((0.1, 0.1), (0.9, 0.1))
    expect(easel.page.get_by_role("alert")).to_contain_text("2 more wait here")
    easel.page.unroute("**/actions")
    easel.reload()
    easel.wait_step(3)
    assert len(easel.strokes()) == 3
    assert (easel.pixels() == easel.server_pixels()).all()
