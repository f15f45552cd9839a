"""Where text, thinking and calls begin and end: the boundary rules of the reference (§3), in one pass.

What the rules leave open is chosen so:

- Any of the three tag names closes any of them; under another name than it was opened with, with `mismatched_tag`.
- A tag in a string of a complete object is never a boundary: where more than a close tag follows the object, the body's
  end is looked for behind it. Before an object that is not complete, the letter of the rules holds.
- The blank line at which an unclosed call ends is looked for behind the body's first character. The blanks before it
  are text.
- `<think>` that is never closed: thinking up to the first call, or to the end (`unclosed_think`); so no call is lost.
- `</think>` without `<think>`: if nothing but text stands before it, that is thinking, since the templates of some
  models open the tag in the prompt; else it is text. `stray_think_close` either way.
- `MOST_CALLS` calls at most; all behind them is text (`too_many_calls`). Of problems with tags that
  are no call's the first `MOST_ALIKE` of each code are told, then how many more there are (`and_more`).

The time is linear. Bodies do not overlap, but looking for an object's end can run over later tags and fail. Then these
tags lie in its strings. An object that begins at one of them takes what is string for the first as what is not, and so
fails at the next tag at the latest. Hence no place is passed over more than three times.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, Literal, NamedTuple

from easel_app.plans.decoding import FENCE
from easel_app.plans.json_text import value_end
from easel_app.plans.problems import problem
from easel_app.plans.records import Problem, SegmentKind, Span
from easel_app.plans.registry import registry
from easel_app.plans.spaces import BLANK_LINE, after_blanks, trimmed

MOST_CALLS: Final = 5_000
MOST_ALIKE: Final = 1_000
_NAMES = "|".join(sorted(registry().tags, key=len, reverse=True))
_TAG = re.compile(
    rf"(?ai)<(?:(?P<open>{_NAMES})>|/(?P<close>{_NAMES})\s*+>|(?P<think>think)>|(?P<unthink>/think\s*+)>)"
)
_UNTHINK = re.compile(r"(?ai)</think\s*+>")
_CLOSING_FENCE = re.compile(r"`{3,}|~{3,}")


class Piece(NamedTuple):
    """A segment before calls have ids; the pieces of a plan, joined, are its text."""

    kind: SegmentKind
    start: int
    end: int
    body: Span = Span(0, 0)
    """Of a call, what stands between its tags."""
    closed: bool = True
    renamed: bool = False
    """Whether the call is closed under another name than it was opened with."""


class _Tag(NamedTuple):
    start: int
    end: int
    kind: Literal["open", "close", "think", "unthink"]
    name: str


def split(text: str) -> tuple[list[Piece], list[Problem]]:
    """The pieces of a plan, and what is wrong with tags that are no call's."""
    splitter = _Splitter(text)
    splitter.run()
    return splitter.pieces, splitter.problems()


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.to_come = _TAG.finditer(text)
        self.tags: list[_Tag] = []
        """Those that were needed so far."""
        self.unthink: tuple[int, int] | None = (-1, -1)
        """The next place where thinking is closed; None if there is no more."""
        self.pieces: list[Piece] = []
        self.found: list[Problem] = []
        self.alike: Counter[str] = Counter()
        self.last: dict[str, Span] = {}
        self.over = 0
        """Up to where the pieces go."""
        self.calls = 0
        self.thinking_from: int | None = None

    def run(self) -> None:
        at = end = 0
        while tag := self._tag(at):
            if tag.start >= end:
                end = self._piece(at, tag)
            at += 1
        self._put_rest(len(self.text))

    def _tag(self, at: int) -> _Tag | None:
        """A tag of the text by its number; None if there are no more."""
        while at >= len(self.tags):
            found = next(self.to_come, None)
            if not found:
                return None
            name = (found["open"] or found["close"] or "").lower()
            self.tags.append(_Tag(*found.span(), found.lastgroup, name))  # type: ignore[arg-type]
        return self.tags[at]

    def problems(self) -> list[Problem]:
        """Those found, with how many were left out."""
        more = [
            problem("and_more", self.last[code], more=count - MOST_ALIKE, code=code)
            for code, count in self.alike.items()
            if count > MOST_ALIKE
        ]
        return [*self.found, *more]

    def _piece(self, at: int, tag: _Tag) -> int:
        """Make the piece that begins with a tag, if one does; where to go on."""
        if tag.kind == "open":
            call = self._call(at, tag)
            if not call:
                return tag.end
            if self.calls == MOST_CALLS:
                self.found.append(problem("too_many_calls", Span(call.start, len(self.text)), most=MOST_CALLS))
                self.to_come = iter(())
                return len(self.text)
            self.calls += 1
            self._put_rest(call.start)
            self._put(call)
            return call.end
        if tag.kind == "close":
            if self.thinking_from is None:
                self._tell("stray_close_tag", tag)
        elif tag.kind == "think":
            if self.thinking_from is None:
                return self._think(tag)
        elif self.thinking_from is None:
            self._tell("stray_think_close", tag)
            if not self.pieces:
                self._put(Piece("thinking", 0, tag.end))
        return tag.end

    def _think(self, tag: _Tag) -> int:
        while self.unthink and self.unthink[0] < tag.end:
            closing = _UNTHINK.search(self.text, tag.end)
            self.unthink = closing.span() if closing else None
        if not self.unthink:
            self.found.append(problem("unclosed_think", Span(tag.start, tag.end)))
            self._put_rest(tag.start)
            self.thinking_from = tag.start
            return tag.end
        self._put_rest(tag.start)
        self._put(Piece("thinking", tag.start, self.unthink[1]))
        return self.unthink[1]

    def _call(self, at: int, tag: _Tag) -> Piece | None:
        """The call that an open tag begins; None if the tag is text."""
        text = self.text
        start = after_blanks(text, tag.end)
        fence = FENCE.match(text, start)
        first = after_blanks(text, fence.end()) if fence else start
        ended = value_end(text, first) if text.startswith("{", first) else None
        behind = tag.end
        if ended:
            behind = closing = after_blanks(text, ended.end)
            if fence and (ticks := _CLOSING_FENCE.match(text, closing)):
                closing = after_blanks(text, ticks.end())
            found = _TAG.match(text, closing)
            if found and found["close"]:
                return self._closed(tag, found.start(), found.end(), found["close"])
            behind = ended.end
        following = at + 1
        while (other := self._tag(following)) and (other.start < behind or other.kind not in ("open", "close")):
            following += 1
        if other and other.kind == "close":
            return self._closed(tag, other.start, other.end, other.name)
        end = other.start if other else len(text)
        if other and start >= end:
            self._tell("nested_tag", tag)
        if start >= end or not (fence or text[start] in "{["):
            return None
        blank_line = BLANK_LINE.search(text, max(behind, start), end)
        end = trimmed(text, start, blank_line.start() if blank_line else end)[1]
        return Piece("call", tag.start, end, Span(tag.end, end), closed=False)

    def _closed(self, tag: _Tag, body_end: int, end: int, name: str) -> Piece:
        return Piece("call", tag.start, end, Span(tag.end, body_end), renamed=name.lower() != tag.name)

    def _tell(self, code: str, tag: _Tag) -> None:
        self.alike[code] += 1
        self.last[code] = Span(tag.start, tag.end)
        if self.alike[code] <= MOST_ALIKE:
            self.found.append(problem(code, Span(tag.start, tag.end)))

    def _put_rest(self, end: int) -> None:
        """What has no piece yet up to a place: text, or thinking that was not closed."""
        if self.thinking_from is not None and end > self.over:
            self._put(Piece("thinking", self.over, end))
            self.thinking_from = None
        elif end > self.over:
            self._put(Piece("text", self.over, end))

    def _put(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.over = piece.end
