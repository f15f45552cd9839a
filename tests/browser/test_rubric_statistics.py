"""Agreement and scores on the Rubric review tab: every figure is the server's, with its n and its interval."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Locator, expect

from easel_app.rubrics.records import Verdict, Vote
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.grading import API, Grading, Person, named, small_set, watched
from tests.browser.profiles import Profiles
from tests.conftest import Server, serving
from tests.services.rubrics import making
from tests.serving import forked

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> ${alert(2)} {{alert(3)}} \u202e"
MINUS = "−"
JUDGES, PEOPLE = "judge_person", "person_person"
SHARES = ("percent_agreement", "sensitivity", "specificity", "macro_f1", "prevalence")
COEFFICIENTS = ("cohen_kappa", "gwet_ac1", "phi", "krippendorff_alpha_nominal")


class Figures(Grading):
    """One page of the studio that is opened on the Agreement or the Scores view."""

    def ready(self) -> None:
        self.page.locator(".s-rubrics:not([aria-busy])").wait_for()
        self.settled()

    def settled(self) -> None:
        """Until the figures on show are those that the link asks for."""
        expect(self.find(".panel .skel, .panel[aria-busy], .agree[aria-busy]")).to_have_count(0)
        self.find(".panel > *, .agree, .hole").first.wait_for()

    @property
    def address(self) -> dict[str, str]:
        return {name: value for name, (value,) in parse_qs(urlsplit(self.page.url).query, True).items()}

    def be(self, name: str, token: str) -> None:
        """Review under a name from now on."""
        kept = "(who) => localStorage.setItem('es-reviewers', JSON.stringify({[studio.url('')]: who}))"
        self.page.evaluate(kept, {"name": name, "tokens": {name: token}})
        self.reload()

    def choose(self, name: str, value: str) -> None:
        self.find(f'[data-choose="{name}"]').select_option(value)
        self.settled()

    def told(self, title: str) -> Locator:
        """The card of a title."""
        return self.find(f'.panel section[aria-label="{title}"]')

    def rows(self, table: str) -> list[list[str]]:
        """The texts of a table's cells by row, each one's lines in one."""
        found = self.find(f'.tblwrap[aria-label="{table}"] tbody tr')
        found.first.wait_for()
        return [
            [" ".join(text.split()) for text in row.locator("th, td:not(.gauged)").all_inner_texts()]
            for row in found.all()
        ]

    def agreement(self, set_id: str, **query: str) -> dict[str, Any]:
        return dict(httpx.get(f"{self.url}{API}/sets/{set_id}/agreement", params=query).raise_for_status().json())

    def scores(self, set_id: str, **query: str) -> dict[str, Any]:
        return dict(httpx.get(f"{self.url}{API}/sets/{set_id}/scores", params=query).raise_for_status().json())


def adopt(rubrics: Rubrics, set_id: str, reviewer: str, verdicts: list[Verdict]) -> None:
    """Blind votes of a reviewer on all pairs of a set, in turn."""
    pairs = [(pair.answer, pair.item) for pair in rubrics.queues.pairs(set_id)]
    rubrics.votes.adopt(
        set_id,
        [
            Vote(
                task_id=answer.task_id,
                model=answer.model,
                attempt=answer.attempt,
                turn=item.turn,
                item_id=item.item_id,
                reviewer=reviewer,
                verdict=verdicts[k % len(verdicts)],
                blind=True,
            )
            for k, (answer, item) in enumerate(pairs)
        ],
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, a set whose every name means harm, one on which all say met, two without votes."""
    folder = tmp_path_factory.mktemp("statistics")
    studio = Studio(Settings(data_dir=folder))
    rubrics = studio.rubrics
    rubrics.sets()  # brings the sample in
    small_set(rubrics, "harm", HOSTILE, size=6, strata=("objectivity",), even=True)
    adopt(rubrics, "set-harm", named(f"r1 {HOSTILE}"), [Verdict.MET, Verdict.NOT_MET, Verdict.NOT_MET])
    adopt(rubrics, "set-harm", "r2", [Verdict.MET])
    small_set(rubrics, "unvoted")
    small_set(rubrics, "uneven", size=6, strata=("objectivity",), even=True)
    small_set(rubrics, "fresh", required=1)
    making.make_set(rubrics, tasks=4)
    making.judge(rubrics, ["met"])
    making.make_queue(rubrics)
    for name in ("a", "b"):
        adopt(rubrics, making.SET, name, [Verdict.MET])
    adopt(rubrics, making.SET, "c", [Verdict.CANNOT_ASSESS])
    studio.close()
    return folder


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Server]:
    with serving(folder, forked) as server:
        yield server


