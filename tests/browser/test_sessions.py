"""A painting's life: reload, restart, watching, two tabs, links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.easel import Easel, try_now
from tests.conftest import serving
from tests.serving import forked

pytestmark = pytest.mark.browser


def test_a_reload_goes_on_where_it_was(easel: Easel) -> None:
    easel.paint((0.2, 0.2), (0.8, 0.8))
    easel.paint((0.2, 0.8), (0.8, 0.2))
    painted, session = easel.pixels(), easel.session_id
    easel.reload()
    easel.wait_step(2)
    assert (easel.pixels() == painted).all()
    easel.paint((0.5, 0.1), (0.5, 0.9))
    assert easel.session_id == session
    assert len(easel.strokes()) == 3
    assert easel.find("[data-spark] svg").get_attribute("aria-label").startswith("Similarity over 3 steps")  # type: ignore[union-attr]


def test_a_restart_of_the_server_loses_nothing(contexts: Callable[..., BrowserContext], tmp_path: Path) -> None:
    with serving(tmp_path, forked) as server:
        easel = Easel(contexts().new_page(), server.url)
        easel.open("?task=programmatic-05")
        easel.paint((0.2, 0.2), (0.8, 0.8))
        painted = easel.pixels()
        easel.expected_errors = 1
        server.kill()
        easel.drag((0.2, 0.8), (0.8, 0.2))
        lost = easel.page.get_by_role("alert").filter(has_text="Connection lost at step 1")
        expect(lost).to_be_visible()
        assert (easel.pixels() == painted).all(), "the canvas does not blank"
        server.start()
        try_now(lost)
        easel.wait_step(2)
        expect(lost).not_to_be_visible()
        easel.paint((0.5, 0.1), (0.5, 0.9))
        assert len(easel.strokes()) == 3
        assert (easel.pixels() == easel.server_pixels()).all()


def test_a_link_shows_the_painting_live_and_read_only(easel: Easel, easels: Callable[..., Easel]) -> None:
    easel.paint((0.2, 0.2), (0.8, 0.8))
    watcher = easels(f"?session={easel.session_id}")  # a browser profile without the token
    watcher.wait_step(1)
    expect(watcher.find("[data-state]")).to_contain_text("Watching Guest painter")
    expect(watcher.find("[data-hint]")).to_have_text("Read only: you are watching.")
    easel.front()
    easel.paint((0.2, 0.8), (0.8, 0.2))
    watcher.front()
    watcher.wait_step(2)
    assert (watcher.pixels() == easel.server_pixels()).all()
    watcher.drag((0.1, 0.1), (0.9, 0.1))
    watcher.press("z", "Shift+Enter")
    assert easel.view()["step"] == 2
    watched = watcher.session_id
    watcher.find("[data-state]").get_by_role("button", name="Paint this task yourself").click()
    watcher.page.wait_for_url("**/?task=programmatic-05")
    watcher.paint((0.1, 0.1), (0.9, 0.1))
    assert watcher.session_id != watched


def test_two_tabs_of_one_painting_stay_right(easel: Easel, easels: Callable[..., Easel]) -> None:
    easel.paint((0.2, 0.2), (0.8, 0.8))
    other = easels(f"?session={easel.session_id}", context=easel.page.context)
    other.wait_step(1)
    other.paint((0.2, 0.8), (0.8, 0.2))
    easel.front()
    easel.wait_step(2)
    easel.paint((0.5, 0.1), (0.5, 0.9))
    other.front()
    other.wait_step(3)
    other.press("z")
    other.wait_step(4)
    easel.front()
    easel.wait_step(4)
    assert (easel.pixels() == other.pixels()).all()
    assert (easel.pixels() == easel.server_pixels()).all()


def test_the_link_to_watch_is_copied(easels: Callable[..., Easel]) -> None:
    easel = easels("?task=programmatic-05", permissions=["clipboard-read", "clipboard-write"])
    easel.paint((0.2, 0.2), (0.8, 0.8))
    easel.find("[data-state]").get_by_role("button", name="Copy link").click()
    expect(easel.find("[data-state]")).to_contain_text("Copied")
    copied = easel.page.evaluate("navigator.clipboard.readText()")
    assert copied == easel.view()["watch_url"] == f"{easel.url}/?tab=watch&session={easel.session_id}"


def test_links_open_what_they_name(easels: Callable[..., Easel]) -> None:
    easel = easels()
    assert "Natural" in easel.find(".meta").inner_text(), "a newcomer's first task"
    easel.open("?task=abstract-03")
    expect(easel.find(".meta")).to_have_text("Abstract and cartoon, task 3 of 15")
    easel.open()
    expect(easel.find(".meta")).to_have_text("Abstract and cartoon, task 3 of 15")
    easel.open("?tab=nonsense")
    assert easel.page.locator("[role=tab][aria-selected=true]").inner_text() == "Paint"


def test_a_link_that_leads_nowhere_says_so_and_offers_a_task(easels: Callable[..., Easel]) -> None:
    easel = easels()
    easel.expected_errors = 1
    easel.open("?session=nothing-here")
    expect(easel.page.get_by_role("alert")).to_contain_text("The painting of this link does not exist here")
    assert "session" not in easel.page.url
    easel.open("?task=nothing-here")
    expect(easel.page.get_by_role("alert")).to_contain_text("There is no task")
    easel.paint((0.2, 0.2), (0.8, 0.8))


def test_a_task_with_an_unfinished_painting_goes_on_and_start_over_begins_anew(easel: Easel) -> None:
    easel.paint((0.2, 0.2), (0.8, 0.8))
    first = easel.session_id
    easel.press("t", "ArrowLeft", "Enter")
    easel.page.wait_for_url("**/?task=programmatic-03")
    easel.press("t")
    easel.page.get_by_role("button", name="All 15").first.click()
    easel.page.locator("[data-task=programmatic-05]").click()
    easel.wait_step(1)
    assert easel.session_id == first
    easel.find("[data-state]").get_by_role("button", name="Start over").click()
    easel.page.get_by_role("dialog").get_by_role("button", name="Start over").click()
    easel.page.wait_for_url("**/?task=programmatic-05")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert easel.session_id != first


def test_a_name_is_kept_and_recorded(easel: Easel) -> None:
    easel.press("t")
    easel.page.get_by_label("Your name").fill("Ada 🎨\u200b")
    easel.press("Tab", "Escape")
    easel.open("?task=programmatic-06")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert easel.view()["player"]["name"] == "Ada 🎨", "invisible characters are not sent"


def test_an_agents_painting_is_watched_stroke_by_stroke(easels: Callable[..., Easel], server: object) -> None:
    from tests.conftest import Server, Session, new_session

    assert isinstance(server, Server)
    assert new_session
    with httpx.Client(base_url=server.url) as client:
        agent = Session(client, task_id="programmatic-07")
        easel = easels(f"?session={agent.id}")
        for seed in range(8):
            agent.paint(seed)
        easel.wait_step(8)
        assert (easel.pixels() == easel.server_pixels()).all()
        assert easel.said.startswith("Step 8, similarity")


def test_a_refusal_that_is_cut_off_is_no_refusal(easel: Easel) -> None:
    """A page that goes while an answer arrives must not take the stroke for refused and forget it."""
    easel.page.evaluate("""() => {
      const whole = window.fetch;
      window.fetch = async (url, options) => {
        if (!String(url).endsWith('/actions')) return whole(url, options);
        window.fetch = whole;
        const cut = new ReadableStream({ start: (stream) => stream.error(new TypeError('the connection broke')) });
        return new Response(cut, { status: 409 });
      };
    }""")
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert len(easel.strokes()) == 1
