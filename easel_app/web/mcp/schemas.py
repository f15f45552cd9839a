"""What the MCP tools take and give, as JSON Schema.

Fields that REST has too are taken from its models, the 13 numbers from the one stroke model: nothing is said twice.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from easel_app.painting.protocol import Kind, ProtocolName
from easel_app.painting.rollout import Outcome, Status
from easel_app.painting.showing import Look
from easel_app.painting.stroke import PATH_FIELDS, STROKE_FIELDS, AnyStroke, PathStroke, Strict, Stroke, Unit
from easel_app.painting.tasks import Anchors, Task
from easel_app.services.scores import Scores
from easel_app.services.views import (
    Answer,
    Begun,
    ConductView,
    Line,
    NewFork,
    NewSession,
    Player,
    RequestId,
    SessionView,
)
from easel_app.services.views import TrajectoryView as Trajectory

PAGE = 25
"""Tasks of a page unless the caller says otherwise."""


def same(model: type[BaseModel], name: str) -> Any:
    """The field of another model: its range, default, description and examples."""
    return model.model_fields[name]


class ListTasks(Strict):
    """Which tasks to list."""

    category: str | None = Field(None, max_length=64, description="Only this group; `categories` names them.")
    offset: int = Field(0, ge=0, strict=True, description="How many tasks to skip: `next_offset` of the page before.")
    limit: int = Field(PAGE, ge=1, le=200, strict=True, description="How many tasks at most.")


class StartSession(Strict):
    """What is needed to begin a session."""

    task_id: str = same(NewSession, "task_id")
    protocol: ProtocolName = same(NewSession, "protocol")
    player: Line = Field("Agent", description="Your name, for those who watch.", examples=["My agent"])
    model: Line | None = same(Player, "model")
    shared: bool = same(NewSession, "shared")


class ContinueSession(Strict):
    """What is needed to go on from a step of a session that is there."""

    session_id: str = Field(max_length=64, description="The session to go on from, whoever paints or painted it.")
    step: int = same(NewFork, "step")
    protocol: ProtocolName | None = same(NewFork, "protocol")
    player: Line = same(StartSession, "player")
    model: Line | None = same(Player, "model")
    shared: bool = same(NewSession, "shared")


class OfSession(Strict):
    """A session that anyone may look at."""

    session_id: str = Field(max_length=64, description="The session, as it was named when it began.")


class Observe(Look, OfSession):
    """How to look at a session."""

    write_token: str | None = Field(
        None, max_length=200, description="If given, it is recorded with the session what you were shown."
    )


class Act(OfSession):
    """An action of a session's player."""

    write_token: str = Field(max_length=200, description="The secret that came as the session began: it lets you act.")
    request_id: RequestId | None = Field(
        None,
        description="Makes a retry safe: a call with an id that the session knows changes nothing and returns the "
        "first answer. Up to 64 letters, digits, _ . : or -. Without it each call is a new action.",
        examples=["stroke-1"],
    )


def look(name: str) -> Any:
    """A number of a stroke's look, which a semantic task fixes."""
    field = Stroke.model_fields[name]
    about = f"{field.description} Needed in a reconstruction; left out in a semantic task."
    # the default stands for "not given": it is no value that a caller may send
    return Field(default=None, description=about, examples=field.examples, json_schema_extra=_without_default)


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


class PaintStroke(PathStroke, Act):
    """A stroke to paint in a session."""

    radius_start: Unit = look("radius_start")
    opacity_start: Unit = look("opacity_start")
    radius_end: Unit = look("radius_end")
    opacity_end: Unit = look("opacity_end")
    red: Unit = look("red")
    green: Unit = look("green")
    blue: Unit = look("blue")

    @property
    def stroke(self) -> AnyStroke:
        """What is to be painted: a stroke of 13 numbers if any of its look is given, else a path.

        Raises:
            pydantic.ValidationError: only some of the look is given.
        """
        given = {name: getattr(self, name) for name in STROKE_FIELDS if getattr(self, name) is not None}
        form = Stroke if len(given) > len(PATH_FIELDS) else PathStroke
        return form.model_validate(given)


def _rounded(anchors: Anchors | None) -> Anchors | None:
    if anchors is None:
        return None
    # a list of 115 tasks is read by a model, digit by digit
    return anchors.model_copy(update={name: round(value, 4) for name, value in anchors if value is not None})


class TaskRow(BaseModel):
    """A task in a list."""

    id: str = same(Task, "id")
    kind: Kind = same(Task, "kind")
    title: str = same(Task, "title")
    category: str = same(Task, "category")
    width: int = same(Task, "width")
    budget: int = same(Task, "budget")
    anchors: Annotated[Anchors | None, AfterValidator(_rounded)] = same(Task, "anchors")


class TaskPage(BaseModel):
    """Some of the tasks."""

    tasks: list[TaskRow] = Field(description="The tasks of this page.")
    total: int = Field(description="How many there are on all pages.")
    next_offset: int | None = Field(description="Offset of the next page; null on the last.")
    categories: list[str] = Field(description="All groups of tasks.")


class Started(BaseModel):
    """A session that has begun."""

    session_id: str = same(Begun, "session_id")
    write_token: str = same(Begun, "write_token")
    watch_url: str = same(Begun, "watch_url")
    instruction: str = same(Task, "instruction")
    width: int = same(Task, "width")
    budget: int = same(Task, "budget")
    steps_left: int | None = same(Begun, "steps_left")
    next: str = Field(description="What to do now.")


class Acted(BaseModel):
    """What became of an action; it is stored when this is sent."""

    outcome: Outcome = Field(description="`rejected` broke a rule of the task: nothing changed, the step is used.")
    message: str = same(Answer, "message")
    step: int = same(Answer, "step")
    steps_left: int | None = same(Answer, "steps_left")
    status: Status = same(Answer, "status")


class Observed(BaseModel):
    """Where the session stands that the pictures show."""

    step: int = same(Answer, "step")
    steps_left: int | None = same(Answer, "steps_left")
    status: Status = same(Answer, "status")
    last: Acted | None = Field(description="What became of the last action; null before the first.")
    scale: int = same(Look, "scale")
    grid: bool = same(Look, "grid")


class Standing(BaseModel):
    """How good the canvas is."""

    status: Status = same(SessionView, "status")
    step: int = same(SessionView, "step")
    steps_left: int | None = same(SessionView, "steps_left")
    score: float = same(SessionView, "score")
    scores: Scores = same(SessionView, "scores")
    trajectory: Trajectory = same(SessionView, "trajectory")
    conduct: ConductView = same(SessionView, "conduct")
    anchors: Anchors | None = same(Task, "anchors")


class _Plain(GenerateJsonSchema):
    """JSON Schema without what a model need not read, or a client cannot."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        # our patterns know Unicode classes, which many clients' regular expressions do not; we check them anyway
        return {key: value for key, value in super().str_schema(schema).items() if key != "pattern"}


def schema_of(model: type[BaseModel], mode: JsonSchemaMode = "validation") -> dict[str, Any]:
    """A model's JSON Schema, self-contained: some clients follow no `$ref`."""
    schema = model.model_json_schema(schema_generator=_Plain, mode=mode)
    parts = schema.pop("$defs", {})

    def inline(node: Any) -> Any:
        if isinstance(node, list):
            return [inline(entry) for entry in node]
        if not isinstance(node, dict):
            return node
        part = parts[node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else {}
        return {key: inline(value) for key, value in {**part, **node}.items() if key != "$ref"}

    whole: dict[str, Any] = inline(schema)
    return whole
