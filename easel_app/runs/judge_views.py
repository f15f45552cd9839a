"""What callers see of any kind of judge at work."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Unscored(BaseModel):
    """Why something was left without a verdict."""

    reason: str = Field(description="In one sentence.")
    items: int = Field(description="How many times.")


class JudgeView(BaseModel):
    """A judge's work on a set as it is now."""

    set_id: str = Field(description="The set whose answers are judged.")
    judge: str = Field(description="The judge's name.")
    origin: Literal["run", "imported"] = Field(description="Asked here, or imported with data.")
    settings: dict[str, Any] = Field(description="What decides its verdicts, with the version of the prompt.")
    plan: dict[str, Any] = Field(description="What was planned for the last sitting.")
    created_at: str = Field(description="When it began, ISO 8601 in UTC.")
    state: Literal["running", "finished", "stopped", "interrupted", "imported"] = Field(
        description="`finished`: everything in the plan was asked about; `stopped`: on demand, by a limit or by the "
        "endpoint; `interrupted`: the server ended meanwhile."
    )
    reason: str = Field(description="Why it stopped and what to do, in one sentence; else empty.")
    total: int = Field(description="Verdicts or reports that the last plan holds.")
    done: int = Field(description="Those of them that are there.")
    unscored_for: list[Unscored] = Field(
        description="Why there is none, in the last sitting; the most frequent reasons first."
    )
    calls: int = Field(
        description="Verdicts or reports that the endpoint answered about; one that is asked for again counts again."
    )
    prompt_tokens: int = Field(description="Tokens of all requests on record.")
    completion_tokens: int = Field(description="Tokens of all replies on record.")
    cost: float | None = Field(description="What they cost; null when no price is known.")
    elapsed: float = Field(description="Seconds of all sittings; of one that was cut off nothing is known.")
    eta: float | None = Field(description="Seconds that it will still take at this pace; null when not known.")
    trouble: str = Field(description="Why the endpoint gave no answer when it was asked last; empty when it answers.")
    left_out: list[str] = Field(description="Parameters, such as `temperature`, that the endpoint does not take.")
