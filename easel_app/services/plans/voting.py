"""Votes on plans: what a person says of a part, and what they are shown for it."""

from __future__ import annotations

import re
from typing import Final

from easel_app.plans.files import GapsVote
from easel_app.services.judge_names import judge_names
from easel_app.services.ledger import now
from easel_app.services.plans.ballots import words_of
from easel_app.services.plans.judges import by_inspector, gaps_of
from easel_app.services.plans.library import PlanLibrary, ReadPlan
from easel_app.services.plans.sight import GAPS, PLAN, call_part, gap_part
from easel_app.services.plans.viewing import ViewService
from easel_app.services.plans.views import PlanView, PlanVoteBody
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.reviewers import Person
from easel_app.store.plan_votes import ALL, FINAL, NewPlanVote, RequestReused

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)


class VoteService:
    """Takes votes on plans, and wishes to see what others say."""

    def __init__(self, library: PlanLibrary, views: ViewService) -> None:
        self._library, self._views = library, views

    def cast(self, answer_id: int, person: Person, wish: PlanVoteBody) -> PlanView:
        """Store a vote; the plan with what others say of its part.

        Raises:
            NotFound: no such plan, call, or gap of a judge.
            Invalid: the content is about something else than the vote, the key is none, or a gap is not in the plan.
            Forbidden: it is about a judge's gap, and the judges' gaps were not shown to the person.
            Conflict: there is nothing to take back, or the request id was another vote's.
        """
        read = self._library.read(answer_id)
        if wish.content is not None and wish.content.about != wish.about:
            message = f"The vote is about {wish.about}, but its content is about {wish.content.about}; make them one."
            raise Invalid("other_content", message, "content")
        part = self._part(read, person, wish)
        if isinstance(wish.content, GapsVote):
            _check_gaps(read, wish.content)
        if wish.content is None:
            self._check_taking_back(answer_id, person, part, wish.request_id)
        content = wish.content.model_dump(mode="json") if wish.content else None
        vote = NewPlanVote(answer_id, part, content, wish.note, wish.request_id, now())
        try:
            self._library.votes.vote(person.id, vote)
        except RequestReused:
            message = "The request id is that of another vote of yours; give every vote its own."
            raise Conflict("request_id_reused", message, "request_id") from None
        return self._views.view(answer_id, person)

    def reveal(self, answer_id: int, person: Person, part: str) -> PlanView:
        """Record that a person sees what others say of a part, or of all; the plan with it.

        Raises:
            NotFound: no such plan or call.
            Invalid: there is no such part.
        """
        read = self._library.read(answer_id)
        call = part.removeprefix("call:")
        if call != part:
            _call(read, call, "part")
        elif part not in (ALL, GAPS, FINAL, PLAN):
            message = "A part is all, call:3 for a call by its number, gaps, fs or plan; name one of them."
            raise Invalid("no_such_part", message, "part")
        self._library.votes.reveal(person.id, answer_id, part, now())
        return self._views.view(answer_id, person)

    def _part(self, read: ReadPlan, person: Person, wish: PlanVoteBody) -> str:
        """The part that a vote is about."""
        if wish.about == "call":
            return call_part(_call(read, wish.key, "key"))
        if wish.about == "gap":
            return self._gap(read, person, wish.key)
        if wish.key:
            message = f"A vote about {wish.about} is about all of the plan, so leave the key out."
            raise Invalid("key_not_wanted", message, "key")
        return wish.about

    def _gap(self, read: ReadPlan, person: Person, key: str) -> str:
        """The part of a gap that a judge reports; whether there is one is told only to those who may see it."""
        assert read.id is not None  # noqa: S101
        if not self._views.sight(read.id, person).shows(GAPS):
            message = "The gaps that judges report are shown after your own vote on the gaps; vote on that first."
            raise Forbidden("vote_first", message, "key")
        judge, _, number = key.rpartition("/")
        if not judge or not _NUMBER.fullmatch(number):
            message = "The key of a judge's gap is the judge's name, a slash and the gap's number, such as judge/2."
            raise Invalid("no_such_key", message, "key")
        rows = by_inspector(self._library.inspections.reports_on(read.id))
        for judging, name in judge_names(self._library.inspections.judgings(read.set_id)).items():
            gaps = gaps_of(rows.get(judging, {})) if name == judge else None
            if any(gap.gap_id == int(number) for gap in gaps or ()):
                return gap_part(judge, int(number))
        message = "No judge of that name reports a gap of that number on this plan; look at the plan again."
        raise NotFound("no_such_gap", message, "key")

    def _check_taking_back(self, answer_id: int, person: Person, part: str, request_id: str) -> None:
        votes = self._library.votes.votes_on(answer_id)
        repeated = any(vote.reviewer == person.name and vote.request_id == request_id for vote in votes)
        if not repeated and part not in words_of(votes, person.name).get(answer_id, {}):
            raise Conflict("nothing_to_take_back", "You have no vote here to take back; vote first.", "content")


def _call(read: ReadPlan, number: str, field: str) -> int:
    """The id of a call of a plan."""
    if not _NUMBER.fullmatch(number):
        raise Invalid("no_such_key", "A call is named by its number in the plan, from 1; send that.", field)
    if int(number) > len(read.plan.calls):
        message = f"The plan has no call {number}; it has {len(read.plan.calls)}, which are numbered from 1."
        raise NotFound("no_such_call", message, field)
    return int(number)


def _check_gaps(read: ReadPlan, vote: GapsVote) -> None:
    last = len(read.plan.blocks)
    for place, gap in enumerate(vote.gaps):
        if gap.after_block > last:
            message = f"There is no block {gap.after_block} in the plan, whose last one is {last}; place the gap in it."
            raise Invalid("no_such_block", message, f"content.gaps.{place}.after_block")
