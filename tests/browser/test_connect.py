"""Connecting: a painter to try, the snippets as they are pasted, a session for an agent, runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.agents import Agent
from tests.browser.easel import Easel
from tests.browser.watching import shown, stored
from tests.conftest import Server, serving, stroke, wait_until
from tests.endpoint import endpoint, faulty
from tests.serving import forked

pytestmark = pytest.mark.browser


class Connect(Easel):
    """One page of the studio that is opened on the Connect tab."""

    def ready(self) -> None:
        self.page.locator(".s-connect:not([aria-busy]) .sess[data-ready]").wait_for()

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-connect {selector}")

    def snippet(self, name: str) -> str:
        return self.find(f"[data-snippet={name}]").inner_text()

    def copied(self, name: str) -> str:
        """What the snippet's button puts on the clipboard."""
        self.find(f".snip:has([data-snippet={name}])").get_by_role("button", name="Copy").click()
        expect(self.page.locator("#es-live")).to_contain_text("copied")
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def session(self) -> str:
        """The session at hand."""
        return self.find(".sess .what").inner_text()


@pytest.fixture
def connects(easels: Callable[..., Easel]) -> Callable[..., Connect]:
    """Opens the Connect tab in a new profile."""
    return lambda query="", **options: cast(
        Connect,
        easels(f"?tab=connect{query}", kind=Connect, permissions=["clipboard-read", "clipboard-write"], **options),
    )


@pytest.fixture
def connect(connects: Callable[..., Connect]) -> Connect:
    return connects()


def test_a_newcomer_sees_a_painter_at_work_within_ten_seconds(connect: Connect) -> None:
    button = connect.page.get_by_role("button", name="Try it")
    assert button.is_visible(), "without a key, without scrolling"
    button.click()
    connect.page.wait_for_function(
        "/Step ([5-9]|\\d\\d)/.test(document.querySelector('.sess .pair').textContent)", timeout=10_000
    )
    expect(connect.find(".sess .state")).to_contain_text("Painter at work")
    expect(connect.find(".sess .plot svg")).to_be_visible()
    connect.page.get_by_role("button", name="Stop").click()
    expect(connect.page.get_by_role("button", name="Go on")).to_be_visible()
    session = connect.session()
    view = httpx.get(f"{connect.url}/api/sessions/{session}").json()
    assert (view["player"]["kind"], view["status"]) == ("painter", "open")
    assert (shown(connect.find(".sess canvas").nth(1)) == stored(connect.url, session)).all()
    connect.page.get_by_role("button", name="Go on").click()
    expect(connect.page.get_by_role("button", name="Stop")).to_be_visible()
    connect.page.get_by_role("button", name="Open in Watch").click()
    connect.page.wait_for_url(f"**/?tab=watch&session={session}")
    connect.page.locator(".s-watch .rows li").first.wait_for()


def test_the_snippets_name_this_studio(connect: Connect) -> None:
    assert json.loads(connect.copied("mcp")) == {"mcpServers": {"easel": {"type": "http", "url": f"{connect.url}/mcp"}}}
    for name in ("rest", "python"):
        assert connect.url in connect.snippet(name)
    assert connect.copied("rest").strip() == connect.snippet("rest").strip()


def test_the_curl_snippet_paints_when_it_is_pasted(connect: Connect) -> None:
    done = subprocess.run(["sh", "-c", connect.copied("rest")], capture_output=True, text=True, timeout=60, check=True)
    link, answer = done.stdout.split("\n", 1)
    assert json.loads(answer)["outcome"] == "applied"
    address = link.removeprefix("watch it live: ")
    assert address.startswith(f"{connect.url}/?tab=watch&session=")
    assert httpx.get(f"{connect.url}/api/sessions/{address.rpartition('=')[2]}").json()["step"] == 1


def test_the_python_snippet_records_when_it_is_run(connect: Connect) -> None:
    done = subprocess.run(
        [sys.executable, "-c", connect.copied("python")], capture_output=True, text=True, timeout=120, check=True
    )
    session = re.search(r"session=(\w+)", done.stdout)
    assert session
    view = httpx.get(f"{connect.url}/api/sessions/{session[1]}").json()
    assert (view["status"], view["player"]["kind"]) == ("spent", "agent")
    assert float(done.stdout.split()[-1]) == pytest.approx(view["scores"]["similarity"])


