"""What the Semantic tab shows and allows on the way to a score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, FloatRect, expect

from easel_app.painting.env import find_task
from tests.browser.drawing import Semantic, script
from tests.browser.easel import HTTP, Easel, Point
from tests.browser.watching import Watch
from tests.conftest import Server, serving
from tests.serving import forked

pytestmark = pytest.mark.browser
Easels = Callable[..., Any]
WALL: tuple[Point, ...] = ((0.85, 0.87), (0.75, 0.8), (0.6, 0.7))  # from beside its start through the wall at its left
FREE: tuple[Point, ...] = ((0.9, 0.9), (0.9, 0.85), (0.9, 0.8))  # up from its start
BOW: tuple[Point, ...] = ((0.2, 0.6), (0.4, 0.3), (0.6, 0.3), (0.8, 0.6))
PLACES = (".tasks", "[data-frame]", ".a-facts", ".budget", "[data-hint]", ".a-list header")


@pytest.fixture
def maze(easels: Easels) -> Semantic:
    """A newcomer's page on the simple maze."""
    page: Semantic = easels("?tab=semantic&task=simple-maze", kind=Semantic)
    return page


def places(page: Semantic) -> list[FloatRect]:
    """Where the parts of the screen stand that must not move."""
    return [page.still(page.find(selector)) for selector in PLACES]


def draw(page: Semantic, *points: Point) -> None:
    """Draw a stroke and wait until its step is counted."""
    before = page.step
    page.drag(*points)
    page.wait_step(before + 1)


