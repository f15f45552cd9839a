"""What a planning is: settings that decide a planner's answers, and a plan for one sitting.

As with judgings, equal settings are one planning, which the same wish goes on with. What decides an answer is kept with
it: the id of its planning as its origin, and the settings in words as its note.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, Field, model_validator

from easel_app.plans.prompting import PROMPTS, Shots
from easel_app.runs.settings import LONGEST_NAME, Key, Limits, OwnName, StoredSettings, Text, identifier, part_of
from easel_app.services.endpoints import endpoint_of


class PlannerSettings(StoredSettings):
    """What decides a planner's answers; two plannings of equal settings are one planning."""

    set_id: str = Field(max_length=120, description="The set whose queries are answered.")
    base_url: Text = Field(
        description="Where the planner answers, in the manner of OpenAI's chat completions, up to and with /v1.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    model: Text = Field(description="Name of the planner's model at its endpoint.", examples=["qwen3-vl-32b"])
    planner: OwnName | None = Field(
        default=None, description="How to call the planner; null: like its model, with its examples told."
    )
    shots: Shots = Field(default=0, description="Worked examples that go before: none, or three.")
    pictures: Literal["none", "pool"] = Field(
        default="none", description="`none`: the pool is listed; `pool`: its pictures are sent along, made small."
    )
    index_base: Literal[0, 1] = Field(default=0, description="Index of the pool's first picture.")
    temperature: float | None = Field(
        default=0.0, ge=0, le=2, description="Left out of requests when null, or where the endpoint does not take it."
    )
    max_tokens: int | None = Field(
        default=None, ge=1, le=10**7, description="Longest reply; left out of requests when null."
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        endpoint_of(self.base_url, self.model)
        if len(self.name) > LONGEST_NAME:
            raise ValueError(f"a planner's name has at most {LONGEST_NAME} characters; give a shorter one by planner")
        return self

    @property
    def name(self) -> str:
        """The planner's name."""
        return self.planner or (f"{self.model} ({self.shots}-shot)" if self.shots else self.model)

    @property
    def prompt(self) -> str:
        """The version of what a planner is asked."""
        return PROMPTS[self.shots]

    @property
    def identity(self) -> dict[str, object]:
        """The settings with that version."""
        return {**self.model_dump(mode="json"), "prompt": self.prompt}

    @property
    def planning_id(self) -> str:
        """The id of the planning."""
        return identifier(self.name, self.identity)

    @property
    def told(self) -> str:
        """The settings in one sentence."""
        shots = "three examples" if self.shots else "no example"
        pictures = "the pictures of the pool" if self.pictures == "pool" else "no pictures"
        warmth = "" if self.temperature is None else f", temperature {self.temperature:g}"
        cut = "" if self.max_tokens is None else f", at most {self.max_tokens:,} tokens"
        return f"Made by {self.model} with prompt {self.prompt}, {shots}, {pictures}{warmth}{cut}."


class PlanningPlan(Limits):
    """What may differ from one sitting to the next."""

    most: int | None = Field(
        default=None,
        ge=1,
        le=10**9,
        description="Answer so many queries at most, drawn by `seed`; a larger number goes on with the draw of a "
        "smaller one. Null: all of them.",
    )
    seed: int = Field(default=0, ge=0, lt=2**32, description="Of the draw.")
    attempts: int = Field(default=1, ge=1, le=100, description="Answers to each query.")


class NewPlanning(PlannerSettings, PlanningPlan):
    """What is needed to begin a planning or to go on with it."""

    key: Key = None

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        endpoint_of(self.base_url, self.model, self.key)
        return self

    @property
    def settings(self) -> PlannerSettings:
        """The part that is the planning's identity."""
        return part_of(self, PlannerSettings)

    @property
    def plan(self) -> PlanningPlan:
        """The part that is for this sitting."""
        return part_of(self, PlanningPlan)


class Unanswered(BaseModel):
    """Why queries were left without anything stored."""

    reason: str = Field(description="In one sentence.")
    queries: int = Field(description="How many.")


class PlanningView(BaseModel):
    """A planning as it is now."""

    planning_id: str = Field(description="Name of the planning in links and requests; the origin of its answers.")
    set_id: str = Field(description="The set whose queries are answered.")
    planner: str = Field(description="The planner's name.")
    settings: dict[str, Any] = Field(description="What decides its answers, with the version of the prompt.")
    plan: dict[str, Any] = Field(description="What was planned for the last sitting.")
    state: Literal["running", "finished", "stopped"] = Field(
        description="`finished`: every query of the plan was asked; `stopped`: on demand, by a limit, by the endpoint."
    )
    reason: str = Field(description="Why it stopped and what to do, in one sentence; else empty.")
    total: int = Field(description="Answers that the last plan asks for.")
    done: int = Field(description="Those of them that are stored, refusals included.")
    no_output: int = Field(description="Answers of the last sitting that are refusals or empty.")
    unanswered: list[Unanswered] = Field(description="Why queries of the last sitting have nothing stored.")
    calls: int = Field(description="Calls behind all answers of the planner, earlier sittings included.")
    prompt_tokens: int = Field(description="Of those calls.")
    completion_tokens: int = Field(description="Of those calls.")
    cost: float | None = Field(description="What they cost; null when no price is known.")
    eta: float | None = Field(description="Seconds that it will still take at this pace; null when not known.")
    trouble: str = Field(description="Why the endpoint gave no answer when it was asked last; empty when it answers.")
    left_out: list[str] = Field(description="Parameters, such as `temperature`, that the endpoint does not take.")
