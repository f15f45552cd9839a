"""Markdown of models becomes a tree of harmless elements and loses no text."""

from __future__ import annotations

import html
from typing import Any
from urllib.parse import unquote

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.services.prose import ELEMENTS, MOST_PARSED, prose


def nodes(tree: list[Any]) -> list[list[Any]]:
    return [node for child in tree if isinstance(child, list) for node in [child, *nodes(child[1:])]]


def words(tree: list[Any]) -> str:
    return "".join(child if isinstance(child, str) else words(child[1:]) for child in tree)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("plain", [["p", "plain"]]),
        ("# One\n\ntwo", [["h4", "One"], ["p", "two"]]),
        ("- a\n- b", [["ul", ["li", "a"], ["li", "b"]]]),
        ("1. a", [["ol", ["li", "a"]]]),
        ("*a* **b** ~~c~~ `d`", [["p", ["em", "a"], " ", ["strong", "b"], " ", ["s", "c"], " ", ["code", "d"]]]),
        ("```py\nx < 1\n```", [["pre", "x < 1\n"]]),
        ("> a", [["blockquote", ["p", "a"]]]),
        ("a  \nb\nc", [["p", "a", ["br"], "b", "\n", "c"]]),
        ("---", [["hr"]]),
        ("[a](https://example.org/x)", [["p", ["a", "https://example.org/x", "a"]]]),
        ("![a](https://example.org/x.png)", [["p", ["img", "https://example.org/x.png", "a"]]]),
        ("|a|\n|-|\n|b|", [["table", ["thead", ["tr", ["th", "a"]]], ["tbody", ["tr", ["td", "b"]]]]]),
    ],
)  # fmt: skip
def test_markdown_becomes_elements(text: str, tree: list[Any]) -> None:
    assert prose(text) == tree


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "a <b>c</b> &lt;i&gt;"])
def test_html_stays_text(text: str) -> None:
    tree = prose(text)
    assert {node[0] for node in nodes(tree)} <= {"p"}
    assert words(tree) == text.replace("&lt;", "<").replace("&gt;", ">")


def test_what_is_too_long_to_be_read_is_still_there() -> None:
    assert words(prose("a" * (MOST_PARSED + 10))) == "a" * (MOST_PARSED + 10)


@given(st.text(max_size=300) | st.text("*_`[]()!<>#-|~\n \\&1.>ab", max_size=300))
def test_any_text_becomes_known_elements_that_json_can_hold(text: str) -> None:
    tree = prose(text)
    assert {node[0] for node in nodes(tree)} <= ELEMENTS
    assert all(isinstance(node[1], str) for node in nodes(tree) if node[0] in ("a", "img"))
    orjson.dumps(tree)


def test_a_paragraph_that_begins_in_bold_begins_with_nothing_else() -> None:
    assert prose("**a** b") == [["p", ["strong", "a"], " b"]]


@pytest.mark.parametrize(
    "text",
    [
        "> " * 25 + "hidden",
        "- " * 25 + "hidden",
        '[1]: /u "hidden"',
        '[a](/u "hidden")',
        "|a|\n|-|\n|b|hidden|",
        "```py hidden words of a judge\nx\n```",
        "*a* [b]: hidden",
    ],
)
def test_nothing_is_hidden_that_a_judge_would_read(text: str) -> None:
    assert "hidden" in words(prose(text))


@pytest.mark.parametrize("text", ["1. a\n2. b", "7) a", "```py\nx = 1\n```", "[a](https://example.org/é)", "a &amp; b"])
def test_usual_markdown_is_still_read(text: str) -> None:
    assert prose(text)[0][0] != "pre" or text.startswith("```")


@given(st.text(max_size=200) | st.text("*_`[]()!<>#-|~\n \\&1.>ab\"/:", max_size=200))
def test_no_letter_is_lost(text: str) -> None:
    shown = words(prose(text)) + " ".join(str(node[1]) for node in nodes(prose(text)) if node[0] in ("a", "img"))
    assert {c for c in html.unescape(text) if c.isalpha()} <= set(html.unescape(shown) + unquote(shown))