@pytest.fixture(scope="module")
def homes(browser: Browser, studio: Server) -> Profiles:
    return Profiles(browser, studio.url)


@pytest.fixture(scope="module")
def sample(studio: Server) -> dict[str, Any]:
    """The sample set, as the server tells of it."""
    sets = httpx.get(f"{studio.url}{API}/sets").json()
    return dict(next(one for one in sets if one["sample"]))


Opens = Callable[..., Figures]


@pytest.fixture
def opens(studio: Server, homes: Profiles) -> Iterator[Opens]:
    """Opens a view, of the sample unless the query says otherwise; all pages are checked at the end."""
    with watched(Figures, studio.url, homes, "&show=agreement") as opening:
        yield opening


def undefined_in(resamples: int) -> str:
    return f" undefined in {resamples:,} resample{'' if resamples == 1 else 's'}" if resamples else ""


def number(value: float, digits: int, of: float = 1) -> str:
    text = f"{of * value:.{digits}f}"
    return (text if re.search("[1-9]", text) else text.removeprefix("-")).replace("-", MINUS)


def percent(value: float) -> str:
    return f"{number(value, 1, 100)}%"


def shown(key: str, value: float) -> str:
    return percent(value) if key in SHARES else number(value, 2)


def sure(key: str, estimate: dict[str, Any], wilson: list[float] | None = None) -> str:
    """An interval in words."""
    low, high = estimate["low"], estimate["high"]
    if low is None:
        return "no interval: one task"
    collapsed = high - low < 1e-9
    if collapsed and not wilson:
        return "no interval: no spread"
    low, high = wilson if collapsed and wilson else (low, high)
    ends = [number(end, 1, 100) if key in SHARES else number(end, 2) for end in (low, high)]
    told = ", Wilson" if collapsed else undefined_in(estimate["undefined"])  # Wilson's interval has no resamples
    return f"{ends[0]} to {ends[1]}{told}"


def cell(key: str, comparison: dict[str, Any]) -> str:
    """What a cell says of a statistic that has a value."""
    estimate = comparison[key]
    return f"{shown(key, estimate['value'])} {sure(key, estimate, comparison.get(f'{key}_wilson'))}"


def test_the_card_under_the_review_says_at_a_glance_what_the_server_says(opens: Opens, sample: dict[str, Any]) -> None:
    page = opens("")
    answer = page.agreement(sample["set_id"])
    judged = answer["agreement"]["overall"][JUDGES]
    card = page.find(".summary-place .agree")
    people = sum(each["n"] > 0 for each in answer["agreement"]["judge_reviewer"])
    expect(card).to_contain_text(f"{judged['n']} votes by {people} people against {answer['judge']}")
    expect(card.locator("[data-sample]")).to_have_text("Sample data")
    keys = ("percent_agreement", "cohen_kappa", "gwet_ac1")
    for key, stat in zip(keys, card.locator(".stat").all(), strict=True):
        assert stat.get_attribute("data-statistic") == key, "AC1 never stands without kappa before it"
        expect(stat.locator("b")).to_have_text(shown(key, judged[key]["value"]))
        expect(stat).to_contain_text(f"95% CI {sure(key, judged[key])}")
    assert card.locator(".conf td:not(.none)").all_inner_texts() == [str(k) for row in judged["table"] for k in row]
    for kind in ("objective", "subjective"):
        of = answer["agreement"]["groups"]["objectivity"][kind][JUDGES]
        same = of["table"][0][0] + of["table"][1][1]
        expect(card.locator(f'[data-kind="{kind}"]')).to_contain_text(f"{same} of {of['n']}")
        expect(card.locator(f'[data-kind="{kind}"] b')).to_have_text(percent(same / of["n"]))
    expect(card).to_contain_text(f"Only {judged['tasks']} tasks: the interval is a rough guess.")


