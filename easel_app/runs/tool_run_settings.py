"""What a tool run is: settings that decide a model's answers with tools, and a plan for one sitting.

As with judgings and plannings, equal settings are one tool run, which the same wish goes on with. What decides an
answer is kept with it (`rubrics.records.Conditions`), and the run's id is its origin.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from easel_app.rubrics.records import Tools
from easel_app.rubrics.tool_prompts import VERSIONS
from easel_app.rubrics.tools.descriptions import VERSION
from easel_app.runs.planning_settings import Unanswered
from easel_app.runs.settings import LONGEST_NAME, Key, Limits, OwnName, StoredSettings, Text, identifier, part_of
from easel_app.services.endpoints import endpoint_of

MOST_ROUNDS = 20
"""Rounds of a turn, as published."""
FAMILY: Final = "family"
"""What the model's family is asked with by the published settings."""
SAMPLE = "sample"
"""The cassette of the samples."""
CASSETTE_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"
CassetteName = Annotated[str, StringConstraints(pattern=CASSETTE_NAME)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Effort = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20, pattern=r"^[a-z0-9]+$")]


class ToolRunSettings(StoredSettings):
    """What decides a model's answers; two tool runs of equal settings are one."""

    set_id: str = Field(max_length=120, description="The rubric set whose tasks are answered.")
    base_url: Text = Field(
        description="Where the model answers, in the manner of OpenAI's chat completions, up to and with /v1.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    model: OwnName = Field(description="Name of the model at its endpoint.", examples=["qwen3-vl-32b"])
    player: OwnName | None = Field(
        default=None, description="How to call its answers; null: like the model, with what differs from the standard."
    )
    prompt: Literal["strong", "medium", "weak"] = Field(default="strong", description="Which system prompt.")
    tools: Tools = Field(default=Tools.ALL, description="Which tools are offered.")
    history: Literal["golden", "own"] = Field(
        default="golden",
        description="What stands for earlier turns: the golden answers, as published, or the model's own.",
    )
    temperature: Temperature | Literal["family"] | None = Field(
        default=FAMILY,
        description="`family`: as published for models of its family; null: left to the endpoint.",
    )
    effort: Effort | None = Field(
        default=FAMILY, description="Of reasoning: `family`, as published; or such as `high`; null: not sent."
    )
    max_tokens: int | None = Field(
        default=None, ge=1, le=10**7, description="Longest reply; left out of requests when null."
    )
    most_rounds: int = Field(default=MOST_ROUNDS, ge=1, le=100, description="Rounds of a turn.")
    variables: Literal["fresh", "kept"] = Field(
        default="fresh",
        description="Whether each call of code begins anew, or finds the variables of the one before; files stay.",
    )
    pictures: Literal["auto", "tool", "user"] = Field(
        default="auto",
        description="Where pictures of tools go: into the tool's own message, or into a user message after it; `auto`: "
        "the former, unless the endpoint refuses it.",
    )
    longest: int = Field(
        default=2048, ge=128, le=8192, description="Pixels of the longer side of a picture as the model is shown it."
    )
    network: Literal["recorded", "service", "off"] = Field(
        default="recorded",
        description="What answers search, pages and weather: a cassette, the services that the host configured, "
        "or nobody.",
    )
    cassette: CassetteName | None = Field(default=None, description="Which cassette; null: the one of the samples.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        endpoint_of(self.base_url, self.model)
        if len(self.name) > LONGEST_NAME:
            raise ValueError(f"a player's name has at most {LONGEST_NAME} characters; give a shorter one by player")
        return self

    @property
    def name(self) -> str:
        """How its answers are called: the model, and what sets it apart from the standard."""
        if self.player:
            return self.player
        apart = (
            f"{self.prompt} prompt" if self.prompt != "strong" else "",
            {Tools.ALL: "", Tools.NO_VISION: "no vision tool", Tools.NONE: "no tools"}[self.tools],
            "own history" if self.history == "own" else "",
            "variables kept" if self.variables == "kept" else "",
        )
        told = ", ".join(filter(None, apart))
        return f"{self.model} ({told})" if told else self.model

    @property
    def run_id(self) -> str:
        """The id of the tool run."""
        return identifier(self.name, self.identity)

    @property
    def identity(self) -> dict[str, object]:
        """The settings with the versions of the system prompt and of what is told of the tools."""
        cassette = (self.cassette or SAMPLE) if self.network == "recorded" else None
        versions = {"prompt_version": VERSIONS[self.prompt], "tools_version": VERSION}
        return {**self.model_dump(mode="json"), "cassette": cassette, **versions}


class JudgeWish(Limits):
    """A judge that grades what a tool run brings, as soon as it is through, within limits of its own."""

    base_url: Text | None = Field(default=None, description="Where it answers; null: at the model's endpoint.")
    model: OwnName = Field(description="Its name there.", examples=["o4-mini"])
    required: int = Field(default=2, ge=1, le=20, description="People who vote on each entry of the queue made then.")


class ToolRunPlan(Limits):
    """What may differ from one sitting to the next."""

    tasks: tuple[Annotated[str, StringConstraints(max_length=128)], ...] | None = Field(
        default=None, max_length=2000, description="Ids of tasks; null: all of the set."
    )
    most: int | None = Field(
        default=None, ge=1, le=10**9, description="So many tasks at most, drawn by `seed`; null: all of them."
    )
    seed: int = Field(default=0, ge=0, lt=2**32, description="Of the draw.")
    repeats: int = Field(default=1, ge=1, le=100, description="Attempts at each task.")
    concurrency: int = Field(default=4, ge=1, le=64, description="Attempts under way at a time.")
    judge: JudgeWish | None = Field(default=None, description="Who judges the answers at the end; null: nobody.")
    record: CassetteName | None = Field(
        default=None, description="Record what the services answer, into the cassette of that name."
    )

    @model_validator(mode="after")
    def _own(self) -> Self:
        if self.record == SAMPLE:
            raise ValueError(f"the cassette {SAMPLE} is the samples' own; record into another one")
        return self


class NewToolRun(ToolRunSettings, ToolRunPlan):
    """What is needed to begin a tool run or to go on with it."""

    key: Key = None
    judge_key: Key = None
    """Of the judge; where it is asked at the model's endpoint, null is the model's key."""

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        endpoint_of(self.base_url, self.model, self.key)
        if self.judge:
            endpoint_of(self.judge.base_url or self.base_url, self.judge.model, self.judge_key)
        if self.record and self.network != "service":
            raise ValueError("only what services answer can be recorded, so record needs network service")
        return self

    @property
    def settings(self) -> ToolRunSettings:
        """The part that is the tool run's identity."""
        return part_of(self, ToolRunSettings)

    @property
    def plan(self) -> ToolRunPlan:
        """The part that is for this sitting."""
        return part_of(self, ToolRunPlan)


class Underway(BaseModel):
    """An attempt under way."""

    task_id: str = Field(description="At which task.")
    attempt: int = Field(description="Counted from 1.")
    turn: int = Field(description="Its turn, counted from 1.")
    turns: int = Field(description="Turns of the task.")
    round: int = Field(description="Its round of that turn, counted from 1.")
    doing: str = Field(description="`model` while the model is asked, else the tool that is called.")


class ToolRunView(BaseModel):
    """A tool run as it is now."""

    run_id: str = Field(description="Name of the tool run in links and requests; the origin of its answers.")
    set_id: str = Field(description="The set whose tasks are answered.")
    player: str = Field(description="How its answers are called.")
    settings: dict[str, Any] = Field(description="What decides its answers, with the version of the prompt.")
    plan: dict[str, Any] = Field(description="What was planned for the last sitting.")
    created_at: str = Field(description="When it began, ISO 8601 in UTC.")
    state: Literal["running", "judging", "finished", "stopped", "interrupted"] = Field(
        description="`judging`: all is answered, and the judge is at work; `finished`: all of the plan is done; "
        "`stopped`: on demand, by a limit or by an endpoint; `interrupted`: the server ended meanwhile."
    )
    reason: str = Field(description="Why it stopped and what to do, in one sentence; else empty.")
    total: int = Field(description="Attempts that the last plan asks for.")
    done: int = Field(description="Those of them whose answers are stored.")
    endings: dict[str, int] = Field(description="Turns of those answers, by how they ended.")
    unanswered: list[Unanswered] = Field(description="Why attempts of the last sitting have no answer.")
    under_way: list[Underway] = Field(description="Attempts under way.")
    rounds: int = Field(description="Rounds of all attempts: calls of the model on record.")
    tool_calls: int = Field(description="Calls of tools on record.")
    by_tool: dict[str, int] = Field(description="Those calls by the tool's name as it was sent.")
    calls: int = Field(description="Calls of the model on record, earlier sittings included.")
    prompt_tokens: int = Field(description="Of those calls.")
    completion_tokens: int = Field(description="Of those calls.")
    cost: float | None = Field(description="What they cost; null when no price is known.")
    elapsed: float = Field(description="Seconds of all sittings; of one that was cut off nothing is known.")
    eta: float | None = Field(description="Seconds that it will still take at this pace; null when not known.")
    trouble: str = Field(description="Why the endpoint gave no answer when it was asked last; empty when it answers.")
    left_out: list[str] = Field(description="Parameters, such as `temperature`, that the endpoint does not take.")
    sandbox_off: str = Field(description="Why the two tools that run code are off; empty when they are not.")
    judged: int = Field(default=0, description="Items of answers that the judge at work is through with.")
    to_judge: int = Field(default=0, description="Items that it was given; 0 when no judge is at work.")
    judging_id: str | None = Field(description="The judging of its answers; null as long as there is none.")
    queue_id: str | None = Field(description="The review queue of its answers; null as long as there is none.")
