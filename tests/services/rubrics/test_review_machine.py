"""Any number of people at one queue, in any order: nobody is one too many, and nothing that was said is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from easel_app.services.problems import Conflict, Refusal
from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.consensus import by_pair, current
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.rubrics.making import SET, judge, make_queue, make_set, said

PEOPLE = 4
people = st.integers(0, PEOPLE - 1)
verdicts = st.sampled_from(["met", "not_met", "cannot_assess", None])


class Reviewing(RuleBasedStateMachine):
    """Two answers of two items each, two reviewers required, four people."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.studio = Studio(Settings(data_dir=Path(self.folder.name)))
        self.rubrics, self.now, self.said, self.count = self.studio.rubrics, 0.0, {}, 0
        make_set(self.rubrics, tasks=1, items=2)
        judge(self.rubrics)
        self.queue = self.rubrics.queues.record(make_queue(self.rubrics, hold=10).queue_id)
        self.rubrics.queues.clock = lambda: self.now
        enrol = self.rubrics.reviewers.enrol
        self.people = [
            self.rubrics.reviewers.person(enrol(NewReviewer(name=f"P{k}")).token) for k in range(PEOPLE)
        ]
        self.entries = self.rubrics.reviews.entries(self.queue.id)

    def teardown(self) -> None:
        self.studio.close()
        self.folder.cleanup()

    @rule(seconds=st.floats(0, 20))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(who=people, place=st.integers(1, 2), only=st.booleans())
    def reserve(self, who: int, place: int, only: bool) -> None:
        self.rubrics.votes.reserved(self.queue, self.people[who], place, only=only)

    @rule(who=people, which=st.integers(0, 3), verdict=verdicts, settle=st.booleans())
    def vote(self, who: int, which: int, verdict: str | None, settle: bool) -> None:
        self.count += 1
        wish = said(f"r{self.count}", verdict, role="adjudication" if settle else "review")
        entry, person = self.entries[which], self.people[who]
        try:
            told = self.rubrics.votes.cast(entry.id, person, wish)
        except Refusal as refusal:
            assert isinstance(refusal, Conflict) or settle
            return
        self.said[f"r{self.count}", person.name] = verdict
        assert told.revealed is not None

    @rule(who=people, which=st.integers(0, 3))
    def look(self, who: int, which: int) -> None:
        entry, person = self.entries[which], self.people[who]
        view = self.rubrics.votes.entry(self.queue, entry, person)
        votes = self.rubrics.reviews.votes_on(entry.answer, entry.item)
        assert (view.revealed is not None) == any(vote.reviewer == person.name for vote in votes)

    @invariant()
    def nothing_said_is_lost(self) -> None:
        stored = {(vote.request_id, vote.reviewer): vote.verdict for vote in self.rubrics.reviews.votes(SET)}
        assert stored == self.said

    @invariant()
    def nobody_is_one_too_many(self) -> None:
        votes = by_pair(self.rubrics.reviews.votes(SET))
        for standing in self.rubrics.reviews.standings(self.queue.id, 0, self.now):
            voters = [vote for vote in current(votes[standing.answer, standing.item]) if vote.role == "review"]
            assert len(voters) == standing.others <= 2
            assert standing.others + standing.held <= 2

    @invariant()
    def a_blind_vote_is_a_persons_first(self) -> None:
        for votes in by_pair(self.rubrics.reviews.votes(SET)).values():
            for name in {vote.reviewer for vote in votes}:
                own = [vote for vote in votes if vote.reviewer == name]
                assert not any(vote.blind for vote in own[1:])


class TestReviewing(Reviewing.TestCase):
    settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
