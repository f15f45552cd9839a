"""Every problem code: a plan that has it, and one that comes near and has not."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from easel_app.plans import parse_plan, segments
from easel_app.plans.problems import KINDS
from tests.plans.making import SEARCH, TEXT, between, call, codes, tag

GOOD = call()
REFERENCE = call("reference")
DEEP = '{"a":' * 64 + "1" + "}" * 64


class Pair(NamedTuple):
    """A plan with a problem, and one that is as it should be in this respect; both with a context."""

    has: str
    has_not: str
    context: dict[str, Any] = {}  # noqa: RUF012 - read only


def body(text: str) -> str:
    return between(tag(text))


def params(tool: str, **given: Any) -> str:
    return between(call(tool, given))


PAIRS: dict[str, Pair] = {
    "unclosed_tag": Pair(between("<tool>" + json.dumps(SEARCH)), between("Write <tool> for a call.")),
    "nested_tag": Pair(between("<tool> \n" + GOOD), between("<tool> is a tag. " + GOOD)),
    "stray_close_tag": Pair(between("</tool>"), body('{"tool_name": "</tool>"}')),
    "fenced_tag": Pair(between(f"```\n{GOOD}\n```"), between(f"```\ncode\n```\n{GOOD}")),
    "fenced_json": Pair(body(f"```json\n{json.dumps(SEARCH)}\n```"), between(f"```\n{GOOD}\n```")),
    "control_char": Pair(body('{"tool_name": "a\nb"}'), body('{"tool_name":\n"a\\nb"}')),
    "trailing_garbage": Pair(body('{"tool_name": "a"} as said'), body('{"tool_name": "a"} \n\u200b')),
    "duplicate_object": Pair(body('{"a": 1}\n{"a": 2}'), body('{"a": 1} and'),),
    "html_entities": Pair(body("{&quot;a&quot;: 1}"), body('{"a": "&quot;"}')),
    "non_finite_number": Pair(body('{"a": 1e999}'), body('{"a": "NaN"}')),
    "duplicate_key": Pair(body('{"a": 1, "a": 1}'), body('{"a": 1, "b": {"a": 1}}')),
    "repaired": Pair(body('{"a": 1,}'), body("{'a': 1}")),
    "single_quotes": Pair(body("{'a': 1}"), body('{"a": "\'b\'"}')),
    "trailing_comma": Pair(body('{"a": [1,]}'), body('{"a": ",]"}')),
    "unescaped_quote": Pair(body('{"a": "the "b" c"}'), body('{"a": "the \\"b\\" c"}')),
    "smart_quotes": Pair(body("{“a”: “b”}"), body('{"a": "“b”"}')),
    "truncated": Pair(between('<tool>{"a": "b'), body('{"a": "b"')),
    "empty_tag": Pair(body(" \ufeff\n"), body("{}")),
    "not_an_object": Pair(body('["a"]'), body('{"a": ["a"]}')),
    "too_deep": Pair(body('{"b":' + DEEP + "}"), body(DEEP)),
    "unparseable": Pair(body("the map"), body("{the: map}")),
    "mismatched_tag": Pair(between("<tool>{}</imgen>"), between("<TOOL>{}</tool >")),
    "unclosed_think": Pair("<think> " + between(GOOD), "<think> </think>" + between(GOOD)),
    "stray_think_close": Pair("It is so.</think>" + between(GOOD), "<think></think>" + between(GOOD)),
    "too_many_calls": Pair(
        "<tool>{}</tool>" * (segments.MOST_CALLS + 1), "<tool>{}</tool>" * segments.MOST_CALLS
    ),
    "and_more": Pair("</tool>" * (segments.MOST_ALIKE + 1), "</tool>" * segments.MOST_ALIKE),
    "ambiguous_repair": Pair(body('{"a": "12" pan, cast iron"}'), body('{"a": "a 12" pan"}')),
    "python_literal": Pair(body('{"a": None}'), body('{"a": "None", "b": null}')),
    "comment": Pair(body('{"a": 1 // one\n}'), body('{"a": "// one"}')),
    "bare_key": Pair(body("{a: 1}"), body('{"a": "b: 1"}')),
    "unquoted_value": Pair(body('{"a": old mill}'), body('{"a": true}')),
    "missing_comma": Pair(body('{"a": 1 "b": 2}'), body('{"a": 1,"b": 2}')),
    "missing_brace": Pair(body('{"a": {"b": 1}'), between('<tool>{"a": {"b": 1')),
    "extra_brace": Pair(body("{'a': 1]}"), body('{"a": "]}"}')),
    "bad_escape": Pair(body(r'{"a": "it\'s"}'), body(r'{"a": "\u0027"}')),
    "odd_space": Pair(body('{\u00a0"a": 1}'), body('\u00a0{"a": "\u00a0"}')),
    "leading_garbage": Pair(body("call " + json.dumps(SEARCH)), body('call {"a": 1}')),
    "alias_used": Pair(params("search", q="mill"), params("search", query="mill")),
    "doubled_name": Pair(between(call("searchsearch", {"query": "a"})), between(call("serchserch", {"query": "a"}))),
    "unknown_tool": Pair(between(call("serch", {})), between(call(" SEARCH", {"query": "a"}))),
    "missing_tool_name": Pair(body('{"tool_name": " "}'), body('{"source": "search"}')),
    "params_not_object": Pair(body('{"tool_name": "search", "params": null}'), body('{"tool_name": "search"}')),
    "params_json_string": Pair(between(call("search", '{"query": "a"}')), between(call("search", "query=a"))),
    "unexpected_param": Pair(params("search", query="a", size=2), params("diffusion", description="a")),
    "missing_param": Pair(params("edit", prompt="redder"), params("code", code="plot()")),
    "empty_param": Pair(params("search", query=" \u200b"), params("search", query="a")),
    "wrong_param_type": Pair(params("reference", img_index=True), params("reference", img_index=1)),
    "img_index_not_integer": Pair(params("reference", img_index=1.0), params("reference", img_index="1")),
    "img_index_negative": Pair(params("reference", img_index=-1), params("reference", img_index=-1.5)),
    "img_index_out_of_range": Pair(
        params("reference", img_index=0), params("reference", img_index=3), {"pool_size": 3, "index_base": 1}
    ),
    "missing_description": Pair(between(call(description=" ")), between(call(description="x"))),
    "suspicious_escape": Pair(params("diffusion", prompt="\frac"), params("code", code="\tx\n")),
    "no_calls": Pair(TEXT, GOOD),
    "no_output": Pair(" \ufeff\n", "I cannot help with that."),
    "only_calls": Pair(f"{GOOD}\n\n---\n\n{REFERENCE}", f"{GOOD}\n\n1"),
    "stacked_calls": Pair(between(f"{GOOD}\n\u200b\n{REFERENCE}"), between(f"{GOOD} and {REFERENCE}")),
    "all_calls_at_end": Pair(f"{TEXT}\n\n{TEXT}\n\n{GOOD}\n{REFERENCE}\n", f"{TEXT}\n\n{GOOD}\n{REFERENCE}"),
    "before_its_paragraph": Pair(f"{GOOD}\n\n{TEXT}", f"# Mills\n\n{GOOD}\n\n{TEXT}"),
    "mid_sentence": Pair(f"A mill {GOOD} by the river.", f"A **mill.**\u201d) {GOOD} By the river."),
    "inside_list_or_table": Pair(f"1. Grind.\n\n   {GOOD}", f"1. Grind.\n\n{GOOD}"),
    "lead_in_phrase": Pair(f"Here's the picture of it:\n\n{GOOD}", f"Here is where it turns.\n\n{GOOD}"),
    "duplicate_call": Pair(
        f"{GOOD}\n\n{TEXT}\n\n{GOOD}", f"{GOOD}\n\n{TEXT}\n\n{call('search', {'query': 'Old mill'})}"
    ),
    "duplicate_img_index": Pair(
        f"{REFERENCE}\n\n{TEXT}\n\n{REFERENCE}",
        f"{REFERENCE}\n\n{TEXT}\n\n{call('edit', {'img_index': 0, 'prompt': 'redder'})}",
    ),
    "edit_forward_dependency": Pair(
        f"{call('edit', {'img_index': 2, 'prompt': 'a'})}\n{TEXT}\n{GOOD}",
        f"{GOOD}\n{TEXT}\n{call('edit', {'img_index': 1, 'prompt': 'a'})}",
        {"pool_size": 1, "outputs_count": True},
    ),
    "reference_available_but_search": Pair(between(GOOD), between(f"{GOOD} So. {REFERENCE}"), {"pool_size": 1}),
}  # fmt: skip


def test_the_pairs_cover_every_code() -> None:
    assert PAIRS.keys() == KINDS.keys()


@pytest.mark.parametrize("code", KINDS)
def test_a_code_is_there_where_it_belongs_and_not_where_it_nearly_would(code: str) -> None:
    has, has_not, context = PAIRS[code]
    assert code in codes(has, **context)
    assert code not in codes(has_not, **context)


@pytest.mark.parametrize("code", [code for code, kind in KINDS.items() if kind.area == "schema"])
def test_what_a_call_says_never_changes_how_it_was_decoded(code: str) -> None:
    pair = PAIRS[code]
    assert {each.status for each in parse_plan(pair.has, **pair.context).calls} == {"strict"}


@pytest.mark.parametrize("code", KINDS)
def test_a_problem_is_explained_in_one_sentence(code: str) -> None:
    pair = PAIRS[code]
    (explanation, *_) = [
        each.explanation for each in parse_plan(pair.has, **pair.context).problems if each.code == code
    ]
    assert explanation[0].isupper() or explanation.startswith("<")
    assert explanation.endswith(".") and ". " not in explanation and "{" not in explanation
