"""Tool use: the golden cases, each branch of the rule of success, and calls that are nothing like a call."""

from __future__ import annotations

import doctest
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring import tool_schemas, tool_use
from easel_app.scoring.tool_schemas import BY_NAME, TOOLS, misfit
from easel_app.scoring.tool_use import call_outcome, calls_of
from easel_app.scoring.tool_use import tool_use as measured

CASES = Path(__file__).parent / "cases"
GOLDEN: dict[str, Any] = json.loads((CASES / "tool_use_cases.json").read_text("utf-8"))
TABLE: list[dict[str, Any]] = json.loads((CASES / "vtb_scoring.json").read_text("utf-8"))["tools"]

FIT: dict[str, dict[str, Any]] = {
    "python_image_processing": {"code": "im"},
    "python_interpreter": {"code": "1"},
    "google_search": {"query": "ferry"},
    "web_search": {"query": "ferry", "num_results": 10},
    "browser_get_page_text": {"url": "https://example.org"},
    "browser-get-page-text": {"url": "https://example.org"},
    "historical_weather": {"location": "Bergen", "date": "2024-05-17"},
    "calculator": {"expression": "1"},
}
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
observations = st.dictionaries(
    st.sampled_from(["ok", "status", "error", "stdout", "output_path", "output_paths", "results", "text", "result"]),
    anything,
)
calls = st.fixed_dictionaries(
    {},
    optional={
        "function_name": anything | st.sampled_from(list(FIT)),
        "function_args": anything | st.sampled_from(list(FIT.values())) | st.just('{"expression": "1"}'),
        "observation": anything | observations | observations.map(json.dumps),
    },
)


def outcome(name: str, observation: Any, arguments: Any = None) -> tuple[bool, str]:
    given_arguments = FIT[name] if arguments is None else arguments
    return call_outcome({"function_name": name, "function_args": given_arguments, "observation": observation})


def test_the_examples_hold() -> None:
    assert doctest.testmod(tool_use).failed == doctest.testmod(tool_schemas).failed == 0


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_golden_tasks_to_the_word(case: dict[str, Any]) -> None:
    found, expected = asdict(measured(case["tasks"])), case["expected"]
    for rate in ("proactivity", "success_rate", "volume"):
        value = expected.pop(rate)
        assert found.pop(rate) == (None if value is None else pytest.approx(value, abs=1e-9))
    assert found == expected


def test_arguments_and_observations_may_be_json_text() -> None:
    for case in GOLDEN["cases"]:
        texts = [
            {
                **task,
                "turns": [
                    {
                        "tool_use_list": [
                            {key: json.dumps(value) if key != "function_name" else value for key, value in call.items()}
                            for call in turn["tool_use_list"]
                        ]
                    }
                    for turn in task["turns"]
                ],
            }
            for task in case["tasks"]
        ]
        assert measured(texts) == measured(case["tasks"])


def test_the_schemas_are_those_of_the_table() -> None:
    assert [tool.name for tool in TOOLS] == [row["name"] for row in TABLE]
    for tool, row in zip(TOOLS, TABLE, strict=True):
        assert tool.paper_name == row.get("paper_name", tool.name)
        assert (list(tool.params), list(tool.required)) == (list(row["params"]), row["required"])
        for name, schema in tool.params.items():
            stated = dict(row["params"][name])
            if "range" in stated:
                stated["minimum"], stated["maximum"] = stated.pop("range")
            if "format" in stated:
                stated["format"] = {"YYYY-MM-DD": "date"}[stated["format"]]
            assert schema == stated


