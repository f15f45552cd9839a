"""The Rubric review tab: grading by keyboard, blind until one votes, alone and beside others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, Route, expect

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.easel import HTTP, try_now
from tests.browser.grading import API, Grading, Person, small_set, votes_of, watched
from tests.browser.profiles import Profiles
from tests.serving import Server, forked, serving

pytestmark = pytest.mark.browser
HOSTILE = (
    "<img src=x onerror=\"document.title='pwned'\"><script>document.title='pwned'</script> ${1} {{1}} "
    "[go](https://evil.example/a) ![see](https://evil.example/b.png) <https://evil.example/c> "
    "[js](javascript:alert(1)) \u202eright to left \U0001f58c"
)
# Controls that are lower than they may be; links in a text and lines of a list have their own measure.
SMALL = """
(least) => [...document.querySelectorAll('.s-rubrics :is(button, select, textarea, summary)')].filter((element) => {
  const {width, height} = element.getBoundingClientRect();
  return width && height && height < (element.matches('.link, .small, summary, .queue *') ? 24 : least);
}).map((element) => element.outerHTML.slice(0, 120))
"""
# Controls that stick out of what holds them.
CUT = """
() => [...document.querySelectorAll('.s-rubrics :is(.ballot, .es-bar) :is(button, .seg, select, textarea)')]
  .filter((element) => {
    const box = element.getBoundingClientRect();
    const card = element.closest('.cast, .ballot, .es-bar').getBoundingClientRect();
    return box.width && (box.right > card.right + 1 || box.left < card.left - 1);
  }).map((element) => element.outerHTML.slice(0, 120))
"""
SECRET = re.compile("SECRET REASON|judging-plain|judge plain")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a plain set and one whose every field means harm, beside the sample."""
    folder = tmp_path_factory.mktemp("rubrics")
    studio = Studio(Settings(data_dir=folder))
    small_set(studio.rubrics, "plain", turns=2)
    small_set(studio.rubrics, "apart", turns=2)
    small_set(studio.rubrics, "harm", HOSTILE)
    studio.rubrics.sets()  # brings the sample in
    studio.close()
    return folder


@pytest.fixture(scope="module")
def graded(folder: Path) -> Iterator[Server]:
    with serving(folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, graded: Server) -> Profiles:
    return Profiles(browser, graded.url)


Opens = Callable[..., Grading]
MakeQueue = Callable[..., str]


