"""What is to be reviewed: queues of pairs of an answer and a rubric item, drawn by seed, each kept for somebody."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from easel_app.rubrics.records import Verdict
from easel_app.scoring.rubric import CRITICAL_WEIGHT
from easel_app.services.ledger import now
from easel_app.services.problems import Invalid, NotFound
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.views import NewQueue, Queue, Stop, Walk
from easel_app.store.reviews import Entry, QueueRecord, ReviewStore, Standing
from easel_app.store.rubrics import AnswerKey, ItemRow

MOST_ENTRIES = 200_000
"""Entries of one queue."""


class Filters(NamedTuple):
    """Which entries of a queue are wanted; what is None or False narrows nothing."""

    model: str | None = None
    turn: int | None = None
    category: str | None = None
    """Of the rubric item."""
    objectivity: str | None = None
    critical: bool = False
    open: bool = False
    """Only those on which the person may vote."""
    disagreement: bool = False
    """Only those on which the judge or another person says otherwise than this person."""
    flips: bool = False
    """Only critical ones by which this person and the judge disagree whether the answer passes."""
    unscored: bool = False
    """Only those on which the judge gave no verdict."""
    reviewer: str | None = None
    """Only those on which this other person has voted."""

    @property
    def tells(self) -> bool:
        """Whether the filter itself would tell what others say, so that it works on the person's own votes only."""
        return self.disagreement or self.flips or self.unscored or self.reviewer is not None


class Pair(NamedTuple):
    """An answer and an item that it may meet."""

    answer: AnswerKey
    item: ItemRow


