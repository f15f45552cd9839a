"""Bodies: exact where nothing is guessed, and never trusted in silence where something is."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from easel_app.plans.decoding import MOST_REPAIRED, read_body
from easel_app.plans.json_text import decode, value_end
from tests.plans.making import objects

S = '"tool_name": "search"'
TOKENS = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"\\u12',
    '"',
    "1",
    "-",
    "01",
    "1.",
    "2e5",
    "true",
    "NaN",
    " ",
    "\n",
    "\\",
)


def causes(body: str, *, closed: bool = True) -> list[str]:
    return sorted(fault.code for fault in read_body(body, closed=closed).faults if fault.code != "repaired")


@pytest.mark.parametrize(
    ("body", "value", "found"),
    [
        ("{tool_name: 'search'}", {"tool_name": "search"}, ["bare_key", "single_quotes"]),
        ("{“a”: “it’s “big” here”}", {"a": "it’s “big” here"}, ["smart_quotes", "unescaped_quote"]),
        ("{'a': 'the dog's bowl'}", {"a": "the dog's bowl"}, ["single_quotes", "unescaped_quote"]),
        ('{"a": "a "b""}', {"a": 'a "b"'}, ["unescaped_quote"]),
        ('{"a": ""b" c"}', {"a": '"b" c'}, ["unescaped_quote"]),
        ('{"a": {"b": "say "c"}, "d": 1}', {"a": {"b": 'say "c'}, "d": 1}, ["unescaped_quote"]),
        ('{"a": ["a "b" c", "d"]}', {"a": ['a "b" c', "d"]}, ["unescaped_quote"]),
        ('{"a": {"b": "x"}\n "c": 1}', {"a": {"b": "x"}, "c": 1}, ["missing_comma"]),
        ('{"a": 1, // one\n "b": "x" /* two */, # three\n"c": 2}', {"a": 1, "b": "x", "c": 2}, ["comment"]),
        ('{"a": [1, 2}', {"a": [1, 2]}, ["missing_brace"]),
        ('{"a": [1, 2]]}', {"a": [1, 2]}, ["extra_brace"]),
        ('"a": 1, "b": {"c": 2}}', {"a": 1, "b": {"c": 2}}, ["missing_brace"]),
        ('{"a": C:\\dir, "b": 01}', {"a": "C:\\dir", "b": "01"}, ["unquoted_value"]),
        ('{"a": "C:\\dir"}', {"a": "C:\\dir"}, ["bad_escape"]),
        ('{"a": True, "b": [None, 1,]}', {"a": True, "b": [None, 1]}, ["python_literal", "trailing_comma"]),
        ('{"a": 1,, "b": 2}', {"a": 1, "b": 2}, ["trailing_comma"]),
        ("{'a': '\x00'}", {"a": "\x00"}, ["control_char", "single_quotes"]),
        ("{'a': '\ud800'}", {"a": "\ud800"}, ["single_quotes"]),
        ("{&quot;a&quot;: &quot;b &amp;amp; c&quot;,}", {"a": "b &amp; c"}, ["html_entities", "trailing_comma"]),
        (f"Now: {{{S}}} .", {"tool_name": "search"}, ["leading_garbage", "trailing_garbage"]),
    ],
)
def test_a_repair_gives_what_was_meant_and_names_what_it_forgave(body: str, value: Any, found: list[str]) -> None:
    read = read_body(body)
    assert (read.status, read.value, causes(body)) == ("repaired", value, found)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{"a": "b', {"a": "b"}),
        ('{"a": "b", "c', {"a": "b"}),
        ('{"a": "b", "c":', {"a": "b"}),
        ('{"a": "b", "c": tru', {"a": "b"}),
        ('{"a": "b\\', {"a": "b"}),
        ('{"a": "b\\u00', {"a": "b"}),
        ('{"a": "b\\ud83c\\udf', {"a": "b"}),
        ('{"a": "b\\\\', {"a": "b\\"}),
        (r'{"a": "", "\\": "b", "c', {"a": "", "\\": "b"}),
        ('{"a": ["b", ', {"a": ["b"]}),
        ('{"a": {"b": [1, {"c": "d"}', {"a": {"b": [1, {"c": "d"}]}}),
    ],
)
def test_what_breaks_off_keeps_what_is_there_and_no_key_without_a_value(body: str, value: Any) -> None:
    read = read_body(body, closed=False)
    assert (read.status, read.value, causes(body, closed=False)) == ("repaired", value, ["truncated"])


@pytest.mark.parametrize(
    "body",
    [
        '{"a": "a 12" pan, cast iron"}',
        '{"a": "a 12", cast iron"}',
        '{"a": "reads "OPEN", "SHUT" and more"}',
        '{"a": {"b": "say {"c"} d"}}',
        "{'a': 'b' 'c'}",
        '{"a": "b\\"}',
        f'{{{S}, "a": "x" oops, "b": 1}}',
        f'{{{{{S}}}}}',
        f'{{{S}, "description": , "params": {{}}}}',
        f'{{{S}, ...}}',
    ],
)  # fmt: skip
def test_what_can_be_read_in_more_than_one_way_says_so(body: str) -> None:
    read = read_body(body)
    assert read.status == "repaired" and "ambiguous_repair" in causes(body)


def test_a_number_with_which_the_text_breaks_off_may_lack_digits() -> None:
    assert "ambiguous_repair" in causes('{"img_index": 1', closed=False)
    assert "ambiguous_repair" not in causes('{"img_index": 1', closed=True)


@pytest.mark.parametrize(
    "body",
    [
        *("{", "{,}", "{the map}", "{a}", '{"a" "b"}', '{"a" = 1}', "{1: 2}", "{'a': {1, 2}}", "{]", "a {b} c"),
        *("plain words", "{/*", "{{", '{"a', '{"a": '),
    ],
)
def test_what_no_likely_reading_makes_an_object_fails(body: str) -> None:
    read = read_body(body)
    assert (read.status, read.value) == ("failed", None) and "unparseable" in causes(body)


@pytest.mark.parametrize(
    "body", ["[]", "[1, 2", "['a']", '[{"tool_name": "search"}]', '"search"', "42", "null", "```\n[1]\n```"]
)
def test_a_list_or_a_single_value_is_no_object(body: str) -> None:
    assert read_body(body).status == "failed" and "not_an_object" in causes(body)


@pytest.mark.parametrize("opener", ['{"a":', "{a:", "{'a':", '{"a":[', '{"tool_name":', "[", "{tool_name "])
def test_no_depth_overflows_anything(opener: str) -> None:
    for ending in ("", "1", "}" * 50_000):
        assert read_body(opener * 50_000 + ending).status == "failed"
    assert read_body(opener * 50_000, closed=False).status == "failed"


def test_sixty_four_levels_are_read_and_one_more_is_not() -> None:
    deep = '{"a":' * 64 + "1" + "}" * 64
    broken = "{a:" * 64 + "1" + "}" * 64
    assert [read_body(each).status for each in (deep, broken)] == ["strict", "repaired"]
    assert [causes(f'{{"b":{deep}}}'), causes(f"{{b:{broken}}}")] == [["too_deep"], ["too_deep"]]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("{'a': 'b', \"c\": [1, -2.5, True, None, {'d': ''}]}", {"a": "b", "c": [1, -2.5, True, None, {"d": ""}]}),
        (r"{'a': 'it\'s \x41\u00e9\n\\frac'}", {"a": "it's Aé\n\\frac"}),
        ("{'a': 1, 'a': 2}", {"a": 2}),
    ],
)
def test_a_python_literal_is_exact_and_lenient(body: str, value: Any) -> None:
    read = read_body(body)
    assert (read.status, read.value) == ("lenient", value) and "single_quotes" in causes(body)


@pytest.mark.parametrize(
    "body",
    [
        *("{'a': (1, 2)}", "{'a': b''}", "{'a': 1_000}", "{'a': 0x10}", "{'a': 2j}", "{'a': '''b\r\nc'''}"),
        *(r"{'a': '\d'}", r"{'a': '\/'}", "{'a': 'b' 'c'}", "{'a': __import__('os')}"),
    ],
)
def test_a_python_literal_that_json_could_not_say_is_not_taken_for_exact(body: str) -> None:
    assert read_body(body).status in ("repaired", "failed")


def test_numbers_that_no_float_holds_stay_numbers_and_are_said_to_be_odd() -> None:
    for number in ("1e999", "-1e999", "9" * 5000, "NaN", "-Infinity"):
        read = read_body(f'{{"a": {number}}}')
        assert read.status == "lenient" and read.value and not math.isfinite(read.value["a"])
        assert causes(f'{{"a": {number}}}') == ["non_finite_number"]
        assert causes(f"{{'a': {number}}}") == ["non_finite_number", "single_quotes"]
    assert read_body(f'{{"a": {"9" * 4000}}}').status == "strict"


def test_a_key_that_stands_twice_is_told_once_whatever_else_is_odd() -> None:
    assert decode('{"x": {"a": 1, "a": 2}, "b": "\n"}').repeated == ("a",)


def test_entities_are_decoded_once_and_only_where_the_body_is_no_json() -> None:
    assert read_body('{"a": "&lt;b&gt;"}').value == {"a": "&lt;b&gt;"}
    assert read_body("{&#34;a&#x22;: &quot;&amp;lt;&quot;}").value == {"a": "&lt;"}
    assert read_body("{&quot;a&quot;: &quot;b&copy=1&quot;}").value == {"a": "b&copy=1"}
    assert read_body(f"{{&#{'9' * 9000};: 1}}").status == "failed"


def test_what_is_too_long_to_be_guessed_at_is_not() -> None:
    lost = f'{{{S}, "a": "x" oops, "b": '
    assert read_body(lost + "1" * 100 + "}").status == "repaired"
    assert read_body(lost + "1" * MOST_REPAIRED + "}").status == "failed"


def test_places_of_faults_are_those_of_the_text() -> None:
    body = '\n```json\n{"a": "x "y" z", "b": [1,]}\n```'
    places = {fault.code: body[fault.start : fault.end] for fault in read_body(body).faults}
    assert places["fenced_json"] == "```json\n"
    assert (places["unescaped_quote"], places["trailing_comma"]) == ('"', ",")
    assert next(fault.start for fault in read_body(body).faults if fault.code == "trailing_comma") == body.index(",]")


@settings(max_examples=100, deadline=None)
@given(objects)
def test_a_value_written_as_python_writes_it_is_read_exactly(value: dict[str, Any]) -> None:
    body = repr(value)
    assume("\\" not in body)  # of escapes not all are exact
    assert read_body(body).value == value


@settings(max_examples=100, deadline=None)
@given(objects, st.floats(0, 1))
def test_a_cut_object_gives_no_more_than_the_object(value: dict[str, Any], share: float) -> None:
    text = json.dumps(value)
    cut = text[: 1 + int(share * (len(text) - 2))]
    read = read_body(cut, closed=False)
    number_cut = any(fault.code == "ambiguous_repair" for fault in read.faults)
    assert read.value is None or number_cut or _within(read.value, value)


def _within(part: Any, whole: Any) -> bool:
    """Whether a value is what another begins with."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _within(inner, whole[key]) for key, inner in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(_within, part, whole))
    if isinstance(part, str) and isinstance(whole, str):
        return whole.startswith(part)
    return bool(part is whole or part == whole)


@settings(max_examples=300, deadline=None)
@given(st.one_of(objects.map(json.dumps), st.lists(st.sampled_from(TOKENS)).map("".join)), st.text(max_size=3))
def test_the_end_of_a_value_is_where_the_standard_decoder_has_it(text: str, more: str) -> None:
    text += more
    try:
        wanted = json.JSONDecoder(strict=False).raw_decode(text)[1] if text[:1].strip() else None
    except json.JSONDecodeError:
        wanted = None
    found = value_end(text, 0)
    assert (found.end if found else None) == wanted


CRASHES = '{"tool_name": "reference", "\u1b5earams": {"```json\n{"img_index": #2}}\n```'
"""On which the library of the last resort (json-repair) fails by an assertion of its own; found by the fuzz run."""


def test_no_text_stops_the_parser_though_the_library_of_the_last_resort_may_fail() -> None:
    assert read_body(CRASHES, closed=True).status == "failed"
