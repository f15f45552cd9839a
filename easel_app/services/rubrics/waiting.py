"""What may still be voted on blind, so that nobody is told what others say of it."""

from __future__ import annotations

from easel_app.services.kept import Kept
from easel_app.services.ledger import now
from easel_app.services.problems import Forbidden
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.consensus import Pair
from easel_app.services.rubrics.queues import QueueService
from easel_app.store.reviews import QueueRecord, ReviewStore, Standing

MOST_QUEUES = 16
"""Queues of which it is kept where their answers are."""


class WaitingService:
    """Knows which pairs of an answer and an item wait for whose blind vote."""

    def __init__(self, reviews: ReviewStore, queues: QueueService) -> None:
        self._reviews, self._queues = reviews, queues
        self._places = Kept[str, dict[int, int]](MOST_QUEUES)

    def pairs(self, set_id: str, person: Person | None, answer: int | None = None) -> set[Pair]:
        """Pairs of a set that wait for a blind vote of a person; without one, of anybody.

        A pair waits as long as the person was not told of it and fewer others have voted than are required. Whether it
        is kept for somebody at the moment does not matter: they may let it lapse, and may be the one who asks.

        Args:
            set_id: which set.
            person: who asks; None: somebody unknown.
            answer: only pairs of this answer.
        """
        return {
            (standing.answer, standing.item)
            for queue in self._reviews.queues(set_id)
            for standing in self._standings(queue, person, answer)
            if not standing.told and standing.others < queue.required
        }

    def reveal(self, set_id: str, person: Person, answer: int | None = None) -> int:
        """Let a person see what others say of all that waits for their blind vote, which is then no longer blind.

        Args:
            set_id: of which set.
            person: who gives their blindness up.
            answer: only of this answer.

        Returns:
            How many pairs it was.
        """
        found = self.pairs(set_id, person, answer)
        self._reviews.reveal(person.id, found, now())
        return len(found)

    def admit(self, set_id: str, person: Person | None, answer: int | None = None) -> None:
        """Let pass whoever asks to be told everything, unless a blind vote of theirs is still wanted.

        Raises:
            Forbidden: it is; it has to be given up first.
        """
        if person and self.pairs(set_id, person, answer):
            message = (
                "Your blind vote is still wanted on some of this; give it up by POST /api/rubrics/sets/…/reveal, and "
                "all is told."
            )
            raise Forbidden("reveal_first", message, "tell")

    def _standings(self, queue: QueueRecord, person: Person | None, answer: int | None) -> list[Standing]:
        if answer is None:
            return self._queues.standings(queue, person)
        places = self._places.get(queue.id)
        if places is None:  # a queue never changes
            entries = self._reviews.entries(queue.id)
            places = self._places.put(queue.id, {entry.answer: entry.place for entry in entries})
        return self._queues.standings(queue, person, places[answer]) if answer in places else []