def test_the_card_counts_votes_of_this_moment_and_does_not_jump(opens: Opens) -> None:
    page = opens("&set=set-fresh")
    card = page.find(".summary-place .agree")
    expect(card).to_contain_text("No vote beside a judge’s verdict yet")
    page.enrol("Counted")
    for _ in range(2):
        page.go_on()
        page.vote("m")
    page.go_on()  # to the next answer
    expect(card).to_contain_text("3 votes by one person against judge plain", timeout=20_000)
    height = card.bounding_box()
    page.vote("n")
    page.go_on()
    page.vote("n")
    page.go_on()
    page.vote("n")
    page.go_on()
    expect(card).to_contain_text("6 votes by one person", timeout=20_000)
    assert height and card.bounding_box() == height | {"y": (card.bounding_box() or height)["y"]}


def test_undefined_is_undefined_with_its_reason_and_never_a_number(opens: Opens) -> None:
    page = opens(f"&show=agreement&set={making.SET}")
    judged = page.agreement(making.SET)["agreement"]["overall"][JUDGES]
    assert judged["cohen_kappa"]["value"] is None and judged["percent_agreement"]["value"] == 1
    kappa = page.find('.agree [data-statistic="cohen_kappa"]')
    expect(kappa.locator("b")).to_have_text("undefined")
    expect(kappa).to_contain_text("all verdicts are met")
    rows = {row[0]: row[1:] for row in page.rows("Statistics of judge and people")}
    assert rows["Specificity"][0] == "undefined people find everything met"
    assert rows["φ"][0] == "undefined all verdicts are met"
    assert rows["Agreement"][0] == "100.0% no interval: no spread", "resamples that are all alike say nothing"
    wilson = judged["sensitivity_wilson"]
    assert rows["Sensitivity"][0] == f"100.0% {number(wilson[0], 1, 100)} to 100.0, Wilson"


def test_only_people_are_counted_whose_votes_are(opens: Opens) -> None:
    page = opens(f"&show=agreement&set={making.SET}")
    answer = page.agreement(making.SET)
    n, reviewers = answer["agreement"]["overall"][JUDGES]["n"], answer["reviewers"]
    assert reviewers == ["a", "b", "c"], "c, who could not assess any, has votes too"
    expect(page.find(".agree")).to_contain_text(f"{n} votes by 2 people against")


@pytest.mark.parametrize(
    ("low", "told"),
    [(1.0, ["74.1 to 100.0, Wilson", None]), (0.8, ["80.0 to 100.0", "undefined in 197 resamples"])],
)
def test_resamples_are_told_beside_their_own_interval_only(opens: Opens, low: float, told: list[str | None]) -> None:
    page = opens("&show=agreement")
    code = """({ RUBRICS, sureness }, low) =>
      sureness({ value: 1, low, high: 1, undefined: 197 }, RUBRICS.statistics[0][3], [0.741, 1])"""
    short, says, left = page.module("rubrics/statistics.js", code, low)
    assert [short.replace("\u00a0", " "), left] == told
    assert ("resample" in says and "197" in says) == (low < 1)


def test_criteria_that_were_drawn_unevenly_are_weighted_back_beside_the_plain_figures(
    opens: Opens, studio: Server
) -> None:
    person = Person(studio.url, "Drawn unevenly")
    (uneven,) = [one for one in httpx.get(f"{studio.url}{API}/sets").json() if one["set_id"] == "set-uneven"]
    walk = httpx.get(f"{studio.url}{API}/queues/{uneven['queues'][0]['queue_id']}/walk").raise_for_status().json()
    for k, entry in enumerate(entry for stop in walk["stops"] for entry in stop["entries"]):
        person.vote(entry, ("met", "not_met")[k % 2], "drawn")
    page = opens("&show=agreement&set=set-uneven")
    overall = page.agreement("set-uneven")["agreement"]["overall"]
    weighted = overall["judge_person_weighted"]
    assert weighted["percent_agreement"]["value"] != overall[JUDGES]["percent_agreement"]["value"]
    share = percent(weighted["percent_agreement"]["value"])
    expect(page.find(".agree")).to_contain_text(f"weighted to all of them, agreement is {share}.")
    rows = {row[0]: row[1:] for row in page.rows("Statistics of judge and people")}
    assert rows["Agreement"][2] == cell("percent_agreement", weighted)
    assert rows["Cohen’s κ"][2] == cell("cohen_kappa", weighted)


