"""Boundaries: where text, thinking and calls begin and end."""

from __future__ import annotations

import json

import pytest

from easel_app.plans import Plan, parse_plan, segments
from tests.plans.making import SEARCH, TEXT, between, call, codes, tag

BODY = json.dumps(SEARCH)


def raws(text: str) -> list[str]:
    return [each.raw for each in parse_plan(text).calls]


def parts(plan: Plan, kind: str) -> list[str]:
    return [plan.text[each.start : each.end] for each in plan.segments if each.kind == kind]


@pytest.mark.parametrize("name", ["tool", "imgen", "tool_call", "Tool", "IMGEN", "tOOL_cALL"])
def test_tags_have_three_names_in_any_case(name: str) -> None:
    assert raws(between(tag(SEARCH, name))) == [tag(SEARCH, name)]


@pytest.mark.parametrize(
    "text",
    [
        "<tool >{}</tool>",
        '<tool id="1">{}</tool>',
        "<toolx>{}</toolx>",
        "< tool>{}< /tool>",
        "&lt;tool&gt;{}&lt;/tool&gt;",
    ],
)
def test_what_is_no_tag_is_text(text: str) -> None:
    assert raws(text) == []


def test_letters_that_only_fold_to_those_of_a_tag_are_no_tag() -> None:
    assert parts(parse_plan("<thin\u212a>a</think> b"), "thinking") == [
        "<thin\u212a>a</think>"
    ]  # only its close tag is one
    assert codes("<thin\u212a>a</thin\u212a> b") == ["no_calls"]


def test_a_close_tag_may_have_blanks_before_its_end() -> None:
    assert raws(between(f"<tool>{BODY}</tool \n>")) == [f"<tool>{BODY}</tool \n>"]


@pytest.mark.parametrize(
    "inside", ["</tool>", "<tool>", "<tool>{}</tool>", "<think>", "</think>", "\n\n", '\\"</tool>']
)
def test_nothing_in_a_string_of_a_whole_object_is_a_boundary(inside: str) -> None:
    text = f'{{"tool_name": "search", "params": {{"query": "a {inside} b"}}}}'
    for whole in (tag(text), tag(f"```json\n{text}\n```"), tag(f"{text} as said")):
        assert raws(between(whole)) == [whole]
    assert raws(f"{TEXT}\n\n<tool>{text}\n\n{TEXT}") == [f"<tool>{text}"]


def test_a_body_that_is_no_whole_object_ends_at_the_first_close_tag() -> None:
    assert raws('<tool>{"a": "b </tool> c",}</tool>') == ['<tool>{"a": "b </tool>']


def test_an_unclosed_call_ends_at_the_next_open_tag_a_blank_line_or_the_end() -> None:
    for end in (f"\n\n{TEXT}", f" \r\n \t\r\n{TEXT}", f"\n{call()}", ""):
        assert raws(f'<tool>{{"a": 1{end}')[0] == '<tool>{"a": 1'


def test_an_unclosed_call_may_begin_below_its_tag() -> None:
    assert raws(f"<tool>\n\n{BODY}\n\n{TEXT}") == [f"<tool>\n\n{BODY}"]


@pytest.mark.parametrize("begin", ["{", "[", "```", "~~~json\n"])
def test_an_unclosed_tag_before_what_begins_like_a_call_is_one(begin: str) -> None:
    assert len(raws(f"{TEXT} <tool> {begin}")) == 1


@pytest.mark.parametrize("begin", ["", " ", "search", '"a"', "`{}`", "(", "\n\nA paragraph"])
def test_an_unclosed_tag_before_anything_else_is_a_mention(begin: str) -> None:
    plan = parse_plan(f"{TEXT} <tool>{begin}")
    assert [each.kind for each in plan.segments] == ["text"] and codes(plan) == ["no_calls"]


def test_a_mention_before_a_call_stays_text() -> None:
    plan = parse_plan(f"Write <tool> so: {call()}")
    assert [call.status for call in plan.calls] == ["strict"] and parts(plan, "text") == ["Write <tool> so: "]


def test_any_of_the_names_closes_any_of_them() -> None:
    assert raws(f"<tool>{BODY}</imgen> <tool>{BODY}</tool>") == [f"<tool>{BODY}</imgen>", f"<tool>{BODY}</tool>"]


def test_thinking_has_no_calls_and_no_problems_inside() -> None:
    plan = parse_plan(f"<THINK>{call()} </tool> <tool></THINK >\n\n{between(call())}")
    assert parts(plan, "thinking") == [f"<THINK>{call()} </tool> <tool></THINK >"]
    assert len(plan.calls) == 1 and codes(plan) == []


def test_thinking_that_is_never_closed_ends_at_the_first_call() -> None:
    plan = parse_plan(f"A. <think>so </tool> {call()} B. {call()}")
    assert parts(plan, "thinking") == ["<think>so </tool> "] and len(plan.calls) == 2
    plan = parse_plan(f"A. <think>so\n\n{call()}\n\nB.")
    assert parts(plan, "thinking") == ["<think>so\n\n"] and parts(plan, "text") == ["A. ", "\n\nB."]
    assert parts(parse_plan("A. <think>so <think> on"), "thinking") == ["<think>so <think> on"]


def test_thinking_that_is_only_closed_begins_with_the_plan_where_no_call_is_before_it() -> None:
    plan = parse_plan(f"Well, <tool> is …</think>{TEXT} {call()} </think> {TEXT}")
    assert parts(plan, "thinking") == ["Well, <tool> is …</think>"] and len(plan.calls) == 1
    assert codes(plan).count("stray_think_close") == 2


def test_only_so_many_calls_are_read_and_the_rest_is_said_to_be_text() -> None:
    plan = parse_plan("<tool>{}</tool>\n" * (segments.MOST_CALLS + 2))
    assert len(plan.calls) == segments.MOST_CALLS and codes(plan).count("too_many_calls") == 1
    assert plan.segments[-1].kind == "text" and parts(plan, "text")[-1].count("<tool>") == 2


def test_alike_problems_of_tags_are_counted_beyond_the_first_of_them() -> None:
    plan = parse_plan("<tool>" * (segments.MOST_ALIKE + 6))
    assert codes(plan).count("nested_tag") == segments.MOST_ALIKE  # the last tag is a mention
    assert [each.explanation for each in plan.problems if each.code == "and_more"] == [
        "There are 5 more of the problem nested_tag in this plan, which are not listed."
    ]


@pytest.mark.parametrize(
    "text", ["\ufeff", "\x00", "\ud800", "\u202e", "a\r\nb", "\u200b<tool>\x00", "<tool>{\ud800}</tool>\x00"]
)
def test_characters_of_any_kind_keep_their_place(text: str) -> None:
    plan = parse_plan(text)
    assert "".join(text[each.start : each.end] for each in plan.segments) == text
