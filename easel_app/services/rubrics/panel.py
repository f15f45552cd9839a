"""How far to trust the judge: its agreement with people, theirs with each other, and what that does to the scores."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, Field

from easel_app.scoring.agreement import VERSION
from easel_app.scoring.judge_agreement import JudgeAgreement, judge_agreement, worst_criteria
from easel_app.scoring.judge_effect import JudgeEffect, judge_effect
from easel_app.scoring.uncertainty import RESAMPLES
from easel_app.scoring.verdicts import NOT_MET, Mask
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.arrays import Rows
from easel_app.services.rubrics.consensus import Pair, blind, by_pair, consensus, current
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.queues import Pair as QueuePair
from easel_app.services.rubrics.queues import QueueService
from easel_app.services.rubrics.views import Critical
from easel_app.services.rubrics.waiting import WaitingService
from easel_app.store.reviews import ReviewStore, VoteRow

MOST_KEPT = 16
"""Panels that are kept until a vote or a verdict comes in."""
MOST_WORST = 20
"""Criteria that are listed."""
Entries = Mapping[Pair, tuple[str, int]]
"""Queue and entry by pair."""


class PanelQuery(NamedTuple):
    """What a panel is asked to speak of."""

    set_id: str
    judging_id: str | None = None
    """None: the set's first judge."""
    queue_id: str | None = None
    """Only what is in this queue; None: all of the set."""
    model: str | None = None
    critical: Critical = "weight"


class Shown(BaseModel):
    """Where something can be looked at."""

    queue_id: str = Field(description="In which queue.")
    entry: int = Field(description="At which of its entries.")


class Flip(BaseModel):
    """An answer that passes by the judge and not by people, or the other way round."""

    task_id: str = Field(description="Which task.")
    model: str = Field(description="Whose answer.")
    attempt: int = Field(description="Which answer of that model.")
    judge_passes: bool = Field(description="Whether it passes by the judge; by people it does the opposite.")
    shown: Shown | None = Field(description="An entry that shows why; null when it is in no queue.")


class Criterion(BaseModel):
    """A criterion on which people differ from the judge."""

    task_id: str = Field(description="Of which task.")
    turn: int = Field(description="Of which turn.")
    item_id: str = Field(description="Unique within its turn.")
    description: str = Field(description="The criterion; untrusted.")
    votes: int = Field(description="Blind votes on it with a verdict of the judge beside them.")
    differing: int = Field(description="Votes that differ from the judge.")
    surely: float = Field(description="Lower end of Wilson's 95 % interval of the share that differs; sorted by it.")
    shown: Shown | None = Field(description="An entry with such a vote; null when it is in no queue.")


class Standing(BaseModel):
    """What became of the votes that are not in the agreement."""

    after_reveal: int = Field(description="Current verdicts other than the blind ones; they are not in the agreement.")
    withdrawn: int = Field(description="Blind votes that were taken back; they are not in the agreement.")
    adjudicated: int = Field(description="Pairs that were settled by an adjudication.")
    tied: int = Field(description="Pairs with votes on which people have not settled.")


class Panel(BaseModel):
    """All statistics of a set, each with its n and a 95 % interval by resampling tasks; undefined is null."""

    set_id: str = Field(description="Which set.")
    sample: bool = Field(description="Whether the set was made up, so that no figure of it means anything.")
    judging_id: str | None = Field(description="Which judge's verdicts; null when the set has none.")
    judge: str | None = Field(description="The judge's name.")
    queue_id: str | None = Field(description="Only what is in this queue.")
    model: str | None = Field(description="Only this model's answers.")
    critical: Critical = Field(description="What makes an item critical.")
    version: str = Field(description="Version of the statistics.")
    resamples: int = Field(description="Resamples of tasks behind each interval.")
    reviewers: list[str] = Field(description="People with blind votes, in the order of `agreement.judge_reviewer`.")
    agreement: JudgeAgreement = Field(description="Judge and people, people and people, overall and by group.")
    effect: JudgeEffect = Field(description="What it does to ARS and APR, overall and by model.")
    flips: list[Flip] = Field(description="Answers that flip between pass and fail, of those wholly reviewed.")
    worst: list[Criterion] = Field(description="Criteria on which people differ from the judge most surely.")
    hidden: int = Field(description="Entries that wait for your blind vote; the lists leave out what tells of them.")
    standing: Standing = Field(description="Votes beside the agreement.")


