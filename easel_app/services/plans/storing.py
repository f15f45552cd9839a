"""Storing queries, answers, reports and votes that an import accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, ClassVar

from easel_app.plans.files import AnswerRecord, QueryRecord, ReportRecord, VoteRecord
from easel_app.plans.outline import VERSION, outline, read_answer
from easel_app.services.ledger import now
from easel_app.services.plans.import_reports import PlanTally
from easel_app.services.plans.rows import (
    imported_inspection_id,
    row_of_answer,
    row_of_query,
    row_of_report,
    row_of_vote,
)
from easel_app.services.taking_in import storing
from easel_app.sources.fields import Record
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore
from easel_app.store.judges import JudgingRecord
from easel_app.store.plan_votes import PlanVoteStore
from easel_app.store.plans import PlanStore

MOST_QUERIES = 16
"""Queries that are kept while answers to them come."""


class Writer(storing.Writer[PlanTally]):
    """Stores records into a set, in the order in which they come."""

    most_together: ClassVar[Mapping[type[Any], int]] = {
        QueryRecord: 100,
        AnswerRecord: 200,
        ReportRecord: 1000,
        VoteRecord: 5000,
    }

    def __init__(
        self,
        store: PlanStore,
        inspections: InspectionStore,
        votes: PlanVoteStore,
        pictures: PictureFiles,
        set_id: str,
    ) -> None:
        super().__init__(pictures, PlanTally())
        self._store, self._inspections, self._votes, self._set_id = store, inspections, votes, set_id
        self._queries: dict[str, int] = {}
        self._answers: dict[tuple[int, str, int], int] = {}
        self._judges: set[str] = set()
        self._seen: dict[str, int] = {}
        self._asked = lru_cache(MOST_QUERIES)(self._read_query)

    def _store_batch(self, batch: Sequence[Any]) -> None:
        match batch[0]:
            case QueryRecord():
                self._queries |= self._store.add_queries(self._set_id, map(row_of_query, batch))
                self.added.queries += len(batch)
            case AnswerRecord():
                self._add_answers(batch)
            case ReportRecord():
                self._add_reports(batch)
            case VoteRecord():
                rows = [row_of_vote(self._answer(vote), vote, self._set_id, self._seen) for vote in batch]
                self.added.votes += self._votes.adopt(rows)

    def _length(self, record: Record) -> int:
        if isinstance(record, QueryRecord):
            return len(record.query) + len(record.reference or "") + sum(len(each.text) for each in record.documents)
        return len(record.text) if isinstance(record, AnswerRecord) else 0

    def _add_answers(self, answers: Sequence[AnswerRecord]) -> None:
        """Store answers with what the parser finds in them, so that no list has to read them first."""
        self.added.answers += self._store.add_answers(
            row_of_answer(self._query(answer.query_id), answer) for answer in answers
        )
        outlines = []
        for answer in answers:
            query = self._asked(self._query(answer.query_id))
            outlines.append((self._answer(answer), asdict(outline(query, answer, read_answer(query, answer)))))
        self._store.add_outlines(VERSION, outlines)

    def _add_reports(self, reports: Sequence[ReportRecord]) -> None:
        rows, at = [], now()
        for report in reports:
            inspection_id = imported_inspection_id(self._set_id, report.judge)
            if report.judge not in self._judges:
                self._judges.add(report.judge)
                self._inspections.begin(JudgingRecord(inspection_id, self._set_id, report.judge, "imported", {}, at))
            rows.append(row_of_report(inspection_id, self._answer(report), report, at))
        self._inspections.add(rows)
        self.added.reports += len(rows)

    def _query(self, query_id: str) -> int:
        if query_id not in self._queries:
            row = self._store.query(self._set_id, query_id)
            assert row  # noqa: S101  nothing is accepted before its query
            self._queries[query_id] = row.id
        return self._queries[query_id]

    def _read_query(self, row_id: int) -> QueryRecord:
        row = self._store.query_of(row_id)
        assert row  # noqa: S101  it was stored before
        return QueryRecord.model_validate(row.record)

    def _answer(self, about: AnswerRecord | ReportRecord | VoteRecord) -> int:
        key = (self._query(about.query_id), about.planner, about.attempt)
        if key not in self._answers:
            row_id = self._store.answer_id(*key)
            assert row_id is not None  # noqa: S101  nothing is accepted before its answer
            self._answers[key] = row_id
        return self._answers[key]
