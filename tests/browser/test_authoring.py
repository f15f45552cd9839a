"""The Author view: a task is written, tried by models, reviewed by two people and exported."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.authoring_views import DraftItem, DraftTurn
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.authoring import Authoring, House, huge, zipped
from tests.browser.grading import png, watched
from tests.browser.profiles import Profiles
from tests.endpoint.app import Answer, Body, Headers, endpoint
from tests.endpoint.judge import grader
from tests.endpoint.painter import completion
from tests.endpoint.tool_user import Play, tool_user
from tests.services.rubrics.draft_making import begun, tried
from tests.serving import Server, forked, serving

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} \u202eright to left\u202c {{alert(3)}}"
PEOPLE = ("Ann", "Bob", "Eve")
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("authoring")


@pytest.fixture(scope="module")
def house(folder: Path) -> House:
    studio = Studio(Settings(data_dir=folder))
    rubrics, drafts = studio.rubrics, DraftService(studio.rubrics.library)
    tokens = {name: rubrics.reviewers.enrol(NewReviewer(name=name)).token for name in PEOPLE}
    ann = rubrics.reviewers.person(tokens["Ann"])
    made = {
        name: begun(drafts, ann, title=name)
        for name in ("written", "twice", "lost", "pictured", "tried", "mute", "turned", "crashed", "long", "flagged")
    }
    made["kept"] = tried(studio, drafts, begun(drafts, ann, title="Prices"), ann, [False, True, False])
    made["dropped"] = tried(studio, drafts, begun(drafts, ann, title="Too easy"), ann, [True, True, False])
    picture = drafts.upload(png((200, 30, 30)))
    item = DraftItem(id="x", description=HOSTILE, weight=5, categories=("truthfulness", "<b>own</b>"))
    turn = DraftTurn(
        prompt=HOSTILE + "x" * 90_000, golden_answer=HOSTILE, tool_trajectory=HOSTILE, pictures=(picture.digest,),
        rubric=(item,),
    )  # fmt: skip
    made["harm"] = begun(drafts, ann, title=f"{HOSTILE}".replace("\u202e", "").replace("\u202c", ""), turns=(turn,))
    studio.close()
    return House(tokens, {name: draft.draft_id for name, draft in made.items()})


@pytest.fixture(scope="module")
def studio(folder: Path, house: House) -> Iterator[Server]:
    with serving(folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


Opens = Callable[..., Authoring]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens the view for nobody; all pages are checked at the end."""
    with watched(Authoring, studio.url, homes, "&show=author") as opening:
        yield opening


def test_nobody_sees_a_task_before_giving_a_name(opens: Opens, house: House) -> None:
    page = opens()
    expect(page.find(".who-form h3")).to_have_text("Who is writing?")
    expect(page.find(".drafts")).to_have_count(0)
    page.page.keyboard.type("Una")
    page.press("Enter")
    expect(page.find(".drafts tbody tr")).to_have_count(len(house.drafts))
    page.find(".list-bar").get_by_role("switch", name="Mine").check()
    expect(page.find(".drafts-card .hole")).to_contain_text("No task fits")
    assert page.link("mine") == "1"


def test_a_task_that_is_not_there_is_told_in_words_with_one_way_on(opens: Opens, house: House) -> None:
    page = opens()
    page.be(house, "Ann")
    page.expected_errors = 1  # the browser logs the refusal
    page.page.goto(f"{page.url}/?tab=rubrics&show=author&draft=nowhere")
    expect(page.find(".hole.err")).to_contain_text("There is no such task; look at the list.")
    expect(page.find(".desk-head")).to_be_hidden()
    page.find(".hole.err").get_by_role("button", name="All tasks").click()
    expect(page.find(".drafts tbody tr").first).to_be_visible()
    assert page.link("draft") is None


