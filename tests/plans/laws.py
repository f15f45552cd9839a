"""What holds for every text, whatever it is: for the property tests and for the long fuzz run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from easel_app.plans import Call, Plan, parse_plan
from easel_app.plans.problems import KINDS
from easel_app.plans.spaces import BLANK

OPENED = re.compile(rf"(?ai:<(?:tool|imgen|tool_call)>)(?:{BLANK}*+(?:```|~~~)[\w+-]*[ \t]*\r?\n?)?{BLANK}*+[{{\[]")
"""An open tag before a body that begins like an object or a list."""
UNFINISHED = {"unclosed_tag", "unclosed_think", "nested_tag", "stray_close_tag", "stray_think_close"}


def check(text: str, **context: Any) -> Plan:
    """Hold a text against the laws of one plan; what it was read as."""
    plan = parse_plan(text, **context)
    whole_and_ordered(plan)
    no_call_lost(plan)
    problems_belong(plan)
    blocks_hold_what_is_shown(plan)
    for call in plan.calls:
        statuses_agree(call)
    return plan


def whole_and_ordered(plan: Plan) -> None:
    """The segments join to the text, none is empty, and no two texts follow each other."""
    places = [(each.start, each.end) for each in plan.segments]
    assert "".join(plan.text[start:end] for start, end in places) == plan.text
    assert all(start < end for start, end in places)
    assert [0, *(end for _, end in places)] == [*(start for start, _ in places), len(plan.text)]
    assert all({"text"} != {one.kind, two.kind} for one, two in zip(plan.segments, plan.segments[1:], strict=False))
    assert [each.call for each in plan.segments if each.kind == "call"] == [call.id for call in plan.calls]
    assert [call.id for call in plan.calls] == list(range(1, len(plan.calls) + 1))
    assert all(call.raw == plan.text[call.span.start : call.span.end] for call in plan.calls)


def no_call_lost(plan: Plan) -> None:
    """An open tag whose body begins like an object or a list begins a call, unless it lies in one or in thinking."""
    held = [each for each in plan.segments if each.kind != "text"]
    for found in OPENED.finditer(plan.text):
        assert any(
            each.start == found.start() if each.kind == "call" else each.start <= found.start() < each.end
            for each in held
        ) or any(each.kind == "call" and each.start < found.start() < each.end for each in held)


def problems_belong(plan: Plan) -> None:
    """Problems lie in the text and in order, each call has its own, and each is of a known kind, told in a sentence."""
    assert [each.span for each in plan.problems] == sorted(each.span for each in plan.problems)
    for each in plan.problems:
        assert 0 <= each.span.start <= each.span.end <= len(plan.text)
        assert each.severity == KINDS[each.code].severity
        assert each.explanation.endswith(".") and each.explanation.isprintable() and "{" not in each.explanation[:1]
    for call in plan.calls:
        assert list(call.problems) == [each for each in plan.problems if each.call_id == call.id]
    assert {each.call_id for each in plan.problems} <= {None, *(call.id for call in plan.calls)}


def blocks_hold_what_is_shown(plan: Plan) -> None:
    """Blocks are numbered from 1, apart, trimmed, and hold every call and all text but blanks."""
    assert [each.number for each in plan.blocks] == list(range(1, len(plan.blocks) + 1))
    assert all(one.end <= two.start for one, two in zip(plan.blocks, plan.blocks[1:], strict=False))
    assert [each.call for each in plan.blocks if each.kind == "call"] == [call.id for call in plan.calls]
    left = list(plan.text)
    for each in [*plan.blocks, *(each for each in plan.segments if each.kind == "thinking")]:
        left[each.start : each.end] = " " * (each.end - each.start)
    assert re.fullmatch(f"{BLANK}*+", "".join(left))


def statuses_agree(call: Call) -> None:
    """What the status says is what is there: a value or none, and the codes that go with it."""
    codes = {problem.code for problem in call.problems}
    assert (call.value is None) == (call.params is None) == (call.status == "failed")
    assert ("repaired" in codes) == (call.status == "repaired")
    assert (call.status == "failed") == bool(codes & {"empty_tag", "not_an_object", "too_deep", "unparseable"})
    if call.value is not None:
        json.dumps(call.value)
        assert call.tool is None or not codes & {"unknown_tool", "missing_tool_name"}
        sent = next((call.value[key] for key in ("params", "parameters", "arguments", "args") if key in call.value), {})
        if isinstance(sent, dict):
            assert list(map(repr, call.params.values())) == list(map(repr, sent.values()))  # type: ignore[union-attr]
    if call.status == "strict":
        body = re.sub(rf"^<\w+>{BLANK}*|{BLANK}*</\w+\s*>$", "", call.raw)
        assert repr(json.loads(body, parse_constant=str)) == repr(call.value)


def read_again(call: Call) -> None:
    """A call's own text is read as the same call."""
    (again,) = parse_plan(call.raw).calls
    shift = call.span.start
    assert repr(replace(again, id=call.id, span=call.span, problems=())) == repr(replace(call, problems=()))
    own = [
        (each.code, each.span)
        for each in call.problems
        if KINDS[each.code].area == "format" and each.code != "fenced_tag"
    ]
    assert own == [(each.code, (each.span.start + shift, each.span.end + shift)) for each in again.problems
                   if KINDS[each.code].area == "format"]  # fmt: skip


def joined(one: Plan, two: Plan) -> None:
    """Two plans with a blank line between them have the calls of both, where they stand, and their blocks.

    The first must leave no tag open, and the second must begin none's end.
    """
    gap = "\n\n"
    both, shift = parse_plan(one.text + gap + two.text), len(one.text) + len(gap)
    assert [(call.span, call.raw, call.status, repr(call.value), call.tool) for call in both.calls] == [
        *((call.span, call.raw, call.status, repr(call.value), call.tool) for call in one.calls),
        *(
            ((call.span.start + shift, call.span.end + shift), call.raw, call.status, repr(call.value), call.tool)
            for call in two.calls
        ),
    ]
    assert [(each.kind, each.start, each.end) for each in both.blocks] == [
        *((each.kind, each.start, each.end) for each in one.blocks),
        *((each.kind, each.start + shift, each.end + shift) for each in two.blocks),
    ]


def leaves_nothing_open(plan: Plan) -> bool:
    """Whether a plan can be joined with another: it has no tag but those of its calls and its thinking."""
    return not UNFINISHED & {each.code for each in plan.problems} and not any(
        re.search(r"(?i)</?(?:tool|imgen|tool_call|think)\s*>", plan.text[each.start : each.end])
        for each in plan.segments
        if each.kind == "text"
    )
