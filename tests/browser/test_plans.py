"""The Plan inspection tab: a plan read as a document and judged by keyboard, blind until one votes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Response, Route, expect

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.grading import watched
from tests.browser.inspecting import API, BOAT, Inspecting, Inspector, call, small_set, words_of
from tests.browser.profiles import Profiles
from tests.serving import Server, forked, serving

pytestmark = pytest.mark.browser
SECRET = re.compile("SECRET|judge-boat|Judge 1")
GOOD = {"placement": 2, "coherence": 2, "parameters": 2, "format": 2}
# Controls that are lower than a finger needs; links in a text and lines of a list have their own measure.
SMALL = """
() => [...document.querySelectorAll('.s-plans :is(button, select, textarea, summary)')].filter((element) => {
  const {width, height} = element.getBoundingClientRect();
  const low = element.matches('.link, summary, .filter-tag, .small');
  return width && height && height < (low ? 24 : 40);
}).map((element) => element.outerHTML.slice(0, 120))
"""
WIDE = """
() => [...document.querySelectorAll('.s-plans .plans :is(.tool, .block, .ballot, .card, .miss)')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.left < -1);
}).map((element) => element.className)
"""


class Trap:
    """A server on this machine that tells of every request that it gets."""

    def __init__(self) -> None:
        heard: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.heard = heard
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"


class Made(NamedTuple):
    """What the server of the tests holds."""

    folder: Path
    trap: Trap
    boat: list[int]
    harm: int
    long: int
    sample: str


def hostile(url: str) -> str:
    """Words that try whatever a page might fall for."""
    return (
        f"<img src={url}/img onerror=\"document.title='pwned'\"><script src={url}/script>document.title='pwned'"
        f"</script><style>@import '{url}/style'</style> ![see]({url}/markdown.png) [go]({url}/link) "
        f"[js](javascript:alert(1)) ${{1}} {{{{1}}}} \u202eright to left \u2066isolated \u0007 bell \u200b" + "W" * 400
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder, trap = tmp_path_factory.mktemp("plans"), Trap()
    studio, harm = Studio(Settings(data_dir=folder)), hostile(trap.url)
    boat = small_set(studio.plans, "boat", BOAT, BOAT.replace("keel", "backbone"), "Nothing but text.")
    plan = "\n\n".join(
        (
            "\u202e" + harm,
            call("search", harm, query=harm + "\0"),
            f"<think>{harm}</think>",
            harm,
            call("reference", "\ud800 lone", img_index=f"{trap.url}/index.png"),
            call(harm[:60], harm, **{harm[:50]: harm}),
            f"<tool>{{nonsense {harm}</tool>",
            call("code", code=f"import urllib; urllib.request.urlopen('{trap.url}/code')"),
        )
    )
    (bad,) = small_set(studio.plans, "harm", plan, words=harm)
    steps = (f"Stage {k} of the work.\n\n{call('search', f'Stage {k}', query=f'stage {k}')}" for k in range(1, 201))
    (long,) = small_set(studio.plans, "long", "\n\n".join(steps))
    sample = next(each.id for each in studio.plans.library.sets() if each.sample)  # brings it in
    studio.close()
    yield Made(folder, trap, boat, bad, long, sample)
    trap.server.shutdown()
    trap.server.server_close()


@pytest.fixture(scope="module")
def studio(made: Made) -> Iterator[Server]:
    with serving(made.folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


Opens = Callable[..., Inspecting]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens the tab, in an empty profile or beside a page; all pages are checked at the end."""
    with watched(Inspecting, studio.url, homes, "&set=set-boat") as opening:
        yield opening


