"""What a caller sees: the same records over REST, in events and, later, by MCP."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Outcome, Status
from easel_app.painting.stroke import VISIBLE, Action, Strict
from easel_app.painting.tasks import Task
from easel_app.services.scores import Scores
from easel_app.store.records import ReadingRecord

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=VISIBLE)]
RequestId = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]


class Player(Strict):
    """Who paints."""

    kind: Literal["human", "agent", "painter"] = Field(description="A person, a model outside, or a built-in policy.")
    name: Line = Field(description="How to show the player.", examples=["Guest painter"])
    model: Line | None = Field(None, description="Model behind an agent.", examples=["qwen3.5-9b"])


class NewSession(Strict):
    """What is needed to begin a session."""

    task_id: str = Field(max_length=64, description="Which task to paint.", examples=["natural-01"])
    protocol: ProtocolName = Field(
        ProtocolName.STUDIO,
        description="`benchmark`: as published; a reconstruction knows strokes only and runs for exactly T steps, a "
        "semantic task knows undo (costs a step) and submit (free) too. `studio`: undo and early submit everywhere. "
        "`practice`: no budget, never ranked.",
    )
    player: Player = Field(description="The player of the session.")
    shared: bool = Field(
        False, strict=True, description="Whether anyone who watches may take turns; a session so painted is not ranked."
    )


class NewFork(Strict):
    """What is needed to go on from a step of a session that is there."""

    step: int = Field(ge=0, strict=True, description="How many of its steps to keep; they count as used.")
    player: Player = Field(description="Who goes on.")
    protocol: ProtocolName | None = Field(
        None,
        description="Rules from here on: those of the session when left out; a `benchmark` session may be gone on with "
        "by `studio`, which knows undo and submit everywhere.",
    )


class Parent(BaseModel):
    """What a session goes on from; such a session is not ranked."""

    session_id: str | None = Field(
        description="The session whose first steps it began with; null when it is not here, as after an import."
    )
    step: int = Field(description="How many of them.")


class NewAction(Strict):
    """One action, with an id that makes a retry safe."""

    request_id: RequestId = Field(
        description="Chosen by the caller, new for each action. A repeat of a known id changes nothing and returns the "
        "first answer.",
        examples=["6f1c2a"],
    )
    action: Action = Field(description="What to do.")


class Contact(BaseModel):
    """Where a rejected stroke touched a wall first."""

    x: float = Field(description="From the left edge, [0, 1].")
    y: float = Field(description="From the top edge, [0, 1].")


class Answer(BaseModel):
    """What became of an action; it is stored when this is sent."""

    seq: int = Field(description="Place of the action in the session's log, from 1 without a gap.")
    outcome: Outcome = Field(
        description="`rejected` broke a rule of the task: nothing changed, the step is used. `invalid` could "
        "not be read, at the same cost: so says an action of that kind, by which a harness records it. A request that "
        "this API cannot read is refused with 422 and costs nothing."
    )
    message: str = Field(description="One sentence when the outcome is not `applied`, else empty.")
    step: int = Field(description="Steps used.")
    steps_left: int | None = Field(description="Steps that remain; null in practice.")
    status: Status = Field(description="`open`, or why no more actions are taken.")
    score: float = Field(description="The task's score of the canvas after the action: the first part of `scores`.")
    scores: Scores = Field(description="All parts of it.")
    contact: Contact | None = Field(None, description="Where a rejected stroke touched a wall first; else null.")


class Sharing(Strict):
    """Whether others may paint."""

    shared: bool = Field(strict=True, description="Whether anyone who watches may take turns.")


class NewGuest(Strict):
    """Someone who wants to take turns."""

    name: Line = Field(description="How to show the guest.", examples=["Guest painter"])


class Guest(BaseModel):
    """A guest of a shared session."""

    guest_token: str = Field(
        description="Needed to paint or undo as this guest, in place of the write token. The first action takes the "
        "turn: the player waits until the guest hands back or has done nothing for a minute."
    )


class Turn(BaseModel):
    """Who may act now."""

    shared: bool = Field(description="Whether anyone who watches may take turns.")
    guest: str | None = Field(description="The guest whose turn it is; null when it is the player's.")


class Begun(BaseModel):
    """A session that has begun."""

    session_id: str = Field(description="Name of the session in links and requests.")
    write_token: str = Field(description="Needed to act; shown only now.")
    watch_url: str = Field(description="A page that shows the session live to anyone.")
    task: Task = Field(description="What to paint.")
    steps_left: int | None = Field(description="Steps that may be used; null in practice.")


class TrajectoryView(BaseModel):
    """trajectory/1; a value is null where it is not defined."""

    final: float | None = Field(description="Score after the last step.")
    at_half: float | None = Field(description="Score at step floor(T / 2).")
    auc: float | None = Field(description="Mean score over the steps 1..T; the last value is held to T.")
    best: float | None = Field(description="Largest score after any step; the canvas before the first does not count.")
    best_step: int | None = Field(description="First step that reaches it.")
    final_best_gap: float | None = Field(description="best - final.")
    exact_repeat_rate: float | None = Field(description="Share of strokes equal to the one before.")
    near_repeat_rate: float | None = Field(
        alias="near_repeat_rate_0.02",  # the tolerance NEAR; a test holds the two together
        description="Share of strokes that differ from the one before by at most 0.02 in every number.",
    )
    skill: float | None = Field(
        description="0 at the mean fill, 1 at the data policy of the task; our own number. Null for semantic tasks."
    )

    model_config = ConfigDict(serialize_by_alias=True)


class ConductView(BaseModel):
    """conduct/1; a value is null where it is not defined."""

    invalid_rate: float | None = Field(description="Share of the steps whose action could not be read.")
    rejected_rate: float | None = Field(description="Share of the steps that broke a rule of the task.")
    undos: int = Field(description="Undo steps, those that had nothing to take back included.")
    draw_undo_loops: int = Field(description="Undo steps that take back the stroke painted by the step just before.")
    submit_percent: float | None = Field(
        description="Steps used at the submit over the budget, times 100; 100 when the budget was spent, null before."
    )


class SessionView(BaseModel):
    """A session as it is now."""

    session_id: str = Field(description="Name of the session in links and requests.")
    task: Task = Field(description="What is painted.")
    protocol: ProtocolName = Field(description="Rules of the session.")
    player: Player = Field(description="The player of the session.")
    status: Status = Field(description="`open`, or why no more actions are taken.")
    seq: int = Field(description="Actions in the log.")
    step: int = Field(description="Steps used.")
    steps_left: int | None = Field(description="Steps that remain; null in practice.")
    score: float = Field(description="The task's score of the canvas as it is: the first part of `scores`.")
    scores: Scores = Field(description="All parts of it.")
    curve: list[float] = Field(description="Score before the first step and after each one.")
    trajectory: TrajectoryView = Field(description="Scores of the whole rollout so far.")
    conduct: ConductView = Field(description="How its player went about it so far.")
    strokes: int = Field(description="Strokes that lie on the canvas now.")
    can_undo: bool = Field(description="Whether an undo would take a stroke away.")
    ranked: bool = Field(description="Whether the session may enter a ranking.")
    turn: Turn = Field(description="Whether guests may paint, and whose turn it is.")
    intact: bool = Field(description="Whether the replayed log gives the canvas that was recorded.")
    renderer: str = Field(description="Name and version of what turned strokes into pixels.")
    metric: str = Field(description="Name and version of the score.")
    created_at: str = Field(description="When it began, ISO 8601 in UTC.")
    watch_url: str = Field(description="A page that shows the session live to anyone.")
    parent: Parent | None = Field(description="What the session goes on from; null when it began by itself.")
    imported: bool = Field(description="Whether it was imported from a log made elsewhere; then it is not ranked.")


class SessionSummary(BaseModel):
    """A session as a list shows it."""

    session_id: str = Field(description="Name of the session in links and requests.")
    task_id: str = Field(description="What is painted.")
    protocol: ProtocolName = Field(description="Rules of the session.")
    player: Player = Field(description="The player of the session.")
    status: Status = Field(description="`open`, or why no more actions are taken.")
    seq: int = Field(description="Actions in the log.")
    step: int = Field(description="Steps used.")
    score: float = Field(description="The task's score of the canvas as it is.")
    metric: str = Field(description="Name and version of the score.")
    created_at: str = Field(description="When it began, ISO 8601 in UTC.")
    last_at: str = Field(description="When the last action was taken, or when it began.")
    watch_url: str = Field(description="A page that shows the session live to anyone.")
    parent: Parent | None = Field(description="What the session goes on from; null when it began by itself.")
    imported: bool = Field(description="Whether it was imported from a log made elsewhere.")


class ReadingView(BaseModel):
    """What a model at an endpoint read on a canvas of handwriting, beside the score and never instead of it."""

    reader: str = Field(description="Model and version of the prompt.")
    letters: str = Field(description="What it read: a-z, and # for any other glyph.")
    raw: str = Field(description="Its answer as JSON.")
    confidence: float | None = Field(description="How sure it says it is, [0, 1].")
    match: float = Field(description="Letters that agree with the word, place by place, over the longer, [0, 1].")
    alignment: float = Field(description="1 - edit distance over the longer of the two, [0, 1].")
    at: str = Field(description="When, ISO 8601 in UTC.")

    @classmethod
    def of(cls, record: ReadingRecord) -> ReadingView:
        """The view of a record."""
        return cls(**{name: getattr(record, name) for name in cls.model_fields})


class Best(BaseModel):
    """The best session of a kind of player on a task."""

    session_id: str = Field(description="Name of the session in links and requests.")
    player: str = Field(description="Who it was.")
    score: float = Field(description="Its final score.")
    step: int = Field(description="Steps it used.")


class BestOfTask(BaseModel):
    """The best ended, ranked sessions of a task; null where there is none."""

    task_id: str = Field(description="Name of the task in links and requests.")
    human: Best | None = Field(None, description="By a person.")
    agent: Best | None = Field(None, description="By a model outside.")
    painter: Best | None = Field(None, description="By a built-in painter.")


class Shown(BaseModel):
    """A picture that a player was shown."""

    picture: Literal["reference", "canvas"] = Field(description="What it shows.")
    step: int = Field(description="Steps used when it was shown.")
    scale: int = Field(description="Factor by which it was enlarged.")
    grid: str | None = Field(description="Name and version of the grid that lay over it.")
    sha256: str = Field(description="Digest of the RGB bytes that were shown.")
