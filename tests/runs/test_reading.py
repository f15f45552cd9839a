"""Every fault of a reply has one defined treatment."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.llm import Reply, ToolCall, Usage
from easel_app.painting.stroke import STROKE_FIELDS, BrushStroke, Invalid, Submit, Undo
from easel_app.runs.reading import Form, Reading, read

STROKE = {name: round(0.05 * (i + 1), 2) for i, name in enumerate(STROKE_FIELDS)}
PLAIN = Form(("brush_stroke",), "float", True, "lenient")
STUDIO = PLAIN._replace(names=("brush_stroke", "undo", "submit"))


def reply(
    text: str | None = None, *calls: tuple[str, str], refusal: str | None = None, finish: str | None = "stop"
) -> Reply:
    return Reply(
        text=text,
        tool_calls=tuple(ToolCall(name, arguments) for name, arguments in calls),
        refusal=refusal,
        finish_reason=finish,
        usage=Usage(),
        raw={},
        latency=0.0,
    )


def call(arguments: Any, name: str = "brush_stroke", **more: Any) -> Reply:
    return reply(None, (name, arguments if isinstance(arguments, str) else json.dumps(arguments)), **more)


def painted(reading: Reading) -> dict[str, float]:
    assert isinstance(reading.action, BrushStroke), reading
    return reading.action.stroke.model_dump()


def reason(reading: Reading) -> str:
    assert isinstance(reading.action, Invalid), reading
    return reading.action.reason


def test_one_call_with_the_thirteen_numbers_is_the_stroke() -> None:
    found = read(call(STROKE), PLAIN)
    assert (painted(found), found.notes) == (STROKE, ())


def test_integers_stand_for_thousandths() -> None:
    arguments = {name: round(value * 1000) for name, value in STROKE.items()}
    found = read(call(arguments), PLAIN._replace(coordinates="integer"))
    assert (painted(found), found.notes) == (STROKE, ())


@pytest.mark.parametrize("value", [0.5, 1001, -1, 1e400, float("nan")])
def test_where_integers_are_asked_for_nothing_else_is_taken_for_one(value: float) -> None:
    arguments = {**dict.fromkeys(STROKE, 10), "red": value}
    assert "red is" in reason(read(call(arguments), PLAIN._replace(coordinates="integer")))


@pytest.mark.parametrize(
    "value", [1.0001, -0.1, 500, float("inf"), float("nan"), True, None, [0.5], {"v": 1}, "red", ""]
)
def test_what_is_no_number_in_range_is_invalid_and_never_clipped(value: Any) -> None:
    assert "red is" in reason(read(call({**STROKE, "red": value}), PLAIN))


def test_a_missing_number_is_named() -> None:
    arguments = {name: value for name, value in STROKE.items() if name != "y_end"}
    assert "y_end is missing" in reason(read(call(arguments), PLAIN))


LENIENT: dict[str, tuple[Reply, str]] = {
    "strings": (call({**STROKE, "red": " 0.55 "}), "strings read as numbers"),
    "percentages": (call({**STROKE, "red": "55 %"}), "percentages read as numbers"),
    "superfluous keys": (call({**STROKE, "thought": "sky"}), "superfluous keys left out"),
    "nested": (call({"stroke": STROKE}), "the stroke nested in stroke"),
    "nested as text": (call({"arguments": json.dumps(STROKE)}), "the stroke nested in arguments"),
    "several calls": (
        reply(None, ("brush_stroke", json.dumps(STROKE)), ("brush_stroke", "{}")), "1 more tool calls left out",
    ),
    "text instead of a call": (
        reply(json.dumps({"action": "brush_stroke", **STROKE})), "JSON in text instead of a tool call",
    ),
    "no name": (reply(json.dumps(STROKE)), "no name of an action, taken for brush_stroke"),
}  # fmt: skip


@pytest.mark.parametrize("what", LENIENT)
def test_a_lenient_reading_takes_and_notes_it_a_strict_one_does_not(what: str) -> None:
    given_reply, note = LENIENT[what]
    found = read(given_reply, PLAIN)
    expected = {**STROKE, "red": 0.55} if what in ("strings", "percentages") else STROKE
    assert painted(found) == expected and note in found.notes
    assert note in reason(read(given_reply, PLAIN._replace(reading="strict"))) or len(found.notes) > 1


TEXTS = {
    "alone": "{}",
    "in a fence": "```json\n{}\n```",
    "in prose": "The sky is blue, so:\n{}\nThat is my stroke.",
    "after a thought with a draft": '<think>Perhaps {{"action": "undo"}}?</think>{}',
    "after a thought that never ended well": "{}<think>and now",
}


@pytest.mark.parametrize("where", TEXTS)
def test_json_is_found_in_text(where: str) -> None:
    text = TEXTS[where].format(json.dumps({"action": "brush_stroke", **STROKE}))
    found = read(reply(text), STUDIO._replace(by_tools=False))
    assert painted(found) == STROKE
    assert bool(found.notes) == (where in ("in a fence", "in prose"))


FAULTS: dict[str, tuple[Reply, str]] = {
    "empty": (reply(""), "The reply is empty."),
    "nothing at all": (reply(None), "The reply is empty."),
    "only a thought": (reply("<think>hm"), "The reply is empty."),
    "prose": (reply("I would paint the sky."), "holds no JSON object with an action"),
    "refusal": (reply(None, refusal="I cannot help with that."), "The model refused: “I cannot help with that.”"),
    "content filter": (reply(None, finish="content_filter"), "The model refused"),
    "cut off call": (call('{"x_start": 0.1, "y_st', finish="length"), "was cut off"),
    "cut off text": (reply('{"action": "brush_stroke", "x_st', finish="length"), "was cut off before its action"),
    "cut off at once": (reply("", finish="length"), "cut off before anything was said"),
    "broken arguments": (call("{x_start: 1}"), "no JSON object"),
    "a list": (call("[1, 2]"), "no JSON object"),
    "deep nesting": (call("[" * 100_000), "no JSON object"),
    "unknown tool": (call(STROKE, "erase"), "only brush_stroke can be done here"),
    "undo where there is none": (call({}, "undo"), "only brush_stroke can be done here"),
    "other json": (reply('{"colour": "blue"}'), "holds no JSON object with an action"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_the_rest_is_invalid_with_a_reason(what: str) -> None:
    given_reply, expected = FAULTS[what]
    for form in (PLAIN, PLAIN._replace(by_tools=False)):
        assert expected in reason(read(given_reply, form))


def test_undo_and_submit_are_read_where_the_protocol_knows_them() -> None:
    assert isinstance(read(call("", "undo"), STUDIO).action, Undo)
    assert isinstance(read(reply('{"action": "submit"}'), STUDIO._replace(by_tools=False)).action, Submit)


@given(st.text(max_size=400), st.sampled_from([None, "stop", "length", "content_filter"]), st.booleans())
def test_no_text_breaks_the_reader(text: str, finish: str | None, by_tools: bool) -> None:
    form = STUDIO._replace(by_tools=by_tools)
    for found in (reply(text, finish=finish), call(text, finish=finish), call({}, text), reply(None, refusal=text)):
        assert read(found, form).action.kind in ("brush_stroke", "undo", "submit", "invalid")


SIMPLE = st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers()


@given(st.recursive(SIMPLE, st.lists, max_leaves=4))
def test_no_value_of_a_number_breaks_the_reader(value: Any) -> None:
    found = read(call({**STROKE, "blue": value}), PLAIN)
    if isinstance(found.action, BrushStroke):
        assert 0 <= found.action.stroke.blue <= 1