def test_a_person_inspects_the_24_sample_plans_by_keyboard_alone(opens: Opens, made: Made) -> None:
    page = opens(f"&set={made.sample}&planner=Ash")
    answers = {
        "call": ("t", "Enter"),
        "gaps": ("0", "Enter"),
        "gap": ("y", "Enter"),
        "plan": ("2", "Enter"),
        "fs": ("7", "5", "Enter"),
    }
    inspected: list[int] = []
    for turn in range(400):
        part, answer = page.part or "", page.answer
        page.press(*answers[part.split(":")[0]])
        if not turn:
            page.enrol("Keyboard only")
        if part == "fs":
            expect(page.find(".state")).to_contain_text("Saved")
            expect(page.find(".reports [aria-selected=true]")).to_contain_text("Chief")
            inspected.append(answer)
            page.press("Enter")
            page.page.wait_for_function(
                "([plan]) => new URLSearchParams(location.search).get('plan') !== plan && "
                "!document.querySelector('.desk[aria-busy]') || document.querySelector('.s-plans .hole')",
                arg=[str(answer)],
            )
            if page.find(".hole").count():
                break
        else:
            expect(page.find(".ballot")).not_to_have_attribute("data-part", part)
    assert len(set(inspected)) == 24
    expect(page.find(".hole")).to_contain_text("All done")
    said = words_of(made.folder, "Keyboard only")
    assert {answer for answer, *_ in said} == set(inspected)
    assert all(blind for _, part, _, _, blind in said if not part.startswith("gap:"))
    assert [content["fs"] for _, part, content, _, _ in said if part == "fs"] == [75] * 24


def test_nothing_of_a_judge_is_in_the_page_before_a_vote_and_then_only_of_the_part(
    opens: Opens, made: Made, studio: Server
) -> None:
    other = Inspector(studio.url, "Others first")
    verdict = {"about": "call", "necessary": True, "boundary_ok": True, "scores": GOOD}
    other.vote(made.boat[0], verdict, "1")
    page = opens("&set=set-boat&report=precision")
    heard: list[str] = []
    page.listen("response", lambda response: hear(response, heard))
    page.reload()
    expect(page.find("h1")).to_have_text("How is a wooden boat built?")
    expect(page.find(".meta")).to_contain_text("Plan 1 of 3, 5 paragraphs, 4 tool calls")
    expect(page.find(".meta")).not_to_contain_text("missing visual")
    assert heard and not [text for text in heard if "SECRET" in text or "Others first" in text]
    page.press("y", "y", "2", "1", "2", "2", "Enter")
    page.enrol("Blind one")
    page.wait_part("call:2")
    expect(page.find("[data-call='1'] .scs")).to_have_count(2)
    text = page.find(".plans").inner_text()
    assert "SECRET REASON 1" in text
    assert not re.search("SECRET (REASON 2|SUMMARY|GAP|RECALL|CHIEF)", text + "".join(heard))
    page.press("p")
    expect(page.find("[data-vote='coherence:1']")).to_have_class("judged")
    expect(page.find(".others")).to_contain_text("Others first: adds value, right tool, 2 2 2 2")
    expect(page.find(".state")).to_have_text("Saved, blind")
    page.press("f", "0", "Enter", "p")
    expect(page.find(".state")).to_have_text("Saved, not blind")
    assert [(part, blind) for _, part, _, _, blind in words_of(made.folder, "Blind one")] == [
        ("call:1", True), ("call:1", False),
    ]  # fmt: skip


def hear(response: Response, heard: list[str]) -> None:
    if f"{API}/answers/" in response.url or "/step" in response.url:
        heard.append(response.text())


def test_what_was_read_without_a_name_does_not_count_as_blind(opens: Opens, made: Made) -> None:
    page = opens("&set=set-boat&report=chief")
    page.press("h")
    expect(page.find(".big")).to_have_text("72")
    expect(page.find(".meta")).to_contain_text("1 missing visual")
    page.press("t", "Enter")
    page.enrol("Read before")
    page.wait_part("call:2")
    page.press("p")
    expect(page.find(".state")).to_have_text("Saved, not blind")
    assert [row[4] for row in words_of(made.folder, "Read before")] == [False]
    fresh = opens("&set=set-boat&report=chief", beside=page)
    fresh.press("]")
    fresh.wait_link("plan", str(made.boat[1]))
    expect(fresh.find(".veil")).to_be_visible()
    fresh.press("h")
    expect(fresh.find(".refusal")).to_contain_text("does not count as blind")
    assert fresh.find(".big").count() == 0
    fresh.press("h")
    expect(fresh.find(".big")).to_have_text("72")
    expect(fresh.page.get_by_role("button", name="Show reports")).to_have_attribute("aria-pressed", "true")


