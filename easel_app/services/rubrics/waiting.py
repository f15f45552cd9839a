"""What may still be voted on blind, so that nobody is told what others say of it."""

from __future__ import annotations

from easel_app.services.kept import Kept
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

    def _standings(self, queue: QueueRecord, person: Person | None, answer: int | None) -> list[Standing]:
        if answer is None:
            return self._queues.standings(queue, person)
        places = self._places.get(queue.id)
        if places is None:  # a queue never changes
            entries = self._reviews.entries(queue.id)
            places = self._places.put(queue.id, {entry.answer: entry.place for entry in entries})
        return self._queues.standings(queue, person, places[answer]) if answer in places else []
