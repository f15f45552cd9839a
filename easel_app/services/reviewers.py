"""Who reviews: names, and tokens that nobody else can vote with."""

from __future__ import annotations

import secrets
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, Field

from easel_app.painting.stroke import Strict
from easel_app.services.ledger import now, token_hash
from easel_app.services.problems import Conflict, Forbidden
from easel_app.services.views import Line
from easel_app.sources.fields import seen
from easel_app.store.reviewers import ReviewerStore


class NewReviewer(Strict):
    """Who wants to review."""

    name: Annotated[Line, AfterValidator(seen)] = Field(description="How to be shown beside votes.")


class Reviewer(BaseModel):
    """A reviewer who can vote."""

    name: str = Field(description="How they are shown.")
    token: str = Field(description="Sent as a bearer token with every vote; shown only once.")


class Person(NamedTuple):
    """A reviewer who has shown their token."""

    id: int
    name: str


class Reviewers:
    """Enrols reviewers and knows them again."""

    def __init__(self, store: ReviewerStore) -> None:
        self._store = store

    def enrol(self, wish: NewReviewer) -> Reviewer:
        """Take a name that nobody has.

        Raises:
            Conflict: it is taken.
        """
        token = secrets.token_urlsafe(24)
        if not self._store.enrol(wish.name, token_hash(token), now()):
            message = (
                "That name has votes already; take another, or get a token for it by `easel rubrics reviewer` on the "
                "studio's machine."
            )
            raise Conflict("name_taken", message, "name")
        return Reviewer(name=wish.name, token=token)

    def admit(self, name: str) -> Reviewer:
        """One more token for a name, whoever has it: for whoever has the data folder."""
        token = secrets.token_urlsafe(24)
        self._store.admit(name, token_hash(token), now())
        return Reviewer(name=name, token=token)

    def person(self, token: str) -> Person:
        """Whose token it is.

        Raises:
            Forbidden: nobody's.
        """
        found = self._store.reviewer(token_hash(token))
        if found is None:
            message = "Nobody here has this reviewer's token; enrol with POST /api/rubrics/reviewers."
            raise Forbidden("wrong_token", message)
        return Person(*found)