def act(url: str, session: dict[str, Any], number: int, action: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {session['write_token']}"}
    body = {"request_id": f"r{number}", "action": action}
    return dict(HTTP.post(f"{url}/api/sessions/{session['session_id']}/actions", json=body, headers=headers).json())


def played(url: str, task_id: str, kind: str, name: str) -> str:
    """A session that a player solved outside the page."""
    body = {"task_id": task_id, "protocol": "benchmark", "player": {"kind": kind, "name": name}}
    session = httpx.post(f"{url}/api/sessions", json=body).raise_for_status().json()
    task = find_task(task_id)
    assert task
    names = ("x_start", "y_start", "x_control", "y_control", "x_end", "y_end")
    for number, path in enumerate(script(task)):
        act(url, session, number, {"kind": "brush_stroke", "stroke": dict(zip(names, path.tolist(), strict=True))})
    assert act(url, session, 999, {"kind": "submit"})["status"] == "submitted"
    return str(session["session_id"])


def test_nothing_is_written_and_nothing_scored_before_the_first_stroke(maze: Semantic) -> None:
    assert not [url for url in maze.requests if "/api/sessions" in url]
    assert maze.find("[data-act=undo]").is_disabled()
    assert maze.find("[data-act=submit]").is_disabled()
    assert maze.find("[data-score]").count() == 0
    expect(maze.find("[data-hint]")).to_have_text("Draw on the canvas to begin.")
    expect(maze.find("[data-brush]")).to_have_text("fixed, 6.1 px wide")
    assert maze.find(".tcard").count() == 5
    assert maze.find(".ticks rect").count() == 128


def test_a_stroke_at_a_wall_is_told_marked_and_moves_nothing(maze: Semantic) -> None:
    draw(maze, *FREE)
    before = places(maze)
    draw(maze, *WALL)
    toast = maze.find("[data-toast]")
    expect(toast).to_have_attribute("role", "alert")
    line = json.loads(httpx.get(f"{maze.url}/api/sessions/{maze.session_id}/log").text.splitlines()[-1])
    place = line["message"].partition(" at ")[2].partition(";")[0]
    expect(toast).to_contain_text(f"Touches a wall at {place}; the step is used, 126 remain.")
    x, y = (float(value) for value in place.strip("()").split(","))
    mark, frame = maze.still(maze.find(".refused-place")), maze.still(maze.canvas)
    assert (mark["x"] + mark["width"] / 2 - frame["x"]) / frame["width"] == pytest.approx(x, abs=0.002)
    assert (mark["y"] + mark["height"] / 2 - frame["y"]) / frame["height"] == pytest.approx(y, abs=0.002)
    expect(maze.find(".refused-line")).to_be_visible()
    assert places(maze) == before
    assert maze.find("[data-strokes] li").all_inner_texts()[0].split("\n") == [
        "2",
        "Touches a wall",
        f"{x:.2f}, {y:.2f}",
    ]
    expect(maze.find("[data-kept]")).to_have_text("1 kept, 1 rejected")
    toast.get_by_role("button", name="Dismiss").click()
    expect(toast).not_to_be_visible()
    assert maze.find(".refused-line").count() == 0
    assert places(maze) == before
    maze.submit()
    expect(maze.find("canvas[data-evidence]")).to_be_visible()
    assert places(maze) == before, "the result comes into a place that was kept for it"


@pytest.mark.parametrize("size", [(390, 844), (800, 600), (1024, 768), (1440, 900), (1920, 1080)])
def test_what_is_said_of_a_refused_stroke_hides_neither_canvas_nor_controls(
    easels: Easels, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = easels("?tab=semantic&task=simple-maze", kind=Semantic, viewport=viewport)
    draw(page, *WALL)
    toast = page.find("[data-toast]")
    said = page.still(toast)
    assert 0 <= said["y"] <= said["y"] + said["height"] <= size[1], "in sight without a scroll"
    for selector in ("[data-frame]", "[data-act=submit]", *([".zoom"] if size[0] > 720 else [])):
        page.find(selector).evaluate("(element) => element.scrollIntoView({ block: 'center' })")
        place, said = page.still(page.find(selector)), page.still(toast)
        apart_x = place["x"] + place["width"] <= said["x"] or said["x"] + said["width"] <= place["x"]
        apart_y = place["y"] + place["height"] <= said["y"] or said["y"] + said["height"] <= place["y"]
        assert apart_x or apart_y, selector


@pytest.mark.parametrize("end", ["stroke", "undo", "Escape"])
def test_the_mark_of_a_refused_stroke_goes_with_what_comes_next(maze: Semantic, end: str) -> None:
    draw(maze, *FREE)
    draw(maze, *WALL)
    expect(maze.find("[data-toast]")).to_be_visible()
    if end == "stroke":
        draw(maze, *FREE)
    elif end == "undo":
        maze.find("[data-act=undo]").click()
        maze.wait_step(3)
    else:
        maze.press("Escape")
    expect(maze.find("[data-toast]")).not_to_be_visible()
    assert maze.find(".refused-line").count() == 0


def test_the_preview_becomes_the_servers_pixels(easels: Easels) -> None:
    """A path brings no look: the preview must be dressed as the server will."""
    page = easels("?tab=semantic&task=circle-64-3", kind=Semantic)
    page.drag(*BOW, release=False)
    page.page.wait_for_function(
        "document.querySelector('.s-semantic [data-preview]').getContext('2d').getImageData(0, 0, 64, 64)"
        ".data.some((byte) => byte)"
    )
    overlay, start = page.layer("preview").astype(int), page.pixels().astype(int)
    page.page.mouse.up()
    page.wait_step(1)
    mask, colour = overlay[..., 3:], overlay[..., :3]
    shown = (colour * mask + start * (255 - mask) + 127) // 255
    assert np.abs(shown - page.pixels()).max() <= 4, "premultiplied bytes of the overlay lose at most this"


def test_undo_costs_a_step_and_is_listed(maze: Semantic) -> None:
    blank = maze.pixels()
    draw(maze, *FREE)
    maze.press("z")
    maze.wait_step(2)
    assert (maze.pixels() == blank).all()
    rows = [text.split("\n") for text in maze.find("[data-strokes] li").all_inner_texts()]
    assert [row[:2] for row in rows] == [["2", "Undo of stroke 1"], ["1", "Taken back"]]
    expect(maze.find("[data-kept]")).to_have_text("0 kept")
    maze.press("Control+Shift+z")
    maze.wait_step(3)
    assert maze.view()["strokes"] == 1
    assert maze.find("[data-score]").count() == 0, "no score before the end"
    maze.press("Shift+Enter")
    maze.find("[data-score]").wait_for()
    assert maze.view()["status"] == "submitted"
    assert maze.said.startswith("Submitted. Progress 0.")


def test_a_reload_goes_on_and_a_card_comes_back_to_it(maze: Semantic) -> None:
    draw(maze, *FREE)
    draw(maze, *WALL)
    session, pixels = maze.session_id, maze.pixels()
    maze.reload()
    maze.wait_step(2)
    assert (maze.pixels() == pixels).all()
    expect(maze.find("[data-strokes] li")).to_have_count(2)
    expect(maze.find("[data-strokes] li").first).to_contain_text("Touches a wall")
    maze.card("hello").click()
    maze.ready()
    expect(maze.find("h2")).to_have_text("Write “hello”")
    expect(maze.card("simple-maze").locator(".tag")).to_have_text("Step 2 of 128")
    maze.card("simple-maze").click()
    maze.ready()
    maze.wait_step(2)
    assert maze.session_id == session
    draw(maze, *FREE)
    assert maze.view()["step"] == 3


def test_a_solved_task_says_so_while_it_is_drawn_again(maze: Semantic) -> None:
    card = maze.card("simple-maze")
    maze.page.evaluate("localStorage.setItem('es-best', JSON.stringify({ 'simple-maze': 1, 'circle-outline': 0.899 }))")
    maze.reload()
    expect(card.locator(".tag")).to_have_text("Solved, 1.000")
    expect(card.locator(".done")).not_to_be_visible()
    expect(maze.card("circle-outline").locator(".tag")).to_have_text("Done, 0.899")
    draw(maze, *FREE)
    expect(card.locator(".tag")).to_have_text("Step 1 of 128")
    expect(card.locator(".done")).to_be_visible()
    expect(maze.find("[data-solved]")).to_have_text("1 of 5 solved")


def test_two_windows_of_one_attempt_show_the_same(maze: Semantic, easels: Easels) -> None:
    draw(maze, *FREE)
    other: Semantic = easels(f"?tab=semantic&session={maze.session_id}", context=maze.page.context, kind=Semantic)
    other.wait_step(1)
    other.front()
    draw(other, *WALL)
    maze.front()
    maze.wait_step(2)
    expect(maze.find("[data-toast]")).to_contain_text("Touches a wall")
    expect(maze.find(".refused-place")).to_be_visible()
    maze.submit()
    other.front()
    expect(other.find("[data-score]")).to_have_text(f"{maze.score:.3f}")
    assert (other.pixels() == maze.pixels()).all()


def test_strokes_survive_a_crash_of_the_server(contexts: Callable[..., BrowserContext], tmp_path: Path) -> None:
    with serving(tmp_path, forked) as server:
        page = Semantic(contexts().new_page(), server.url)
        page.open("?tab=semantic&task=simple-maze")
        draw(page, *FREE)
        page.expected_errors = 1
        server.kill()
        page.drag((0.9, 0.8), (0.9, 0.75), (0.9, 0.7))
        expect(page.find("[data-notice]")).to_contain_text("Connection lost at step 1.")
        server.start()
        page.wait_step(2)
        expect(page.find("[data-notice]")).not_to_be_visible()
        page.submit()
        assert page.view()["intact"]
        assert page.view()["strokes"] == 2
        assert not page.errors


def test_it_can_be_done_by_keyboard_alone(easels: Easels) -> None:
    page = easels("?tab=semantic", kind=Semantic)
    page.card("simple-maze").focus()
    page.press("Enter")
    expect(page.find("h2")).to_have_text("Simple maze")
    page.ready()
    assert page.canvas.evaluate("(frame) => document.activeElement === frame")
    page.press("Enter", *["ArrowRight"] * 26, *["ArrowDown"] * 26, "Enter", "Enter", *["ArrowUp"] * 3, "Enter")
    page.wait_step(1)
    (stroke,) = page.strokes()
    assert (stroke["x_start"], stroke["y_end"]) == pytest.approx((0.5 + 26 / 64, 0.5 + 23 / 64))
    page.press("z")
    page.wait_step(2)
    page.press("Shift+Enter")
    page.find("[data-score]").wait_for()
    expect(page.find("canvas[data-evidence]")).to_be_visible()
    page.press("e")
    expect(page.find("canvas[data-evidence]")).not_to_be_visible()
    page.find("[data-act=again]").focus()
    page.press("Enter")
    page.ready()
    expect(page.find("[data-step]")).to_have_text("0")
    assert page.find("canvas[data-evidence]").count() == 0


def test_names_of_players_are_text(easels: Easels, server: Server) -> None:
    name = "<img src=x onerror=alert(1)>${alert(2)}{{alert(3)}}" + "Long" * 7
    played(server.url, "circle-outline", "agent", name)
    page = easels("?tab=semantic&task=circle-outline", kind=Semantic)
    expect(page.find("[data-best]")).to_contain_text("<img src=x onerror=alert(1)>${alert(2)}")
    expect(page.card("circle-outline").locator(".best-of [title^=Agent]")).to_have_attribute("title", f"Agent: {name}")
    assert page.page.locator("img[src='x']").count() == 0
    side = page.still(page.find(".a-side"))
    assert page.still(page.find("[data-best]"))["width"] <= side["width"]


def test_generated_tasks_are_played_by_their_link(easels: Easels) -> None:
    page = easels("?tab=semantic&task=maze-512-7", kind=Semantic)
    expect(page.find("h2")).to_contain_text("Maze 7")
    assert page.find("[aria-current]").count() == 0
    side = page.still(page.canvas)["width"]
    assert side % 512 == 0
    phone = easels("?tab=semantic&task=maze-512-7", kind=Semantic, viewport={"width": 390, "height": 844})
    assert 300 <= phone.still(phone.canvas)["width"] <= 390
    small = easels("?tab=semantic&task=circle-64-7", kind=Semantic)
    assert small.still(small.canvas)["width"] % 64 == 0
    assert small.find("[data-canvas]").evaluate("(canvas) => getComputedStyle(canvas).imageRendering") == "pixelated"


def test_a_task_that_does_not_exist_is_told(easels: Easels) -> None:
    page = easels("?tab=semantic&task=simple-maze", kind=Semantic)
    page.expected_errors = 1
    page.open("?tab=semantic&task=<b>no</b>")
    expect(page.find("[data-notice]")).to_contain_text("There is no task “<b>no</b>” here: this is another one.")
    expect(page.find("h2")).to_have_text("Simple maze")


def test_paint_and_semantic_each_take_their_own(easels: Easels, server: Server) -> None:
    paint: Easel = easels("?task=programmatic-05")
    paint.press("t")
    shelf = paint.page.locator("dialog.drawer")
    assert shelf.locator("[data-shelf=natural]").count() == 1
    assert shelf.locator("[data-shelf=semantic]").count() == 0
    body = {"task_id": "simple-maze", "protocol": "benchmark", "player": {"kind": "agent", "name": "Robo"}}
    session = httpx.post(f"{server.url}/api/sessions", json=body).json()["session_id"]
    for wish in ("task=simple-maze", f"session={session}"):
        page = easels(f"?{wish}", kind=Semantic)
        expect(page.find("h2")).to_have_text("Simple maze")
        assert page.page.evaluate("location.search").replace("tab=semantic", "").strip("?&") == wish
    expect(page.find("[data-hint]")).to_have_text("Read only: you are watching Robo.")
    expect(page.find("[data-whose]")).to_contain_text("Robo")
    expect(page.find("[data-whose]")).to_contain_text("open")
    assert page.find("[data-act=undo]").is_hidden()


def test_a_solution_can_be_watched(maze: Semantic) -> None:
    maze.find("[data-act=solution]").click()
    watch = maze.page.locator(".s-watch")
    expect(watch.locator(".bar-state")).to_contain_text("Finished", timeout=30_000)
    expect(watch.locator("figcaption .now")).to_have_text("1.000")
    expect(watch.locator("figcaption .player")).to_contain_text("Solver")
    expect(watch.locator("canvas[data-evidence]")).to_be_visible()
    assert maze.find("[data-step]").text_content() == "0", "one's own attempt is untouched"


def test_watch_shows_the_task_and_the_evidence(easels: Easels, server: Server) -> None:
    session = played(server.url, "circle-outline", "agent", "Robo")
    watch: Watch = easels(f"?tab=watch&session={session}", kind=Watch)
    expect(watch.find(".a-ref figcaption b")).to_have_text("Task")
    expect(watch.find("canvas[data-evidence]")).to_be_visible()
    overlay = httpx.get(f"{server.url}/api/sessions/{session}/overlay").json()
    assert watch.find(".found dd").all_inner_texts() == [fact["value"] for fact in overlay["facts"]]
    assert " long" in watch.rows()[0]
    watch.find("[data-evidence-switch]").click()
    expect(watch.find("canvas[data-evidence]")).not_to_be_visible()


def test_the_wall_names_generated_tasks_and_their_budget(easels: Easels, server: Server) -> None:
    session = played(server.url, "maze-64-7", "agent", "Robo")
    wall: Watch = easels("?tab=watch", kind=Watch)
    tile = wall.find(f"[data-session='{session}']")
    expect(tile).to_contain_text("Maze 7")
    expect(tile).to_contain_text(" / 128, finished")


def test_watch_shows_no_picture_of_a_word(easels: Easels, server: Server) -> None:
    body = {"task_id": "hello", "protocol": "benchmark", "player": {"kind": "agent", "name": "Robo"}}
    session = httpx.post(f"{server.url}/api/sessions", json=body).json()["session_id"]
    watch: Watch = easels(f"?tab=watch&session={session}", kind=Watch)
    expect(watch.find(".asked")).to_contain_text("hello")
    expect(watch.find(".a-ref canvas")).not_to_be_visible()
    assert watch.find(".a-cv .evidence").count() == 0


def test_a_guest_takes_a_turn_in_a_shared_attempt(easels: Easels, server: Server) -> None:
    body = {"task_id": "simple-maze", "protocol": "benchmark", "player": {"kind": "agent", "name": "Robo"}}
    begun = httpx.post(f"{server.url}/api/sessions", json=body | {"shared": True}).json()
    page: Semantic = easels(f"?tab=semantic&session={begun['session_id']}", kind=Semantic)
    page.find("[data-act=take]").click()
    expect(page.find("[data-hint]")).to_have_text("In the attempt of Robo, who submits.")
    draw(page, *FREE)
    assert page.find("[data-act=submit]").is_hidden(), "who submits is the player"
    page.find("[data-act=back]").click()
    expect(page.find("[data-act=back]")).not_to_be_visible()
    assert page.view()["turn"] == {"shared": True, "guest": None}