class _Computed(NamedTuple):
    panel: Panel
    """Without its lists."""
    flips: list[tuple[int, Flip]]
    """Each with the row id of the answer."""
    worst: list[tuple[int, Criterion]]
    """Each with the row id of the item."""


class PanelService:
    """Computes panels; one is kept until something new comes in."""

    def __init__(
        self, library: RubricLibrary, reviews: ReviewStore, queues: QueueService, waiting: WaitingService
    ) -> None:
        self._library, self._reviews, self._queues, self._waiting = library, reviews, queues, waiting
        self._kept: dict[tuple[PanelQuery, int, int, int, int], _Computed] = {}
        self._computing = threading.Lock()

    def panel(self, query: PanelQuery, person: Person | None = None, *, tell: bool = False) -> Panel:
        """The panel of a set, or of a part of it.

        Args:
            query: of what.
            person: who asks; lists that would tell them what others say of entries that still wait for their own blind
                vote leave these out. Of somebody unknown any vote may still be wanted.
            tell: whether the lists tell everything all the same.

        Raises:
            NotFound: no such set, judging or queue.
        """
        computed = self._computed(query)
        waiting = set() if tell else self._waiting.pairs(query.set_id, person)
        answers, items = {answer for answer, _ in waiting}, {item for _, item in waiting}
        flips = [flip for answer, flip in computed.flips if answer not in answers]
        worst = [criterion for item, criterion in computed.worst if item not in items]
        return computed.panel.model_copy(update={"flips": flips, "worst": worst[:MOST_WORST], "hidden": len(waiting)})

    def _computed(self, query: PanelQuery) -> _Computed:
        self._library.set(query.set_id)
        query = query._replace(judging_id=self._library.judging(query.set_id, query.judging_id))
        if query.queue_id and self._queues.record(query.queue_id).set_id != query.set_id:
            message = "The set has no such queue; GET /api/rubrics/sets names those that it has."
            raise NotFound("no_such_queue", message, "queue")
        sizes = self._library.store.counts(query.set_id)["pairs"], len(self._reviews.queues(query.set_id))
        key = (query, self._reviews.last(query.set_id), self._library.judgings.last(query.set_id), *sizes)
        with self._computing:  # a second caller waits for the first one's answer
            if key not in self._kept:
                found = self._compute(query)
                self._kept = {k: kept for k, kept in self._kept.items() if k[0] != query}
                self._kept = dict([*list(self._kept.items())[1 - MOST_KEPT :], (key, found)])
            return self._kept[key]

    def _rows(self, query: PanelQuery) -> Rows:
        verdicts = self._library.judgings.verdicts(query.judging_id) if query.judging_id else []
        votes = by_pair(self._reviews.votes(query.set_id))
        chances: dict[tuple[int, int], float] = {}
        inside = None
        if query.queue_id:  # what is said of a queue speaks of what was drawn, so nothing is weighed
            drawn = {(entry.answer, entry.item) for entry in self._reviews.entries(query.queue_id)}
            votes = {pair: said for pair, said in votes.items() if pair in drawn}
            inside = {answer for answer, _ in drawn}
        else:
            chances = self._chances(query.set_id, votes)
        return Rows(
            pairs=[
                pair
                for pair in self._queues.pairs(query.set_id)
                if query.model in (None, pair.answer.model) and (inside is None or pair.answer.id in inside)
            ],
            verdicts={(row.answer, row.item): row.verdict for row in verdicts},
            votes_on=votes,
            chances=chances,
        )

    def _chances(self, set_id: str, votes: Mapping[Pair, list[VoteRow]]) -> dict[Pair, float]:
        """The chance with which each pair was drawn for those who voted on it: the best one, if in several queues."""
        entries = {entry.id: entry for q in self._reviews.queues(set_id) for entry in self._reviews.entries(q.id)}
        found: dict[Pair, float] = {}
        for pair, said in votes.items():
            places = [vote.entry for vote in said if vote.role == "review"]
            if places:
                found[pair] = max(1.0 if place is None else entries[place].chance for place in places)
        return found

    def _compute(self, query: PanelQuery) -> _Computed:
        rows = self._rows(query)
        entries = self._entries(query)
        agreement = judge_agreement(
            rows.task[rows.place],
            rows.judge,
            rows.votes,
            consensus=rows.agreed,
            sampling_weight=rows.sampling_weight,
            groupings=rows.groupings(),
        )
        effect = judge_effect(
            rows.task,
            rows.place,
            rows.weight,
            rows.critical(query.critical),
            rows.judge,
            rows.agreed,
            sampling_weight=rows.sampling_weight,
            groupings={"model": rows.models()},
        )
        judging = next((j for j in self._library.judgings.judgings(query.set_id) if j.id == query.judging_id), None)
        return _Computed(
            Panel(
                set_id=query.set_id,
                sample=self._library.set(query.set_id).sample,
                judging_id=query.judging_id,
                judge=judging.judge if judging else None,
                queue_id=query.queue_id,
                model=query.model,
                critical=query.critical,
                version=VERSION,
                resamples=RESAMPLES,
                reviewers=rows.reviewers,
                agreement=agreement,
                effect=effect,
                flips=[],
                worst=[],
                hidden=0,
                standing=_standing(rows),
            ),
            _flips(rows, effect, entries, rows.critical(query.critical)),
            _worst(rows, entries),
        )

    def _entries(self, query: PanelQuery) -> Entries:
        """Queue and entry of each pair that is in a queue: in the one that is asked for, else in the oldest."""
        queues = [queue for queue in self._reviews.queues(query.set_id) if query.queue_id in (None, queue.id)]
        return {
            (entry.answer, entry.item): (queue.id, entry.id)
            for queue in reversed(queues)
            for entry in self._reviews.entries(queue.id)
        }


