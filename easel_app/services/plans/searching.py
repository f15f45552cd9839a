"""Search over everything that is shown of plans: every word that is looked for must stand somewhere in it.

What judges and other people say is looked through only where it may be shown to the person who searches.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from easel_app.plans.problems import KINDS
from easel_app.services.kept import Kept
from easel_app.services.plans.ballots import current
from easel_app.services.plans.judges import by_inspector, may_be_told
from easel_app.services.plans.library import PlanLibrary
from easel_app.services.plans.sight import Sight
from easel_app.services.reviewers import Person
from easel_app.sources.jsontext import leaves
from easel_app.store.plans import PlanKey

MOST_WORDS: Final = 16
"""Words of a search."""
MOST_KEPT: Final = 8
"""Searches whose hits in the plans themselves are kept."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PLAIN: Final = {"n": " ", "r": " ", "t": " ", "b": " ", "f": " "}
Found = dict[int, int]
"""By answer: which of the words were found, as bits."""
SightOf = Callable[[int], Sight]


class Searcher:
    """Finds plans by words."""

    def __init__(self, library: PlanLibrary) -> None:
        self._library = library
        self._kept = Kept[tuple[str, int, tuple[str, ...]], Found](MOST_KEPT)

    def hits(self, set_id: str, q: str, keys: Sequence[PlanKey], person: Person | None, sight_of: SightOf) -> set[int]:
        """The plans among these in which all words stand."""
        words = terms(q)
        whole = (1 << len(words)) - 1
        found = self._in_plans(set_id, words)
        said = self._said(set_id, [key for key in keys if found.get(key.id) != whole], words, person, sight_of)
        return {key.id for key in keys if found.get(key.id, 0) | said.get(key.id, 0) == whole}

    def _in_plans(self, set_id: str, words: tuple[str, ...]) -> Found:
        """What stands in the plans themselves, which never change."""
        outlines = self._library.outlines(set_id)
        key = (set_id, len(outlines), words)
        return self._kept.get(key) or self._kept.put(key, dict(self._look(set_id, words)))

    def _look(self, set_id: str, words: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        store, whole = self._library.store, (1 << len(words)) - 1
        of_query = {row.id: _bits(words, _asked(row.record)) for row in store.queries(set_id)}
        codes = {key.id: outline.codes for key, outline in self._library.outlines(set_id)}
        for row in store.answers(set_id):
            found, text = of_query.get(row.query, 0), row.record["text"]
            if found != whole:
                about = (row.planner, row.record["note"], row.record["no_output"], row.record["origin"])
                found |= _bits(words, [*about, *_explained(codes.get(row.id, ())), text])
            if found != whole and ("\\" in text or "&" in text):
                found |= _bits(words, [_unescaped(text)])
            yield row.id, found

    def _said(
        self, set_id: str, keys: Sequence[PlanKey], words: tuple[str, ...], person: Person | None, sight_of: SightOf
    ) -> Found:
        """What stands in reports and votes, as far as they may be shown."""
        seen = {key.id: sight for key in keys if (sight := sight_of(key.id)).everything or sight.parts}
        if not seen:
            return {}
        found = dict.fromkeys(seen, 0)
        calls = {key.id: len(outline.tools) for key, outline in self._library.outlines(set_id)}
        for record in self._library.inspections.judgings(set_id):
            rows: dict[int, list[Any]] = {}
            for row in self._library.inspections.reports(record.id):
                if row.answer in seen:
                    rows.setdefault(row.answer, []).append(row)
            for answer, of_answer in rows.items():
                told = may_be_told(by_inspector(of_answer)[record.id], calls[answer], seen[answer])
                texts = [record.judge, *(row.unscored for row in told.values())]
                found[answer] |= _bits(words, [*texts, *leaves([row.report for row in told.values()])])
        for vote in current(self._library.votes.votes(set_id)):
            own = person is not None and vote.reviewer == person.name
            if vote.answer in seen and (own or seen[vote.answer].shows(vote.part)):
                found[vote.answer] |= _bits(words, [vote.reviewer, vote.note, *leaves(vote.content)])
        return found


def terms(q: str) -> tuple[str, ...]:
    """The words that a search is for."""
    return tuple(dict.fromkeys(q.casefold().split()))[:MOST_WORDS]


def _bits(words: tuple[str, ...], texts: Iterable[str]) -> int:
    found, whole = 0, (1 << len(words)) - 1
    for text in texts:
        folded = text.casefold()
        for place, word in enumerate(words):
            if word in folded:
                found |= 1 << place
        if found == whole:
            break
    return found


def _asked(query: Mapping[str, Any]) -> Iterator[str]:
    """All that is shown of a query with its documents and pool."""
    yield from (query["id"], query["category"] or "", query["intent"] or "", query["query"])
    for image in query["query_images"]:
        yield from (image["name"], image["missing"])
    for each in query["documents"]:
        yield each["text"]
        for image in each["images"]:
            yield from (image["name"], image["missing"])


def _explained(codes: Iterable[str]) -> Iterator[str]:
    """Problem codes and what explains them, without the details, which stand in the plan."""
    for code in codes:
        yield code
        yield KINDS[code].sentence


def _unescaped(text: str) -> str:
    """A plan as its calls mean it: escapes of JSON and of HTML as the characters that they stand for."""
    joined = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _PLAIN.get(found[2], found[2]), text)
    return html.unescape(joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
