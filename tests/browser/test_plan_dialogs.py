"""The list of plans with its filters, and the dialogs on the data of the Plan inspection tab."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, expect

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.easel import HTTP
from tests.browser.grading import watched
from tests.browser.inspecting import API, BOAT, Inspecting, Inspector, small_set
from tests.browser.profiles import Profiles
from tests.endpoint.app import endpoint
from tests.endpoint.inspector import inspector
from tests.services.plans import making
from tests.serving import Server, forked, serving

pytestmark = pytest.mark.browser
HARM = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}} \u202e"
KEY = "sk-never-written-down"
MANY = 61
"""Queries of the set that needs more than one page."""


class Data(Inspecting):
    """One page of the studio on which the list or a dialog is opened."""

    @property
    def box(self) -> Locator:
        return self.page.locator("dialog.plan-data[open]")

    @property
    def list(self) -> Locator:
        return self.page.locator("dialog.plan-list[open]")

    def data(self, name: str) -> Locator:
        """Open a dialog from the menu by keyboard."""
        self.find('button[aria-label="Data"]').focus()
        self.press("Enter")
        self.find(f'[data-dialog="{name}"]').focus()
        self.press("Enter")
        expect(self.box).to_be_visible()
        return self.box

    def plans(self) -> Locator:
        """Open the list, whose rows these are."""
        self.press("l")
        expect(self.list).to_be_visible()
        expect(self.list.locator("[aria-busy]")).to_have_count(0)
        return self.list.locator(".plan-row")

    def filter(self, name: str) -> Locator:
        return self.list.locator(f'[data-filter="{name}"]')

    def field(self, name: str) -> Locator:
        return self.box.locator(f'[name="{name}"]:not([data-own])')

    def go(self, label: str) -> None:
        self.box.get_by_role("button", name=label, exact=True).click()

    def sets(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in HTTP.get(f"{self.url}{API}/sets").raise_for_status().json()}

    @property
    def address(self) -> dict[str, str]:
        return {name: value for name, (value,) in parse_qs(urlsplit(self.page.url).query, True).items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of many plans, one that is judged, and one whose names mean harm."""
    folder = tmp_path_factory.mktemp("plan-dialogs")
    studio = Studio(Settings(data_dir=folder))
    plans = studio.plans
    making.make_set(plans, MANY)
    small_set(plans, "boat", BOAT, BOAT.replace("keel", "backbone"))
    small_set(plans, f"harm {HARM}", f"{HARM}\n\n{BOAT}", words=HARM)
    studio.close()
    return folder


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Server]:
    with serving(folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


Opens = Callable[..., Data]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens the tab on the set of many plans unless the query says otherwise; all pages are checked at the end."""
    with watched(Data, studio.url, homes, f"&set={making.SET}") as opening:
        yield opening


def upload(page: Data, content: bytes, name: str = "plans.jsonl") -> None:
    page.box.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    expect(page.box.locator(".drop b")).to_have_text(name)


def rows(name: str, *more: Any) -> bytes:
    """A file in our own format: a query and a plan for it, and more lines."""
    records = [
        {"type": "set", "format": "easel-plans/1", "name": name},
        {"type": "query", "id": "q1", "query": "How does a mill work?"},
        {"type": "answer", "query_id": "q1", "planner": "p", "text": making.GOOD},
        *more,
    ]
    return "\n".join(map(json.dumps, records)).encode()


# the list


def test_the_list_tells_how_many_fit_and_is_gone_through_by_keys(opens: Opens) -> None:
    page = opens()
    listed = page.plans()
    expect(page.list.locator(".list-head [role=status]")).to_have_text(f"{2 * MANY} plans")
    expect(listed.first).to_be_focused()
    expect(listed.first).to_have_attribute("aria-current", "true")
    page.press("ArrowDown")
    expect(listed.nth(1)).to_be_focused()
    text = listed.nth(1).inner_text()
    assert "planner b" in text and "How does mill 1 work?" in text
    expect(listed.nth(1).locator(".sev.error")).to_have_count(1)
    page.press("/")
    expect(page.filter("q")).to_be_focused()
    page.page.keyboard.type("mill 7")
    expect(page.list.locator(".list-head [role=status]")).to_have_text(re.compile(rf"^\d+ of {2 * MANY}$"))
    page.press("ArrowDown")
    expect(listed.first).to_be_focused()
    answer = listed.first.get_attribute("data-answer")
    page.press("Enter")
    expect(page.list).to_have_count(0)
    page.wait_link("plan", answer)
    assert page.address["q"] == "mill 7", "the filters stay"
    expect(page.find(".filter-tag")).to_have_text("“mill 7”")


def test_enter_in_the_search_opens_what_is_found_for_the_words_that_stand_there(opens: Opens) -> None:
    page = opens()
    page.plans()
    page.press("/")
    page.page.keyboard.type("mill 42 work")
    page.press("Enter")
    expect(page.list).to_have_count(0)
    expect(page.find("h1")).to_contain_text("How does mill 42 work?")


def test_the_search_is_reached_from_a_filter_and_what_it_finds_is_marked(opens: Opens) -> None:
    page = opens()
    listed = page.plans()
    page.filter("planner").focus()
    page.press("/")
    expect(page.filter("q")).to_be_focused()
    page.page.keyboard.type("MILL out_of")
    expect(page.list.locator(".list-head [role=status]")).to_have_text(f"{MANY} of {2 * MANY}")
    expect(page.list.locator("h3 mark").first).to_have_text("mill")
    expect(listed.first.locator(".codes")).to_have_text("img_index_out_of_range")
    expect(listed.first.locator(".codes mark")).to_have_text("out_of")


def test_filters_narrow_the_list_stand_in_the_link_and_go_one_by_one(opens: Opens) -> None:
    page = opens()
    listed = page.plans()
    page.filter("planner").select_option("planner a")
    page.filter("category").select_option("Recipe")
    page.filter("tool").select_option("search")
    expect(listed).to_have_count(21)
    assert {name: page.address[name] for name in ("planner", "category", "tool")} == {
        "planner": "planner a", "category": "Recipe", "tool": "search"
    }  # fmt: skip
    page.filter("tool").select_option("unknown")
    expect(page.list.locator(".hole")).to_contain_text("Nothing fits")
    page.list.get_by_role("button", name="Clear the filters").click()
    expect(page.list.locator(".list-head [role=status]")).to_have_text(f"{2 * MANY} plans")
    assert "planner" not in page.address
    page.filter("problem").fill("img_index_out_of_range")
    page.filter("problem").press("Enter")
    expect(page.list.locator(".list-head [role=status]")).to_have_text(f"{MANY} of {2 * MANY}")
    page.filter("severity").select_option("error")
    page.filter("status").select_option("failed")
    expect(page.list.locator(".list-head [role=status]")).to_have_text(re.compile(rf"^\d+ of {2 * MANY}$"))
    page.press("Escape")
    tags = page.find(".filter-tag")
    expect(tags).to_have_text(["img_index_out_of_range", "with errors", "a call: failed"], use_inner_text=True)
    tags.nth(2).click()
    expect(tags).to_have_count(2)
    assert "status" not in page.address


def test_more_plans_come_as_one_goes_down(opens: Opens) -> None:
    page = opens()
    listed = page.plans()
    expect(listed).to_have_count(100)
    page.press("End")
    expect(listed).to_have_count(2 * MANY)
    page.press("End")
    expect(listed.last).to_be_focused()
    expect(listed.last).to_contain_text(f"mill {MANY} work")


def test_the_list_begins_at_the_plan_on_show_however_far_down_it_is(opens: Opens, studio: Server) -> None:
    found = HTTP.get(f"{studio.url}{API}/sets/{making.SET}/plans", params={"offset": 2 * MANY - 1}).json()["plans"][0]
    page = opens(f"&set={making.SET}&plan={found['answer']}")
    page.plans()
    here = page.list.locator("[aria-current]")
    expect(here).to_be_focused()
    expect(here).to_be_in_viewport()
    expect(here).to_have_attribute("data-answer", str(found["answer"]))


def test_scores_of_the_judge_are_listed_only_of_plans_on_which_one_has_voted(opens: Opens, studio: Server) -> None:
    page = opens("&set=set-boat")
    listed = page.plans()
    expect(page.filter("verdict")).to_be_hidden()
    expect(page.filter("gap")).to_be_hidden()
    assert not re.search("FS|72", page.list.inner_text()), "nobody has voted here"
    page.press("Escape")
    person = Inspector(studio.url, "Lister")
    first = page.answer
    for content in ({"about": "fs", "fs": 40}, {"about": "gaps", "gaps": []}, {"about": "plan", "verdict": "reject"}):
        person.vote(first, content)
    token = person.headers["Authorization"].removeprefix("Bearer ")
    page.page.evaluate(
        "(who) => localStorage.setItem('es-reviewers', JSON.stringify({[studio.url('')]: who}))",
        {"name": "Lister", "tokens": {"Lister": token}},
    )
    page.reload()
    listed = page.plans()
    row = page.list.locator(f'[data-answer="{first}"]')
    expect(row).to_contain_text("FS 72")
    expect(page.list.locator(".list-head")).to_contain_text("FS and gaps by Judge 1")
    expect(row.locator('[title="Final score by Judge 1"]')).to_be_visible()
    expect(row).to_contain_text("Reject")
    assert page.list.inner_text().count("FS 72") == 1
    page.filter("verdict").select_option("none")
    expect(listed).to_have_count(1)
    page.filter("verdict").select_option("reject")
    expect(listed).to_have_attribute("data-answer", str(first))
    page.filter("gap").select_option("procedural_gap")
    expect(listed).to_have_count(1)
    page.filter("open").check()
    expect(listed).to_have_count(1)


# the dialogs


def test_a_file_with_a_fault_is_reported_by_line_and_the_rest_comes_in_on_demand(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 1  # the browser logs the refusal
    box = page.data("importer")
    expect(box.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    upload(page, rows("In part", {"type": "answer", "query_id": "nowhere", "planner": HARM, "text": "x"}))
    page.go("Import")
    report = box.locator('.report[data-state="refused"]')
    expect(report).to_contain_text("1 record is refused, so nothing was stored.")
    expect(report.locator(".remarks li").first).to_contain_text("line 4")
    expect(report.locator('[data-kind="queries"]')).to_contain_text(re.compile(r"Queries\s*1\s*0"))
    expect(box.locator("img")).to_have_count(0)
    page.go("Import the rest")
    expect(box.locator('.report[data-state="imported in part"]')).to_contain_text("It is in “In part”")
    page.go("Show the set")
    expect(page.box).to_have_count(0)
    expect(page.find('select[aria-label="Set"] option:checked')).to_have_text("In part")
    expect(page.find("h1")).to_have_text("How does a mill work?")


def test_where_no_plan_tells_the_first_index_it_is_asked_for_and_begun_again(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 1
    box = page.data("importer")
    answer = making.call("reference", img_index=1)
    images = [["a.png"], ["b.png"], ["c.png"]]
    row = {"trace_id": "t1", "query": "Show a mill", "doc": ["a", "b", "c"], "images": images}
    upload(page, json.dumps(row | {"gt": "", "model_answer": f"A.\n\n{answer}"}).encode())
    page.field("planner").fill("somebody")
    page.field("name").fill("Indices")
    page.go("Import")
    expect(box.locator(".remarks").first).to_contain_text("index_base")
    page.go("First picture is 1")
    expect(box.locator('.report[data-state="imported"]')).to_contain_text("It is in “Indices”.")
    page.go("Import more")
    expect(box.locator('[data-name="index_base"] [aria-pressed="true"]')).to_have_text("1")
    expect(page.field("planner")).to_have_value("somebody")


def test_a_set_is_called_as_its_file_unless_the_data_or_a_person_calls_it(opens: Opens) -> None:
    page = opens()
    page.data("importer")
    foreign = json.dumps({"trace_id": "t", "query": "?", "model_answer": "A plan."}).encode()
    upload(page, foreign, "Mills and men.jsonl.gz")
    expect(page.field("name")).to_have_value("Mills and men")
    upload(page, rows("By its first line"), "own.jsonl")
    expect(page.field("name")).to_have_value("")
    upload(page, foreign, "Other mills.json")
    expect(page.field("name")).to_have_value("Other mills")
    upload(page, gzip.compress(rows("Packed")), "packed.jsonl.gz")
    expect(page.field("name")).to_have_value("")
    page.field("name").fill("By hand")
    upload(page, foreign, "third.jsonl")
    expect(page.box.get_by_role("button", name="Import", exact=True)).to_be_focused()
    expect(page.field("name")).to_have_value("By hand")


def test_a_file_that_is_sent_names_its_planner_as_one_on_disk_does(opens: Opens) -> None:
    page = opens()
    box = page.data("importer")
    content = json.dumps({"trace_id": "t", "query": "?", "model_answer": "A plan."}).encode()
    box.locator('input[type="file"]').set_input_files(
        {"name": "model-4.1.jsonl", "mimeType": "text/plain", "buffer": content}
    )
    page.field("name").fill("Of a file")
    page.go("Import")
    expect(box.locator('.report[data-state="imported"]')).to_contain_text("It is in “Of a file”.")
    assert page.sets()["Of a file"]["planners"] == ["model-4.1"]


def test_a_source_on_the_servers_machine_comes_in(opens: Opens, tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(rows("From disk"))
    page = opens()
    box = page.data("importer")
    page.go("On the server’s machine")
    page.field("source").fill(str(tmp_path / "nothing-there"))
    page.go("Import")
    expect(box.get_by_role("alert")).to_contain_text("nothing-there")
    page.field("source").fill(str(tmp_path / "set.jsonl"))
    page.press("Enter")
    expect(box.locator('.report[data-state="imported"]')).to_contain_text("It is in “From disk”.")
    assert page.sets()["From disk"]["answers"] == 1


def test_inspectors_are_started_stopped_and_go_on_to_the_end(opens: Opens) -> None:
    with endpoint(inspector, latency=0.2) as running:
        page = opens()
        box = page.data("inspect")
        expect(box).to_contain_text("11.46")
        expect(box).to_contain_text(f"{2 * MANY} plans, {6 * MANY} reports at most")
        page.field("base_url").fill(running.url)
        page.field("model").fill("careful")
        page.field("key").fill(KEY)
        page.go("Each its own")
        box.get_by_label("Chief: Model").fill("wise")
        box.get_by_label("Chief: Key").fill(f"{KEY}-2")
        box.locator("summary").click()
        page.field("most_plans").fill("60")
        expect(box).to_contain_text("60 plans, 180 reports at most")
        page.field("concurrency").fill("4")
        page.go("Start")
        line = box.locator("[data-judging]")
        expect(line).to_be_in_viewport()  # the form, whose foot was in view, is taller than the dialog
        expect(line).to_contain_text("Running")
        expect(line).to_contain_text("Precision: careful, Recall: careful, Chief: wise")
        expect(line.locator(".tallies b")).not_to_have_text("0")
        line.get_by_role("button", name=re.compile("^Stop")).click()
        expect(line.get_by_role("button", name=re.compile("^Go on"))).to_be_visible()
        expect(line).to_contain_text("Stopped on demand")
        assert 0 < int(line.locator(".tallies b").inner_text()) < 180
        page.field("most_plans").fill("6")
        page.field("concurrency").fill("8")
        page.go("Start")
        expect(line).to_contain_text("Finished")
        expect(line.locator(".tallies b")).to_have_text("18")
        keys = {request.headers["authorization"].removeprefix("Bearer ") for request in running.requests}
        assert keys == {KEY, f"{KEY}-2"}
    assert KEY not in page.page.evaluate("JSON.stringify({...localStorage})")
    page.press("Escape")
    expect(page.box).to_have_count(0)
    (made,) = [one for one in page.sets().values() if one["set_id"] == making.SET]
    assert made["inspections"][-1]["models"] == {"precision": "careful", "recall": "careful", "chief": "wise"}


def test_every_form_of_a_set_can_be_downloaded_and_it_is_told_what_they_tell(opens: Opens) -> None:
    page = opens("&set=set-boat")
    box = page.data("export")
    expect(box).to_contain_text("whoever is still to review blind looks at them later")
    names = [str(link.get_attribute("data-export")) for link in box.locator("[data-export]").all()]
    assert names == [
        *("set.zip", "set.jsonl", "plans.csv", "calls.csv", "gaps.csv", "scores.csv", "agreement.csv", "plan.html")
    ]
    with page.page.expect_download() as saved:
        box.locator('[data-export="calls.csv"]').click()
    assert "img_index_out_of_range" in Path(saved.value.path()).read_text()
    for url in box.locator("[data-export]").evaluate_all("(links) => links.map(({href}) => href)"):
        with HTTP.stream("GET", url) as answer:
            assert answer.status_code == 200, url
    expect(box.locator(".copy code")).to_contain_text("easel plans export set-boat")


@pytest.mark.parametrize("name", ["importer", "inspect", "export", "list"])
def test_a_dialog_keeps_the_focus_shows_names_as_text_and_fits_a_phone(opens: Opens, name: str) -> None:
    page = opens(f"&set=set-harm {HARM}", viewport={"width": 390, "height": 844})
    if name == "list":
        page.plans()
        box = page.list
    else:
        box = page.data(name)
    if name == "inspect":
        page.field("base_url").wait_for()
        page.go("Each its own")
    expect(box.locator("h2").first).to_be_visible()
    if name in ("inspect", "export"):
        expect(box).to_contain_text(HARM.split("\u202e")[0].strip())
    expect(box.locator("img")).to_have_count(0)
    for _ in range(24):  # all the way round
        page.press("Tab")
        assert page.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    assert box.evaluate(
        "(box) => box.scrollWidth <= box.clientWidth && box.getBoundingClientRect().right <= innerWidth"
    )
    page.press("Escape")
    expect(page.page.locator("dialog[open]")).to_have_count(0)
