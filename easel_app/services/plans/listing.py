"""The plans of a set that fit some filters, by query and then by planner: a page of them, or a step among them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from easel_app.plans.outline import Outline
from easel_app.plans.records import Severity, Status
from easel_app.services.plans.ballots import Words, done, verdict, words_of
from easel_app.services.plans.documents import tool_counts
from easel_app.services.plans.library import PlanLibrary, Summary
from easel_app.services.plans.searching import Searcher
from easel_app.services.plans.sight import EVERYTHING, GAPS, NOTHING, Sight, sight_of
from easel_app.services.plans.viewing import Reports
from easel_app.services.plans.views import PlanOutline, PlanPage, Step
from easel_app.services.reviewers import Person
from easel_app.store.plan_votes import FINAL
from easel_app.store.plans import PlanKey

UNKNOWN: Final = "unknown"
"""Stands for calls that name no tool of the registry."""
ANY: Final = "any"
SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "hint")


class Filters(NamedTuple):
    """Which plans of a set are wanted; what is None, False or empty narrows nothing.

    What judges and people say is looked at only as far as it may be shown to the person who asks, so that no filter
    tells what a plan itself would not.
    """

    planner: str | None = None
    category: str | None = None
    tool: str | None = None
    """With a call of this tool; `unknown` for one of no tool."""
    status: Status | None = None
    """With a call that was read so."""
    problem: str | None = None
    """With a problem of this code."""
    severity: Severity | None = None
    gap: str | None = None
    """With a gap of this kind, or `any`: of the judge's, or that the person found."""
    open: bool = False
    """With a part on which the person has not voted."""
    verdict: Literal["accept", "revise", "reject", "none"] | None = None
    """Of the person on the plan as a whole."""
    q: str = ""
    """Words that stand somewhere in what is shown of the plan."""
    inspection: str | None = None
    """The judge whose final scores and gaps are told; None: the set's first."""
    reports: Reports = "blind"
    """`shown`: a reader without a name is told what judges say."""


class _Eyes(NamedTuple):
    """Who looks at a set, and what they have said and seen."""

    words: Mapping[int, Words]
    sights: Mapping[int, Sight]
    otherwise: Sight

    def sight(self, answer: int) -> Sight:
        """What may be shown of what is said of a plan."""
        return self.sights.get(answer, self.otherwise)

    @property
    def see(self) -> bool:
        """Whether anything may be shown of what is said of any plan."""
        return self.otherwise.everything or bool(self.sights)


