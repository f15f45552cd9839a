"""Which texts of a model may stand before an action."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.trajectories.reasoning.checking import MOST_CHARACTERS, Unfit, checked

GOOD = "The roof at the top left is still white. A broad red stroke along its edge, e.g. up to the chimney, fills it."


def code(said: str, ended: str = "stop") -> str:
    try:
        checked(said, ended)
    except Unfit as unfit:
        return unfit.fault.code
    return "fine"


@pytest.mark.parametrize(
    "said",
    [
        GOOD,
        "The lower third lacks its dark band; one wide, nearly opaque green stroke from left to right sets it.",
        "About 30 % of the sky is too pale, so a soft blue arc of half the width helps. It barely reaches the corner.",
        "Das Dach oben links ist noch weiss. Ein breiter roter Strich füllt es.",
        "左上角的屋顶还是白色的。一笔宽的红色可以填满它。",
    ],
)
def test_plain_sentences_are_taken_as_they_are(said: str) -> None:
    assert checked(said, "stop") == said


@pytest.mark.parametrize(
    "said",
    [f"<think>{{'x': 1}} ground truth</think>\n{GOOD}", f'"{GOOD}"', f"Thought: {GOOD}", f"  {GOOD}\n", f"“{GOOD}”"],
)
def test_thoughts_labels_quotes_and_blanks_around_a_text_are_left_out(said: str) -> None:
    assert checked(said, "stop") == GOOD


def test_lines_become_one() -> None:
    assert (
        checked("The roof is white.\n\nA red stroke\tfills it.", "stop") == "The roof is white. A red stroke fills it."
    )


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "empty"),
        (" \n\u200b ", "empty"),
        ("<think>The roof is white, so", "empty"),
        ("A stroke.", "too short"),
        (GOOD + " It is red. It is wide.", "too long"),
        ("The roof is white and " + "very " * 150 + "empty.", "too long"),
        ("# Thought\n" + GOOD, "markup"),
        ("- The roof is white.\n- Red helps there.", "markup"),
        (f"```\n{GOOD}\n```", "markup"),
        ("The **roof** is still white there.", "markup"),
        (GOOD + ' {"x_start": 1}', "action"),
        ("The stroke starts with x_start at the left edge.", "action"),
        ("I would call brush_stroke with a red colour.", "action"),
        ("A red stroke from (120, 430) to the chimney helps.", "numbers"),
        ("A red stroke with 120, 430, 500 and 610 helps.", "numbers"),
        ("As the given stroke shows, the roof needs red.", "told"),
        ("The answer that was given is a red stroke.", "told"),
        ("The ground truth has a red roof here.", "told"),
        ("The canvas after shows a red roof now.", "told"),
        ("In the third image the roof is red.", "told"),
        ("The painter wants to fill the roof in red.", "voice"),
        ("As an AI I would fill the roof in red.", "voice"),
        ("屋顶是白的。红色好。宽的。从左到右。", "too long"),
    ],
)
def test_what_is_no_text_of_a_painter_is_told_by_its_code(said: str, why: str) -> None:
    assert code(said) == why


def test_a_text_that_was_cut_off_or_refused_is_none_however_it_reads() -> None:
    assert (code(GOOD, "length"), code(GOOD, "refused"), code("", "length")) == ("cut off", "refused", "empty")


@example("000000000  0", "stop")
@example('Answer: "thought: « a red roof is white »"', "stop")
@given(st.text(max_size=400), st.sampled_from(["stop", "length", "refused"]))
def test_whatever_a_model_says_is_taken_or_has_a_reason(said: str, ended: str) -> None:
    try:
        text = checked(said, ended)
    except Unfit as unfit:
        assert unfit.fault.code and unfit.fault.words
    else:
        assert text == " ".join(text.split()) and text.isprintable() and 0 < len(text) <= MOST_CHARACTERS
        assert checked(text, "stop") == text, "a text that was taken is taken as it is"


@given(st.lists(st.integers(0, 1000), min_size=13, max_size=13), st.sampled_from([GOOD, ""]))
def test_an_action_in_a_text_is_found(numbers: list[int], before: str) -> None:
    action = dict(zip(STROKE_FIELDS, numbers, strict=True))
    assert code(f"{before} {json.dumps(action)}") == "action"
    assert code(f"{before} {', '.join(map(str, numbers))}") == "numbers"


@pytest.mark.parametrize("piece", ["{", "<think>", "(1, ", "a. ", "given stroke ", '"', "e.g. ", "\n- ", "1,2,", " \n"])
def test_a_hostile_text_costs_no_time(piece: str) -> None:
    assert code(piece * 100_000)
