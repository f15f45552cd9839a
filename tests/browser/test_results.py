"""The Results tab as a person sees it: the leaderboard, its filters in the link, the curves, what is published."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Dialog, Locator, expect

from tests.browser.easel import Easel
from tests.browser.profiles import Profiles
from tests.conftest import Server, serving, stroke
from tests.serving import forked

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}}"
MINUS = "−"
PATH = {"x_start": 0.1, "y_start": 0.5, "x_control": 0.5, "y_control": 0.1, "x_end": 0.9, "y_end": 0.5}


class Results(Easel):
    """One page of the studio that is opened on the Results tab."""

    def ready(self) -> None:
        self.page.locator(".s-results:not([aria-busy])").wait_for()
        self.page.locator(".s-results .results:not([aria-busy], [hidden]), .s-results .hole").first.wait_for()

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-results {selector}")

    @property
    def link(self) -> dict[str, str]:
        """The parameters of the address."""
        return {name: value for name, (value,) in parse_qs(urlsplit(self.page.url).query, True).items()}

    def order(self, part: str = "tbody:not(.part)") -> list[str]:
        """Names of the rows, in their order."""
        rows = self.find(f".board {part} tr[data-row]")
        return [str(key) for key in rows.evaluate_all("(rows) => rows.map((row) => row.dataset.row)")]

    def cells(self, key: str) -> dict[str, str]:
        """What a row says, by column."""
        columns = self.find(".board thead th").evaluate_all("(heads) => heads.map((head) => head.dataset.column)")
        texts = self.find(f'.board [data-row="{key}"] > *').all_inner_texts()
        return dict(zip(columns, texts, strict=True))

    def head(self, column: str) -> Locator:
        return self.find(f'.board th[data-column="{column}"]')

    def button(self, name: str) -> Locator:
        return self.find(".seg").get_by_role("button", name=re.compile(f"^{name}"))

    def asked(self, **query: str) -> dict[str, Any]:
        """The server's answer."""
        return dict(httpx.get(f"{self.url}/api/results", params=query).raise_for_status().json())

    def look(self) -> None:
        """Ask once more, as the page does when it comes back into sight."""
        with self.page.expect_response(lambda response: "/api/results?" in response.url):
            self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        self.settle()


def play(
    client: httpx.Client, task: dict[str, Any], player: dict[str, str], seed: int, strokes: int, protocol: str
) -> str:
    """Play a session to its end, by a submit or to the end of the budget; returns its id."""
    wish = {"task_id": task["id"], "protocol": protocol, "player": player}
    begun = client.post("/api/sessions", json=wish).raise_for_status().json()
    path, headers = f"/api/sessions/{begun['session_id']}/actions", {"Authorization": f"Bearer {begun['write_token']}"}
    semantic = task["category"] == "semantic"
    actions: list[dict[str, Any]] = [
        {"kind": "brush_stroke", "stroke": PATH if semantic else stroke(100 * seed + k)} for k in range(strokes)
    ]
    if strokes < task["budget"]:
        actions += [{"kind": "invalid", "reason": "no words"}] * (seed % 3 == 0) + [{"kind": "submit"}]
    for k, action in enumerate(actions):
        client.post(path, json={"request_id": f"r{k}", "action": action}, headers=headers).raise_for_status()
    return str(begun["session_id"])


