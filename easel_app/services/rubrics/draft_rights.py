"""Who may do what with a draft as it stands, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from easel_app.services.problems import Conflict, Forbidden, Invalid, Refusal
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Decision, DraftTask, Missing, Stage, Trial
from easel_app.services.rubrics.drafts import stage_of
from easel_app.store.drafts import DecisionRecord, DraftRecord, VersionRecord

Act = Literal["edit", "try", "review", "export"]
TOLD: dict[Stage, str] = {
    "draft": "it is being written",
    "trial": "models are to try it first",
    "dropped": "too few models failed at it",
    "review": "it waits for its reviews",
    "accepted": "it is accepted",
    "rejected": "a reviewer has rejected it",
}


@dataclass(frozen=True)
class Standing:
    """A draft as it stands."""

    record: DraftRecord
    versions: Sequence[VersionRecord]
    task: DraftTask
    """The last version."""
    missing: Sequence[Missing]
    trials: Sequence[Trial]
    decisions: Sequence[DecisionRecord]
    forbidden: str
    """Why no model may be run here; empty when one may."""

    @property
    def version(self) -> int:
        """Number of the last version."""
        return self.versions[-1].version

    @property
    def trial(self) -> Trial | None:
        """The last trial of the last version; None without one."""
        return self.trials[-1] if self.trials and self.trials[-1].version == self.version else None

    @property
    def reviews(self) -> list[DecisionRecord]:
        """The decisions on the last version."""
        return [each for each in self.decisions if each.version == self.version]

    @property
    def stage(self) -> Stage:
        """How far it is."""
        return stage_of(self.trial.outcome if self.trial else None, [decision_of(each) for each in self.reviews])

    @property
    def _told(self) -> str:
        """How far it is, as a part of a sentence."""
        return "a reviewer asked for changes" if self.stage == "draft" and self.reviews else TOLD[self.stage]

    def refusal(self, act: Act, person: Person) -> Refusal | None:
        """Why a person may not do something now; None when they may."""
        if act == "edit":
            return self._unless_author(person, "change it")
        if act == "try":
            return self._untried(person)
        return self._unreviewed(person) if act == "review" else self._unexported()

    def _unless_author(self, person: Person, what: str) -> Refusal | None:
        if person.id == self.record.author:
            return None
        return Forbidden("not_author", f"{self.record.name} writes this task, and nobody else can {what}; ask them.")

    def _untried(self, person: Person) -> Refusal | None:
        if refusal := self._unless_author(person, "have models try it"):
            return refusal
        if self.reviews or self.stage not in ("draft", "trial"):
            return Conflict(
                "tried", f"This version was tried, and {self._told}; models try it again once it is changed."
            )
        if self.missing:
            first = self.missing[0]
            return Invalid("incomplete", f"Models can try it once nothing is missing: {first.message}", first.where)
        return Forbidden("runs_off", self.forbidden) if self.forbidden else None

    def _unreviewed(self, person: Person) -> Refusal | None:
        if person.id in {self.record.author, *(each.author for each in self.versions)}:
            return Forbidden("own_draft", "You have written this task, so others review it.")
        own = next((each for each in self.reviews if each.reviewer == person.id), None)
        if own:
            message = f"You have reviewed this version in round {own.round}; the other round is somebody else's."
            return Forbidden("reviewed_already", message)
        if self.stage != "review":
            return Conflict("not_in_review", f"There is nothing to review, for {self._told}; look again later.")
        return None

    def _unexported(self) -> Refusal | None:
        if self.stage == "accepted":
            return None
        message = f"Only tasks that two reviewers have accepted are exported, and {self._told}; look again later."
        return Conflict("not_accepted", message)


def decision_of(record: DecisionRecord) -> Decision:
    """A decision as callers see it."""
    facts = {name: getattr(record, name) for name in ("version", "round", "decision", "note", "at")}
    return Decision(reviewer=record.name, **facts)
