"""What code printed, as text: nothing of a terminal's, cut where it may be cut, and every byte accounted for."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.sandbox.text import cleaned, named, told

pieces = st.lists(
    st.one_of(
        st.text().map(str.encode),
        st.binary(max_size=8),
        st.sampled_from(
            [b"\x1b[31m", b"\x1b]0;title\x07", b"\x1b", b"\x9b1m", b"\r\n", b"\r", b"\x1bP", b"\xc2\x9d", b"\x00"]
        ),
    ),
    max_size=12,
).map(b"".join)


@given(pieces)
def test_no_control_character_is_left_but_tab_and_line_feed(content: bytes) -> None:
    assert {c for c in cleaned(content) if unicodedata.category(c) == "Cc"} <= {"\n", "\t"}


@given(st.text(alphabet=st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" \n\t")))
def test_plain_text_is_as_it_was(text: str) -> None:
    assert cleaned(text.encode()) == text


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b(Bx\x1b=y\x1bcz", "xyz"),
        ("10 %\r20 %\r\nend", "10 %\n20 %\nend"),
        ("a\u202eb\u2066c", "abc"),
        ("\x1b[", ""),
        ("a\x1b", "a"),
        ("né ☃ 👩‍🔬", "né ☃ 👩‍🔬"),
    ],
)
def test_what_a_terminal_would_obey_is_taken_out(printed: str, shown: str) -> None:
    assert cleaned(printed.encode()) == shown


def test_bytes_that_are_no_text_are_marked() -> None:
    assert cleaned(b"a\xff\xfeb") == "a��b"


@given(st.text(min_size=1), st.integers(2, 64))
def test_all_bytes_are_told_or_counted(text: str, limit: int) -> None:
    content = text.encode() * 3
    half = limit // 2
    head, rest = content[:half], content[half:]
    tail = rest[max(0, len(rest) - half) :]
    out = len(rest) - len(tail)
    shown = told(head, out, tail)
    if not out:
        assert shown == cleaned(content)
        return
    before, count, after = re.split(r"\n?\[… ([\d,]+) bytes are left out …\]\n", shown, maxsplit=1)
    assert "�" not in (before + after).replace("�", "", text.count("�") * 3)
    kept = int(count.replace(",", "")) - out
    assert 0 <= kept <= 6  # parts of characters that were cut in two


def test_a_character_is_never_cut_in_two() -> None:
    content = "☃".encode() * 100
    for cut in range(4):
        shown = told(content[: 30 + cut], 10, content[-30 - cut :])
        assert "�" not in shown
        assert set(shown) - set("☃\n[… ]bytesarlfou,0123456789") == set()


def test_a_name_cannot_break_out_of_its_sentence() -> None:
    assert named("a\n\x1b[31mb\u202e.png") == "a��[31mb�.png"
    assert len(named("x" * 999)) == 80
