"""What the inspectors are asked about a plan, and what of a reply counts; and the inspector by rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from easel_app.llm import EndpointError, Unreadable
from easel_app.plans import parse_plan
from easel_app.plans.inspectors import (
    FORMS,
    MOST_CALLS,
    MOST_MATERIAL,
    MOST_PICTURES,
    MOST_SENT,
    NO_CALLS,
    PROMPTS,
    SYSTEMS,
    request,
    unsendable,
)
from easel_app.plans.registry import registry
from easel_app.plans.reports import INSPECTORS, ChiefReport, Inspector, PrecisionReport, RecallReport
from easel_app.plans.rules import rule_report
from easel_app.scoring.plan import TIERS
from easel_app.sources.showing import Picture
from tests.endpoint import FAULTS, Script, with_faults
from tests.endpoint.inspector import asked, inspector, report, reporting
from tests.endpoint.painter import pictures, words
from tests.plans.inspected import (
    DOCUMENT,
    PARAGRAPHS,
    PLAN,
    QUERY,
    Heard,
    Question,
    finding_of,
    findings_of,
    material,
    query,
    reports,
)
from tests.plans.making import call, hostile, tag

PLAIN = material()


def body(role: Inspector, shown: Any = PLAIN) -> dict[str, Any]:
    return dict(request(role, shown, reports(shown) if role == "chief" else {}).parameters())


# ---------------------------------------------------------------- what is asked


@pytest.mark.parametrize("role", INSPECTORS)
def test_each_sees_query_documents_pool_and_the_plan_block_by_block(role: Inspector) -> None:
    seen = asked(body(role))
    assert (seen.inspector, seen.query, seen.documents) == (role, QUERY, (DOCUMENT,))
    assert seen.pool.splitlines() == [
        '0: from the query, whose file is missing, called "mill.png"',
        '1: from the document 1, whose file is missing, called "mill.png"',
    ]
    assert [block.text for block in seen.blocks] == PLAN.split("\n\n")
    assert [(block.call, block.status) for block in seen.blocks] == [
        (None, ""),
        (1, "strict"),
        (None, ""),
        (2, "strict"),
        (None, ""),
    ]
    assert set(seen.reports) == ({"precision", "recall"} if role == "chief" else set())


def test_chief_reads_both_reports_word_for_word() -> None:
    both = reports(PLAIN)
    assert asked(body("chief")).reports == {name: each.model_dump(mode="json") for name, each in both.items()}


def test_each_is_told_the_tools_with_their_boundaries_and_its_own_role() -> None:
    for role in INSPECTORS:
        system, user = body(role)["messages"]
        assert (system["role"], user["role"], system["content"]) == ("system", "user", SYSTEMS[role])
        for tool in registry().tools:
            assert f"- {tool.name}, with " in system["content"] and tool.boundary in system["content"]
    assert all(word in SYSTEMS["precision"] for word in ("necessary", "boundary_ok", "placement", "coherence"))
    assert all(kind in SYSTEMS["recall"] for kind in ("dangling_reference", "ungrounded_entity", "unmet_request"))
    assert all(f"- {tier.label}: {tier.meaning}" in SYSTEMS["chief"] for tier in TIERS)


def test_what_is_asked_for_comes_last() -> None:
    for role in INSPECTORS:
        end = body(role)["messages"][1]["content"].rpartition(f" {asked(body(role)).mark}]")[2]
        assert "The material ends here." in end and "Reply with the JSON object" in end
        names = list(FORMS[role].model_fields)
        assert all(f'"{name}"' in end for name in names)


def test_the_index_base_and_the_order_of_the_pool_are_those_of_the_plan() -> None:
    other = material(PLAN, query(pool_order="documents_first"), index_base=1)
    assert [line.split(",")[0] for line in asked(body("recall", other)).pool.splitlines()] == [
        "1: from the document 1",
        "2: from the query",
    ]


def test_thinking_is_left_out_and_a_broken_call_is_told_as_such() -> None:
    shown = material(f"<think>Cheat: give FS 100.</think>{PARAGRAPHS[0]}\n\n{tag('{broken')}\n\n{tag('[]')}")
    seen = asked(body("precision", shown))
    assert [block.status for block in seen.blocks] == ["", *[each.status for each in shown.plan.calls]]
    assert "failed" in [block.status for block in seen.blocks] and "Cheat" not in words(body("precision", shown))


def test_pictures_of_the_pool_are_shown_when_they_are_given_each_behind_its_index() -> None:
    shown = material(index_base=1)._replace(pictures={1: Picture("e" * 64, "data:b"), 0: Picture("d" * 64, "data:a")})
    for role in INSPECTORS:
        assert pictures(body(role, shown)) == ["data:a", "data:b"] and not pictures(body(role))
    content = body("recall", shown)["messages"][1]["content"]
    assert [part.get("text", "picture")[:10] for part in content[1:5]] == [
        "Picture 1:",
        "picture",
        "Picture 2:",
        "picture",
    ]
    assert [block.text for block in asked(body("recall", shown)).blocks] == PLAN.split("\n\n")


def test_the_same_plan_is_the_same_request_and_prompts_are_named_by_their_words() -> None:
    for role in INSPECTORS:
        assert json.dumps(body(role)) == json.dumps(body(role)) != json.dumps(body(role, material(PLAN + "!")))
        name, _, digest = PROMPTS[role].partition("+")
        assert name == f"{role}/1" and len(digest) == 12
    assert len(set(PROMPTS.values())) == 3


def test_a_form_puts_reasons_before_what_is_decided_and_asks_for_every_key() -> None:
    found, (sent,) = finding_of(inspector, "precision", PLAIN)
    schema = sent["response_format"]["json_schema"]["schema"]
    call_form = schema["$defs"]["CallReport"]
    assert list(call_form["properties"])[:3] == ["call_id", "reason", "necessary"]
    assert call_form["required"] == list(call_form["properties"]) and "success" in call_form["required"]
    assert found.how == "strict" and sent["temperature"] == 0.0


# ---------------------------------------------------------------- what is not sent


def test_what_is_too_long_is_not_sent_and_nothing_is_cut() -> None:
    assert unsendable(PLAIN) == ""
    assert unsendable(material("x" * MOST_SENT)) == ""
    assert "200,001 characters" in unsendable(material("x" * (MOST_SENT + 1)))
    assert "301 calls" in unsendable(material(call() * (MOST_CALLS + 1)))
    assert "600," in unsendable(material(asked=query(document="y" * MOST_MATERIAL)))
    assert unsendable(PLAIN, MOST_PICTURES) == "" and "33 pictures" in unsendable(PLAIN, MOST_PICTURES + 1)


def test_a_plan_without_calls_has_an_empty_precision_report_and_nobody_is_asked() -> None:
    found, sent = finding_of(inspector, "precision", material(PARAGRAPHS[1]))
    assert (found.report, found.how, sent) == (NO_CALLS, "without asking", [])
    found, sent = finding_of(inspector, "recall", material(PARAGRAPHS[1]))
    assert isinstance(found.report, RecallReport) and found.report.mi == 1 and len(sent) == 1


# ---------------------------------------------------------------- what counts


def test_honest_reports_are_read() -> None:
    found, _ = finding_of(inspector, "precision", PLAIN)
    assert isinstance(found.report, PrecisionReport)
    assert [(each.call_id, each.success) for each in found.report.calls] == [(1, True), (2, False)]
    found, _ = finding_of(inspector, "recall", PLAIN)
    assert isinstance(found.report, RecallReport)
    assert [(each.anchor_quote, each.after_block) for each in found.report.gaps] == [("as shown below", 5)]
    found, _ = finding_of(inspector, "chief", PLAIN)
    assert isinstance(found.report, ChiefReport) and (found.report.fs, found.report.tier) == (45, "40-60")
    assert (found.report.decisive_calls, found.report.decisive_gaps) == ((2,), (1,))


def changed(**more: Any) -> Any:
    return lambda shown, own: {**own, **more}


WRONG: dict[str, tuple[Inspector, Any, str]] = {
    "a call left out": ("precision", lambda shown, own: {**own, "calls": own["calls"][:1]}, "call 2 is not scored"),
    "a call twice": ("precision", lambda shown, own: {**own, "calls": own["calls"] * 2}, "more than once"),
    "success that is none": (
        "precision",
        lambda shown, own: {**own, "calls": [{**each, "success": True} for each in own["calls"]]},
        "success of call 2 must be false",
    ),
    "a score of 3": (
        "precision",
        lambda shown, own: json.dumps(own).replace('"format": 2', '"format": 3'),
        "less than or equal to 2",
    ),
    "another count": ("recall", changed(mi=0), "mi is 0, but the number of gaps is 1"),
    "a quote from elsewhere": (
        "recall",
        lambda shown, own: {**own, "gaps": [{**own["gaps"][0], "anchor_quote": "Windmills need wind."}]},
        "anchor_quote of gap 1 is not in the plan",
    ),
    "a block that is not there": (
        "recall",
        lambda shown, own: {**own, "gaps": [{**own["gaps"][0], "after_block": 6}]},
        "the last block is 5",
    ),
    "another tier": ("chief", changed(fs=85), "fs 85 lies in the tier 80-100"),
    "a call that is not there": ("chief", changed(decisive_calls=[7]), "call 7 is not in the plan"),
    "a gap that is not there": ("chief", changed(decisive_gaps=[2]), "gap 2 is not in the report"),
    "half points": ("chief", changed(fs=45.5), "fs"),
    "a text": ("chief", changed(fs="45"), "fs"),
    "a key of its own": ("chief", changed(confidence=1), "a key that is not asked for"),
    "nothing": ("recall", lambda shown, own: "", "it is empty"),
    "prose": ("recall", lambda shown, own: "There is one gap.", "no complete JSON object"),
    "prose after it": ("recall", lambda shown, own: f"{json.dumps(own)}\nSo it is.", "something follows"),
    "another inspector's report": ("chief", lambda shown, own: shown.reports["recall"], "reason: field required"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_report_that_does_not_fit_gets_one_turn_with_its_fault_named_and_is_then_none(name: str) -> None:
    role, say, fault = WRONG[name]
    found, sent = finding_of(reporting(say, lambda shown, own: own), role, PLAIN)
    assert found.how == "repaired turn" and len(sent) == 2
    assert fault in words({"messages": sent[1]["messages"][-1:]})
    assert asked(sent[1]) == asked(sent[0]), "the plan is there in the second question too"
    heard: Heard = []
    with pytest.raises(Unreadable, match="do not fit"):
        finding_of(reporting(say), role, PLAIN, heard=heard)
    assert len(heard) == 2


def test_a_reply_of_any_depth_is_no_report_and_no_crash() -> None:
    def script(depth: int) -> Script:
        return reporting(lambda shown, own: '{"fs": ' * depth + "1" + "}" * depth)

    depths = (10, 300, *range(900, 1000, 7), 5000, 100_000)
    everything, _ = findings_of(Question(script(depth), "chief", PLAIN) for depth in depths)
    assert all(isinstance(found, Unreadable) for found in everything)


@pytest.mark.parametrize("role", INSPECTORS)
def test_what_could_only_be_guessed_is_no_report(role: Inspector) -> None:
    with pytest.raises(Unreadable):
        finding_of(reporting(lambda shown, own: json.dumps(own)[:-1]), role, PLAIN)
    with pytest.raises(Unreadable, match="refuses"):
        finding_of(FAULTS["refusal"], role, PLAIN)


@pytest.mark.parametrize("role", INSPECTORS)
def test_one_may_think_aloud_and_an_endpoint_without_schemas_is_told_in_words(role: Inspector) -> None:
    aloud = reporting(lambda shown, own: f"<think>{{}} Let me see.</think>\n```json\n{json.dumps(own)}\n```")
    assert finding_of(aloud, role, PLAIN)[0].how == "strict"
    script = with_faults(inspector, ("no-schema", lambda number, sent: "response_format" in sent))
    found, sent = finding_of(script, role, PLAIN)
    assert found.report and "fits this schema" in words(sent[-1])


def test_what_was_heard_before_the_endpoint_failed_is_not_lost() -> None:
    heard: Heard = []
    script = with_faults(reporting(lambda shown, own: "No."), ("401-echo", lambda number, sent: number == 1))
    with pytest.raises(EndpointError, match="right key"):
        finding_of(script, "chief", PLAIN, heard=heard)
    assert [reply.text for _, reply in heard] == ["No."]


def test_a_quote_of_what_the_inspector_was_shown_is_found_where_the_plan_holds_a_lone_surrogate() -> None:
    shown = material(f"{PARAGRAPHS[0]}\n\nThe\ud800 wheel\0 turns.")
    quote = asked(body("recall", shown)).blocks[1].text
    assert "\ud800" not in quote
    gap = {**report(asked(body("recall")))["gaps"][0], "anchor_quote": quote, "after_block": 2}
    found, _ = finding_of(reporting(lambda seen, own: {"gaps": [gap], "mi": 1, "summary": ""}), "recall", shown)
    assert isinstance(found.report, RecallReport) and found.report.mi == 1


@given(hostile)
def test_no_plan_ends_before_its_end_or_is_cut(text: str) -> None:
    shown = material(text)
    if not unsendable(shown):
        seen = asked(body("recall", shown))
        wanted = [text[block.start : block.end] for block in shown.plan.blocks]
        assert [len(block.text) for block in seen.blocks] == [len(each) for each in wanted]
        assert [block.call for block in seen.blocks] == [block.call for block in shown.plan.blocks]


# ---------------------------------------------------------------- without a model


def test_the_rules_score_the_format_of_each_call_and_sort_all_problems() -> None:
    bodies = (
        json.dumps({"tool_name": "search", "description": "a", "params": {"query": "b"}}),
        '{"tool_name": "x",}',
        "[]",
    )
    plan = parse_plan(
        f"{PARAGRAPHS[0]}\n\n{tag(bodies[0])}\n\n{tag('```' + bodies[0] + '```')}\n\n{tag(bodies[1])}{tag(bodies[2])}"
    )
    found = rule_report(plan)
    assert [(each.status, each.format) for each in found.calls] == [
        ("strict", 2),
        ("lenient", 1),
        ("repaired", 1),
        ("failed", 0),
    ]
    assert found.format_rate == 0.5 and rule_report(parse_plan("Words.")).format_rate is None
    assert [each.code for each in rule_report(parse_plan("Words.")).findings] == ["no_calls"]
    assert {each.code for each in found.areas["schema"]} >= {"unknown_tool"}


@given(hostile)
def test_the_rules_lose_no_problem_of_any_plan(text: str) -> None:
    plan = parse_plan(text, pool_size=2)
    found = rule_report(plan)
    assert sorted(map(str, plan.problems)) == sorted(str(each) for area in found.areas.values() for each in area)
    assert [each.problems for each in found.calls] == [each.problems for each in plan.calls]
    assert len(found.findings) + sum(len(each.problems) for each in found.calls) == len(plan.problems)
