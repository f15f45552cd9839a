"""A plan's text as the document that it wants to be: pieces of text, thinking and calls, in their order.

Each paragraph is read as Markdown for itself, so that calls, gaps and votes can stand between any two of them. What
Markdown holds together over blank lines stays together: a code block, and an item of a list with all that belongs to
it. The items of a list may be parted, and each part goes on to count.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import unquote

from markdown_it import MarkdownIt

from easel_app.plans.records import Block, Plan, Segment
from easel_app.services.plans.views import PieceView
from easel_app.services.prose import MOST_PARSED, Node, prose
from easel_app.sources.fields import storable

MOST_SHOWN: Final = 600_000
"""Characters of one kind that are shown of a plan: of its text, of its calls, of its documents."""
MOST_READ: Final = 200_000
"""Of them read as Markdown; hostile ones take seconds, so what follows is shown as it was written."""
PIECE: Final = 60
"""Characters that a piece, a value or a document counts beside its own."""
_LAYOUT = MarkdownIt("commonmark").enable("table").disable(["reference", "inline", "text_join"])
_LINE_END = re.compile(r"\r\n?|\n")
LONGEST_OPENING: Final = 200
"""Characters of a line that opens a fence."""
_OPENING = re.compile(r"(?:^ {0,3}(`{3,}|~{3,})[ \t]*[\w+#.-]{0,20}\s*|`+)\Z", re.M)
"""What opens code right before a call: a fence on a line of its own, or backticks."""
_BACKTICKS = re.compile(r"`{1,2}(?!`)")
_NUMBER = re.compile(r"\s*(\d{1,9})[.)]", re.ASCII)
"""Of the first item of a list."""


class Budget:
    """How much may still be shown."""

    def __init__(self, most: int = MOST_SHOWN, read: int = MOST_READ) -> None:
        self.left, self.read = most, read
        self.cut = 0
        """Characters that were left out."""

    def take(self, text: str, least: int = 0) -> str:
        """A text, or the beginning of it that may still be shown, with a mark at its end."""
        most = max(self.left - PIECE, least)
        self.left = max(0, self.left - len(text) - PIECE)
        if len(text) <= most:
            return text
        self.cut += len(text) - most
        return f"{text[:most]}…" if most else ""

    def nodes(self, text: str) -> list[Node]:
        """A text as a tree; none when no more may be shown."""
        if not text.strip():
            return []
        shown = self.take(text)
        whole = len(shown) == len(text) and len(text) <= self.read
        self.read -= len(text) if whole else 0
        if not shown:
            return []
        return (markdown(shown) if whole else []) or [["pre", shown]]


def markdown(text: str) -> list[Node]:
    """Markdown as a tree, of which nothing is lost but what is markup; else the text as it was written."""
    tree = prose(text)
    return tree if text.isascii() or not _signs(text) - _signs(unquote(_words(tree))) else [["pre", text]]


def pieces(plan: Plan, budget: Budget) -> list[PieceView]:
    """The pieces of a plan. Calls are always there; text and thinking as far as they may be shown."""
    text, found, at = _unfenced(plan), [], 0
    for segment in plan.segments:
        here = at
        while at < len(plan.blocks) and plan.blocks[at].end <= segment.end:
            at += 1
        if segment.kind == "call":
            block = plan.blocks[here].number
            found.append(PieceView(kind="call", block=block, last=block, nodes=[], call=segment.call))
        elif segment.kind == "thinking":
            if shown := budget.take(text[segment.start : segment.end]):
                found.append(PieceView(kind="thinking", block=None, last=None, nodes=[["pre", shown]], call=None))
        else:
            found += _texts(text, segment, plan.blocks[here:at], budget)
    return _shown(found)


def _unfenced(plan: Plan) -> str:
    """The text of a plan without the fences and backticks round its calls, which would make code of its paragraphs."""
    parts: list[str] = []
    text, at, fence = storable(plan.text), 0, ""

    def blank(start: int, end: int) -> None:
        nonlocal at
        parts.extend((text[at:start], " " * (end - start)))
        at = end

    fenced = {call.id for call in plan.calls if any(problem.code == "fenced_tag" for problem in call.problems)}
    for place, segment in enumerate(plan.segments if fenced else ()):
        if segment.kind != "text":
            continue
        before, after = (plan.segments[place - 1] if place else None, plan.segments[place + 1 : place + 2])
        inline = _BACKTICKS.match(text, segment.start, segment.end) if before and before.call in fenced else None
        closing = re.compile(rf"^ {{0,3}}{fence}[ \t]*$", re.M) if fence else None
        if closing and (end := closing.search(text, segment.start, segment.end)):
            blank(*end.span())
            fence = ""
        elif inline and not fence:
            blank(*inline.span())
        if after and after[0].call in fenced:
            opening = _OPENING.search(text, max(segment.start, at, segment.end - LONGEST_OPENING), segment.end)
            if opening:
                fence = fence or opening[1] or ""
                blank(*opening.span())
    return "".join([*parts, text[at:]])


def _shown(found: list[PieceView]) -> list[PieceView]:
    """The pieces that show anything; the numbers of the others go to the piece before them, or to the first one."""
    kept: list[PieceView] = []
    for piece in found:
        if piece.nodes or piece.kind == "call":
            kept.append(piece)
            continue
        place = next((place for place in reversed(range(len(kept))) if kept[place].block is not None), None)
        if place is not None:
            kept[place] = kept[place].model_copy(update={"last": piece.last})
    first = next((place for place, piece in enumerate(kept) if piece.block is not None), None)
    if first is not None:
        kept[first] = kept[first].model_copy(update={"block": 1})
    return kept


def _texts(text: str, segment: Segment, blocks: Sequence[Block], budget: Budget) -> Iterator[PieceView]:
    """The paragraphs of a text segment, together where Markdown holds them together."""
    starts = _starts(text[segment.start : segment.end], budget) if len(blocks) > 1 else []
    group: list[Block] = []
    for block in blocks:
        if group and _parted(starts, group[-1].end - segment.start, block.start - segment.start):
            if not budget.left:
                budget.cut += segment.end - group[0].start
                return
            yield _text(text, segment, group, budget)
            group = []
        group.append(block)
    if group:
        yield _text(text, segment, group, budget)


def _text(text: str, segment: Segment, group: Sequence[Block], budget: Budget) -> PieceView:
    line = text.rfind("\n", segment.start, group[0].start) + 1  # with its indentation, which may mean something
    start = line if line or not segment.start else group[0].start
    nodes = budget.nodes(text[start : group[-1].end])
    number = _NUMBER.match(text, start)
    if number and nodes and nodes[0][0] == "ol" and int(number[1]) != 1:
        nodes[0] = ["ol", int(number[1]), *nodes[0][1:]]
    return PieceView(kind="text", block=group[0].number, last=group[-1].number, nodes=nodes, call=None)


def _parted(starts: Sequence[int] | None, end: int, start: int) -> bool:
    """Whether Markdown can be parted between the end of a block and the start of the next."""
    if starts is None:
        return True
    place = bisect_left(starts, end)
    return place < len(starts) and starts[place] <= start


def _starts(text: str, budget: Budget) -> list[int] | None:
    """Where Markdown can be parted: where what is at its top begins, or an item of a list there; None: anywhere."""
    if len(text) > min(MOST_PARSED, budget.read):
        return None
    lines = [0, *(end.end() for end in _LINE_END.finditer(text))]
    found: set[int] = set()
    for token in _LAYOUT.parse(text):
        item = token.type == "list_item_open" and token.level == 1
        if token.map and token.nesting >= 0 and (token.level == 0 or item):
            found.add(lines[token.map[0]])
    return sorted(found)


def _signs(text: str) -> Counter[str]:
    """What stands there beside ASCII, letters, digits and blanks; those `prose` itself looks after."""
    return Counter(c for c in html.unescape(text) if c > "\x7f" and not c.isalnum() and not c.isspace())


def _words(node: Any) -> str:
    """All texts of a tree."""
    return node if isinstance(node, str) else "".join(map(_words, node)) if isinstance(node, list) else ""