def test_a_tool_is_known_by_both_names_and_counted_by_the_one_that_was_sent() -> None:
    found = {"results": [{"title": "Pier 4"}]}
    names = ["google_search", "web_search"]
    trace = [{"function_name": name, "function_args": FIT[name], "observation": found} for name in names]
    use = measured([{"task_id": "t", "tool_use_list": trace}])
    assert (use.n_success, use.calls_by_tool) == (2, {"google_search": 1, "web_search": 1})
    assert BY_NAME["web_search"] is BY_NAME["google_search"]


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("calculator", {}, "required key missing"),
        ("calculator", {"expression": "1", "base": 2}, "unknown key"),
        ("calculator", {"expression": None}, "expression is not text"),
        ("calculator", {"expression": ""}, None),
        ("python_interpreter", {"code": "x" * 5000}, None),
        ("python_interpreter", {"code": "x" * 5001}, "code longer than 5,000 characters"),
        ("python_interpreter", {"code": ""}, "code shorter than one character"),
        ("google_search", {"query": "a", "num_results": 1}, None),
        ("google_search", {"query": "a", "num_results": 10.0}, None),
        ("google_search", {"query": "a", "num_results": 0}, "num_results is not within 1 and 10"),
        ("google_search", {"query": "a", "num_results": 11}, "num_results is not within 1 and 10"),
        ("google_search", {"query": "a", "num_results": 10**400}, "num_results is not within 1 and 10"),
        ("google_search", {"query": "a", "num_results": 2.5}, "num_results is not a whole number"),
        ("google_search", {"query": "a", "num_results": float("nan")}, "num_results is not a whole number"),
        ("google_search", {"query": "a", "num_results": float("inf")}, "num_results is not a whole number"),
        ("google_search", {"query": "a", "num_results": True}, "num_results is not a whole number"),
        ("google_search", {"query": "a", "num_results": "5"}, "num_results is not a whole number"),
        ("google_search", {"query": "a", "num_results": None}, "num_results is not a whole number"),
        ("historical_weather", {"location": "Bergen", "date": "2024-02-29"}, None),
        ("historical_weather", {"location": "Bergen", "date": "2023-02-29"}, "date is not a date YYYY-MM-DD"),
        ("historical_weather", {"location": "Bergen", "date": "20240517"}, "date is not a date YYYY-MM-DD"),
        ("historical_weather", {"location": "Bergen", "date": "2024-W20-5"}, "date is not a date YYYY-MM-DD"),
        ("historical_weather", {"location": "Bergen", "date": "2024-05-17\n"}, "date is not a date YYYY-MM-DD"),
        ("historical_weather", {"location": "Bergen", "date": "٢٠٢٤-٠٥-١٧"}, "date is not a date YYYY-MM-DD"),
    ],
)
def test_arguments_that_do_not_fit_say_why(name: str, arguments: dict[str, Any], why: str | None) -> None:
    assert misfit(BY_NAME[name], arguments) == why


@pytest.mark.parametrize(
    ("name", "observation", "success", "why"),
    [
        ("python_image_processing", {"ok": "true", "output_paths": ["a.png"]}, True, "image written"),
        ("python_image_processing", {"ok": True, "output_path": "a.png"}, True, "image written"),
        ("python_image_processing", {"stdout": "42\n", "output_paths": []}, True, "output printed"),
        ("python_image_processing", {"output_path": " ", "output_paths": [""]}, False, "no image and nothing printed"),
        ("python_image_processing", {"ok": False, "output_path": "a.png"}, False, "ok is false"),
        ("python_image_processing", {"ok": "False", "output_path": "a.png"}, False, "ok is false"),
        ("python_interpreter", {"stdout": "\n "}, False, "nothing printed"),
        ("python_interpreter", {"stdout": "7", "stderr": "DeprecationWarning"}, True, "output printed"),
        ("google_search", {"results": [{"title": "a"}, {"title": "b"}]}, True, "2 results"),
        ("google_search", {"results": [{}, None, ""]}, False, "empty result list"),
        ("google_search", {"results": "a lot"}, False, "empty result list"),
        ("google_search", {"results": [{"title": "a"}], "status": "ERROR"}, False, "error status"),
        ("google_search", {"results": [{"title": "a"}], "error": "quota"}, False, "error reported"),
        ("google_search", {"results": [{"title": "a"}], "error": None}, True, "one result"),
        ("browser_get_page_text", {"text": "Hours"}, True, "text returned"),
        ("browser_get_page_text", {"text": None}, False, "blank text"),
        ("historical_weather", {"temperature": {"current": 0}}, True, "weather returned"),
        ("historical_weather", {"temperature": 0}, True, "weather returned"),
        ("historical_weather", {"temperature": None, "conditions": "rain"}, True, "weather returned"),
        ("historical_weather", {"temperature": {"current": None}}, False, "neither temperature nor conditions"),
        ("calculator", {"result": -3.5}, True, "number returned"),
        ("calculator", {"result": "84"}, True, "result returned"),
        ("calculator", {"result": False}, True, "result False counts"),
        ("calculator", {"result": None}, False, "no result"),
        ("calculator", {}, False, "no result"),
        ("calculator", None, False, "no observation"),
        ("calculator", "  ", False, "no observation"),
        ("calculator", "null", False, "no observation"),
        ("calculator", "84", False, "observation is not an object"),
        ("calculator", "{'result': 84}", False, "observation is not an object"),
        ("calculator", [{"result": 84}], False, "observation is not an object"),
    ],
)
def test_an_observation_is_a_success_or_says_why_not(name: str, observation: Any, success: bool, why: str) -> None:
    assert outcome(name, observation) == (success, why)


