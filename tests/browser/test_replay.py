"""Replaying, comparing, taking over, taking along: what a researcher does with a session that has been played."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import BrowserContext, Download, Locator, expect

from tests.browser.agents import Agent
from tests.browser.easel import Easel
from tests.browser.watching import Watch, shown
from tests.conftest import Server, stroke

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)>"
Watches = Callable[..., Watch]


@pytest.fixture
def watches(easels: Callable[..., Easel]) -> Watches:
    """Opens the Watch tab, in a new profile or in a given one."""
    return lambda query="", **options: cast(Watch, easels(f"?tab=watch{query}", kind=Watch, **options))


@pytest.fixture(scope="module")
def played(server: Server) -> Agent:
    """A finished session with all that a replay marks: 12 steps, the ninth a repeat, two undone, one not understood."""
    agent = Agent(server.url, player={"kind": "agent", "name": f"Robo {HOSTILE}"[:60]})
    agent.paint(6)
    agent.do("undo")
    agent.do("undo")
    agent.paint(1, **dict.fromkeys(stroke(), 0.25))
    agent.paint(1, **dict.fromkeys(stroke(), 0.25))
    agent.do("invalid", reason=f"No stroke in {HOSTILE}")
    agent.paint(1)
    agent.do("submit")
    return agent


@pytest.fixture(scope="module")
def other(server: Server) -> Agent:
    """Another session of the same task, with fewer steps and still open."""
    agent = Agent(server.url)
    agent.paint(7)
    return agent


def picture(agent: Agent, step: int) -> NDArray[np.uint8]:
    """The canvas after a step as the server paints it."""
    png = httpx.get(f"{agent.url}/{agent.id}/canvas.png", params={"step": step}).content
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def at(watch: Watch, step: int) -> None:
    """Until a step is shown, its picture drawn."""
    expect(watch.one.locator(".plot")).to_have_attribute("aria-valuenow", str(step))
    expect(watch.one.locator(".a-cv figcaption b").first).to_contain_text(f"tep {step}")


def equal(canvas: Locator, pixels: NDArray[np.uint8]) -> None:
    """Until a canvas of the page shows these pixels."""
    for _ in range(200):
        found = shown(canvas)
        if found.shape == pixels.shape and (found == pixels).all():
            return
        canvas.page.wait_for_timeout(20)
    raise AssertionError("the canvas of the page shows something else")


def test_every_step_is_painted_in_the_browser_as_the_server_recorded_it(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}")
    watch.wait_rows(13)
    expect(watch.one.locator(".check")).to_have_text("all pictures as recorded")
    for step in (12, 11, 5, 8, 0, 7, 6, 1, 12):
        watch.press("Home", *["ArrowRight"] * step)
        at(watch, step)
        equal(watch.canvas, picture(played, step))
        curve = played.view()["curve"]
        expect(watch.one.locator("figcaption .now")).to_have_text(f"{curve[step]:.3f}")


def test_a_picture_that_is_not_the_recorded_one_is_said_to_be(played: Agent, watches: Watches) -> None:
    watch = watches()

    def lie(route: Any) -> None:
        lines = route.fetch().text().splitlines()
        entries = [json.loads(line) for line in lines]
        entries[4]["canvas_digest"] = "0" * 64
        route.fulfill(body="\n".join(map(json.dumps, entries)))

    watch.page.route("**/log", lie)
    watch.open(f"?tab=watch&session={played.id}")
    expect(watch.one.locator(".check")).to_have_text("1 picture not as recorded, the first at step 4")


def test_the_scrubber_is_dragged_and_the_link_follows(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}")
    watch.wait_rows(13)
    expect(watch.one.locator(".plot .knob")).to_be_visible()
    plot, knob = watch.one.locator(".plot"), watch.one.locator(".plot .knob").bounding_box()
    area = plot.bounding_box()
    assert knob and area
    mouse = watch.page.mouse
    mouse.move(knob["x"] + 7, knob["y"] + 7)
    mouse.down()
    mouse.move(area["x"] + 40, knob["y"] + 7, steps=9)
    at(watch, 0)
    equal(watch.canvas, np.full((64, 64, 3), 255, np.uint8))
    mouse.move(knob["x"] + 7 - (knob["x"] + 7 - area["x"] - 40) / 2, knob["y"] + 7, steps=5)
    mouse.up()
    at(watch, 6)
    watch.page.wait_for_url(f"**/?tab=watch&session={played.id}&step=6")
    equal(watch.canvas, picture(played, 6))
    watch.reload()
    at(watch, 6)
    equal(watch.canvas, picture(played, 6))
    watch.press("End")
    watch.page.wait_for_url(f"**/?tab=watch&session={played.id}")


def test_marks_filters_and_the_list_lead_to_their_steps_by_keyboard(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}")
    watch.wait_rows(13)
    marked, curve = {7, 8, 10, 11}, played.view()["curve"]
    gains = np.diff(curve)
    marked |= {int(gains.argmax()) + 1, int(gains.argmin()) + 1, int(np.argmax(curve[1:])) + 1}
    watch.press("Home")
    for step in sorted(marked):
        watch.press("n")
        at(watch, step)
    watch.press("p")
    at(watch, sorted(marked)[-2])
    watch.one.get_by_role("button", name="Marked").click()
    rows = watch.one.locator(".rows li")
    expect(rows).to_have_count(len(marked))
    assert "filter=marked" in watch.page.url
    watch.one.get_by_label("Only some actions").select_option("invalid")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(HOSTILE)
    rows.click()
    at(watch, 11)
    watch.reload()
    expect(rows).to_have_count(1)
    at(watch, 11)


def test_it_plays_to_the_end_and_stops_there(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}&step=2")
    at(watch, 2)
    watch.one.get_by_role("button", name="16 times").click()
    watch.one.locator(".plot").focus()
    watch.press(" ")
    at(watch, 12)
    expect(watch.one.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_live_session_is_followed_until_the_reader_scrubs(server: Server, watches: Watches) -> None:
    agent = Agent(server.url)
    agent.paint(3)
    watch = watches(f"&session={agent.id}")
    at(watch, 3)
    agent.paint(2)
    at(watch, 5)
    equal(watch.canvas, picture(agent, 5))
    watch.press("ArrowLeft")
    at(watch, 4)
    agent.paint(2)
    watch.wait_rows(7)
    at(watch, 4)
    equal(watch.canvas, picture(agent, 4))
    watch.press("End")
    at(watch, 7)
    agent.paint(1)
    at(watch, 8)
    equal(watch.canvas, picture(agent, 8))


def test_details_say_all_that_is_known_of_a_step(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}&step=9")
    watch.wait_rows(13)
    watch.press("e")
    drawer = watch.one.get_by_role("region", name="Details")
    expect(drawer).to_contain_text("Stroke, applied")
    expect(drawer).to_contain_text("13 numbers")
    expect(drawer).to_contain_text("0.25")
    watch.press("ArrowRight", "ArrowRight")
    expect(drawer).to_contain_text("Not understood, invalid")
    expect(drawer).to_contain_text(f"No stroke in {HOSTILE}")
    watch.press("e")
    expect(drawer).to_be_hidden()


def test_the_error_map_is_the_difference_of_reference_and_canvas(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}&step=3")
    at(watch, 3)
    equal(watch.canvas, picture(played, 3))
    watch.press("d")
    heat = watch.one.locator(".heat")
    expect(heat).to_be_visible()
    first = shown(heat)
    reference = shown(watch.one.locator(".a-ref canvas"))
    error = np.abs(reference.astype(int) - picture(played, 3)).sum(2)
    flat = [tuple(colour) for colour in first.reshape(-1, 3).tolist()]
    assert len(set(flat)) == len(set(zip(flat, error.ravel().tolist(), strict=True))) or len(set(flat)) < 766
    darkest, brightest = error.argmin(), error.argmax()
    assert first.reshape(-1, 3)[darkest].sum() < first.reshape(-1, 3)[brightest].sum()
    watch.press("ArrowRight")
    equal(watch.canvas, picture(played, 4))
    assert (shown(heat) != first).any()


def test_credit_of_each_stroke_stands_in_the_list(played: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}")
    watch.wait_rows(13)
    watch.press("k")
    expect(watch.one.locator(".tools [role=status]")).to_contain_text("change under")
    lines = httpx.get(f"{played.url}/{played.id}/credit").text.splitlines()
    credit = {line["seq"]: line["credit"] for line in map(json.loads, lines) if line["type"] == "credit"}
    assert set(credit) == {1, 2, 3, 4, 9, 10, 12}
    for seq, value in credit.items():
        text = f"{abs(value):.3f}"
        sign = "" if text == "0.000" else "−" if value < 0 else "+"
        expect(watch.one.locator(f'.rows [data-seq="{seq}"] .d')).to_have_text(sign + text)
    expect(watch.one.locator('.rows [data-seq="5"] .d')).to_have_text("·")
    watch.press("k")
    expect(watch.one.locator('.rows [data-seq="5"] .d')).not_to_have_text("·")


def test_two_sessions_are_scrubbed_together(played: Agent, other: Agent, watches: Watches) -> None:
    watch = watches(f"&session={played.id}&step=4")
    at(watch, 4)
    watch.press("c")
    watch.page.locator(f'.choose [data-choose="{other.id}"]').press("Enter")
    watch.page.wait_for_url(re.compile(f"compare={played.id}(,|%2C){other.id}"))
    sides = watch.find(".a-side:not(.a-ref)")
    expect(sides).to_have_count(2)
    expect(sides.nth(1).locator("b").first).to_have_text("Step 4")

    def both(first: int, second: int) -> None:
        for side, agent, step in ((0, played, first), (1, other, second)):
            expect(sides.nth(side).locator("b").first).to_have_text(f"Step {step}")
            equal(sides.nth(side).locator("canvas:not(.over)"), picture(agent, step))
            expect(sides.nth(side).locator(".now")).to_have_text(f"{agent.view()['curve'][step]:.3f}")

    both(4, 4)
    watch.press("Shift+ArrowRight")
    both(12, 7)
    watch.press("ArrowLeft", "ArrowLeft")
    both(10, 7)
    ours, theirs = (np.array(agent.view()["curve"]) for agent in (played, other))
    led, lost = sum(ours[1:8] > theirs[1:8] + 5e-7), sum(theirs[1:8] > ours[1:8] + 5e-7)
    expect(watch.find(".led-words")).to_contain_text(f"led {max(led, lost)} of the 7 steps that all have")
    last = "Robo" if len({ours[-1] > theirs[-1], True}) == 2 else f"Robo {HOSTILE}"
    expect(watch.find(".led-words")).to_contain_text(f"{last} is ahead")
    watch.press("d")
    expect(sides.nth(1).locator(".heat")).to_be_visible()
    expect(sides.nth(0).locator(".heat")).to_be_hidden()
    watch.reload()
    both(10, 7)
    expect(sides.nth(1).locator(".heat")).to_be_visible()
    watch.find(".compare-bar, .bar-acts").get_by_role("button", name="By budget").click()
    watch.press("Home")
    both(0, 0)
    watch.press("End")
    both(12, 7)


def test_sessions_of_two_tasks_cannot_be_compared(server: Server, played: Agent, watches: Watches) -> None:
    stranger = Agent(server.url, "programmatic-06")
    stranger.paint(1)
    watch = watches(f"&compare={played.id},{stranger.id}")
    expect(watch.page.get_by_role("alert")).to_contain_text("Only paintings of one task can be compared")


def test_a_person_takes_over_from_a_step_and_paints_on(played: Agent, server: Server, watches: Watches) -> None:
    watch = watches(f"&session={played.id}&step=5")
    at(watch, 5)
    watch.press("t")
    watch.page.get_by_role("button", name="Paint on").press("Enter")
    watch.page.wait_for_url(re.compile("tab=paint"))
    easel = Easel(watch.page, server.url)
    easel.ready()
    easel.wait_step(5)
    assert (easel.pixels() == picture(played, 5)).all()
    easel.paint((0.2, 0.2), (0.8, 0.8))
    easel.press("z")
    easel.wait_step(7)
    copy = Agent.known(server.url, easel.session_id)
    view = copy.view()
    assert view["parent"] == {"session_id": played.id, "step": 5} and not view["ranked"] and view["step"] == 7
    assert (picture(copy, 7) == picture(played, 5)).all()
    assert len(played.log()) == 13, "what was taken over from stays as it is"
    watch.open(f"?tab=watch&session={copy.id}")
    watch.wait_rows(7)
    expect(watch.one.locator(".check")).to_have_text("all pictures as recorded")
    watch.one.get_by_role("button", name="compare with its parent").click()
    expect(watch.find(".a-side:not(.a-ref)")).to_have_count(2)
    assert re.search(f"compare={played.id}(,|%2C){copy.id}", watch.page.url)


def saved(watch: Watch, name: str) -> Download:
    """Save one form of the session by the menu."""
    watch.one.get_by_role("button", name="Export").click()
    with watch.page.expect_download() as found:
        watch.one.locator(f'[data-export="{name}"]').click()
    return found.value


def test_every_form_is_saved_and_the_html_replay_opens_from_disk(
    played: Agent, watches: Watches, contexts: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    watch = watches(f"&session={played.id}&step=3")
    at(watch, 3)
    files = {}
    clips = ("canvas.png", "canvas.webp", "canvas.gif", "canvas.mp4")
    for name in (*clips, "replay.html", "log.jsonl", "atif.json", "evidence"):
        files[name] = tmp_path / name
        saved(watch, name).save_as(files[name])
    with Image.open(files["canvas.png"]) as still:
        assert (np.asarray(still.convert("RGB")) == picture(played, 3)).all()
    for name in ("canvas.webp", "canvas.gif"):
        with Image.open(files[name]) as clip:
            assert getattr(clip, "n_frames", 1) > 2
    assert files["canvas.mp4"].read_bytes()[4:8] == b"ftyp"
    assert [json.loads(line) for line in files["log.jsonl"].read_text().splitlines()][1:] == played.log()
    assert json.loads(files["atif.json"].read_text())["steps"]

    page = contexts().new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(files["replay.html"].as_uri())
    expect(page.locator(".check")).to_have_text("all pictures as recorded")
    expect(page.locator(".rows")).to_contain_text(HOSTILE)
    for step in (11, 10, 9, 8, 7, 6, 5):
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".plot")).to_have_attribute("aria-valuenow", str(step))
    equal(page.locator(".a-cv canvas").first, picture(played, 5))
    assert not wrong and [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_log_is_imported_by_the_page_and_what_is_wrong_with_another_is_said(
    played: Agent, server: Server, watches: Watches, tmp_path: Path
) -> None:
    text = httpx.get(f"{played.url}/{played.id}/log").text
    lines = [json.loads(line) for line in text.splitlines()]
    lines[0]["id"] = "elsewhere"
    for line in lines[1:]:
        line["session_id"] = "elsewhere"
    lines[0]["player_name"] = "From afar"
    lines[3]["scores"]["similarity"] = 0.999
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(map(json.dumps, lines)) + "\n")
    bad.write_text("\n".join(map(json.dumps, [*lines[:3], *lines[4:]])) + "\n")
    watch = watches()
    watch.expected_errors = 1
    watch.page.locator("input[type=file][accept*=jsonl]").set_input_files([str(good), str(bad)])
    items = watch.page.locator(".imports li")
    expect(items.nth(0)).to_contain_text("Its claims do not hold: 1 score")
    expect(items.nth(1)).to_contain_text("Line 4")
    items.nth(0).get_by_role("button", name="Show it").click()
    watch.wait_rows(13)
    expect(watch.one.locator(".meta")).to_contain_text("imported, not ranked")
    expect(watch.one.locator(".check")).to_have_text("all pictures as recorded")