def test_a_criterion_is_critical_by_its_weight_until_it_has_a_flag_of_its_own(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann", "flagged")
    row = page.item(0)
    critical, flag = row.get_by_role("switch", name="Critical"), row.locator(".item-critical .link")
    expect(critical).to_be_checked()
    expect(flag).to_have_text("by weight")
    expect(flag).to_be_disabled()
    row.locator(".item-weight button").nth(1).click()
    expect(critical).not_to_be_checked()
    critical.focus()
    page.press("Space")
    expect(critical).to_be_checked()
    row.locator(".item-weight button").nth(4).click()
    page.save(2)
    assert page.stored(house)["task"]["turns"][0]["rubric"][0]["critical"] is True, "a heavy item can be flagged too"
    flag.click()
    expect(critical).to_be_focused()
    expect(flag).to_have_text("by weight")
    page.save(3)
    assert page.stored(house)["task"]["turns"][0]["rubric"][0]["critical"] is None


def test_a_token_that_the_studio_does_not_know_asks_for_a_name_again(opens: Opens, house: House) -> None:
    page = opens()
    page.expected_errors = 1
    known = {f"{page.url}/": {"name": "Ann", "tokens": {"Ann": "made-up"}}}
    page.page.evaluate("known => localStorage.setItem('es-reviewers', JSON.stringify(known))", known)
    page.page.goto(f"{page.url}/?tab=rubrics&show=author&draft={house.drafts['kept']}")
    expect(page.find(".who-form .refusal")).to_contain_text("“Ann” is not known here any more")
    expect(page.find(".who-form input").first).to_be_focused()
    expect(page.find(".told-task")).to_have_count(0)


def test_a_task_is_written_by_keyboard_alone_and_is_there_after_a_reload(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann")
    page.act("new").focus()
    page.press("Enter")
    title = page.find('[data-place="title"] input')
    expect(title).to_be_focused()
    keyboard = page.page.keyboard
    keyboard.type("Year on the label")
    page.press("Tab")
    keyboard.type("Hybrid")
    page.press("Tab")
    keyboard.type("finance")
    page.press("Tab", "Tab", "Tab")
    expect(page.field("prompt")).to_be_focused()
    keyboard.type("Which year is on the label?\nSay why.")
    page.press("Tab")
    keyboard.type("1987")
    page.press("Tab")
    keyboard.type("crop, read")
    page.press("Tab", "Tab")
    expect(page.find(".item.free textarea")).to_be_focused()
    for text in ("Names the year", "Is brief", "Says where it stands"):
        keyboard.type(text)
        page.press("Enter")
    expect(page.items()).to_have_count(3)
    page.press("Backspace")  # from the free row to the one before
    expect(page.item(2).locator("textarea")).to_be_focused()
    page.press("Alt+ArrowUp")
    expect(page.item(1).locator("textarea")).to_have_value("Says where it stands")
    expect(page.item(1).locator("textarea")).to_be_focused()
    page.press("Tab", "5")
    expect(page.item(1).get_by_role("switch", name="Critical")).to_be_checked()
    page.press("Tab", "Tab", "Tab", "Delete")  # not a text: the button to remove it is on the focus
    page.press("Enter")
    expect(page.items()).to_have_count(2)
    expect(page.item(1).locator('[data-act="remove"]')).to_be_focused()
    page.press("ControlOrMeta+z")
    expect(page.items()).to_have_count(3)
    page.save(2)
    page.reload()
    expect(page.field("prompt")).to_have_value("Which year is on the label?\nSay why.")
    expect(page.items()).to_have_count(3)
    task = page.stored(house)["task"]
    assert (task["title"], task["category"], task["domain"]) == (
        "Year on the label", "hybrid_tool_reasoning", "finance",
    )  # fmt: skip
    (turn,) = task["turns"]
    assert (turn["golden_answer"], turn["tool_trajectory"]) == ("1987", "crop, read")
    told = [(item["description"], item["weight"], item["critical"]) for item in turn["rubric"]]
    assert told == [("Names the year", 3, None), ("Says where it stands", 5, None), ("Is brief", 3, None)]


def test_what_was_typed_is_back_after_a_reload_without_a_connection_and_is_saved_once(
    opens: Opens, house: House
) -> None:
    page = opens().be(house, "Ann", "lost")
    page.expected_errors = 1
    page.page.route("**/versions", lambda route: route.abort())
    page.field("golden_answer").fill("forty-two")
    page.press("ControlOrMeta+s")
    expect(page.state).to_contain_text("No connection: kept in this browser")
    page.field("golden_answer").fill("forty-three")
    expect(page.field("golden_answer")).to_be_focused()
    kept = "([key, text]) => key.startsWith('es-author:') && text.includes('forty-three')"
    page.page.wait_for_function(f"Object.entries(localStorage).some({kept})")
    page.reload()
    expect(page.field("golden_answer")).to_have_value("forty-three")
    expect(page.state).to_contain_text("No connection")
    page.page.unroute("**/versions")
    page.state.get_by_role("button", name="Try now").click()
    expect(page.state).to_contain_text("Kept in this browser", timeout=5000)  # the first one has arrived
    page.save(3)
    stored = page.stored(house)
    assert stored["task"]["turns"][0]["golden_answer"] == "forty-three"
    assert len(stored["versions"]) == 3
    assert page.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('es-author:'))") == []


def test_what_a_crash_left_unsaved_is_here_again_and_can_be_discarded(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann")
    leave = """([key, at, words]) => {
      const turn = {prompt: words, golden_answer: "", tool_trajectory: "", pictures: [], rubric: []};
      const task = {title: "Back", category: null, domain: "", turns: [turn]};
      localStorage.setItem(key, JSON.stringify({task, version: 1, pending: null, at, tab: "gone"}));
    }"""
    key = f"es-author:{page.url}/:{house.drafts['crashed']}:Ann"
    page.page.evaluate(leave, [key, "2026-01-02T03:04:05Z", "Written before the crash"])
    page.find(f'.drafts [data-draft="{house.drafts["crashed"]}"]').click()
    expect(page.field("prompt")).to_have_value("Written before the crash")
    expect(page.find(".told-back")).to_contain_text("is here again")
    page.act("discard").click()
    expect(page.field("prompt")).to_have_value("What does it cost?")
    expect(page.state).to_have_text("Saved as version 1")
    expect(page.find(".told-back")).to_have_count(0)
    page.act("undo").click()
    expect(page.field("prompt")).to_have_value("Written before the crash")
    page.save(2)
    assert page.stored(house)["task"]["title"] == "Back"


def test_where_the_browser_keeps_nothing_that_is_said_and_the_server_has_it_all_the_same(
    opens: Opens, house: House
) -> None:
    page = opens().be(house, "Ann")
    page.act("new").click()
    expect(page.find('[data-place="title"] input')).to_be_focused()
    page.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.page.keyboard.type("No room")
    expect(page.state).to_contain_text("this browser cannot keep it, so leave the page open")
    page.save(2)
    assert page.stored(house)["task"]["title"] == "No room"


def test_a_text_that_is_too_long_is_told_and_not_cut_off(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann", "long")
    page.expected_errors = 1  # the browser logs the refusal
    page.field("tool_trajectory").fill("é" * 100_001)
    expect(page.find('[data-place="tool_trajectory"] .wrong')).to_contain_text("It has 100,001 characters")
    page.press("ControlOrMeta+s")
    expect(page.state).to_contain_text("Not saved")
    expect(page.field("tool_trajectory")).to_be_focused()
    assert page.field("tool_trajectory").evaluate("area => area.value.length") == 100_001
    page.field("tool_trajectory").fill("é" * 100_000)
    page.find('[data-place="title"] input').fill("A \u202etitle\x07 ")
    page.save(2)
    task = page.stored(house)["task"]
    assert (task["title"], len(task["turns"][0]["tool_trajectory"])) == ("A title", 100_000)


def test_lines_that_are_pasted_become_criteria(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann")
    page.act("new").click()
    paste = """(area, lines) => {
      const data = new DataTransfer();
      data.setData("text/plain", lines.join("\\n"));
      area.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }"""
    free = page.find(".item.free textarea")
    free.evaluate(paste, ["First", " ", "Second ", "Third"])
    expect(page.items()).to_have_count(3)
    expect(page.item(1).locator("textarea")).to_have_value("Second")
    expect(free).to_be_focused()
    free.evaluate(paste, ["line"] * 198)
    expect(page.find(".item.free .wrong")).to_contain_text("197 criteria fit in here")
    expect(page.items()).to_have_count(3)


def test_leaving_the_view_saves_a_version(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann", "written")
    page.field("prompt").fill("What does the bread cost?")
    page.act("back").click()
    expect(page.find(".drafts tbody tr").first).to_contain_text("written")
    page.find(f'.drafts [data-draft="{house.drafts["written"]}"]').click()
    expect(page.field("prompt")).to_have_value("What does the bread cost?")
    expect(page.state).to_have_text("Saved as version 2")


@pytest.mark.parametrize("theirs", [False, True])
def test_two_windows_that_write_one_task_are_both_shown_and_one_is_chosen(
    opens: Opens, house: House, theirs: bool
) -> None:
    page = opens().be(house, "Ann", "twice")
    before = page.stored(house)["version"]
    other = opens(beside=page).be(house, "Ann", "twice")
    other.field("prompt").fill(f"Of the other window, {theirs}")
    other.save(before + 1)
    page.front()
    page.expected_errors = 1  # the browser logs the refusal
    page.field("prompt").fill(f"Of this window, {theirs}")
    page.press("ControlOrMeta+s")
    conflict = page.find(".conflict")
    expect(conflict).to_be_focused()
    expect(conflict.locator("tbody tr")).to_have_count(1)
    expect(conflict.locator("tbody tr")).to_have_text(
        re.compile(f"Turn 1, prompt.*Of this window, {theirs}.*Of the other window, {theirs}")
    )
    page.reload()
    expect(conflict).to_be_visible()
    page.act("take-theirs" if theirs else "keep-mine").click()
    expect(conflict).to_have_count(0)
    expect(page.state).to_have_text(f"Saved as version {before + (1 if theirs else 2)}")
    expect(page.field("prompt")).to_have_value(f"Of {'the other' if theirs else 'this'} window, {theirs}")
    page.act("undo").click() if theirs else None
    expect(page.field("prompt")).to_have_value(f"Of this window, {theirs}")


def test_pictures_come_in_are_put_in_order_and_what_is_none_is_refused(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann", "pictured")
    page.expected_errors = 1
    expect(page.tiles()).to_have_count(1)
    page.choose(("a.png", "image/png", png((0, 90, 0))), ("b.png", "image/png", png((0, 0, 90))))
    expect(page.tiles()).to_have_count(3)
    page.choose(("notes.txt", "text/plain", b"hello"))
    alert = page.find(".turn-pictures .refusal")
    expect(alert).to_contain_text("“notes.txt” is not a PNG, JPEG, WebP or GIF picture")
    page.choose(("packed.png", "image/png", zipped()))
    expect(alert).to_contain_text("“packed.png”: The picture is not taken")
    page.choose((f"{HOSTILE}.png", "image/png", huge()))
    expect(alert).to_contain_text("far more than 40 megapixels")
    expect(page.tiles()).to_have_count(3)
    expect(page.find(".tile-of.coming")).to_have_count(0)
    drop = """(place) => {
      const canvas = document.createElement("canvas"), data = new DataTransfer();
      canvas.getContext("2d").fillRect(0, 0, 9, 9);
      return new Promise((done) => canvas.toBlob((blob) => {
        data.items.add(new File([blob], "dropped.png", {type: "image/png"}));
        place.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        done();
      }));
    }"""
    page.find(".turn-panel").evaluate(drop)
    expect(page.tiles()).to_have_count(4)
    digests = page.tiles().evaluate_all("tiles => tiles.map((tile) => tile.dataset.digest)")
    page.tiles().nth(3).locator(".tile-look").focus()
    page.press("Alt+ArrowLeft", "Alt+ArrowLeft")
    expect(page.tiles().nth(1)).to_have_attribute("data-digest", digests[3])
    page.tiles().nth(0).locator(".tile-look").drag_to(page.tiles().nth(1), target_position={"x": 90, "y": 40})
    expect(page.tiles().nth(1)).to_have_attribute("data-digest", digests[0])
    page.tiles().nth(1).locator('[data-act="remove"]').click()
    wanted = [digests[3], digests[1], digests[2]]
    expect(page.tiles()).to_have_count(3)
    page.save(2)
    assert page.stored(house)["task"]["turns"][0]["pictures"] == wanted
    page.tiles().nth(1).locator(".tile-look").click()
    expect(page.page.locator("dialog.zoom[open] h2")).to_have_text("Picture 2 of 3, turn 1, 64 × 64")


def test_each_missing_thing_leads_to_its_place(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann")
    page.act("new").click()
    checks = page.find(".check")
    expect(checks).to_have_count(6)
    expect(page.find(".trial-card")).to_contain_text("once nothing is missing")
    expect(page.find(".trial-form")).to_be_hidden()
    places = {
        "category": "[data-place=category] select", "domain": "[data-place=domain] input",
        "turns.0.prompt": "[data-field=prompt]", "turns.0.golden_answer": "[data-field=golden_answer]",
        "turns.0.pictures": "[data-act=pictures]", "turns.0.rubric": ".item.free textarea",
    }  # fmt: skip
    for where, place in places.items():
        check = page.find(f'.check[data-where="{where}"]')
        check.focus()
        page.press("Enter")
        expect(page.find(place)).to_be_focused()
    prompt = page.find('[data-place="prompt"]')
    expect(prompt.locator(".wrong")).to_have_text("Write the prompt.")
    expect(page.field("prompt")).to_have_attribute("aria-invalid", "true")
    page.field("prompt").fill("Who is it?")
    expect(prompt.locator(".wrong")).to_be_hidden()
    expect(page.find(".checks .changed")).to_have_count(1)
    page.save(2)
    expect(checks).to_have_count(5)
    expect(page.field("prompt")).to_be_focused()  # an answer of the server moves no cursor


def test_turns_are_added_put_in_order_removed_and_taken_back(opens: Opens, house: House) -> None:
    page = opens().be(house, "Ann", "turned")
    page.act("add-turn").click()
    expect(page.field("prompt")).to_be_focused()
    page.page.keyboard.type("And the second one?")
    tabs = page.find(".turn-tabs [role=tab]")
    expect(tabs).to_have_count(2)
    assert page.link("turn") == "2"
    tabs.nth(1).focus()
    page.press("Alt+ArrowLeft")
    expect(tabs.nth(0)).to_be_focused()
    expect(page.field("prompt")).to_have_value("And the second one?")
    page.press("ArrowRight")
    expect(page.field("prompt")).to_have_value("What does it cost?")
    page.act("remove-turn").click()
    expect(tabs).to_have_count(1)
    expect(page.field("prompt")).to_have_value("And the second one?")
    page.find(".removed .link").click()
    expect(tabs).to_have_count(2)
    page.save(2)
    assert [turn["prompt"] for turn in page.stored(house)["task"]["turns"]] == [
        "And the second one?", "What does it cost?",
    ]  # fmt: skip
    page.act("preview").click()
    box = page.page.locator("dialog.author-reading[open]")
    expect(box.locator(".said-by.user")).to_have_count(2)
    expect(box).not_to_contain_text("42")  # a model is not told the golden answer


def test_two_people_review_a_kept_task_its_author_cannot_and_it_is_exported(opens: Opens, house: House) -> None:
    author = opens().be(house, "Ann", "kept")
    expect(author.find(".desk-head [data-stage]")).to_have_text("Review 0/2")
    expect(author.find(".trial-says")).to_contain_text("Kept: 2 of 3 models failed")
    expect(author.find(".review-form")).to_be_hidden()
    expect(author.find(".reviews-card")).to_contain_text("You have written this task")
    bob = opens().be(house, "Bob", "kept")
    expect(bob.act("edit")).to_have_count(0)
    expect(bob.find('[data-place="note"]')).to_contain_text("Needed to ask for changes or reject.")
    tops = bob.find(".review-acts .btn").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(tops) == 3 and len(set(tops)) == 1, "none of the three stands alone"
    bob.find('[data-decision="reject"]').click()
    expect(bob.find(".review-form .wrong")).to_contain_text("A note is needed")
    expect(bob.find(".review-form textarea")).to_be_focused()
    bob.find(".review-form textarea").fill(f"Clear. {HOSTILE}")
    bob.find('[data-decision="accept"]').click()
    expect(bob.find(".desk-head [data-stage]")).to_have_text("Review 1/2")
    expect(bob.find('[data-round="1"]')).to_contain_text(f"Clear. {HOSTILE}")
    expect(bob.find(".review-form")).to_be_hidden()
    expect(bob.find(".reviews-card")).to_contain_text("You have reviewed this version in round 1")
    eve = opens().be(house, "Eve", "kept")
    eve.find('[data-decision="accept"]').focus()
    eve.press("Enter")
    expect(eve.find(".desk-head [data-stage]")).to_have_text("Accepted")
    author.be(house, "Ann")
    with author.page.expect_download() as download:
        author.act("export").click()
    rows = json.loads(Path(download.value.path()).read_text())
    assert [row["id"] for row in rows] == [f"{house.drafts['kept']}-v1"]


def test_a_dropped_task_is_read_until_its_author_edits_it_which_begins_a_new_version(
    opens: Opens, house: House
) -> None:
    page = opens().be(house, "Ann", "dropped")
    expect(page.find(".told-task")).to_contain_text("What does it cost?")
    expect(page.find(".trial-says")).to_contain_text("Dropped: 1 of 3 models failed")
    page.act("edit").click()
    page.field("prompt").fill("What do both cost?")
    page.save(2)
    expect(page.find(".desk-head [data-stage]")).to_have_text("Draft")
    page.find(".past summary").click()
    page.find(".history .link").last.click()
    box = page.page.locator("dialog.author-reading[open]")
    expect(box).to_contain_text("What does it cost?")
    box.get_by_role("button", name="Bring it back").click()
    expect(page.field("prompt")).to_have_value("What does it cost?")


def test_models_try_a_task_and_lead_to_their_traces(opens: Opens, house: House) -> None:
    plays = {"m1": "It costs 24.", "m2": "It costs 42.", "m3": "It costs 24."}

    def script(number: int, body: Body, headers: Headers) -> Answer:
        model = str(body["model"])
        return (
            grader(number, body, headers)
            if model == "j"
            else tool_user({}, Play([], plays[model]))(number, body, headers)
        )

    page = opens().be(house, "Ann", "tried")
    form = page.find(".trial-form")
    form.get_by_role("button", name="Start the trial").click()
    expect(form.get_by_role("alert")).to_contain_text("An endpoint is needed")
    with endpoint(script) as at:
        form.get_by_label("Endpoint").fill(at.url)
        for k, model in enumerate(plays, 1):
            form.get_by_label(f"Model {k}", exact=True).fill(model)
        form.get_by_label("Judge", exact=True).fill("j")
        form.get_by_label("Key", exact=True).fill("sk-never-kept")
        page.press("Enter")
        expect(page.find(".desk-head [data-stage]")).to_have_text("Review 0/2", timeout=40_000)
    told = page.find(".trial-models li")
    expect(told).to_have_text(
        [re.compile(r"m1.*Fail.*Trace"), re.compile(r"m2.*1\.000.*Pass.*Trace"), re.compile(r"m3.*Fail.*Trace")]
    )
    assert "sk-never-kept" not in page.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    answer = told.first.locator("a").get_attribute("data-answer")
    told.first.locator("a").click()
    page.page.wait_for_url(f"**show=trace&answer={answer}**")


def test_a_trial_that_the_judge_leaves_open_says_so_and_can_be_tried_again(opens: Opens, house: House) -> None:
    mute = [True]

    def script(number: int, body: Body, headers: Headers) -> Answer:
        if body["model"] == "j":
            return completion(body, {"content": "Hm."}) if mute else grader(number, body, headers)
        return tool_user({}, Play([], "It costs 24."))(number, body, headers)

    page = opens().be(house, "Ann", "mute")
    form, told = page.find(".trial-form"), page.find(".trial-models li")
    with endpoint(script) as at:
        form.get_by_label("Endpoint").fill(at.url)
        for k, model in enumerate(("m1", "m2"), 1):
            form.get_by_label(f"Model {k}", exact=True).fill(model)
        form.get_by_label("Judge", exact=True).fill("j")
        page.press("Enter")
        said = "Not decided: the judge gave no usable verdict."
        expect(page.find(".trial-says")).to_have_text(said, timeout=40_000)
        expect(told).to_have_text([re.compile(f"{model}.*Not judged.*Trace") for model in ("m1", "m2")])
        page.reload()
        expect(page.find(".trial-says")).to_have_text(said)
        expect(form).to_be_visible()
        mute.clear()
        form.get_by_role("button", name="Start the trial").click()
        expect(page.find(".desk-head [data-stage]")).to_have_text("Review 0/2", timeout=40_000)
    expect(told).to_have_text([re.compile(f"{model}.*Fail.*Trace") for model in ("m1", "m2")])
    expect(page.find(".trial-card .again")).to_be_hidden()


def test_strings_that_mean_harm_stay_text(opens: Opens, house: House) -> None:
    page = opens().be(house, "Bob", "harm")
    expect(page.find(".desk-head h2")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.find(".told-task")).to_contain_text("<b>own</b>")
    expect(page.find(".told-task .piece .btn").first).to_contain_text("Show more")
    page.be(house, "Ann", "harm")
    expect(page.item(0).locator("textarea")).to_have_value(HOSTILE)
    expect(page.item(0).locator(".kinds summary")).to_contain_text("<b>own</b>")
    page.field("golden_answer").fill(f"\ud83d\ude00 {HOSTILE}")
    page.save(2)
    assert page.stored(house)["task"]["turns"][0]["golden_answer"] == f"\U0001f600 {HOSTILE}"
    assert page.page.evaluate("document.querySelectorAll('.author img[src=\"x\"], .author b b').length") == 0
    page.be(house, "Ann")
    expect(page.find(".drafts")).to_contain_text("<img src=x onerror=alert(1)>")


def test_on_a_phone_nothing_scrolls_to_the_side_and_fields_grow_with_their_text(opens: Opens, house: House) -> None:
    page = opens(viewport=PHONE)
    page.be(house, "Ann")
    assert not page.wide()
    for draft in ("harm", "kept", "pictured"):
        page.be(house, "Ann", draft)
        assert not page.wide(), draft
    page.field("prompt").fill("\n".join(["line"] * 12))
    assert page.field("prompt").evaluate("area => area.scrollHeight <= area.clientHeight + 1"), "the field grows"
    small = page.find(":is(.author button, .author summary):visible").evaluate_all(
        "all => all.filter((one) => one.getBoundingClientRect().height < 39.5).map((one) => one.outerHTML)"
    )
    assert small == []