def test_without_votes_or_answers_wholly_reviewed_it_says_so(opens: Opens) -> None:
    page = opens("&show=agreement&set=set-unvoted")
    expect(page.find(".agree .hole")).to_contain_text("No vote beside a judge’s verdict yet")
    expect(page.told("Effect on the scores")).to_contain_text("no answer is wholly reviewed")
    expect(page.find(".panel")).not_to_contain_text("NaN")
    page.find(".agree .hole").get_by_role("button", name="Review").click()
    expect(page.criterion).to_contain_text("Criterion 1.1")


def test_lists_never_say_that_there_is_nothing_where_something_may_not_be_told(opens: Opens) -> None:
    page = opens("&show=agreement&set=set-harm")
    answer = page.agreement("set-harm")
    assert answer["hidden"] > 1 and not answer["worst"]
    for title in ("Answers that flip", "Worst criteria"):
        lines = page.find(f'section[aria-label="{title}"]')
        expect(lines).to_contain_text(f"Nothing you may see yet: {answer['hidden']} entries wait for your vote.")
        expect(lines).not_to_contain_text(re.compile("None flips|No vote differs"))


def test_all_statistics_stand_beside_the_ceiling_with_n_and_interval(opens: Opens, sample: dict[str, Any]) -> None:
    page = opens()
    overall = page.agreement(sample["set_id"])["agreement"]["overall"]
    rows = page.find('.tblwrap[aria-label="Statistics of judge and people"] tbody tr')
    assert [row.get_attribute("data-statistic") for row in rows.all()] == [
        *("percent_agreement", *COEFFICIENTS, "sensitivity", "specificity", "macro_f1", "prevalence")
    ]
    for row, cells in zip(rows.all(), page.rows("Statistics of judge and people"), strict=True):
        key = row.get_attribute("data-statistic") or ""
        expected = [(cell(key, overall[side]), f"{overall[side][key]['n']:,}") for side in (JUDGES, PEOPLE)]
        assert cells[1:] == [text for pair in expected for text in pair], key
    people = overall["people"]
    for key in ("percent_agreement", "gwet_ac1", "krippendorff_alpha_nominal", "fleiss_kappa"):
        value = people[key]["value"]
        figure = page.find(f'.figures-row [data-statistic="{key}"]')
        expect(figure.locator("dd").first).to_have_text("undefined" if value is None else shown(key, value))
    votes = " ".join(page.told("Votes").inner_text().split())
    standing, coverage = page.agreement(sample["set_id"])["standing"], overall["coverage"]
    for label, value in (
        *(("Votes", coverage["votes"]), ("Can’t assess", coverage["cannot_assess"])),
        *(("After the reveal", standing["after_reveal"]), ("Taken back", standing["withdrawn"])),
        *(("Settled by adjudication", standing["adjudicated"]), ("Tied", standing["tied"])),
    ):
        assert f"{label} {value}" in votes


