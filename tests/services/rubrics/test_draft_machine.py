"""Drafts in any order of events: what a person is told that they may do works, and nothing else does."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from easel_app.services.problems import Refusal
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import Draft
from easel_app.services.rubrics.draft_trials import Progress
from easel_app.services.rubrics.reviewing_drafts import DraftReviews
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.services.rubrics.draft_making import begun, changed, drafts_of, person, said, tried

WHO = st.sampled_from(["Ada", "Bob", "Eve", "Kim"])


class Allowed:
    """Somebody who could have models try drafts."""

    forbidden = ""

    def progress(self, trial: int) -> Mapping[str, Progress]:
        return {}


class Drafts(RuleBasedStateMachine):
    """One draft of Ada's, and four people."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.studio = Studio(Settings(data_dir=Path(self.folder.name)))
        self.drafts = drafts_of(self.studio)
        self.drafts.book.trying = Allowed()
        self.reviews = DraftReviews(self.drafts)
        self.people = {name: person(self.studio.rubrics, name) for name in ("Ada", "Bob", "Eve", "Kim")}
        self.draft_id = begun(self.drafts, self.people["Ada"]).draft_id

    def teardown(self) -> None:
        self.studio.close()
        self.folder.cleanup()

    def view(self, name: str) -> tuple[Draft, Person]:
        return self.drafts.view(self.draft_id, self.people[name]), self.people[name]

    def attempted(self, may: bool, act: Callable[[], Draft]) -> None:
        if may:
            act()
            return
        before = self.view("Ada")
        with pytest.raises(Refusal):
            act()
        assert self.view("Ada") == before, "what was refused has changed nothing"

    @rule(name=WHO, complete=st.sampled_from([True, True, True, False]))
    def change(self, name: str, complete: bool) -> None:
        draft, who = self.view(name)
        domain = "finance" if complete else ""
        self.attempted("edit" in draft.may, lambda: changed(self.drafts, draft, who, domain=domain))

    @rule(passes=st.lists(st.sampled_from([True, False, False, None]), min_size=3, max_size=3))
    def attempt(self, passes: list[bool | None]) -> None:
        draft, ada = self.view("Ada")
        if "try" in draft.may:
            tried(self.studio, self.drafts, draft, ada, passes)

    @rule(name=WHO, decision=st.sampled_from(["accept", "accept", "accept", "reject", "changes"]))
    def decide(self, name: str, decision: str) -> None:
        draft, who = self.view(name)
        wish = said(draft, decision, "Because.")
        self.attempted("review" in draft.may, lambda: self.reviews.decide(self.draft_id, who, wish))

    @invariant()
    def what_is_accepted_was_tried_kept_and_accepted_by_two_who_did_not_write_it(self) -> None:
        draft, _ = self.view("Bob")
        assert sorted([*draft.may, *draft.why_not]) == ["edit", "export", "review", "try"]
        (line,) = self.drafts.every(self.people["Bob"])
        assert (line.stage, line.version, line.title) == (draft.stage, draft.version, draft.task.title)
        assert bool(self.drafts.accepted()) == (draft.stage == "accepted") == ("export" in draft.may)
        if draft.stage == "accepted":
            accepting = {each.reviewer for each in draft.decisions if each.version == draft.version}
            assert len(accepting) == 2 and "Ada" not in accepting and not draft.missing
            assert (draft.trials[-1].version, draft.trials[-1].outcome) == (draft.version, "kept")


TestDrafts = Drafts.TestCase
TestDrafts.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
