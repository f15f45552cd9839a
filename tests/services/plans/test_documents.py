"""Plans as documents: nothing of a plan is lost, nothing hostile gets through, and nothing grows beyond bounds."""

from __future__ import annotations

import html
import json
import re
import string
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.plans import parse_plan
from easel_app.plans.files import AnswerRecord, Document, PoolImage, QueryRecord
from easel_app.plans.outline import read_answer
from easel_app.plans.spaces import BLANKS
from easel_app.services.plans.documents import MOST_PROBLEMS, document
from easel_app.services.plans.library import ReadPlan
from easel_app.services.plans.pieces import Budget, pieces
from easel_app.services.plans.views import PieceView, PlanView
from easel_app.services.studio import Studio
from easel_app.sources.fields import UNSTORABLE
from easel_app.store.sets import SetRecord
from tests.plans.making import PARTS
from tests.plans.making import plans as well_formed
from tests.services.plans.making import GOOD, call, inspect, make_plan, make_set

_FENCE = re.compile(r"(?m)(`{3,}|~{3,})[ \t]*[\w+#.-]{0,20}[ \t\r]*$")
_NUMBER = re.compile(r"\d{1,9}[.)]")
anything = well_formed | st.lists(st.sampled_from([*PARTS, "  more", "\n\n    deep\n\n", "2) b\n\n"]), max_size=25).map(
    "".join
)


def view_of(text: str, query: dict[str, Any] | None = None, **answer: Any) -> PlanView:
    """A plan as a document without any store."""
    asked = QueryRecord(**{"id": "q", "query": "Why?"} | (query or {}))
    given_answer = AnswerRecord(query_id="q", planner="p", text=text, **answer)
    read = ReadPlan(1, "s", asked, given_answer, read_answer(asked, given_answer))
    return document(read, SetRecord("s", "S", False, {}, "now"))


def words(node: Any) -> str:
    return "".join(map(words, node[1:])) if isinstance(node, list) else str(node)


def shown(found: list[PieceView]) -> str:
    return "".join(words(node) for piece in found for node in piece.nodes)


def trees(text: str) -> list[list[Any]]:
    return [piece.nodes for piece in pieces(parse_plan(text), Budget()) if piece.kind == "text"]


@given(anything)
def test_nothing_of_a_plan_is_lost_and_every_block_is_in_one_piece(text: str) -> None:
    plan = parse_plan(text)
    found = pieces(plan, Budget())
    blocks = [number for piece in found if piece.block for number in range(piece.block, (piece.last or 0) + 1)]
    assert blocks == [block.number for block in plan.blocks]
    assert [piece.call for piece in found if piece.kind == "call"] == [each.id for each in plan.calls]
    told = html.unescape(unquote(shown([piece for piece in found if piece.kind == "text"])))
    for segment in plan.segments:
        if segment.kind == "text":
            said = UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text[segment.start : segment.end])
            said = html.unescape(_NUMBER.sub("", _FENCE.sub("", said)))
            for char in {*said} - {*BLANKS, *string.punctuation}:
                assert told.count(char) >= said.count(char), (char, said, told)


@given(anything)
def test_any_plan_becomes_json_in_which_everything_can_be_stored(text: str) -> None:
    sent = view_of(text, {"reference": text}).model_dump_json()
    assert not UNSTORABLE.search(str(json.loads(sent)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo.", [[["p", "One."]], [["p", "Two."]]]),
        ("1. a\n\n   more\n\n2. b", [[["ol", ["li", ["p", "a"], ["p", "more"]]]], [["ol", 2, ["li", "b"]]]]),
        (f"3. a\n{call('search', query='q')}\n4. b", [[["ol", 3, ["li", "a"]]], [["ol", 4, ["li", "b"]]]]),
        ("```py\na\n\nb\n```\n\nc", [[["pre", "a\n\nb\n"]], [["p", "c"]]]),
        ("    a\n\n    b", [[["pre", "a\n\nb\n"]]]),
        ("- a\n\n  - b\n\n- c", [[["ul", ["li", ["p", "a"], ["ul", ["li", "b"]]]]], [["ul", ["li", "c"]]]]),
        ("![→](x '★')", [[["pre", "![→](x '★')"]]]),
        ("<b>a</b>", [[["p", "<b>a</b>"]]]),
    ],
    ids=["paragraphs", "items", "call in list", "code", "indented", "nested", "lost sign", "html"],
)
def test_what_markdown_holds_together_stays_together(text: str, expected: list[Any]) -> None:
    assert trees(text) == expected


def test_a_piece_tells_from_which_block_to_which_it_goes() -> None:
    found = pieces(parse_plan("```\na\n\nb\n```\n\nc"), Budget())
    assert [(piece.block, piece.last) for piece in found] == [(1, 2), (3, 3)]


