"""Scores of plans: the golden values, laws of rates and bounds, tiers, and reports that are nothing like a report."""

from __future__ import annotations

import doctest
import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.scoring import plan as module
from easel_app.scoring.plan import (
    AGGREGATIONS,
    CRITERIA,
    GAPS,
    POLICIES,
    TIERS,
    Aggregation,
    Policy,
    call_credit,
    call_rate,
    final_score,
    fs_tier,
    missed_images,
    report_conflicts,
    tool_adoption,
    tool_names,
)

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "cases" / "atp_golden.json").read_text("utf-8"))
GOLDEN: dict[str, Any] = TABLES["golden"]
near = pytest.approx

verdicts = st.builds(
    lambda gates, scores: {
        "necessary": gates[0],
        "boundary_ok": gates[1],
        "scores": dict(zip(CRITERIA, scores, strict=True)),
    },
    st.tuples(st.booleans(), st.booleans()),
    st.tuples(*[st.sampled_from([2, 2, 1, 0])] * 4),
)
closed = st.lists(st.lists(verdicts, max_size=4), max_size=6)
with_open = st.lists(st.lists(st.none() | verdicts, max_size=3), max_size=4)
policies, aggregations = st.sampled_from(POLICIES), st.sampled_from(AGGREGATIONS)
GOOD: dict[str, Any] = {"necessary": True, "boundary_ok": True, "scores": dict.fromkeys(CRITERIA, 2)}
BAD: dict[str, Any] = {**GOOD, "scores": dict.fromkeys(CRITERIA, 0)}


def changed(**fields: Any) -> dict[str, Any]:
    return GOOD | fields


def scored(**scores: Any) -> dict[str, Any]:
    return GOOD | {"scores": GOOD["scores"] | scores}


def kinds(calls: list[Any]) -> list[str | None]:
    """Categories for some queries, the last of none."""
    return [["x", "y", None][number % 3] for number in range(len(calls))]


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("aggregation", ["micro", "macro_query"])
def test_golden_success_rates(policy: Policy, aggregation: Aggregation) -> None:
    golden = GOLDEN["success_rate_policies"]
    calls = [[call for call in golden["calls"] if call["query"] == query] for query in golden["queries"]]
    found = call_rate(calls, policy, aggregation)
    assert found.value == near(golden["expected"][policy][aggregation], abs=1e-9)
    assert (found.n_calls, found.n_queries, found.n_without_calls, found.n_open) == (5, 2, 1, 0)
    assert found.bounds == (found.value, found.value)


def test_golden_missed_images() -> None:
    golden = GOLDEN["mean_missed_images"]
    found = missed_images([[GAPS[k % 4] for k in range(count)] for count in golden["gap_counts"]])
    assert found.mi == near(golden["value"], abs=1e-9)
    assert found.by_kind == {GAPS[0]: 2, GAPS[1]: 1, GAPS[2]: 0, GAPS[3]: 0}


def test_golden_tool_adoption() -> None:
    golden = GOLDEN["tool_adoption"]
    assert tool_adoption(golden["plans"]) == near(golden["rate_pct"], abs=1e-9)


@pytest.mark.parametrize("case", GOLDEN["fs_tiers_half_open"]["cases"], ids=lambda case: f"FS {case['fs']}")
def test_golden_tiers(case: dict[str, Any]) -> None:
    assert fs_tier(case["fs"]).label == case["tier"]


def test_the_tiers_are_those_of_the_source() -> None:
    assert [(tier.low, tier.high) for tier in TIERS] == sorted(
        (low, high) for low, high, _ in TABLES["fs_tiers"]["tiers"]
    )


@given(st.floats(0, 100))
def test_every_final_score_lies_in_the_tier_that_holds_it(fs: float) -> None:
    tier = fs_tier(fs)
    assert tier.low <= fs < tier.high or fs == tier.high == 100


def test_the_edge_below_a_tier_is_not_in_it() -> None:
    assert fs_tier(math.nextafter(80, 0)).label == "60-80" and fs_tier(80).label == "80-100"


def test_a_plan_without_calls_is_not_a_rate_of_0() -> None:
    for policy, aggregation in itertools.product(POLICIES, AGGREGATIONS):
        found = call_rate([[]], policy, aggregation, categories=["x"])
        assert (found.value, found.bounds, found.n_without_calls, found.n_queries) == (None, None, 1, 0)
        assert call_rate([], policy, aggregation, categories=[]).value is None
    assert call_rate([[], [GOOD], [BAD]], aggregation="macro_query").value == 0.5


