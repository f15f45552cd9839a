"""Where in a plan a passage stands that somebody quotes, word for word or nearly so.

A passage is looked for in the text that a reader sees, and after that in the whole plan, calls included. It is first
taken as it is but for white space, then as its words: letters and digits in lower case, of which CJK characters are
each one. All takes time in proportion to the plan and the quote, so that 10 MB stay a matter of seconds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from easel_app.plans.records import Plan, Segment, Span
from easel_app.sources.fields import storable

ALIKE: Final = 0.7
"""Share of a quote's words and pairs of neighbouring words that must stand together in the plan."""
MOST_QUOTE = 20_000
"""Characters of a quote."""
MOST_TRIED = 64
"""Places of a plan that a quote is held against, word by word; the most promising ones."""
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_INK = re.compile(r"\S+")
_MARKS: Final = "\"'`*_“”„‟‘’«»‹›「」『』…. \t\r\n"
"""What a quote may be wrapped in without being another passage."""
Numbers = npt.NDArray[np.int64]


def anchor(plan: Plan, quote: str) -> Span | None:
    """Where a quoted passage stands; the first place where it does, None if there is none.

    Exact, white space aside; else the place where its words are nearest, if at least `ALIKE` of the quote's words and
    pairs of neighbouring words stand there, in a stretch that is a fifth and a word longer than the quote at most.

    Args:
        plan: that is quoted.
        quote: at most `MOST_QUOTE` characters; a longer one, and one without a letter or digit, is nowhere.
    """
    if len(quote) > MOST_QUOTE or not _WORD.search(quote):
        return None
    quote, layers = storable(quote), _layers(plan.text, plan.segments)
    exact = next((found for layer in layers if (found := layer.exact(quote))), None)
    return exact or next((found for layer in layers if (found := layer.alike(quote))), None)


def block_of(plan: Plan, span: Span) -> int | None:
    """The number of the block that a place of the plan begins in; None in thinking or between blocks."""
    place = bisect_right(plan.blocks, span.start, key=lambda block: block.start) - 1
    inside = place >= 0 and span.start < plan.blocks[place].end
    return plan.blocks[place].number if inside else None


class _Words(NamedTuple):
    """The words of a text: each by a number that equal ones share, and where it stands."""

    numbers: dict[str, int]
    sequence: Numbers
    starts: Numbers
    ends: Numbers


class _Layer:
    """Some parts of a plan, joined, in which passages are looked for."""

    def __init__(self, text: str, parts: Sequence[Span]) -> None:
        self._parts = parts
        self._seen = "\n".join(text[part.start : part.end] for part in parts)
        sizes = [part.end - part.start + 1 for part in parts]
        self._starts: list[int] = [0, *accumulate(sizes)][: len(parts)]

    @cached_property
    def _folded(self) -> str:
        """What is seen, with one blank for all white space between its words."""
        return " ".join(self._seen.split())

    @cached_property
    def _inks(self) -> Numbers:
        """Where what white space parts begins in what is seen."""
        return np.fromiter((ink.start() for ink in _INK.finditer(self._seen)), np.int64)

    @cached_property
    def _words(self) -> _Words:
        numbers: dict[str, int] = {}
        found = [
            (numbers.setdefault(word[0].lower(), len(numbers)), *word.span()) for word in _WORD.finditer(self._seen)
        ]
        columns = np.array(found, np.int64).reshape(-1, 3)
        return _Words(numbers, columns[:, 0], columns[:, 1], columns[:, 2])

    def exact(self, quote: str) -> Span | None:
        """Where it stands but for white space, and for marks around it."""
        for wanted in (" ".join(quote.split()), " ".join(quote.strip(_MARKS).split())):
            at = self._folded.find(wanted)
            if at >= 0:
                return self._span(self._unfolded(at), self._unfolded(at + len(wanted) - 1) + 1)
        return None

    def _unfolded(self, at: int) -> int:
        """Where a character of the folded text stands in what is seen."""
        begin = self._folded.rfind(" ", 0, at) + 1
        return int(self._inks[self._folded.count(" ", 0, begin)]) + at - begin

    def alike(self, quote: str) -> Span | None:
        """Where most of its words stand together."""
        words = self._words
        wanted = [words.numbers.get(word.lower(), -1) for word in _WORD.findall(quote)]
        budget = Counter[Any](wanted) + Counter[Any](pairwise(wanted))
        need, length = ALIKE * budget.total(), len(wanted) + 1 + len(wanted) // 5
        best, place = 0, -1
        for begin in self._promising(wanted, length, need):
            stretch = words.sequence[begin : begin + length].tolist()
            hits = ((Counter[Any](stretch) + Counter[Any](pairwise(stretch))) & budget).total()
            if hits > best:
                best, place = hits, begin
        if place < 0 or best < need:
            return None
        own = np.flatnonzero(np.isin(words.sequence[place : place + length], wanted)) + place
        return self._span(int(words.starts[own[0]]), int(words.ends[own[-1]]))

    def _promising(self, wanted: Sequence[int], length: int, need: float) -> list[int]:
        """Where stretches begin that may hold enough of the quote, the most promising first; repeats not seen through.

        Every word and pair of the text counts that is one of the quote's, however often; so no stretch is passed over
        that holds enough, unless `MOST_TRIED` others look better.
        """
        sequence, size = self._words.sequence, len(self._words.numbers) + 1
        if not len(sequence):
            return []
        pairs = sequence[:-1] * size + sequence[1:]
        sought = [first * size + second for first, second in pairwise(wanted) if first >= 0 <= second]
        single, double = np.isin(sequence, wanted), np.isin(pairs, sought)
        words_before = np.concatenate([[0], np.cumsum(single)])
        pairs_before = np.concatenate([[0], np.cumsum(double)])
        begins = np.arange(max(1, len(sequence) - length + 1))
        ends = np.minimum(begins + length, len(sequence))
        hits = words_before[ends] - words_before[begins] + pairs_before[ends - 1] - pairs_before[begins]
        enough = np.flatnonzero(hits >= need)
        order = enough[np.argsort(-hits[enough], kind="stable")]
        return [int(begin) for begin in order[:MOST_TRIED]]

    def _span(self, start: int, end: int) -> Span:
        """A place of what is seen as a place of the plan."""
        return Span(self._original(start), self._original(end - 1) + 1)

    def _original(self, at: int) -> int:
        place = bisect_right(self._starts, at) - 1
        return self._parts[place].start + at - self._starts[place]


@lru_cache(maxsize=4)  # all gaps of a plan are looked for one after the other
def _layers(text: str, segments: tuple[Segment, ...]) -> tuple[_Layer, ...]:
    text = storable(text)  # as whoever quotes it was shown it; one mark per character, so places stay
    shown = [Span(segment.start, segment.end) for segment in segments if segment.kind == "text"]
    all_shown = len(shown) == len(segments)
    return (_Layer(text, shown),) if all_shown else (_Layer(text, shown), _Layer(text, [Span(0, len(text))]))
