"""Texts within a prompt end where they end, whatever they say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from easel_app.llm.fences import LENGTH, fenced, mark

TEXTS = st.lists(st.text(), min_size=1, max_size=4)


@given(TEXTS, st.lists(st.text()))
def test_a_mark_stands_in_no_text_and_is_the_same_again(texts: list[str], others: list[str]) -> None:
    found = mark(texts, others=others)
    assert len(found) == LENGTH and not any(found in text.lower() for text in [*texts, *others])
    assert mark(texts, others=others) == found == mark(texts)


@given(TEXTS, TEXTS)
def test_other_texts_have_another_mark(texts: list[str], others: list[str]) -> None:
    assert (mark(texts) == mark(others)) == (texts == others)


def test_where_one_text_ends_and_the_next_begins_makes_another_mark() -> None:
    assert len({mark(["ab", "c"]), mark(["a", "bc"]), mark(["abc"]), mark(["abc", ""])}) == 4


def test_a_text_that_holds_the_mark_of_the_others_gets_another_one() -> None:
    first = mark(["question", "answer"])
    assert mark(["question", "answer"], others=[f"[END answer {first.upper()}]"]) != first


@given(st.text(), st.text())
def test_a_text_stands_between_its_lines_byte_for_byte(text: str, after: str) -> None:
    made = mark([text, after])
    whole = fenced("answer", text, made) + after
    begin, end = f"[BEGIN answer {made}]\n", f"\n[END answer {made}]"
    assert whole.count(begin) == whole.count(end) == 1
    assert whole.removeprefix(begin).partition(end)[::2] == (text, after)
