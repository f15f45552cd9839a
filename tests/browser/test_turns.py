"""Taking turns in another's painting: who may paint, what becomes of strokes that come at the wrong time."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from playwright.sync_api import Route, expect

from tests.browser.agents import Agent
from tests.browser.easel import Easel
from tests.browser.watching import Watch
from tests.conftest import Server, stroke, wait_until

pytestmark = pytest.mark.browser
BOW = ((0.2, 0.6), (0.5, 0.3), (0.8, 0.6))


def guest_of(easels: Callable[..., Easel], session_id: str, name: str, refusals: int = 0) -> Easel:
    """A person who opens the watch link, takes a turn and stands before the canvas."""
    watch = cast(Watch, easels(f"?tab=watch&session={session_id}", kind=Watch))
    watch.expected_errors = refusals
    watch.page.evaluate("(name) => localStorage.setItem('es-name', JSON.stringify(name))", name)
    watch.page.get_by_role("button", name="Take a turn").click()
    guest = Easel(watch.page, watch.url)
    guest.expected_errors = refusals
    guest.page.wait_for_url(f"**/?tab=paint&session={session_id}")
    guest.ready()
    return guest


def test_a_guest_takes_a_turn_the_agent_waits_and_gets_it_back(server: Server, easels: Callable[..., Easel]) -> None:
    agent = Agent(server.url, shared=True)
    agent.paint(2)
    guest = guest_of(easels, agent.id, "Ada")
    guest.wait_step(2)
    state = guest.find("[data-state]")
    expect(state).to_contain_text("It is the turn of Robo, paint to take it")
    change = guest.page.get_by_role("button", name="Change task").first
    expect(change).to_be_enabled()
    expect(guest.find("[data-act=submit]")).to_be_disabled()
    guest.paint(*BOW)
    expect(state).to_contain_text("Your turn, in the painting of Robo")
    expect(change).to_be_disabled()
    guest.press("t")
    assert not guest.page.get_by_role("dialog").is_visible(), "who leaves would keep the turn"
    refused = agent.send({"kind": "brush_stroke", "stroke": stroke(9)})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_your_turn")
    guest.press("z")
    guest.wait_step(4)
    watcher = cast(Watch, easels(f"?tab=watch&session={agent.id}", kind=Watch))
    watcher.wait_rows(4)
    expect(watcher.find(".bar-state")).to_contain_text("Ada has the brush, Robo waits")
    assert ["Ada" in row for row in watcher.rows()] == [False, False, True, True]
    expect(watcher.one.locator(".meta")).to_contain_text("not ranked")
    guest.front()
    state.get_by_role("button", name="Hand back").click()
    expect(state).to_contain_text("It is the turn of Robo")
    agent.paint()
    guest.wait_step(5)
    assert (guest.pixels() == guest.server_pixels()).all()
    assert [entry["guest"] for entry in agent.log()] == [None, None, "Ada", "Ada", None]
    watcher.front()
    expect(watcher.find(".bar-state")).to_contain_text("Robo is painting")


def test_a_person_shares_sees_a_guest_paint_and_loses_no_stroke(easel: Easel, easels: Callable[..., Easel]) -> None:
    easel.paint(*BOW)
    switch = easel.find("[data-state] [data-share]")
    switch.check(force=True)
    guest = guest_of(easels, easel.session_id, "Ada")
    guest.paint((0.1, 0.1), (0.9, 0.2))
    easel.front()
    easel.wait_step(2)
    assert (easel.pixels() == easel.server_pixels()).all(), "a guest's stroke comes live"
    waits = easel.page.get_by_role("status").filter(has_text="Ada has the brush.")
    expect(waits).to_be_visible()
    expect(easel.find("[data-hint]")).to_have_text("Ada has the brush.")
    easel.drag(*BOW)
    assert easel.view()["step"] == 2, "nothing is sent out of turn"
    waits.get_by_role("button", name="Take it back").click()
    expect(waits).not_to_be_visible()
    easel.paint(*BOW)
    assert [entry.get("red") is not None for entry in easel.strokes()] == [True] * 3
    guest.front()
    guest.wait_step(3)
    expect(guest.find("[data-state]")).to_contain_text("It is the turn of Guest painter")


def test_a_stroke_that_crosses_with_a_guests_waits_and_is_painted(easel: Easel) -> None:
    easel.paint(*BOW)
    easel.find("[data-state] [data-share]").check(force=True)
    owned = Agent.known(easel.url, easel.session_id)
    wait_until(lambda: owned.view()["turn"]["shared"])
    ada = owned.join("Ada")

    def taken_first(route: Route) -> None:
        owned.send({"kind": "brush_stroke", "stroke": stroke(5)}, ada).raise_for_status()
        route.continue_()

    easel.expected_errors = 1
    easel.page.route("**/actions", taken_first, times=1)
    easel.drag(*BOW)
    waits = easel.page.get_by_role("status").filter(has_text="1 stroke of yours waits here and will be painted then.")
    expect(waits).to_be_visible()
    assert easel.layer("preview").any(), "it is still to be seen"
    easel.reload()
    expect(waits).to_be_visible()
    assert owned.view()["step"] == 2
    owned.hand_back(ada)
    easel.wait_step(3)
    expect(waits).not_to_be_visible()
    assert [entry["guest"] for entry in owned.log()] == [None, "Ada", None]


def test_guests_go_when_the_owner_ends_it(easel: Easel, easels: Callable[..., Easel]) -> None:
    easel.paint(*BOW)
    switch = easel.find("[data-state] [data-share]")
    switch.check(force=True)
    guest = guest_of(easels, easel.session_id, "Ada", refusals=1)
    guest.paint(*BOW)
    easel.front()
    easel.wait_step(2)
    switch.uncheck(force=True)
    expect(easel.page.get_by_role("status").filter(has_text="has the brush")).not_to_be_visible()
    guest.front()
    guest.drag(*BOW)
    expect(guest.page.get_by_role("alert")).to_contain_text("Your turns have ended")
    expect(guest.find("[data-hint]")).to_have_text("Read only: you are watching.")
    assert easel.view()["step"] == 2


def test_an_owner_on_a_phone_shares_and_a_guest_hands_back(server: Server, easels: Callable[..., Easel]) -> None:
    easel = easels("?task=programmatic-05", viewport={"width": 390, "height": 844})
    easel.paint(*BOW)
    brief = easel.find(".brief")
    brief.get_by_label("Let others take turns").check(force=True)
    agent = Agent(server.url, shared=True)
    agent.paint()
    easel.page.set_viewport_size({"width": 390, "height": 844})
    easel.open(f"?tab=paint&session={agent.id}")
    easel.wait_step(1)
    brief.get_by_role("button", name="Take a turn").click()
    expect(brief).to_contain_text("It is the turn of Robo")
    easel.paint(*BOW)
    brief.get_by_role("button", name="Hand back").click()
    expect(brief).to_contain_text("It is the turn of Robo")
    agent.paint()
    assert easel.page.evaluate("document.documentElement.scrollWidth") <= 390
