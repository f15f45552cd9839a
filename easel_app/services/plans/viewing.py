"""A plan as a person may see it: the document, with what judges and people say of it beside it."""

from __future__ import annotations

import re
from typing import Final, Literal

from easel_app.services.judge_names import judge_names
from easel_app.services.kept import Kept
from easel_app.services.plans.ballots import mine, others, words_of
from easel_app.services.plans.documents import document
from easel_app.services.plans.judges import by_inspector, judge_reports, places_in
from easel_app.services.plans.library import PlanLibrary, ReadPlan
from easel_app.services.plans.sight import EVERYTHING, NOTHING, Sight, sight_of
from easel_app.services.plans.views import PlanView
from easel_app.services.problems import Forbidden
from easel_app.services.reviewers import Person

Reports = Literal["blind", "shown"]
MOST_KEPT: Final = 16_000_000
"""Characters, as JSON, of the plans that are kept as documents."""
_HALVES = re.compile("[\ud800-\udfff]")


class ViewService:
    """Shows plans."""

    def __init__(self, library: PlanLibrary) -> None:
        self._library = library
        self._documents = Kept[int, PlanView](MOST_KEPT, lambda view: len(view.model_dump_json()))

    def view(
        self, answer_id: int, person: Person | None, *, inspection: str | None = None, reports: Reports = "blind"
    ) -> PlanView:
        """A plan as somebody may see it.

        Args:
            answer_id: which plan.
            person: who looks; None for a reader without a name.
            inspection: the one judge to tell of; None tells of all.
            reports: `shown` shows all that judges and people say to a reader without a name, whom nobody can hold to
                it afterwards; a person has it recorded by `VoteService.reveal` first.

        Raises:
            NotFound: there is no such plan or inspection.
            Forbidden: reports are to be shown to a person who has not voted or asked for them.
        """
        read = self._library.read(answer_id)
        calls, sight = len(read.plan.calls), self.sight(answer_id, person, reports)
        if person and reports == "shown" and not sight.shows_all(calls):
            message = (
                "What others say of this plan is shown to you part by part after your votes; to see it all now, and "
                "vote on it no longer blind, POST to /api/plans/answers/{answer}/reveal first."
            )
            raise Forbidden("not_revealed", message, "reports")
        if inspection is not None:
            self._library.judging(read.set_id, inspection)
        rows = by_inspector(self._library.inspections.reports_on(answer_id))
        judges = self._library.inspections.judgings(read.set_id)
        names = judge_names(judges)
        shown = {inspection} if inspection else {each.id for each in self._library.reporting(read.set_id)}
        votes = self._library.votes.votes_on(answer_id)
        name = person.name if person else None
        return self._document(read).model_copy(
            update={
                "judges": [
                    judge_reports(each, names[each.id], rows.get(each.id, {}), calls, sight, places_in(read.plan))
                    for each in judges
                    if each.id in shown
                ],
                "mine": mine(words_of(votes, person.name).get(answer_id, {}), sight) if person else None,
                "others": others(votes, name, sight),
                "siblings": self._library.siblings(read),
            }
        )

    def sight(self, answer_id: int, person: Person | None, reports: Reports = "blind") -> Sight:
        """What may be shown to somebody of what is said of a plan."""
        if person is None:
            return EVERYTHING if reports == "shown" else NOTHING
        return sight_of(self._library.votes.revealed(person.id, answer_id))

    def reference(self, set_id: str, query_id: str) -> PlanView:
        """The data's own answer to a query, which nobody judges.

        Raises:
            NotFound: there is no such query, or no answer of the data's own to it.
        """
        read = self._library.reference(set_id, query_id)
        view = document(read, self._library.set(set_id))
        return view.model_copy(update={"siblings": self._library.siblings(read)})

    def raw(self, answer_id: int) -> str:
        """All of a plan's text; a lone half of a surrogate pair, which no UTF-8 can hold, becomes a mark.

        Raises:
            NotFound: there is no such plan.
        """
        return _HALVES.sub("\N{REPLACEMENT CHARACTER}", self._library.text(answer_id))

    def _document(self, read: ReadPlan) -> PlanView:
        assert read.id is not None  # noqa: S101
        kept = self._documents.get(read.id)  # a stored answer never changes
        return kept or self._documents.put(read.id, document(read, self._library.set(read.set_id)))
