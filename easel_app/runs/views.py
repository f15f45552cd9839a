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
    score: float = Field(description="Score of the canvas as it is.")


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


class SemanticScore(BaseModel):
    """Mean score of ended sessions of one semantic task, or of generated instances of one family and size."""

    task: str = Field(description="Id of the task, or family and size such as `maze-512`.", examples=["harder-maze"])
    metric: str = Field(description="Name and version of the score.")
    n: int = Field(description="Tasks: 1, or the instances.")
    sessions: int = Field(description="Ended sessions.")
    score: float = Field(description="Mean score; the mean of a task's repeats counts once.")
    low: float | None = Field(description="Lower end of the 95 % interval of the mean over tasks; null for one task.")
    high: float | None = Field(description="Upper end of it.")


class SemanticSummary(BaseModel):
    """The published columns of the semantic tasks (arXiv 2608.25417), by our metrics on our tasks.

    Counts and rates are means over tasks, in which the mean of a task's repeats counts once. Null where not defined.
    """

    scores: list[SemanticScore] = Field(description="A score for each task, in their order.")
    maze_invalid_rate: float | None = Field(
        description="Share of the steps in mazes that were rejected at a wall or could not be read."
    )
    maze_undos: float | None = Field(description="Undo steps of the mazes, summed over them.")
    other_undos: float | None = Field(description="Undo steps of the other semantic tasks, summed over them.")
    submit_percent: float | None = Field(
        description="Steps used at the submit over the budget, times 100; 100 where the budget was spent."
    )
    draw_undo_loops: float | None = Field(description="Undo steps right after the stroke that they take back, summed.")


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
    score: float | None = Field(
        description="Mean score of all canvases with a step, ended or not: of reconstructions, else of semantic tasks."
    )
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
    summary: list[SummaryRow] = Field(
        description="Mean scores of ended reconstructions by category, then of all; empty before the first."
    )
    semantic: SemanticSummary | None = Field(description="The same for semantic tasks; null before the first.")