def test_groups_pairs_and_lists_are_the_servers(opens: Opens, sample: dict[str, Any]) -> None:
    page = opens()
    answer = page.agreement(sample["set_id"])
    agreement, judge, people = answer["agreement"], answer["judge"], answer["reviewers"]
    rows = {row[0]: row[1:] for row in page.rows("Agreement by groups of criteria") if len(row) > 1}
    for grouping, label, name in (
        *(
            ("objectivity", "objective", "Objective"),
            ("category", "reasoning", "Reasoning"),
            ("weight", "3", "Weight 3"),
        ),
        *(
            ("critical", "other", "Not critical"),
            ("turn", "2", "Turn 2"),
            ("model", "sample-model-b", "sample-model-b"),
        ),
    ):
        part = agreement["groups"][grouping][label]
        judged, ceiling = part[JUDGES], part[PEOPLE]
        cells = [cell(key, judged) for key in ("percent_agreement", "cohen_kappa", "gwet_ac1")]
        assert rows[name] == [
            f"{judged['n']:,}",
            str(judged["tasks"]),
            *cells,
            cell("percent_agreement", ceiling),
            str(ceiling["n"]),
        ]
    few = [part for parts in agreement["groups"].values() for part in parts.values() if part[JUDGES]["n"] < 20]
    expect(page.find('.tblwrap[aria-label="Agreement by groups of criteria"] tr.few')).to_have_count(len(few))
    pairs = {row[0]: row[1:] for row in page.rows("Pairs of raters")}
    assert pairs[f"{judge} and what people settled on"][2] == cell("percent_agreement", agreement["judge_consensus"])
    for name, comparison in zip(people, agreement["judge_reviewer"], strict=True):
        assert pairs[f"{judge} and {name}"][0] == str(comparison["n"])
    for pair in agreement["reviewer_pairs"]:
        found = pairs[f"{people[pair['first']]} and {people[pair['second']]}"]
        assert found[3] == cell("cohen_kappa", pair["comparison"])
    flips = page.find('section[aria-label="Answers that flip"] li')
    expect(flips).to_have_count(len(answer["flips"]))
    for line, flip in zip(flips.all(), answer["flips"], strict=True):
        expect(line).to_contain_text("Only the judge passes it" if flip["judge_passes"] else "Only people pass it")
        expect(line).to_contain_text(f"{flip['task_id']} {flip['model']}")
    worst = page.find('section[aria-label="Worst criteria"]')
    expect(worst.locator("li")).to_have_count(min(8, len(answer["worst"])))
    if len(answer["worst"]) > 8:
        worst.get_by_role("button", name="more").click()
    for line, criterion in zip(worst.locator("li").all(), answer["worst"], strict=True):
        expect(line).to_contain_text(f"{criterion['differing']} of {criterion['votes']}")
        expect(line).to_contain_text(criterion["description"])
    heads = page.find(".tblwrap thead").all_inner_texts()
    assert all("κ" in head for head in heads if "AC1" in head), "AC1 never stands alone"


@pytest.mark.parametrize("title", ["Answers that flip", "Worst criteria"])
def test_a_line_of_a_list_leads_to_its_criterion_in_the_review(
    opens: Opens, sample: dict[str, Any], title: str
) -> None:
    page = opens()
    person = Person(page.url, f"Told of {title}")  # somebody for whom no blind vote waits
    walk = f"{page.url}{API}/queues/{sample['queues'][0]['queue_id']}/walk"
    for stop in httpx.get(walk, headers=person.headers).raise_for_status().json()["stops"]:
        for entry, state in zip(stop["entries"], stop["states"], strict=True):
            if state == "o":
                person.vote(entry, ("met", "not_met")[entry % 2], "told")
    page.be(f"Told of {title}", person.headers["Authorization"].removeprefix("Bearer "))
    path = f"{page.url}{API}/sets/{sample['set_id']}/agreement"
    answer = httpx.get(path, headers=person.headers).raise_for_status().json()
    (first, *_) = answer["flips" if title == "Answers that flip" else "worst"]
    page.find(f'section[aria-label="{title}"] a').first.click()
    page.wait_entry(first["shown"]["entry"])
    expect(page.find(".graded")).to_contain_text(first["task_id"])
    if "description" in first:
        expect(page.criterion).to_have_text(first["description"])
    page.page.go_back()
    expect(page.told("All statistics")).to_be_visible()