class QueueService:
    """Makes queues and says who may vote on what."""

    def __init__(self, library: RubricLibrary, reviews: ReviewStore, clock: Callable[[], float] = time.time) -> None:
        self._library, self._reviews, self.clock = library, reviews, clock

    def make(self, wish: NewQueue) -> Queue:
        """Draw the entries of a new queue: by answer in a random order of the seed, each rubric in its own order.

        Raises:
            NotFound: no such set or judging.
            Invalid: nothing to review, or strata by verdict without a judge.
        """
        self._library.set(wish.set_id)
        judging = self._library.judging(wish.set_id, wish.judging_id)
        if "verdict" in wish.strata and judging is None:
            message = "The set has no judge's verdicts to sample by; leave this stratum out or judge the set first."
            raise Invalid("no_verdicts", message, "strata")
        pairs = [pair for pair in self.pairs(wish.set_id) if wish.models is None or pair.answer.model in wish.models]
        if not pairs:
            message = "No answer of these models has a rubric; import answers first."
            raise Invalid("nothing_to_review", message, "models")
        rng = np.random.default_rng(wish.seed)
        drawn = self._draw(pairs, wish, judging, rng)
        if len(drawn) > MOST_ENTRIES:
            message = f"The queue would have {len(drawn):,} entries, and {MOST_ENTRIES:,} are possible; draw fewer."
            raise Invalid("queue_too_large", message, "size")
        by_answer: dict[int, list[int]] = defaultdict(list)
        for at in sorted(drawn):
            by_answer[pairs[at].answer.id].append(at)
        order = rng.permutation(len(by_answer))
        answers = [list(by_answer)[k] for k in order]
        entries = [
            (place, answer, pairs[at].item.id, drawn[at])
            for place, answer in enumerate(answers, 1)
            for at in by_answer[answer]
        ]
        settings = {"strata": list(wish.strata), "even": wish.even, "seed": wish.seed, "size": wish.size}
        record = QueueRecord(
            id=f"queue-{secrets.token_hex(6)}",
            set_id=wish.set_id,
            judging_id=judging,
            name=wish.name,
            required=wish.required,
            hold=wish.hold,
            settings=settings | {"models": wish.models and list(wish.models)},
            created_at=now(),
        )
        self._reviews.add_queue(record, entries)
        return self.view(record)

    def pairs(self, set_id: str) -> Iterator[Pair]:
        """All pairs of a set, by task, answer and turn, in the order of the rubrics."""
        items: dict[int, list[ItemRow]] = defaultdict(list)
        for item in self._library.store.items(set_id):
            items[item.task].append(item)
        return (Pair(key, item) for key in self._library.store.answer_keys(set_id) for item in items[key.task])

    def _draw(
        self, pairs: Sequence[Pair], wish: NewQueue, judging: str | None, rng: np.random.Generator
    ) -> dict[int, float]:
        """Places of the pairs that are drawn, each with the chance that it had."""
        if wish.size is None or wish.size >= len(pairs):
            return dict.fromkeys(range(len(pairs)), 1.0)
        verdicts = {(v.answer, v.item): v.verdict for v in self._library.judgings.verdicts(judging)} if judging else {}
        strata: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, pair in enumerate(pairs):
            strata[tuple(_stratum(name, pair, verdicts) for name in wish.strata)].append(at)
        groups = [strata[name] for name in sorted(strata)]
        drawn: dict[int, float] = {}
        for group, count in zip(groups, shares([len(g) for g in groups], wish.size, even=wish.even), strict=True):
            chosen = rng.choice(len(group), count, replace=False)
            drawn |= {group[k]: count / len(group) for k in chosen}
        return drawn

    def record(self, queue_id: str) -> QueueRecord:
        """The queue of that id.

        Raises:
            NotFound: there is none.
        """
        record = self._reviews.queue(queue_id)
        if record is None:
            message = "There is no review queue of that id; GET /api/rubrics/sets lists them."
            raise NotFound("no_such_queue", message, "queue_id")
        return record

    def entry(self, entry_id: int) -> tuple[QueueRecord, Entry]:
        """The entry of that id, and its queue.

        Raises:
            NotFound: there is none.
        """
        entry = self._reviews.entry(entry_id)
        if entry is None:
            raise NotFound("no_such_entry", "There is no such entry; look at the queue again.", "entry")
        return self.record(entry.queue_id), entry

    def of_set(self, set_id: str) -> list[Queue]:
        """The queues of a set, oldest first."""
        return [self.view(record) for record in self._reviews.queues(set_id)]

    def view(self, record: QueueRecord) -> Queue:
        """A queue as callers see it."""
        places, entries, complete = self._reviews.progress(record.id)
        return Queue(
            queue_id=record.id,
            name=record.name,
            required=record.required,
            judging_id=record.judging_id,
            strata=record.settings["strata"],
            seed=record.settings["seed"],
            hold=record.hold,
            answers=places,
            entries=entries,
            complete=complete,
        )

    def reserve(self, queue: QueueRecord, person: Person, place: int, *, only: bool = False) -> int | None:
        """Keep the open entries of a place for a person, or of the next place that has any; None when none has."""
        return self._reviews.reserve(queue, person.id, self.clock(), place, only=only)

    def standings(self, queue: QueueRecord, person: Person | None, place: int | None = None) -> list[Standing]:
        """How entries stand for a person; for nobody in particular, as for somebody who has not voted."""
        return self._reviews.standings(queue.id, person.id if person else 0, self.clock(), place)

    def walk(self, queue: QueueRecord, person: Person | None, filters: Filters) -> Walk:
        """The entries that fit some filters, in the queue's order.

        A filter that tells what others say looks only at entries on which the person has voted; how many more it would
        have to look at is told.
        """
        items = {item.id: item for item in self._library.store.items(queue.set_id)}
        models = {key.id: key.model for key in self._library.store.answer_keys(queue.set_id)}
        judged = self._judged(queue) if filters.tells else {}
        others = self._others(queue, person) if filters.tells else {}
        stops: dict[int, list[tuple[int, str]]] = defaultdict(list)
        standings, hidden = self.standings(queue, person), 0
        for standing in standings:
            state = state_of(standing, queue.required)
            item = items[standing.item]
            if not _fits(filters, item, models[standing.answer], state):
                continue
            if filters.tells:
                if state != "mine":
                    hidden += 1
                    continue
                pair = (standing.answer, standing.item)
                if not _tells(filters, standing, item, judged.get(pair), others.get(pair, {})):
                    continue
            stops[standing.place].append((standing.id, state[0]))
        return Walk(
            queue_id=queue.id,
            places=standings[-1].place if standings else 0,
            stops=[
                Stop(place=place, entries=[entry for entry, _ in found], states="".join(letter for _, letter in found))
                for place, found in stops.items()
            ],
            hidden=hidden,
        )

    def _judged(self, queue: QueueRecord) -> dict[tuple[int, int], str | None]:
        judging = queue.judging_id or self._library.judging(queue.set_id, None)
        verdicts = self._library.judgings.verdicts(judging) if judging else []
        return {(row.answer, row.item): row.verdict for row in verdicts}

    def _others(self, queue: QueueRecord, person: Person | None) -> dict[tuple[int, int], dict[str, str]]:
        """Others' current verdicts by pair and name."""
        found: dict[tuple[int, int], dict[str, str]] = defaultdict(dict)
        for vote in self._reviews.votes(queue.set_id):  # a later one takes the place of an earlier one
            if vote.role == "review" and (person is None or vote.reviewer != person.name):
                said = found[vote.answer, vote.item]
                if vote.verdict is None:
                    said.pop(vote.reviewer, None)
                else:
                    said[vote.reviewer] = vote.verdict
        return found