def fill(url: str) -> None:
    """Three that have done every programmatic task, one person whose name means harm, others elsewhere."""
    human, agent = {"kind": "human", "name": "Ada"}, {"kind": "agent", "name": "vlm", "model": "vlm-1"}
    with httpx.Client(base_url=url) as client:
        shelves: dict[str, list[dict[str, Any]]] = {}
        for task in client.get("/api/tasks").json():
            shelves.setdefault(task["category"], []).append(task)
        tasks = shelves["programmatic"]
        for seed, task in enumerate(tasks):
            play(client, task, human, seed, 1, "studio")
            play(client, task, agent, 30 + seed, 2, "studio")
            play(client, task, {"kind": "agent", "name": "greedy"}, 60 + seed, 3, "studio")
        for seed, task in enumerate(tasks[:3]):
            play(client, task, {"kind": "human", "name": HOSTILE}, 90 + seed, 2, "studio")
        play(client, tasks[4], {"kind": "human", "name": "Noor"}, 7, tasks[4]["budget"], "benchmark")
        played = play(client, shelves["abstract"][0], human, 8, 1, "studio")
        log = client.get(f"/api/sessions/{played}/log").content
        client.post("/api/sessions/import", content=log).raise_for_status()
        for seed, task in enumerate(shelves["semantic"]):
            play(client, task, human, seed, 1, "benchmark")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("results"), forked) as server:
        fill(server.url)
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


