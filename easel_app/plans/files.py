"""Sets of plans as data: queries with their pools, answers, inspectors' reports and people's verdicts.

These models are also the studio's own file format, `easel-plans/1`: JSON lines, each an object whose `type` names the
record (docs/plan-format.md). Where other formats are imported, they become these records first.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field, PlainValidator, StringConstraints, field_validator, model_validator

from easel_app.plans.reports import CallVerdict, Inspector, report_of
from easel_app.scoring.plan import Gap
from easel_app.sources.fields import Identifier, Label, Picture, Record, Words

FORMAT: Final = "easel-plans/1"
MOST_PLAN = 10 * 1024 * 1024
"""Characters of a plan."""
MOST_TEXT = 1024 * 1024
"""Characters of a query or of a document."""
MOST_POOL = 1000
"""Images of one query."""
MOST_DOCUMENTS = 200
Text = Annotated[Words, StringConstraints(max_length=MOST_TEXT)]
Note = Annotated[Words, StringConstraints(max_length=4000)]


def _exact(value: Any) -> str:
    """A plan's text, which may hold what no other text here may: null characters and lone surrogates."""
    if not isinstance(value, str):
        raise ValueError("it must be a text")
    if len(value) > MOST_PLAN:
        raise ValueError(f"it has {len(value):,} characters, and at most {MOST_PLAN:,} are taken")
    return value


PlanText = Annotated[str, PlainValidator(_exact)]
"""Kept as it is; so JSON of it is made by `json.dumps`, which escapes what UTF-8 cannot hold."""
PoolOrder = Literal["query_first", "documents_first"]


class PoolImage(Record):
    """An image that a plan may cite. One that did not come with the data keeps its place, since indices count it."""

    picture: Picture | None = Field(default=None, description="Null when there is no file; `missing` says why.")
    name: Words = Field(default="", max_length=500, description="As the data call it; never fetched.")
    missing: Words = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _one_of_both(self) -> PoolImage:
        if (self.picture is None) != bool(self.missing):
            raise ValueError("a pool's image has a picture, or the reason in missing why it has none")
        return self


class Document(Record):
    """A document that came with a query."""

    text: Text = ""
    images: tuple[PoolImage, ...] = Field(default=(), max_length=MOST_POOL)


class QueryRecord(Record):
    """What was asked, with all that a plan may draw on."""

    type: Literal["query"] = "query"
    id: Identifier = Field(description="`trace_id`; unique within the set.")
    category: Label | None = Field(default=None, description="Such as `Recipe`.")
    intent: Label | None = None
    query: Text = Field(description="What the user asks.")
    query_images: tuple[PoolImage, ...] = Field(default=(), max_length=MOST_POOL)
    documents: tuple[Document, ...] = Field(default=(), max_length=MOST_DOCUMENTS)
    pool_order: PoolOrder = "query_first"
    pool_known: bool = Field(default=True, description="False where nobody knows which images a plan may cite.")
    index_base: Literal[0, 1] = Field(default=0, description="Index of the first image, in the reference answer.")
    reference: PlanText | None = Field(default=None, description="The data's own answer (`gt`), a plan too.")

    @property
    def pool(self) -> tuple[PoolImage, ...]:
        """All images that a plan may cite, in the order of their indices."""
        of_documents = tuple(image for document in self.documents for image in document.images)
        both = (self.query_images, of_documents)
        return both[0] + both[1] if self.pool_order == "query_first" else both[1] + both[0]


class AnswerRecord(Record):
    """One planner's answer to a query. Its text is kept as it is, whatever characters it holds."""

    type: Literal["answer"] = "answer"
    query_id: Identifier
    planner: Label = Field(description="Who planned, a model say.")
    attempt: int = Field(default=1, ge=1, le=1000)
    text: PlanText
    index_base: Literal[0, 1] = Field(default=0, description="Index of the first image of the pool in this plan.")
    outputs_count: bool = Field(default=False, description="Whether indices behind the pool mean outputs, as in LLM-I.")
    no_output: Words = Field(default="", max_length=2000, description="Why there is no answer; the text is then empty.")
    note: Words = Field(default="", max_length=2000, description="What to say of it, such as why it is shown raw.")
    origin: Words = Field(default="", max_length=80, description="The format that it came in.")