def _flips(rows: Rows, effect: JudgeEffect, entries: Entries, critical: Mask) -> list[tuple[int, Flip]]:
    differing = critical & (rows.judge >= NOT_MET) & (rows.agreed >= NOT_MET) & (rows.judge != rows.agreed)
    shown = _first(rows, differing, entries, lambda pair: pair.answer.id)
    found = []
    for judge_passes, places in (
        (True, effect.overall.only_judge_passes),
        (False, effect.overall.only_consensus_passes),
    ):
        for answer in (rows.answers[place] for place in places):
            flip = Flip(
                task_id=answer.task_id,
                model=answer.model,
                attempt=answer.attempt,
                judge_passes=judge_passes,
                shown=shown.get(answer.id),
            )
            found.append((answer.id, flip))
    return found


def _first(rows: Rows, mask: Mask, entries: Entries, of: Callable[[QueuePair], int]) -> dict[int, Shown]:
    """The first entry among the rows of a mask, bool (n,), by what `of` says of their pairs."""
    chosen = [k for k in np.flatnonzero(mask)[::-1] if rows.keys[k] in entries]
    found = {of(rows.pairs[k]): entries[rows.keys[k]] for k in chosen}
    return {key: Shown(queue_id=queue_id, entry=entry) for key, (queue_id, entry) in found.items()}


def _worst(rows: Rows, entries: Entries) -> list[tuple[int, Criterion]]:
    by_item = {pair.item.id: pair for pair in rows.pairs}
    differing = (rows.votes >= NOT_MET) & (rows.judge >= NOT_MET)[:, None] & (rows.votes != rows.judge[:, None])
    shown = _first(rows, differing.any(1), entries, lambda pair: pair.item.id)
    found = worst_criteria([pair.item.id for pair in rows.pairs], rows.judge, rows.votes) if rows.pairs else []
    return [
        (
            one.criterion,
            Criterion(
                task_id=by_item[one.criterion].answer.task_id,
                turn=by_item[one.criterion].item.turn,
                item_id=by_item[one.criterion].item.item_id,
                description=by_item[one.criterion].item.description,
                votes=one.votes,
                differing=one.differing,
                surely=one.surely,
                shown=shown.get(one.criterion),
            ),
        )
        for one in found
    ]


def _standing(rows: Rows) -> Standing:
    after, withdrawn, adjudicated, tied = 0, 0, 0, 0
    for votes in (rows.votes_on[key] for key in rows.keys if key in rows.votes_on):
        first = blind(votes)
        standing = [vote for vote in current(votes) if vote.role == "review"]
        after += sum(vote.verdict != first.get(vote.reviewer) for vote in standing)
        taken = {vote.reviewer for vote in votes if vote.role == "review" and vote.verdict is None}
        withdrawn += len({vote.reviewer for vote in votes if vote.blind} & taken)
        label = consensus(votes)
        adjudicated += label is not None and label.by == "adjudication"
        tied += label is not None and label.by == "tie"
    return Standing(after_reveal=after, withdrawn=withdrawn, adjudicated=adjudicated, tied=tied)