def test_partial_credit_is_never_called_sr() -> None:
    for policy, aggregation in itertools.product(POLICIES, AGGREGATIONS):
        name = call_rate([[GOOD]], policy, aggregation, categories=["x"]).name
        assert ("SR" in name) == (policy != "partial_credit") and aggregation in name


def test_a_failed_gate_leaves_nothing_whatever_the_scores() -> None:
    for gate in ("necessary", "boundary_ok"):
        assert call_credit(changed(**{gate: False})) == (0, 0, 0)


@given(verdicts)
def test_strict_is_the_least_generous_policy(verdict: dict[str, Any]) -> None:
    credit = call_credit(verdict)
    assert 0 <= credit.strict <= min(credit.no_fail, credit.partial_credit) and max(credit) <= 1
    assert (credit.strict == 1) == (credit.partial_credit == 1)


@given(closed, aggregations)
def test_so_it_is_for_rates(calls: list[Any], aggregation: Aggregation) -> None:
    strict, no_fail, partial = (call_rate(calls, p, aggregation, categories=kinds(calls)).value for p in POLICIES)
    if strict is None or no_fail is None or partial is None:
        assert strict is no_fail is partial is None
    else:
        assert 0 <= strict <= no_fail + 1e-12 and strict <= partial + 1e-12 and max(no_fail, partial) <= 1


@settings(max_examples=50)
@given(closed, policies)
def test_every_mean_lies_among_the_rates_of_the_queries(calls: list[Any], policy: Policy) -> None:
    rates = [call_rate([own], policy).value for own in calls if own]
    for aggregation in ("micro", "macro_query"):
        value = call_rate(calls, policy, aggregation).value  # type: ignore[arg-type]
        assert (value is None) == (not rates)
        if value is not None:
            known = [rate for rate in rates if rate is not None]
            assert min(known) - 1e-12 <= value <= max(known) + 1e-12


@given(closed, policies)
def test_all_aggregations_agree_where_each_query_is_a_category_of_its_own(calls: list[Any], policy: Policy) -> None:
    names = [str(number) for number in range(len(calls))]
    by_category = call_rate(calls, policy, "macro_category", categories=names).value
    assert by_category == near(call_rate(calls, policy, "macro_query").value)
    single = call_rate(calls, policy, "macro_category", categories=["x"] * len(calls)).value
    assert single == near(call_rate(calls, policy, "micro").value)


@given(with_open, policies, aggregations, st.randoms(use_true_random=False))
def test_the_order_of_queries_and_of_calls_does_not_matter(
    calls: list[Any], policy: Policy, aggregation: Aggregation, random: Any
) -> None:
    pairs = list(zip([random.sample(own, len(own)) for own in calls], kinds(calls), strict=True))
    random.shuffle(pairs)
    shuffled = call_rate([own for own, _ in pairs], policy, aggregation, categories=[kind for _, kind in pairs])
    assert shuffled == call_rate(calls, policy, aggregation, categories=kinds(calls))


@given(with_open, policies, aggregations, verdicts)
def test_the_bounds_hold_the_rate_whatever_open_calls_turn_out_to_be(
    calls: list[Any], policy: Policy, aggregation: Aggregation, verdict: dict[str, Any]
) -> None:
    categories = kinds(calls)
    bounds = call_rate(calls, policy, aggregation, categories=categories).bounds
    for said in (verdict, GOOD, BAD):
        full = [[said if call is None else call for call in own] for own in calls]
        value = call_rate(full, policy, aggregation, categories=categories).value
        assert (value is None) == (bounds is None)
        if value is not None and bounds is not None:
            assert bounds[0] - 1e-12 <= value <= bounds[1] + 1e-12
            if said is not verdict:
                assert value == near(bounds[said is GOOD], abs=1e-12)


def test_an_open_call_keeps_its_query_out_and_is_counted() -> None:
    found = call_rate([[GOOD, None], [GOOD, BAD], [None], []])
    assert (found.value, found.n_calls, found.n_queries, found.n_open, found.n_without_calls) == (0.5, 2, 1, 2, 1)
    assert found.bounds == (2 / 5, 4 / 5)


def test_queries_of_no_category_are_in_no_mean_over_categories() -> None:
    calls = [[GOOD], [BAD], [BAD, GOOD], [BAD]]
    assert call_rate(calls, aggregation="macro_category", categories=["x", "x", "y", None]).value == 0.5
    assert call_rate(calls, aggregation="macro_category", categories=[None] * 4).value is None


