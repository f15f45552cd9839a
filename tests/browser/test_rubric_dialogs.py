"""The dialogs on the data of the Rubric review tab: import with its report, judging, new queues, exports."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, expect

from easel_app.runs.tool_run_settings import NewToolRun
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.tool_runs import ToolRunEvent, ToolRunRecord, ToolRunStore
from tests.browser.grading import API, Grading, small_set, watched
from tests.browser.profiles import Profiles
from tests.conftest import Server, serving
from tests.endpoint.app import endpoint
from tests.endpoint.judge import grader
from tests.serving import forked

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}}"
KEY = "sk-never-written-down"


class Data(Grading):
    """One page of the studio with a dialog on the data."""

    def ready(self) -> None:
        self.page.locator(".s-rubrics:not([aria-busy])").wait_for()
        self.find(".ballot[data-entry]:visible, .hole:visible, .panel > *").first.wait_for()

    @property
    def box(self) -> Locator:
        return self.page.locator("dialog.rubric-data[open]")

    def data(self, name: str) -> Locator:
        """Open a dialog from the menu by keyboard."""
        self.find('button[aria-label="Data"]').focus()
        self.press("Enter")
        self.find(f'[data-dialog="{name}"]').focus()
        self.press("Enter")
        expect(self.box).to_be_visible()
        return self.box

    def field(self, name: str) -> Locator:
        return self.box.locator(f'[name="{name}"]')

    def go(self, label: str) -> None:
        self.box.get_by_role("button", name=label, exact=True).click()

    def sets(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in httpx.get(f"{self.url}{API}/sets").raise_for_status().json()}


def many_runs(studio: Studio, set_id: str) -> None:
    """Thirteen tool runs of a set, of which the last but one is finished and the others were stopped."""
    store = ToolRunStore.beside(studio.rubrics.store)
    for k in range(13):
        wish = NewToolRun(set_id=set_id, base_url="http://127.0.0.1:1/v1", model=f"model {k}", repeats=k + 1)
        at = f"2026-01-01T00:00:{k:02}+00:00"
        settings = wish.settings
        store.begin(ToolRunRecord(settings.run_id, set_id, settings.name, settings.identity, at))
        store.happened(settings.run_id, ToolRunEvent("begun", {"plan": wish.plan.model_dump(mode="json")}, at))
        ended = ("finished", "") if k == 11 else ("stopped", "Stopped on demand; start it again to go on.")
        store.happened(settings.run_id, ToolRunEvent("ended", dict(zip(("state", "reason"), ended, strict=True)), at))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set whose names mean harm, beside the sample."""
    folder = tmp_path_factory.mktemp("dialogs")
    studio = Studio(Settings(data_dir=folder))
    studio.rubrics.sets()  # brings the sample in
    small_set(studio.rubrics, f"harm {HOSTILE}", HOSTILE)
    many_runs(studio, f"set-harm {HOSTILE}")
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
    """Opens the tab on the sample unless the query says otherwise; all pages are checked at the end."""
    with watched(Data, studio.url, homes) as opening:
        yield opening


def lines(name: str, *more: Any, weight: int = 3) -> bytes:
    """A file in our own format: one task with two criteria, an answer to it, and more lines."""
    rubric = [{"id": f"i{k}", "description": f"Criterion {k}", "weight": weight if k else 2} for k in range(2)]
    records = [
        {"type": "set", "format": "easel-rubrics/1", "name": name},
        {"type": "task", "id": "t1", "turns": [{"prompt": "What is on the sign?", "rubric": rubric}]},
        {"type": "answer", "task_id": "t1", "model": "m", "turns": [{"text": "Blue."}]},
        *more,
    ]
    return "\n".join(map(json.dumps, records)).encode()


def upload(page: Data, content: bytes, name: str = "data.jsonl") -> None:
    page.box.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": content}
    )
    expect(page.box.locator(".drop b")).to_have_text(name)


