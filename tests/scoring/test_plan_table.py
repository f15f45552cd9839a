"""Tables of plans: each number against its plain definition, judges apart, laws, intervals, records that are none."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.scoring.judge_free import STATUSES, cited_images, invalid_rate
from easel_app.scoring.plan import (
    AGGREGATIONS,
    CRITERIA,
    GAPS,
    POLICIES,
    TIERS,
    TOOLS,
    call_rate,
    fs_tier,
    missed_images,
    tool_adoption,
)
from easel_app.scoring.plan_sums import PlanRecord, plan_sums
from easel_app.scoring.plan_table import GROUPS, PlanRow, PlanTable, Rate, plan_table, random_groups
from easel_app.scoring.set_overlap import SetScores, set_scores
from easel_app.scoring.uncertainty import Estimate, cluster_intervals

near = pytest.approx
FULL, NONE = dict.fromkeys(CRITERIA, 2), dict.fromkeys(CRITERIA, 0)
GOOD: dict[str, Any] = {"necessary": True, "boundary_ok": True, "scores": FULL}
BAD: dict[str, Any] = {"necessary": True, "boundary_ok": True, "scores": NONE}
verdicts = st.builds(
    lambda gate, scores: {"necessary": gate, "boundary_ok": True, "scores": dict(zip(CRITERIA, scores, strict=True))},
    st.booleans(),
    st.tuples(*[st.sampled_from([2, 2, 1, 0])] * 4),
)
tools = st.lists(st.sampled_from([*TOOLS, "paint", None]), max_size=4)
images = st.none() | st.lists(st.integers(-1, 5), max_size=5)


@st.composite
def plans(draw: st.DrawFn, most: int = 8) -> list[PlanRecord]:
    """Plans of two planners and two judges, one or none on each query."""
    categories = draw(st.lists(st.sampled_from(["Recipe", "Travel", None]), min_size=1, max_size=most))
    made = []
    for number, category in enumerate(categories):
        for planner, judge in draw(st.sets(st.tuples(st.sampled_from("pq"), st.sampled_from(["j", "k", None])))):
            made.append(
                PlanRecord(
                    query=f"q{number}",
                    planner=planner,
                    judge=judge,
                    category=category,
                    calls=draw(st.lists(st.none() | verdicts | verdicts | verdicts, max_size=3)),
                    gaps=draw(st.none() | st.lists(st.sampled_from(GAPS), max_size=3)),
                    fs=draw(st.none() | st.floats(0, 100)),
                    tools=draw(tools),
                    reference_tools=draw(st.none() | tools),
                    statuses=draw(st.dictionaries(st.sampled_from(STATUSES), st.integers(0, 3))),
                    cited=draw(images),
                    reference_cited=draw(images),
                    pool_size=draw(st.none() | st.integers(0, 5)),
                    index_base=draw(st.integers(0, 1)),
                )
            )
    return made


def table(records: list[PlanRecord], **options: Any) -> PlanTable:
    return plan_table(records, resamples=10, **options)


def some(count: int, **fields: Any) -> list[PlanRecord]:
    rng = np.random.default_rng(count)
    return [
        PlanRecord(
            query=f"q{number}",
            planner="p",
            judge="j",
            category="x",
            calls=[GOOD if hit else BAD for hit in rng.random(rng.poisson(4)) < rng.beta(3, 2)],
            **fields,
        )
        for number in range(count)
    ]


def mean(values: list[float | None]) -> tuple[float | None, int]:
    known = [value for value in values if value is not None]
    return (near(np.mean(known), abs=1e-9) if known else None), len(known)


def said(estimate: Estimate) -> tuple[float | None, int]:
    return estimate.value, estimate.n


def hold_overlap(found: Any, expected: SetScores) -> None:
    assert found.recall_undefined == expected.recall_undefined
    for name in ("precision", "recall", "f1"):
        for kind in ("mean", "micro"):
            value = getattr(getattr(expected, kind), name)
            assert getattr(found, kind)[name].value == (None if value is None else near(value, abs=1e-9))


@settings(max_examples=40)
@given(plans())
def test_each_number_of_a_row_is_that_of_its_plain_definition(records: list[PlanRecord]) -> None:
    found = table(records)
    seen = 0
    for row in found.rows:
        own = [
            record
            for record in records
            if (record.planner, record.judge) == (row.planner, row.judge) and row.category in (None, record.category)
        ]
        seen += len(own) * (row.category is None)
        assert (row.plans, row.queries) == (len(own), len({record.query for record in own}))
        calls, kinds = [record.calls for record in own], [record.category for record in own]
        for policy in POLICIES:
            rates = row.partial_credit if policy == "partial_credit" else row.sr[policy]
            for aggregation in AGGREGATIONS:
                plain = call_rate(calls, policy, aggregation, categories=kinds)
                assert rates[aggregation].estimate.value == (
                    None if plain.value is None else near(plain.value, abs=1e-9)
                )
                assert rates[aggregation].bounds == (None if plain.bounds is None else near(plain.bounds, abs=1e-9))
            assert (row.open, row.without_calls) == (plain.n_open, plain.n_without_calls)
            assert (rates["micro"].estimate.n, rates["macro_query"].estimate.n) == (plain.n_calls, plain.n_queries)
        missed = missed_images([record.gaps for record in own])
        assert said(row.mi) == (None if missed.mi is None else near(missed.mi), missed.n)
        for kind in GAPS:
            assert row.gaps[kind].value == (near(missed.by_kind[kind] / missed.n) if missed.n else None)
        assert said(row.fs) == mean([record.fs for record in own])
        scored = [fs_tier(record.fs).label for record in own if record.fs is not None]
        assert row.tiers == {tier.label: scored.count(tier.label) for tier in TIERS}
        adoption = tool_adoption([record.tools for record in own])
        assert {tool: row.adoption[tool].value for tool in TOOLS} == near(adoption)
        named = [[name for name in record.tools if name] for record in own]
        wanted = [record.reference_tools for record in own]
        pairs = [(a, [name for name in b if name]) for a, b in zip(named, wanted, strict=True) if b is not None]
        hold_overlap(row.tool_sets, set_scores(pairs))
        both = [(record.cited, record.reference_cited) for record in own]
        hold_overlap(row.image_sets, set_scores([(a, b) for a, b in both if a is not None and b is not None]))
        cited = [
            cited_images(record.cited, record.reference_cited, pool_size=record.pool_size, index_base=record.index_base)
            for record in own
            if record.cited is not None
        ]
        assert said(row.image_order) == mean([each.order for each in cited])
        assert said(row.out_of_range) == mean([each.out_of_range for each in cited])
        assert said(row.duplicates) == mean([each.duplicates for each in cited])
        rate = invalid_rate([record.statuses for record in own])
        assert row.invalid_rate.value == (None if rate is None else near(rate))
    assert seen == len(records)


def estimates(row: PlanRow) -> list[Estimate]:
    """All of a row."""

    def within(value: Any) -> list[Estimate]:
        if isinstance(value, Estimate):
            return [value]
        parts = value.values() if isinstance(value, dict) else [getattr(value, name) for name in names(value)]
        return [estimate for part in parts for estimate in within(part)]

    def names(value: Any) -> list[str]:
        return list(getattr(value, "__dataclass_fields__", ()))

    return within(row)


@settings(max_examples=20)
@given(plans(), st.randoms(use_true_random=False))
def test_neither_the_order_of_records_nor_names_of_planners_matter(records: list[PlanRecord], random: Any) -> None:
    found = table(records)
    shuffled = random.sample(records, len(records))
    assert table(shuffled) == found
    renamed = table([replace(record, planner={"p": "a", "q": "b"}[record.planner]) for record in shuffled])
    assert [replace(row, planner={"a": "p", "b": "q"}[row.planner]) for row in renamed.rows] == found.rows


@settings(max_examples=20)
@given(plans())
def test_a_row_depends_on_nothing_but_its_own_planner_and_judge(records: list[PlanRecord]) -> None:
    whole = table(records).rows
    keys = {(record.planner, record.judge) for record in records}
    alone = [table([record for record in records if (record.planner, record.judge) == key]).rows for key in keys]
    assert sorted(whole, key=repr) == sorted((row for rows in alone for row in rows), key=repr)


@settings(max_examples=20)
@given(plans())
def test_intervals_hold_their_value_and_keep_to_what_can_be(records: list[PlanRecord]) -> None:
    for row in table(records).rows:
        found = estimates(row)
        assert len(found) == 9 + 1 + len(GAPS) + 1 + len(TOOLS) + 12 + 4
        for estimate in found:
            assert (estimate.low is None) == (estimate.high is None)
            if estimate.low is not None and estimate.high is not None and estimate.value is not None:
                assert 0 <= estimate.low <= estimate.value + 1e-12 and estimate.value - 1e-12 <= estimate.high
        for rate in (*row.sr["strict"].values(), *row.sr["no_fail"].values(), *row.partial_credit.values()):
            assert isinstance(rate, Rate) and (rate.estimate.high or 0) <= 1
        assert all((estimate.high or 0) <= 100 for estimate in (row.fs, *row.adoption.values()))


@settings(max_examples=20)
@given(plans())
def test_it_is_json_without_nan(records: list[PlanRecord]) -> None:
    found = json.loads(json.dumps(asdict(table(records)), allow_nan=False))
    assert set(found) == {"rows", "notes", "version"} and len(found["rows"]) == len(table(records).rows)


def test_two_judges_of_the_same_plans_never_share_a_number() -> None:
    records = [
        PlanRecord(query=str(number), planner="p", judge=judge, calls=[verdict])
        for number in range(6)
        for judge, verdict in (("kind", GOOD), ("harsh", BAD))
    ]
    found = plan_table(records)
    assert [(row.judge, row.sr["strict"]["micro"].estimate.value) for row in found.rows] == [
        ("harsh", 0.0),
        ("kind", 1.0),
    ]
    assert any("one judge" in note for note in found.notes) and any(
        "partial credit is no SR" in note for note in found.notes
    )


def test_rows_are_of_all_queries_first_and_then_of_each_category() -> None:
    records = [
        PlanRecord(query=query, planner=planner, judge=judge, category=category)
        for query, category in (("1", "Travel"), ("2", "Recipe"), ("3", None))
        for planner, judge in (("q", "j"), ("p", "j"), ("p", None))
    ]
    kinds = [None, "Recipe", "Travel"]
    expected = [(*who, kind) for who in (("p", None), ("p", "j"), ("q", "j")) for kind in kinds]
    assert [(row.planner, row.judge, row.category) for row in table(records).rows] == expected
    assert {row.category for row in table(records, by_category=False).rows} == {None}


def test_nothing_makes_an_empty_table_and_no_sums() -> None:
    assert plan_table([]).rows == []
    assert {len(column) for column in plan_sums([], TOOLS).values()} == {0}
    assert plan_table([PlanRecord(query="1", planner="p")], tools=[]).rows[0].adoption == {}


def test_a_plan_of_which_nothing_is_known_has_no_number_but_its_adoption() -> None:
    (row,) = plan_table([PlanRecord(query="1", planner="p")]).rows
    known = [estimate for estimate in estimates(row) if estimate.value is not None]
    assert known == [Estimate(0.0, None, None, 1, 0)] * len(TOOLS) and (row.queries, row.without_calls) == (1, 1)


def test_of_one_query_there_is_no_interval() -> None:
    (row,) = plan_table([PlanRecord(query="1", planner="p", calls=[GOOD, BAD], gaps=[], fs=70)]).rows
    assert all(estimate.low is None for estimate in estimates(row)) and row.sr["strict"]["micro"].estimate.value == 0.5


def test_several_answers_to_a_query_are_one_query_with_all_their_calls() -> None:
    answers = [PlanRecord(query="1", planner="p", calls=calls, fs=fs) for calls, fs in (([GOOD] * 3, 90), ([BAD], 10))]
    (row,) = plan_table([*answers, PlanRecord(query="2", planner="p", calls=[BAD], fs=50)]).rows
    assert row.sr["strict"]["macro_query"].estimate.value == (3 / 4 + 0) / 2
    assert (row.plans, row.queries, row.fs.value, row.fs.n) == (3, 2, 50, 3)


def test_micro_rates_are_resampled_by_queries_with_all_their_calls() -> None:
    records = some(40)
    (row, _) = plan_table(records).rows
    ordered = sorted(records, key=lambda record: record.query)
    sums = np.array([[sum(call is GOOD for call in record.calls), len(record.calls)] for record in ordered], float)
    (expected,) = cluster_intervals(
        sums, lambda drawn: drawn[:, :1] / drawn[:, 1:], n=[int(sums[:, 1].sum())], bounds=(0, 1)
    )
    found = row.sr["strict"]["micro"].estimate
    assert (found.value, found.n) == (expected.value, expected.n)
    # queries without calls say nothing, so that it is a little wider
    assert found.low == near(expected.low, abs=2e-3) and found.high == near(expected.high, abs=2e-3)


def test_many_queries_are_resampled_in_groups_and_give_about_the_same_interval() -> None:
    records = some(1500)
    (row, _) = plan_table(records).rows
    sums = np.array([[sum(call is GOOD for call in record.calls), len(record.calls)] for record in records], float)
    (single,) = cluster_intervals(sums, lambda drawn: drawn[:, :1] / drawn[:, 1:])
    found = row.sr["strict"]["micro"].estimate
    assert None not in (found.low, found.high, single.low, single.high)
    assert found.value == single.value
    # the width of an interval over 256 groups has a relative standard error of 1 / sqrt(2 · 255) = 0.044
    assert found.high - found.low == near(single.high - single.low, rel=4 * 0.044)  # type: ignore[operator]


@given(st.integers(1, 3 * GROUPS), st.integers(0, 9))
def test_groups_differ_by_one_query_at_most(size: int, seed: int) -> None:
    cluster, clusters = random_groups(size, seed)
    sizes = np.bincount(cluster, minlength=clusters)
    assert len(cluster) == size and clusters == min(size, GROUPS) == len(sizes) and np.ptp(sizes) <= 1


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"calls": [GOOD, {"necessary": True}]}, "the verdict on call 1 must have necessary"),
        ({"calls": "good"}, "the verdict on call 0 must have necessary"),
        ({"gaps": ["gap"]}, "must each be one of dangling_reference"),
        ({"fs": 101}, "a final score must be a number from 0 to 100"),
        ({"fs": float("nan")}, "a final score must be a number from 0 to 100"),
        ({"tools": "search"}, "a list of their names"),
        ({"reference_tools": [["search"]]}, "a list of their names"),
        ({"statuses": {"failed": -1}}, "calls are counted as strict"),
        ({"cited": [1.5]}, "indices of images must be whole numbers"),
        ({"cited": [1], "reference_cited": ["1"]}, "indices of images must be whole numbers"),
        ({"cited": [1], "pool_size": -1}, "the size of a pool"),
    ],
)
def test_a_record_that_cannot_be_scored_is_named(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=f"the plan of 'p' for query '7': .*{fault}"):
        plan_table([PlanRecord(query="6", planner="p"), PlanRecord(query="7", planner="p", **fields)])


def test_a_query_has_one_category() -> None:
    records = [
        PlanRecord(query="1", planner=planner, category=kind) for planner, kind in (("p", "Recipe"), ("q", None))
    ]
    with pytest.raises(ValueError, match="query '1' has one category, but is said to be of 'Recipe' and None"):
        plan_table(records)


def test_a_tool_or_a_planner_may_have_the_name_of_a_sum() -> None:
    record = PlanRecord(query="1", planner="calls", judge="open", category="fs", tools=["fs", "strict"], calls=[GOOD])
    first, second = plan_table([record], tools=["fs", "strict", "plans"]).rows
    assert {tool: estimate.value for tool, estimate in first.adoption.items()} == {"fs": 100, "strict": 100, "plans": 0}
    assert second.sr["strict"]["micro"].estimate.value == 1
