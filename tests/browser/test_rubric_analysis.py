"""The Analysis and Trace views of the Rubric review tab, and tool runs begun there: every figure is the server's."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Dialog, expect

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.analysing import (
    ALONE,
    ALPHA,
    BETA,
    BLIND,
    CATEGORIES,
    CODE,
    GAMMA,
    HARM,
    HOSTILE,
    MANY,
    OPEN,
    SECRET,
    Page,
    fill,
)
from tests.browser.easel import HTTP
from tests.browser.grading import API, named, watched
from tests.browser.profiles import Profiles
from tests.conftest import wait_until
from tests.endpoint import endpoint
from tests.endpoint.judge import grader
from tests.endpoint.tool_user import tool_user
from tests.runs.answered import of_model
from tests.serving import forked, serving

pytestmark = pytest.mark.browser
MINUS = "−"
BOXES = """all => all.map((one) => {
  const {left, right, top, bottom} = one.getBoundingClientRect();
  return [left, right, top, bottom];
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("analysis")
    studio = Studio(Settings(data_dir=folder))
    fill(studio.rubrics)
    studio.close()
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with serving(folder, forked) as server:
        yield server.url


@pytest.fixture(scope="module")
def homes(browser: Browser, url: str) -> Profiles:
    return Profiles(browser, url)


Opens = Callable[..., Page]


@pytest.fixture
def opens(url: str, homes: Profiles) -> Iterator[Opens]:
    """Opens a view; all pages are checked at the end."""
    with watched(Page, url, homes, f"&set={MANY}&show=analysis") as opening:
        yield opening


def percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def test_the_table_of_players_says_what_the_server_says_with_n_and_intervals(opens: Opens) -> None:
    page = opens()
    players = page.ask(f"sets/{MANY}/analysis")["players"]
    assert [player["player"] for player in players] == [ALPHA, BETA, GAMMA]
    for player in players:
        row = page.find(f'[aria-label="Players"] tr[data-player="{player["player"]}"]')
        _, apr, ars, proactivity, success, volume, rounds, scored = page.cells(row)
        assert scored.startswith(f"{player['scored']} of {player['answers']}")
        ends = f"{100 * player['apr']['low']:.1f} to {100 * player['apr']['high']:.1f}"
        assert apr.startswith(f"{percent(player['apr']['value'])} {ends}")
        assert ars.startswith(f"{player['ars']['value']:.3f} {player['ars']['low']:.3f} to")
        tools = player["tools"]
        assert proactivity.startswith(percent(tools["proactivity"]["value"]))
        rate = tools["success_rate"]
        assert success == "– no calls" if rate["value"] is None else success.startswith(percent(rate["value"]))
        assert rate["value"] is None or success.endswith(f"n {rate['n']}")
        assert volume.startswith(f"{tools['volume']['value']:.2f}")
        assert rounds.startswith(f"{tools['rounds']['value']:.2f}")
        own = page.ask(f"sets/{MANY}/answers", player=player["player"], limit=500)["answers"]
        assert player["first"] == min(line["answer"] for line in own)
    told = page.find(f'[aria-label="Players"] tr[data-player="{BETA}"] .conditions')
    assert told.inner_text().split("\n") == ["Weak prompt", "No tools", "Golden history"]
    assert page.find(f'tr[data-player="{GAMMA}"] .conditions').inner_text() == "Conditions not on record"


def test_players_are_sorted_by_any_figure_and_the_link_keeps_it(opens: Opens) -> None:
    page = opens()
    players = page.ask(f"sets/{MANY}/analysis")["players"]
    names = page.find('[aria-label="Players"] tbody .rater')
    by_apr = sorted(players, key=lambda player: -player["apr"]["value"])
    assert names.all_inner_texts() == [player["player"] for player in by_apr]
    page.find('[data-sort="volume"]').focus()
    page.press("Enter")
    expect(page.find('[data-sort="volume"]')).to_be_focused()
    by_volume = [ALPHA, GAMMA, BETA]
    assert names.all_inner_texts() == by_volume
    for part in (".matrix tbody .rater", '[role=group][aria-label="Turns by how they ended"] .stack-name'):
        assert page.find(part).all_inner_texts() == by_volume
    page.reload()
    assert names.all_inner_texts() == by_volume
    assert page.find("th[aria-sort=descending]").inner_text().strip().startswith("Volume")
    page.find('[data-sort="volume"]').focus()
    page.press("Enter")  # the other way round
    expect(names).to_have_text(by_volume[::-1])
    expect(page.find('[data-sort="volume"]')).to_be_focused()
    assert page.address["sort"] == "-volume" and page.find("th[aria-sort=ascending]").count() == 1


def test_each_cell_of_the_matrix_is_the_servers_and_tells_its_n_and_interval_by_keyboard(opens: Opens) -> None:
    page = opens()
    players = {player["player"]: player for player in page.ask(f"sets/{MANY}/analysis")["players"]}
    for group, listed in (("category", "categories"), ("domain", "domains"), ("turn_kind", "turn_kinds")):
        page.find(f'[aria-label="Groups of tasks"] [data-value="{group}"]').click()
        for name, player in players.items():
            for cell in player[listed]:
                shown = page.find(f'.matrix tr[data-player="{name}"] [data-cell="{cell["key"]}"]')
                apr = cell["group"]["apr"]
                wanted = "–" if apr["value"] is None else percent(apr["value"])
                assert shown.inner_text().split("\n") == [wanted, f"n {apr['n']}"]
    page.find('[aria-label="Groups of tasks"] [data-value="category"]').click()
    first, tip = page.find(".matrix [data-cell]").first, page.find(".figure-tip")
    first.focus()
    expect(tip).to_be_visible()
    before, key = tip.inner_text(), first.get_attribute("data-cell")
    assert "95% interval" in before and "\nn\n" in before
    page.press("ArrowDown")
    expect(tip).not_to_have_text(before)
    focused = page.find(".matrix [data-cell]:focus")
    assert focused.get_attribute("data-cell") == key
    page.press("Escape")
    expect(tip).to_be_hidden()
    page.press("Enter")  # its answers
    page.settled()
    assert page.address["traces"] == "1" and page.address["category"] == key
    expect(page.page.get_by_role("region", name="Traces")).to_be_focused()


def test_points_of_the_plots_are_players_with_their_figures_and_arrow_keys_go_through_them(opens: Opens) -> None:
    page = opens()
    players = page.ask(f"sets/{MANY}/analysis")["players"]
    for title, figure, write in (
        ("APR against proactivity", "proactivity", percent),
        ("APR against volume", "volume", lambda value: f"{value:.2f}"),
    ):
        points = page.find(f'.plot[aria-label="{title}"] [data-point]')
        labels = {
            label.split(": APR ")[0]: label for label in points.evaluate_all("all => all.map(one => one.ariaLabel)")
        }
        assert set(labels) == {player["player"] for player in players}
        for player in players:
            label = labels[player["player"]]
            assert f"APR {percent(player['apr']['value'])}" in label and f"n {player['apr']['n']}" in label
            assert f"{write(player['tools'][figure]['value'])}" in label
        assert points.evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1
        boxes = page.find(f'.plot[aria-label="{title}"] .name').evaluate_all(BOXES)
        assert len(boxes) == len(players)
        for k, (left, right, top, bottom) in enumerate(boxes):
            assert not any(left < r and x < right and top < b and y < bottom for x, r, y, b in boxes[k + 1 :])
    points = page.find('.plot[aria-label="APR against volume"] [data-point]')
    points.first.focus()
    page.press("ArrowRight")
    expect(points.nth(1)).to_be_focused()
    told = page.find(".figure-tip").inner_text()
    assert told.startswith(points.nth(1).get_attribute("data-point") or "?")
    repeats = page.find('.plot[aria-label="Repeated attempts"] [data-point]').evaluate_all(
        "all => all.map(one => one.ariaLabel)"
    )
    alpha = next(player for player in players if player["player"] == ALPHA)
    for one in alpha["repeats"]:
        for rate, word in (("pass_at_k", "pass@"), ("pass_hat_k", "pass^")):
            label = next(label for label in repeats if f"{word}{one['k']} " in label)
            assert percent(one[rate]["value"]) in label and f"Tasks {one['tasks']}" in label


def test_bars_of_tools_endings_and_errors_and_the_operations_are_the_servers(opens: Opens) -> None:
    page = opens()
    players = page.ask(f"sets/{MANY}/analysis")["players"]
    bars_of: dict[str, Callable[[dict[str, Any]], dict[str, int]]] = {
        "Calls by tool": lambda player: player["tools"]["by_tool"],
        "Turns by how they ended": lambda player: player["tools"]["endings"],
        "Kinds of error": lambda player: player["errors"],
    }
    for label, of in bars_of.items():
        bars = page.find(f'[role=group][aria-label="{label}"]')
        for player in players:
            counts = {key: count for key, count in of(player).items() if count}
            stack = bars.locator(f'.stack[data-player="{player["player"]}"]')
            assert stack.count() == bool(counts)
            if counts:
                assert stack.locator(".stack-n").inner_text() == f"n {sum(counts.values())}"
                parts = stack.locator("[data-part]").evaluate_all(
                    "all => all.map(one => [one.dataset.part, one.ariaLabel])"
                )
                assert {key for key, _ in parts} == set(counts)
                assert all(f"{counts[key]} of {sum(counts.values())} " in words for key, words in parts)
    for player in players:
        row = page.find(f'[aria-label="Image operations of models"] tr[data-model="{player["player"]}"]')
        crop = player["tools"]["operations"]["crop"], player["tools"]["occurrences"]["crop"]
        assert page.cells(row)[1] == (f"{crop[0]} {crop[1]}×" if crop[0] else "0")


def test_two_players_are_compared_task_by_task_as_the_link_says(opens: Opens) -> None:
    page = opens(f"&set={MANY}&show=analysis")
    page.press("c")
    page.settled()
    page.find('[data-side="b"]').select_option(BETA)
    page.settled()
    found = page.ask(f"sets/{MANY}/compare", a=ALPHA, b=BETA)
    sign = "+" if found["difference"]["value"] > 0 else ""
    wanted = f"{sign}{found['difference']['value']:.3f}".replace("-", MINUS)

    def is_shown() -> None:
        assert page.find('[data-figure="Score"]').inner_text() == wanted
        for cell in ("both", "only_a", "only_b", "neither"):
            assert page.find(f'td[data-cell="{cell}"]').inner_text() == str(found[cell])
        assert page.find('[data-figure="p"]').inner_text().count(f"{found['p_value']:.3f}") == 1
        assert page.find('[data-side="b"]').input_value() == BETA

    is_shown()
    page.reload()  # a name with commas comes back whole
    is_shown()
    page.find('[data-value="all"]').click()
    rows = page.find("tr[data-task]")
    assert rows.count() == len(found["tasks"])
    gaps = []
    for row in rows.all():
        task = next(task for task in found["tasks"] if task["task_id"] == row.get_attribute("data-task"))
        _, a, b, gap, calls, rounds = page.cells(row)
        for side, shown in ((task["a"], a), (task["b"], b)):
            words = {"hidden": "Hidden"}.get(side["status"], "Pass" if side["passed"] else "Fail")
            assert shown == (words if side["score"] is None else f"{side['score']:.3f} {words}")
        known = None not in (task["a"]["score"], task["b"]["score"])
        gaps += [task["b"]["score"] - task["a"]["score"]] if known else []
        assert known or gap == "–"
        assert calls == f"{task['a']['calls']} · {task['b']['calls']}"
        assert rounds == f"{task['a']['rounds']} · {task['b']['rounds']}"
    assert gaps == sorted(gaps, reverse=True)
    page.find('[data-value="differ"]').click()
    assert rows.count() == sum(abs(gap) > 5e-4 for gap in gaps)
    page.choose("category", CATEGORIES[0])
    assert page.address["category"] == CATEGORIES[0]
    page.find("tr[data-task] th a").first.click()  # both traces, side by side
    page.settled()
    expect(page.find(".trace-sheet")).to_have_count(2)
    assert page.find(".trace-head h2").all_inner_texts() == [ALPHA, BETA]
    page.page.go_back()
    page.settled()
    assert page.find('[data-side="a"]').input_value() == ALPHA


def answer_of(page: Page, player: str, task: int, attempt: int = 1) -> int:
    listed = page.ask(f"sets/{MANY}/answers", player=player, task=f"{MANY}-{task}")["answers"]
    return int(next(line["answer"] for line in listed if line["attempt"] == attempt))


def test_a_link_leads_to_a_step_of_a_trace_and_keys_go_on_from_there(opens: Opens, url: str) -> None:
    page = opens()
    answer = answer_of(page, ALPHA, 1)
    page.open(f"&set={MANY}&show=trace&answer={answer}&turn=2&call=3")
    assert page.here == {"turn": "2", "call": "3", "round": None}
    step = page.find(".step.here")
    above = page.find(".trace-head").bounding_box()
    place = step.bounding_box()
    assert above and place and place["y"] >= above["y"] + above["height"]  # not beneath what stays above it
    expect(step).to_be_in_viewport()
    trace = page.ask(f"answers/{answer}/trace")
    call = next(call for one in trace["turns"][1]["steps"] for call in one["calls"] if call["call"] == 3)
    assert step.locator(".latency").inner_text() == f"{call['latency']:.2f} s"
    assert step.locator(".python").inner_text().strip() == CODE.strip()
    expect(step.locator(".python .py-comment")).to_have_text('# the "upper" corner')
    assert step.locator(".why").inner_text() == "The tool reported an error"
    page.press("j")
    assert page.here["call"] == "4" and page.address["call"] == "4"
    page.press("j", "j", "j")
    assert page.here == {"turn": "2", "call": "answer", "round": None}
    page.press("k", "k", "k", "k", "k")
    assert page.here["round"] == "1"
    page.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.press("]")  # another one begins at its beginning
    page.settled()
    assert page.address["answer"] == str(trace["following"])
    expect(page.find(".step.here.prompt-step")).to_be_focused()
    expect(page.find(".step.here.prompt-step")).to_be_in_viewport()
    page.press("[")
    page.settled()
    assert page.address["answer"] == str(answer)
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    page.find('.step[data-turn="2"][data-call="2"] .copy-link').focus()
    page.press("Enter")
    expect(page.page.locator("#es-live")).to_have_text("Link copied")
    link = str(page.page.evaluate("navigator.clipboard.readText()"))
    assert page.address.get("call") != "2"
    page.page.goto(link)
    page.ready()
    assert page.here == {"turn": "2", "call": "2", "round": None}


def test_the_focus_goes_on_into_what_is_shown_next_with_its_verdicts_and_rule(opens: Opens) -> None:
    page = opens(f"&set={MANY}&show=analysis&traces=1&by=people&critical=flag")
    page.find(".answers th a").first.focus()
    page.press("Enter")
    expect(page.find(".step.here")).to_be_focused()
    expect(page.find('[data-act="beside"]')).to_be_enabled()
    page.open(f"&set={MANY}&show=trace&answer={page.address['answer']}&by=people&critical=flag")
    for key, part in (("b", "Figures"), ("c", "Compare")):
        page.press(key)
        page.settled()
        expect(page.page.get_by_role("region", name=part)).to_be_focused()
        assert (page.address["show"], page.address["by"], page.address["critical"]) == ("analysis", "people", "flag")


def test_where_everything_waits_for_a_blind_vote_the_page_says_so_before_the_tasks(opens: Opens) -> None:
    page = opens(f"&set={BLIND}&show=analysis&compare={ALPHA},{GAMMA}")
    expect(page.find(".flush .hole")).to_have_text("All tasks wait for a blind vote.")
    expect(page.find(".telling ~ .card")).to_have_count(1)
    page.find(".telling button").click()
    expect(page.find(".telling")).to_have_count(0)
    expect(page.page.get_by_role("region", name="Compare")).to_be_focused()
    expect(page.find(".flush .hole")).to_have_count(0)
    page.press("t")
    expect(page.find(".telling + .answers")).to_be_visible()


def test_a_trace_has_its_pictures_attempts_rubric_and_golden_answer(opens: Opens) -> None:
    page = opens()
    answer = answer_of(page, ALPHA, 1)
    page.open(f"&set={MANY}&show=trace&answer={answer}")
    trace = page.ask(f"answers/{answer}/trace")
    shown = page.find(".rubric-items li").evaluate_all("all => all.map(one => one.dataset.verdict)")
    assert shown == [item["verdict"] for item in trace["items"]]
    assert page.find(".score-large").inner_text() == f"{trace['score']:.3f}"
    assert "GOLDEN" not in page.find(".rubric-panel").inner_text()
    page.find(".golden summary").first.click()
    expect(page.find(".golden .prose").first).to_have_text("GOLDEN: it shows 45.")
    page.find(".made .thumb-pic").first.click()
    expect(page.page.locator("dialog.zoom[open] h2")).to_contain_text("Picture 1 of call 1, turn 1")
    page.press("Escape")
    page.find('.attempts [aria-label="Attempt 2"]').click()
    page.settled()
    assert page.address["answer"] == str(answer_of(page, ALPHA, 1, attempt=2))
    page.find('[data-act="beside"]').select_option(str(answer_of(page, GAMMA, 1)))
    expect(page.find(".trace-sheet")).to_have_count(2)
    page.press("x")
    expect(page.find(".trace-sheet")).to_have_count(1)


def test_what_waits_for_a_blind_vote_is_not_in_the_page_until_it_is_asked_for(opens: Opens) -> None:
    page = opens()
    hidden = next(line for line in page.ask(f"sets/{MANY}/answers", limit=500)["answers"] if line["status"] == "hidden")
    page.open(f"&set={MANY}&show=trace&answer={hidden['answer']}")
    trace = page.ask(f"answers/{hidden['answer']}/trace")
    assert trace["hidden"] and trace["score"] is None
    expect(page.find(".score-line .tag")).to_have_text("Hidden")
    expect(page.find('[data-verdict="hidden"]')).to_have_count(trace["hidden"])
    for item in page.find('[data-verdict="hidden"]').all():
        html = item.evaluate("one => one.innerHTML")
        assert SECRET not in html and "Met" not in html and "Not met" not in html
    page.find(".telling button").click()
    expect(page.find('[data-verdict="hidden"]')).to_have_count(0)
    assert page.find(".score-large").count() == 1


def waiting(page: Page, token: str | None) -> int:
    """Criteria of the blind set that wait for a blind vote of whoever has a token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    lines = HTTP.get(f"{page.url}{API}/sets/{BLIND}/answers", headers=headers).raise_for_status().json()["answers"]
    return sum(line["status"] == "hidden" for line in lines)


@pytest.mark.parametrize("named", [True, False], ids=["with a name", "before there is a name"])
def test_who_has_looked_does_not_vote_blind(opens: Opens, named: bool) -> None:
    page = opens(f"&set={BLIND}&show=analysis&traces=1")

    def review() -> None:
        page.page.goto(f"{page.url}/?tab=rubrics&set={BLIND}")
        expect(page.find(".ballot[data-entry]")).to_be_visible()

    if named:
        review()
        page.enrol("Looks with a name")
        page.open(f"&set={BLIND}&show=analysis&traces=1")
    page.find(".telling button").click()
    expect(page.find(".telling")).to_have_count(0)
    review()
    if named:
        page.vote("n")
    else:
        page.enrol("Looks before", "n")
    assert waiting(page, page.token) == 0 and waiting(page, None) > 0, "only the one who looked has seen it"
    votes = HTTP.get(f"{page.url}{API}/sets/{BLIND}/export/verdicts.csv").raise_for_status().text
    mine = [row for row in csv.DictReader(io.StringIO(votes)) if "Looks" in row["rater"]]
    assert mine[-1]["blind"] == "false" and mine[-1]["verdict"] == "not_met"


def test_a_search_finds_what_the_server_finds_and_leads_to_its_place(opens: Opens) -> None:
    page = opens()
    page.press("/")
    page.page.keyboard.type("needle AT")
    page.press("Enter")
    page.settled()
    expect(page.find(".hits").first).to_be_visible()
    found = page.ask(f"sets/{MANY}/search", q="needle AT", limit=100)
    assert page.find(".hit").count() == len(found["hits"]) > 3
    assert set(page.find(".hit mark").all_inner_texts()) == {hit["found"] for hit in found["hits"]}
    assert page.find(".hits").count() == len({hit["answer"] for hit in found["hits"]})
    page.choose("where", "observation")
    page.choose("player", GAMMA)
    few = page.ask(f"sets/{MANY}/search", q="needle AT", where="observation", player=GAMMA, limit=100)
    expect(page.find(".hit")).to_have_count(len(few["hits"]))
    page.reload()
    expect(page.find(".hit")).to_have_count(len(few["hits"]))
    assert page.page.get_by_label("Search the traces").input_value() == "needle AT"
    page.find(".hit").nth(1).focus()
    page.press("Enter")
    page.settled()
    hit = few["hits"][1]
    assert page.address["answer"] == str(hit["answer"])
    assert page.here == {"turn": str(hit["turn"]), "call": str(hit["call"]), "round": None}
    marked = page.page.evaluate("[...CSS.highlights.get('es-trace-find')].map(String)")
    assert marked and {text.lower() for text in marked} == {"needle at"}
    page.press("/")
    page.page.keyboard.type("nowhere to be found")
    page.press("Enter")
    page.settled()
    expect(page.find(".hole b")).to_have_text("Nothing found")


def test_nothing_is_wider_than_a_phone(opens: Opens) -> None:
    page = opens(viewport={"width": 390, "height": 844}, color_scheme="dark")
    answer = answer_of(page, ALPHA, 1)
    for query in (
        "&show=analysis",
        f"&show=analysis&compare={ALPHA},{GAMMA}",
        "&show=analysis&traces=1",
        "&show=analysis&traces=1&q=needle",
        f"&show=trace&answer={answer}&turn=2&call=3",
    ):
        page.open(f"&set={MANY}{query}")
        assert page.wide() == 390, query
        choosers, filters = page.find(".choosing .choosers"), page.find(".filters-button")
        expect(choosers).to_be_hidden()
        filters.click()
        expect(choosers).to_be_visible()
        filters.click()
        assert page.wide() == 390, query


def test_what_models_and_people_wrote_stays_text(opens: Opens) -> None:
    page = opens()
    dialogs: list[str] = []

    def opened(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.listen("dialog", opened)
    page.open(f"&set={HARM}&show=analysis")
    assert named(f"m{HOSTILE}long long long", 30)[:20] in page.find('[aria-label="Players"] tbody .rater').inner_text()
    page.find(".matrix [data-cell]").first.focus()
    expect(page.find(".figure-tip")).to_be_visible()
    page.open(f"&set={HARM}&show=analysis&traces=1&q=onerror")
    assert page.find(".hit mark").count() > 3
    page.find(".hit").last.click()
    page.settled()
    code = page.find(".call-step .python").first
    assert "<img src=x onerror=alert(1)>" in code.inner_text()
    expect(page.find(".step .ctl").first).to_have_text("U+202E")
    assert len(code.inner_text()) < 10_000
    page.find(".call-step .codelong button").first.click()
    assert len(code.inner_text()) > 99_000
    expect(code).to_have_css("max-height", "none")
    page.find(".golden summary").first.click()
    assert page.page.locator("img[src='x']").count() == 0
    assert page.wide() == 1440
    assert not dialogs


def test_where_there_is_nothing_yet_the_page_says_what_to_do(opens: Opens) -> None:
    page = opens(f"&set={ALONE}&show=analysis")
    expect(page.find(".hole b").first).to_have_text("Nobody has judged these answers yet")
    page.find(".hole").first.get_by_role("button", name="Judge…").click()
    expect(page.page.locator("dialog.judging h2")).to_have_text("Judge “Alone”")
    page.press("Escape")
    page.press("c")
    expect(page.find(".hole b")).to_have_text("Two players are needed")
    page.open(f"&set={OPEN}&show=analysis")
    expect(page.find(".hole b").first).to_have_text("No answers yet")
    page.open(f"&set={OPEN}&show=trace&answer=99999")
    expect(page.find(".hole.err b")).to_have_text("This trace could not be loaded")
    expect(page.find(".joined .btn:disabled")).to_have_count(2)
    page.open(f"&set={OPEN}&show=trace")
    expect(page.find(".hole b")).to_have_text("No trace is chosen")
    page.open(f"&set={MANY}&show=trace&answer=99999")
    page.find(".hole.err").get_by_role("button", name="All traces").click()
    expect(page.find(".answers")).to_be_visible()
    page.errors = [error for error in page.errors if "404" not in error]


def test_a_run_is_begun_watched_and_judged_here_and_leads_on(opens: Opens) -> None:
    page = opens(f"&set={OPEN}&show=analysis")
    with endpoint(of_model("j", grader, tool_user()), latency=0.02) as model:
        page.find(".hole").get_by_role("button", name="Run…").click()
        dialog = page.page.locator("dialog.judging")
        dialog.locator("#es-tool-run-base_url").fill(model.url)
        dialog.locator("#es-tool-run-model").fill("m")
        dialog.get_by_role("button", name="None").click()
        dialog.locator("#es-tool-run-repeats").fill("2")
        dialog.locator("#es-tool-run-judge_model").fill("j")
        expect(dialog.get_by_text("3 tasks × 2 = 6 attempts")).to_be_visible()
        dialog.get_by_role("button", name="Start").click()
        line = dialog.locator("[data-run]")
        expect(line.locator("b").first).to_have_text("m (no tools)")
        run = line.get_attribute("data-run")
        wait_until(lambda: page.ask(f"tool-runs/{run}")["state"] == "finished")
        page.press("Escape")
        page.find(".bar-acts [aria-haspopup]").click()
        page.find("[data-dialog=toolruns]").click()
        expect(line.locator(".state")).to_have_text("Finished")
        view = page.ask(f"tool-runs/{run}")
        assert line.locator(".tallies").inner_text().startswith(f"{view['done']} of {view['total']} attempts")
        assert "sk-" not in page.page.evaluate("JSON.stringify(localStorage)")
        line.get_by_role("button", name="Analysis").click()
        page.settled()
        players = page.ask(f"sets/{OPEN}/analysis", by=view["judging_id"])["players"]
        assert page.address["show"] == "analysis" and players[0]["scored"] == 6
        row = page.find('[aria-label="Players"] tr[data-player="m (no tools)"]')
        assert page.cells(row)[1].startswith(percent(players[0]["apr"]["value"]))
        page.find(".bar-acts [aria-haspopup]").click()
        page.find("[data-dialog=toolruns]").click()
        line.get_by_role("button", name="Review queue").click()
        expect(page.find(".ballot[data-entry]")).to_be_visible()
        assert page.address["queue"] == view["queue_id"]


@pytest.fixture(scope="module")
def bench(browser: Browser, url: str) -> Iterator[Page]:
    """A page for questions to its modules."""
    page = Page(browser.new_page(), url)
    page.open(f"&set={MANY}&show=analysis")
    yield page
    page.page.close()


PIECES = st.sampled_from(
    [*"\"'#\\\n rbf0x1e.j_π\u202e", '"""', "'''", "def ", "None", "<b>", "0x1F", "1e-3", "print", "é"]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(code=st.lists(PIECES, max_size=60).map("".join))
def test_the_colours_of_code_change_no_character_of_it(bench: Page, code: str) -> None:
    tokens = bench.module("rubrics/tracepagecode.js", "(module, code) => module.tokens(code)", code)
    assert "".join(text for _, text in tokens) == code


def test_python_is_told_from_its_strings_and_comments(bench: Page) -> None:
    code = 'def f(x):  # not "this"\n    return f"""a # b""" + rb\'\\\'\' + 0x1F + x1 + 1.5e-3j'
    tokens = bench.module("rubrics/tracepagecode.js", "(module, code) => module.tokens(code)", code)
    assert [(kind, text) for kind, text in tokens if kind] == [
        ("keyword", "def"),
        ("comment", '# not "this"'),
        ("keyword", "return"),
        ("string", 'f"""a # b"""'),
        ("string", "rb'\\''"),
        ("number", "0x1F"),
        ("number", "1.5e-3j"),
    ]
