"""Votes: who may vote, what is revealed for it, what counts, and how disagreements are settled."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from easel_app.rubrics.records import Vote
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.consensus import blind, consensus
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.rubrics.views import EntryView
from easel_app.services.studio import Studio
from easel_app.store.reviews import QueueRecord
from tests.services.rubrics.making import SET, judge, make_queue, make_set, said

Made = tuple[Rubrics, QueueRecord]


@pytest.fixture
def made(studio: Studio) -> Made:
    make_set(studio.rubrics)
    judge(studio.rubrics)
    return studio.rubrics, studio.rubrics.queues.record(make_queue(studio.rubrics).queue_id)


@pytest.fixture
def person(studio: Studio) -> Callable[[str], Person]:
    def enrolled(name: str) -> Person:
        token = studio.rubrics.reviewers.enrol(NewReviewer(name=name)).token
        return studio.rubrics.reviewers.person(token)

    return enrolled


Enrol = Callable[[str], Person]


def first(made: Made, person: Person) -> EntryView:
    rubrics, queue = made
    found = rubrics.votes.reserved(queue, person, 1, only=False)
    assert found
    return found.entries[0]


def test_nothing_that_others_say_is_told_before_the_vote(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada = person("Ada")
    before = rubrics.votes.assignment(queue, 1, ada)
    assert before.model is None and all(entry.revealed is None for entry in before.entries)
    assert "SECRET" not in before.model_dump_json()
    after = rubrics.votes.cast(before.entries[0].entry, ada, said("1"))
    assert after.revealed and after.revealed.judges[0].reason == "SECRET REASON"
    assert after.vote and after.vote.blind
    again = rubrics.votes.assignment(queue, 1, ada)
    assert [entry.revealed is not None for entry in again.entries] == [True, False, False]


def test_the_model_is_told_once_all_that_is_open_has_a_vote(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada = person("Ada")
    for entry in rubrics.votes.assignment(queue, 1, ada).entries:
        rubrics.votes.cast(entry.entry, ada, said(str(entry.entry)))
    assert rubrics.votes.assignment(queue, 1, ada).model in ("m1", "m2")


def test_a_change_after_the_reveal_is_a_new_row_and_leaves_agreement_as_it_was(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada = person("Ada")
    entry = first(made, ada)
    rubrics.votes.cast(entry.entry, ada, said("1", "met"))
    changed = rubrics.votes.cast(entry.entry, ada, said("2", "not_met", error="reasoning", note="Looked again"))
    assert changed.vote and not changed.vote.blind
    rows = rubrics.reviews.votes(SET)
    assert [(row.verdict, row.blind) for row in rows] == [("met", True), ("not_met", False)]
    assert rows[1].supersedes == rows[0].id
    assert blind(rows) == {"Ada": "met"}
    label = consensus(rows)
    assert label and label.verdict == "not_met"


def test_a_vote_that_is_taken_back_counts_nowhere_and_a_later_one_is_not_blind(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada = person("Ada")
    entry = first(made, ada)
    rubrics.votes.cast(entry.entry, ada, said("1"))
    taken = rubrics.votes.cast(entry.entry, ada, said("2", None))
    assert taken.vote is None and taken.state == "open" and taken.revealed
    assert blind(rubrics.reviews.votes(SET)) == {} and consensus(rubrics.reviews.votes(SET)) is None
    again = rubrics.votes.cast(entry.entry, ada, said("3"))
    assert again.vote and not again.vote.blind
    assert blind(rubrics.reviews.votes(SET)) == {}


def test_a_retry_changes_nothing_and_another_vote_by_its_id_is_refused(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada = person("Ada")
    entry = first(made, ada)
    one = rubrics.votes.cast(entry.entry, ada, said("1"))
    assert rubrics.votes.cast(entry.entry, ada, said("1")) == one
    assert len(rubrics.reviews.votes(SET)) == 1
    with pytest.raises(Conflict, match="another vote"):
        rubrics.votes.cast(entry.entry, ada, said("1", "not_met"))


def test_no_more_people_vote_than_are_required(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    entry = first(made, person("Ada")).entry
    ben, cleo, dan = (person(name) for name in ("Ben", "Cleo", "Dan"))
    rubrics.votes.cast(entry, ben, said("1"))
    with pytest.raises(Conflict, match="as many others as are required"):  # Ada has it kept
        rubrics.votes.cast(entry, cleo, said("1"))
    rubrics.queues.clock = lambda: 4e9  # Ada is away
    rubrics.votes.cast(entry, cleo, said("2"))
    with pytest.raises(Conflict, match="as many others as are required"):
        rubrics.votes.cast(entry, dan, said("1"))
    assert rubrics.votes.cast(entry, cleo, said("3", "not_met")).state == "mine", "who has voted may change it"
    assert rubrics.queues.view(queue).complete == 1


def test_the_database_itself_refuses_one_reviewer_too_many(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada = person("Ada")
    entry = first(made, ada).entry
    stored = rubrics.reviews.entry(entry)
    assert stored
    for voter in (ada, person("Ben")):
        rubrics.votes.cast(entry, voter, said("1"))
    dan = person("Dan").id
    insert = (
        "INSERT INTO votes (answer, item, reviewer, role, verdict, note, blind, entry, request_id, at) "
        "VALUES (?, ?, ?, 'review', 'met', '', 1, ?, 'x', 'now')"
    )
    with pytest.raises(sqlite3.IntegrityError, match="enough reviewers"):
        rubrics.reviews._database.write(lambda c: c.execute(insert, [stored.answer, stored.item, dan, entry]))


def test_a_reservation_ends_with_its_time_and_lasts_longer_with_every_vote(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada, ben, cleo = (person(name) for name in ("Ada", "Ben", "Cleo"))
    now = [1000.0]
    rubrics.queues.clock = lambda: now[0]
    one, two = (rubrics.votes.reserved(queue, who, 1, only=True) for who in (ada, ben))
    assert one and two and one.reserved_until == 1000 + queue.hold
    third = rubrics.votes.reserved(queue, cleo, 1, only=False)
    assert third and third.place == 2, "the first answer is kept for two others"
    now[0] += queue.hold - 1
    rubrics.votes.cast(one.entries[0].entry, ada, said("1"))
    now[0] += 2
    seen = rubrics.votes.assignment(queue, 1, cleo)
    assert [entry.state for entry in seen.entries] == ["open"] * 3, "Ada's are kept still, Ben's no longer"
    now[0] += queue.hold
    assert [(s.others, s.held) for s in rubrics.queues.standings(queue, cleo, 1)] == [(1, 0), (0, 0), (0, 0)]


def test_the_next_answer_is_found_from_a_place_on_and_then_from_the_first(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada = person("Ada")
    last = queue and rubrics.queues.view(queue).answers
    found = rubrics.votes.reserved(queue, ada, last, only=False)
    assert found and found.place == last
    for entry in found.entries:
        rubrics.votes.cast(entry.entry, ada, said(f"e{entry.entry}"))
    after = rubrics.votes.reserved(queue, ada, last, only=False)
    assert after and after.place == 1
    for place in range(1, last):
        for entry in rubrics.votes.assignment(queue, place, ada).entries:
            rubrics.votes.cast(entry.entry, ada, said(f"e{entry.entry}"))
    assert rubrics.votes.reserved(queue, ada, 1, only=False) is None


def test_a_disagreement_is_settled_without_overwriting(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada, ben, cleo = (person(name) for name in ("Ada", "Ben", "Cleo"))
    entry = first(made, ada).entry
    rubrics.votes.cast(entry, ada, said("1", "met"))
    assert rubrics.votes.disagreements(queue) == []
    with pytest.raises(Conflict, match="do not disagree"):
        rubrics.votes.cast(entry, ada, said("a", "met", role="adjudication"))
    with pytest.raises(Forbidden, match="vote first"):
        rubrics.votes.reveal(entry, cleo)
    rubrics.votes.cast(entry, ben, said("1", "not_met", note="It does not"))
    (found,) = rubrics.votes.disagreements(queue)
    assert not found.settled and found.entry == entry
    label = consensus(rubrics.reviews.votes(SET))
    assert label and (label.verdict, label.by) == (None, "tie")
    told = rubrics.votes.reveal(entry, cleo)
    assert told.revealed and {vote.note for vote in told.revealed.others} == {"", "It does not"}
    with pytest.raises(Invalid, match="met or not met"):
        rubrics.votes.cast(entry, cleo, said("0", "cannot_assess", role="adjudication"))
    rubrics.votes.cast(entry, cleo, said("1", "met", role="adjudication", note="It does"))
    label = consensus(rubrics.reviews.votes(SET))
    assert label and (label.verdict, label.by) == ("met", "adjudication")
    assert [row.verdict for row in rubrics.reviews.votes(SET)] == ["met", "not_met", "met"]
    assert rubrics.votes.disagreements(queue)[0].settled
    rubrics.votes.cast(entry, cleo, said("2", None, role="adjudication"))
    assert not rubrics.votes.disagreements(queue)[0].settled


def test_who_has_seen_the_others_votes_is_blind_no_longer(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada, ben, cleo = (person(name) for name in ("Ada", "Ben", "Cleo"))
    entry = first(made, ada).entry
    rubrics.votes.cast(entry, ada, said("1", "met"))
    rubrics.votes.cast(entry, ben, said("1", "not_met"))
    rubrics.votes.reveal(entry, cleo)
    rubrics.votes.cast(entry, ben, said("2", None))  # there is room again
    late = rubrics.votes.cast(entry, cleo, said("1", "met"))
    assert late.vote and not late.vote.blind


@pytest.mark.parametrize(
    ("wish", "problem", "words"),
    [
        ({"verdict": "met", "error": "reasoning"}, Invalid, "not_met only"),
        ({"verdict": None}, Conflict, "no vote here to take back"),
    ],
)
def test_votes_that_make_no_sense_are_refused(
    made: Made, person: Enrol, wish: dict[str, Any], problem: type[Exception], words: str
) -> None:
    ada = person("Ada")
    with pytest.raises(problem, match=words):
        made[0].votes.cast(first(made, ada).entry, ada, said("1", **wish))
    assert made[0].reviews.votes(SET) == []


def test_unknown_entries_places_and_tokens_are_named(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada = person("Ada")
    with pytest.raises(NotFound):
        rubrics.votes.cast(10**9, ada, said("1"))
    with pytest.raises(NotFound):
        rubrics.votes.assignment(queue, 10**9, ada)
    with pytest.raises(Forbidden):
        rubrics.reviewers.person("nobody's")
    with pytest.raises(Conflict, match="easel rubrics reviewer"):
        rubrics.reviewers.enrol(NewReviewer(name="Ada"))


def test_imported_votes_come_in_once_and_take_nobodys_place(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    votes = [
        Vote(task_id="t1", model="m1", item_id="i0", reviewer=name, verdict="met", blind=True, at="2026-01-01")
        for name in ("one", "two", "three")
    ]
    assert rubrics.votes.adopt(SET, votes) == 3
    assert rubrics.votes.adopt(SET, votes) == 0
    assert rubrics.queues.view(queue).complete == 0
    with pytest.raises(Conflict):  # nobody takes the name of an imported reviewer
        rubrics.reviewers.enrol(NewReviewer(name="one"))
    with pytest.raises(KeyError):
        rubrics.votes.adopt(SET, [votes[0].model_copy(update={"item_id": "no such"})])


def test_who_cannot_assess_disagrees_with_nobody(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada, ben = person("Ada"), person("Ben")
    entry = first(made, ada).entry
    rubrics.votes.cast(entry, ada, said("1", "met"))
    rubrics.votes.cast(entry, ben, said("1", "cannot_assess"))
    assert rubrics.votes.disagreements(queue) == []
    label = consensus(rubrics.reviews.votes(SET))
    assert label and (label.verdict, label.by) == ("met", "majority")


def test_a_ruling_can_be_taken_back_when_people_agree_meanwhile(made: Made, person: Enrol) -> None:
    rubrics, _ = made
    ada, ben, cleo = (person(name) for name in ("Ada", "Ben", "Cleo"))
    entry = first(made, ada).entry
    rubrics.votes.cast(entry, ada, said("1", "met"))
    rubrics.votes.cast(entry, ben, said("1", "not_met"))
    ruling = rubrics.votes.cast(entry, cleo, said("1", "not_met", role="adjudication"))
    rubrics.votes.cast(entry, ben, said("2", "met"))
    assert rubrics.votes.cast(entry, cleo, said("1", "not_met", role="adjudication")).vote == ruling.vote
    rubrics.votes.cast(entry, cleo, said("2", None, role="adjudication"))
    label = consensus(rubrics.reviews.votes(SET))
    assert label and (label.verdict, label.by) == ("met", "majority")


@pytest.mark.parametrize("verdict", ["met", "not_met", None])
def test_data_never_speak_for_somebody_who_reviews_here(made: Made, person: Enrol, verdict: str | None) -> None:
    rubrics, _ = made
    ada = person("Ada")
    entry = first(made, ada)
    rubrics.votes.cast(entry.entry, ada, said("1", "met"))
    (own,) = rubrics.reviews.votes(SET)
    answer = next(key for key in rubrics.store.answer_keys(SET) if key.id == own.answer)
    vote = Vote(task_id=answer.task_id, model=answer.model, item_id=entry.item_id, reviewer="Ada", verdict=verdict,
                blind=True, at="2026-01-01")  # fmt: skip
    for _ in range(2):
        rubrics.votes.adopt(SET, [vote])
    assert [v.reviewer for v in rubrics.reviews.votes(SET)] == ["Ada", "Ada (imported)"]
    assert blind(v for v in rubrics.reviews.votes(SET) if v.reviewer == "Ada") == {"Ada": "met"}
    back = Vote.model_validate(vote.model_dump() | {"verdict": own.verdict, "at": own.at})
    assert rubrics.votes.adopt(SET, [back]) == 0, "what was said here and comes back is there"


def test_equal_votes_of_several_batches_are_several_votes(made: Made) -> None:
    rubrics, _ = made
    vote = Vote(task_id="t1", model="m1", item_id="i0", reviewer="one", verdict="met", blind=False)
    for _ in range(2):  # the same import twice
        seen: dict[str, int] = {}
        for verdict in ("met", None, "met"):
            rubrics.votes.adopt(SET, [Vote.model_validate(vote.model_dump() | {"verdict": verdict})], seen)
    assert [v.verdict for v in rubrics.reviews.votes(SET)] == ["met", None, "met"]


def test_a_disagreement_of_imported_votes_shows_to_who_has_voted(made: Made, person: Enrol) -> None:
    rubrics, queue = made
    ada = person("Ada")
    entry = first(made, ada)
    row = rubrics.reviews.entry(entry.entry)
    assert row
    answer = next(key for key in rubrics.store.answer_keys(SET) if key.id == row.answer)
    rubrics.votes.adopt(
        SET,
        [
            Vote(task_id=answer.task_id, model=answer.model, item_id=entry.item_id, reviewer=name, verdict=verdict,
                 blind=True)
            for name, verdict in (("one", "met"), ("two", "not_met"))
        ],
    )  # fmt: skip
    assert rubrics.votes.disagreements(queue, ada) == []
    rubrics.votes.cast(entry.entry, ada, said("1", "met"))
    assert [found.entry for found in rubrics.votes.disagreements(queue, ada)] == [entry.entry]