@pytest.mark.parametrize(
    "verdict",
    [
        "2222", 7, [], {}, changed(scores=None), changed(scores=[2, 2, 2, 2]), changed(scores={"placement": 2}),
        changed(necessary=None), changed(necessary=1), changed(boundary_ok="true"), scored(format=True),
        scored(format=2.0), scored(format=3), scored(format=-1), scored(format="2"), scored(format=None),
        scored(format=float("nan")), scored(format=[2]), scored(format=10**400), scored(tone=2),
    ],
    ids=lambda verdict: str(verdict)[:60],
)  # fmt: skip
def test_what_is_no_verdict_is_refused_and_its_call_named(verdict: Any) -> None:
    with pytest.raises(ValueError, match=r"call '1 of query 2' must have necessary and boundary_ok"):
        call_rate([[], [GOOD], [GOOD, verdict]])


def test_names_of_policies_and_categories_are_checked() -> None:
    for arguments in (("sr", "micro"), ("strict", "macro"), ("Strict", "micro"), (None, None)):
        with pytest.raises(ValueError, match="the policy is one of strict, no_fail, partial_credit"):
            call_rate([[GOOD]], *arguments)  # type: ignore[arg-type]
    for categories in (None, [], ["x", "y"]):
        with pytest.raises(ValueError, match="1 queries need a category each"):
            call_rate([[GOOD]], "strict", "macro_category", categories=categories)


def test_a_missing_report_is_not_a_plan_without_gaps() -> None:
    found = missed_images([None, [], ["unmet_request"]])
    assert (found.mi, found.n, found.n_open) == (0.5, 2, 1)
    nothing = missed_images([None])
    assert (nothing.mi, nothing.n, nothing.n_open, sum(nothing.by_kind.values())) == (None, 0, 1, 0)
    assert missed_images([]).mi is None


@given(st.lists(st.lists(st.sampled_from(GAPS)), min_size=1))
def test_the_kinds_of_gaps_add_up_to_mi(gaps: list[list[str]]) -> None:
    found = missed_images(gaps)
    assert found.mi is not None and sum(found.by_kind.values()) == near(found.mi * found.n)


@pytest.mark.parametrize("gaps", [["missing"], ["unmet_request", None], [3], [["unmet_request"]], "unmet_request"])
def test_gaps_of_other_kinds_are_refused(gaps: Any) -> None:
    with pytest.raises(ValueError, match="gaps of plan 1 must each be one of dangling_reference"):
        missed_images([[], gaps])


@pytest.mark.parametrize("fs", [-0.01, 100.01, math.nan, math.inf, True, "80", None, [80], 10**400])
def test_what_is_no_final_score_is_refused(fs: Any) -> None:
    for read in (final_score, fs_tier, lambda value: report_conflicts(value, 0, None)):
        with pytest.raises(ValueError, match="a final score must be a number from 0 to 100"):
            read(fs)


@pytest.mark.parametrize(
    ("fs", "gaps", "rate", "codes"),
    [
        (80, 1, 1.0, ["high_fs_with_gaps"]),
        (79.9, 1, 1.0, []),
        (80, 0, 1.0, []),
        (60, 3, 0.5, ["good_fs_with_many_gaps"]),
        (60, 2, 0.5, []),
        (59.9, 3, 0.5, []),
        (100, 4, None, ["high_fs_with_gaps", "good_fs_with_many_gaps"]),
        (19.9, 0, 1.0, ["low_fs_without_fault"]),
        (20, 0, 1.0, []),
        (0, 1, 1.0, []),
        (0, 0, 0.99, []),
        (0, 0, None, []),
    ],
)
def test_a_final_score_that_the_reports_contradict_is_told(
    fs: float, gaps: int, rate: float | None, codes: list[str]
) -> None:
    found = report_conflicts(fs, gaps, rate)
    assert [conflict.code for conflict in found] == codes
    assert all(f"FS {fs:g}" in conflict.explanation and conflict.explanation.endswith(".") for conflict in found)


@pytest.mark.parametrize(("gaps", "rate"), [(-1, None), (True, None), (1.5, None), (0, 1.01), (0, -0.1), (0, math.nan)])
def test_counts_and_rates_that_are_none_are_refused(gaps: Any, rate: Any) -> None:
    with pytest.raises(ValueError, match="gaps are counted from 0 and a rate lies in"):
        report_conflicts(50, gaps, rate)


def test_adoption_is_of_plans_and_not_of_calls() -> None:
    found = tool_adoption([["search"] * 99, [None, "edit"], []], ["search", "edit", "paint"])
    assert found == near({"search": 100 / 3, "edit": 100 / 3, "paint": 0.0})
    assert set(tool_adoption([]).values()) == {None}


@pytest.mark.parametrize("tools", ["search", [3], [["search"]], [b"search"], [True]])
def test_tools_that_are_no_names_are_refused(tools: Any) -> None:
    with pytest.raises(ValueError, match="a list of their names"):
        tool_names(tools)
