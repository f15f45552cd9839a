"""The plan as a document: where calls stand, and its blocks."""

from __future__ import annotations

import pytest

from easel_app.plans import parse_plan
from easel_app.plans.layout import MOST_PARTED
from tests.plans import laws
from tests.plans.making import TEXT, between, call, codes, tag

C = call()


@pytest.mark.parametrize("end", [*".!?:;。！？…：；", '."', ".”)", "。」", ".**", "!_ ", ".\u200b", ".`"])
def test_after_the_end_of_a_sentence_a_call_may_stand_on_its_line(end: str) -> None:
    assert "mid_sentence" not in codes(f"The mill{end} {C} It turns.")


@pytest.mark.parametrize("end", ["", ",", " (", " –", " 12", "\u200b", '"', "。x", "🎨", "**"])
def test_after_anything_else_it_is_inside_the_sentence(end: str) -> None:
    assert "mid_sentence" in codes(f"The mill{end} {C} turns.")


@pytest.mark.parametrize(
    "start", ["- ", "1. ", "12) ", "# ", "> ", "> - ", "- [ ] ", "* ", "| ", "   ", "（1） ", "---", "\u200b"]
)
def test_what_marks_a_line_is_no_text_before_the_call(start: str) -> None:
    assert "mid_sentence" not in codes(f"{TEXT}\n\n{start}{C}")


def test_only_the_line_of_the_call_counts_and_other_calls_on_it_are_no_text() -> None:
    assert "mid_sentence" not in codes(f"The mill\n{C}\nturns.")
    assert "mid_sentence" not in codes(f"The mill <think>hm</think>{C} turns.")
    inside = [
        each.call_id for each in parse_plan(f"The mill {C} {C} turns. {C}").problems if each.code == "mid_sentence"
    ]
    assert inside == [1, 2]


def test_a_line_of_a_thousand_calls_has_each_of_them_inside_its_sentence() -> None:
    assert codes(f"The mill {C * 1000} turns.").count("mid_sentence") == 1000


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{C}\n```",
        f"~~~~md\n```\n{C}",
        f"```\n``\n{C}",
        f"   ```json\n\n{C}",
        f"`{C}`",
        f"See `` ` {C} ``.",
        f"```{C}```",
        f"```json {C}\n```",
        f"{C} `{C}` {C}",
        f"```\n{TEXT} {C}\n````",
    ],
)
def test_a_call_in_code_is_told(text: str) -> None:
    assert codes(between(text)).count("fenced_tag") == 1


@pytest.mark.parametrize(
    "text",
    [
        f"```\nx\n```\n{C}",
        f"` {C}",
        f"`` {C} `",
        f"`a` {C} `b`",
        f"    ```\n{C}",
        f"`` ` `` {C} `x`",
        f"~~~\n~~~\n{C}",
        f"<think>```</think>\n{C}",
        f"`\n{C}\n`",
    ],
)
def test_a_call_beside_code_is_not(text: str) -> None:
    assert "fenced_tag" not in codes(between(text))


@pytest.mark.parametrize(
    "text",
    [
        f"- {C}",
        f"1. Grind. {C}",
        f"1) Grind.\n\n\n   {C}",
        f"* a\n\t{C}",
        f"> - {C}",
        f"| a | {C} |",
        f"a | {C} | b",
        f"• {C}",
        f"（2）磨面。{C}",
        f"1、磨面。{C}",
    ],
)
def test_a_call_in_a_list_or_table_is_told(text: str) -> None:
    assert "inside_list_or_table" in codes(between(text))


@pytest.mark.parametrize(
    "text",
    [
        f"- a\n\n{C}",
        f"- a\n{C}",
        f"1.5 metres. {C}",
        f"a | b.\n{C}",
        f"-5 degrees. {C}",
        f"  {C}",
        f"- a\n\nb\n\n  {C}",
        f"<think>\n- a</think>\n  {C}x",
    ],
)
def test_a_call_beside_them_is_not(text: str) -> None:
    assert ("inside_list_or_table" in codes(between(text))) == ("think" in text and "\n- a" not in text)


