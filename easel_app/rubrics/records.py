"""What is graded: tasks with rubrics, models' answers with their tool calls, and what judges and people say of them.

These models are also the studio's own file format, `easel-rubrics/1`: JSON lines, each an object whose `type` names the
record (docs/rubric-format.md). Where other formats are imported, they become these records first.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from easel_app.sources.fields import Identifier, Label, Picture, Record, Words, storable

FORMAT: Final = "easel-rubrics/1"
MOST_ANSWER = 1024 * 1024
"""Characters of an answer of one turn; no model answers as much."""
MOST_TEXT = 100_000
"""Characters of a prompt, a golden answer or a tool trajectory."""
MOST_TURNS = 32
MOST_ITEMS = 200
"""Rubric items of one turn."""
MOST_CALLS = 500
"""Tool calls of one turn."""
MOST_PICTURES = 64
"""Pictures of one turn, or of one call."""
MOST_DATA = MOST_ANSWER
"""Characters in all of a call's arguments, or of what came back."""
MOST_DEEP = 64
"""Objects and lists within each other in them."""
MOST_ROUNDS = 1000
"""Rounds of one turn."""


class Verdict(StrEnum):
    """What a judge or a person says of one rubric item of one answer; having said nothing is none of these."""

    MET = "met"
    NOT_MET = "not_met"
    CANNOT_ASSESS = "cannot_assess"


PUBLISHED = {"Met": Verdict.MET, "Not Met": Verdict.NOT_MET}
"""The two verdicts as the benchmark's files spell them, and as `scoring.rubric` takes them."""
SPELLED = {verdict: word for word, verdict in PUBLISHED.items()}


class ErrorKind(StrEnum):
    """Why an answer misses an item: the paper's four kinds, with what visual perception can fail at told apart.

    The paper (arXiv 2510.12712, table 4) names visual perception, reasoning, calculation and others; reviewers found
    the first too broad, hence its three parts, which are ours.
    """

    NO_TOOL = "visual_perception.no_tool"
    """No tool was called to see better."""
    WRONG_VIEW = "visual_perception.wrong_view"
    """A tool was called with wrong code or on the wrong region."""
    MISREAD = "visual_perception.misread"
    """The right view was there and was still misread."""
    REASONING = "reasoning"
    CALCULATION = "calculation"
    OTHER = "other"


class Category(StrEnum):
    """What a task tests (`eval_focus`)."""

    REGION_SWITCH = "region_switch"
    HYBRID_TOOL_REASONING = "hybrid_tool_reasoning"
    FOLLOW_UP = "follow_up"
    TEMPORAL = "temporal"
    PROGRESSIVE = "progressive"


def _storable_data(value: Any) -> Any:
    """JSON of a model's or a tool's making, bounded in depth and size, with nothing in it that cannot be stored."""
    left = MOST_DATA

    def walk(value: Any, deep: int) -> Any:
        nonlocal left
        if deep > MOST_DEEP:
            raise ValueError(f"it is nested more than {MOST_DEEP} deep")
        left -= len(value) if isinstance(value, str) else 1
        if left < 0:
            raise ValueError(f"it holds more than {MOST_DATA:,} characters")
        if isinstance(value, dict):
            return {walk(name, deep): walk(item, deep + 1) for name, item in value.items()}
        return [walk(item, deep + 1) for item in value] if isinstance(value, list) else storable(value)

    return walk(value, 0)


Text = Annotated[Words, StringConstraints(max_length=MOST_TEXT)]
Data = Annotated[Any, BeforeValidator(_storable_data)]
TurnNumber = Annotated[int, Field(ge=1, le=MOST_TURNS, description="The turn, counted from 1.")]
RoundNumber = Annotated[int, Field(ge=1, le=MOST_ROUNDS, description="The round, counted from 1.")]


