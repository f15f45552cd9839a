"""What callers see of plans, and what they send."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator

from easel_app.painting.stroke import Strict
from easel_app.plans.files import About, CallVote, FinalVote, GapsVote, GapVote, Note, PlanVote, PoolOrder
from easel_app.plans.records import Severity, Status
from easel_app.plans.reports import CallReport, GapReport, Inspector
from easel_app.services.prose import Node
from easel_app.services.views import RequestId

BlockNumber = Annotated[int, Field(ge=0, description="Number of a block, from 1; 0 is the place before the first.")]


class Inspection(BaseModel):
    """A judge's reports on a set."""

    inspection_id: str = Field(description="Names it in links and requests.")
    judge: str = Field(description="The judge's name: of its three inspectors together.")
    origin: Literal["run", "imported"] = Field(description="Asked here, or imported with data.")
    models: dict[Inspector, str] = Field(description="The model in each role, as far as it is known.")
    reports: dict[Inspector, int] = Field(description="Plans with a report of each inspector.")
    unscored: dict[Inspector, int] = Field(description="Plans on which each was asked and gave none.")


class PlanSet(BaseModel):
    """A set of plans."""

    set_id: str = Field(description="Names it in links and requests.")
    name: str = Field(description="How to show it.")
    sample: bool = Field(description="Whether it was made up.")
    about: dict[str, Any] = Field(description="`source` and `licence`.")
    queries: int = Field(description="How many.")
    answers: int = Field(description="Of all planners.")
    planners: list[str] = Field(description="Who planned, in alphabetical order.")
    categories: list[str] = Field(description="Of the queries, in alphabetical order.")
    inspections: list[Inspection] = Field(
        description="Judges with a report, the oldest first; GET /api/plans/inspections lists those without any, too."
    )
    reviewers: list[str] = Field(description="People with a vote on it, in alphabetical order.")
    unfinished: str | None = Field(description="Source of an import that was cut off; importing it again goes on.")


class Tools(BaseModel):
    """One of the tools of the registry."""

    name: str = Field(description="By which plans call it.")
    boundary: str = Field(description="What it is for, and what it is not for.")
    mark: Literal["stated", "published", "inferred"] = Field(
        description="Whether the benchmark states it, a published relative has it, or we infer it."
    )
    params: list[str] = Field(description="Its parameters.")


class ImageView(BaseModel):
    """An image of a query's pool."""

    index: int = Field(description="By which this plan cites it.")
    digest: str | None = Field(description="Of its file: GET /api/plans/pictures/{digest}; null when there is none.")
    width: int | None = Field(description="Pixels; null when there is no file.")
    height: int | None = Field(description="Pixels.")
    name: str = Field(description="As the data call it.")
    missing: str = Field(description="Why there is no file; empty when there is.")
    comes_with: str = Field(description="`query`, or `document 2`.")


class DocumentView(BaseModel):
    """A document that came with a query."""

    text: list[Node] = Field(description="Markdown as a tree.")
    images: list[int] = Field(description="Indices of its images.")


class PieceView(BaseModel):
    """A part of a plan as a document, in its order."""

    kind: Literal["text", "thinking", "call"] = Field(description="What it is.")
    block: int | None = Field(description="Its number as a block, or that of its first one; thinking has none.")
    last: int | None = Field(description="Of its last block: a list's item or a code block may span several.")
    nodes: list[Node] = Field(
        description="Of a text: Markdown as a tree, in which a number before the items of an `ol` is the first one's; "
        "of thinking: one `pre`; of a call: nothing."
    )
    call: int | None = Field(description="Of a call, its number.")


class ParamView(BaseModel):
    """A parameter of a call, to be shown as text."""

    name: str = Field(description="As the registry has it, or the call if the registry does not know it.")
    value: str = Field(description="A text as it is; anything else as JSON. What cannot be shown is marked.")
    text: bool = Field(description="Whether it is a text.")


class SeriesView(BaseModel):
    """Numbers of a chart that belong together."""

    name: str = Field(description="As the data call it.")
    values: list[float | None] = Field(description="Null where there is none.")