@pytest.mark.parametrize(
    "phrase",
    [
        "Here is the image:",
        "Here's a photo of the mill.",
        "Below is a chart of it:",
        "See the figure below.",
        "The following diagram shows the wheel:",
        "The picture below shows it.",
        "As shown in the image:",
        "如下图所示：",
        "I have generated an illustration.",
        "Take a look at this picture!",
        "It turns. **Here is a sketch:**",
    ],
)
def test_a_phrase_that_leads_to_a_picture_is_told_with_its_place(phrase: str) -> None:
    for gap in (" ", "\n", "\n\n"):
        plan = parse_plan(f"{TEXT} {phrase}{gap}{C}")
        (found,) = [each for each in plan.problems if each.code == "lead_in_phrase"]
        assert plan.text[found.span.start : found.span.end].strip("*") in phrase and found.call_id == 1


@pytest.mark.parametrize(
    "text",
    [
        "Here is the mill.",
        "The image of the mill is famous.",
        "Here is an image. It is old.",
        "See below.",
        "地图很旧。",
        "A photograph that was taken in 1903 is kept in the archive.",
    ],
)
def test_a_sentence_that_only_speaks_of_pictures_is_not(text: str) -> None:
    assert "lead_in_phrase" not in codes(f"{text}\n\n{C}")
    assert "lead_in_phrase" not in codes(f"Here is the image:\n\n{text}\n\n{C}")


def test_a_phrase_leads_to_the_first_call_after_it_only() -> None:
    found = [
        each.call_id
        for each in parse_plan(f"Here is the image:\n\n{C}\n\n{C}").problems
        if each.code == "lead_in_phrase"
    ]
    assert found == [1]


def test_the_same_call_is_told_by_the_first_whatever_its_keys_order_or_words() -> None:
    one = call("code", {"diagram_type": "bar", "data": [1]})
    two = call("plot", {"spec": [1], "type": "bar"}, description="Another")
    plan = parse_plan(f"{TEXT}\n\n{one}\n\n{TEXT}\n\n{C}\n\n{TEXT}\n\n{two}")
    assert [(each.call_id, each.explanation) for each in plan.problems if each.code == "duplicate_call"] == [
        (3, "The call asks for the same as call 1.")
    ]
    assert "duplicate_call" not in codes(f"{call('code', {'data': 1})} So. {call('code', {'data': 1.0})}")
    assert "duplicate_call" not in codes("<tool></tool> So. <tool></tool>") and "duplicate_call" not in codes(
        f"{call('x', {})} So. {call('x', {})}"
    )


@pytest.mark.parametrize("value", ["NaN", "1e999", '"\\ud800"', '{"a": [[[]]]}', "9" * 3000])
def test_values_of_any_kind_can_be_compared(value: str) -> None:
    text = f'<tool>{{"tool_name": "code", "params": {{"data": {value}}}}}</tool>'
    assert "duplicate_call" in codes(f"{text} So. {text}")


def test_blocks_are_paragraphs_and_calls_by_number() -> None:
    plan = parse_plan(f"\n\nOne\nline.\r\n \t\r\nTwo {C} goes on.\n\n\n<think>no</think>{C}\n\u200b\n")
    assert [(each.number, each.kind, plan.text[each.start : each.end], each.call) for each in plan.blocks] == [
        (1, "text", "One\nline.", None),
        (2, "text", "Two", None),
        (3, "call", C, 1),
        (4, "text", "goes on.", None),
        (5, "call", C, 2),
    ]


@pytest.mark.parametrize("text", ["", "\n \ufeff", "<think>hm</think>"])
def test_a_plan_without_text_and_calls_has_no_blocks(text: str) -> None:
    assert parse_plan(text).blocks == ()


def test_an_empty_plan_is_no_output_and_not_a_bad_one() -> None:
    assert codes("") == ["no_output", "no_calls"] and codes("<think>hm</think>") == ["no_calls"]


def test_a_picture_that_is_not_in_the_pool_is_none_that_is_cited() -> None:
    for index, hinted in ((0, False), (3, True), (-1, True)):
        text = f"{TEXT}\n\n{C}\n\nSo.\n\n{call('reference', {'img_index': index})}"
        assert ("reference_available_but_search" in codes(text, pool_size=3)) == hinted


def test_a_text_of_very_many_paragraphs_is_parted_up_to_a_bound_and_nothing_of_it_is_lost() -> None:
    text = "a\n\n" * (MOST_PARTED + 50) + tag({"tool_name": "search", "params": {"query": "x"}}) + "\n\nEnd.\n\nOf it."
    plan = laws.check(text)
    texts = [block for block in plan.blocks if block.kind == "text"]
    assert len(texts) == MOST_PARTED + 1 and text[texts[-1].start : texts[-1].end] == "End.\n\nOf it."