class RubricItem(Record):
    """One criterion of one turn."""

    id: Identifier = Field(description="Unique within its turn.")
    description: Annotated[Words, StringConstraints(min_length=1, max_length=4000)] = Field(description="What to meet.")
    weight: int = Field(ge=1, le=5, strict=True, description="1 to 5; from 4 on the item is critical.")
    critical: bool | None = Field(default=None, description="The data set's flag; it may differ from the weight.")
    objectivity: Literal["objective", "subjective"] | None = Field(default=None, description="As annotated.")
    explicitness: Literal["explicit", "implicit"] | None = Field(default=None, description="As annotated.")
    categories: tuple[Label, ...] = Field(default=(), max_length=16, description="Such as `truthfulness`.")
    final_answer: bool | None = Field(default=None, description="Whether it is about the final answer.")


class Turn(Record):
    """One prompt of a task, with what a good answer is measured by."""

    prompt: Text = Field(description="What the model is asked.")
    golden_answer: Text | None = Field(default=None, description="What an expert answered.")
    tool_trajectory: Text | None = Field(default=None, description="The expert's chain of tools, as text.")
    pictures: tuple[Picture, ...] = Field(default=(), max_length=MOST_PICTURES, description="Shown with the prompt.")
    rubric: tuple[RubricItem, ...] = Field(default=(), max_length=MOST_ITEMS, description="The turn's criteria.")

    @model_validator(mode="after")
    def _once(self) -> Turn:
        seen: set[str] = set()
        for item in self.rubric:
            if item.id in seen:
                raise ValueError(f"the rubric holds the id {item.id!r} twice; give every item of a turn its own")
            seen.add(item.id)
        return self


class Task(Record):
    """What models are asked, over one turn or several."""

    type: Literal["task"] = "task"
    id: Identifier = Field(description="Unique within its set.")
    category: Identifier | None = Field(default=None, description="What it tests (`eval_focus`).")
    domain: Identifier | None = Field(default=None, description="Its field (`prompt_category`), such as `finance`.")
    turns: tuple[Turn, ...] = Field(min_length=1, max_length=MOST_TURNS, description="In order.")

    @property
    def turn_kind(self) -> Literal["single-turn", "multi-turn"]:
        """As the benchmark calls it (`turncase`)."""
        return "single-turn" if len(self.turns) == 1 else "multi-turn"


class Ending(StrEnum):
    """How a turn of a model's answer came to its end."""

    ANSWERED = "answered"
    """The model answered without a further call."""
    MOST_ROUNDS = "most_rounds"
    """It still called tools in the last round that it had; the text is a fixed sentence."""
    CUT_OFF = "cut_off"
    """Its answer was cut off at its longest length."""
    REFUSED = "refused"
    """It refused, or a filter of its endpoint did."""
    EMPTY = "empty"
    """It said nothing and called nothing."""


class Tools(StrEnum):
    """Which tools a model is offered: the ablations of the paper (arXiv 2510.12712)."""

    ALL = "all"
    NO_VISION = "no_vision"
    """All but `python_image_processing`."""
    NONE = "none"


class Conditions(Record):
    """Under what conditions an answer was made; what is not known is null."""

    model: Label = Field(description="Name of the model at its endpoint.")
    prompt: Literal["strong", "medium", "weak"] | None = Field(default=None, description="Which system prompt.")
    prompt_version: Label | None = Field(default=None, description="Of the prompt's words.")
    tools: Tools | None = Field(default=None, description="Which tools were offered.")
    history: Literal["golden", "own"] | None = Field(
        default=None, description="What stood for its earlier turns: golden answers, as published, or its own."
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="Null: left to the endpoint.")
    effort: Label | None = Field(default=None, description="Of reasoning, such as `medium`.")
    sandbox: Literal["fresh", "kept"] | None = Field(
        default=None, description="Whether variables of the code live from call to call."
    )
    backends: dict[Label, Label] = Field(default_factory=dict, max_length=8, description="What answers tools, by tool.")


class ToolCall(Record):
    """One call that a model made, and what came back."""

    name: Words = Field(max_length=200, description="The tool's name as the model sent it.")
    arguments: Data = Field(default=None, description="As sent: an object, or text that could not be read as one.")
    observation: Data = Field(default=None, description="What the tool returned; null when nothing did.")
    pictures: tuple[Picture, ...] = Field(default=(), max_length=MOST_PICTURES, description="Pictures that it made.")
    round: RoundNumber | None = Field(default=None, description="In which round; several calls may share one.")
    latency: float | None = Field(default=None, ge=0, description="Seconds until it came back.")


