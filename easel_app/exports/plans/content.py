"""A set of plans to be exported: which answers it has is looked up once, what they say piece by piece.

Whatever comes in meanwhile is left out, so that nothing in an export refers to what is not in it. No query stays open
between two pieces, for each may be asked for by another thread.
"""

from __future__ import annotations

from collections.abc import Iterator

from easel_app.exports.packages import told_of
from easel_app.plans.files import AnswerRecord, QueryRecord, ReportRecord, SetLine, VoteRecord
from easel_app.plans.outline import Outline
from easel_app.plans.reports import INSPECTORS
from easel_app.services.judge_names import judge_names
from easel_app.services.plans.plans import Plans
from easel_app.store.inspections import ReportRow
from easel_app.store.plan_votes import PlanVoteRow
from easel_app.store.plans import PlanKey


class Content:
    """A set as it is at one moment."""

    def __init__(self, plans: Plans, set_id: str) -> None:
        """Look up what the set of that id has.

        Raises:
            NotFound: there is no such set.
        """
        self.plans = plans
        self.record = plans.library.set(set_id)
        self.judges = judge_names(plans.inspections.judgings(set_id))
        """By inspection: the judge's name, which in an export no other inspection has."""
        self.reporting = {each.id: self.judges[each.id] for each in plans.library.reporting(set_id)}
        """The same without those that never gave a report."""
        self.outlines: list[tuple[PlanKey, Outline]] = plans.library.outlines(set_id)
        """Its answers by query, without their text."""
        self._keys = {key.id: key for key, _ in self.outlines}

    def set_line(self) -> SetLine:
        """What the set is called and where it comes from."""
        return SetLine.model_validate(told_of(self.record))

    def queries(self) -> Iterator[QueryRecord]:
        """Its queries in their order, those without an answer too."""
        return (QueryRecord.model_validate(row.record) for row in list(self.plans.store.queries(self.record.id)))

    def answers(self) -> Iterator[AnswerRecord]:
        """Its answers by query."""
        for key in self._keys.values():
            row = self.plans.store.answer(key.id)
            if row:
                yield AnswerRecord.model_validate(row.record)

    def report_rows(self, inspection_id: str) -> list[tuple[PlanKey, ReportRow]]:
        """What counts of a judge, by answer and inspector."""
        rows = self.plans.inspections.reports(inspection_id)
        found = [(self._keys[row.answer], row) for row in rows if row.answer in self._keys]
        order = {answer: place for place, answer in enumerate(self._keys)}
        return sorted(found, key=lambda pair: (order[pair[0].id], INSPECTORS.index(pair[1].inspector)))

    def votes(self) -> list[tuple[PlanKey, PlanVoteRow]]:
        """All votes in the order in which they were cast, those that were changed later too."""
        rows = self.plans.ballots.votes(self.record.id)
        return [(self._keys[row.answer], row) for row in rows if row.answer in self._keys]

    def statements(self) -> Iterator[ReportRecord | VoteRecord]:
        """What judges and people say: what counts of each judge, then all votes in their order."""
        for inspection_id, judge in self.judges.items():
            for key, row in self.report_rows(inspection_id):
                said = {"inspector": row.inspector, "report": row.report, "unscored": row.unscored}
                yield ReportRecord.model_validate({**answered(key), "judge": judge, **said})
        for key, vote in self.votes():
            names = ("reviewer", "content", "note", "blind", "at")
            about, _, own = vote.part.partition(":")
            fields = {name: getattr(vote, name) for name in names}
            yield VoteRecord.model_validate({**answered(key), "about": about, "key": own, **fields})

    def picture(self, digest: str) -> bytes | None:
        """The file of a picture; None when somebody took it away from the data folder."""
        return self.plans.pictures.get(digest)


def answered(key: PlanKey) -> dict[str, str | int]:
    """Which answer a statement is about, in the words of a file."""
    return {"query_id": key.query_id, "planner": key.planner, "attempt": key.attempt}