@pytest.fixture
def opens(graded: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens the tab, in an empty profile or beside a page; all pages are checked at the end."""
    with watched(Grading, graded.url, homes) as opening:
        yield opening


@pytest.fixture
def queue(graded: Server) -> MakeQueue:
    """Makes a queue of the plain set: three answers of two turns with three criteria each; its id."""

    def make(set_id: str = "set-plain", **wish: Any) -> str:
        body = {"set_id": set_id, "name": "Queue"} | wish
        return str(HTTP.post(f"{graded.url}{API}/queues", json=body).raise_for_status().json()["queue_id"])

    return make


def entries(graded: Server, queue: str) -> list[int]:
    """All entries of a queue, in the order in which a page goes through them."""
    walk = HTTP.get(f"{graded.url}{API}/queues/{queue}/walk").json()
    return [entry for stop in walk["stops"] for entry in stop["entries"]]


def sample_queue(graded: Server) -> str:
    sets = HTTP.get(f"{graded.url}{API}/sets").json()
    return str(next(found for found in sets if found["sample"])["queues"][0]["queue_id"])


def test_sixty_sample_items_are_graded_by_keyboard_alone(opens: Opens, graded: Server, folder: Path) -> None:
    page = opens(f"&queue={sample_queue(graded)}")
    expect(page.find("[data-sample]").first).to_have_text("Sample data")
    page.enrol("Keyboard", "n")
    cast = [(page.entry, "not_met")]
    for at in range(1, 60):
        page.go_on()
        key, verdict = (("m", "met"), ("n", "not_met"), ("u", "cannot_assess"))[at % 3]
        page.vote(key)
        expect(page.judged.first).to_be_visible()
        cast.append((page.entry, verdict))
    rows = votes_of(folder, "Keyboard")
    assert [(entry, verdict) for entry, _, verdict, *_ in rows] == cast
    assert len({entry for entry, *_ in rows}) == 60
    assert all(blind for *_, blind in rows)


def test_nothing_of_the_judge_or_of_others_reaches_the_page_before_the_vote(
    opens: Opens, queue: MakeQueue, graded: Server
) -> None:
    made = queue(required=3)
    other = Person(graded.url, "Others first")
    first, second, *_ = entries(graded, made)
    for entry in (first, second):
        other.vote(entry, "not_met", note="OTHERS NOTE")
    page = opens(f"&queue={made}")
    heard: list[str] = []

    def hear(response: Response) -> None:
        if f"{API}/queues/" in response.url or f"{API}/entries/" in response.url:
            heard.append(response.text())

    page.listen("response", hear)
    page.reload()
    assert heard and page.entry == first
    page.press("ArrowRight", "ArrowLeft")
    page.press("m")
    page.page.keyboard.type("Blind one")  # the name is asked for, and nothing was sent
    assert not [text for text in heard if SECRET.search(text) or "OTHERS" in text]
    assert not SECRET.search(page.find(".review").inner_text())
    page.press("Enter")
    expect(page.judged).to_contain_text("SECRET REASON")
    expect(page.find(".others")).to_contain_text("OTHERS NOTE")
    told = [text for text in heard if SECRET.search(text)]
    assert len(told) == 1 and f'"entry":{first},' in told[0], "the answer to the vote, and it alone"
    assert page.said.startswith("Saved. Judge says ")
    page.go_on()
    assert page.entry == second
    assert not SECRET.search(page.find(".review").inner_text())
    assert "OTHERS" not in page.find(".review").inner_text()
    assert len([text for text in heard if SECRET.search(text)]) == 1


def test_two_reviewers_disagree_and_a_third_settles_it(
    opens: Opens, queue: MakeQueue, graded: Server, folder: Path
) -> None:
    made = queue(required=2)
    ada, bo = opens(f"&queue={made}"), opens(f"&queue={made}")
    first, second, *_ = entries(graded, made)
    assert ada.entry == bo.entry == first
    ada.enrol("Ada of two", "m")
    bo.enrol("Bo of two", "n")
    bo.press("o")
    bo.page.keyboard.type("It is blue")
    bo.press("Tab")
    expect(bo.find(".state")).to_contain_text("Saved; your verdict stays blind")
    expect(bo.find("#es-vote-error")).to_be_focused()
    bo.press("Tab")
    expect(bo.judged.get_by_role("button")).to_be_focused()  # what is saved meanwhile takes the focus from nothing
    for one, verdict in ((ada, "m"), (bo, "n")):
        one.press("Escape")
        one.criterion.focus()
        one.go_on()
        one.vote(verdict)
    ada.press("a")
    ada.page.get_by_role("dialog", name="Disagreements").get_by_role("button", name="Criterion 1.1").press("Enter")
    expect(ada.find(".rule")).to_be_focused()
    ada.press("m", "u", "x", "1")  # the ruling and nothing else
    expect(ada.find("[data-ruling=met][aria-pressed=true], [data-vote=met][aria-pressed=true]")).to_have_count(2)
    ada.criterion.focus()
    ada.press("n")
    expect(ada.find(".settle").get_by_role("button", name="Settle as not met")).to_be_visible()
    third = opens(f"&queue={made}&entry={first}")
    expect(third.find("[data-vote=met]")).to_be_disabled()
    third.press("a")
    third.page.get_by_role("dialog", name="Disagreements").get_by_role("button", name="Criterion 1.1").click()
    third.find(".who-form input").first.fill("Cy of three")
    third.press("Enter")
    others = third.find(".others")
    expect(others).to_contain_text("Ada of two: met")
    expect(others).to_contain_text("It is blue")
    expect(third.find(".rule")).to_be_focused()
    third.press("Enter")  # nothing is chosen, so nothing is settled
    third.find(".settle textarea").fill("The key says so")
    third.press("Escape", "n", "Enter")
    expect(third.find(".ruling")).to_contain_text("Settled as not met by you")
    expect(third.find(".settle:not([open]) summary")).to_contain_text("Change the ruling")
    assert votes_of(folder, "Cy of three") == [(None, "adjudication", "not_met", None, "The key says so", False)]
    assert [row[2:6:3] for row in votes_of(folder, "Ada of two")] == [("met", True)] * 2, "a ruling overwrites nothing"
    expect(third.find(".ruling").get_by_role("button", name="Next disagreement")).to_be_focused()
    third.press("Enter")
    third.wait_entry(second)
    expect(third.find(".rule")).to_be_focused()
    third.press("a")
    expect(third.page.get_by_role("dialog")).to_contain_text("1 disagreement to settle, 1 settled")
    third.press("Escape")
    third.page.go_back()
    third.wait_entry(first)
    third.find(".ruling").get_by_role("button", name="Take it back").click()
    expect(third.find(".ruling")).to_be_hidden()
    ada.reload()
    ada.open(f"&queue={made}&entry={first}")
    expect(ada.find(".others")).to_contain_text("Bo of two: not met")


def test_what_another_grades_is_kept_for_them(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    made = queue(required=1, hold=60)
    everything = entries(graded, made)
    ada = opens(f"&queue={made}")
    ada.enrol("Ada alone")
    expect(ada.find(".kept")).to_contain_text("Kept for you until")
    bo = opens(f"&queue={made}")
    assert everything.index(bo.entry) == 6, "the first answer is Ada's"
    late = opens(f"&queue={made}&entry={everything[8]}")  # seen without a name, so that nothing is kept
    late.press("o")
    late.page.keyboard.type("A long thought")
    late.press("Escape")
    Person(graded.url, "Quick one").vote(everything[8], "met")
    late.press("n")
    late.page.keyboard.type("Late one")
    late.press("Enter")
    expect(late.find(".veil:visible")).to_contain_text("One reviewer is enough here")
    expect(late.find("[data-vote=not_met]")).to_be_disabled()
    expect(late.find("#es-vote-note")).to_have_value("A long thought")
    late.find(".veil:visible").get_by_role("button").click()
    expect(late.find(".others")).to_contain_text("Quick one: met")


def test_a_vote_that_comes_too_late_is_refused_in_words_and_loses_nothing(
    opens: Opens, queue: MakeQueue, graded: Server
) -> None:
    made = queue(required=1)
    everything = entries(graded, made)
    page = opens(f"&queue={made}")
    page.enrol("Too late")
    late = opens(f"&queue={made}&entry={everything[7]}", beside=page)
    late.page.route("**/places/*", lambda route: route.abort())  # nothing is kept from now on
    late.expected_errors = 1
    late.press("ArrowRight")
    late.wait_entry(everything[8])
    taken = HTTP.post(f"{graded.url}{API}/entries/{everything[8]}/votes", json={"request_id": "x", "verdict": "met"})
    assert taken.status_code == 401
    late.press("o")
    late.page.keyboard.type("Typed before")
    late.press("Escape")

    def refuse(route: Route) -> None:
        body = {"error": {"code": "enough_reviewers", "message": "Others have voted, so go on.", "field": "entry"}}
        route.fulfill(status=409, json=body)

    late.page.route(f"**{API}/entries/*/votes", refuse)
    late.press("m")
    expect(late.page.get_by_role("alert").filter(has_text="Others have voted, so go on.")).to_be_visible()
    expect(late.find("#es-vote-note")).to_have_value("Typed before")
    expect(late.find("[data-vote=met]")).to_have_attribute("aria-pressed", "false")
    late.page.unroute_all()


def test_a_reload_resumes_at_the_first_open_item(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    made = queue()
    everything = entries(graded, made)
    page = opens(f"&queue={made}")
    page.enrol("Reloader")
    for _ in range(2):
        page.go_on()
        page.vote("n")
    page.press("1")
    expect(page.find(".state")).to_contain_text("Saved; your verdict stays blind")
    page.go_on()
    page.reload()
    page.wait_entry(everything[3])
    expect(page.find(".progress .nowrap")).to_have_text("Criterion 4 of 6")
    assert page.find(".queue .mine").count() == 3
    page.open(f"&queue={made}")
    page.wait_entry(everything[3])
    page.press("ArrowLeft")
    page.wait_entry(everything[2])
    expect(page.find("[data-vote=not_met]")).to_have_attribute("aria-pressed", "true")
    expect(page.find("[data-confidence='1']")).to_have_attribute("aria-pressed", "true")
    expect(page.judged).to_be_visible()
    page.press("Shift+ArrowRight")
    page.wait_entry(everything[6])
    page.page.go_back()
    page.wait_entry(everything[2])


def test_undo_and_what_follows_the_reveal_are_rows_of_their_own(opens: Opens, queue: MakeQueue, folder: Path) -> None:
    page = opens(f"&queue={queue()}")
    page.enrol("Undoer", "m")
    page.press("n")
    expect(page.find(".state")).to_contain_text("Saved after the reveal")
    page.press("e")
    page.find("#es-vote-error").select_option("calculation")
    page.press("Escape")
    expect(page.criterion).to_be_focused()
    page.press("x")  # the kind of error
    page.press("x")  # not met
    expect(page.find("[data-vote=met]")).to_have_attribute("aria-pressed", "true")
    expect(page.find(".state")).to_contain_text("Saved; your verdict stays blind")
    page.press("m")  # the same key clears
    expect(page.find(".state")).to_contain_text("No vote of yours stands")
    expect(page.find("[data-vote][aria-pressed=true]")).to_have_count(0)
    page.press("x")
    expect(page.find("[data-vote=met]")).to_have_attribute("aria-pressed", "true")
    expect(page.find(".state")).to_contain_text("Saved after the reveal")
    rows = votes_of(folder, "Undoer")
    assert [(row[2], row[5]) for row in rows] == [
        ("met", True), ("not_met", False), ("not_met", False), ("not_met", False), ("met", False), (None, False),
        ("met", False),
    ]  # fmt: skip


def test_keys_are_silent_while_one_types(opens: Opens, queue: MakeQueue, folder: Path) -> None:
    page = opens(f"&queue={queue()}")
    page.press("o")
    page.page.keyboard.type("menu 123 zta x?")
    expect(page.find("#es-vote-note")).to_have_value("menu 123 zta x?")
    assert page.page.locator("dialog[open]").count() == 0
    page.press("Escape")
    page.enrol("Typist munx123", "n")
    expect(page.find("[data-confidence][aria-pressed=true]")).to_have_count(0)
    (row,) = votes_of(folder, "Typist munx123")
    assert row[2:5] == ("not_met", None, "menu 123 zta x?"), "the note goes with the vote"
    before = page.entry
    page.press("o")
    page.press("Control+Enter")
    expect(page.find(".ballot[data-entry]")).not_to_have_attribute("data-entry", str(before))
    page.press("?")
    help_box = page.page.get_by_role("dialog", name="Shortcuts")
    for label in ("Met", "Next open criterion", "Undo the last vote", "Disagreements to settle"):
        expect(help_box).to_contain_text(label)
    page.press("m", "Enter")
    page.press("Escape")
    assert len(votes_of(folder, "Typist munx123")) == 1


def test_enter_on_a_pressed_vote_goes_on_instead_of_clearing_it(opens: Opens, queue: MakeQueue, folder: Path) -> None:
    page = opens(f"&queue={queue()}")
    page.enrol("Mouse first")
    page.go_on()
    page.find("[data-vote=not_met]").click()
    expect(page.judged).to_be_visible()
    page.go_on()
    page.find("[data-vote=met]").focus()
    page.press("Space")
    expect(page.judged).to_be_visible()
    page.go_on()
    assert [row[2] for row in votes_of(folder, "Mouse first")] == ["met", "not_met", "met"]


def test_a_key_that_comes_before_the_next_answer_is_taken_for_none(
    opens: Opens, queue: MakeQueue, folder: Path
) -> None:
    page = opens(f"&queue={queue()}")
    page.enrol("Quick fingers")
    held: list[Route] = []
    page.page.route("**/next?*", lambda route: held.append(route))
    for _ in range(5):
        page.go_on()
        page.vote("m")
    before = page.entry
    page.press("Enter", "m", "Enter", "m")
    expect(page.find(".review-view")).to_have_attribute("aria-busy", "true")
    expect(page.find("[data-vote=met]")).to_have_attribute("aria-pressed", "true")
    (ahead,) = held
    ahead.continue_()
    expect(page.find(".ballot[data-entry]")).not_to_have_attribute("data-entry", str(before))
    expect(page.find("[data-vote][aria-pressed=true]")).to_have_count(0)
    assert [row[2] for row in votes_of(folder, "Quick fingers")] == ["met"] * 6
    page.page.unroute_all()


def test_filters_stand_in_the_link_and_hide_what_would_tell(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    made = queue("set-apart")
    everything = entries(graded, made)
    page = opens(f"&queue={made}&critical=1&turn=2")
    expect(page.find(".tail [role=status]")).to_have_text("3 of 18 entries")
    expect(page.criterion).to_contain_text("Criterion 2.1")
    expect(page.find("[data-filter=turn]")).to_have_value("2")
    page.find("[data-filter=objectivity]").select_option("subjective")
    page.page.wait_for_url("**objectivity=subjective**")
    page.ready()
    page.find(".tail").get_by_role("button", name="Clear filters").click()
    page.page.wait_for_url(lambda url: "critical" not in url)
    page.ready()
    page.page.go_back()
    expect(page.find("[data-filter=objectivity]")).to_have_value("subjective")
    page.open(f"&queue={made}&disagreement=1")
    hole = page.find(".review-view .hole")
    expect(hole).to_contain_text("Nothing fits these filters")
    expect(hole).to_contain_text("18 entries are hidden until you have voted on them")
    hole.get_by_role("button", name="Clear filters").click()
    page.wait_entry(everything[0])
    page.enrol("Filterer", "m")  # the judge says so too
    page.go_on()
    page.vote("m")  # and here it does not
    page.open(f"&queue={made}&disagreement=1")
    page.wait_entry(everything[1])
    expect(page.find(".tail [role=status]")).to_have_text(
        "1 of 18 entries; 16 more are hidden until you have voted on them"
    )
    page.open(f"&queue={made}&entry={everything[10]}")
    page.wait_entry(everything[10])
    expect(page.find(".meta").first).to_contain_text("Answer 2 of 3")


def test_hostile_words_are_words_and_lead_nowhere(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    page = opens(f"&queue={queue('set-harm')}")  # requests to other hosts are checked as the page closes
    expect(page.criterion).to_contain_text("<img src=x onerror=")
    page.enrol('<b onclick="x">Eve</b> ${2}')
    expect(page.judged).to_contain_text("<script>document.title='pwned'</script> ${1} {{1}}")
    page.press("t")
    expect(page.find(".call").first).to_contain_text("<script>document.title='pwned'</script>")
    page.find(".trace").scroll_into_view_if_needed()
    page.find("label:has-text('As written') input").check()
    expect(page.find(".model-answer pre")).to_contain_text("[go](https://evil.example/a)")
    page.press("a")
    expect(page.page.get_by_role("dialog", name="Disagreements")).to_be_visible()
    page.press("Escape", "z")
    expect(page.page.locator("dialog.zoom")).to_be_visible()
    page.press("Escape")
    page.press("n", "n", "x")
    expect(page.find(".state")).to_contain_text("aved")
    found = page.find(":is(a[href], script, [onerror], [onclick], iframe, img:not([src*='/api/rubrics/pictures/']))")
    assert found.count() == 0
    assert "pwned" not in page.page.title()


def test_names_are_taken_once_and_kept_in_the_browser(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    made = queue()
    Person(graded.url, "Taken")
    page = opens(f"&queue={made}")
    page.expected_errors = 1
    page.press("u")
    page.page.keyboard.type("Taken")
    page.press("Enter")
    expect(page.find(".who-form [role=alert]")).to_contain_text("That name has votes already")
    page.press("Escape")
    expect(page.find("[data-vote=cannot_assess]")).to_be_visible()
    page.enrol("Not taken", "u")
    expect(page.find(".meta").first).to_contain_text("Reviewing as Not taken")
    page.find("[data-act=who]").click()
    page.page.keyboard.type("Second person")
    page.press("Enter")
    expect(page.find(".meta").first).to_contain_text("Reviewing as Second person")
    expect(page.find("[data-vote][aria-pressed=true]")).to_have_count(0)
    expect(page.judged).to_have_count(0)
    page.find("[data-act=who]").click()
    page.page.locator("dialog[open]").get_by_role("button", name="Not taken").click()
    expect(page.judged).to_be_visible()
    page.page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem('es-reviewers')), [mine] = Object.values(kept);
          mine.tokens[mine.name] = 'wrong';
          localStorage.setItem('es-reviewers', JSON.stringify(kept));
        }"""
    )
    page.reload()
    expect(page.find(".meta").first).to_contain_text("the first vote asks for your name")


