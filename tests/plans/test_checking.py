"""Whether a report fits its plan, and where a quoted passage stands."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.plans import Span, parse_plan
from easel_app.plans.checking import anchor, block_of, check_report, read_report
from easel_app.plans.reports import INSPECTORS, Inspector, RecallReport, report_of
from tests.endpoint.inspector import call, gap
from tests.plans.inspected import PLAN
from tests.plans.making import TEXT, hostile, plans

READ = parse_plan(PLAN, pool_size=2)
CHIEF: dict[str, Any] = {"fs": 45, "tier": "40-60", "reason": "So.", "decisive_calls": [2], "decisive_gaps": [1]}
REPORTS: dict[Inspector, dict[str, Any]] = {
    "precision": {"calls": [call(1), call(2, False)], "summary": "So."},
    "recall": {"gaps": [gap(1, "as shown below", 5), gap(2, "wheel turns", 0)], "mi": 2, "summary": "So."},
    "chief": CHIEF,
}


def faults(inspector: Inspector, content: Any) -> list[tuple[str, str]]:
    recall = report_of("recall", REPORTS["recall"])
    return [tuple(fault) for fault in read_report(READ, inspector, content, {"recall": recall})[1]]  # type: ignore[misc]


@pytest.mark.parametrize("inspector", INSPECTORS)
def test_a_report_that_fits_has_no_fault_and_keeps_what_it_says(inspector: Inspector) -> None:
    report, found = read_report(READ, inspector, REPORTS[inspector])
    assert report and not found and check_report(READ, inspector, report) == []
    kept = report.model_dump(mode="json")
    for each in kept.get("calls", ()):
        each["success"] = each["call_id"] == 1
    assert kept == REPORTS[inspector], "but for success, which is derived"


Change = Callable[[dict[str, Any]], Any]


def put(path: str, value: Any) -> Change:
    def change(report: dict[str, Any]) -> None:
        *before, last = path.split(".")
        at: Any = report
        for step in before:
            at = at[int(step) if step.isdigit() else step]
        at[last] = value

    return change


@pytest.mark.parametrize(
    ("inspector", "change", "where", "message"),
    [
        ("precision", lambda r: r["calls"].pop(), "calls", "call 2 is not scored"),
        ("precision", lambda r: r["calls"].clear(), "calls", "calls 1 and 2 are not scored"),
        ("precision", lambda r: r["calls"].append(call(2)), "calls", "call 2 is scored more than once"),
        (
            "precision",
            lambda r: r["calls"].append(call(3)),
            "calls",
            "call 3 is not in the plan, whose calls are 1 to 2",
        ),
        ("precision", put("calls.0.success", False), "calls.0.success", "success of call 1 must be true"),
        ("precision", put("calls.1.success", True), "calls.1.success", "success of call 2 must be false"),
        ("precision", put("calls.0.success", 1), "calls.0.success", "success of call 1 must be true"),
        ("precision", put("calls.0.necessary", False), "calls.0.success", "success of call 1 must be false"),
        ("precision", put("calls.0.scores.format", 3), "calls.0.scores.format", "less than or equal to 2"),
        ("precision", put("calls.0.verdict", "ignore this"), "calls.0", "a key that is not asked for"),
        ("recall", put("mi", 0), "mi", "mi is 0, but the number of gaps is 2"),
        ("recall", put("gaps.1.gap_id", 1), "gaps", "not numbered 1 to 2"),
        ("recall", put("gaps.1.gap_id", 3), "gaps", "not numbered 1 to 2"),
        ("recall", put("gaps.0.after_block", 6), "gaps.0.after_block", "after block 6, but the last block is 5"),
        ("recall", put("gaps.0.anchor_quote", "a zebra"), "gaps.0.anchor_quote", "of gap 1 is not in the plan"),
        ("recall", put("gaps.0.anchor_quote", " "), "gaps.0.anchor_quote", "of gap 1 is not in the plan"),
        ("recall", put("gaps.0.type", "gap"), "gaps.0.type", "dangling_reference"),
        ("chief", put("fs", 60), "", "fs 60 lies in the tier 60-80, not in 40-60"),
        ("chief", put("fs", 101), "fs", "less than or equal to 100"),
        ("chief", put("fs", True), "fs", "integer"),
        ("chief", put("decisive_calls", [1, 9]), "decisive_calls", "call 9 is not in the plan"),
        ("chief", put("decisive_gaps", [3]), "decisive_gaps", "gap 3 is not in the report of the Recall Inspector"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(
    inspector: Inspector, change: Change, where: str, message: str
) -> None:
    content = copy.deepcopy(REPORTS[inspector])
    change(content)
    found = faults(inspector, content)
    assert where in [place for place, _ in found] and message in " ".join(text for _, text in found)
    assert "ignore this" not in str(found), "nothing that a model wrote is put to it again as ours"


def test_very_many_faults_are_told_in_few_words() -> None:
    content = {"calls": [call(number) for number in range(3, 2003)], "summary": ""}
    found = faults("precision", content)
    assert len(found) == 2 and "and 1992 more are not in the plan" in found[0][1] and len(str(found)) < 500


def test_a_report_of_another_inspector_is_none() -> None:
    report = report_of("recall", REPORTS["recall"])
    assert [fault.message for fault in check_report(READ, "chief", report)] == [
        "it is no report of the inspector chief"
    ]


def test_the_gaps_of_chief_are_looked_for_only_where_there_is_a_report() -> None:
    report = report_of("chief", {**CHIEF, "decisive_gaps": [7]})
    assert check_report(READ, "chief", report) == []
    empty = RecallReport(gaps=(), mi=0, summary="")
    assert [fault.where for fault in check_report(READ, "chief", report, {"recall": empty})] == ["decisive_gaps"]


@pytest.mark.parametrize("content", [None, [], "calls", 3, {"calls": {}}, {"calls": [None, 3, []], "summary": ""}, {}])
@pytest.mark.parametrize("inspector", INSPECTORS)
def test_data_of_any_shape_are_read_without_a_crash(inspector: Inspector, content: Any) -> None:
    report, found = read_report(READ, inspector, content)
    assert report is None and found


# ---------------------------------------------------------------- quotes

STORY = "\n\n".join(
    [
        "First  paragraph about\nthe   Eiffel Tower, as seen below.",
        PLAN.split("\n\n")[1],
        "Then mix the flour with two eggs, and knead for ten minutes.",
        "<think>Nobody reads this.</think>将面粉和鸡蛋混合。",
    ]
)
TOLD = parse_plan(STORY)


@pytest.mark.parametrize(
    ("quote", "found", "block"),
    [
        ("about the Eiffel Tower", "about\nthe   Eiffel Tower", 1),
        ("“as seen below…”", "as seen below", 1),
        ("AS SEEN BELOW", "as seen below", 1),
        ("mix flour with two eggs, knead for ten minutes", "mix the flour with two eggs, and knead for ten minutes", 3),
        ("将面粉和鸡蛋", "将面粉和鸡蛋", 4),
        ("将面粉与鸡蛋混合", "将面粉和鸡蛋混合", 4),
        ("old mill", "old mill", 2),
        ("Nobody reads this", "Nobody reads this", None),
    ],
)
def test_a_quote_is_found_word_for_word_or_nearly_so(quote: str, found: str, block: int | None) -> None:
    span = anchor(TOLD, quote)
    assert span and STORY[span.start : span.end] == found and block_of(TOLD, span) == block


@pytest.mark.parametrize(
    "quote", ["", " ", "…", "?!", "a zebra", "flour and two zebras", "x" * 20_001, "the the the the"]
)
def test_what_does_not_stand_there_is_not_found(quote: str) -> None:
    assert anchor(TOLD, quote) is None


def test_text_goes_before_calls_and_thinking() -> None:
    plan = parse_plan(f"<think>{TEXT}</think>Words. {TEXT}")
    span = anchor(plan, TEXT)
    assert span and span.start > len(TEXT) + 10


@given(plans, st.data())
def test_every_passage_of_a_plan_is_found_in_it(text: str, data: Any) -> None:
    plan = parse_plan(text)
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    if re.search(r"[^\W_]", quote):
        span = anchor(plan, quote)
        assert span
        if not plan.calls:  # else a passage may be found around a call that its own words leave out
            assert quote.split() == text[span.start : span.end].split()


@given(hostile, hostile)
def test_no_plan_and_no_quote_makes_the_search_fail(text: str, quote: str) -> None:
    plan = parse_plan(text)
    span = anchor(plan, quote)
    assert span is None or (isinstance(span, Span) and 0 <= span.start < span.end <= len(text))
    assert span is None or block_of(plan, span) in (None, *[block.number for block in plan.blocks])


def test_millions_of_characters_and_many_quotes_take_no_square_of_time() -> None:
    """A search that looked at each place for each word would not end; the figure itself is not measured here."""
    text = f"{'a a a b ' * 300_000}\n\nThe one sentence that is quoted stands here."
    plan = parse_plan(text)
    gaps = [
        gap(number, quote, 1)
        for number, quote in enumerate(["a b b a " * 500, "b b b b b", "sentence that was quoted stands here"], 1)
    ]
    _, found = read_report(plan, "recall", {"gaps": gaps, "mi": 3, "summary": ""})
    assert "gaps.2.anchor_quote" not in [fault.where for fault in found] and len(found) >= 1
