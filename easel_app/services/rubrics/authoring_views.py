"""What callers see of tasks that are being written, and what they send.

A draft goes this way: written and changed (each change is a version), tried by models, kept only if enough of them
fail, reviewed twice by different people, accepted. Nothing is ever deleted.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, SecretStr, StringConstraints

from easel_app.painting.stroke import VISIBLE, Strict
from easel_app.rubrics.records import MOST_ITEMS, MOST_PICTURES, MOST_TEXT, MOST_TURNS, Category
from easel_app.services.rubrics.views import Critical, Note, PictureView
from easel_app.services.views import Line, RequestId
from easel_app.sources.fields import Words

REVIEWS = 2
"""Rounds of review, as published."""
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Long = Annotated[Words, StringConstraints(max_length=MOST_TEXT)]
Key = Annotated[SecretStr | None, Field(max_length=4000)]
Stage = Literal["draft", "trial", "dropped", "review", "accepted", "rejected"]
"""`draft`: being written; `trial`: models are trying it; `dropped`: too few of them failed; `review`: waiting for
reviews; `accepted`: by both; `rejected`: by one of them. A new version brings it back to `draft`."""
Outcome = Literal["open", "kept", "dropped"]
State = Literal["waiting", "running", "judging", "done", "failed"]


class DraftItem(Strict):
    """A rubric item as it is written; what is still missing is told, and needed only before a trial."""

    id: Annotated[Words, StringConstraints(max_length=128, pattern=r"^(\S(.*\S)?)?$")] = Field(
        default="", description="Unique within its turn. Empty: it gets one."
    )
    description: Annotated[Words, StringConstraints(max_length=4000)] = Field(default="", description="What to meet.")
    weight: int = Field(default=3, ge=1, le=5, strict=True, description="1 to 5; from 4 on the item is critical.")
    critical: bool | None = Field(default=None, description="A flag of its own; null: by weight.")
    objectivity: Literal["objective", "subjective"] | None = Field(default=None, description="As the author sees it.")
    explicitness: Literal["explicit", "implicit"] | None = Field(default=None, description="As the author sees it.")
    categories: tuple[Line, ...] = Field(default=(), max_length=16, description="Such as `truthfulness`.")
    final_answer: bool | None = Field(default=None, description="Whether it is about the final answer.")


class DraftTurn(Strict):
    """One prompt as it is written."""

    prompt: Long = Field(default="", description="What the model is asked.")
    golden_answer: Long = Field(default="", description="What an expert answers.")
    tool_trajectory: Long = Field(default="", description="The reference chain of tools.")
    pictures: tuple[Digest, ...] = Field(
        default=(), max_length=MOST_PICTURES, description="Pictures that were uploaded, by SHA-256 of their files."
    )
    rubric: tuple[DraftItem, ...] = Field(default=(), max_length=MOST_ITEMS, description="The turn's criteria.")


class DraftTask(Strict):
    """A task as it is written."""

    title: Line = Field(default="Untitled task", description="How authors call it; not part of the task.")
    category: Category | None = Field(default=None, description="What it tests.")
    domain: Annotated[str, StringConstraints(strip_whitespace=True, max_length=128, pattern=VISIBLE)] = Field(
        default="", description="Its field, such as `finance`."
    )
    turns: tuple[DraftTurn, ...] = Field(
        default=(DraftTurn(),), min_length=1, max_length=MOST_TURNS, description="In order."
    )


class NewDraft(Strict):
    """A new draft."""

    request_id: RequestId = Field(description="New for each wish; a repeat changes nothing.")
    task: DraftTask = Field(default=DraftTask(), description="As far as it is written.")


class NewVersion(Strict):
    """A change to a draft."""

    request_id: RequestId = Field(description="New for each wish; a repeat changes nothing.")
    based_on: int = Field(ge=1, strict=True, description="The version that was changed; refused if it is not the last.")
    task: DraftTask = Field(description="The whole task as it is now.")


class NewTrial(Strict):
    """Have models try a draft and a judge grade them."""

    request_id: RequestId = Field(description="New for each wish; a repeat changes nothing.")
    base_url: str = Field(min_length=1, max_length=200, description="Where the models answer.")
    models: tuple[Line, ...] = Field(min_length=1, max_length=8, description="Their names there.")
    judge: Line = Field(description="The judge's name.")
    judge_base_url: str | None = Field(default=None, max_length=200, description="Where it answers; null: there too.")
    key: Key = Field(default=None, description="For the models' endpoint; kept in memory only.")
    judge_key: Key = Field(default=None, description="For the judge's; null: the same key, if it answers there too.")
    least_failures: int = Field(default=2, ge=0, le=8, description="Keep it only if so many models fail.")
    critical: Critical = Field(default="weight", description="What makes an item critical.")


class NewDecision(Strict):
    """A review."""

    request_id: RequestId = Field(description="New for each wish; a repeat changes nothing.")
    version: int = Field(ge=1, strict=True, description="Which version was looked at; refused if it is not the last.")
    round: Literal[1, 2] | None = Field(
        default=None, description="Which round it is thought to be; refused if another one is due. Null: the one due."
    )
    decision: Literal["accept", "reject", "changes"] = Field(description="`changes`: it goes back to its author.")
    note: Note = Field(default="", description="Why; needed unless it is accepted.")


class Missing(BaseModel):
    """What a draft lacks before models can try it."""

    where: str = Field(description="Such as `turns.0.rubric.2.description`.")
    message: str = Field(description="What to do, in one sentence.")


class TrialModel(BaseModel):
    """How one model did."""

    model: str = Field(description="Its name.")
    state: State = Field(description="How far it is.")
    reason: str = Field(description="Why it failed, in one sentence; else empty.")
    answer: int | None = Field(description="Its answer, as traces name it.")
    score: float | None = Field(description="Rubric score.")
    passed: bool | None = Field(description="Whether it passes; null as long as that is not known.")
    off: list[str] = Field(default=[], description="Tools that were off when it answered, which may be why it failed.")


class Trial(BaseModel):
    """A trial of a version."""

    version: int = Field(description="Of which version.")
    set_id: str = Field(description="The set that holds the answers.")
    task_id: str = Field(description="The task there.")
    least_failures: int = Field(description="Models that must fail.")
    failures: int = Field(description="Models that have failed so far.")
    outcome: Outcome = Field(description="What came of it.")
    models: list[TrialModel] = Field(description="In the order given.")
    at: str = Field(description="When it began.")


class Decision(BaseModel):
    """A review on record."""

    version: int = Field(description="Of which version.")
    round: int = Field(description="1 or 2.")
    reviewer: str = Field(description="Who.")
    decision: Literal["accept", "reject", "changes"] = Field(description="What they decided.")
    note: str = Field(description="Why; untrusted.")
    at: str = Field(description="When.")


class Version(BaseModel):
    """A version of a draft, without its content."""

    version: int = Field(description="Counted from 1.")
    author: str = Field(description="Who wrote it.")
    at: str = Field(description="When.")


class DraftLine(BaseModel):
    """A draft in a list."""

    draft_id: str = Field(description="Names it in links and requests.")
    title: str = Field(description="As its authors call it.")
    category: str | None = Field(description="What it tests.")
    author: str = Field(description="Who began it.")
    version: int = Field(description="Its last version.")
    stage: Stage = Field(description="How far it is.")
    reviews: int = Field(description="Reviews of its last version.")
    turns: int = Field(description="Its turns.")
    items: int = Field(description="Its criteria.")
    at: str = Field(description="When it was last changed.")


class Draft(BaseModel):
    """A draft as it is now."""

    draft_id: str = Field(description="Names it in links and requests.")
    author: str = Field(description="Who began it.")
    stage: Stage = Field(description="How far it is.")
    task: DraftTask = Field(description="The last version.")
    version: int = Field(description="Its number.")
    missing: list[Missing] = Field(description="What is to be done before models can try it.")
    pictures: dict[str, PictureView] = Field(description="Those of the last version, by digest.")
    versions: list[Version] = Field(description="All of them, oldest first.")
    trials: list[Trial] = Field(description="Oldest first.")
    decisions: list[Decision] = Field(description="Oldest first.")
    may: list[Literal["edit", "try", "review", "export"]] = Field(description="What the caller may do now.")
    why_not: dict[str, str] = Field(description="Why they may not do the rest, each in one sentence.")


class Exported(BaseModel):
    """Accepted tasks in the schema of VisualToolBench's data set."""

    rows: list[dict[str, Any]] = Field(description="As in its `dataset.json`; pictures are data URLs.")
