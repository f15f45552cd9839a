"""What a caller sees: the same records over REST, in events and, later, by MCP."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Outcome, Status
from easel_app.painting.stroke import Action, Strict
from easel_app.painting.tasks import Task

# one line of visible text: no control or format characters, which could hide or reorder what stands beside it
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"^[^\p{C}]*$")]
RequestId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]


class Player(Strict):
    """Who paints."""

    kind: Literal["human", "agent", "painter"] = Field(description="A person, a model outside, or a built-in policy.")
    name: Line = Field(description="How to show the player.", examples=["Guest painter"])
    model: Line | None = Field(None, description="Model behind an agent.", examples=["qwen3.5-9b"])


class NewSession(Strict):
    """What is needed to begin a session."""

    task_id: str = Field(max_length=64, examples=["natural-01"])
    protocol: ProtocolName = Field(
        ProtocolName.STUDIO,
        description="`benchmark`: as published, strokes only, exactly T steps. `studio`: undo (costs a step) and early "
        "submit (free). `practice`: no budget, never ranked.",
    )
    player: Player


class NewAction(Strict):
    """One action, with an id that makes a retry safe."""

    request_id: RequestId = Field(
        description="Chosen by the caller, new for each action. A repeat of a known id changes nothing and returns the "
        "first answer.",
        examples=["6f1c2a"],
    )
    action: Action


class Scores(BaseModel):
    """similarity/1 and its parts."""

    similarity: float = Field(description="0.5 · SSIM + 0.3 · (1 - L1) + 0.2 · Edge IoU.")
    ssim: float = Field(description="Mean structural similarity, RGB, window 7.")
    l1: float = Field(description="Mean absolute difference, [0, 1]; lower is better.")
    edge_iou: float = Field(description="Intersection over union of Canny maps, [0, 1].")


class Answer(BaseModel):
    """What became of an action; it is stored when this is sent."""

    seq: int = Field(description="Place of the action in the session's log, from 1 without a gap.")
    outcome: Outcome = Field(description="`rejected` and `invalid` change nothing and cost a step.")
    message: str = Field(description="One sentence when the outcome is not `applied`, else empty.")
    step: int = Field(description="Steps used.")
    steps_left: int | None = Field(description="Steps that remain; null in practice.")
    status: Status
    scores: Scores


class Begun(BaseModel):
    """A session that has begun."""

    session_id: str
    write_token: str = Field(description="Needed to act; shown only now.")
    watch_url: str = Field(description="A page that shows the session live to anyone.")
    task: Task
    steps_left: int | None


class TrajectoryView(BaseModel):
    """trajectory/1; a value is null where it is not defined."""

    final: float | None
    at_half: float | None
    auc: float | None
    best: float | None
    best_step: int | None
    final_best_gap: float | None
    exact_repeat_rate: float | None
    near_repeat_rate: float | None = Field(alias="near_repeat_rate_0.02")
    skill: float | None

    model_config = ConfigDict(serialize_by_alias=True)


class SessionView(BaseModel):
    """A session as it is now."""

    session_id: str
    task: Task
    protocol: ProtocolName
    player: Player
    status: Status
    seq: int = Field(description="Actions in the log.")
    step: int
    steps_left: int | None
    scores: Scores
    similarities: list[float] = Field(description="Similarity before the first step and after each one.")
    trajectory: TrajectoryView
    strokes: int = Field(description="Strokes that lie on the canvas now.")
    can_undo: bool
    ranked: bool = Field(description="Whether the session may enter a ranking.")
    intact: bool = Field(description="Whether the replayed log gives the canvas that was recorded.")
    renderer: str
    metric: str
    created_at: str
    watch_url: str