@pytest.mark.parametrize(
    "arguments", ["", "code", "[1]", "null", "{", "[" * 100_000, "1" * 9_999, '{"a":' * 9_999, "\x00", "\ud800", 7, []]
)
def test_arguments_that_are_no_object_fail_the_call(arguments: object) -> None:
    assert outcome("calculator", {"result": 1}, arguments) == (False, "arguments are not an object")


@pytest.mark.parametrize("call", [None, "calculator", 3, [], ["calculator", {}]])
def test_what_is_no_call_is_counted_as_one_that_failed(call: object) -> None:
    use = measured([{"task_id": "t", "turns": [{"tool_use_list": [call]}]}])
    assert (use.n_calls, use.n_success, use.calls_by_tool) == (1, 0, {"": 1})
    assert use.call_success[0].why == "call is not an object"


def test_a_trace_may_stand_in_the_task_and_may_be_missing() -> None:
    call = {"function_name": "calculator", "function_args": {"expression": "1"}, "observation": {"result": 1}}
    single = {"task_id": "a", "tool_use_list": [call]}
    empty: list[dict[str, Any]] = [{"task_id": "b"}, {"task_id": "c", "turns": [{}, {"tool_use_list": None}]}]
    use = measured([single, *empty])
    assert (use.n_tasks, use.n_calls, use.success_rate, use.volume) == (3, 1, 1.0, 1 / 3)
    assert list(calls_of(single)) == [call]


def test_no_task_leaves_every_rate_undefined() -> None:
    use = measured([])
    assert (use.n_tasks, use.proactivity, use.success_rate, use.volume) == (0, None, None, None)


@pytest.mark.parametrize("task", [{"turns": {}}, {"turns": [3]}, {"turns": "[]"}, {"tool_use_list": "[]"}])
def test_traces_that_are_no_lists_are_refused_rather_than_counted_as_none(task: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="task 't7'"):
        measured([{"task_id": "t7", **task}])


@given(st.lists(st.lists(calls | anything, max_size=4), max_size=4))
def test_no_content_of_a_call_is_an_error_and_the_counts_agree(traces: list[list[Any]]) -> None:
    use = measured([{"task_id": f"{k}", "turns": [{"tool_use_list": trace}]} for k, trace in enumerate(traces)])
    assert use.n_calls == sum(map(len, traces)) == sum(use.calls_by_tool.values()) == len(use.call_success)
    assert use.n_success == sum(call.success for call in use.call_success)
    assert all(call.why for call in use.call_success)
    for rate in (use.proactivity, use.success_rate):
        assert rate is None or 0 <= rate <= 1


@given(st.lists(calls, max_size=6), st.integers(1, 5))
def test_how_calls_are_split_into_turns_does_not_matter(trace: list[Any], parts: int) -> None:
    split = [{"tool_use_list": trace[k::parts]} for k in range(parts)]
    whole = measured([{"task_id": "t", "tool_use_list": trace}])
    turns = measured([{"task_id": "t", "turns": split}])
    assert (whole.n_calls, whole.n_success, whole.calls_by_tool) == (
        turns.n_calls,
        turns.n_success,
        turns.calls_by_tool,
    )
    assert (whole.proactivity, whole.success_rate, whole.volume) == (
        turns.proactivity,
        turns.success_rate,
        turns.volume,
    )