class ReportRecord(Record):
    """What one inspector of a judge reports of an answer; no report has a reason in `unscored`."""

    type: Literal["report"] = "report"
    query_id: Identifier
    planner: Label
    attempt: int = Field(default=1, ge=1, le=1000)
    judge: Label = Field(description="The judge's name: of all three inspectors together.")
    inspector: Inspector
    report: dict[str, Any] | None = None
    unscored: Words = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _one_of_both(self) -> ReportRecord:
        if (self.report is None) != bool(self.unscored):
            raise ValueError("there is a report, or it is null with the reason in unscored")
        if self.report is not None:
            report_of(self.inspector, self.report)
        return self


class CallVote(CallVerdict):
    """A person's verdict on a call; its key is the call's number."""

    about: Literal["call"] = Field(default="call", description="A call.")


class FoundGap(Record):
    """A place where a person misses a picture."""

    after_block: int = Field(ge=0, strict=True, description="The block after which it is missing; 0: before the first.")
    type: Gap = Field(description="Its kind.")
    note: Note = Field(default="", description="Why.")


class GapsVote(Record):
    """All gaps that a person finds in a plan, none perhaps; its key is empty."""

    about: Literal["gaps"] = Field(default="gaps", description="All gaps of the plan.")
    gaps: tuple[FoundGap, ...] = Field(max_length=200, description="None if no picture is missing; none twice.")

    @property
    def twice(self) -> str:
        """Which gap stands there twice, in words; empty when none does. New votes have none such."""
        counts = Counter((gap.after_block, gap.type, gap.note) for gap in self.gaps)
        (after, kind, _), count = next(iter(counts.most_common(1)), ((0, "", ""), 1))
        return f"the gap {kind} after block {after} stands there {count} times with one note" if count > 1 else ""


class GapVote(Record):
    """Whether a person upholds a gap that a judge reports; its key is `judge/gap_id`, with the judge's name."""

    about: Literal["gap"] = Field(default="gap", description="A gap that a judge reports.")
    upheld: bool = Field(strict=True, description="Whether a picture is missing there.")


class FinalVote(Record):
    """A person's final score; its key is empty."""

    about: Literal["fs"] = Field(default="fs", description="The final score.")
    fs: int = Field(ge=0, le=100, strict=True, description="Final score.")


class PlanVote(Record):
    """What a person says of the plan as a whole; its key is empty."""

    about: Literal["plan"] = Field(default="plan", description="The plan as a whole.")
    verdict: Literal["accept", "revise", "reject"] = Field(description="What to do with it.")


VoteContent = Annotated[CallVote | GapsVote | GapVote | FinalVote | PlanVote, Field(discriminator="about")]
About = Literal["call", "gaps", "gap", "fs", "plan"]
ABOUTS: Final = ("call", "gaps", "gap", "fs", "plan")


class VoteRecord(Record):
    """What a person says of an answer or of a part of it. Votes only ever grow: a change is a later one."""

    type: Literal["vote"] = "vote"
    query_id: Identifier
    planner: Label
    attempt: int = Field(default=1, ge=1, le=1000)
    reviewer: Label
    about: About
    key: Words = Field(default="", max_length=200)
    content: VoteContent | None = Field(description="Null takes the person's earlier one back.")
    note: Note = ""
    blind: bool = Field(description="Whether it was cast before any judge's report on it was shown.")
    at: str = Field(default="", max_length=40, description="When, ISO 8601; empty when that is not known.")

    @field_validator("at")
    @classmethod
    def _a_time(cls, at: str) -> str:
        if at:
            try:
                datetime.fromisoformat(at)
            except ValueError:
                raise ValueError("it must be a time as ISO 8601 has it, such as 2026-05-04T10:00:00Z") from None
        return at

    @model_validator(mode="after")
    def _of_its_kind(self) -> VoteRecord:
        if self.content is not None and self.content.about != self.about:
            raise ValueError(f"it is about {self.about}, but its content is about {self.content.about}")
        return self


class SetLine(Record):
    """First line of a file in our own format; all of it may be left out."""

    type: Literal["set"] = "set"
    format: Literal["easel-plans/1"] = FORMAT
    name: Label | None = None
    sample: bool = Field(default=False, description="Whether it was made up, and is labelled so wherever it shows.")
    source: Text = Field(default="", description="Where it comes from.")
    licence: Text = Field(default="", description="What may be done with it.")


Line = Annotated[SetLine | QueryRecord | AnswerRecord | ReportRecord | VoteRecord, Field(discriminator="type")]
"""Any line of a file in our own format."""