def test_the_end_is_said_and_leads_on(opens: Opens, queue: MakeQueue, graded: Server) -> None:
    made = queue(required=1, size=2)
    page = opens(f"&queue={made}")
    page.enrol("Finisher")
    page.go_on()
    page.vote("n")
    page.press("Enter")
    end = page.find(".review-view .hole")
    expect(end).to_contain_text("All done")
    expect(end).to_contain_text("You have voted on 2 of 2 criteria")
    end.get_by_role("button", name="Look at your votes").click()
    expect(page.find("[data-vote=met]")).to_have_attribute("aria-pressed", "true")
    expect(page.find(".model-answer .tag")).to_contain_text("mplain")


def test_evidence_is_found_through_markdown_and_blanks(opens: Opens, queue: MakeQueue) -> None:
    page = opens(f"&queue={queue()}")
    marked = """
    async (module, [tree, quote]) => {
      const styles = document.querySelector('link[href*="/css/tokens.css"]').href;
      const { prose } = await import(styles.replace('css/tokens.css', 'rubrics/prose.js'));
      const root = document.createElement('div');
      root.append(...prose(tree).elements);
      const before = root.textContent, found = module.markQuote(root, quote);
      const text = [...root.querySelectorAll('mark')].map((mark) => mark.textContent).join('');
      module.unmark(root);
      return [Boolean(found), text, root.textContent === before && !root.querySelector('mark')];
    }
    """
    tree = [
        ["p", "The ", ["strong", "green"], " one is ", ["em", "closest, because\nit is"], " the smallest: a+b = 3."],
        ["ol", ["li", "First point"], ["li", ["p", "Second ", ["a", "https://example.org/x", "point"], " é"]]],
        ["pre", "if x:\n    go()"],
    ]  # fmt: skip
    cases = [
        ("because it is the smallest", "because\nit is the smallest"),
        ("**green** one   is *closest*", "green one is closest"),
        ("1. First point\n2. Second [point](https://example.org/x)", "First pointSecond point https://example.org/x"),
        ("second point", "Second point"), ("a+b = 3", "a+b = 3"), ("a-b", ""), ("POINT", "point"),
        ("Second [point](https://example.org/x) e\u0301", "Second point https://example.org/x é"),
        ("if x: go()", "if x:\n    go"), ("not there", ""), ("***", ""), ("", ""),
    ]  # fmt: skip
    for quote, wanted in cases:
        found, text, restored = page.module("rubrics/mark.js", marked, [tree, quote])
        assert (found, text) == (bool(wanted), wanted), quote
        assert restored, quote


