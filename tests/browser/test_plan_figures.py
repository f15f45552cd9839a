"""Two plans side by side, scores and agreement on the Plan inspection tab: every figure is the server's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.easel import HTTP
from tests.browser.grading import watched
from tests.browser.inspecting import API, BOAT, Inspecting, Inspector, call, small_set
from tests.browser.profiles import Profiles
from tests.services.plans import figuring
from tests.serving import Server, forked, serving

pytestmark = pytest.mark.browser
HARM = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}} \u202e"
WORDS = ("keel", "stem", "rib", "plank", "tar", "mast", "oar", "sail")
LONG = "\n\n".join(
    part
    for k in range(120)
    for part in (f"Step {k} of {WORDS[k % 8]} number {k}.", call("search", "See", query=f"{WORDS[k % 8]} {k}"))
)
CHANGED = call("search", "See", query="tar 60"), call("diffusion", "See", prompt="tar")
OTHER = BOAT.replace('"img_index": 7', '"img_index": 0').replace(
    call("search", "Ribs", query="clinker boat ribs cross section"), call("diffusion", "Ribs", prompt="ribs of a boat")
) + "\n\nAn afterthought that no other planner has, about launching day and flags."  # fmt: skip


class Figures(Inspecting):
    """One page of the studio that is opened on another view than Inspect."""

    def ready(self) -> None:
        self.page.locator(".s-plans:not([aria-busy])").wait_for()
        self.settled()

    def settled(self) -> None:
        """Until what is on show is what the link asks for."""
        self.find(".compared:visible, .panel > *, .hole:visible, .plans:visible").first.wait_for()
        expect(self.find(".compared[aria-busy], .panel[aria-busy], .panel .skel, .desk[aria-busy]")).to_have_count(0)

    def row(self, k: int) -> Locator:
        return self.find(f'.pair-row[data-pair="{k}"]')

    def halves(self, k: int) -> list[str]:
        return self.row(k).locator(".half").all_inner_texts()

    @property
    def here(self) -> str | None:
        """The pair where one stands."""
        return self.find(".pair-row[aria-current]").get_attribute("data-pair")

    def told(self, title: str) -> Locator:
        """The card of a title."""
        return self.find(f'.panel section[aria-label="{title}"]')

    def choose(self, name: str, value: str) -> None:
        self.find(f'[data-choose="{name}"]').select_option(value)
        self.settled()

    def be(self, person: Inspector, name: str) -> None:
        """Inspect under a name from now on."""
        kept = "(who) => localStorage.setItem('es-reviewers', JSON.stringify({[studio.url('')]: who}))"
        token = person.headers["Authorization"].removeprefix("Bearer ")
        self.page.evaluate(kept, {"name": name, "tokens": {name: token}})
        self.reload()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sets to compare plans in, one with two judges and votes of two people, and one that nobody judged."""
    folder = tmp_path_factory.mktemp("plan-figures")
    studio = figuring.empty_plans(folder)
    plans = studio.plans
    small_set(plans, "boat", BOAT, OTHER, judges=2)
    small_set(plans, "long", LONG, LONG.replace(*CHANGED), judges=0)
    small_set(plans, "lone", BOAT, judges=0)
    small_set(plans, f"harm {HARM}", f"{HARM}\n\n{BOAT}", f"{HARM} again\n\n{BOAT}", words=HARM)
    figuring.make_plans(plans, queries=12, planners=("a", "b", "c", "d"))
    figuring.judge(plans, 1)
    figuring.judge(plans, 2, by="two", roles={"precision": "m", "recall": "n", "chief": "o"})
    for k, name in enumerate(("First", "Second")):
        figuring.vote_on_all(plans, figuring.person(plans, name), 10 + k, 0.7)
    studio.close()
    return folder


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Server]:
    with serving(folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


Opens = Callable[..., Figures]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    with watched(Figures, studio.url, homes) as opening:
        yield opening


def answers(studio: Server, set_id: str) -> dict[str, int]:
    found = HTTP.get(f"{studio.url}{API}/sets/{set_id}/plans").raise_for_status().json()["plans"]
    return {plan["planner"]: plan["answer"] for plan in found}


def told(value: float, digits: int = 2, percent: bool = False) -> str:
    """A number as the page writes it."""
    exact = Decimal(100 * value if percent else value).quantize(Decimal(10) ** -digits, ROUND_HALF_UP)
    return f"{exact}".replace("-", "−") + ("%" if percent else "")


def figures(studio: Server, rest: str) -> dict[str, Any]:
    return dict(HTTP.get(f"{studio.url}{API}/sets/{figuring.SET}/{rest}").raise_for_status().json())


# two plans


def test_plans_stand_beside_each_other_by_paragraph_and_what_differs_is_told(opens: Opens, studio: Server) -> None:
    alder = answers(studio, "set-boat")["Alder"]
    page = opens(f"&set=set-boat&show=compare&plan={alder}")
    expect(page.find('[data-side="0"] option:checked')).to_have_text("Alder")
    expect(page.find('[data-side="1"] option:checked')).to_have_text("Birch")
    left, right = page.halves(1)
    assert left.split("\n")[0] == right.split("\n")[0] or ("scarfed" in left and "scarfed" in right)
    assert "Search" in left and "Diffusion" in right
    expect(page.row(1)).to_contain_text("Other tools")
    expect(page.row(4)).to_contain_text("Other faults")
    assert "img_index_out_of_range" in page.halves(4)[0] and "img_index_out_of_range" not in page.halves(4)[1]
    expect(page.row(5)).to_contain_text("Only in Birch")
    expect(page.row(0)).to_have_class(re.compile("same"))
    expect(page.find(".pair-strip [role=status]")).to_have_text(
        "6 rows: 1 with other tools, 1 with other faults, 1 only in one"
    )
    expect(page.find(".pair-map button")).to_have_count(6)
    assert page.find('[data-cell="1"]').get_attribute("aria-label") == "Pair 2: tools"


def test_differences_are_gone_through_by_keys_and_each_side_opens_where_one_is(opens: Opens, studio: Server) -> None:
    both = answers(studio, "set-boat")
    page = opens(f"&set=set-boat&show=compare&plan={both['Alder']}")
    page.press("n")
    assert page.here == "1"
    page.press("n", "n", "n")
    assert page.here == "5", "the last one stays"
    page.press("p")
    assert page.here == "4"
    page.press("k", "k")
    assert page.here == "2"
    page.wait_link("c_pair", "3")
    page.press("d")
    expect(page.row(0)).to_be_hidden()
    page.press("s")
    page.wait_link("plan", str(both["Birch"]))
    expect(page.find('[data-side="0"] option:checked')).to_have_text("Birch")
    expect(page.row(1).locator(".half").first).to_contain_text("Diffusion")
    page.row(4).locator('[data-half="0"]').hover()
    page.row(4).locator('[data-half="0"] .go').click()
    page.wait_link("plan", str(both["Birch"]))
    page.wait_link("show", None)
    assert page.link("block") or page.link("call")
    page.page.go_back()
    page.settled()
    page.press("2")
    page.wait_link("plan", str(both["Alder"]))
    page.wait_link("show", None)


def test_the_reference_answer_can_stand_on_either_side(opens: Opens, studio: Server) -> None:
    page = opens(f"&set=set-boat&show=compare&plan={answers(studio, 'set-boat')['Alder']}&with=reference")
    expect(page.find('[data-side="1"] option:checked')).to_have_text("Reference answer")
    page.find('[data-act="swap"]').click()
    page.wait_link("plan", "reference:query-boat")
    expect(page.find('[data-side="0"] option:checked')).to_have_text("Reference answer")
    page.find('[data-side="1"]').first.select_option(label="Birch")
    page.wait_link("with", str(answers(studio, "set-boat")["Birch"]))
    page.find('[data-side="1"]').first.select_option(label="Reference answer")
    expect(page.find('[data-side="0"] option:checked')).to_have_text("Birch")  # they change sides
    for _ in range(2):  # whichever side it stands on, the file has both
        link = page.find('a[href*="compare.html"]')
        expect(link).to_have_attribute("href", re.compile(r"/\d+/export/compare\.html\?other=reference$"))
        assert page.page.request.get(page.page.evaluate("(link) => link.href", link.element_handle())).ok
        page.find('[data-act="swap"]').click()
        expect(page.find(".compared[aria-busy]")).to_have_count(0)


def test_the_next_query_has_the_same_planners(opens: Opens) -> None:
    page = opens(f"&set={figuring.SET}&show=compare")
    page.find('[data-side="1"]').first.select_option(label="d")
    page.settled()
    title = page.find("h1").inner_text()
    page.press("]")
    expect(page.find("h1")).not_to_have_text(title)
    expect(page.find('[data-side="1"] option:checked')).to_have_text("d")
    page.press("[")
    expect(page.find("h1")).to_have_text(title)


def test_scores_of_judges_show_only_where_one_has_voted(opens: Opens, studio: Server) -> None:
    both = answers(studio, "set-boat")
    page = opens(f"&set=set-boat&show=compare&plan={both['Alder']}")
    expect(page.find(".side-head .locked")).to_have_count(6)
    assert not re.search("SECRET|72", page.find(".compared").inner_text())
    person = Inspector(studio.url, "Comparer")
    person.vote(both["Alder"], {"about": "fs", "fs": 10})
    page.be(person, "Comparer")
    expect(page.find(".side-head").first.locator(".figures")).to_contain_text("72")
    expect(page.find(".side-head").nth(1).locator(".locked")).to_have_count(3)


UNCOVERED = """() => {
  const edge = (name, side) => document.querySelector(name).getBoundingClientRect()[side];
  return Math.abs(edge(".pair-row[aria-current]", "top") - edge(".compare-top", "bottom")) < 2;
}"""


def test_a_long_plan_is_drawn_as_one_goes_down_and_any_pair_is_reached(opens: Opens, studio: Server) -> None:
    page = opens(f"&set=set-long&show=compare&plan={answers(studio, 'set-long')['Alder']}")
    expect(page.find(".pair-map button")).to_have_count(120)
    page.press("n")
    assert page.here == "60"
    expect(page.row(60)).to_be_in_viewport()
    page.page.wait_for_function(UNCOVERED)


def test_a_plan_that_stands_alone_is_compared_with_the_reference_or_says_so(opens: Opens) -> None:
    page = opens("&set=set-lone&show=compare")
    expect(page.find('[data-side="1"] option:checked')).to_have_text("Reference answer")


ALIGN = """(align, [left, right]) => {
  const wordsOf = (text) => new Set(text.toLowerCase().match(/[\\p{L}\\p{N}_]+/gu));
  const parts = (list) => list.map(([text, tools]) => ({ text, tools, words: wordsOf(text) }));
  return align.align(parts(left), parts(right));
}"""


def test_alignment_keeps_the_order_pairs_what_is_alike_and_loses_nothing(opens: Opens) -> None:
    page = opens("&set=set-lone&show=compare")
    one, two, three = ["Boil the water", []], ["Add the tea leaves", ["search"]], ["Wait some minutes", []]
    aligned = page.module("plans/align.js", ALIGN, [[one, two, three], [two, three]])
    assert aligned == [[0, None], [1, 0], [2, 1]]
    crossing = page.module("plans/align.js", ALIGN, [[one, two], [two, one]])
    assert [pair for pair in crossing if None not in pair] in ([[0, 1]], [[1, 0]]), "pairs never cross"
    assert page.module("plans/align.js", ALIGN, [[], [one]]) == [[None, 0]]
    assert page.module("plans/align.js", ALIGN, [[["", ["code"]]], [["", ["code"]]]]) == [[0, 0]], "calls alone"
    many = [[f"word{k % 7} part {k}", []] for k in range(400)]
    aligned = page.module("plans/align.js", ALIGN, [many, many[::-1]])
    for side in (0, 1):
        places = [pair[side] for pair in aligned if pair[side] is not None]
        assert places == list(range(400)), "each part once, in its order"


# scores


def test_scores_are_those_of_the_server_by_planner_and_judge_with_people_marked(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=scores")
    scores = figures(studio, "scores")
    table = page.told("By planner and judge")
    expect(table.locator("tbody")).to_have_count(4)
    expect(table.locator("tr.people")).to_have_count(4)
    for row in [row for row in scores["rows"] if row["category"] is None]:
        line = table.locator(f'[data-planner="{row["planner"]}"] [data-by="{row["by"]}"]')
        expect(line).to_contain_text(told(row["fs"]["value"], 1))
        expect(line).to_contain_text(told(row["sr"]["strict"]["micro"]["estimate"]["value"], 1, percent=True))
        expect(line).to_contain_text(told(row["mi"]["value"]))
    for warning in scores["warnings"]:
        expect(page.find(f'[data-warning="{warning["code"]}"]')).to_have_text(warning["text"])
    expect(page.find('[data-warning="judges_differ"]')).to_contain_text(re.compile("11.46.*68.30"))


def test_averages_categories_and_figures_are_chosen_and_stand_in_the_link(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=scores")
    scores = figures(studio, "scores")
    table = page.told("By planner and judge")
    page.choose("s_over", "macro_query")
    page.choose("s_category", "Travel")
    row = next(r for r in scores["rows"] if (r["planner"], r["by"], r["category"]) == ("b", "two", "Travel"))
    line = table.locator('[data-planner="b"] [data-by="two"]')
    expect(line).to_contain_text(told(row["sr"]["strict"]["macro_query"]["estimate"]["value"], 1, percent=True))
    expect(table).to_contain_text("SR strict, queries")
    page.find('.segs [data-value="mi"]').click()
    page.find('select[aria-label="By whom"]').select_option("people")
    cell = next(r for r in scores["rows"] if (r["planner"], r["by"], r["category"]) == ("c", "people", "Recipe"))
    matrix = page.find('.tblwrap[aria-label="MI by category"] [data-planner="c"]')
    expect(matrix).to_contain_text(told(cell["mi"]["value"]))
    page.reload()
    expect(page.find('.tblwrap[aria-label="MI by category"] [data-planner="c"]')).to_contain_text(
        told(cell["mi"]["value"])
    )
    assert page.link("s_over") == "macro_query"
    page.find('[data-view="compare"]').click()
    page.wait_link("s_over", None)
    page.find('[data-view="scores"]').click()
    page.wait_link("s_over", "macro_query")


def test_what_needs_no_judge_and_how_alike_orders_are_is_told_with_n(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=scores")
    scores = figures(studio, "scores")
    plain = next(row for row in scores["plain"] if row["planner"] == "a" and row["category"] is None)
    adoption = page.told("Tool adoption").locator('[data-planner="a"]')
    expect(adoption).to_contain_text(f"{plain['adoption']['search']['value']:.1f}%")
    overlap = page.told("Against the reference answers").locator('[data-planner="a"]')
    for how in ("mean", "micro"):
        expect(overlap).to_contain_text(told(plain["tool_sets"][how]["f1"]["value"], 1, percent=True))
    ranks = page.told("Rank correlations")
    expect(ranks.locator("tbody tr:not(.part-head)")).to_have_count(len(scores["ranks"]))
    over = next(one for one in scores["ranks"] if one["over"] == "plans")
    expect(ranks).to_contain_text(told(over["ranks"]["rho"]))


def test_published_results_are_folded_marked_and_in_no_table_of_ours(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=scores")
    expect(page.find(".panel")).not_to_contain_text("Claude Sonnet 4.5")
    page.find(".published summary").click()
    expect(page.find('[aria-label="Published averages"] tbody tr')).to_have_count(10)
    expect(page.find('[aria-label="Published averages"] caption')).to_contain_text("not comparable with ours")
    two = page.find('[aria-label="Published SR of one planner under two judges"]')
    expect(two).to_contain_text("11.46")
    expect(two).to_contain_text("68.30")
    expect(page.find('[aria-label="Published rank correlations"]')).to_contain_text("0.8909")


def test_a_set_that_nobody_judged_says_what_to_do(opens: Opens) -> None:
    page = opens("&set=set-lone&show=scores")
    expect(page.told("Tool adoption")).to_be_visible()
    expect(page.find(".panel .hole")).to_contain_text("Nobody has judged these plans yet")
    page.find('[data-view="agreement"]').click()
    page.settled()
    expect(page.find(".panel .hole")).to_contain_text("No judge has looked at this set")
    page.find(".panel .hole button").click()
    expect(page.page.locator("dialog.plan-data[open] h2")).to_contain_text("Inspect")


# agreement


def test_each_inspector_stands_beside_what_is_published_of_it(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=agreement")
    found = figures(studio, "agreement")
    panels = {"precision": found["precision"]["success"], "recall": found["recall"]["places"]}
    panels["chief"] = found["chief"]["good"]
    for name, published in (("precision", "84.00%"), ("recall", "85.88%"), ("chief", "88.00%")):
        row = page.find(f'[data-inspector="{name}"]')
        expect(row.locator(".elsewhere").first).to_contain_text(published)
        expect(row).to_contain_text(
            told(panels[name]["overall"]["judge_person"]["percent_agreement"]["value"], 1, percent=True)
        )
        row.get_by_role("button").click()
        agreed = page.told("All statistics").locator('tr[data-statistic="gwet_ac1"]')
        for side in ("judge_person", "person_person"):
            expect(agreed).to_contain_text(told(panels[name]["overall"][side]["gwet_ac1"]["value"]))
    page.wait_link("a_of", "chief")
    expect(page.told("Tiers and verdicts")).to_be_visible()
    rho = found["chief"]["fs"]["ranks"]["rho"]
    expect(page.told("Final scores")).to_contain_text(told(rho))
    page.find('[data-inspector="recall"] button').click()
    pairing = page.find('.tblwrap[aria-label="Gaps that pair"] [data-tolerance="1"]').first
    expect(pairing).to_contain_text(told(found["recall"]["judge_person"][1]["f1"]["value"], 1, percent=True))


def test_worst_calls_wait_for_ones_own_vote_and_open_where_they_stand(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=agreement")
    worst = page.told("Worst calls")
    expect(worst.locator("[data-call]")).to_have_count(0)
    expect(worst).to_contain_text("calls wait for your vote")
    worst.get_by_role("button", name="Show everything all the same").click()
    first = worst.locator("[data-call]").first
    first.wait_for()
    answer, number = str(first.get_attribute("data-call")).split("/")
    told = figures(studio, "agreement?tell=1")["precision"]["worst"][0]
    assert (answer, number) == (str(told["answer"]), str(told["call"]))
    first.click()
    page.wait_link("plan", answer)
    page.wait_link("call", number)
    page.wait_link("show", None)


def test_where_to_trust_the_judge_least_is_told_with_its_groups(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=agreement")
    told = figures(studio, "agreement")["precision"]["weakest"]
    expect(page.find(".weakest li")).to_have_count(len(told))
    for one in told:
        line = page.find(f'.weakest [data-group="{one["grouping"]}"][data-label="{one["label"]}"]')
        expect(line).to_contain_text(f"of {one['n']} votes agree")
    assert told


def test_another_judge_is_another_agreement(opens: Opens, studio: Server) -> None:
    page = opens(f"&set={figuring.SET}&show=agreement&a_of=chief")
    page.choose("inspection", "two")
    found = figures(studio, "agreement?inspection=two")
    rho = found["chief"]["fs"]["ranks"]["rho"]
    expect(page.told("Final scores")).to_contain_text(told(rho))
    expect(page.find('[data-warning="one_model"]')).to_have_count(0)
    page.choose("inspection", "one")
    expect(page.find('[data-warning="one_model"]')).to_have_count(1)


WIDE = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("view", ["compare", "scores", "agreement", "agreement&a_of=recall", "agreement&a_of=chief"])
def test_every_view_fits_a_phone_and_shows_hostile_words_as_text(opens: Opens, view: str) -> None:
    hostile = view == "compare"
    page = opens(
        f"&set={f'set-harm {HARM}' if hostile else figuring.SET}&show={view}", viewport={"width": 390, "height": 844}
    )
    assert page.page.evaluate(WIDE) <= 0
    if hostile:
        expect(page.find(".half").first).to_contain_text("onerror=alert(1)")
        expect(page.find(".half img[src='x']")).to_have_count(0)
        one, other = (half.bounding_box() for half in page.row(0).locator(".half").all())
        assert one and other and other["y"] >= one["y"] + one["height"] - 1, "one under the other"
