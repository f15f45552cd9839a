"""The given cases of the parsing contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from easel_app.plans import parse_plan

GIVEN = json.loads((Path(__file__).parent / "cases" / "plan_parser_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GIVEN["cases"], ids=lambda case: f"{case['id']} {case['title']}")
def test_a_given_case_is_read_as_it_says(case: dict[str, Any]) -> None:
    plan, wanted = parse_plan(case["text"], **case["context"]), case["expected"]
    assert "".join(plan.text[each.start : each.end] for each in plan.segments) == case["text"]
    assert len(plan.calls) == wanted["n_calls"]
    for call, expected in zip(plan.calls, wanted["calls"], strict=True):
        assert call.status in expected["status_in"]
        assert [getattr(call, key) for key in ("tool", "params") if key in expected] == [
            expected[key] for key in ("tool", "params") if key in expected
        ]
        assert list(call.span) == expected.get("span", list(call.span))
    codes = {problem.code for problem in plan.problems}
    assert set(wanted["problems_include"]) <= codes
    assert all(codes & set(some) for some in wanted["problems_any_of"])
    assert not codes & set(wanted["problems_exclude"])