def test_pictures_zoom_by_keys_and_calls_open(opens: Opens, queue: MakeQueue) -> None:
    page = opens(f"&queue={queue()}")
    page.press("z")
    zoom = page.page.locator("dialog.zoom")
    expect(zoom).to_contain_text("Picture 1 of 2, turn 1, 64 × 64")
    fitting = zoom.locator("output").inner_text()
    page.press("1")
    expect(zoom.locator("output")).to_have_text("100%")
    page.press("+", "ArrowRight")
    expect(zoom.locator("output")).to_have_text("125%")
    page.press("0")
    expect(zoom.locator("output")).to_have_text(fitting)
    page.press("PageDown")
    expect(zoom).to_contain_text("Picture 2 of 2")
    page.press("Escape")
    expect(zoom).to_be_hidden()
    assert page.find(".call").count() == 0, "what is closed is not in the page"
    page.press("t")
    expect(page.find(".call")).to_have_count(2)
    expect(page.find(".call img").first).to_have_js_property("naturalWidth", 64)
    page.press("t")
    expect(page.find("details[open] .call")).to_have_count(0)
    page.find("[data-turn='2']").click()
    expect(page.find(".turns")).to_contain_text("The criterion is about turn 1")
    page.press("ArrowRight")
    expect(page.find("[data-turn='1']")).to_have_attribute("aria-pressed", "true")


