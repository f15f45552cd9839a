"""Reviews of drafts: two rounds by two people who have written none of it, and no two of them at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest

from easel_app.services.problems import Conflict, Forbidden, Invalid
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Draft
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.studio import Studio
from tests.services.rubrics.draft_making import begun, changed, drafts_of, person, said, tried


class House(NamedTuple):
    studio: Studio
    drafts: DraftService
    reviews: DraftReviews
    ada: Person
    bob: Person
    eve: Person

    def kept(self) -> Draft:
        """A draft of Ada's that waits for its reviews."""
        draft = begun(self.drafts, self.ada)
        return tried(self.studio, self.drafts, draft, self.ada, (False, False, True))


@pytest.fixture
def house(studio: Studio) -> House:
    drafts = drafts_of(studio)
    return House(
        studio, drafts, DraftReviews(drafts), *(person(studio.rubrics, name) for name in ("Ada", "Bob", "Eve"))
    )


def test_two_people_accept_one_after_the_other(house: House) -> None:
    draft = house.kept()
    assert house.drafts.view(draft.draft_id, house.bob).may == ["review"]
    first = house.reviews.decide(draft.draft_id, house.bob, said(draft, round=1))
    assert first.stage == "review" and "round 1" in first.why_not["review"]
    second = house.reviews.decide(draft.draft_id, house.eve, said(draft, note="Good.", round=2))
    assert second.stage == "accepted" and "export" in second.may
    assert [(d.round, d.reviewer, d.decision, d.note) for d in second.decisions] == [
        (1, "Bob", "accept", ""), (2, "Eve", "accept", "Good."),
    ]  # fmt: skip
    assert list(house.drafts.accepted().values()) == [f"{draft.draft_id}-v1"]


@pytest.mark.parametrize(("decision", "stage"), [("reject", "rejected"), ("changes", "draft")])
def test_one_who_does_not_accept_ends_the_review_and_a_new_version_begins_it_anew(
    house: House, decision: str, stage: str
) -> None:
    draft = house.kept()
    with pytest.raises(Invalid, match="note"):
        house.reviews.decide(draft.draft_id, house.bob, said(draft, decision, " \n"))
    found = house.reviews.decide(draft.draft_id, house.bob, said(draft, decision, "The price is not legible."))
    assert found.stage == stage
    with pytest.raises(Conflict) as caught:
        house.reviews.decide(draft.draft_id, house.eve, said(draft))
    assert caught.value.code == "not_in_review" and ("rejected" in caught.value.message) == (decision == "reject")
    assert "try" in house.drafts.view(draft.draft_id, house.ada).why_not, "what was tried is not tried again unchanged"
    anew = changed(house.drafts, draft, house.ada)
    assert anew.stage == "draft" and len(anew.decisions) == 1
    anew = tried(house.studio, house.drafts, anew, house.ada, (False, False, True))
    house.reviews.decide(draft.draft_id, house.bob, said(anew))
    assert house.reviews.decide(draft.draft_id, house.eve, said(anew)).stage == "accepted"


def test_an_accepted_task_that_is_changed_is_no_longer_accepted(house: House) -> None:
    draft = house.kept()
    house.reviews.decide(draft.draft_id, house.bob, said(draft))
    house.reviews.decide(draft.draft_id, house.eve, said(draft))
    assert changed(house.drafts, draft, house.ada).stage == "draft" and house.drafts.accepted() == {}


def test_nobody_reviews_what_they_wrote_or_twice(house: House) -> None:
    draft = house.kept()
    with pytest.raises(Forbidden) as caught:
        house.reviews.decide(draft.draft_id, house.ada, said(draft))
    assert caught.value.code == "own_draft"
    house.reviews.decide(draft.draft_id, house.bob, said(draft))
    with pytest.raises(Forbidden) as caught:
        house.reviews.decide(draft.draft_id, house.bob, said(draft))
    assert caught.value.code == "reviewed_already"


def test_what_was_not_tried_or_is_changed_is_not_reviewed(house: House) -> None:
    draft = begun(house.drafts, house.ada)
    with pytest.raises(Conflict, match="it is being written"):
        house.reviews.decide(draft.draft_id, house.bob, said(draft))
    draft = tried(house.studio, house.drafts, draft, house.ada, (False, True, None))
    with pytest.raises(Conflict, match="models are to try it first"):
        house.reviews.decide(draft.draft_id, house.bob, said(draft))
    anew = tried(house.studio, house.drafts, changed(house.drafts, draft, house.ada), house.ada, (False,) * 3)
    with pytest.raises(Conflict) as caught:
        house.reviews.decide(draft.draft_id, house.bob, said(draft))
    assert caught.value.code == "changed_meanwhile" and "last version is 2" in caught.value.message
    assert house.reviews.decide(draft.draft_id, house.bob, said(anew)).decisions[0].version == 2


def test_of_two_reviewers_at_once_one_wins_the_round_and_the_other_is_told(house: House) -> None:
    draft, together = house.kept(), threading.Barrier(2)

    def decide(who: Person) -> str:
        together.wait()
        try:
            house.reviews.decide(draft.draft_id, who, said(draft, round=1))
        except Conflict as conflict:
            assert conflict.code == "decided_meanwhile"
            return ""
        return who.name

    with ThreadPoolExecutor(2) as hands:
        won = [name for name in hands.map(decide, (house.bob, house.eve)) if name]
    found = house.drafts.view(draft.draft_id, house.ada)
    assert [each.reviewer for each in found.decisions] == won and len(won) == 1 and found.stage == "review"


def test_a_review_that_is_sent_again_is_taken_once(house: House) -> None:
    draft, together = house.kept(), threading.Barrier(4)
    wish = said(draft, "changes", "Sharper, please.")

    def decide(_: int) -> int:
        together.wait()
        return len(house.reviews.decide(draft.draft_id, house.bob, wish).decisions)

    with ThreadPoolExecutor(4) as hands:
        assert set(hands.map(decide, range(4))) == {1}
    changed(house.drafts, draft, house.ada)
    assert len(house.reviews.decide(draft.draft_id, house.bob, wish).decisions) == 1, "even when all has gone on"
    with pytest.raises(Conflict) as caught:
        house.reviews.decide(draft.draft_id, house.bob, wish.model_copy(update={"note": "Other words."}))
    assert caught.value.code == "request_id_reused"
