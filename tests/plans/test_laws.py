"""Laws that hold for every text; `python -m tests.plans.fuzz --minutes 5` holds far more texts against them."""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.plans import laws
from tests.plans.making import between, hostile, objects, plans, tag

PLANS = int(os.environ.get("EASEL_PLANS", "300"))
"""Texts for each law; 10,000 take some minutes."""
many = settings(max_examples=PLANS, deadline=None)
few = settings(max_examples=PLANS // 2, deadline=None)

contexts = st.fixed_dictionaries(
    {}, optional={"pool_size": st.integers(0, 9), "index_base": st.sampled_from([0, 1]), "outputs_count": st.booleans()}
)


@many
@given(plans, contexts)
def test_of_a_plan_with_closed_tags_nothing_is_lost(text: str, context: dict[str, int]) -> None:
    laws.check(text, **context)


@many
@given(hostile, contexts)
def test_of_any_text_nothing_is_lost(text: str, context: dict[str, int]) -> None:
    laws.check(text, **context)


@few
@given(st.one_of(plans, hostile))
def test_a_call_alone_is_the_call_that_it_was_in_its_plan(text: str) -> None:
    for call in laws.check(text).calls:
        laws.read_again(call)


@few
@given(plans, plans)
def test_two_plans_joined_have_the_calls_of_both(one: str, two: str) -> None:
    plan, other = laws.check(one), laws.check(two)
    assume(laws.leaves_nothing_open(plan) and laws.leaves_nothing_open(other))
    laws.joined(plan, other)


@few
@given(objects, st.booleans(), st.sampled_from([None, 1]))
def test_json_in_closed_tags_is_strict_and_keeps_its_values(
    value: dict[str, Any], ascii_only: bool, indent: int
) -> None:
    body = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    (call,) = laws.check(between(tag(body))).calls
    assert (call.status, call.value, call.raw) == ("strict", value, tag(body))