TAG = '<tool>{"tool_name": "search", "description": "d", "params": {"query": "x"}}</tool>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"A.\n\n```json\n{TAG}\n```\n\nB.", [["p", "A."], ["p", "B."]]),
        (f"See `{TAG}` here.", [["p", "See"], ["p", "here."]]),
        (f"~~~\n{TAG}\ncode\n~~~\n\nB.\n\n```\nreal\n```", [["p", "code"], ["p", "B."], ["pre", "real\n"]]),
        (f"```\n{TAG}\n{TAG}\n```\nB.", [["p", "B."]]),
        (f"```\n{TAG}\nnever closed\n\nB.", [["p", "never closed"], ["p", "B."]]),
        (f"```\nx\n```\n\n{TAG}\n\n```\ny\n```", [["pre", "x\n"], ["pre", "y\n"]]),
    ],
)
def test_a_fence_round_a_call_makes_no_code_of_the_paragraphs_beside_it(text: str, expected: list[Any]) -> None:
    plan = parse_plan(text)
    found = pieces(plan, Budget())
    assert [node for piece in found if piece.kind == "text" for node in piece.nodes] == expected
    blocks = [number for piece in found if piece.block for number in range(piece.block, (piece.last or 0) + 1)]
    assert blocks == [block.number for block in plan.blocks]


def test_thinking_is_a_piece_of_its_own_without_a_number() -> None:
    found = pieces(parse_plan("<think>*Why?*</think>\n\nSo."), Budget())
    assert [(piece.kind, piece.block) for piece in found] == [("thinking", None), ("text", 1)]
    assert found[0].nodes == [["pre", "<think>*Why?*</think>"]]


def gone(name: str) -> PoolImage:
    return PoolImage(name=name, missing="no file")


@pytest.mark.parametrize("order", ["query_first", "documents_first"])
@pytest.mark.parametrize("base", [0, 1])
def test_images_have_the_indices_by_which_this_plan_cites_them(order: str, base: int) -> None:
    query = {
        "query_images": (gone("mine"),),
        "documents": (Document(text="a", images=(gone("a1"), gone("a2"))), Document(text="b", images=(gone("b1"),))),
        "pool_order": order,
    }
    text = "\n\n".join(f"See.\n\n{call('edit', img_index=index, prompt='x')}" for index in (base, base + 3, base + 4))
    view = view_of(text, query, index_base=base)
    names = ["mine", "a1", "a2", "b1"] if order == "query_first" else ["a1", "a2", "b1", "mine"]
    assert [(image.index, image.name) for image in view.pool] == [(base + k, name) for k, name in enumerate(names)]
    source = {"mine": "query", "a1": "document 1", "a2": "document 1", "b1": "document 2"}
    assert {image.name: image.comes_with for image in view.pool} == source
    assert [[view.pool[index - base].name for index in each.images] for each in view.documents] == [
        ["a1", "a2"],
        ["b1"],
    ]
    assert [each.image.name if each.image else None for each in view.calls] == [names[0], names[3], None]


@pytest.mark.parametrize("index", [True, "0", 0.0, None, -1, 9, [0]], ids=str)
def test_what_is_no_index_of_the_pool_shows_no_image(index: Any) -> None:
    view = view_of(call("reference", img_index=index), {"query_images": (gone("mine"),)})
    assert view.calls[0].image is None


def test_a_call_tells_what_it_says_as_text() -> None:
    (found,) = view_of(call("ref", img_index=2, note={"a": [1, "é"]}, **{"x\ud800": "a\x00b"})).calls
    assert [(each.name, each.value, each.text) for each in found.params] == [
        ("img_index", "2", False),
        ("note", '{"a": [1, "é"]}', False),
        ("x\N{REPLACEMENT CHARACTER}", "a\N{REPLACEMENT CHARACTER}b", True),
    ]
    assert (found.tool, found.called, found.status, found.format_score) == ("reference", "ref", "strict", 2)
    assert found.raw.startswith('<tool>{"tool_name": "ref"') and found.problems[0] == "img_index_out_of_range"
    assert found.severity == "error"


def test_format_scores_follow_how_a_call_was_read() -> None:
    bodies = ('{"tool_name": "search"}', '```\n{"tool_name": "search"}\n```', "{'tool_name': 'search',", "nonsense")
    view = view_of("\n\nText.\n\n".join(f"<tool>{body}</tool>" for body in bodies))
    found = [(each.status, each.format_score) for each in view.calls]
    assert found == [("strict", 2), ("lenient", 1), ("repaired", 1), ("failed", 0)]
    assert view.calls[3].params == [] and view.calls[3].raw == "<tool>nonsense</tool>"


def test_data_become_a_chart_and_code_stays_text() -> None:
    data = {"labels": ["a", "b"], "values": [1, 2]}
    drawn, told = view_of(
        f"{call('code', diagram_type='bar chart', data=data)}\n\nSo.\n\n{call('code', code='import os')}"
    ).calls
    assert drawn.chart and (drawn.chart.labels, drawn.chart.series[0].values) == (["a", "b"], [1, 2])
    assert (told.chart, told.code) == (None, "import os")