class ChartView(BaseModel):
    """What a call's data say, to be drawn without executing anything."""

    kind: Literal["bar", "line", "pie", "scatter"] = Field(description="How to draw it.")
    title: str = Field(description="Empty when there is none.")
    labels: list[str] = Field(description="Of the places on the x axis, or of the parts of a pie.")
    series: list[SeriesView] = Field(description="Each with as many values as there are labels.")
    x: list[float] | None = Field(description="Of a scatter or a line over numbers: where the values stand.")
    note: str = Field(description="What of the data is not drawn, and why; empty when all is.")


class ProblemView(BaseModel):
    """One problem of a plan."""

    code: str = Field(description="Stable name of it.")
    severity: Severity = Field(description="How much it matters.")
    area: Literal["format", "schema", "plan"] = Field(
        description="How the call is written, what it says, or the plan as a document."
    )
    explanation: str = Field(description="One sentence.")
    call: int | None = Field(description="The call that it belongs to, if any.")
    block: int | None = Field(description="The block that it stands in; null for the plan as such.")
    quote: str = Field(description="What stands there, shortened, with nothing in it that does not print.")


class PlanCall(BaseModel):
    """A tool call in its place."""

    id: int = Field(description="From 1, in the order of the text.")
    block: int = Field(description="Its number as a block.")
    tool: str | None = Field(description="Of the registry; null for one that it does not know, or a failed call.")
    called: str = Field(description="The tool as the call names it; empty if it names none.")
    status: Status = Field(description="How it was read.")
    description: str = Field(description="As it gives it; empty if it gives none.")
    params: list[ParamView] = Field(description="What it asks the tool for.")
    raw: str = Field(description="As it stands in the plan, shown as text.")
    problems: list[str] = Field(description="Codes of its problems, the gravest first.")
    severity: Severity | None = Field(description="Of the gravest problem.")
    image: ImageView | None = Field(description="Of the pool, for reference and edit whose index is in range.")
    chart: ChartView | None = Field(description="Of a code call whose data can be drawn.")
    no_chart: str = Field(
        description="Why a code call has no chart, in one sentence; empty when it has one, and for other calls."
    )
    code: str | None = Field(description="Of a code call that gives code, which is never run here.")
    format_score: Literal[0, 1, 2] = Field(description="By the rules alone: 2 strict, 1 lenient or repaired, 0 failed.")


class GapView(GapReport):
    """A gap with the place to show it at."""

    block: int | None = Field(description="The block whose text the quote stands in; null when it is not found.")


class PrecisionView(BaseModel):
    """The Precision Inspector's report, as far as it may be shown."""

    calls: list[CallReport] = Field(description="Only of calls whose verdict may be shown.")
    summary: str | None = Field(description="Null until the verdicts on all calls may be shown.")
    credit: dict[str, float | None] | None = Field(
        description="By policy over the calls, [0, 1]; null until all may be shown, a null value without calls."
    )


class RecallView(BaseModel):
    """The Recall Inspector's report."""

    gaps: list[GapView] = Field(description="Where a picture is missing.")
    mi: int = Field(description="Missed images: how many.")
    summary: str = Field(description="In words.")


class ConflictView(BaseModel):
    """Where the final score does not fit the other reports."""

    code: str = Field(description="Stable name of it.")
    explanation: str = Field(description="One sentence.")


class ChiefView(BaseModel):
    """The Chief Judge's report."""

    fs: int = Field(description="Final score, 0 to 100.")
    tier: str = Field(description="That it lies in.")
    meaning: str = Field(description="Of the tier, in words.")
    reason: str = Field(description="In words.")
    decisive_calls: list[int] = Field(description="Calls that made the difference.")
    decisive_gaps: list[int] = Field(description="Gaps that did.")
    conflicts: list[ConflictView] = Field(description="With the other two reports; nothing when they are not there.")


