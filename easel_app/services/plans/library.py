"""The sets of plans of a studio: which there are, and each plan as it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import NamedTuple

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.outline import VERSION, Outline, outline, read_answer, reference_answer
from easel_app.plans.records import Plan
from easel_app.plans.registry import registry
from easel_app.plans.reports import INSPECTORS
from easel_app.services.kept import Kept
from easel_app.services.plans.judges import models_of
from easel_app.services.plans.views import Inspection, PlanSet, Sibling, Tools
from easel_app.services.problems import NotFound
from easel_app.services.set_library import SetLibrary
from easel_app.services.wings import PLANS
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore, ReportDigest
from easel_app.store.judges import JudgingRecord
from easel_app.store.plan_votes import PlanVoteStore
from easel_app.store.plans import PlanKey, PlanStore
from easel_app.store.sets import SetRecord

MOST_KEPT = 32_000_000
"""Bytes, about, of the plans that are kept as they were read, with their queries and documents."""
AT_ONCE = 500
"""Outlines that are stored together."""
MOST_OUTLINES = 100_000
"""Outlines that are kept."""


class ReadPlan(NamedTuple):
    """An answer as it was read, with its query."""

    id: int | None
    """The answer's row id; None for a reference answer."""
    set_id: str
    query: QueryRecord
    answer: AnswerRecord
    plan: Plan


def _weight(read: ReadPlan) -> int:
    query, plan = read.query, read.plan
    parts = len(plan.segments) + len(plan.blocks) + 5 * len(plan.calls) + len(plan.problems)
    return len(plan.text) + len(query.query) + sum(len(each.text) for each in query.documents) + 150 * parts


class Summary(NamedTuple):
    """What lists need to know of an inspection: nothing in words."""

    reports: Counter[str]
    """By inspector: plans with a report."""
    unscored: Counter[str]
    """By inspector: plans on which none came of it."""
    final: dict[int, int]
    """Final scores by answer."""
    gaps: dict[int, tuple[str, ...]]
    """Kinds of the gaps by answer."""


