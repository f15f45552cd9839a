"""HTML out of untrusted words: every text is escaped here, and nothing else makes markup of a value.

What does not print is shown by a sign of its own, and whatever changes the direction of writing ends with the element
that it stands in.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any, Final

from easel_app.services.prose import ELEMENTS, Node
from easel_app.sources.fields import UNSTORABLE

SIGNS: Final = {code: 0x2400 + code for code in range(32) if code not in (9, 10, 13)} | {127: 0x2421}
"""Of control characters, such as ␈ of a backspace."""
VOID: Final = ("hr", "br")
WIDE: Final = ("table", "pre")
"""What may be wider than the page, and then scrolls by itself."""
_NAME = re.compile(r"[a-z][A-Za-z0-9-]*", re.ASCII)


class Markup(str):
    """HTML that is safe to be put into a page: made by this module alone."""

    __slots__ = ()


Content = str | None | Iterable["Content"]
"""What can stand in an element: texts, markup, and lists of these; None is nothing."""


def element(name: str, attributes: dict[str, str | None] | None = None, /, *content: Content) -> Markup:
    """An element with its content.

    Args:
        name: of the element.
        attributes: by name; one of None is left out.
        content: texts are escaped, markup is not.

    Raises:
        ValueError: the name of the element or of an attribute is none.
    """
    given = {key: value for key, value in (attributes or {}).items() if value is not None}
    if not all(map(_NAME.fullmatch, (name, *given))):
        raise ValueError(f"no element is named {name!r}, or no attribute one of {list(given)}")
    opened = "".join([name, *[f' {key}="{escaped(value)}"' for key, value in given.items()]])
    return Markup(f"<{opened}>" if name in VOID else f"<{opened}>{joined(content)}</{name}>")


def joined(content: Content) -> Markup:
    """Content one after the other."""
    if content is None:
        return Markup()
    if isinstance(content, Markup):
        return content
    return Markup(escaped(content)) if isinstance(content, str) else Markup("".join(map(joined, content)))


def escaped(text: str) -> str:
    """A text as HTML has it, in an element or in quotes."""
    return html.escape(UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text.translate(SIGNS)))


def prose(nodes: Iterable[Node]) -> Markup:
    """A tree of `services.prose` as HTML; links and pictures are told and lead nowhere."""
    return joined(map(_node, nodes))


def _node(node: Any) -> Content:
    if isinstance(node, str) or not node:
        return node or None
    name, *children = node
    if name == "a":
        address, *words = children
        return element(
            "span", {"class": "told"}, map(_node, words), element("span", {"class": "address"}, f" ({address})")
        )
    if name == "img":
        address, *words = children
        told = element("span", {"class": "address"}, f" ({address})") if address else None
        return element("span", {"class": "told"}, "Picture: ", map(_node, words), told)
    if name not in ELEMENTS:
        return element("span", {}, map(_node, children))
    begin = str(children.pop(0)) if name == "ol" and children and isinstance(children[0], int) else None
    made = element(name, {"start": begin, "dir": "auto" if name in ("p", "h4", "li", "pre", "td", "th") else None},
                   map(_node, children))  # fmt: skip
    return element("div", {"class": "wide"}, made) if name in WIDE else made
