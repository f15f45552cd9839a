"""Reviews of drafts that were tried: two rounds by two people, neither of whom has written any of it."""

from __future__ import annotations

from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import REVIEWS, Draft, NewDecision
from easel_app.services.rubrics.drafting import DraftService, reused
from easel_app.store.drafts import Decided, RequestReused, Superseded


class DraftReviews:
    """Takes reviewers' decisions."""

    def __init__(self, drafts: DraftService) -> None:
        self._drafts = drafts

    def decide(self, draft_id: str, person: Person, wish: NewDecision) -> Draft:
        """Store a decision on the last version of a draft; a repeated request stores nothing.

        Raises:
            NotFound: no such draft.
            Forbidden: the person has written it, or reviewed this version.
            Invalid: no reason for not accepting it.
            Conflict: it was changed meanwhile, somebody else was first, it is not in review, or the request id was
                that of another decision.
        """
        if wish.decision != "accept" and not wish.note.strip():
            raise Invalid("note", "Say in a note why you do not accept it, so that its author can act on it.", "note")
        refusal = self._drafts.standing(draft_id).refusal("review", person)
        if refusal and not self._drafts.store.known("decide", person.id, wish.request_id):
            raise refusal
        said = wish.decision, wish.note
        try:
            self._drafts.store.decide(
                draft_id, wish.version, person.id, said, wish.request_id, now(), due=wish.round, rounds=REVIEWS
            )
        except Superseded as error:
            message = (
                f"It was changed meanwhile, and its last version is {error.args[0]}, not {wish.version}; look at that "
                "one before you decide."
            )
            raise Conflict("changed_meanwhile", message, "version") from None
        except Decided:
            message = "Somebody else has decided in this round meanwhile; look at the task again."
            raise Conflict("decided_meanwhile", message, "round") from None
        except RequestReused:
            raise reused() from None
        return self._drafts.view(draft_id, person)