class PlanLibrary(SetLibrary):
    """Finds sets and plans."""

    def __init__(
        self, store: PlanStore, inspections: InspectionStore, votes: PlanVoteStore, pictures: PictureFiles
    ) -> None:
        super().__init__(PLANS, store, inspections, pictures)
        self.store, self.inspections, self.votes = store, inspections, votes
        self._plans = Kept[int, ReadPlan](MOST_KEPT, _weight)
        self._outlines = Kept[str, tuple[int, list[tuple[PlanKey, Outline]]]](MOST_OUTLINES, lambda kept: kept[0])
        self._summaries = Kept[str, tuple[int, Summary]](MOST_OUTLINES, lambda kept: len(kept[1].gaps) + 1)

    def view(self, record: SetRecord) -> PlanSet:
        """What there is in a set."""
        keys, events = self.store.keys(record.id), self.store.imports(record.id)
        return PlanSet(
            set_id=record.id,
            name=record.name,
            sample=record.sample,
            about=dict(record.about),
            **self.store.counts(record.id),
            planners=sorted({key.planner for key in keys}),
            categories=sorted({key.category for key in keys if key.category}),
            inspections=[self._inspection(each) for each in self.reporting(record.id)],
            reviewers=self.votes.reviewers(record.id),
            unfinished=events[-1].source if events and events[-1].name == "begun" else None,
        )

    def reporting(self, set_id: str) -> list[JudgingRecord]:
        """The judges of a set that have a report, oldest first: one that never gave any is none to compare with."""
        return [each for each in self.inspections.judgings(set_id) if self.summary(set_id, each.id).reports]

    def judging(self, set_id: str, wanted: str | None) -> str | None:
        """The inspection that is asked for, or the first one with a report; None when there is none.

        Raises:
            NotFound: the set has no such inspection.
        """
        if wanted is not None:
            return super().judging(set_id, wanted)
        return next((each.id for each in self.reporting(set_id)), None)

    def _inspection(self, record: JudgingRecord) -> Inspection:
        summary = self.summary(record.set_id, record.id)
        return Inspection(
            inspection_id=record.id,
            judge=record.judge,
            origin="run" if record.origin == "run" else "imported",
            models=models_of(record),
            reports={each: summary.reports[each] for each in INSPECTORS},
            unscored={each: summary.unscored[each] for each in INSPECTORS},
        )

    def summary(self, set_id: str, inspection_id: str) -> Summary:
        """What lists need to know of an inspection; read anew when a report came in."""
        last, kept = self.inspections.last(set_id), self._summaries.get(inspection_id)
        if kept is None or kept[0] != last:
            kept = self._summaries.put(inspection_id, (last, _summary(self.inspections.digest(inspection_id))))
        return kept[1]

    def find(self, set_id: str, query_id: str, planner: str, attempt: int) -> int:
        """The row id of a planner's answer to a query.

        Raises:
            NotFound: there is no such set, or no such answer in it.
        """
        query = self.store.query(self.set(set_id).id, query_id)
        found = self.store.answer_id(query.id, planner, attempt) if query else None
        if found is None:
            message = "The set has no such answer; look at the list of its plans for those that it has."
            raise NotFound("no_such_plan", message, "planner" if query else "query_id")
        return found

    def siblings(self, read: ReadPlan) -> list[Sibling]:
        """The other answers to a plan's query by planner, then the data's own if there is one."""
        query, own = read.query, read.id
        keys = [key for key in self.store.keys_of(read.set_id, query.id) if key.id != own]
        keys.sort(key=lambda key: (key.planner, key.attempt))
        found = [Sibling(answer=key.id, planner=key.planner, attempt=key.attempt) for key in keys]
        reference = reference_answer(query) if own is not None else None
        if reference:
            found.append(Sibling(answer=None, planner=reference.planner, attempt=1))
        return found

    def read(self, answer_id: int) -> ReadPlan:
        """An answer as it was read; the last ones are kept, for a stored answer never changes.

        Raises:
            NotFound: there is no such answer.
        """
        return self._plans.get(answer_id) or self._plans.put(answer_id, self._read(answer_id))

    def text(self, answer_id: int) -> str:
        """The text of an answer, without reading it as a plan.

        Raises:
            NotFound: there is no such answer.
        """
        row = self.store.answer(answer_id)
        if row is None:
            raise _no_such_plan()
        return AnswerRecord.model_validate(row.record).text

    def _read(self, answer_id: int) -> ReadPlan:
        row = self.store.answer(answer_id)
        query = self.store.query_of(row.query) if row else None
        if row is None or query is None:
            raise _no_such_plan()
        asked, answer = QueryRecord.model_validate(query.record), AnswerRecord.model_validate(row.record)
        return ReadPlan(row.id, query.set_id, asked, answer, read_answer(asked, answer))

    def reference(self, set_id: str, query_id: str) -> ReadPlan:
        """The data's own answer to a query as it was read.

        Raises:
            NotFound: there is no such query, or no answer of the data's own to it.
        """
        query = self.store.query(self.set(set_id).id, query_id)
        asked = QueryRecord.model_validate(query.record) if query else None
        answer = reference_answer(asked) if asked else None
        if asked is None or answer is None:
            message = "There is no such query in the set, or it has no reference answer."
            raise NotFound("no_such_reference", message, "query_id")
        return ReadPlan(None, set_id, asked, answer, read_answer(asked, answer))

    def outlines(self, set_id: str) -> list[tuple[PlanKey, Outline]]:
        """All plans of a set without their text, by query; what this version of the parser has not seen is read now."""
        answers, kept = self.store.counts(set_id)["answers"], self._outlines.get(set_id)
        if kept is None or kept[0] != answers:  # answers never change, and are never taken away
            found: Mapping[int, Outline] = self._stored(set_id)
            made = [(key, found[key.id]) for key in self.store.keys(set_id) if key.id in found]
            kept = self._outlines.put(set_id, (len(made), made))
        return kept[1]

    def _stored(self, set_id: str) -> dict[int, Outline]:
        found = {answer: Outline(**content) for answer, content in self.store.outlines(set_id, VERSION).items()}
        new: list[tuple[int, dict[str, object]]] = []
        missing = [key.id for key in self.store.keys(set_id) if key.id not in found]
        for answer_id in missing:
            read = self._read(answer_id)
            found[answer_id] = outline(read.query, read.answer, read.plan)
            new.append((answer_id, asdict(found[answer_id])))
            if len(new) == AT_ONCE or answer_id == missing[-1]:
                self.store.add_outlines(VERSION, new)
                new = []
        return found


def _no_such_plan() -> NotFound:
    return NotFound("no_such_plan", "There is no such plan; look at the list of its set again.", "answer")


def _summary(rows: Iterable[ReportDigest]) -> Summary:
    found = Summary(Counter(), Counter(), {}, {})
    for row in rows:
        (found.reports if row.scored else found.unscored)[row.inspector] += 1
        if row.fs is not None:
            found.final[row.answer] = row.fs
        elif row.scored and row.inspector == "recall":
            found.gaps[row.answer] = row.gaps
    return found


def tools() -> list[Tools]:
    """The tools that a plan may call."""
    return [
        Tools(name=each.name, boundary=each.boundary, mark=each.mark, params=[param.name for param in each.params])
        for each in registry().tools
    ]
