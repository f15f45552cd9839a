"""Plans as executed: pictures in place of calls, where the host has named what executes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.easel import HTTP
from tests.browser.grading import watched
from tests.browser.inspecting import API, BOAT, Inspecting, call, small_set
from tests.browser.profiles import Profiles
from tests.endpoint.pictures import Given, Pictures, pictures, png
from tests.serving import Command, Environment, Server, forked, serving

pytestmark = pytest.mark.browser
REASON = "No hull here has <b>tar</b> on it"
STEPS = "\n\n".join(f"Stage {k}.\n\n{call('search', f'Stage {k}', query=f'stage {k}')}" for k in range(1, 4))
Opens = Callable[..., Inspecting]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of two plans: of the boat, and of three searches."""
    folder = tmp_path_factory.mktemp("executed")
    studio = Studio(Settings(data_dir=folder))
    small_set(studio.plans, "boat", BOAT.replace('"img_index": 7', '"img_index": 0'), STEPS)
    studio.close()
    return folder


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Pictures]:
    with pictures() as running:
        yield running


@pytest.fixture(scope="module")
def server(folder: Path, endpoint: Pictures) -> Iterator[Server]:
    """A studio in which the endpoint searches and edits; nothing draws."""
    named = json.dumps({"reference": "built-in", "search": endpoint.url, "edit": endpoint.url})

    def start(arguments: list[str], environment: Environment) -> Command:
        return forked(arguments, environment | {"EASEL_BACKENDS": named})

    with serving(folder, start) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, server: Server) -> Profiles:
    return Profiles(browser, server.url)


@pytest.fixture
def opens(server: Server, homes: Profiles) -> Iterator[Opens]:
    with watched(Inspecting, server.url, homes, "&set=set-boat") as opening:
        yield opening


def scores(server: Server) -> Any:
    return HTTP.get(f"{server.url}{API}/sets/set-boat/scores").raise_for_status().json()


def boat(asked: dict[str, Any]) -> Given:
    """A picture of what is searched for, and a reason why nothing is edited."""
    if asked["tool"] == "search":
        return Given(png(90, (320, 200)))
    return Given(json.dumps({"error": REASON}).encode(), "application/json")


def test_a_plan_is_executed_and_shown_with_its_pictures_or_the_reasons_for_none(
    opens: Opens, server: Server, endpoint: Pictures
) -> None:
    endpoint.give, before = boat, scores(server)
    page = opens()
    expect(page.find(".executing [role=status]")).to_have_text("3 calls not executed yet, 1 without a backend")
    assert page.find(".came").count() == 0
    page.find("[data-act=execute]").click()
    page.wait_link("doc", "executed")
    status = page.find(".executing [role=status]")
    expect(status).to_have_text("2 of 4 calls brought a picture, 1 failed, 1 without a backend")
    expect(page.find(".came")).to_have_count(4)
    expect(page.find(".tool:visible")).to_have_count(0)
    found = page.find("[data-call='2'] .came img")
    page.page.wait_for_function("(image) => image.complete && image.naturalWidth === 320", arg=found.element_handle())
    expect(page.find("[data-call='3'] .came")).to_contain_text("No backend for code is configured here.")
    expect(page.find("[data-call='4'] .came")).to_contain_text(REASON)  # as text, tags and all
    page.press("v")
    page.wait_link("doc", "beside")
    expect(page.find(".tool:visible")).to_have_count(4)
    expect(page.find(".block.text .prose").filter(has_text="A clinker hull")).to_have_count(2)
    plan, made = page.find("[data-call='2'] .tool").bounding_box(), page.find("[data-call='2'] .came").bounding_box()
    assert plan and made and made["x"] > plan["x"] + plan["width"] and abs(made["y"] - plan["y"]) < 2
    page.reload()
    expect(page.find(".plans.beside .came figcaption")).to_have_count(2)
    page.press("n", "z")
    expect(page.page.get_by_role("dialog")).to_contain_text("Call 2, as executed, 320 × 200")
    page.press("Escape", "v")
    page.wait_link("doc", None)
    expect(page.find(".came")).to_have_count(0)
    assert scores(server) == before


def test_one_call_is_tried_again_and_only_that(opens: Opens, endpoint: Pictures) -> None:
    page = opens("&set=set-boat&doc=executed")
    endpoint.give = lambda asked: Given(png(30))
    asked = len(endpoint.asked)
    page.find("[data-call='4']").get_by_role("button", name="Try again").click()
    expect(page.find("[data-call='4'] .came img")).to_be_visible()
    assert [each["tool"] for each in endpoint.asked[asked:]] == ["edit"]
    expect(page.find("[data-act=execute]")).to_have_text("Execute again")


def test_what_is_under_way_can_be_stopped_and_what_is_done_stays(opens: Opens, endpoint: Pictures) -> None:
    third, over = Event(), Event()

    def slow(asked: dict[str, Any]) -> Given:
        if asked["params"]["query"] == "stage 3":
            third.set()
            over.wait(20)
        return Given(png())

    endpoint.give = slow
    page = opens("&set=set-boat&doc=executed")
    page.press("]")
    expect(page.find("[data-act=execute]")).to_have_text("Execute 3 calls")
    page.find("[data-act=execute]").click()
    assert third.wait(20)
    expect(page.find(".executing [role=status]")).to_have_text("Executing, 2 of 3")
    expect(page.find(".came img")).to_have_count(2)
    page.find("[data-act=stop]").click()
    expect(page.find(".executing [role=status]")).to_have_text("2 of 3 calls brought a picture")
    over.set()
    expect(page.find("[data-call='3'] .came")).to_contain_text("Not executed yet.")
    expect(page.find("[data-act=execute]")).to_have_text("Execute 1 call")


def test_on_a_phone_the_executed_document_stands_in_place_of_the_plan(opens: Opens) -> None:
    page = opens("&set=set-boat&doc=beside", viewport={"width": 390, "height": 844})
    expect(page.find("[data-mode=executed]")).to_have_attribute("aria-pressed", "true")
    expect(page.find("[data-mode=beside]")).to_be_hidden()
    expect(page.find(".tool:visible")).to_have_count(0)
    expect(page.find(".came")).to_have_count(4)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
