"""Tasks that are being written: begun, changed version by version, listed, looked at, with their pictures."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterator
from typing import get_args

from easel_app.services.kept import Kept
from easel_app.services.ledger import now
from easel_app.services.problems import Conflict, Invalid, NotFound, TooLarge
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.authoring_views import (
    Decision,
    Draft,
    DraftLine,
    DraftTask,
    NewDraft,
    NewVersion,
    Stage,
    Version,
)
from easel_app.services.rubrics.draft_rights import Act, Standing, decision_of
from easel_app.services.rubrics.draft_trials import TrialBook
from easel_app.services.rubrics.drafts import missing, stage_of, task_id_of, with_ids
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.views import PictureView
from easel_app.sources.fields import Picture
from easel_app.sources.pictures import NoPicture, identify
from easel_app.store.drafts import DraftOutline, DraftStore, RequestReused, Superseded

MOST_DRAFT = 4 * 1024 * 1024
"""Bytes of a version, as JSON."""
MOST_VERSIONS = 1000
"""Of one draft."""
MOST_PICTURES_KNOWN = 10_000


class DraftService:
    """Keeps drafts."""

    def __init__(self, library: RubricLibrary) -> None:
        """Keep drafts beside rubric sets, one of which holds the tasks that were tried."""
        self.store, self.book = DraftStore.beside(library.store), TrialBook(library)
        self._pictures, self._known = library.pictures, Kept[str, Picture](MOST_PICTURES_KNOWN)

    def make(self, person: Person, wish: NewDraft) -> Draft:
        """Begin a draft; a repeated request gives the one that is there.

        Raises:
            TooLarge: it has more than 4 MB.
            Conflict: the request id was that of another draft or change.
        """
        content = _content(wish.task, f"{person.id}/{wish.request_id}")
        try:
            draft_id = self.store.begin(secrets.token_hex(6), person.id, content, wish.request_id, now())
        except RequestReused:
            raise reused() from None
        return self.view(draft_id, person)

    def change(self, draft_id: str, person: Person, wish: NewVersion) -> Draft:
        """Store the next version of a draft; what is said of the earlier ones stays and counts for them only.

        A repeated request stores nothing.

        Raises:
            NotFound: no such draft.
            Forbidden: somebody else writes it.
            TooLarge: it has more than 4 MB.
            Invalid: it has as many versions as it may have.
            Conflict: it was changed meanwhile, or the request id was that of another change.
        """
        standing = self.standing(draft_id)
        if refusal := standing.refusal("edit", person):
            raise refusal
        if wish.based_on == standing.versions[-1].version >= MOST_VERSIONS:
            message = f"It has {MOST_VERSIONS:,} versions, which is as many as there can be; go on in a new draft."
            raise Invalid("too_many_versions", message)
        content = _content(wish.task, f"{person.id}/{wish.request_id}")
        try:
            self.store.change(draft_id, wish.based_on, person.id, content, wish.request_id, now())
        except Superseded as error:
            message = (
                f"It was changed meanwhile, and its last version is {error.args[0]}, not {wish.based_on}; look at that "
                "one and put your changes into it."
            )
            raise Conflict("changed_meanwhile", message, "based_on") from None
        except RequestReused:
            raise reused() from None
        return self.view(draft_id, person)

    def every(self, person: Person, stage: Stage | None = None, *, mine: bool = False) -> list[DraftLine]:
        """All drafts, the one that was changed last first.

        Args:
            person: who looks.
            stage: only those that are so far.
            mine: only those that the person writes.
        """
        return [
            DraftLine(
                draft_id=found.id,
                **(found._asdict() | {"author": found.name, "stage": how_far, "reviews": reviews}),
            )
            for found, how_far, reviews in self._all()
            if stage in (None, how_far) and (found.author == person.id or not mine)
        ]

    def accepted(self) -> dict[str, str]:
        """The drafts that two reviewers have accepted, oldest first: their ids, and those of the tasks they became."""
        found = [draft for draft, how_far, _ in self._all() if how_far == "accepted"]
        return {draft.id: task_id_of(draft.id, draft.version) for draft in reversed(found)}

    def _all(self) -> Iterator[tuple[DraftOutline, Stage, int]]:
        """All drafts with how far they are and their reviews, the one that was changed last first."""
        trials = {(trial.draft, trial.version): trial for trial in self.store.trials()}
        decisions = defaultdict[tuple[str, int], list[Decision]](list)
        for each in self.store.decisions():
            decisions[each.draft, each.version].append(decision_of(each))
        for found in self.store.outlines():
            last = found.id, found.version
            outcome = self.book.view(trials[last]).outcome if last in trials else None
            yield found, stage_of(outcome, decisions[last]), len(decisions[last])

    def view(self, draft_id: str, person: Person) -> Draft:
        """A draft as a person may see it.

        Raises:
            NotFound: no such draft.
        """
        found = self.standing(draft_id)
        refusals = {act: found.refusal(act, person) for act in get_args(Act)}
        shown = {digest: PictureView(digest=digest, width=picture.width, height=picture.height)
                 for digest, picture in self.pictures(found.task).items()}  # fmt: skip
        return Draft(
            draft_id=draft_id,
            author=found.record.name,
            stage=found.stage,
            task=found.task,
            version=found.version,
            missing=list(found.missing),
            pictures=shown,
            versions=[Version(version=each.version, author=each.name, at=each.at) for each in found.versions],
            trials=list(found.trials),
            decisions=[decision_of(each) for each in found.decisions],
            may=[act for act, refusal in refusals.items() if refusal is None],
            why_not={act: refusal.message for act, refusal in refusals.items() if refusal},
        )

    def standing(self, draft_id: str) -> Standing:
        """A draft as it stands.

        Raises:
            NotFound: no such draft.
        """
        record = self.store.draft(draft_id)
        if record is None:
            raise NotFound("no_such_draft", "There is no such task; look at the list.", "draft_id")
        versions = self.store.versions(draft_id)
        task = self.version(draft_id, versions[-1].version)
        return Standing(
            record=record,
            versions=versions,
            task=task,
            missing=missing(task, self.pictures(task)),
            trials=[self.book.view(trial) for trial in self.store.trials(draft_id)],
            decisions=self.store.decisions(draft_id),
            forbidden=self.book.trying.forbidden,
        )

    def version(self, draft_id: str, version: int) -> DraftTask:
        """What a version of a draft says.

        Raises:
            NotFound: no such draft, or it has no such version.
        """
        content = self.store.content(draft_id, version)
        if content is None:
            raise NotFound(
                "no_such_version", "There is no such version of this task; look at the task again.", "version"
            )
        return DraftTask.model_validate_json(content)

    def upload(self, content: bytes) -> PictureView:
        """Keep a picture for drafts, as it is; it is on disk when this returns. A second time changes nothing.

        Raises:
            Invalid: it is no PNG, JPEG, WebP or GIF file, or has more than 32 MB or 40 megapixels.
        """
        try:
            picture = identify(content)
        except NoPicture as error:
            raise Invalid("picture", f"The picture is not taken, for {error}; choose another file.") from None
        self._pictures.put(content)
        self._known.put(picture.digest, picture)
        return PictureView(digest=picture.digest, width=picture.width, height=picture.height)

    def pictures(self, task: DraftTask) -> dict[str, Picture]:
        """The pictures of a draft whose files are there, by digest."""
        digests = dict.fromkeys(digest for turn in task.turns for digest in turn.pictures)
        return {digest: picture for digest in digests if (picture := self._picture(digest))}

    def _picture(self, digest: str) -> Picture | None:
        if known := self._known.get(digest):
            return known
        content = self._pictures.get(digest)
        try:
            return self._known.put(digest, identify(content)) if content is not None else None
        except NoPicture:  # its file was damaged
            return None


def reused() -> Conflict:
    """The request id was that of something else."""
    message = "The request id is that of another request of yours; give every request its own."
    return Conflict("request_id_reused", message, "request_id")


def _content(task: DraftTask, request: str) -> str:
    """A version as it is stored.

    Raises:
        TooLarge: it has more than 4 MB.
    """
    content = with_ids(task, request).model_dump_json()
    if len(content.encode()) > MOST_DRAFT:
        message = f"The task has more than {MOST_DRAFT // 1024**2} MB of text; shorten it, and it can be stored."
        raise TooLarge("draft_too_large", message, "task")
    return content
