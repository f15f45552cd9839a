"""Drafts as the services have them: people, tasks from which nothing is missing, and trials put into the store."""

from __future__ import annotations

import io
import itertools
from collections.abc import Sequence
from typing import Any

from PIL import Image

from easel_app.rubrics.records import Answer, AnswerTurn, Verdict
from easel_app.services.ledger import now
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.authoring_views import (
    Draft,
    DraftItem,
    DraftTask,
    DraftTurn,
    NewDecision,
    NewDraft,
    NewVersion,
)
from easel_app.services.rubrics.draft_trials import TrialWish, player_of
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.drafts import task_id_of, task_of
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow

JUDGING = "judging-of-drafts"
MODELS = ("m1", "m2", "m3")
_numbers = itertools.count(1)


def drafts_of(studio: Studio) -> DraftService:
    """The drafts of a studio, which brings no sample in."""
    studio.rubrics.library.first_look.job = lambda: None
    return DraftService(studio.rubrics.library)


def person(rubrics: Rubrics, name: str) -> Person:
    return rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name=name)).token)


def request_id() -> str:
    return f"r{next(_numbers)}"


def png(colour: str = "red", size: tuple[int, int] = (8, 6)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def complete(digest: str, **changes: Any) -> DraftTask:
    """A task from which nothing is missing."""
    item = DraftItem(id="total", description='It says "42".', weight=5)
    turn = DraftTurn(
        prompt="What does it cost?", golden_answer="42", tool_trajectory="crop, read", pictures=(digest,),
        rubric=(item, DraftItem(id="tone", description="It is brief.", weight=2)),
    )  # fmt: skip
    facts = {"title": "Prices", "category": "region_switch", "domain": "finance", "turns": (turn,)}
    return DraftTask.model_validate({**facts, **changes})


def begun(drafts: DraftService, author: Person, **changes: Any) -> Draft:
    """A draft from which nothing is missing."""
    digest = drafts.upload(png()).digest
    return drafts.make(author, NewDraft(request_id=request_id(), task=complete(digest, **changes)))


def changed(drafts: DraftService, draft: Draft, author: Person, **changes: Any) -> Draft:
    task = draft.task.model_copy(update=changes or {"title": f"Prices {draft.version + 1}"})
    return drafts.change(draft.draft_id, author, NewVersion(request_id=request_id(), based_on=draft.version, task=task))


def tried(
    studio: Studio, drafts: DraftService, draft: Draft, author: Person, passes: Sequence[bool | None], least: int = 2
) -> Draft:
    """The draft after a trial of its last version, in which models passed, failed, or (None) have not answered."""
    rubrics, task_id = studio.rubrics, task_id_of(draft.draft_id, draft.version)
    drafts.book.freeze(task_of(task_id, draft.task, drafts.pictures(draft.task)))
    wish = TrialWish(base_url="http://127.0.0.1:1/v1", models=MODELS[: len(passes)], judge="j", judging_id=JUDGING,
                     judge_base_url="http://127.0.0.1:1/v1", least_failures=least, critical="weight")  # fmt: skip
    content = wish.model_dump_json()
    trial = drafts.store.attempt(draft.draft_id, draft.version, author.id, content, request_id(), now())
    rubrics.judgings.begin(JudgingRecord(JUDGING, drafts.book.set_id, "j", "imported", {}, now()))
    row = rubrics.store.task(drafts.book.set_id, task_id)
    assert row
    for model, passed in zip(wish.models, passes, strict=True):
        if passed is None:
            continue
        said = tuple(AnswerTurn(text="It costs.") for _ in draft.task.turns)
        answer = Answer(task_id=task_id, model=player_of(trial, model), turns=said)
        rubrics.store.add_answers([(row.id, answer.model, 1, answer.model_dump_json())])
        answer_id = rubrics.store.answer_id(row.id, answer.model, 1)
        assert answer_id
        verdict = Verdict.MET if passed else Verdict.NOT_MET
        rubrics.judgings.add(
            VerdictRow(JUDGING, answer_id, item.id, verdict, "", "", "", "imported", None, 0, 0, None, None, now())
            for item in rubrics.store.items_of(row.id)
        )
    return drafts.view(draft.draft_id, author)


def said(draft: Draft, decision: str = "accept", note: str = "", **more: Any) -> NewDecision:
    return NewDecision.model_validate(
        {"request_id": request_id(), "version": draft.version, "decision": decision, "note": note} | more
    )