def state_of(standing: Standing, required: int) -> Literal["open", "mine", "full"]:
    """`mine`, `full` or `open`: how an entry stands for a person."""
    if standing.mine is not None:
        return "mine"
    return "full" if standing.others + standing.held >= required else "open"


def shares(sizes: Sequence[int], size: int, *, even: bool = False) -> list[int]:
    """How many to draw of groups of these sizes so that it comes to `size`: in proportion, or as many of each.

    Shares are rounded by the largest remainder, and no group that has any is left without one as long as `size` allows
    it, so that every stratum can be judged.
    """
    wanted = np.minimum(np.asarray(sizes, np.int64), 1)
    if wanted.sum() > size:  # fewer than groups: the largest get one
        order = np.argsort(-np.asarray(sizes), kind="stable")[:size]
        return [int(k in order) for k in range(len(sizes))]
    room = np.asarray(sizes, np.int64) - wanted
    ideal = np.full(len(sizes), size / len(sizes)) if even else np.asarray(sizes) * size / sum(sizes)
    while (left := size - int(wanted.sum())) > 0:
        lacking = np.where(room > 0, np.maximum(ideal - wanted, 0), 0)
        weights = lacking if lacking.sum() > 0 else (room > 0).astype(float)
        exact = weights / weights.sum() * left
        whole = np.minimum(np.floor(exact).astype(np.int64), room)
        if whole.sum() == 0:
            best = np.argsort(-np.where(room > 0, exact, -1), kind="stable")[:left]
            whole[[k for k in best if room[k] > 0]] = 1
        wanted, room = wanted + whole, room - whole
    return [int(count) for count in wanted]


def _stratum(name: str, pair: Pair, verdicts: Mapping[tuple[int, int], str | None]) -> str:
    item = pair.item
    if name == "verdict":
        return verdicts.get((pair.answer.id, item.id)) or "unscored"
    if name == "critical":
        return "critical" if item.weight >= CRITICAL_WEIGHT else "not critical"
    if name == "objectivity":
        return item.objectivity or "unknown"
    return item.categories[0] if item.categories else "none"


def _fits(filters: Filters, item: ItemRow, model: str, state: str) -> bool:
    return (
        filters.model in (None, model)
        and filters.turn in (None, item.turn)
        and (filters.category is None or filters.category in item.categories)
        and filters.objectivity in (None, item.objectivity)
        and not (filters.critical and item.weight < CRITICAL_WEIGHT)
        and not (filters.open and state != "open")
    )


def _tells(filters: Filters, mine: Standing, item: ItemRow, judge: str | None, others: Mapping[str, str]) -> bool:
    """Whether an entry that a person has voted on fits the filters on what others say."""
    opposites: dict[str | None, str] = {Verdict.MET: Verdict.NOT_MET, Verdict.NOT_MET: Verdict.MET}
    opposite = opposites.get(mine.mine)
    against_judge = opposite is not None and judge == opposite
    return (
        (not filters.disagreement or against_judge or opposite in others.values())
        and (not filters.flips or (against_judge and item.weight >= CRITICAL_WEIGHT))
        and (not filters.unscored or judge is None)
        and (filters.reviewer is None or filters.reviewer in others)
    )