Opens = Callable[..., Results]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens the Results tab; all pages are checked at the end."""
    opened: list[Results] = []
    with ExitStack() as loans:

        def open_results(query: str = "&category=programmatic&protocol=studio", **options: Any) -> Results:
            results = Results(loans.enter_context(homes.lent(**options)), studio.url)
            opened.append(results)
            results.open(f"?tab=results{query}")
            return results

        yield open_results
        assert not [error for results in opened for error in results.errors]
        home, asked = urlsplit(studio.url).netloc, [url for results in opened for url in results.requests]
        assert not [url for url in asked if urlsplit(url).netloc not in ("", home)]
        for results in opened:
            results.leave()


def f3(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".replace("-", MINUS)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"


FIGURES = {name: name for name in ("at_half", "auc", "best", "edge_iou", "skill")} | {"gap": "final_best_gap"}


def test_order_ranks_and_figures_are_the_servers(opens: Opens) -> None:
    results = opens()
    answer = results.asked(category="programmatic", protocol="studio")
    players, anchors = answer["players"], answer["anchors"]
    complete = [row for row in players if row["complete"]]
    assert [row["rank"] for row in complete if row["kind"] not in ("people", "anchor")] == [1, 2, 3]
    assert results.order() == [
        row["key"] for row in sorted([*complete, *anchors], key=lambda row: -row["final"]["mean"])
    ], "anchors stand at their place in the order"
    for row in [*players, *anchors]:
        cells = results.cells(row["key"])
        assert cells["rank"] == ("" if row["kind"] == "anchor" else str(row["rank"] or "–"))
        assert cells["final"] == f3(row["final"]["mean"])
        low, high = (f3(row["final"][end]).removeprefix("0") for end in ("low", "high"))
        assert cells["interval"] == f"{low}–{high}"
        assert {name: cells[name] for name in FIGURES} == {name: f3(row[key]) for name, key in FIGURES.items()}
        assert cells["repeat"] == percent(row["exact_repeat_rate"])
        assert cells["invalid"] == percent(row["invalid_rate"])
        assert cells["n"] == str(row["n"])
        assert cells["sessions"] == (str(row["sessions"]) if row["sessions"] else "–")
    expect(results.find(".meta")).to_contain_text("15 tasks, studio rules, brush/1, similarity/1.")
    agent = next(row for row in complete if row["kind"] == "agent")
    assert results.cells(agent["key"])["player"].split("\n")[-1] == "vlm-1", "the model is named"


def test_who_is_incomplete_stands_apart_unranked_with_the_coverage(opens: Opens) -> None:
    results = opens()
    people = next(
        row for row in results.asked(category="programmatic", protocol="studio")["players"] if row["kind"] == "people"
    )
    (key,) = results.order(".part")
    assert key not in results.order()
    cells = results.cells(key)
    assert cells["rank"] == "–"
    assert cells["player"].splitlines()[-1] == "3 of 15"
    expect(results.find(".part")).to_contain_text("Incomplete: not ranked against complete ones")
    assert "human baseline" in results.cells(people["key"])["player"]


def test_a_hostile_name_is_text(opens: Opens) -> None:
    results = opens()
    dialogs: list[Dialog] = []
    results.listen("dialog", lambda dialog: dialogs.append(dialog))
    (key,) = results.order(".part")
    results.find(f'[data-act="pick {key}"]').check()
    assert HOSTILE in results.cells(key)["player"]
    expect(results.find(".end").filter(has_text=HOSTILE)).to_contain_text("3/15")
    assert results.page.locator("img[src=x]").count() == 0
    assert not dialogs


def test_a_column_sorts_by_keyboard_both_ways_and_the_link_keeps_it(opens: Opens) -> None:
    results = opens()
    complete = [row for row in results.asked(category="programmatic", protocol="studio")["players"] if row["complete"]]
    rising = [row["key"] for row in sorted(complete, key=lambda row: row["auc"])]
    usual, anchors = results.order(), {"data_policy", "mean_fill", "dominant_fill", "blank_canvas"}
    expect(results.head("final")).to_have_attribute("aria-sort", "descending")
    button = results.head("auc").get_by_role("button")
    for direction, keys, sort in (("descending", rising[::-1], "auc"), ("ascending", rising, "-auc")):
        button.press("Enter")
        expect(results.head("auc")).to_have_attribute("aria-sort", direction)
        assert results.head("final").get_attribute("aria-sort") is None
        assert results.order()[: len(keys)] == keys
        assert set(results.order()[len(keys) :]) == anchors, "what has no figure comes last, either way"
        assert results.link["sort"] == sort
        expect(button).to_be_focused()
    results.reload()
    expect(results.head("auc")).to_have_attribute("aria-sort", "ascending")
    assert results.order()[: len(rising)] == rising
    results.head("final").get_by_role("button").click()
    assert results.order() == usual
    assert "sort" not in results.link


def test_filters_are_in_the_link_and_come_back(opens: Opens) -> None:
    results = opens("&category=programmatic")
    expect(results.button("Benchmark")).to_have_attribute("aria-pressed", "true")
    assert results.button("Benchmark").inner_text().split() == ["Benchmark", "1"]
    assert results.button("Studio").inner_text().split() == ["Studio", "48"]
    results.button("Studio").click()
    results.button("Agents").click()
    expect(results.find("tr[data-row] .player")).to_have_count(2)
    results.find(".switch").click()
    wanted = {"tab": "results", "category": "programmatic", "protocol": "studio", "kind": "agent", "imported": "1"}
    assert results.link == wanted
    results.reload()
    expect(results.button("Agents")).to_have_attribute("aria-pressed", "true")
    expect(results.find("tr[data-row] .player")).to_have_count(2)
    expect(results.find(".switch input")).to_be_checked()
    results.page.go_back()
    expect(results.find(".switch input")).not_to_be_checked()
    results.page.go_back()
    expect(results.button("Everyone")).to_have_attribute("aria-pressed", "true")
    expect(results.find("tr[data-row] .player")).to_have_count(5)
    assert results.link == {"tab": "results", "category": "programmatic", "protocol": "studio"}


def test_imported_sessions_come_when_asked_for_and_are_marked(opens: Opens) -> None:
    results = opens("&category=abstract&protocol=studio")
    ada = results.find(".part tr").filter(has_text="Ada")
    expect(ada).to_have_count(1)
    results.find(".switch").click()
    expect(ada).to_have_count(2)
    expect(ada.filter(has_text="imported")).to_have_count(1)


def test_the_semantic_scope_has_its_tasks_and_conduct(opens: Opens) -> None:
    results = opens("&category=semantic")
    (row, people) = results.asked(category="semantic")["players"]
    cells = results.cells(row["key"] if row["kind"] == "human" else people["key"])
    assert len(row["tasks"]) == 5
    assert {task: cells[task] for task in row["tasks"]} == {task: f3(score) for task, score in row["tasks"].items()}
    assert cells["maze_invalid"] == percent(row["maze_invalid_rate"])
    assert cells["submit"] == f"{row['submit_percent']:.1f}"
    assert cells["maze_undos"] == cells["other_undos"] == "0"
    expect(results.find(".meta")).to_contain_text("an order only")


def test_the_file_has_what_the_filters_ask_for(opens: Opens) -> None:
    results = opens("&category=programmatic&protocol=studio&kind=human")
    with results.page.expect_download() as download:
        results.find(".btn").filter(has_text="CSV").click()
    assert download.value.suggested_filename == "easel-results-programmatic-studio.csv"
    query = {"category": "programmatic", "protocol": "studio", "kind": "human"}
    assert Path(download.value.path()).read_bytes() == httpx.get(f"{results.url}/api/results.csv", params=query).content


def test_curves_are_read_off_by_keyboard_and_chosen_by_a_box(opens: Opens) -> None:
    results = opens()
    answer = results.asked(category="programmatic", protocol="studio")
    ranked = [row for row in answer["players"] if row["rank"]]
    others = [row for row in answer["players"] if not row["rank"]]
    named = results.find(".end:not(.anchor)")
    assert sorted(named.all_inner_texts()) == sorted(f"{f3(row['curve'][100])}\n{row['name']}" for row in ranked)
    assert results.find(".end.anchor").count() == 4
    slider = results.find("[role=slider]")
    slider.press("Home")
    for _ in range(3):
        slider.press("PageUp")
    slider.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuenow", "29")
    said = str(slider.get_attribute("aria-valuetext"))
    for row in ranked:
        assert f"{row['name']} {f3(row['curve'][29])}" in said
        expect(named.filter(has_text=row["name"])).to_contain_text(f3(row["curve"][29]))
    results.find(f'[data-act="pick {ranked[0]["key"]}"]').press(" ")
    results.find(f'[data-act="pick {others[0]["key"]}"]').press(" ")
    expect(named).to_have_count(3)
    assert results.link["lines"] == ",".join([others[0]["key"], ranked[1]["key"], ranked[2]["key"]])
    results.reload()
    expect(named).to_have_count(3)
    expect(results.find(f'[data-act="pick {ranked[0]["key"]}"]')).not_to_be_checked()


def test_a_row_opens_the_paintings_of_its_player_and_back_leads_here(opens: Opens) -> None:
    results = opens()
    key = next(
        row["key"]
        for row in results.asked(category="programmatic", protocol="studio")["players"]
        if row["kind"] == "agent"
    )
    results.find(f'[data-row="{key}"] .main').click()
    wall = results.page.locator(".s-watch .wall a")
    expect(wall).to_have_count(15)
    assert results.link == {"tab": "watch", "player": "vlm", "kind": "agent"}
    results.page.go_back()
    expect(results.find(f'[data-row="{key}"]')).to_be_visible()
    assert results.link == {"tab": "results", "category": "programmatic", "protocol": "studio"}
    results.find(f'[data-act="open {key}"]').press("Enter")
    expect(wall.first).to_be_visible()


def test_a_new_session_comes_in_and_nothing_is_lost(opens: Opens, studio: Server) -> None:
    results = opens("&category=abstract", viewport={"width": 800, "height": 700})
    results.page.evaluate("localStorage.setItem('es-name', JSON.stringify('Zoe'))")
    results.page.evaluate("localStorage.setItem('es-paintings', JSON.stringify({one: {task_id: 'abstract-02'}}))")
    results.head("invalid").get_by_role("button").press("Enter")
    link = results.find(".part tr").filter(has_text="Ada").get_by_role("link")
    link.focus()
    scroller = results.find(".board .tblwrap")
    scroller.evaluate("(scroller) => { scroller.scrollLeft = 90; scrollTo(0, 40); }")
    with httpx.Client(base_url=studio.url) as client:
        task = client.get("/api/tasks/abstract-02").json()
        play(client, task, {"kind": "human", "name": "Zoe"}, 5, 1, "studio")
    results.look()
    mine = results.find(".part tr").filter(has_text="Zoe")
    expect(mine).to_contain_text("You")
    expect(mine).to_have_class(re.compile(r"\byou\b"))
    expect(link).to_be_focused()
    expect(results.head("invalid")).to_have_attribute("aria-sort", "ascending")
    assert scroller.evaluate("(scroller) => [scroller.scrollLeft, scrollY]") == [90, 40]


def test_published_results_stand_apart_and_closed(opens: Opens) -> None:
    results = opens()
    table = results.find(".published table")
    assert table.count() == 0
    assert not [url for url in results.requests if "/api/results/published" in url]
    summary = results.find(".published summary")
    summary.press("Enter")
    expect(table.locator("tbody tr")).to_have_count(26)
    published = httpx.get(f"{results.url}/api/results/published").json()
    for row, texts in zip(published["rows"], table.locator("tbody tr").all(), strict=True):
        expect(texts).to_contain_text(row["model"])
        expect(texts.locator(".main")).to_have_text(f3(row["final"]))
    expect(results.find(".notes li")).to_have_count(sum(len(row["warnings"]) for row in published["rows"]))
    expect(results.find(".caution")).to_contain_text(published["warning"])
    expect(results.find(".published a")).to_have_attribute("href", published["url"])
    assert published["rows"][0]["model"] not in results.find(".board").inner_text()
    results.button("Semantic").click()
    expect(table.locator("tbody tr")).to_have_count(len(published["semantic"]))
    expect(table).to_contain_text("Harder maze")


def test_where_nobody_has_played_it_says_what_to_do(opens: Opens) -> None:
    results = opens("&category=natural")
    results.find(".hole").get_by_role("button", name="Start a run").click()
    expect(results.page.get_by_role("tab", name="Connect an agent")).to_have_attribute("aria-selected", "true")
    results = opens("&category=semantic&protocol=studio")
    expect(results.find(".hole")).to_contain_text("5 sessions")
    results.find(".hole").get_by_role("button", name="Show benchmark rules").click()
    expect(results.find("tr[data-row]")).to_have_count(2)


def test_an_answer_that_does_not_come_is_told_where_it_would_stand(opens: Opens) -> None:
    results = opens()
    results.expected_errors = 1
    results.page.route("**/api/results?*", lambda route: route.abort())
    results.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(results.find(".state")).to_contain_text("The figures are as they were.")
    assert results.order(), "what is there stays"
    results.button("Spatial").click()
    expect(results.find(".hole[role=alert]")).to_contain_text("The server cannot be reached.")
    expect(results.find(".board")).not_to_be_visible()
    results.page.unroute("**/api/results?*")
    results.button("Programmatic").click()
    expect(results.find(".board")).to_be_visible()
    expect(results.find(".state")).to_be_empty()


def test_a_link_that_asks_for_what_there_is_not_is_answered_in_words(opens: Opens) -> None:
    results = opens("&category=natural&protocol=practice&kind=cat&sort=nothing&lines=nobody,,x")
    expect(results.find(".hole")).to_contain_text("No results yet")
    results.expected_errors = 1
    results.open("?tab=results&category=nowhere")
    expect(results.find(".hole[role=alert]")).to_contain_text("There is no such category")
    results.find(".hole").get_by_role("button", name="All results").click()
    expect(results.find(".board")).to_be_visible()
    assert results.link == {"tab": "results"}


@pytest.mark.parametrize("width", [390, 720, 1180])
def test_the_table_scrolls_in_its_card_with_player_and_final_in_sight(opens: Opens, width: int) -> None:
    results = opens("&protocol=studio", viewport={"width": width, "height": 844})
    assert results.page.evaluate("document.documentElement.scrollWidth") == width
    scroller = results.find(".board .tblwrap")
    card = results.still(scroller)
    scroller.evaluate("(scroller) => { scroller.scrollLeft = scroller.scrollWidth; }")
    row = results.find(".board tr.opens").first
    for cell in (row.locator(".who"), row.locator(".main")):
        box = results.still(cell)
        assert card["x"] <= box["x"] and box["x"] + box["width"] <= card["x"] + card["width"]
    expect(results.head("natural")).to_be_in_viewport()
