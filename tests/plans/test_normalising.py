"""Names and parameters: keys are renamed, values never changed, and what is wrong is told with what it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from easel_app.plans import Problem, parse_plan
from easel_app.plans.records import Call
from easel_app.plans.registry import registry
from tests.plans.making import between, call, codes, tag


def read(value: Any, **context: Any) -> Call:
    (found,) = parse_plan(between(tag(value)), **context).calls
    return found


def problems(value: Any, code: str, **context: Any) -> list[str]:
    return [each.explanation for each in read(value, **context).problems if each.code == code]


def of(problem: str, tool: str, params: Any, **context: Any) -> list[Problem]:
    value = {"tool_name": tool, "description": "x", "params": params}
    return [each for each in read(value, **context).problems if each.code == problem]


@pytest.mark.parametrize(("name", "tool"), [(name, tool.name) for name, tool in registry().by_name.items()])
def test_a_tool_is_known_by_its_name_and_aliases_however_they_are_written(name: str, tool: str) -> None:
    for said in (name, f" {name.upper()}\n", name.replace("_", "-"), name.replace("_", " ").title(), name * 2):
        found = read({"tool_name": said})
        assert (found.tool, found.name_as_sent) == (tool, said)


@pytest.mark.parametrize("tool", registry().tools, ids=lambda tool: tool.name)
def test_aliases_of_parameters_are_renamed_and_keep_their_place(tool: Any) -> None:
    for param in tool.params:
        for alias in param.aliases:
            found = read({"tool_name": tool.name, "params": {"first": 1, alias: [2], "last": 3}})
            assert list((found.params or {}).items()) == [("first", 1), (param.name, [2]), ("last", 3)]
            assert found.value == {"tool_name": tool.name, "params": {"first": 1, alias: [2], "last": 3}}


def test_an_alias_beside_the_name_itself_or_another_alias_stays_and_is_unexpected() -> None:
    assert read({"tool_name": "search", "params": {"q": "a", "query": "b"}}).params == {"q": "a", "query": "b"}
    assert read({"tool_name": "search", "params": {"q": "a", "keywords": "b"}}).params == {
        "query": "a",
        "keywords": "b",
    }
    assert problems({"tool_name": "search", "params": {"q": "a", "query": "b"}}, "unexpected_param")


def test_of_several_names_of_the_envelope_the_first_of_the_registry_counts() -> None:
    found = read({"source": "edit", "name": "code", "tool_name": "search", "args": {"x": 1}, "params": {"query": "a"}})
    assert (found.tool, found.params) == ("search", {"query": "a"})


def test_renames_are_told_in_one_problem() -> None:
    assert problems({"tool_name": "Web-Search", "params": {"q": "a"}}, "alias_used") == [
        'The call says "web_search" for "search"; "q" for "query".'
    ]


def test_an_unknown_tool_leaves_its_parameters_alone_and_names_the_nearest() -> None:
    found = read({"tool_name": "serch", "params": {"q": 1}})
    assert (found.tool, found.params, found.name_as_sent) == (None, {"q": 1}, "serch")
    assert problems({"tool_name": "serch"}, "unknown_tool") == [
        'There is no tool "serch"; the nearest name is "search".'
    ]
    assert problems({"tool_name": "zzz"}, "unknown_tool") == ['There is no tool "zzz".']
    assert len(problems({"tool_name": "a" * 100_000}, "unknown_tool")[0]) < 120


@pytest.mark.parametrize("name", [5, 1.5, True, ["search"], {"a": 1}])
def test_a_tool_that_is_named_by_no_text_is_unknown(name: Any) -> None:
    assert read({"tool_name": name}).tool is None and problems({"tool_name": name}, "unknown_tool")


def test_an_explanation_shows_nothing_that_does_not_print() -> None:
    (said,) = problems({"tool_name": "a\u202e\x00\n\ud800b"}, "unknown_tool")
    assert said == 'There is no tool "a\ufffd\ufffd\ufffd\ufffdb".'


@pytest.mark.parametrize(
    "text", ["query=x", "[1]", "5", "", '{"query": "x"', '{"a": NaN}', '{"a": ' * 70 + "1" + "}" * 70]
)
def test_a_text_that_holds_no_object_is_no_parameters(text: str) -> None:
    assert read({"tool_name": "search", "params": text}).params == {}
    assert of("params_not_object", "search", text) and not of("params_json_string", "search", text)


def test_a_json_text_of_parameters_is_decoded_once_and_its_keys_renamed() -> None:
    inner = json.dumps({"q": json.dumps({"a": 1})})
    assert read({"tool_name": "search", "params": f"\n{inner} "}).params == {"query": '{"a": 1}'}


@pytest.mark.parametrize(
    ("params", "missing"),
    [({}, ["diagram_type", "data"]), ({"diagram_type": "bar"}, ["data"]), ({"data": [1]}, ["diagram_type"]),
     ({"code": "x"}, []), ({"code": "x", "data": 1}, []), ({"chart_type": "pie", "spec": {"a": 1}}, [])],
)  # fmt: skip
def test_code_needs_a_diagram_with_data_or_code(params: Any, missing: list[str]) -> None:
    found = of("missing_param", "code", params)
    assert [each.explanation for each in found] == [f"The tool code needs the parameter {name}." for name in missing]


@pytest.mark.parametrize("value", [None, "", " \u200b", [], {}])
def test_data_may_be_anything_but_empty(value: Any) -> None:
    assert of("empty_param", "code", {"diagram_type": "bar", "data": value})
    for fine in (0, False, "a", [None], {"a": 1}):
        assert not of("empty_param", "code", {"diagram_type": "bar", "data": fine})


@pytest.mark.parametrize("value", [None, 5, True, ["a"], {"a": 1}])
def test_a_text_is_a_text(value: Any) -> None:
    assert of("wrong_param_type", "search", {"query": value}) and not of("empty_param", "search", {"query": value})


@pytest.mark.parametrize("tool", ["reference", "edit"])
@pytest.mark.parametrize("index", [None, True, "1", 1.0, float("inf"), [1], {}])
def test_an_index_that_is_no_whole_number_is_told_once_and_not_held_against_the_pool(tool: str, index: Any) -> None:
    found = codes(between(call(tool, {"img_index": index, "prompt": "x"})), pool_size=0)
    assert len({"wrong_param_type", "img_index_not_integer"} & set(found)) == 1
    assert not any(code.startswith(("img_index_out", "img_index_neg")) for code in found)


@pytest.mark.parametrize(
    ("index", "pool_size", "base", "wrong"),
    [(0, 3, 0, None), (2, 3, 0, None), (3, 3, 0, "img_index_out_of_range"), (3, 3, 1, None),
     (0, 3, 1, "img_index_out_of_range"), (4, 3, 1, "img_index_out_of_range"), (0, 0, 0, "img_index_out_of_range"),
     (99, None, 0, None), (-1, None, 0, "img_index_negative"), (-1, 3, 1, "img_index_negative"),
     (10**3000, 3, 0, "img_index_out_of_range")],
)  # fmt: skip
def test_an_index_has_to_be_in_the_pool(index: int, pool_size: int | None, base: int, wrong: str | None) -> None:
    plan = parse_plan(between(call("reference", {"img_index": index})), pool_size=pool_size, index_base=base)
    assert [each.code for each in plan.problems] == ([wrong] if wrong else [])
    assert all(len(each.explanation) < 200 for each in plan.problems)


@pytest.mark.parametrize(("index", "wrong"), [(2, None), (3, "edit_forward_dependency"), (4, "edit_forward_dependency"),
                                              (5, "img_index_out_of_range")])  # fmt: skip
def test_behind_the_pool_are_outputs_of_calls_before_only_where_they_count(index: int, wrong: str | None) -> None:
    edit = call("edit", {"img_index": index, "prompt": "redder"})
    text = between(f"{call()}\n\nSo.\n\n{edit}\n\nAnd so.\n\n{call('diffusion')}")
    assert set(codes(text, pool_size=2, outputs_count=True)) - {"reference_available_but_search"} == {wrong} - {None}
    assert "img_index_out_of_range" in codes(text, pool_size=2)