def test_nothing_sticks_out_and_all_can_be_pressed_at_any_width(opens: Opens, queue: MakeQueue) -> None:
    page = opens(f"&queue={queue()}")
    page.enrol("Widths", "n")
    page.find("[data-act=filter]").click()
    for width in (1440, 1180, 720, 390):
        page.page.set_viewport_size({"width": width, "height": 844})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.page.evaluate(SMALL, 40 if width <= 720 else 24)
        assert not small, (width, small)
        cut = page.page.evaluate(CUT)
        assert not cut, (width, cut)


def test_a_restart_of_the_server_in_the_middle_loses_nothing(
    opens: Opens, queue: MakeQueue, graded: Server, folder: Path
) -> None:
    page = opens(f"&queue={queue()}")
    page.enrol("Restarter")
    page.expected_errors = 1
    graded.kill()
    page.press("Enter", "n", "2", "Enter", "u")
    lost = page.page.get_by_role("alert").filter(has_text="The server cannot be reached")
    expect(lost).to_contain_text("Your vote is kept")
    expect(page.find(".state")).to_have_text("Saving …")
    expect(page.judged).to_have_count(0)
    graded.start()
    try_now(lost)
    expect(page.judged).to_be_visible()
    expect(lost).to_be_hidden()
    rows = votes_of(folder, "Restarter")
    assert [row[2:4] for row in rows] == [("met", None), ("not_met", None), ("not_met", 2), ("cannot_assess", None)]
    graded.kill()
    page.press("Enter", "m")
    expect(page.find(".state")).to_have_text("Saving …")
    graded.start()
    page.reload()
    expect(page.judged).to_be_visible()
    assert [row[2] for row in votes_of(folder, "Restarter")][-1] == "met"