class ListService:
    """Lists plans and steps through them."""

    def __init__(self, library: PlanLibrary, searcher: Searcher) -> None:
        self._library, self._searcher = library, searcher

    def page(self, set_id: str, person: Person | None, filters: Filters, offset: int, limit: int) -> PlanPage:
        """A page of the plans that fit.

        Raises:
            NotFound: there is no such set or inspection.
        """
        eyes = self._eyes(set_id, person, filters)
        found, of, judge = self._fitting(set_id, person, filters, eyes)
        shown = found[offset : offset + limit]
        return PlanPage(
            plans=[_outline(key, outline, eyes, judge) for key, outline in shown],
            total=len(found),
            of=of,
            next=offset + limit if offset + limit < len(found) else None,
        )

    def step(self, set_id: str, person: Person | None, filters: Filters, answer: int | None) -> Step:
        """Where a plan stands among those that fit; of one that does not, and of none, what is around it.

        Raises:
            NotFound: there is no such set or inspection.
        """
        eyes = self._eyes(set_id, person, filters)
        found, *_ = self._fitting(set_id, person, filters, eyes)
        ids = [key.id for key, _ in found]
        place = ids.index(answer) if answer in ids else None
        at = self._at(set_id, answer, [key for key, _ in found]) if place is None else place
        after = at if place is None else at + 1
        around = [*range(after, len(found)), *range(at)]
        waiting = (ids[k] for k in around if done(eyes.words.get(ids[k], {}), found[k][1]) < 1)
        return Step(
            place=None if place is None else place + 1,
            total=len(found),
            previous=ids[at - 1] if at > 0 else None,
            next=ids[after] if after < len(ids) else None,
            open=next(waiting, None),
        )

    def _at(self, set_id: str, answer: int | None, found: list[PlanKey]) -> int:
        """Before which of the plans that fit another one would stand."""
        own = next((key for key, _ in self._library.outlines(set_id) if key.id == answer), None)
        return bisect_left(found, _order(own), key=_order) if own else 0

    def _eyes(self, set_id: str, person: Person | None, filters: Filters) -> _Eyes:
        self._library.set(set_id)
        if person is None:
            return _Eyes({}, {}, EVERYTHING if filters.reports == "shown" else NOTHING)
        seen = self._library.votes.revealed_in(person.id, set_id)
        words = words_of(self._library.votes.votes(set_id, person.name), person.name) if seen else {}
        return _Eyes(words, {answer: sight_of(parts) for answer, parts in seen.items()}, NOTHING)

    def _fitting(
        self, set_id: str, person: Person | None, filters: Filters, eyes: _Eyes
    ) -> tuple[list[tuple[PlanKey, Outline]], int, Summary | None]:
        """The plans that fit, in order; how many there are; and what the judge says."""
        inspection = self._library.judging(set_id, filters.inspection)
        judge = self._library.summary(set_id, inspection) if inspection and eyes.see else None
        everything = self._library.outlines(set_id)
        found = [each for each in everything if _fits(*each, filters, eyes, judge)]
        if filters.q.strip():
            hits = self._searcher.hits(set_id, filters.q, [key for key, _ in found], person, eyes.sight)
            found = [each for each in found if each[0].id in hits]
        return sorted(found, key=lambda each: _order(each[0])), len(everything), judge


def _outline(key: PlanKey, outline: Outline, eyes: _Eyes, judge: Summary | None) -> PlanOutline:
    words, sight = eyes.words.get(key.id, {}), eyes.sight(key.id)
    gaps = judge.gaps.get(key.id) if judge and sight.shows(GAPS) else None
    return PlanOutline(
        answer=key.id,
        query_id=key.query_id,
        planner=key.planner,
        attempt=key.attempt,
        category=key.category,
        title=outline.title,
        calls=len(outline.tools),
        tools=tool_counts(outline),
        problems={severity: outline.severities.get(severity, 0) for severity in SEVERITIES},
        codes=list(outline.codes),
        no_output=outline.no_output,
        fs=judge.final.get(key.id) if judge and sight.shows(FINAL) else None,
        gaps=None if gaps is None else len(gaps),
        plan=verdict(words),
        done=done(words, outline),
    )


def _order(key: PlanKey) -> tuple[int, str, int]:
    return key.query, key.planner, key.attempt


def _fits(key: PlanKey, outline: Outline, filters: Filters, eyes: _Eyes, judge: Summary | None) -> bool:
    tool, words = None if filters.tool == UNKNOWN else filters.tool, eyes.words.get(key.id, {})
    return (
        filters.planner in (None, key.planner)
        and filters.category in (None, key.category)
        and (filters.tool is None or tool in outline.tools)
        and (filters.status is None or filters.status in outline.statuses)
        and (filters.problem is None or filters.problem in outline.codes)
        and (filters.severity is None or filters.severity in outline.severities)
        and (filters.verdict is None or (verdict(words) or "none") == filters.verdict)
        and (filters.gap is None or _has_gap(key.id, filters.gap, eyes, judge))
        and not (filters.open and done(words, outline) == 1)
    )


def _has_gap(answer: int, kind: str, eyes: _Eyes, judge: Summary | None) -> bool:
    """Whether there is a gap of a kind: of the judge's, where they may be shown, or that the person found."""
    own = eyes.words.get(answer, {}).get(GAPS)
    kinds = {gap["type"] for gap in own.content["gaps"]} if own and own.content else set()
    if judge and eyes.sight(answer).shows(GAPS):
        kinds.update(judge.gaps.get(answer, ()))
    return bool(kinds) if kind == ANY else kind in kinds
