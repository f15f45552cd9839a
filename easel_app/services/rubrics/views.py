"""What callers see of rubrics and reviews, and what they send."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from easel_app.painting.stroke import Strict
from easel_app.rubrics.records import ErrorKind, Verdict
from easel_app.services.prose import Node
from easel_app.services.views import Line, RequestId
from easel_app.sources.fields import Words

Critical = Literal["weight", "flag"]
Stratum = Literal["verdict", "critical", "objectivity", "category"]
Note = Annotated[Words, StringConstraints(max_length=4000)]


class Judging(BaseModel):
    """A judge's verdicts on a set."""

    judging_id: str = Field(description="Names it in links and requests.")
    judge: str = Field(description="The judge's name.")
    origin: Literal["run", "imported"] = Field(description="Asked here, or imported with data.")
    met: int = Field(description="Pairs of an answer and an item that it found met.")
    not_met: int = Field(description="Pairs that it found not met.")
    unscored: int = Field(description="Pairs on which it was asked and gave no verdict.")


class Queue(BaseModel):
    """What is to be reviewed."""

    queue_id: str = Field(description="Names it in links and requests.")
    name: str = Field(description="How to show it.")
    required: int = Field(description="People who vote on each entry.")
    judging_id: str | None = Field(description="Whose verdicts are shown after a vote.")
    strata: list[Stratum] = Field(description="By what it was sampled; none: all pairs, or a plain sample of them.")
    seed: int = Field(description="Of the order, and of the sample.")
    hold: float = Field(description="Seconds that an entry is kept for whoever looks at it.")
    answers: int = Field(description="Answers in it; each has a place, counted from 1.")
    entries: int = Field(description="Pairs of an answer and an item in it.")
    complete: int = Field(description="Entries on which as many people have voted as are required.")


class RubricSet(BaseModel):
    """A set of tasks with models' answers."""

    set_id: str = Field(description="Names it in links and requests.")
    name: str = Field(description="How to show it.")
    sample: bool = Field(description="Whether it was made up to show what this is; no figure of it means anything.")
    about: dict[str, Any] = Field(description="Source and licence, as far as they are known.")
    tasks: int = Field(description="Tasks.")
    items: int = Field(description="Rubric items.")
    answers: int = Field(description="Answers of all models.")
    pairs: int = Field(description="Pairs of an answer and a rubric item: what there is to grade.")
    models: list[str] = Field(description="Models that have answered.")
    categories: list[str] = Field(description="What its tasks test.")
    item_categories: list[str] = Field(description="Categories of its rubric items.")
    domains: list[str] = Field(description="Fields of its tasks.")
    turns: int = Field(description="Turns of its longest task.")
    judgings: list[Judging] = Field(description="Judges that have looked at it, oldest first.")
    queues: list[Queue] = Field(description="Review queues, oldest first.")
    unfinished: str | None = Field(description="Source of an import that was cut off; the same one goes on with it.")


class PictureView(BaseModel):
    """A picture, fetched under /api/rubrics/pictures/{digest}."""

    digest: str = Field(description="SHA-256 of the file.")
    width: int = Field(description="Pixels.")
    height: int = Field(description="Pixels.")


class CallView(BaseModel):
    """A tool call of an answer."""

    name: str = Field(description="The tool's name as the model sent it; untrusted.")
    arguments: Any = Field(description="As sent; untrusted.")
    observation: Any = Field(description="What came back; untrusted.")
    pictures: list[PictureView] = Field(description="Pictures that it made.")
    success: bool = Field(description="Whether the call was valid and gave something.")
    why: str = Field(description="Why it counts as a success, or not.")
    operations: list[str] = Field(description="Image operations in its code, such as `crop`.")


class TurnView(BaseModel):
    """One turn of a task with the answer to it."""

    turn: int = Field(description="Counted from 1.")
    prompt: list[Node] = Field(description="What the model was asked, as a tree of elements: `[element, child, …]`.")
    golden_answer: list[Node] | None = Field(description="What an expert answered, as such a tree.")
    tool_trajectory: str | None = Field(description="The expert's chain of tools.")
    pictures: list[PictureView] = Field(description="Shown with the prompt.")
    answer: list[Node] = Field(description="The model's answer as such a tree; untrusted.")
    written: str = Field(description="The answer as the model wrote it; untrusted.")
    calls: list[CallView] = Field(description="The model's tool calls.")
    rounds: int | None = Field(description="Rounds of the model.")


class VoteView(BaseModel):
    """A vote."""

    reviewer: str = Field(description="Who voted.")
    role: Literal["review", "adjudication"] = Field(description="As a reviewer, or to settle a disagreement.")
    verdict: Verdict | None = Field(description="Null: an earlier one was taken back.")
    confidence: int | None = Field(description="1 low, 2 medium, 3 high.")
    note: str = Field(description="What decided it.")
    error: ErrorKind | None = Field(description="Why the answer misses the item.")
    blind: bool = Field(description="Cast before the judge's verdict was shown.")
    at: str = Field(description="When, ISO 8601 in UTC.")