def test_links_name_a_place_and_the_way_back_restores_it(opens: Opens, made: Made) -> None:
    first, second, _ = made.boat
    page = opens(f"&plan={first}&call=3")  # the link names no set
    page.wait_link("set", "set-boat")
    expect(page.find(".block.at")).to_have_attribute("data-call", "3")
    expect(page.asked).to_have_text("Your scores for call 3, Code")
    page.press("n")
    page.wait_link("call", "4")
    page.reload()
    expect(page.find(".block.at")).to_have_attribute("data-call", "4")
    page.press("]")
    page.wait_link("plan", str(second))
    page.wait_link("call", "1")
    page.find(".probs").get_by_role("button", name="Call 4").click()
    page.wait_link("call", "4")
    page.page.go_back()
    page.wait_link("call", "1")
    expect(page.find(".block.at")).to_have_attribute("data-call", "1")
    page.page.go_back()
    page.wait_link("plan", str(first))
    expect(page.find(".block.at")).to_have_attribute("data-call", "4")
    page.page.go_forward()
    page.wait_link("plan", str(second))
    expect(page.find("option:checked").filter(has_text="Birch")).to_have_count(1)
    page.ready()
    page.press("h")
    expect(page.find(".block.gap")).to_have_count(1)
    page.press("g")
    page.wait_link("gap", "1")
    expect(page.find("mark")).to_have_text("Ribs are steamed and pressed")
    page.open("&set=set-boat&plan=99999999")
    expect(page.find(".hole")).to_contain_text("There is no such plan here")
    page.errors.clear()  # the browser logs the 404


def test_a_missing_visual_is_marked_with_its_kind_and_a_note(opens: Opens, made: Made) -> None:
    page = opens()
    page.press("j", "j", "j")
    expect(page.asked).to_have_text("Missing visuals")
    expect(page.find(".block.at")).to_have_attribute("data-block", "5")
    page.press("m", "Enter")
    expect(page.find(".refusal")).to_contain_text("Choose a kind")
    page.press("2")
    page.find("[data-gap-note]").focus()
    page.page.keyboard.type("ribs in steam, n j 3")
    page.press("Enter")
    page.enrol("Gap finder")
    page.wait_part("gap:Judge 1/1")
    expect(page.find(".block.gap")).to_have_count(2)
    page.press("x", "Enter")
    page.press("g")
    page.open(f"&set=set-boat&plan={made.boat[0]}&gap=m1")
    expect(page.find(".miss.mine")).to_contain_text("ribs in steam, n j 3")
    expect(page.find(".m.gap")).to_have_count(1)
    said = words_of(made.folder, "Gap finder")
    gap = {"after_block": 5, "type": "procedural_gap", "note": "ribs in steam, n j 3"}
    assert said[0][1:3] == ("gaps", {"about": "gaps", "gaps": [gap]})
    assert said[0][4]
    assert said[1][1:3] == ("gap:Judge 1/1", {"about": "gap", "upheld": False})
    page.wait_part("gaps")
    page.press("Backspace", "0", "Enter")
    expect(page.find(".miss.mine")).to_have_count(0)


