"""Markdown of models as a tree of a few harmless elements: the page builds it, so that nothing in it can be markup.

HTML stays text, links and pictures are told but lead nowhere: an answer under review may try anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

MOST_PARSED = 50_000
"""Characters that are read as Markdown; hostile ones take half a second, and the time grows with their square."""
Node = str | list[Any]
"""A text, or `[element, child, …]`; of a link and a picture the first child is the address, as text."""
ELEMENTS = frozenset(
    (
        *("p", "h4", "ul", "ol", "li", "pre", "code", "em", "strong", "s", "blockquote", "hr", "br", "a", "img"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    )
)
"""All elements that a tree can hold; headings of any level are `h4`."""
_READER = MarkdownIt("commonmark", {"html": False}).enable("table").enable("strikethrough")
_ALONE = {"hr": "hr", "hardbreak": "br"}


def prose(text: str) -> list[Node]:
    """Markdown (CommonMark with tables and strikethrough) as a list of nodes.

    What follows the first 50,000 characters stays as it was written, in a `pre`.
    """
    tree: list[Node] = []
    _fill(tree, iter(_READER.parse(text[:MOST_PARSED])))
    if len(text) > MOST_PARSED:
        tree.append(["pre", text[MOST_PARSED:]])
    return tree


def _fill(parent: list[Node], tokens: Iterator[Token]) -> None:
    """Put tokens into a node, until the one that closes it."""
    for token in tokens:
        if token.nesting == -1:
            return
        if token.nesting == 1:
            node = _opened(token)
            _fill(node, tokens)
            if token.hidden:  # the paragraph of a tight list's item
                parent.extend(node[1:])
            else:
                parent.append(node)
        elif token.type == "inline":
            _fill(parent, iter(token.children or []))
        elif token.type in _ALONE:
            parent.append([_ALONE[token.type]])
        elif token.type in ("fence", "code_block"):
            parent.append(["pre", token.content])
        elif token.type == "code_inline":
            parent.append(["code", token.content])
        elif token.type == "image":
            parent.append(["img", str(token.attrs.get("src", "")), token.content])
        elif token.type == "softbreak":
            parent.append("\n")
        elif token.content:  # text, entities
            parent.append(token.content)


def _opened(token: Token) -> list[Node]:
    if token.type == "link_open":
        return ["a", str(token.attrs.get("href", ""))]
    if token.type == "heading_open":
        return ["h4"]
    return [token.tag] if token.tag in ELEMENTS else ["p"]