def test_a_code_call_without_a_chart_says_why_and_no_other_call_does() -> None:
    data = {"labels": ["a"], "values": [1]}
    bodies = (
        call("code", diagram_type="bar", data=data),
        call("code", code="print(1)"),
        call("code", diagram_type="flow\ud800chart", data=data),
        call("search", query="a mill"),
        "<tool>nonsense</tool>",
    )
    drawn, code, flow, *others = view_of("\n\nSo.\n\n".join(bodies)).calls
    assert drawn.chart and drawn.no_chart == ""
    assert code.no_chart == "The call gives code, which is never run here, and no data."
    assert flow.chart is None and "is none of them" in flow.no_chart and not UNSTORABLE.search(flow.no_chart)
    assert [each.no_chart for each in others] == ["", ""]


def test_problems_tell_their_block_and_what_stands_there() -> None:
    view = view_of(f"Here is the image:\n\n{call('search')}\n\n</tool> x\u202e")
    found = {each.code: (each.block, each.call, each.quote, each.area) for each in view.problems}
    assert found["missing_param"][:2] == (2, 1) and found["missing_param"][2].startswith("<tool>")
    assert found["stray_close_tag"] == (3, None, "</tool>", "format")
    assert found["lead_in_phrase"] == (1, 1, "Here is the image:", "plan")
    assert {each.code: (each.block, each.quote) for each in view_of("Text.").problems} == {"no_calls": (None, "")}


def test_facts_hold_a_plan_against_the_reference_answer() -> None:
    query = {"query_images": (gone("a"), gone("b")), "reference": GOOD}
    found = view_of(f"One.\n\n{call('ref', img_index=0)}\n\nTwo.\n\n{call('ref', img_index=7)}", query).facts
    assert (found.paragraphs, found.calls, found.tools["reference"], found.statuses["strict"]) == (2, 2, 2, 2)
    assert found.tool_set and (found.tool_set.precision, found.tool_set.recall) == (1.0, 0.5)
    assert found.image_set and (found.image_set.precision, found.image_order) == (0.5, 0.5)
    assert (found.duplicates, found.out_of_range) == (0, 1)
    alone = view_of("One.").facts
    assert (alone.tool_set, alone.image_set, alone.image_order) == (None, None, None)


def test_a_huge_plan_is_shown_in_part_with_all_its_calls() -> None:
    text = "\n\n".join(f"{'word ' * 300}\n\n{call('serch', '', query='mill ' * 60)}" for _ in range(1600))
    view = view_of(text)
    assert len(view.calls) == 1600 and [piece.call for piece in view.pieces if piece.call] == list(range(1, 1601))
    assert len(view.model_dump_json()) < 6_000_000 and len(view.problems) == MOST_PROBLEMS
    assert "characters are not shown here; the whole plan is at /api/plans/answers/1/raw." in view.note
    assert "more problems are not listed" in view.note


def test_huge_documents_are_shown_in_part() -> None:
    view = view_of("Text.", {"documents": (Document(text="a" * 1_000_000), Document(text="b"))})
    assert len(view.model_dump_json()) < 700_000 and "of the documents" in view.note


def test_a_view_tells_the_other_answers_and_a_reference_is_a_plan_too(studio: Studio) -> None:
    plans = studio.plans
    first, second, third, *_ = make_set(plans)
    view = plans.views.view(second, None)
    assert [(each.answer, each.planner) for each in view.siblings] == [
        (first, "planner a"),
        (None, "reference answer"),
    ]
    assert (view.query_id, view.planner, view.set_name) == ("q1", "planner b", "Made up made")
    own = plans.views.reference("made", "q2")
    assert (own.answer, own.planner, len(own.calls), own.judges) == (None, "reference answer", 2, [])
    assert [each.answer for each in own.siblings] == [third, third + 1]


def test_gaps_stand_where_their_quotes_do(studio: Studio) -> None:
    answer = make_plan(studio.plans, GOOD)
    inspect(studio.plans, [answer], gaps=2, fs=85)
    (judge,) = studio.plans.views.view(answer, None, reports="shown").judges
    assert judge.recall and [(gap.block, gap.after_block) for gap in judge.recall.gaps] == [(1, 1), (1, 1)]
    assert judge.chief and [each.code for each in judge.chief.conflicts] == ["high_fs_with_gaps"]
    assert judge.precision and judge.precision.credit == {"strict": 1.0, "no_fail": 1.0, "partial_credit": 1.0}
    assert judge.models["chief"] == "a model"


def test_raw_is_the_plan_but_for_what_no_utf8_can_hold(studio: Studio) -> None:
    answer = make_plan(studio.plans, "a\x00\r\n\ufeff\ud800b")
    assert studio.plans.views.raw(answer) == "a\x00\r\n\ufeff\N{REPLACEMENT CHARACTER}b"