def test_the_effect_on_the_scores_is_told_by_whose_verdicts(opens: Opens, sample: dict[str, Any]) -> None:
    page = opens()
    effect = page.agreement(sample["set_id"])["effect"]
    overall = effect["overall"]
    rows = {row[0].split(".")[0]: row[1:] for row in page.rows("Effect on the scores")}

    def ars(estimate: dict[str, Any], write: Callable[[float], str] = lambda value: number(value, 3)) -> str:
        left = undefined_in(estimate["undefined"])
        return f"{write(estimate['value'])} {write(estimate['low'])} to {write(estimate['high'])}{left}"

    def change(value: float) -> str:
        return f"{'+' if value >= 0.0005 else ''}{number(value, 3)}"

    assert rows["Judge, all answers Every answer that has its verdict on each criterion"][0] == ars(overall["ars"])
    for name, key in (("Judge, reviewed answers", "judge"), ("People, reviewed answers", "consensus")):
        found = next(cells for label, cells in rows.items() if label.startswith(name))
        assert found[:2] == [ars(overall["ars_paired"][key]), str(overall["ars_paired"][key]["n"])]
    found = next(cells for label, cells in rows.items() if label.startswith("Judge less people"))
    assert found[0] == ars(overall["ars_paired"]["difference"], change)
    found = next(cells for label, cells in rows.items() if label.startswith("Corrected"))
    assert found[0] == ars(overall["ars_corrected"]["rate"])
    expect(page.find(".corrections").first).to_contain_text(
        f"ARS: sensitivity {percent(overall['ars_corrected']['sensitivity']['value'])}"
    )
    for model, of in effect["groups"]["model"].items():
        row = page.find(f'.tblwrap[aria-label="APR by model"] tr[data-model="{model}"]')
        expect(row).to_contain_text(f"{of['judged']} of {of['answers']}")
        expect(row.locator("td").nth(2).locator("b")).to_have_text(percent(of["apr"]["value"]))


def test_what_is_chosen_stands_in_the_link_and_comes_back(opens: Opens, sample: dict[str, Any]) -> None:
    page, second = opens(), sample["judgings"][1]
    whole = page.agreement(sample["set_id"])["agreement"]["overall"][JUDGES]["n"]
    page.choose("judging", second["judging_id"])
    expect(page.find(".agree")).to_contain_text(f"against {second['judge']}")
    page.choose("model", "sample-model-b")
    page.choose("critical", "flag")
    assert page.address["judging"] == second["judging_id"]
    assert page.address["model"] == "sample-model-b" and page.address["critical"] == "flag"
    asked = page.agreement(sample["set_id"], judging=second["judging_id"], model="sample-model-b", critical="flag")
    n = asked["agreement"]["overall"][JUDGES]["n"]
    assert 0 < n < whole
    expect(page.find(".agree")).to_contain_text(f"{n} votes by")
    expect(page.told("Effect on the scores")).to_contain_text("what the data set’s flag says")
    page.reload()
    expect(page.find(".agree")).to_contain_text(f"{n} votes by")
    expect(page.find('[data-choose="model"]')).to_have_value("sample-model-b")
    page.page.go_back()
    expect(page.told("Effect on the scores")).to_contain_text("weight 4 and 5")
    expect(page.find('[data-choose="critical"]')).to_have_value("weight")
    page.choose("of", "queue")
    queue = sample["queues"][0]["queue_id"]
    inside = page.agreement(sample["set_id"], judging=second["judging_id"], model="sample-model-b", queue=queue)
    expect(page.find(".agree")).to_contain_text(f"{inside['agreement']['overall'][JUDGES]['n']} votes by")


