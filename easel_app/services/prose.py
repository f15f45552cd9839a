"""Markdown of models as a tree of a few harmless elements: the page builds it, so that nothing in it can be markup.

HTML stays text, links and pictures are told but lead nowhere: an answer under review may try anything. What Markdown
would leave out (titles of links, surplus cells, what is nested too deep) a reader must see all the same, since a judge
reads it too: a text of which letters or digits would be lost stays as it was written.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

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
_READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("reference")
_LANGUAGE = re.compile(r"[\w+#.-]{0,20}")
"""What follows the marks of a code block and says no more than what is in it."""
_ALONE = {"hr": "hr", "hardbreak": "br"}


def prose(text: str) -> list[Node]:
    """Markdown (CommonMark with tables and strikethrough, without link references) as a list of nodes.

    What follows the first 50,000 characters stays as it was written, in a `pre`; so does all of a text of which
    something would be lost.
    """
    tree: list[Node] = []
    tokens = _READER.parse(text[:MOST_PARSED])
    if _said(text[:MOST_PARSED]) - _said("".join(map(_told, tokens))):
        return [["pre", text]]
    _fill(tree, iter(tokens))
    if len(text) > MOST_PARSED:
        tree.append(["pre", text[MOST_PARSED:]])
    return tree


def _said(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, html.unescape(text)))


def _told(token: Token) -> str:
    """What the tree tells of a token and of what is in it."""
    if token.type == "inline":
        return "".join(map(_told, token.children or []))
    shown = token.content
    if token.type == "image" or token.type == "link_open":
        shown += unquote(str(token.attrs.get("src") or token.attrs.get("href") or ""))
    elif token.type == "list_item_open" or (token.type == "fence" and _LANGUAGE.fullmatch(token.info.strip())):
        shown += token.info  # the number of the item
    return shown + " "


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