class Remark(Record):
    """What a model said in a round beside its tool calls."""

    round: RoundNumber
    text: Annotated[Words, StringConstraints(min_length=1, max_length=MOST_ANSWER)] = Field(description="Untrusted.")


class AnswerTurn(Record):
    """A model's answer to one turn."""

    text: Annotated[Words, StringConstraints(max_length=MOST_ANSWER)] = Field(description="Markdown, untrusted.")
    calls: tuple[ToolCall, ...] = Field(default=(), max_length=MOST_CALLS, description="In the order made.")
    rounds: int | None = Field(default=None, ge=0, description="Rounds of the model, each of any number of calls.")
    remarks: tuple[Remark, ...] = Field(default=(), max_length=MOST_CALLS, description="In the order said.")
    ended: Ending | None = Field(default=None, description="How the turn came to its text; null where not known.")


class Answer(Record):
    """One attempt of a model at a task."""

    type: Literal["answer"] = "answer"
    task_id: Identifier
    model: Label = Field(description="Whose answer it is: the model's name, with what sets a variant of it apart.")
    attempt: int = Field(default=1, ge=1, le=1000, description="Tells several answers of one model apart.")
    conditions: Conditions | None = Field(default=None, description="How it was made; null where not known.")
    origin: Annotated[Words, StringConstraints(max_length=120)] = Field(
        default="", description="The tool run that made it; empty for answers from elsewhere."
    )
    turns: tuple[AnswerTurn, ...] = Field(min_length=1, max_length=MOST_TURNS, description="One for each of its turns.")


class Judged(Record):
    """One rubric item of one answer: what a verdict is about."""

    task_id: Identifier
    model: Label
    attempt: int = Field(default=1, ge=1, le=1000)
    turn: TurnNumber = 1
    item_id: Identifier


class JudgeVerdict(Judged):
    """What an LLM judge says of an item; no verdict has a reason in `unscored`."""

    type: Literal["verdict"] = "verdict"
    judge: Label = Field(description="The judge's name.")
    verdict: Literal[Verdict.MET, Verdict.NOT_MET] | None = None
    reason: Text = Field(default="", description="Why, in the judge's words.")
    evidence: Text = Field(default="", description="What the judge quotes from the answer.")
    unscored: Words = Field(default="", max_length=2000, description="Why there is no verdict; empty when there is.")

    @model_validator(mode="after")
    def _one_of_both(self) -> JudgeVerdict:
        if (self.verdict is None) != bool(self.unscored):
            raise ValueError("a verdict is met or not_met, or it is null with the reason in unscored")
        return self


class Vote(Judged):
    """What a person says of an item. Votes only ever grow: a change is a later one."""

    type: Literal["vote"] = "vote"
    reviewer: Label
    role: Literal["review", "adjudication"] = "review"
    verdict: Verdict | None = Field(description="Null takes the person's earlier verdict back.")
    confidence: int | None = Field(default=None, ge=1, le=3, description="1 low, 2 medium, 3 high.")
    note: Annotated[Words, StringConstraints(max_length=4000)] = ""
    error: ErrorKind | None = Field(default=None, description="Why the answer misses the item.")
    blind: bool = Field(description="Whether it was cast before the judge's verdict was shown; only such ones count.")
    at: str = Field(default="", max_length=40, description="When, ISO 8601.")


class SetLine(Record):
    """First line of a file in our own format; all of it may be left out."""

    type: Literal["set"] = "set"
    format: Literal["easel-rubrics/1"] = FORMAT
    name: Label | None = None
    sample: bool = Field(default=False, description="Whether it was made up, and is labelled so wherever it shows.")
    source: Text = Field(default="", description="Where it comes from.")
    licence: Text = Field(default="", description="What may be done with it.")


Line = Annotated[SetLine | Task | Answer | JudgeVerdict | Vote, Field(discriminator="type")]
"""Any line of a file in our own format."""