def test_an_agent_gets_a_session_and_its_token_stays_hidden(connect: Connect) -> None:
    connect.page.get_by_role("button", name="New session").click()
    box = connect.page.get_by_role("dialog", name="New session for an agent")
    box.get_by_label("Task").select_option("programmatic-05")
    box.get_by_label("Agent’s name").fill("<b>Robo</b>")
    box.get_by_label("Agent’s name").press("Enter")
    expect(box).not_to_be_visible()
    expect(connect.find(".sess .state")).to_have_text("No stroke yet")
    expect(connect.find(".sess .player")).to_contain_text("<b>Robo</b>")
    session = connect.session()
    text, copy = connect.snippet("rest"), connect.copied("rest")
    token = re.search(r"Bearer ([^']+)'", copy)
    assert token
    assert session in text
    assert token[1] not in connect.page.content()
    assert "Bearer ••••" in text
    subprocess.run(["sh", "-c", copy], capture_output=True, timeout=60, check=True)
    expect(connect.find(".sess .pair")).to_contain_text("Step 1")
    expect(connect.find(".sess .state")).to_have_text("Agent painting")
    assert (shown(connect.find(".sess canvas").nth(1)) == stored(connect.url, session)).all()
    connect.page.get_by_role("button", name="Copy token").click()
    assert connect.page.evaluate("navigator.clipboard.readText()") == token[1]
    connect.reload()
    expect(connect.find(".sess .what")).to_have_text(session)
    agent = Agent.known(connect.url, session)
    connect.find(".sess [data-share]").check(force=True)
    wait_until(lambda: bool(agent.view()["turn"]["shared"]))
    agent.send({"kind": "submit"}, token[1]).raise_for_status()
    expect(connect.find(".sess .state")).to_have_text("Finished")
    assert connect.page.get_by_role("button", name="Copy token").count() == 0


def test_a_task_that_is_refused_is_said_in_the_dialog(connect: Connect) -> None:
    connect.expected_errors = 1
    connect.page.route("**/api/sessions", lambda route: route.abort())
    connect.page.get_by_role("button", name="New session").click()
    connect.page.get_by_role("button", name="Begin").click()
    expect(connect.page.get_by_role("dialog").get_by_role("alert")).to_have_text("The server cannot be reached.")
    connect.press("Escape")
    connect.page.get_by_role("button", name="Try it").click()
    expect(connect.find(".sess").get_by_role("alert")).to_have_text("The server cannot be reached.")
    connect.page.unroute("**/api/sessions")
    connect.page.get_by_role("button", name="Try it").click()
    expect(connect.page.get_by_role("button", name="Stop")).to_be_visible()
    expect(connect.find(".sess").get_by_role("alert")).not_to_be_visible()


