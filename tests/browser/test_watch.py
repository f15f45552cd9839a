"""Watching: the wall of sessions and one of them, live, afterwards, on a phone and by keyboard."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import httpx
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.agents import Agent
from tests.browser.easel import Easel, try_now
from tests.browser.watching import Watch, has_focus, shown, stored
from tests.conftest import Server, serving, stroke, wait_until
from tests.serving import forked

pytestmark = pytest.mark.browser
Watches = Callable[..., Watch]


@pytest.fixture
def watches(easels: Callable[..., Easel]) -> Watches:
    """Opens the Watch tab, in a new profile or in a given one."""
    return lambda query="", **options: cast(Watch, easels(f"?tab=watch{query}", kind=Watch, **options))


@pytest.fixture
def agent(server: Server) -> Agent:
    return Agent(server.url)


def signed(value: float) -> str:
    text = f"{abs(value):.3f}"
    return text if text == "0.000" else ("−" if value < 0 else "+") + text


def test_two_windows_show_the_servers_bytes_while_strokes_arrive(agent: Agent, watches: Watches) -> None:
    agent.paint(3)
    one, two = (watches(f"&session={agent.id}") for _ in range(2))
    painting = threading.Thread(target=agent.paint, args=(20,))
    painting.start()
    late = watches(f"&session={agent.id}")
    painting.join()
    for window in (one, two, late):
        window.front()
        window.wait_step(23)
        window.wait_pixels(agent.id)
        window.wait_rows(23)
    expect(one.find("figcaption .player")).to_contain_text("Robo")
    expect(one.find("figcaption .now")).to_have_text(f"{agent.view()['scores']['similarity']:.3f}")


def test_the_rows_are_the_log(agent: Agent, watches: Watches) -> None:
    agent.paint(2)
    same = dict.fromkeys(stroke(), 0.25)
    agent.paint(2, **same)
    agent.do("undo")
    agent.do("invalid", reason="The reply <b>has</b> no stroke.")
    watch = watches(f"&session={agent.id}")
    watch.wait_rows(6)
    agent.paint(1, **same)
    agent.do("submit")
    watch.wait_rows(8)
    log, before = agent.log(), agent.view()["curve"][0]
    for entry in log:
        row = watch.find(f'.rows [data-seq="{entry["seq"]}"]')
        gain, before = entry["scores"]["similarity"] - before, entry["scores"]["similarity"]
        if entry["kind"] == "brush_stroke":
            params = entry["params"]
            red, green, blue = (int(255 * params[name] + 0.5) for name in ("red", "green", "blue"))
            expect(row.locator(".chip")).to_have_css("background-color", f"rgb({red}, {green}, {blue})")
            expect(row.locator(".n")).to_have_text(str(entry["step"]))
            start, end = (int(1.5 + params[f"radius_{end}"] * 32) for end in ("start", "end"))
            expect(row.locator(".what")).to_contain_text(f"{start} px" if start == end else f"{start}→{end} px")
            expect(row.locator(".d")).to_have_text(signed(gain))
    texts = watch.rows()
    assert ["Repeat" in text for text in texts] == [False, False, False, True, False, False, True, False]
    assert "Undo" in texts[4]
    assert "Invalid" in texts[5]
    assert "The reply <b>has</b> no stroke." in texts[5], "what a player said is text"
    assert "Submitted" in texts[7]
    for mark, shows in (("repeat", True), ("undo", True), ("invalid", True), ("rejected", False), ("best", True)):
        assert watch.one.locator(f'.legend [data-mark="{mark}"]').is_visible() == shows


def test_a_finished_session_shows_its_result_and_stays_complete(server: Server, watches: Watches) -> None:
    agent = Agent(server.url, protocol="benchmark")
    agent.paint(32)
    watch = watches(f"&session={agent.id}")
    for _ in range(2):
        watch.wait_rows(32)
        trajectory = agent.view()["trajectory"]
        expect(watch.find(".bar-state")).to_contain_text("Finished")
        expect(watch.one.locator(".meta")).to_have_text("Benchmark rules, 32 steps, budget spent")
        facts = dict(
            zip(watch.find(".summary dt").all_inner_texts(), watch.find(".summary dd b").all_inner_texts(), strict=True)
        )
        named = {"Final": "final", "Best": "best", "Gap": "final_best_gap"}
        assert facts == {name: f"{trajectory[key]:.3f}" for name, key in named.items()}
        scrubber = watch.one.get_by_role("slider", name="Similarity over steps")
        expect(scrubber).to_have_attribute("aria-valuetext", f"Step 32, similarity {trajectory['final']:.3f}")
        watch.wait_pixels(agent.id)
        watch.reload()


def test_the_list_stays_with_the_newest_until_the_reader_scrolls(server: Server, watches: Watches) -> None:
    agent = Agent(server.url, protocol="practice")
    agent.paint(60)
    watch = watches(f"&session={agent.id}", viewport={"width": 1440, "height": 700})
    watch.wait_rows(60)
    expect(watch.find('[data-seq="60"]')).to_be_in_viewport()
    assert watch.find(".rows li").count() < 50, "only what is in sight is in the page"
    agent.paint()
    watch.wait_rows(61)
    expect(watch.find('[data-seq="61"]')).to_be_in_viewport()
    watch.find(".scroller").focus()
    watch.press("Home")
    expect(watch.find('[data-seq="1"]')).to_be_in_viewport()
    expect(watch.find(".acts").get_by_role("button", name="Newest")).to_be_visible()
    agent.paint()
    watch.wait_rows(62)
    expect(watch.find('[data-seq="1"]')).to_be_in_viewport()
    watch.find(".acts").get_by_role("button", name="Newest").press("Enter")
    expect(watch.find('[data-seq="62"]')).to_be_in_viewport()
    expect(watch.find('[data-seq="62"]')).to_have_class("now")


def test_a_restart_of_the_server_leaves_no_hole_and_no_double(
    contexts: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with serving(tmp_path, forked) as server:
        agent = Agent(server.url)
        agent.paint(2)
        watch = Watch(contexts().new_page(), server.url)
        clock = watch.page.clock
        clock.install()
        watch.open(f"?tab=watch&session={agent.id}")
        watch.wait_rows(2)
        seen = shown(watch.canvas)
        watch.expected_errors = 1
        server.kill()
        lost = watch.page.get_by_role("alert").filter(has_text="Connection lost")
        expect(lost).to_be_visible()
        assert (shown(watch.canvas) == seen).all(), "the canvas does not blank"
        clock.pause_at(watch.page.evaluate("Date.now()") + 1000)  # so that it does not try again by itself
        server.start()
        agent.paint(4)
        try_now(lost)
        clock.resume()
        watch.wait_rows(6)
        expect(lost).not_to_be_visible()
        assert [row.get_attribute("data-seq") for row in watch.find(".rows li").all()] == [*"123456"]
        watch.wait_pixels(agent.id)


def test_the_wall_shows_new_sessions_and_several_grow_at_once(server: Server, watches: Watches) -> None:
    first = Agent(server.url)
    watch = watches()
    expect(watch.tile(first.id)).to_contain_text("0 / 32, open")
    second = Agent(server.url, "spatial-02", player={"kind": "agent", "name": "<i>Two</i>", "model": "m-2"})
    expect(watch.tile(second.id)).to_be_visible()
    tiles = watch.find(".session").all()
    assert [tile.get_attribute("data-session") for tile in tiles[:2]] == [second.id, first.id], "newest first"
    expect(watch.tile(second.id)).to_contain_text("<i>Two</i> m-2")
    for agent in (first, second):
        agent.paint(4)
    for agent in (first, second):
        watch.page.locator(f'[data-session="{agent.id}"] .pic[data-seq="4"]').wait_for()
        assert (shown(watch.tile(agent.id).locator("canvas")) == stored(server.url, agent.id)).all()
        expect(watch.tile(agent.id)).to_contain_text("painting")
        expect(watch.tile(agent.id).locator(".score")).to_have_text(f"{agent.view()['scores']['similarity']:.3f}")
    streams = [url for url in watch.requests if "/sessions/events?" in url]
    assert all(f"session={agent.id}" in streams[-1] for agent in (first, second)), "one stream for all"
    second.do("submit")
    expect(watch.tile(second.id)).to_contain_text("finished")


def test_an_agent_that_left_counts_as_open(
    agent: Agent, contexts: Callable[..., BrowserContext], watches: Watches
) -> None:
    context = contexts()
    context.clock.install()
    watch = watches(f"&session={agent.id}", context=context)
    state = watch.find(".bar-state")
    expect(state).to_contain_text("Open, no stroke yet")
    expect(state.locator(".live")).to_have_class("live off")
    agent.paint(2)
    expect(state).to_contain_text("Robo is painting")
    expect(state.locator(".live")).to_have_class("live")
    context.clock.fast_forward(61_000)
    expect(state).to_contain_text("Open, Robo pauses")
    expect(state.locator(".live")).to_have_class("live off")
    watch.press("Escape")
    expect(watch.tile(agent.id)).to_contain_text("2 / 32, open")
    expect(watch.tile(agent.id).locator(".live")).to_have_class("live off")
    agent.paint()
    expect(watch.tile(agent.id)).to_contain_text("3 / 32, painting")


def test_a_start_that_came_to_nothing_leaves_the_wall_until_it_is_painted(
    server: Server, contexts: Callable[..., BrowserContext], watches: Watches
) -> None:
    painted, idle = Agent(server.url), Agent(server.url)
    painted.paint()
    later = Agent(server.url)
    later.paint()
    context = contexts()
    context.clock.install()
    watch = watches(context=context)
    expect(watch.tile(idle.id)).to_be_visible()
    context.clock.fast_forward(61_000)
    expect(watch.tile(idle.id)).to_have_count(0)
    expect(watch.tile(painted.id)).to_be_visible()
    idle.paint(2)
    context.clock.fast_forward(3_000)
    expect(watch.tile(idle.id)).to_be_visible()
    watch.page.locator(f'[data-session="{idle.id}"] .pic[data-seq="2"]').wait_for()
    assert (shown(watch.tile(idle.id).locator("canvas")) == stored(server.url, idle.id)).all(), "no stroke is missing"
    order = [tile.get_attribute("data-session") for tile in watch.find(".session").all()[:3]]
    assert order == [later.id, idle.id, painted.id], "newest first"


def test_the_wall_of_one_run_and_back_to_all(server: Server, agent: Agent, watches: Watches) -> None:
    agent.paint()
    wish = {"player": "random", "tasks": ["programmatic-05"], "protocol": "studio", "repeats": 2, "name": "two"}
    runs = f"{server.url}/api/runs"
    run = httpx.post(runs, json=wish | {"concurrency": 1}).raise_for_status().json()["run_id"]
    wait_until(lambda: bool(httpx.get(f"{runs}/{run}").json()["state"] == "finished"))
    watch = watches(f"&run={run}")
    tiles = watch.find(".session")
    expect(tiles).to_have_count(2)
    expect(watch.find(".meta").first).to_have_text(f"Only the paintings of the run {run}, newest first.")
    tiles.first.click()
    watch.wait_rows(32)
    watch.press("Escape")
    expect(tiles).to_have_count(2)
    watch.page.get_by_role("button", name="All sessions").click()
    expect(watch.tile(agent.id)).to_be_visible()
    assert "run=" not in watch.page.url
    watch.page.go_back()
    expect(tiles).to_have_count(2)


def test_the_wall_and_back_by_keyboard(agent: Agent, watches: Watches) -> None:
    agent.paint()
    watch = watches()
    watch.tile(agent.id).focus()
    watch.press("ArrowRight", "ArrowLeft", "Enter")
    watch.page.wait_for_url(f"**/?tab=watch&session={agent.id}")
    expect(watch.one.locator("h1")).to_be_focused()
    watch.wait_rows(1)
    watch.press("Shift+Tab")
    assert has_focus(watch.page, "[aria-label='All sessions']")
    watch.press("Enter")
    expect(watch.tile(agent.id)).to_be_focused()
    assert "session" not in watch.page.url
    watch.press("Enter")
    watch.page.wait_for_url("**/?tab=watch&session=*")
    watch.wait_rows(1)
    watch.press("Escape")
    expect(watch.tile(agent.id)).to_be_focused()
    watch.page.go_back()
    expect(watch.canvas).to_be_visible()


def test_a_link_that_leads_nowhere_says_so(watches: Watches, easels: Callable[..., Easel]) -> None:
    watch = watches()
    watch.expected_errors = 1
    watch.open("?tab=watch&session=nothing-here")
    expect(watch.page.get_by_role("alert")).to_contain_text("There is no such session here")
    watch.page.get_by_role("button", name="All sessions").click()
    expect(watch.find("h1").first).to_have_text("Watch")


def test_the_paint_tab_is_not_touched_by_a_watch_link(agent: Agent, watches: Watches) -> None:
    agent.paint()
    watch = watches(f"&session={agent.id}")
    watch.page.get_by_role("tab", name="Paint").click()
    easel = Easel(watch.page, watch.url)
    easel.ready()
    assert "session" not in watch.page.url
    assert easel.find("[data-state]").get_by_role("button", name="Studio").is_visible(), "a painting of one's own"
    easel.page.get_by_role("tab", name="Watch").click()
    watch.page.wait_for_url(f"**/?tab=watch&session={agent.id}")
    watch.wait_rows(1)
    watch.page.get_by_role("tab", name="Paint").click()
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert agent.view()["step"] == 1
    assert easel.session_id != agent.id


@pytest.mark.parametrize("width", [1440, 1280, 1180, 900, 721, 720, 390, 320])
def test_nothing_overflows_sideways(server: Server, watches: Watches, width: int) -> None:
    player = {"kind": "agent", "name": "an agent of a long name" * 3}
    agent = Agent(server.url, "natural-02", shared=True, player=player)
    agent.paint(3)
    watch = watches("", viewport={"width": width, "height": 844})
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width
    watch.open(f"?tab=watch&session={agent.id}")
    watch.wait_rows(3)
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width
    expect(watch.page.get_by_role("button", name="Take a turn")).to_be_visible()


def test_a_stream_is_kept_only_while_it_is_looked_at(agent: Agent, watches: Watches) -> None:
    agent.paint()
    watch = watches(f"&session={agent.id}")
    watch.wait_rows(1)
    watch.page.get_by_role("tab", name="Paint").click()
    Easel(watch.page, watch.url).ready()
    agent.paint()
    assert watch.find(".acts header .mut").text_content() == "1"
    watch.page.get_by_role("tab", name="Watch").click()
    watch.wait_rows(2)
    watch.wait_pixels(agent.id)