Standing = Literal["shown", "hidden", "unscored", "missing"]
"""Of a report: shown; hidden until a vote or a wish to see it; asked for in vain; never asked for."""


class JudgeReports(BaseModel):
    """What one judge says of a plan."""

    inspection_id: str = Field(description="Names the judge in links and requests.")
    judge: str = Field(description="Its name.")
    origin: Literal["run", "imported"] = Field(description="Asked here, or imported with data.")
    models: dict[Inspector, str] = Field(description="The model in each role, as far as it is known.")
    standing: dict[Inspector, Standing] = Field(description="`hidden` also while only some calls may be shown.")
    unscored: dict[Inspector, str] = Field(description="Why an inspector gave no report, where it might be shown.")
    precision: PrecisionView | None = Field(description="Null when nothing of it may be shown, or there is none.")
    recall: RecallView | None = Field(description="Null likewise.")
    chief: ChiefView | None = Field(description="Null likewise.")


class Mine(BaseModel):
    """What the person who asks has said of a plan, each their current word, with its note."""

    calls: dict[int, CallVote] = Field(description="By the number of the call.")
    gaps: GapsVote | None = Field(description="All gaps that they find; null when they have not said.")
    upheld: dict[str, bool] = Field(description="By `JUDGE/gap_id`.")
    fs: int | None = Field(description="Their final score.")
    plan: Literal["accept", "revise", "reject"] | None = Field(description="Their verdict on the plan as a whole.")
    notes: dict[str, str] = Field(description="By part: `call:3`, `gaps`, `gap:JUDGE/2`, `fs`, `plan`.")
    blind: dict[str, bool] = Field(description="By part: whether it counts as blind.")
    revealed: list[str] = Field(description="Parts of which others' words were shown, or `all`.")


class OthersVote(BaseModel):
    """What another person says, on a part that may be shown."""

    reviewer: str = Field(description="The person's name.")
    part: str = Field(description="As in `Mine.notes`.")
    content: CallVote | GapsVote | GapVote | FinalVote | PlanVote = Field(description="What they say.")
    note: str = Field(description="In words.")
    blind: bool = Field(description="Whether it was cast before others' words on the part were shown.")
    at: str = Field(description="When, ISO 8601.")


class Sibling(BaseModel):
    """Another answer to the same query."""

    answer: int | None = Field(description="Null for the data's own reference answer.")
    planner: str = Field(description="Who planned.")
    attempt: int = Field(description="Which of their attempts.")


class OverlapView(BaseModel):
    """How a set overlaps with that of the reference answer."""

    precision: float | None = Field(description="[0, 1].")
    recall: float | None = Field(description="[0, 1]; null when the reference is empty and the plan is not.")
    f1: float | None = Field(description="[0, 1].")


class Facts(BaseModel):
    """What can be said of a plan without any judge."""

    paragraphs: int = Field(description="Blocks of text.")
    calls: int = Field(description="How many.")
    tools: dict[str, int] = Field(description="Calls of each of the registry's tools.")
    statuses: dict[str, int] = Field(description="Calls by how they were read.")
    tool_set: OverlapView | None = Field(description="Null without a reference answer.")
    image_set: OverlapView | None = Field(description="Of the images that reference calls cite, likewise.")
    image_order: float | None = Field(
        description="1 less the edit distance of both lists of images over the longer one; null without a reference."
    )
    duplicates: int | None = Field(description="Citations of an image cited before.")
    out_of_range: int | None = Field(description="Null when the size of the pool is not known.")