def test_a_run_is_begun_watched_stopped_and_continued(connect: Connect) -> None:
    form, runs = connect.page.get_by_role("form", name="Run a model"), connect.page.get_by_role("region", name="Runs")
    form.get_by_role("button", name="Random").click()
    expect(form.get_by_label("Endpoint")).not_to_be_visible()
    for category in ("Spatial geometry", "Abstract and cartoon", "Natural"):
        form.get_by_label(category).uncheck()
    expect(form).to_contain_text("15 sessions, 480 steps")
    form.get_by_text("More").click()
    form.get_by_label("Name").fill("test")
    form.get_by_role("button", name="Start").click()
    row = runs.locator("[data-run^=test-random]")
    expect(row).to_contain_text("Finished", timeout=30_000)
    expect(row).to_contain_text("15 of 15")
    run = next(run for run in httpx.get(f"{connect.url}/api/runs").json() if run["name"] == "test")
    last = run["summary"][-1]
    figures = runs.locator(".figures tr.all td").all_inner_texts()
    assert figures[:3] == ["15", f"{last['final']:.3f}", f"{last['at_half']:.3f}"]
    skill = runs.locator(".figures").get_by_role("columnheader", name="Skill")
    expect(skill).to_have_attribute("title", "0 at the mean fill, 1 at the data policy of the task")
    column = runs.locator(".figures th[scope=col]").all_inner_texts().index("Skill")
    assert figures[column - 1] == f"{last['skill']:.3f}".replace("-", "−")
    expect(runs).to_contain_text("do not stand beside published ones")
    form.get_by_label("Repeats").fill("60")
    form.get_by_role("button", name="Start").click()
    expect(row).to_contain_text("of 900")
    row.get_by_role("button", name="Stop").click()
    expect(row).to_contain_text("Stopped")
    expect(runs.locator(".details")).to_contain_text("Stopped on demand")
    row.get_by_role("button", name="Continue").click()
    expect(row).to_contain_text("Running")
    watch = runs.locator(".active button").first
    watch.click()
    connect.page.wait_for_url("**/?tab=watch&session=*")
    address = f"{connect.url}/api/runs/{run['run_id']}"
    httpx.delete(address)
    wait_until(lambda: httpx.get(address).json()["state"] != "running")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_run_that_gets_no_answer_says_so_and_its_buttons_are_in_sight(
    server: Server, connects: Callable[..., Connect], width: int
) -> None:
    connect = connects(viewport={"width": width, "height": 844})
    table = connect.page.get_by_role("region", name="Runs", exact=True)
    with endpoint(faulty("429")) as silent:
        wish = {"player": "model", "base_url": silent.url, "model": "a-model-of-a-long-name-9b-instruct"}
        plan = {"tasks": ["programmatic-05"], "protocol": "studio", "repeats": 1, "concurrency": 1}
        begun = httpx.post(f"{server.url}/api/runs", json=wish | plan | {"name": f"silent-{width}"}).raise_for_status()
        run = begun.json()["run_id"]
        connect.reload()
        row, trouble = table.locator(f'[data-run="{run}"]'), table.locator(f'[data-trouble="{run}"]')
        expect(trouble).to_have_text("No answer from the endpoint: HTTP 429")
        warn = connect.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--warn').trim()")
        assert warn == "#775000"
        expect(trouble.locator("td")).to_have_css("color", "rgb(119, 80, 0)")
        for button in ("Stop", "Continue"):
            for part in (row.get_by_role("button", name=button), row.get_by_role("button", name="Details")):
                expect(part).to_be_visible()
                box = part.bounding_box()
                assert box
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
            assert table.evaluate("(element) => element.scrollWidth <= element.clientWidth")
            if button == "Stop":
                row.get_by_role("button", name=button).click()
        expect(trouble).to_have_count(0)
    row.get_by_role("button", name="Details").click()
    table.get_by_role("button", name="Its paintings").click()
    connect.page.wait_for_url(f"**/?tab=watch&run={run}")
    expect(connect.page.locator(".s-watch .meta").first).to_contain_text(run)