def test_scores_are_the_servers_by_judge_and_by_people(opens: Opens, sample: dict[str, Any]) -> None:
    page = opens("&show=scores")
    answer = page.scores(sample["set_id"])
    expect(page.find('.choosing [role="status"]')).to_contain_text(f"{answer['disagreeing_flags']} criteria")

    def check(answer: dict[str, Any]) -> None:
        for row, cells in zip(answer["models"], page.rows("Scores of models"), strict=True):
            assert cells[0] == row["model"]
            assert cells[1].startswith(f"{row['scored']} of {row['answers']}")
            ars, apr = row["ars"]["value"], row["apr"]["value"]
            assert cells[2].split()[0] == ("undefined" if ars is None else number(ars, 3))
            assert cells[3].split()[0] == ("undefined" if apr is None else percent(apr))
            if row["incomplete"]:
                low, high = row["bounds"]
                assert cells[4] == f"{number(low, 3)} to {number(high, 3)}"

    check(answer)
    for row, cells in zip(answer["models"], page.rows("Tool use of models"), strict=True):
        tools = row["tools"]
        assert cells[1] == str(tools["calls"]) and cells[2] == percent(tools["proactivity"])
        assert cells[3] == f"{percent(tools['success_rate'])} {tools['successes']} of {tools['calls']}"
        assert sorted(int(text) for text in cells[5:] if text != "0") == sorted(tools["by_tool"].values())
    operations = ("crop", "resize", "rotate", "flip", "brightness", "contrast", "edit", "other")
    for row, cells in zip(answer["models"], page.rows("Image operations of models"), strict=True):
        counts = [row["tools"]["operations"][kind] for kind in operations]
        assert cells[1:] == [f"{of['calls']} {of['occurrences']}×" if of["calls"] else "0" for of in counts]
    for row, cells in zip(answer["models"], page.rows("Kinds of error by model"), strict=True):
        assert cells[1] == str(sum(row["errors"].values()))
    page.find('.seg [data-value="turn_kind"]').click()
    page.find('.seg [data-value="apr"]').click()
    assert page.address["group"] == "turn_kind" and page.address["mean"] == "apr"
    for row, cells in zip(answer["models"], page.rows("APR by group"), strict=True):
        groups = [row["by_turn_kind"][name] for name in ("multi-turn", "single-turn")]
        assert [text.split()[0] for text in cells[1:]] == [percent(group["apr"]["value"]) for group in groups]
        counts = [f"n {group['apr']['n']} of {group['total']}" for group in groups]
        assert all(text.endswith(count) for count, text in zip(counts, cells[1:], strict=True))
    page.choose("by", "people")
    page.choose("critical", "flag")
    check(page.scores(sample["set_id"], by="people", critical="flag"))
    expect(page.find(".panel")).to_contain_text("By what people settled on; critical is what the data set’s flag says")
    page.reload()
    expect(page.find('[data-choose="by"]')).to_have_value("people")
    expect(page.find('.seg [data-value="apr"]')).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("view", ["agreement", "scores"])
def test_names_that_mean_harm_are_text(opens: Opens, view: str) -> None:
    page = opens(f"&show={view}&set=set-harm")
    for name in (f"m{HOSTILE}", f"judge {HOSTILE}"):
        expect(page.find(".statistics")).to_contain_text(named(name))
    expect(page.find(".statistics :is(img, script)")).to_have_count(0)
    if view == "agreement":
        expect(page.told("Pairs of raters")).to_contain_text(named(f"r1 {HOSTILE}"))
        page.page.get_by_role("button", name="Show everything all the same").click()
        expect(page.find('section[aria-label="Worst criteria"]')).to_contain_text(HOSTILE)
        expect(page.find(".statistics :is(img, script)")).to_have_count(0)
    else:
        expect(page.told("Tool use")).to_contain_text(f"tool {HOSTILE}")


def test_figures_stay_when_the_server_is_away_and_it_says_so(opens: Opens) -> None:
    page = opens()
    page.expected_errors = 1
    expect(page.find(".agree")).to_contain_text("votes by")
    before = page.find(".agree").inner_text()
    page.page.route("**/agreement?*", lambda route: route.abort())
    page.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.find(".stale")).to_contain_text("The server cannot be reached. The figures are as they were.")
    assert page.find(".agree").inner_text() == before
    page.page.unroute("**/agreement?*")
    page.find(".stale").get_by_role("button", name="Try again").click()
    expect(page.find(".stale")).to_have_count(0)


@pytest.mark.parametrize("view", ["agreement", "scores"])
def test_nothing_overflows_the_page(opens: Opens, view: str) -> None:
    page = opens(f"&show={view}")
    for width in (1440, 1180, 720, 390):
        page.page.set_viewport_size({"width": width, "height": 844})
        page.settle()
        wide = page.page.evaluate(
            "(width) => [...document.querySelectorAll('.s-rubrics *')].filter((one) => !one.closest('.tblwrap') && "
            "one.getBoundingClientRect().right > width + 1).map((one) => one.outerHTML.slice(0, 120))",
            width,
        )
        assert page.page.evaluate("document.documentElement.scrollWidth") == width, wide
        for table in page.find(".tblwrap").all():
            box = table.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
