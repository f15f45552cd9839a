"""Votes: what a person says of an entry, what they are told for it, and how disagreements are settled."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict

from easel_app.rubrics.records import Verdict, Vote
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.consensus import blind, by_pair, current, disagree, settled
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.queues import QueueService, state_of
from easel_app.services.rubrics.views import (
    Assignment,
    Disagreement,
    EntryView,
    JudgeView,
    NewVoteBody,
    Revealed,
    VoteView,
)
from easel_app.store.judgings import VerdictRow
from easel_app.store.reviews import (
    AdoptedVote,
    EnoughReviewers,
    Entry,
    NewVote,
    QueueRecord,
    RequestReused,
    ReviewStore,
    Standing,
    VoteRow,
)
from easel_app.store.rubrics import ItemRow


class VoteService:
    """Takes votes and tells what they reveal."""

    def __init__(self, library: RubricLibrary, reviews: ReviewStore, queues: QueueService) -> None:
        self._library, self._reviews, self._queues = library, reviews, queues

    def assignment(self, queue: QueueRecord, place: int, person: Person | None) -> Assignment:
        """An answer of a queue as a person may see it, what is open of it not being kept for them.

        Raises:
            NotFound: the queue has no such place.
        """
        standings = self._queues.standings(queue, person, place)
        if not standings:
            raise NotFound("no_such_place", "The queue has no such place; it begins with 1.", "place")
        task, answer = self._library.task_and_answer(standings[0].answer)
        items = {item.id: item for item in self._library.store.items_of(task.id)}
        votes = self._reviews.votes_on(answer.id)
        entries = [self._entry(queue, standing, items[standing.item], person, votes) for standing in standings]
        blind = any(entry.state == "open" and not entry.revealed for entry in entries)
        return Assignment(
            queue_id=queue.id,
            place=place,
            task_id=task.task_id,
            category=task.category,
            domain=task.domain,
            model=None if blind else answer.model,
            attempt=answer.attempt,
            turns=self._library.turns(task, answer),
            entries=sorted(entries, key=lambda entry: (entry.turn, entry.entry)),
            reserved_until=None,
        )

    def reserved(self, queue: QueueRecord, person: Person, place: int, *, only: bool) -> Assignment | None:
        """An answer of a queue whose open entries are kept for a person; None when nothing is open for them.

        Args:
            queue: which queue.
            person: for whom.
            place: where to look first.
            only: whether to look nowhere else; a place without open entries is then shown all the same.
        """
        found = self._queues.reserve(queue, person, place, only=only)
        if found is None:
            return self.assignment(queue, place, person) if only else None
        until = self._queues.clock() + queue.hold
        return self.assignment(queue, found, person).model_copy(update={"reserved_until": until})

    def cast(self, entry_id: int, person: Person, wish: NewVoteBody) -> EntryView:
        """Store a vote; the entry with what others say of it.

        Raises:
            NotFound: no such entry.
            Invalid: an error kind without `not_met`, or an adjudication that cannot assess.
            Conflict: enough people have voted on it, there is nothing to adjudicate, nothing to take back, or the
                request id was another vote's.
        """
        queue, entry = self._queues.entry(entry_id)
        if wish.error is not None and wish.verdict is not Verdict.NOT_MET:
            raise Invalid("error_without_miss", "An error kind goes with not_met only; leave it out.", "error")
        votes = self._reviews.votes_on(entry.answer, entry.item)
        if wish.role == "adjudication":
            self._check_adjudication(queue, entry, votes, person, wish)
        if wish.verdict is None and not _current(votes, wish.role, person.name):
            repeated = any(v.reviewer == person.name and v.request_id == wish.request_id for v in votes)
            if not repeated:
                raise Conflict("nothing_to_take_back", "You have no vote here to take back; vote first.", "verdict")
        vote = NewVote(entry.answer, entry.item, wish.role, wish.verdict, wish.confidence, wish.note, wish.error,
                       wish.request_id, now())  # fmt: skip
        try:
            self._reviews.vote(queue, entry, person.id, vote, self._queues.clock())
        except EnoughReviewers:
            message = (
                f"Meanwhile as many others as are required ({queue.required}) have voted on this, so your vote is not "
                "needed; go on with the next one."
            )
            raise Conflict("enough_reviewers", message, "entry") from None
        except RequestReused:
            message = "The request id is that of another vote of yours; give every vote its own."
            raise Conflict("request_id_reused", message, "request_id") from None
        return self.entry(queue, entry, person)

    def entry(self, queue: QueueRecord, entry: Entry, person: Person | None) -> EntryView:
        """An entry as a person may see it."""
        (standing,) = [s for s in self._queues.standings(queue, person, entry.place) if s.id == entry.id]
        task, _ = self._library.task_and_answer(entry.answer)
        (item,) = [item for item in self._library.store.items_of(task.id) if item.id == entry.item]
        return self._entry(queue, standing, item, person, self._reviews.votes_on(entry.answer))

    def reveal(self, entry_id: int, person: Person) -> EntryView:
        """Tell a person what others say of an entry that needs no more votes: it can then be adjudicated by them.

        Raises:
            NotFound: no such entry.
            Forbidden: their own blind vote is still wanted.
        """
        queue, entry = self._queues.entry(entry_id)
        if self._wanted(queue, entry, person):
            message = "Others' verdicts are shown after your own vote; vote first."
            raise Forbidden("vote_first", message, "entry")
        self._reviews.reveal(person.id, [(entry.answer, entry.item)], now())
        return self.entry(queue, entry, person)

    def disagreements(self, queue: QueueRecord, person: Person | None = None) -> list[Disagreement]:
        """Entries on which people disagree, in the queue's order; the settled ones too.

        Only those with all their votes are listed, and those of which the person has been told what others say: of the
        others a blind vote may still be wanted of them.
        """
        items = {item.id: item for item in self._library.store.items(queue.set_id)}
        tasks = {key.id: key.task_id for key in self._library.store.answer_keys(queue.set_id)}
        votes = by_pair(self._reviews.votes(queue.set_id))
        found = []
        for standing in self._queues.standings(queue, person):
            said = votes.get((standing.answer, standing.item), [])
            seen = standing.told or standing.others >= queue.required
            if seen and disagree(said):
                item = items[standing.item]
                found.append(
                    Disagreement(
                        entry=standing.id,
                        place=standing.place,
                        task_id=tasks[standing.answer],
                        description=item.description,
                        settled=settled(said) is not None,
                    )
                )
        return found

    def adopt(self, set_id: str, votes: Iterable[Vote], seen: dict[str, int] | None = None) -> int:
        """Store votes that came in with data and belong to the set's answers; how many were not there yet.

        The same votes come in once, however often they are imported. Data never speak for somebody who reviews here:
        what they hold in such a name, and was not said here, is kept under that name with "(imported)" behind it.

        Args:
            set_id: which set.
            votes: in their order.
            seen: how often the same words stood in earlier parts of the data; it is added to.

        Raises:
            KeyError: a vote on an answer or an item that the set does not have; nothing is stored.
        """
        answers = {(key.task_id, key.model, key.attempt): key for key in self._library.store.answer_keys(set_id)}
        items = {(item.task, item.turn, item.item_id): item.id for item in self._library.store.items(set_id)}
        adopted, seen = [], {} if seen is None else seen
        for vote in votes:
            key = answers[vote.task_id, vote.model, vote.attempt]
            content = hashlib.sha256(f"{set_id} {vote.model_dump_json()}".encode()).hexdigest()[:32]
            seen[content] = seen.get(content, 0) + 1  # the same words twice in one file are two votes
            adopted.append(
                AdoptedVote(
                    answer=key.id,
                    item=items[key.task, vote.turn, vote.item_id],
                    reviewer=vote.reviewer,
                    role=vote.role,
                    verdict=vote.verdict,
                    confidence=vote.confidence,
                    note=vote.note,
                    error=vote.error,
                    blind=vote.blind and vote.role == "review",
                    request_id=f"import-{content}-{seen[content]}",
                    at=vote.at or now(),
                )
            )
        return self._reviews.adopt(adopted)

    def _check_adjudication(
        self, queue: QueueRecord, entry: Entry, votes: list[VoteRow], person: Person, wish: NewVoteBody
    ) -> None:
        if self._wanted(queue, entry, person):
            raise Forbidden("vote_first", "Your own blind vote is still wanted here; vote first, then settle.", "role")
        own = any(vote.role == "adjudication" and vote.reviewer == person.name for vote in votes)
        if not (own or disagree(votes)):
            raise Conflict("no_disagreement", "People do not disagree on this, so there is nothing to settle.", "role")
        if wish.verdict is Verdict.CANNOT_ASSESS:
            message = "An adjudication says met or not met; leave it open if it cannot be told."
            raise Invalid("adjudication_open", message, "verdict")

    def _wanted(self, queue: QueueRecord, entry: Entry, person: Person) -> bool:
        """Whether a blind vote of a person on an entry is still wanted."""
        (standing,) = [s for s in self._queues.standings(queue, person, entry.place) if s.id == entry.id]
        return state_of(standing, queue.required) == "open" and not standing.told

    def _entry(
        self, queue: QueueRecord, standing: Standing, item: ItemRow, person: Person | None, votes: list[VoteRow]
    ) -> EntryView:
        state = state_of(standing, queue.required)
        here = [vote for vote in votes if vote.item == item.id]
        mine = _current(here, "review", person.name) if person else None
        first = blind(here).get(person.name) if person else None
        revealed = self._revealed(queue, standing.answer, item.id, person, here) if person and standing.told else None
        return EntryView(
            entry=standing.id,
            turn=item.turn,
            item_id=item.item_id,
            description=item.description,
            weight=item.weight,
            flag=item.critical,
            objectivity=item.objectivity,
            explicitness=item.explicitness,
            categories=list(item.categories),
            state=state,
            vote=view_of(mine) if mine else None,
            blind_verdict=Verdict(first) if first else None,
            revealed=revealed,
        )

    def _revealed(
        self, queue: QueueRecord, answer: int, item: int, person: Person, votes: list[VoteRow]
    ) -> Revealed:
        names = {record.id: record.judge for record in self._library.judgings.judgings(queue.set_id)}
        first = [queue.judging_id] if queue.judging_id else []
        judges = []
        for judging in dict.fromkeys([*first, *names]):
            row = self._library.judgings.verdict(judging, answer, item)
            if row:
                judges.append(_judge(names[judging], row))
        others = [vote for vote in current(votes) if vote.role == "review" and vote.reviewer != person.name]
        ruling = settled(votes)
        return Revealed(
            judges=judges, others=[view_of(vote) for vote in others], adjudication=view_of(ruling) if ruling else None
        )


def view_of(vote: VoteRow) -> VoteView:
    """A stored vote as callers see it."""
    return VoteView.model_validate(vote, from_attributes=True)


def _current(votes: Iterable[VoteRow], role: str, reviewer: str) -> VoteRow | None:
    found = [vote for vote in current(votes) if vote.role == role and vote.reviewer == reviewer]
    return found[0] if found else None


def _judge(name: str, row: VerdictRow) -> JudgeView:
    return JudgeView.model_validate({**asdict(row), "judge": name})