def test_the_servers_key_is_offered_only_where_it_goes(
    contexts: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EASEL_ENDPOINT_KEY", "canary-key")
    monkeypatch.setenv("EASEL_ENDPOINTS", '["http://127.0.0.1:9/v1"]')
    with serving(tmp_path, forked) as server:
        connect = Connect(contexts().new_page(), server.url)
        connect.open("?tab=connect")
        form = connect.page.get_by_role("form", name="Run a model")
        form.get_by_label("Endpoint").fill("http://127.0.0.1:9/v1/")
        expect(form).to_contain_text("Empty: the server’s own key is used.")
        expect(form).to_contain_text("Continue uses it too.")
        form.get_by_label("Endpoint").fill("http://127.0.0.1:10/v1")
        expect(form).to_contain_text("Empty, if the endpoint needs none.")


def test_nobody_asks_for_runs_while_none_is_running(
    contexts: Callable[..., BrowserContext], easels: Callable[..., Easel]
) -> None:
    context = contexts()
    context.clock.install()
    connect = cast(Connect, easels("?tab=connect", kind=Connect, context=context))
    asked = lambda: sum(url.endswith("/api/runs") for url in connect.requests)  # noqa: E731
    expect(connect.find(".run-list > :is(.hole, .tblwrap):not([hidden])")).to_be_visible()
    context.clock.fast_forward(60_000)
    connect.settle()
    assert asked() == 1


def test_a_run_that_cannot_be_says_why_and_forgets_no_field(connect: Connect) -> None:
    connect.expected_errors = 1
    form = connect.page.get_by_role("form", name="Run a model")
    form.get_by_label("Endpoint").fill("http://127.0.0.1:9/v1")
    form.get_by_label("Model").fill("some-model")
    assert form.get_by_label("Key").get_attribute("type") == "password"
    form.get_by_label("Key").fill("canary-key")
    form.get_by_text("More").click()
    form.get_by_label("Most money").fill("1")
    form.get_by_role("button", name="Start").click()
    expect(form.get_by_role("alert")).to_contain_text("price")
    expect(form.get_by_label("Model")).to_have_value("some-model")
    assert "canary-key" not in str(connect.page.evaluate("JSON.stringify([localStorage, sessionStorage])"))


def test_where_runs_are_off_the_form_is_an_explanation(
    contexts: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EASEL_RUNS", "off")
    with serving(tmp_path, forked) as server:
        connect = Connect(contexts().new_page(), server.url)
        connect.open("?tab=connect")
        expect(connect.find(".runs")).to_contain_text("No runs from this page")
        assert connect.page.get_by_role("form", name="Run a model").count() == 0


def test_the_tab_is_reached_and_used_by_keys_alone(easels: Callable[..., Easel]) -> None:
    easel = easels()
    easel.page.get_by_role("tab", name="Paint").focus()
    names = easel.page.get_by_role("tab").all_inner_texts()
    easel.press(*["ArrowRight"] * (names.index("Connect an agent") - names.index("Paint")))
    connect = Connect(easel.page, easel.url)
    connect.ready()
    expect(connect.page.get_by_role("tab", name="Connect an agent")).to_be_focused()
    connect.press("Tab")
    expect(connect.page.get_by_role("button", name="New session")).to_be_focused()
    connect.press("Tab")
    expect(connect.page.get_by_role("button", name="Try it")).to_be_focused()
    connect.press("Enter")
    stop = connect.page.get_by_role("button", name="Stop")
    expect(stop).to_be_focused()
    connect.press("Enter")
    expect(connect.find(".sess .acts button").first).to_be_focused()


@pytest.mark.parametrize("width", [1440, 1280, 1180, 900, 721, 720, 390, 320])
def test_nothing_overflows_sideways(server: Server, connects: Callable[..., Connect], width: int) -> None:
    connect = connects("", viewport={"width": width, "height": 844})
    assert connect.page.evaluate("document.documentElement.scrollWidth") <= width
    connect.find("summary").click()
    agent: dict[str, Any] = Agent(server.url, player={"kind": "agent", "name": "a name that goes on " * 4}).__dict__
    connect.page.evaluate(
        "([id, token]) => localStorage.setItem('es-connected', JSON.stringify({id, token, painter: false}))",
        [agent["id"], agent["token"]],
    )
    connect.reload()
    expect(connect.find(".sess .what")).to_have_text(agent["id"])
    assert connect.page.evaluate("document.documentElement.scrollWidth") <= width


def test_strokes_of_an_agent_are_counted_where_the_page_was_not_looking(connect: Connect) -> None:
    connect.page.get_by_role("button", name="New session").click()
    connect.page.get_by_role("button", name="Begin").click()
    expect(connect.find(".sess .state")).to_have_text("No stroke yet")
    session, copy = connect.session(), connect.copied("rest")
    token = re.search(r"Bearer ([^']+)'", copy)
    assert token
    connect.page.get_by_role("tab", name="Watch").click()
    agent = Agent.known(connect.url, session)
    for seed in range(3):
        agent.send({"kind": "brush_stroke", "stroke": stroke(seed)}, token[1]).raise_for_status()
    connect.page.get_by_role("tab", name="Connect an agent").click()
    expect(connect.find(".sess .pair")).to_contain_text("Step 3")