def test_a_hostile_plan_runs_nothing_fetches_nothing_and_hides_nothing(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-harm&plan={made.harm}")
    dialogs: list[str] = []

    def shut(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.listen("dialog", shut)
    page.press("h", "q")
    expect(page.find(".miss").first).to_be_visible()
    page.page.evaluate("for (const box of document.querySelectorAll('.s-plans details')) box.open = true")
    for name in ("precision", "recall", "chief"):
        page.find(f"[data-report={name}]").click()
        expect(page.find("#es-plan-report")).to_contain_text("SECRET")
    page.find(".find input").fill("right to left")
    expect(page.find(".find [aria-live]")).to_contain_text("1 of")
    page.press("Escape")
    text = page.find(".plans").text_content() or ""  # what is far from the window, too
    assert "<script src=" in text and "lone" in text and "U+202E" in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x07]", page.find(".doc").text_content() or "")
    assert page.find(f"[src^='{made.trap.url}'], [href^='{made.trap.url}'], [style*=url]").count() == 0
    assert page.page.evaluate(WIDE) == []
    assert page.page.title().startswith("Plan inspection") and not dialogs
    assert made.trap.heard == []


def test_the_keys_are_silent_while_one_types_and_nothing_steals_the_focus(opens: Opens) -> None:
    page = opens()
    page.press("o")
    page.page.keyboard.type("tnm 123 [ ] h?")
    expect(page.find(".note-box textarea")).to_have_value("tnm 123 [ ] h?")
    assert page.page.locator("dialog[open]").count() == 0
    page.press("Escape")
    page.wait_part("call:1")
    assert page.find("[data-vote][aria-pressed=true]").count() == 0
    page.find("[data-key=b8]").hover()
    page.press("n")
    page.wait_part("call:2")  # from where the keys are, wherever the pointer is
    button = page.find("[data-vote='necessary:true']")
    button.focus()
    page.press("n", "Space")
    page.wait_part("call:3")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.press("?")
    expect(page.page.get_by_role("dialog")).to_contain_text("Mark a missing visual here")
    page.press("Escape")
    page.press("/")
    page.page.keyboard.type("backbone")
    expect(page.find(".find [aria-live]")).to_have_text("none")
    page.page.keyboard.press("Control+a")
    page.page.keyboard.type("IMG_INDEX: 7")
    expect(page.find(".find [aria-live]")).to_have_text("1 of 1")
    expect(page.find(".block.at")).to_have_attribute("data-call", "4")
    page.press("Escape")
    page.find("[data-only='tool:search']").click()
    expect(page.find(".block.call.off")).to_have_count(3)
    page.press("p")
    page.wait_part("call:2")
    page.find(".sieve .clear").click()
    expect(page.find(".block.off")).to_have_count(0)


def test_a_vote_on_a_bad_connection_is_kept_and_sent_once(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-boat&plan={made.boat[2]}")
    page.wait_part("gaps")
    page.expected_errors = 1
    lost: list[str] = []

    def lose(route: Route) -> None:
        """The server takes the vote, and its answer is lost."""
        lost.append(json.loads(route.request.post_data or "{}")["request_id"])
        route.fetch()
        route.abort()

    page.page.route("**/votes", lose, times=1)
    page.press("0", "Enter")
    page.enrol("Bad line")
    expect(page.find(".refusal")).to_contain_text("Your words are kept")
    page.find(".refusal").get_by_role("button").click()
    expect(page.find(".refusal")).to_be_hidden()
    page.wait_part("gap:Judge 1/1")
    assert len(lost) == 1
    assert [row[1] for row in words_of(made.folder, "Bad line")] == ["gaps"]


def test_a_vote_that_could_not_be_sent_is_sent_after_a_reload(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-boat&plan={made.boat[2]}")
    page.expected_errors = 1
    page.page.route("**/votes", lambda route: route.abort())
    page.press("0", "Enter")
    page.enrol("Reloader")
    expect(page.find(".refusal")).to_contain_text("Your words are kept")
    page.page.unroute("**/votes")
    page.reload()
    expect(page.find(".state")).to_have_text("Saved, blind")
    assert [row[1] for row in words_of(made.folder, "Reloader")] == ["gaps"]


def test_a_long_plan_shows_the_call_of_a_link_at_once(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-long&plan={made.long}&call=180")
    expect(page.find("[data-call='180'] .tool")).to_be_in_viewport()
    expect(page.find("[data-call='180']")).to_contain_text("stage 180")
    expect(page.find(".mini .of")).to_have_text("360 of 400")
    assert page.find(".mini path.m").count() <= 8  # whatever the plan's length
    box = page.still(page.find(".strip-map svg"))
    page.page.mouse.click(box["x"] + 16, box["y"] + 12)
    expect(page.find("[data-call='1'] .tool")).to_be_in_viewport()
    page.wait_part("call:180")


def test_on_a_phone_nothing_sticks_out_and_a_thumb_reaches_all(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-harm&plan={made.harm}", viewport={"width": 390, "height": 844})
    page.find("[data-act=reports]").click()
    expect(page.find(".miss").first).to_be_visible()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.page.evaluate(WIDE) == []
    assert page.page.evaluate(SMALL) == []
    page.page.get_by_role("button", name="All good").click()
    expect(page.find("[data-vote='format:2']")).to_have_attribute("aria-pressed", "true")
    page.find(".ballot-foot").get_by_role("button", name="Save").click()
    page.enrol("Thumb")
    page.wait_part("call:2")
    expect(page.find("[data-call='2'] .tool")).to_be_in_viewport()


def test_nothing_speaks_of_executing_where_nothing_is_configured(opens: Opens) -> None:
    page = opens("&set=set-boat&doc=executed")
    page.page.wait_for_function(
        "performance.getEntriesByType('resource').some(({name}) => name.endsWith('/executions/backends'))"
    )
    page.settle()
    expect(page.find(".executing")).to_be_hidden()
    expect(page.find(".tool:visible")).to_have_count(4)
    assert page.find(".came").count() == 0
    page.press("v", "?")
    expect(page.page.get_by_role("dialog")).to_contain_text("Find in the plan")
    expect(page.page.get_by_role("dialog")).not_to_contain_text("xecuted")


def test_what_is_typed_while_the_next_plan_is_on_its_way_counts_on_that_plan(opens: Opens, made: Made) -> None:
    first, second, _ = made.boat
    page, held = opens(f"&set=set-boat&plan={first}"), list[Route]()
    page.page.route("**/step?*", lambda route: held.append(route))
    page.press("]", "t")
    expect(page.find(".desk")).to_have_attribute("aria-busy", "true")
    page.press("n", "2")
    assert page.answer == second and page.find("[data-vote][aria-pressed=true]").count() == 0
    for route in held:
        route.continue_()
    page.page.unroute("**/step?*")
    expect(page.find(".desk[aria-busy]")).to_have_count(0)
    page.wait_part("call:2")
    expect(page.find("[data-vote='placement:2']")).to_have_attribute("aria-pressed", "true")
    page.press("p")
    expect(page.find("[data-vote='format:2']")).to_have_attribute("aria-pressed", "true")
    page.press("[")
    page.wait_link("plan", str(first))
    page.ready()
    assert page.find("[data-vote][aria-pressed=true]").count() == 0


def test_the_plan_that_comes_next_is_there_before_it_is_asked_for(opens: Opens, made: Made) -> None:
    first, second, _ = made.boat
    page = opens(f"&set=set-boat&plan={first}")
    asked = f"performance.getEntriesByType('resource').filter(({{name}}) => /answers[/]{second}[?]/.test(name)).length"
    page.page.wait_for_function(f"{asked} === 1")
    page.press("]")
    page.wait_link("plan", str(second))
    page.ready()
    expect(page.find("option:checked").filter(has_text="Birch")).to_have_count(1)
    assert page.page.evaluate(asked) == 1


def test_what_is_shown_of_a_plan_is_in_the_link(opens: Opens, made: Made) -> None:
    page = opens("&set=set-boat&only=tool-search.nonsense")
    expect(page.find(".block.call.off")).to_have_count(3)
    page.find("[data-only='tool:edit']").click()
    page.wait_link("only", "tool-search.tool-edit")
    expect(page.find(".block.call.off")).to_have_count(2)
    page.press("]")
    page.wait_link("plan", str(made.boat[1]))
    page.ready()
    expect(page.find(".block.call.off")).to_have_count(2)
    page.find(".sieve .clear").click()
    page.wait_link("only", None)
    page.page.go_back()
    page.wait_link("only", "tool-search.tool-edit")
    expect(page.find(".block.call.off")).to_have_count(2)


def test_the_final_score_is_asked_last_and_what_was_passed_by_comes_back_before_it(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-boat&plan={made.boat[2]}")
    page.wait_part("gaps")
    page.press("Enter")
    page.wait_part("plan")
    page.find(".ballot [data-vote=revise]").click()
    page.press("Enter")  # saves, and does not press the verdict once more
    page.enrol("Passed by")
    page.wait_part("gaps")
    page.press("Enter")
    expect(page.find(".refusal")).to_contain_text("The final score comes last")
    page.find(".refusal").get_by_role("button").click()
    page.wait_part("fs")
    expect(page.find(".ballot .caution")).to_contain_text("Still open: missing visuals.")
    page.press("Enter")
    page.wait_part("gaps")
    page.press("0", "Enter")
    page.wait_part("gap:Judge 1/1")
    page.press("y", "Enter")
    page.wait_part("fs")
    expect(page.find(".ballot .caution")).to_have_count(0)
    page.press("6", "0", "Enter")
    expect(page.find(".reports [aria-selected=true]")).to_contain_text("Chief")
    expect(page.find("#es-plan-report")).to_contain_text("missing visuals1")
    page.press("Enter")
    page.wait_link("plan", str(made.boat[0]))
    page.ready()
    expect(page.find(".reports [aria-selected=true]")).to_contain_text("Rules")
    said = words_of(made.folder, "Passed by")
    assert [part for _, part, *_ in said] == ["plan", "gaps", "gap:Judge 1/1", "fs"]
    assert all(blind for _, part, _, _, blind in said if not part.startswith("gap:"))


def test_a_plan_without_an_answer_is_asked_for_a_verdict_alone(opens: Opens, made: Made) -> None:
    page = opens(f"&set={made.sample}&problem=no_output")
    expect(page.find(".notice")).to_contain_text("No answer: ")
    page.wait_part("plan")
    page.press("3", "Enter")
    page.enrol("Nothing there")
    page.wait_link("plan", str(page.answer))
    expect(page.find(".refusal, .hole").first).to_be_visible()
    assert [part for _, part, *_ in words_of(made.folder, "Nothing there")] == ["plan"]


def test_the_piece_at_hand_stays_where_it_is_and_a_word_is_taken_back(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-boat&plan={made.boat[0]}&call=3&tool=edit")
    at = page.find("[data-call='3']")
    expect(at.locator(".tool")).to_be_in_viewport(ratio=1)
    before = page.still(at)["y"]
    page.press("h")
    expect(page.find(".block.gap")).to_have_count(1)
    assert abs(page.still(at)["y"] - before) <= 1
    page.press("t", "Enter")
    page.enrol("Takes back")
    expect(at.locator(".scs")).to_have_count(2)
    page.press("p", "c", "u")
    page.wait_part("call:3")
    expect(page.find(".state")).not_to_contain_text("Saved")
    expect(at.locator(".scs")).to_have_count(1)
    page.press("o", "Control+v")
    expect(page.find(".note-box textarea")).to_have_value(
        f"{page.url}/?tab=plans&set=set-boat&plan={made.boat[0]}&call=3"
    )


def test_the_query_is_on_show_and_a_hit_leaves_its_documents_as_they_were(opens: Opens) -> None:
    page = opens()
    expect(page.find(".question .prose")).to_have_text("How is a wooden boat built? Show me.")
    document = page.find(".document")
    page.press("/")
    page.page.keyboard.type("and keels")
    expect(document).to_contain_text("Of boats and keels.")
    expect(document).to_be_visible()
    page.press("Escape")
    expect(document).to_be_hidden()
    page.press("q")
    expect(document).to_be_visible()
    page.reload()
    expect(document).to_be_visible()


def test_on_a_tablet_the_end_of_the_reports_is_above_what_is_asked(opens: Opens, made: Made) -> None:
    page = opens(f"&set=set-boat&plan={made.boat[0]}", viewport={"width": 1180, "height": 800})
    page.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    ends = [page.still(card)["y"] + page.still(card)["height"] for card in page.find(".rail-scroll > .card").all()]
    assert max(ends) < page.still(page.find(".ballot"))["y"]


def test_what_was_said_in_another_window_is_there_when_one_comes_back(opens: Opens, made: Made) -> None:
    first = opens(f"&set=set-boat&plan={made.boat[1]}")
    first.press("t", "Enter")
    first.enrol("Two windows")
    first.wait_part("call:2")
    second = opens(f"&set=set-boat&plan={made.boat[1]}&call=2", beside=first)
    second.press("t", "Enter")
    second.wait_part("call:3")
    expect(second.find("[data-call='2'] .scs")).to_have_count(2)
    first.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(first.find(".state")).to_have_text("Saved, blind")


def test_a_plan_that_could_not_be_loaded_comes_by_itself_and_filters_that_are_none_can_be_cleared(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 4
    page.page.route("**/step?*", lambda route: route.abort())
    page.press("]")
    expect(page.find(".hole")).to_contain_text("is kept")
    page.page.unroute("**/step?*")
    expect(page.find(".plans")).to_be_visible()
    page.open("&set=set-boat&severity=nonsense")
    page.find(".hole").get_by_role("button", name="Clear filters").click()
    page.wait_link("severity", None)
    expect(page.find(".plans")).to_be_visible()
