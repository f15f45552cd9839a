"""What an inspection is: settings that make it another judge or the same, and a plan for one sitting.

As with judgings (`runs.judging_settings`), equal settings are one inspection, which the same wish goes on with; the
plan may change. A judge is all three inspectors together: one model in three roles, or a model for each.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, SecretStr, StringConstraints, model_validator

from easel_app.painting.stroke import Strict
from easel_app.plans.inspectors import PROMPTS, SYSTEMS
from easel_app.plans.reports import INSPECTORS, Inspector
from easel_app.runs.judge_views import JudgeView
from easel_app.runs.settings import LONGEST_NAME, Limits, OwnName, StoredSettings, Text, identifier, part_of
from easel_app.services.endpoints import endpoint_of

NOTE: Final = (
    "Absolute scores do not carry over between judges: as published, the same plans of InternVL3.5-14B have SR 11.46 "
    "under Gemini 2.5 Pro and 68.30 under GPT-5. Compare planners under one judge only, and judges by their ranks."
)
ONE_MODEL: Final = "One model has all three roles, so its reports are no three votes, and they share its blind spots."
_Key = Annotated[SecretStr, Field(max_length=4000)]
_ROLE: Final = ("base_url", "model", "temperature")


class RoleSettings(Strict):
    """Which model has a role."""

    base_url: Text = Field(
        description="Where the model answers, in the manner of OpenAI's chat completions, up to and with /v1.",
        examples=["http://127.0.0.1:8000/v1"],
    )
    model: Text = Field(description="Name of the model at its endpoint.", examples=["gemini-2.5-pro"])
    temperature: float | None = Field(
        default=0.0, ge=0, le=2, description="Left out of requests when null, or where the endpoint does not take it."
    )

    @model_validator(mode="after")
    def _complete(self) -> Self:
        endpoint_of(self.base_url, self.model)
        return self


class InspectionSettings(StoredSettings):
    """What decides a judge's reports; two inspections of equal settings are one inspection."""

    set_id: str = Field(max_length=120, description="The set whose plans are inspected.")
    precision: RoleSettings = Field(description="Who judges each call.")
    recall: RoleSettings = Field(description="Who finds what is missed.")
    chief: RoleSettings = Field(description="Who reads both reports and gives the final score.")
    name: OwnName | None = Field(default=None, description="How to call the judge; null: like its models.")
    pictures: Literal["none", "pool"] = Field(
        default="none", description="`none`: the pool as a list; `pool`: with its pictures, made small."
    )

    @model_validator(mode="after")
    def _named(self) -> Self:
        if len(self.judge) > LONGEST_NAME:
            raise ValueError(f"a judge's name has at most {LONGEST_NAME} characters; give a shorter one by name")
        return self

    def role(self, inspector: Inspector) -> RoleSettings:
        """Which model has a role."""
        return {"precision": self.precision, "recall": self.recall, "chief": self.chief}[inspector]

    @property
    def models(self) -> dict[Inspector, str]:
        """The model in each role."""
        return {inspector: self.role(inspector).model for inspector in INSPECTORS}

    @property
    def judge(self) -> str:
        """The judge's name."""
        models = list(self.models.values())
        return self.name or (models[0] if len(set(models)) == 1 else " + ".join(models))

    @property
    def identity(self) -> dict[str, object]:
        """The settings with the versions of what inspectors are asked."""
        return {**self.model_dump(mode="json"), "prompts": dict(PROMPTS)}

    @property
    def stored(self) -> dict[str, object]:
        """The identity, with the words behind these versions."""
        return {**self.identity, "models": self.models, "systems": dict(SYSTEMS)}

    @property
    def inspection_id(self) -> str:
        """The id of the inspection."""
        return identifier(self.judge, self.identity)


class Prices(Strict):
    """Of a role's model, where it is not that of the others."""

    price_prompt: float = Field(ge=0, le=10**6, description="Price of a million prompt tokens.")
    price_completion: float = Field(ge=0, le=10**6, description="Price of a million completion tokens.")


class InspectionPlan(Limits):
    """What may differ from one sitting to the next."""

    planners: tuple[Annotated[str, StringConstraints(max_length=80)], ...] | None = Field(
        default=None, max_length=200, description="Only plans of these planners; null: of all."
    )
    answers: tuple[Annotated[int, Field(ge=1, lt=2**53)], ...] | None = Field(
        default=None, max_length=10_000, description="Only these plans, by their ids; null: all."
    )
    most_plans: int | None = Field(
        default=None,
        ge=1,
        le=10**9,
        description="Inspect so many plans at most, drawn by `seed`; a larger number goes on with the draw of a "
        "smaller one. Null: all of them.",
    )
    seed: int = Field(default=0, ge=0, lt=2**32, description="Of the draw.")
    prices: dict[Inspector, Prices] = Field(default={}, description="Of single roles, in place of the common ones.")


def _untold() -> RoleSettings:
    raise AssertionError("each role is filled in before fields are read")


class NewInspection(InspectionSettings, InspectionPlan):
    """What is needed to begin an inspection or to go on with it.

    `base_url`, `model` and `temperature` beside the roles hold for each role that does not say otherwise.
    """

    precision: RoleSettings = Field(
        default_factory=_untold, description="Who judges each call; may be left out in part."
    )
    recall: RoleSettings = Field(
        default_factory=_untold, description="Who finds what is missed; may be left out in part."
    )
    chief: RoleSettings = Field(
        default_factory=_untold, description="Who gives the final score; may be left out in part."
    )
    base_url: Text | None = Field(default=None, description="Of each role that names none.")
    model: Text | None = Field(default=None, description="Of each role that names none.")
    temperature: float | None = Field(default=0.0, ge=0, le=2, description="Of each role that names none.")
    key: SecretStr | None = Field(
        default=None,
        max_length=4000,
        description="Key for the endpoints; kept in memory for this sitting. Null: the key of the environment, if any.",
    )
    keys: dict[Inspector, _Key] = Field(default={}, description="Keys of single roles, in place of the common one.")

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, given: Any) -> Any:
        """Roles as far as they are told, completed by what holds for all."""
        if not isinstance(given, dict):
            return given
        common = {name: given[name] for name in _ROLE if name in given}
        told = {role: given.get(role) for role in INSPECTORS}
        roles = {role: {**common, **own} for role, own in told.items() if isinstance(own, dict)}
        return {**given, **{role: common for role, own in told.items() if own is None}, **roles}

    @model_validator(mode="after")
    def _sendable(self) -> Self:
        for inspector in INSPECTORS:
            role = self.role(inspector)
            endpoint_of(role.base_url, role.model, self.keys.get(inspector, self.key))
        return self

    @property
    def settings(self) -> InspectionSettings:
        """The part that is the inspection's identity."""
        return part_of(self, InspectionSettings)

    @property
    def plan(self) -> InspectionPlan:
        """The part that is for this sitting."""
        return part_of(self, InspectionPlan)


class InspectionView(JudgeView):
    """An inspection as it is now."""

    inspection_id: str = Field(description="Names it in links and requests.")
    models: dict[Inspector, str] = Field(description="The model in each role, as far as it is known.")
    reports: dict[Inspector, int] = Field(description="Plans with a report of each inspector, in all sittings.")
    unscored: dict[Inspector, int] = Field(description="Plans on which each gave none; they are asked about again.")
    without_output: int = Field(description="Plans of the choice that are empty, and so are not sent.")
    warnings: list[str] = Field(description="What to bear in mind with its scores, each in a sentence or two.")
    note: str = Field(description="That absolute scores do not carry over between judges, with the published case.")
