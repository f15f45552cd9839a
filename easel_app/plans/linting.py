"""What is wrong with a plan as a document: where its calls stand, and what they ask for twice.

What the reference leaves open is chosen so:

- A paragraph counts if a letter or a digit stands in it, so a rule or a fence between two calls is no text.
- `stacked_calls` and `before_its_paragraph` belong to the call that stands wrong; `all_calls_at_end` to none, with the
  span from the first call to the last.
- A sentence ends with one of `ENDS`; closing marks, Markdown's emphasis and blanks behind it are passed over. Markers
  of lists, headings and quotations are no text, and neither is the bar of a table's cell.
- A lead-in phrase is the last sentence before a call that points at a picture to come, in English or Chinese.
- Calls are the same if tool and parameters are, in whatever order; 1 and 1.0 differ. Failed calls and calls of unknown
  tools are none's double. A picture that is cited twice is both `duplicate_call` and `duplicate_img_index`.
- `reference_available_but_search`: pictures were given, the plan searches, and neither cites nor edits any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from easel_app.plans.layout import Surroundings
from easel_app.plans.normalising import INDEX, Images, index_problems
from easel_app.plans.problems import problem
from easel_app.plans.records import Block, Problem, Span
from easel_app.plans.spaces import BLANKS, is_blank

ENDS: Final = ".!?:;。．｡！？：；…‥؟؛۔।॥"
"""Characters that end a sentence."""
_PASSED = BLANKS + "\"'”’»›)]}）】」』》〉］｝*_~`|"
_WORD = re.compile(r"\w")
_PICTURE = (
    r"(?:image|picture|photo|photograph|figure|illustration|diagram|chart|graph|plot|visual|visuali[sz]ation|"
    r"screenshot|sketch|drawing|render|rendering|example)s?"
)
_POINTS = (
    r"here(?:['’]s|\s+(?:is|are))|(?:shown|seen|pictured)\s+(?:here|below)|below(?:\s+(?:is|are))?|(?:please\s+)?(?:see|look\s+at)|"
    r"the\s+following|this\s+is\s+(?:what|how)|as\s+(?:shown|seen|illustrated|pictured)|take\s+a\s+look|"
    r"(?:i|we)(?:['’]ve|\s+have)?\s+(?:made|created|generated|drawn|found|included|attached)|let\s+me\s+show"
)
_LEAD_IN = re.compile(
    rf"(?i)(?:\b(?:{_POINTS})\b[^.!?。！？]{{0,80}}?\b{_PICTURE}\b[^.!?。！？]{{0,40}}"
    rf"|\b{_PICTURE}\b[^.!?。！？]{{0,30}}\bbelow\b[^.!?。！？]{{0,20}}"
    r"|(?:如|见|参见|請見|请看|以下是?|下面是?|这是)[^。！？]{0,20}[图圖][^。！？]{0,12}"
    r"|[图圖]片?如下)[.:：。…!]{0,3}\Z"
)
_MOST_LEAD = 160
"""Characters before a call among which a lead-in phrase is looked for."""


class Stated(NamedTuple):
    """What plan-level rules need of a call."""

    id: int
    span: Span
    tool: str | None
    params: Mapping[str, Any] | None


def lint(
    text: str, calls: Sequence[Stated], blocks: Sequence[Block], around: Sequence[Surroundings], images: Images
) -> Iterator[Problem]:
    """The problems of a plan as a document, in no particular order.

    Args:
        text: of the plan.
        calls: in the order of the text.
        blocks: of the plan.
        around: what stands around each call.
        images: which it may cite.
    """
    yield from _whole(text, calls, [each for each in blocks if each.kind == "text" and _has_words(text, each)])
    for before, call in pairwise(calls):
        if is_blank(text, before.span.end, call.span.start):
            yield problem("stacked_calls", call.span, call.id)
    for call, place in zip(calls, around, strict=True):
        yield from _placed(text, call, place)
    yield from _repeated(calls)
    yield from _cited(calls, images)


def _has_words(text: str, block: Block) -> bool:
    return _WORD.search(text, block.start, block.end) is not None


def _whole(text: str, calls: Sequence[Stated], paragraphs: Sequence[Block]) -> Iterator[Problem]:
    everything = Span(0, len(text))
    if is_blank(text, 0, len(text)):
        yield problem("no_output", everything)
    if not calls:
        yield problem("no_calls", everything)
        return
    first = calls[0]
    if not paragraphs:
        yield problem("only_calls", everything)
    elif paragraphs[0].start > first.span.start:
        yield problem("before_its_paragraph", first.span, first.id)
    elif len(calls) > 1 and len(paragraphs) > 1 and paragraphs[-1].start < first.span.start:
        yield problem("all_calls_at_end", Span(first.span.start, calls[-1].span.end))


def _placed(text: str, call: Stated, place: Surroundings) -> Iterator[Problem]:
    if place.fenced:
        yield problem("fenced_tag", call.span, call.id)
    if place.in_list_or_table:
        yield problem("inside_list_or_table", call.span, call.id)
    said = place.before.rstrip(_PASSED)
    if said and said[-1] not in ENDS and not place.before.endswith("|") and _WORD.search(said):
        yield problem("mid_sentence", call.span, call.id)
    if place.leads:
        start = max(place.leads.start, place.leads.end - _MOST_LEAD)
        tail = text[start : place.leads.end].rstrip(_PASSED)
        if lead := _LEAD_IN.search(tail):
            yield problem("lead_in_phrase", Span(start + lead.start(), start + len(tail)), call.id)


def _repeated(calls: Sequence[Stated]) -> Iterator[Problem]:
    asked: dict[tuple[str, str], int] = {}
    cited: dict[int, int] = {}
    for call in calls:
        if call.tool is None or call.params is None:
            continue
        first = asked.setdefault((call.tool, json.dumps(call.params, sort_keys=True)), call.id)
        if first != call.id:
            yield problem("duplicate_call", call.span, call.id, first=first)
        index = call.params.get(INDEX)
        if call.tool == "reference" and isinstance(index, int) and not isinstance(index, bool):
            first = cited.setdefault(index, call.id)
            if first != call.id:
                shown = index if abs(index) < 10**18 else "of more than 18 digits"
                yield problem("duplicate_img_index", call.span, call.id, value=shown, first=first)


def _cited(calls: Sequence[Stated], images: Images) -> Iterator[Problem]:
    cites = False
    for call in calls:
        if call.tool in ("reference", "edit") and call.params:
            wrong = list(index_problems(call.params.get(INDEX), call.id, len(calls), images))
            cites |= not wrong
            for code, details in wrong:
                yield problem(code, call.span, call.id, **details)
    searching = next((call for call in calls if call.tool == "search"), None)
    if searching and images.pool_size and not cites:
        yield problem("reference_available_but_search", searching.span, searching.id, pool=images.pool_size)