class PlanView(BaseModel):
    """A plan as a document, with all that may be shown beside it."""

    answer: int | None = Field(description="Null for a reference answer.")
    set_id: str = Field(description="The set that it is in.")
    set_name: str = Field(description="How to show the set.")
    sample: bool = Field(description="Whether the set was made up.")
    query_id: str = Field(description="The query that it answers.")
    planner: str = Field(description="`reference answer` for the data's own.")
    attempt: int = Field(description="Which of the planner's attempts.")
    category: str | None = Field(description="Of the query.")
    intent: str | None = Field(description="Of the query.")
    title: str = Field(description="The query's first sentence, shortened.")
    query: list[Node] = Field(description="Markdown as a tree.")
    pool: list[ImageView] = Field(description="The images that the plan may cite, by index.")
    documents: list[DocumentView] = Field(description="That came with the query.")
    index_base: Literal[0, 1] = Field(description="Index of the first image.")
    pool_order: PoolOrder = Field(description="Whose images come first.")
    no_output: str = Field(description="Why there is no answer; empty when there is one.")
    note: str = Field(description="What to say of it, such as why it is shown raw.")
    origin: str = Field(description="The format that it was imported from.")
    pieces: list[PieceView] = Field(description="The plan as a document.")
    calls: list[PlanCall] = Field(description="All of them, by number.")
    problems: list[ProblemView] = Field(description="By their place.")
    facts: Facts = Field(description="What can be said without a judge.")
    judges: list[JudgeReports] = Field(description="The oldest first.")
    mine: Mine | None = Field(description="Null without a reviewer's token.")
    others: list[OthersVote] = Field(description="What others say, on the parts that may be shown.")
    siblings: list[Sibling] = Field(description="The other answers, then the reference answer if there is one.")


class PlanOutline(BaseModel):
    """A plan in a list."""

    answer: int = Field(description="Names it in links and requests.")
    query_id: str = Field(description="The query that it answers.")
    planner: str = Field(description="Who planned.")
    attempt: int = Field(description="Which of their attempts.")
    category: str | None = Field(description="Of the query.")
    title: str = Field(description="The query's first sentence, shortened.")
    calls: int = Field(description="How many.")
    tools: dict[str, int] = Field(description="Calls of each of the registry's tools.")
    problems: dict[Severity, int] = Field(description="By severity.")
    codes: list[str] = Field(description="Problem codes, each once, the gravest first.")
    no_output: bool = Field(description="Whether there is no answer.")
    fs: int | None = Field(description="Of the judge that was named, where it may be shown.")
    gaps: int | None = Field(description="How many that judge reports, where it may be shown.")
    plan: Literal["accept", "revise", "reject"] | None = Field(description="The asking person's verdict.")
    done: float = Field(description="Share of the parts (calls, gaps, FS, plan) that the asking person voted on.")


class PlanPage(BaseModel):
    """Plans of a set that fit the filters."""

    plans: list[PlanOutline] = Field(description="By query, then by planner.")
    total: int = Field(description="That fit.")
    of: int = Field(description="In the set.")
    next: int | None = Field(description="Offset of the next page.")


class Step(BaseModel):
    """Where a plan stands among those that fit the filters."""

    place: int | None = Field(description="Counted from 1; null when it does not fit.")
    total: int = Field(description="That fit.")
    previous: int | None = Field(description="The answer before it; null for the first.")
    next: int | None = Field(description="The answer after it; null for the last.")
    open: int | None = Field(
        description="The next other answer on which the asking person has open parts, from the first again after the "
        "last; null: none."
    )


class PlanVoteBody(Strict):
    """A person's word on a part of a plan."""

    about: About = Field(description="What it is about.")
    key: str = Field(default="", max_length=200, description="A call's number; `JUDGE/gap_id` for a judge's gap.")
    content: CallVote | GapsVote | GapVote | FinalVote | PlanVote | None = Field(
        discriminator="about", description="Null takes the earlier word back."
    )
    note: Note = Field(default="", description="Markdown is shown as text.")
    request_id: RequestId = Field(
        description="Chosen by the caller, new for each vote. A repeat of a known id changes nothing."
    )

    @field_validator("content")
    @classmethod
    def _once(cls, content: Any) -> Any:
        if isinstance(content, GapsVote) and content.twice:
            raise ValueError(f"{content.twice}; leave one out, or say by its note what else is missing")
        return content


class Revealing(Strict):
    """A wish to see what others say without voting first."""

    part: str = Field(default="all", max_length=250, description="`all`, `call:3`, `gaps`, `fs` or `plan`.")
