"""How a plan is laid out as a document: its blocks, and what stands around each call.

A block is a paragraph of text (what blank lines part) or a call. Blocks are numbered from 1; thinking has none. A call
inside a paragraph parts it into two blocks. After 20,000 blocks each text between two calls is one.

Lines are those of the text that a reader sees: a call is one mark on its line, thinking is a line's end. In Markdown's
terms: a fence is three or more backticks or tildes after at most three spaces, up to a fence of the same kind that is
not shorter; one that is never closed goes on to the end. Inline code ends on its line. A line belongs to a list if it
begins with a marker, or is indented by two or more below such a line; to a table if a bar begins it or stands right
before the call.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from easel_app.plans.records import Block, Segment, Span
from easel_app.plans.spaces import BLANK, BLANK_LINE, BLANKS, trimmed

_MARK: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""In place of a call."""
_LINE = re.compile(r"[^\n]*+\n?+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_INDENTED = re.compile(r"(?: {2}|\t| \t)")
_LIST_MARK: Final = r"(?:(?:[-*+•‣◦·]|[(（]?\d{1,9}[.)．）])[ \t]|\d{1,9}、|（\d{1,9}）)"
_LIST = re.compile(rf"[ \t>]*+{_LIST_MARK}")
_PREFIX = re.compile(rf"[{BLANK[1:-1]}>]*+(?:{_LIST_MARK}|#{{1,6}}[ \t])?+[ \t]*+(?:\[[ xX]\][ \t]+)?+")
"""What begins a line without being a part of its first sentence."""
_TABLE = re.compile(r"[ \t>]*\|")
_BACKTICKS = re.compile(r"`+")
MOST_PARTED = 20_000
"""Blocks after which a text is parted no further: nobody reads as many, and millions would cost gigabytes."""
MOST_BEFORE = 400
"""Characters before a call that are looked at."""


class Surroundings(NamedTuple):
    """What stands around a call."""

    before: str
    """The end of the text before it on its line, other calls and the line's marker aside; empty if there is none."""
    leads: Span | None
    """The end of the line of text that the call follows, blank lines aside, in the plan; None where a call or nothing
    comes before it."""
    fenced: bool
    """Whether it stands in a code fence or in inline code."""
    in_list_or_table: bool


def blocks(text: str, segments: Sequence[Segment]) -> tuple[Block, ...]:
    """The blocks of a plan."""
    made: list[Block] = []
    for segment in segments:
        if segment.kind == "call":
            made.append(Block(len(made) + 1, "call", segment.start, segment.end, segment.call))
        elif segment.kind == "text":
            for start, end in _paragraphs(text, segment.start, segment.end, MOST_PARTED - len(made)):
                made.append(Block(len(made) + 1, "text", start, end))
    return tuple(made)


def _paragraphs(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """The paragraphs of a part of the text; after `most` of them the rest is one."""
    while start < end:
        most -= 1
        parting = BLANK_LINE.search(text, start, end) if most > 0 else None
        inner = trimmed(text, start, parting.start() if parting else end)
        if inner[0] < inner[1]:
            yield inner
        start = parting.end() - 1 if parting else end


def surroundings(text: str, segments: Sequence[Segment]) -> list[Surroundings]:
    """What stands around each call of a plan, in their order."""
    if not any(segment.kind == "call" for segment in segments):
        return []
    return _Walk(text, segments).run()


class _Walk:
    """From line to line through what a reader sees."""

    def __init__(self, text: str, segments: Sequence[Segment]) -> None:
        parts: list[str] = []
        self.starts: list[int] = []  # where segments begin in what is seen
        self.calls: list[int] = []  # where calls stand in it
        length = 0
        for segment in segments:
            part = {"text": text[segment.start : segment.end], "call": _MARK, "thinking": "\n"}[segment.kind]
            if segment.kind == "call":
                self.calls.append(length)
            self.starts.append(length)
            parts.append(part)
            length += len(part)
        self.seen, self.segments = "".join(parts), segments
        self.fence = ""
        self.in_list = False
        self.lead: tuple[int, int] | None = None

    def run(self) -> list[Surroundings]:
        found: list[Surroundings] = []
        start = 0
        while len(found) < len(self.calls):
            line = _LINE.match(self.seen, start)
            end = line.end() if line else len(self.seen)
            calls = self.calls[len(found) : bisect_left(self.calls, end, len(found))]
            self._line(start, end)
            found += self._of_line(start, end, calls)
            start = end
        return found

    def _line(self, start: int, end: int) -> None:
        """What a line opens and closes."""
        fence = _FENCE.match(self.seen, start, end)
        if fence and not self.fence and not (fence[1][0] == "`" and "`" in fence[2]):
            self.fence = fence[1]
        elif fence and self.fence and fence[1].startswith(self.fence) and not fence[2].strip(BLANKS):
            self.fence = ""
        if _LIST.match(self.seen, start, end):
            self.in_list = True
        elif self.in_list and not _INDENTED.match(self.seen, start, end):
            self.in_list = not self.seen[start:end].strip(BLANKS)

    def _of_line(self, start: int, end: int, calls: Sequence[int]) -> Iterator[Surroundings]:
        seen = self.seen
        inline = _inline_code(seen[start:end]) if calls else []
        table = bool(calls) and _TABLE.match(seen, start, end) is not None
        prefix = _PREFIX.match(seen, start, end)
        over, before = prefix.end() if prefix else start, ""
        for call in calls:
            chunk = trimmed(seen, over, call) if over < call else (call, call)
            if chunk[0] < chunk[1]:
                first = max(chunk[0], chunk[1] - MOST_BEFORE)
                before, self.lead = seen[first : chunk[1]], (first, chunk[1])
            place = bisect_right(inline, (call - start, end))
            yield Surroundings(
                before,
                self._in_plan(self.lead) if self.lead else None,
                bool(self.fence) or (place > 0 and inline[place - 1][1] > call - start),
                self.in_list or table or before.endswith("|"),
            )
            over, self.lead = call + 1, None
        rest = trimmed(seen, over, end) if over < end else (end, end)
        if rest[0] < rest[1]:
            self.lead = (max(rest[0], rest[1] - MOST_BEFORE), rest[1])

    def _in_plan(self, span: tuple[int, int]) -> Span:
        """Where a part of one text segment stands in the plan."""
        place = bisect_right(self.starts, span[0]) - 1
        shift = self.segments[place].start - self.starts[place]
        return Span(span[0] + shift, span[1] + shift)


def _inline_code(line: str) -> list[tuple[int, int]]:
    """Inline code of a line: from a run of backticks to the next run that is as long, as in CommonMark."""
    runs = [found.span() for found in _BACKTICKS.finditer(line)]
    by_length: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        by_length.setdefault(end - start, []).append(index)
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        alike = by_length[end - start]
        place = bisect_right(alike, index)
        if place < len(alike):
            index = alike[place]
            spans.append((start, runs[index][1]))
        index += 1
    return spans
