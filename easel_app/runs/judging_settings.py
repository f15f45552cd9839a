"""What a judging is: settings that make it another judge or the same, and a plan for one sitting.

As with runs (`runs.settings`), equal settings are one judging, which the same wish goes on with; the plan may change.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from easel_app.rubrics.judge import PROMPT, SYSTEM
from easel_app.runs.judge_views import JudgeView
from easel_app.runs.settings import LONGEST_NAME, Key, Limits, OwnName, StoredSettings, Text, identifier, part_of
from easel_app.services.endpoints import endpoint_of


class JudgeSettings(StoredSettings):
    """What decides a judge's verdicts; two judgings of equal settings are one judging."""

    set_id: str = Field(max_length=120, description="The rubric set whose answers are judged.")
    base_url: Text = Field(
        description="Where the judge answers, in the manner of OpenAI's chat completions, up to and with /v1.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    model: Text = Field(description="Name of the judge's model at its endpoint.", examples=["o4-mini"])
    name: OwnName | None = Field(default=None, description="How to call the judge; null: like its model.")
    pictures: Literal["none", "task"] = Field(
        default="none",
        description="`none`: text only, as published; `task`: with the pictures of the turn, made small.",
    )
    temperature: float | None = Field(
        default=0.0, ge=0, le=2, description="Left out of requests when null, or where the endpoint does not take it."
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        endpoint_of(self.base_url, self.model)
        if len(self.judge) > LONGEST_NAME:
            raise ValueError(f"a judge's name has at most {LONGEST_NAME} characters; give a shorter one by name")
        return self

    @property
    def judge(self) -> str:
        """The judge's name."""
        return self.name or self.model

    @property
    def identity(self) -> dict[str, object]:
        """The settings with the version of what a judge is asked."""
        return {**self.model_dump(mode="json"), "prompt": PROMPT}

    @property
    def stored(self) -> dict[str, object]:
        """The identity, with the words behind that version."""
        return {**self.identity, "system": SYSTEM}

    @property
    def judging_id(self) -> str:
        """The id of the judging."""
        return identifier(self.judge, self.identity)


class JudgePlan(Limits):
    """What may differ from one sitting to the next."""

    models: tuple[Annotated[str, StringConstraints(max_length=80)], ...] | None = Field(
        default=None, max_length=200, description="Only answers of these models; null: of all."
    )
    most_items: int | None = Field(
        default=None,
        ge=1,
        le=10**9,
        description="Judge so many items of answers at most, drawn by `seed`; a larger number goes on with the draw of "
        "a smaller one. Null: all of them.",
    )
    seed: int = Field(default=0, ge=0, lt=2**32, description="Of the draw.")


class NewJudging(JudgeSettings, JudgePlan):
    """What is needed to begin a judging or to go on with it."""

    key: Key = None

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        endpoint_of(self.base_url, self.model, self.key)
        return self

    @property
    def settings(self) -> JudgeSettings:
        """The part that is the judging's identity."""
        return part_of(self, JudgeSettings)

    @property
    def plan(self) -> JudgePlan:
        """The part that is for this sitting."""
        return part_of(self, JudgePlan)


class JudgingView(JudgeView):
    """A judging as it is now."""

    judging_id: str = Field(description="Name of the judging in links and requests.")
    met: int = Field(description="Items of answers that are met, in all sittings.")
    not_met: int = Field(description="Items that are not met.")
    unscored: int = Field(description="Items that were asked about and have no verdict; they are asked about again.")
