"""What a caller sees of a run."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from easel_app.services.views import Player


class Attempts(BaseModel):
    """All sessions of the run, by how far they are: those on record and those of the last plan."""

    total: int = Field(description="All of them.")
    done: int = Field(description="Played to the end.")
    failed: int = Field(description="Given up in this sitting; they stay open and go on when the run does.")
    active: int = Field(description="Being played now.")


class Steps(BaseModel):
    """Steps of all sessions of the run."""

    total: int = Field(description="Steps of all sessions.")
    done: int = Field(description="Steps used so far, in earlier sittings too.")


class ActiveAttempt(BaseModel):
    """A session that is being played."""

    session_id: str = Field(description="Name of the session in links and requests.")
    task_id: str = Field(description="What is painted.")
    repeat: int = Field(description="Which repeat, from 1.")
    step: int = Field(description="Steps used.")
    budget: int = Field(description="Steps of the task.")
    similarity: float = Field(description="Similarity of the canvas as it is.")


class Failure(BaseModel):
    """A session that was given up in this sitting."""

    task_id: str = Field(description="What was painted.")
    repeat: int = Field(description="Which repeat, from 1.")
    message: str = Field(description="Why, in one sentence.")


class SummaryRow(BaseModel):
    """Mean scores of ended sessions of one category, or of all; the mean of a task's repeats counts once.

    Null where it is not defined. These are our figures on our tasks, never the published ones.
    """

    category: str = Field(description="Category of the tasks, or `all`.")
    n: int = Field(description="Tasks with at least one ended session.")
    sessions: int = Field(description="Ended sessions.")
    final: float | None = Field(description="Similarity after the last step.")
    final_low: float | None = Field(description="Lower end of the 95 % interval of the mean over tasks.")
    final_high: float | None = Field(description="Upper end of it.")
    at_half: float | None = Field(description="Similarity at half of the budget, @50%.")
    auc: float | None = Field(description="Mean similarity over all steps.")
    best: float | None = Field(description="Largest similarity after any step.")
    final_best_gap: float | None = Field(description="best - final.")
    exact_repeat_rate: float | None = Field(description="Share of strokes equal to the one before.")
    invalid_rate: float | None = Field(description="Share of actions that could not be read.")
    skill: float | None = Field(description="0 at the mean fill, 1 at the data policy of the task; our own number.")


class RunView(BaseModel):
    """A run as it is now."""

    run_id: str = Field(description="Name of the run in links and requests.")
    name: str = Field(description="Name given to it.")
    player: Player = Field(description="The player of its sessions.")
    settings: dict[str, Any] = Field(description="What decides how its sessions come out, with versions.")
    plan: dict[str, Any] = Field(description="What was planned for the last sitting.")
    created_at: str = Field(description="When it began, ISO 8601 in UTC.")
    state: Literal["running", "finished", "stopped", "interrupted"] = Field(
        description="`stopped`: on demand, by a limit or by the endpoint. `interrupted`: the server ended meanwhile."
    )
    reason: str = Field(description="Why it stopped and what to do, in one sentence; else empty.")
    attempts: Attempts = Field(description="How far the sessions are.")
    steps: Steps = Field(description="How far the steps are.")
    similarity: float | None = Field(description="Mean similarity of all canvases with a step, ended or not.")
    invalid: int = Field(description="Invalid actions.")
    calls: int = Field(description="Answers of the endpoint on record.")
    prompt_tokens: int = Field(description="Tokens of all requests on record.")
    completion_tokens: int = Field(description="Tokens of all answers on record.")
    cost: float | None = Field(description="What they cost; null when no price is known.")
    elapsed: float = Field(description="Seconds of all sittings; of one that was cut off nothing is known.")
    trouble: str = Field(description="Why the endpoint gave no answer when it was asked last; empty when it answers.")
    eta: float | None = Field(description="Seconds that it will still take at this pace; null when not known.")
    active: list[ActiveAttempt] = Field(description="Sessions that are being played.")
    failures: list[Failure] = Field(description="Sessions that were given up in this sitting, the newest last.")
    summary: list[SummaryRow] = Field(description="Mean scores of ended sessions by category, then of all.")