def test_a_file_with_a_fault_is_reported_by_line_and_the_rest_comes_in_on_demand(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 1  # the browser logs the refusal
    box = page.data("importer")
    expect(box.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    expect(box).to_contain_text("Choose a file first")
    rubric = [{"id": "i", "description": "d", "weight": 9}]
    wrong = {"type": "task", "id": HOSTILE, "turns": [{"prompt": "p", "rubric": rubric}]}
    upload(page, lines(f"In part {HOSTILE}", wrong, {"type": "verdict", "task_id": "nowhere"}))
    page.go("Import")
    report = box.locator('.report[data-state="refused"]')
    expect(report).to_contain_text("Nothing came in")
    expect(report).to_contain_text("2 records are refused, so nothing was stored. Correct them, or import the rest.")
    expect(report.locator(".remarks li").first).to_contain_text("line 4")
    expect(report.locator(".remarks li").first).to_contain_text("must be a whole number from 1 to 5")
    expect(report.locator('[data-kind="items"]')).to_contain_text(re.compile(r"Criteria\s*2\s*0"))
    assert f"In part {HOSTILE}" not in page.sets(), "nothing is stored"
    page.go("Import the rest")
    expect(box.locator('.report[data-state="imported in part"]')).to_contain_text(f"It is in “In part {HOSTILE}”")
    expect(box.locator("img")).to_have_count(0)
    assert page.sets()[f"In part {HOSTILE}"]["pairs"] == 2
    page.go("Show the set")
    expect(page.box).to_have_count(0)
    expect(page.find('select[aria-label="Set"] option:checked')).to_have_text(f"In part {HOSTILE}")
    expect(page.find(".hole")).to_contain_text("No review queue")


def test_what_cannot_be_imported_is_told_and_nothing_typed_is_lost(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 1
    box = page.data("importer")
    page.field("model").fill("my-model")
    upload(page, b"[", "broken file.json")
    expect(page.field("name")).to_have_value("broken file")
    page.go("Import")
    expect(box.locator(".report .remarks")).to_contain_text("the list is cut off")
    expect(box.get_by_role("button", name="Import the rest")).to_have_count(0)
    page.go("Back")
    expect(page.field("model")).to_have_value("my-model")
    page.field("name").fill("")
    nameless = lines("x").split(b"\n", 1)[1]
    upload(page, nameless, "Sign painters.jsonl")
    expect(page.field("name")).to_have_value("Sign painters")
    page.field("name").fill("")
    page.go("Import")
    expect(page.field("name")).to_be_focused()
    expect(box.get_by_role("alert")).to_contain_text("name")
    page.field("name").fill("Sign painters")
    page.press("Enter")
    expect(box.locator('.report[data-state="imported"]')).to_contain_text("All of it came in")
    page.go("Import more")
    upload(page, nameless, "Again.jsonl")
    page.go("Import")
    expect(box.locator(".report")).to_contain_text("Nothing new")
    page.press("Escape")
    expect(page.box).to_have_count(0)
    expect(page.find('button[aria-label="Data"]')).to_be_focused()
    assert page.sets()["Sign painters"]["pairs"] == 2


def test_a_file_can_be_dropped_and_one_that_is_too_large_is_not_sent(opens: Opens) -> None:
    page = opens()
    box = page.data("importer")
    drop = """(place, size) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(size)], "dropped.jsonl"));
      place.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
    }"""
    box.locator(".drop").evaluate(drop, 12)
    expect(box.locator(".drop b")).to_have_text("dropped.jsonl")
    expect(box.get_by_role("button", name="Import", exact=True)).to_be_enabled()
    box.locator(".drop").evaluate(drop, 64 * 1024 * 1024 + 1)
    expect(box.get_by_role("alert")).to_contain_text("at most 67.1 MB can be sent")
    expect(box.get_by_role("button", name="Import", exact=True)).to_be_disabled()


def test_a_source_on_the_servers_machine_comes_in_with_its_pictures(opens: Opens, tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_bytes(lines("From disk"))
    page = opens()
    box = page.data("importer")
    page.go("Hub or this machine")
    page.field("source").fill(str(tmp_path / "nothing-there"))
    page.go("Import")
    expect(box.get_by_role("alert")).to_contain_text("nothing-there")
    page.field("source").fill(str(tmp_path / "set.jsonl"))
    page.press("Enter")
    expect(box.locator('.report[data-state="imported"]')).to_contain_text("It is in “From disk”.")
    assert page.sets()["From disk"]["answers"] == 1
    page.go("Import more")
    (tmp_path / "set.jsonl").write_bytes(lines("By itself"))
    page.field("name").fill("")
    page.go("Import")
    page.press("Escape")  # it goes on without the dialog, whatever stage it is at
    expect(page.find('select[aria-label="Set"]')).to_contain_text("By itself")


def test_a_judge_is_started_stopped_and_goes_on_to_the_end(opens: Opens, folder: Path) -> None:
    with endpoint(grader, latency=0.2) as running:
        page = opens()
        box = page.data("judge")
        expect(box.locator("[data-sample]")).to_have_text("Sample data")
        expect(box.locator("[data-judging]")).to_have_count(2)
        expect(box).to_contain_text("264 calls at most")
        page.field("base_url").fill(running.url)
        page.field("model").fill("careful")
        page.field("key").fill(KEY)
        page.field("concurrency").fill("4")
        page.go("Start")
        line = box.locator("[data-judging]").nth(2)
        expect(line).to_contain_text("Running")
        expect(line.get_by_role("button", name="Stop careful")).to_be_focused()
        expect(line.locator(".tallies b")).not_to_have_text("0")
        assert float(line.get_by_role("progressbar").get_attribute("aria-valuenow") or 0) >= 0
        page.press("Enter")
        expect(line).to_contain_text("Stopped on demand")
        expect(line.get_by_role("button", name="Go on careful")).to_be_focused()
        done = int(line.locator(".tallies b").inner_text())
        assert 0 < done < 264
        box.locator("summary").click()
        page.field("most_items").fill(str(done + 8))
        expect(box).to_contain_text(f"{done + 8} calls at most")
        page.go("Start")
        expect(line).to_contain_text("Finished")
        assert {request.headers["authorization"] for request in running.requests} == {f"Bearer {KEY}"}
    assert KEY not in page.page.evaluate("JSON.stringify({...localStorage})")
    page.press("Escape")
    page.find('[data-view="agreement"]').click()
    judges = page.find('[data-choose="judging"] option')
    expect(judges).to_have_text(["sample judge 1", "sample judge 2", "careful"])


def test_of_many_tool_runs_the_last_are_in_sight_and_one_that_goes_on_stays_there(opens: Opens) -> None:
    page = opens(f"&set=set-harm {HOSTILE}")
    box = page.data("toolruns")
    now, past = box.get_by_role("list", name="Tool runs of this set"), box.locator(".earlier")
    expect(now.locator(".between b")).to_have_text(["model 12", "model 11", "model 10"])
    expect(now.locator("[data-run]").nth(0)).to_contain_text("Stopped on demand. Go on continues it.")
    expect(now.locator(".meter")).to_have_count(2)  # none of the finished one
    expect(past.locator("summary")).to_have_text("10 earlier runs")
    expect(past.locator("[data-run]").first).to_be_hidden()
    past.locator("summary").click()
    past.get_by_role("button", name="Go on model 0").click()
    line = now.locator("[data-run]").nth(3)
    expect(line.locator("b").first).to_have_text("model 0")
    expect(line.locator("button").first).to_be_focused()
    expect(past.locator("summary")).to_have_text("9 earlier runs")
    expect(line.locator(".state")).to_contain_text("Stopped", timeout=20_000)  # nobody answers there
    expect(now.locator("[data-run]")).to_have_count(4)
    expect(line.get_by_role("button", name="Go on model 0")).to_be_focused()


def test_the_form_of_a_tool_run_asks_about_a_judge_only_where_there_is_one_and_its_head_stays(opens: Opens) -> None:
    page = opens(f"&set=set-harm {HOSTILE}", viewport={"width": 390, "height": 844})
    box = page.data("toolruns")
    expect(page.field("judge_model")).to_be_visible()
    expect(page.field("judge_key")).to_be_hidden()
    page.field("judge_model").fill("j")
    for name in ("judge_base_url", "judge_key", "required"):
        expect(page.field(name)).to_be_visible()
    box.locator(".more summary").click()
    expect(box.locator(".more h3")).to_have_text(["Tasks", "Model", "Tools", "Limits"])
    box.evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
    frame, close = box.bounding_box(), box.get_by_role("button", name="Close").bounding_box()
    assert frame and close and frame["y"] <= close["y"] <= frame["y"] + 48
    assert inside(box, box.locator(".under-way, .data-form").first)


def test_where_no_model_may_be_asked_it_says_why_and_which_command_does_it(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EASEL_RUNS", "off")
    with serving(tmp_path, forked) as server, Profiles(browser, server.url).lent() as lent:
        page = Data(lent, server.url)
        page.open()
        box = page.data("judge")
        expect(box.locator(".hole")).to_contain_text("its host has switched them off")
        expect(box.locator(".copy code")).to_contain_text("easel rubrics judge sample-")
        expect(box.locator("form")).to_have_count(0)
        assert not page.errors


def test_a_new_queue_has_as_many_entries_as_was_told(opens: Opens) -> None:
    page = opens()
    box = page.data("newqueue")
    expect(page.field("name")).to_be_focused()
    expect(box).to_contain_text("264 entries, 528 votes")
    page.page.keyboard.type("Small sample")
    page.go("A sample")
    page.field("size").fill("40")
    page.field("required").fill("3")
    expect(box).to_contain_text("40 entries, 120 votes")
    box.locator('.ticks-list input[value="verdict"]').check()
    box.locator('.ticks-list input[value="objectivity"]').check()
    page.go("Even")
    box.locator("summary").click()
    page.field("seed").fill("7")
    page.field("minutes").fill("5")
    page.go("Make the queue")
    expect(page.box).to_have_count(0)
    expect(page.find('select[aria-label="Queue"] option:checked')).to_have_text("Small sample")
    (sample,) = [one for one in page.sets().values() if one["sample"]]
    queue = sample["queues"][-1]
    assert (queue["entries"], queue["required"], queue["hold"], queue["seed"]) == (40, 3, 300, 7)
    assert queue["strata"] == ["verdict", "objectivity"]
    box = page.data("newqueue")
    box.locator("summary").click()
    box.locator('.ticks-list input[value="sample-model-b"]').uncheck()
    expect(box).to_contain_text("176 entries, 352 votes")
    page.go("Make the queue")
    expect(page.box).to_have_count(0)
    expect(page.find('select[aria-label="Queue"] option:checked')).to_have_text("Review 3")
    (sample,) = [one for one in page.sets().values() if one["sample"]]
    assert sample["queues"][-1]["entries"] == 176


def test_every_form_of_a_set_can_be_downloaded(opens: Opens) -> None:
    page = opens()
    box = page.data("export")
    names = [str(link.get_attribute("data-export")) for link in box.locator("[data-export]").all()]
    assert names == [
        *(
            "verdicts.jsonl",
            "verdicts.csv",
            "consensus.jsonl",
            "consensus.csv",
            "agreement.csv",
            "scores.csv",
            "responses.zip",
            "set.zip",
        )
    ]
    with page.page.expect_download() as saved:
        box.locator('[data-export="consensus.csv"]').click()
    assert saved.value.suggested_filename.endswith("-consensus.csv")
    assert Path(saved.value.path()).read_text().count("\n") > 100
    for url in box.locator("[data-export]").evaluate_all("(links) => links.map(({href}) => href)"):
        with httpx.stream("GET", url) as answer:
            assert answer.status_code == 200, url
    expect(box.locator(".copy code")).to_contain_text("--form hub --to sample-")


@pytest.mark.parametrize("name", ["importer", "judge", "newqueue", "export"])
def test_a_dialog_keeps_the_focus_shows_names_as_text_and_fits_a_phone(opens: Opens, name: str) -> None:
    page = opens(f"&set=set-harm {HOSTILE}", viewport={"width": 390, "height": 844})
    box = page.data(name)
    expect(box.locator("h2")).to_be_visible()
    if name in ("judge", "export"):
        expect(box.locator("h2")).to_contain_text(HOSTILE)
    expect(box.locator("img")).to_have_count(0)
    if name == "judge":
        page.field("base_url").wait_for()
    for _ in range(24):  # all the way round
        page.press("Tab")
        assert page.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    assert box.evaluate(
        "(box) => box.scrollWidth <= box.clientWidth && box.getBoundingClientRect().right <= innerWidth"
    )
    page.press("Escape")
    expect(page.box).to_have_count(0)
    expect(page.find('button[aria-label="Data"]')).to_be_focused()


def inside(outer: Locator, inner: Locator) -> bool:
    """Whether all of an element is within another one, which need not be scrolled sideways for it."""
    one, other = outer.bounding_box(), inner.bounding_box()
    assert one and other
    across = one["x"] - 1 <= other["x"] and other["x"] + other["width"] <= one["x"] + one["width"] + 1
    return across and bool(outer.evaluate("(box) => box.scrollWidth <= box.clientWidth"))


@pytest.mark.parametrize("width", [390, 1440])
def test_who_reviews_can_be_said_and_put_aside_at_any_width(opens: Opens, width: int) -> None:
    page = opens(viewport={"width": width, "height": 844})
    page.press("m")
    form = page.find(".who-form")
    for name in ("Begin and vote", "Cancel"):
        assert inside(page.find(".ballot"), form.get_by_role("button", name=name)), name
    page.page.keyboard.type(f"Wide {width}")
    page.press("Enter")
    expect(page.find(".state")).to_contain_text("aved")
    page.find("[data-act=who]").click()
    box = page.page.locator("dialog[open]")
    for name in ("Review as this person", "Cancel", "Close"):
        assert inside(box, box.get_by_role("button", name=name)), name
    box.get_by_role("button", name="Cancel").click()
    expect(page.find("[data-act=who]")).to_be_focused()


def test_on_a_phone_all_filters_and_the_way_out_of_a_picture_are_in_sight(opens: Opens) -> None:
    page = opens("&critical=1", viewport={"width": 390, "height": 844})
    for field in page.find(".fields > :visible").all():
        place = field.bounding_box()
        assert place and place["x"] >= 0 and place["x"] + place["width"] <= 390
    page.press("z")
    zoom = page.page.locator("dialog.zoom")
    title, close = zoom.locator("h2").bounding_box(), zoom.get_by_role("button", name="Close").bounding_box()
    assert title and close
    assert title["width"] > 200 and close["x"] > 300 and abs(close["y"] - title["y"]) < 20


@pytest.mark.parametrize("height", [900, 720])
def test_the_way_on_stays_in_the_window_and_the_criterion_above_what_is_read(opens: Opens, height: int) -> None:
    page = opens("&critical=1", viewport={"width": 1280, "height": height})
    page.enrol(f"Tall {height}", "n")
    on = page.find("[data-next]").bounding_box()
    assert on and on["y"] + on["height"] <= height, "with the filters open and the judge's verdict told"
    page.find(".ballot").evaluate("(ballot) => ballot.scrollTo(0, ballot.scrollHeight)")
    ballot, criterion = page.find(".ballot").bounding_box(), page.criterion.bounding_box()
    assert ballot and criterion
    assert ballot["y"] - 1 <= criterion["y"] <= ballot["y"] + 40
    views = page.find(".views").bounding_box()
    page.find('[data-view="agreement"]').click()
    page.find(".panel .tbl").first.wait_for()
    after = page.find(".views").bounding_box()
    assert views and after and after["x"] == views["x"], "what is pressed does not move"