class JudgeView(BaseModel):
    """What a judge said of an item."""

    judging_id: str = Field(description="Which judging.")
    judge: str = Field(description="The judge's name.")
    verdict: Literal[Verdict.MET, Verdict.NOT_MET] | None = Field(description="Null: it gave none.")
    reason: str = Field(description="Why, in its words; untrusted.")
    evidence: str = Field(description="What it quotes from the answer; empty when it quotes nothing that is there.")
    unscored: str = Field(description="Why there is no verdict.")


class Revealed(BaseModel):
    """What others say of an item; told only to whoever can no longer vote blind."""

    judges: list[JudgeView] = Field(description="The queue's judge first.")
    others: list[VoteView] = Field(description="Others' current votes.")
    adjudication: VoteView | None = Field(description="What settled a disagreement, last.")


class EntryView(BaseModel):
    """A rubric item of the answer that is being graded."""

    entry: int = Field(description="Names it in requests.")
    turn: int = Field(description="Of which turn.")
    item_id: str = Field(description="Unique within its turn.")
    description: str = Field(description="The criterion; untrusted.")
    weight: int = Field(description="1 to 5; critical from 4 on.")
    flag: bool | None = Field(description="The data set's own critical flag.")
    objectivity: str | None = Field(description="`objective` or `subjective`.")
    explicitness: str | None = Field(description="`explicit` or `implicit`.")
    categories: list[str] = Field(description="Such as `truthfulness`.")
    state: Literal["open", "mine", "full"] = Field(
        description="`open`: you may vote; `mine`: you have; `full`: as many others as are required have, or are at it."
    )
    vote: VoteView | None = Field(description="Your current vote.")
    blind_verdict: Verdict | None = Field(description="Your blind verdict, which enters agreement; null without one.")
    revealed: Revealed | None = Field(
        description="What others say, once you have voted; a vote after that is no longer blind."
    )


class Assignment(BaseModel):
    """One answer to grade, with the items of its rubric that are in the queue."""

    queue_id: str = Field(description="Of which queue.")
    place: int = Field(description="Which answer of the queue, counted from 1.")
    task_id: str = Field(description="Which task.")
    category: str | None = Field(description="What the task tests.")
    domain: str | None = Field(description="Its field.")
    model: str | None = Field(description="Who answered; null until you have voted on all that is open for you.")
    attempt: int = Field(description="Which answer of that model.")
    turns: list[TurnView] = Field(description="The conversation.")
    entries: list[EntryView] = Field(description="What to grade, by turn.")
    reserved_until: float | None = Field(description="Unix seconds until which its open entries are kept for you.")


class Stop(BaseModel):
    """A place of a queue, as a way through it lists it."""

    place: int = Field(description="Which answer.")
    entries: list[int] = Field(description="Its entries that fit the filters.")
    states: str = Field(description="A letter for each: o open, m mine, f full.")


class Walk(BaseModel):
    """A way through a queue: the entries that fit some filters, in order."""

    queue_id: str = Field(description="Of which queue.")
    places: int = Field(description="Answers in the whole queue.")
    stops: list[Stop] = Field(description="Where to go.")
    hidden: int = Field(description="Entries that a filter on others' verdicts leaves out until you have voted.")


class Disagreement(BaseModel):
    """An entry on which people disagree."""

    entry: int = Field(description="Which entry.")
    place: int = Field(description="At which place.")
    task_id: str = Field(description="Of which task.")
    description: str = Field(description="The criterion.")
    settled: bool = Field(description="Whether it has been adjudicated.")


class Known(BaseModel):
    """A reviewer whom a token proves."""

    name: str = Field(description="How they are shown.")


class NewVoteBody(Strict):
    """A vote on an entry."""

    request_id: RequestId = Field(description="New for each vote; a repeat changes nothing.")
    verdict: Verdict | None = Field(description="Null takes your earlier vote back.")
    confidence: int | None = Field(default=None, ge=1, le=3, strict=True, description="1 low, 2 medium, 3 high.")
    note: Note = Field(default="", description="What decided it.")
    error: ErrorKind | None = Field(default=None, description="Why the answer misses the item; only with `not_met`.")
    role: Literal["review", "adjudication"] = Field(
        default="review", description="`adjudication` settles a disagreement."
    )


class NewQueue(Strict):
    """What is to be reviewed."""

    set_id: str = Field(max_length=120, description="Which set.")
    name: Line = Field(description="How to show it.")
    required: int = Field(default=2, ge=1, le=20, strict=True, description="People who vote on each entry.")
    judging_id: str | None = Field(
        default=None, max_length=120, description="Whose verdicts are shown; null: the first judge."
    )
    size: int | None = Field(default=None, ge=1, le=1_000_000, strict=True, description="Pairs to draw; null: all.")
    strata: tuple[Stratum, ...] = Field(
        default=(), max_length=4, description="Draw the same share of each of these groups."
    )
    even: bool = Field(
        default=False, strict=True, description="Draw as many of each group instead, as far as it has them."
    )
    models: tuple[Line, ...] | None = Field(default=None, max_length=200, description="Only their answers.")
    seed: int = Field(default=0, ge=0, lt=2**31, strict=True, description="Of the sample and of the order.")
    hold: float = Field(
        default=900.0, ge=10, le=86_400, description="Seconds that an entry is kept for whoever looks at it."
    )
