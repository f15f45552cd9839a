"""A plan as one HTML file: everything in its place, nothing of it markup, nothing from outside."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.exports.plans.aligning import MOST_ALIGNED, align, part_of
from easel_app.exports.plans.drawing import chart, ticks
from easel_app.exports.plans.markup import VOID, element, escaped, prose
from easel_app.exports.plans.page import styles
from easel_app.exports.plans.service import PlanExports
from easel_app.exports.plans.thumbnails import LONGEST, Thumbnails
from easel_app.plans.files import AnswerRecord
from easel_app.services.plans.views import ChartView
from easel_app.services.problems import Invalid, NotFound
from easel_app.services.prose import prose as tree
from easel_app.services.studio import Studio
from easel_app.settings import static_folder
from tests.services.plans.figuring import (
    SET,
    chief,
    empty_plans,
    gap,
    judge,
    make_plans,
    person,
    precision,
    recall,
    report,
    verdict,
    vote,
)
from tests.services.plans.making import add_answer, add_query, call, make_query

EVIL = '"><script>alert(1)</script><img src=http://evil.test/x onerror=alert(1)> </style> {{x}} \u202e'
TEXT = "\n\n".join(
    [
        f"Mills turn. {EVIL} [a](javascript:alert(1)) ![b](http://evil.test/b.png)",
        call("reference", EVIL, img_index=0),
        "It turns all day long by the river.",
        call("code", data={"a": 1, "b": 2}, diagram_type="bar"),
        call("edit", img_index=9, prompt=EVIL),
        f"<tool>{{'tool_name': 'search', {EVIL}</tool>",
        "<think>Quietly \ud800 \x08 \0</think>",
    ]
)
ELEMENTS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "article", "aside"),
        *("h1", "h2", "h3", "h4", "p", "span", "b", "bdi", "q", "a", "div", "ul", "ol", "li", "dl", "dt", "dd", "pre"),
        *("code", "em", "strong", "s", "blockquote", "hr", "br", "figure", "figcaption", "img", "details", "summary"),
        *("table", "thead", "tbody", "tr", "th", "td", "svg", "line", "text", "rect", "circle", "path"),
    )
)
ATTRIBUTES = frozenset(
    (
        *("lang", "charset", "http-equiv", "content", "name", "class", "id", "dir", "href", "src", "alt", "start"),
        *("scope", "role", "viewbox", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "d"),
    )
)


class Seen(HTMLParser):
    """Which elements and attributes a page has, with its words; and whether all of it is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in (*VOID, "meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "img":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A query with two answers, each judged twice and voted on, evil words in every place."""
    studio = empty_plans(tmp_path_factory.mktemp("pages"))
    plans = studio.plans
    make_plans(plans, 1, ("a", "b"), sample=True)
    query = make_query(plans, 5, id="own", category=None, query=EVIL, reference=None)
    row = add_query(plans, query, SET)
    for planner, text in (("a", TEXT), ("b", f"Something else.\n\n{TEXT[:20]}"), ("late", "")):
        answer = AnswerRecord(query_id="own", planner=planner, text=text, no_output=EVIL if not text else "", note=EVIL)
        add_answer(plans, row, answer)
    judge(plans, 1)
    judge(plans, 2, "two")
    key = next(key for key in plans.store.keys(SET) if key.query_id == "own")
    rng = Random(1)
    calls = [verdict(rng) for _ in plans.library.read(key.id).plan.calls]
    said = precision(calls)
    for each in said["calls"]:
        each["reason"] = EVIL
    report(plans, "one", key, "precision", said | {"summary": EVIL})
    gaps = [gap(1, 0) | {"reason": EVIL, "anchor_quote": EVIL}, gap(2, 3), gap(3, 999)]
    report(plans, "one", key, "recall", recall(gaps) | {"summary": EVIL})
    report(plans, "one", key, "chief", chief(85) | {"reason": EVIL})
    report(plans, "two", key, "chief", None)
    ada = person(plans, "Ada")
    vote(plans, ada, key.id, "call:1", {"about": "call", **verdict(rng)}, EVIL)
    vote(
        plans,
        ada,
        key.id,
        "gaps",
        {"about": "gaps", "gaps": [{"after_block": 2, "type": "unmet_request", "note": EVIL}]},
    )
    vote(plans, ada, key.id, "gap:judge one/2", {"about": "gap", "upheld": False}, EVIL)
    vote(plans, ada, key.id, "plan", {"about": "plan", "verdict": "revise"}, EVIL)
    yield studio
    studio.close()


def answers(studio: Studio) -> list[int]:
    return [key.id for key in studio.plans.store.keys(SET) if key.query_id == "own"]


def page(studio: Studio, *wanted: int) -> str:
    exports = PlanExports(studio.plans)
    made = exports.plan(*wanted) if len(wanted) == 1 else exports.compare(*wanted)
    return b"".join(made.pieces).decode()


def pages(studio: Studio) -> list[str]:
    one, two, late = answers(studio)
    return [page(studio, one), page(studio, late), page(studio, one, two), page(studio, late, one)]


def test_whatever_is_said_becomes_no_markup_and_leads_nowhere(studio: Studio) -> None:
    for made in pages(studio):
        seen = Seen(made)
        assert not seen.open and seen.elements <= ELEMENTS and seen.attributes <= ATTRIBUTES
        assert all(address.startswith(("#", "data:image/jpeg;base64,")) for address in seen.addresses)
        assert len(set(seen.ids)) == len(seen.ids)
        assert {address[1:] for address in seen.addresses if address.startswith("#")} <= set(seen.ids)
        assert seen.text.count("<script>alert(1)</script>") >= 1 and "url(" not in made and "@import" not in made


def test_the_policy_forbids_everything_but_its_own_styles_and_pictures(studio: Studio) -> None:
    for made in pages(studio):
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', made)
        assert policy and policy[1] == (
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
        )
        assert made.index("Content-Security-Policy") < made.index("<style>") < made.index("<body")


def test_cards_gaps_and_verdicts_stand_where_they_belong(studio: Studio) -> None:
    text = Seen(made := page(studio, answers(studio)[0])).text
    order = [
        "Mills turn",
        "call 1",
        "It turns all day long",
        "call 2",
        "call 3",
        "call 4",
        "Problems",
        "What judges report",
    ]
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert made.index('id="gap-1-1"') < made.index("Mills turn. ") < made.index('id="call-1"')
    assert made.index("It turns all day long") < made.index('id="gap-1-2"') < made.index('id="call-2"')
    assert made.index('id="call-4"') < made.index('id="gap-1-3"')  # one beyond the end stands at the end
    assert made.index('id="call-1"') < made.index("Ada</bdi> misses a picture") < made.index("It turns all day long")
    told = (
        *("FS, tier 80-100", "MI is 3", "judge one has m in all three roles", "Chief Judge: no report. cut off"),
        *("does not uphold the gap judge one/2", "wants it revised", "Sample: made up", "img_index_out_of_range"),
        *("no file", "Image 0 of document 1"),
    )
    for words in told:
        assert words in text, words


def test_what_does_not_print_is_told_by_a_sign(studio: Studio) -> None:
    made = page(studio, answers(studio)[0])
    assert "Quietly \N{REPLACEMENT CHARACTER} ␈ \N{REPLACEMENT CHARACTER}" in made
    assert not set(made) & {chr(k) for k in range(32) if chr(k) not in "\t\n\r"}


def test_an_answer_that_is_none_says_why(studio: Studio) -> None:
    assert "There is no answer: " in Seen(page(studio, answers(studio)[2])).text


def test_two_plans_are_aligned_and_only_two_of_one_query(studio: Studio) -> None:
    one, two, _ = answers(studio)
    made = page(studio, one, two)
    assert 'id="left-call-1"' in made and 'class="alone"' in made and "#left-call-3" in made
    assert re.search(r"<tr><td>[^\0]*Mills turn[^\0]*</td><td>[^\0]*Mills turn[^\0]*</td></tr>", made)
    with pytest.raises(Invalid, match="answer one query"):
        page(studio, one, studio.plans.store.keys(SET)[0].id)
    with pytest.raises(NotFound):
        page(studio, 10**9)


def test_the_same_plan_gives_the_same_file_under_a_plain_name(studio: Studio) -> None:
    one, two, _ = answers(studio)
    assert page(studio, one) == page(studio, one)
    assert PlanExports(studio.plans).compare(one, two).file_name == "own-a-b-compare.html"


def test_colours_are_the_studio_s_own_and_dark_ones_need_no_script() -> None:
    made = styles(static_folder())
    light, dark = made.split("@media screen and (prefers-color-scheme: dark) { :root {", 1)
    assert "--wall:#f2f4f3" in light and "--wall:#101312" in dark and ".dark" not in made and "</" not in made
    own = (static_folder() / "css" / "planpage.css").read_text()
    assert set(re.findall(r"var\((--[\w-]+)", own)) <= set(re.findall(r"(--[\w-]+):", made))


@given(st.text())
def test_any_text_stands_in_an_element_and_in_an_attribute_as_it_is(text: str) -> None:
    seen = Seen(element("p", {"class": text}, text, element("b", {}, [text, None])))
    shown = re.sub(
        "[\ud800-\udfff]",
        "\ufffd",
        text.translate({**{k: 0x2400 + k for k in range(32) if k not in (9, 10, 13)}, 127: 0x2421}),
    )
    assert seen.elements == {"p", "b"} and seen.attributes == {"class"} and seen.text == shown + shown
    assert not set(escaped(text)) & set("<>\"'")


@given(st.text(alphabet="<>&\"'[]()!*_`#-1.\n| ahttp:/", max_size=60))
def test_any_markdown_becomes_closed_elements_of_the_few_that_are_known(text: str) -> None:
    seen = Seen(prose(tree(text)))
    assert not seen.open and seen.elements <= ELEMENTS and not seen.addresses


def test_elements_and_attributes_have_names_of_letters() -> None:
    for name, attributes in (("p onclick", {}), ("p", {"a=b": "c"})):
        with pytest.raises(ValueError, match="no element is named"):
            element(name, dict(attributes))


NUMBER = st.floats(allow_nan=False, allow_infinity=False)


def chart_view(kind: str, series: list[tuple[str, list[float | None]]], x: list[float] | None) -> ChartView:
    made = [{"name": name, "values": values} for name, values in series]
    given = {"kind": kind, "title": "<b>", "labels": ["<0>", "1", "2"], "series": made, "note": ""}
    return ChartView.model_validate(given | {"x": x if kind in ("line", "scatter") else None})


CHARTS = st.builds(
    chart_view,
    st.sampled_from(["bar", "line", "pie", "scatter"]),
    st.lists(st.tuples(st.text(max_size=3), st.lists(st.none() | NUMBER, min_size=3, max_size=3)), max_size=3),
    st.none() | st.lists(NUMBER, min_size=3, max_size=3),
)


@settings(max_examples=60)
@given(CHARTS)
def test_any_chart_is_drawn_within_its_picture_with_all_its_numbers_beneath(view: ChartView) -> None:
    made = chart(view)
    seen = Seen(made)
    assert not seen.open and seen.elements <= ELEMENTS and not re.search(r'"(nan|-?inf)', made)
    for name, value in re.findall(r'\b(x|x1|x2|cx|y|y1|y2|cy)="([-\d.]+)"', made):
        assert -1 <= float(value) <= (441 if name[-1] != "y" and "x" in name else 185)
    assert all(f"{value:g}" in seen.text for series in view.series for value in series.values if value is not None)


def test_a_scale_has_round_numbers() -> None:
    assert ticks(0, 97) == [0, 25, 50, 75] and ticks(-3, 3) == [-2, 0, 2] and ticks(5, 5) == [5]


@given(st.lists(st.sampled_from("abcdefg"), max_size=8), st.lists(st.sampled_from("abcdefg"), max_size=8))
def test_every_part_of_both_plans_is_shown_once_in_its_order(left: list[str], right: list[str]) -> None:
    rows = align([part_of(word, []) for word in left], [part_of(word, []) for word in right])
    assert [i for i, _ in rows if i is not None] == list(range(len(left)))
    assert [j for _, j in rows if j is not None] == list(range(len(right)))
    assert all(left[i] == right[j] for i, j in rows if i is not None and j is not None)


def test_alike_paragraphs_meet_and_very_long_plans_follow_in_their_order() -> None:
    one = [part_of(f"alpha {k} beta{k}", ["search"]) for k in range(5)]
    assert align(one, one[1:]) == [(0, None), (1, 0), (2, 1), (3, 2), (4, 3)]
    many = [part_of(f"w{k}", []) for k in range(MOST_ALIGNED + 2)]
    assert align(many, many)[-4:] == [(300, None), (301, None), (None, 300), (None, 301)]


def test_pictures_are_small_each_made_once_and_a_damaged_one_is_none() -> None:
    file, asked = io.BytesIO(), []
    Image.effect_noise((2000, 1000), 80).save(file, "PNG")

    def picture(digest: str) -> bytes | None:
        asked.append(digest)
        return {"good": file.getvalue(), "damaged": file.getvalue()[:200]}.get(digest)

    thumbnails = Thumbnails(picture)
    url = thumbnails.of("good")
    assert thumbnails.of("good") == url and asked == ["good"]
    assert Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).size == (LONGEST, LONGEST // 2)
    assert thumbnails.of("damaged") == thumbnails.of("gone") == ""


def test_a_plan_of_200_calls_and_hostile_nesting_makes_a_whole_page(studio: Studio) -> None:
    key = studio.plans.store.keys(SET)[0]
    deep = ">" * 300 + "* " * 200 + "[" * 500 + json.dumps([[[0]]])
    text = "\n\n".join(f"{deep[:k]} Words {k}.\n\n{call('search', query=EVIL)}" for k in range(200))
    wanted = add_answer(studio.plans, key.query, AnswerRecord(query_id="q00", planner="huge", text=text))
    seen = Seen(page(studio, wanted))
    assert not seen.open and sum(name.startswith("call-") for name in seen.ids) == 200
