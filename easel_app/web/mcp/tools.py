"""The MCP tools: thin hands on the services, run in worker threads."""

from __future__ import annotations

import inspect
import logging
import secrets
from base64 import b64encode
from collections.abc import Callable
from typing import Any, NamedTuple

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, ContentBlock, ImageContent, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, ValidationError

from easel_app.painting.protocol import ProtocolName, protocol_for
from easel_app.painting.rollout import PATH_ONLY
from easel_app.painting.showing import Look
from easel_app.painting.stroke import Action, BrushStroke, Stroke, Submit, Undo, explain
from easel_app.painting.tasks import Task
from easel_app.services.problems import Invalid, Refusal
from easel_app.services.studio import Studio
from easel_app.services.views import Answer, Begun, NewAction, NewFork, NewSession, Player, Sharing
from easel_app.store.database import StoreFull
from easel_app.web.mcp.schemas import (
    Act,
    Acted,
    ContinueSession,
    ListTasks,
    Observe,
    Observed,
    OfSession,
    PaintStroke,
    Standing,
    Started,
    StartSession,
    TaskPage,
    TaskRow,
    schema_of,
)

log = logging.getLogger(__name__)


class Reply(NamedTuple):
    """What a tool gives."""

    record: BaseModel
    pictures: tuple[tuple[str, bytes], ...] = ()
    """Captions and PNG files."""


class Hands:
    """One caller's hands; the docstring of each method is what a model reads of the tool."""

    def __init__(self, studio: Studio, site: str) -> None:
        """Act in a studio that the caller reaches at the address `site`."""
        self._studio, self._site = studio, site

    def list_tasks(self, wish: ListTasks) -> Reply:
        """List what can be painted: id, kind, title, category, canvas width in px, budget in steps, anchors.

        Anchors are the similarity that a blank canvas, a flat fill and a greedy painter reach on the same task; the
        semantic tasks (outlines, handwriting, mazes) have none. There are generated tasks besides, named by family,
        size and seed: maze-512-101, apple-256-4, circle-64-9, handwriting-256-3.
        """
        found = self._studio.tasks.list(wish.category)
        end = wish.offset + wish.limit
        return Reply(
            TaskPage(
                tasks=[row_of(task) for task in found[wish.offset : end]],
                total=len(found),
                next_offset=end if end < len(found) else None,
                categories=list(dict.fromkeys(task.category for task in self._studio.tasks.list())),
            )
        )

    def start_session(self, wish: StartSession) -> Reply:
        """Begin to paint a task. Keep session_id and write_token: the other tools need them.

        Give watch_url to people: it shows the canvas live.
        """
        begun = self._studio.sessions.begin(
            NewSession(task_id=wish.task_id, protocol=wish.protocol, player=_agent(wish), shared=wish.shared)
        )
        return self._started(begun, wish.protocol)

    def continue_session(self, wish: ContinueSession) -> Reply:
        """Go on from a step of a session that is there, yours or another's, in a new session of your own.

        That session stays as it is. The steps that are kept count as used, and the new session is never ranked. Keep
        its session_id and write_token: the other tools need them. Give watch_url to people: it shows the canvas live.
        """
        sessions = self._studio.sessions
        begun = sessions.fork(wish.session_id, NewFork(step=wish.step, player=_agent(wish), protocol=wish.protocol))
        if wish.shared:
            sessions.share(begun.session_id, begun.write_token, Sharing(shared=True))
        return self._started(begun, sessions.view(begun.session_id).protocol)

    def _started(self, begun: Begun, protocol: ProtocolName) -> Reply:
        return Reply(
            Started(
                session_id=begun.session_id,
                write_token=begun.write_token,
                watch_url=self._site + begun.watch_url,
                instruction=begun.task.instruction,
                width=begun.task.width,
                budget=begun.task.budget,
                steps_left=begun.steps_left,
                next=NEXT + _end(protocol, begun.task),
            )
        )

    def observe(self, wish: Observe) -> Reply:
        """See the reference and the canvas as pictures, and where the session stands. It costs no step.

        The reference of a semantic task is its canvas before the first stroke; handwriting, on a blank one, has none.

        Give write_token so that it is on record what you saw. If the canvas is small or coordinates are hard to read,
        enlarge it by scale and lay a grid over it.
        """
        look = Look(scale=wish.scale, grid=wish.grid)
        seen = self._studio.sessions.observe(wish.session_id, look, wish.write_token)
        last = acted(seen.last) if seen.last else None
        record = Observed.model_validate(
            {"step": seen.step, "steps_left": seen.steps_left, "status": seen.status, "last": last, **dict(look)}
        )
        canvas = f"Canvas after step {seen.step}:", seen.canvas
        return Reply(record, (("Reference:", seen.reference), canvas) if seen.reference else (canvas,))

    def brush_stroke(self, wish: PaintStroke) -> Reply:
        """Paint one stroke; it uses one step. Coordinates are absolute: origin top left, x right, y down.

        A reconstruction takes all 13 numbers; a semantic task has a fixed brush and takes the six coordinates only. A
        number that is missing or outside [0, 1] is refused and costs nothing. A stroke that touches a wall of a maze is
        rejected: nothing is painted, but the step is used. The answer tells no score; look again with observe.
        """
        try:
            stroke = wish.stroke
        except ValidationError:
            if self._studio.sessions.view(wish.session_id).task.kind.semantic:
                raise Invalid("wrong_stroke", PATH_ONLY) from None
            raise
        return self._act(wish, BrushStroke(kind="brush_stroke", stroke=stroke))

    def undo(self, wish: Act) -> Reply:
        """Take the last stroke away again. It uses one step.

        Reconstructions under the benchmark protocol know no undo.
        """
        return self._act(wish, Undo(kind="undo"))

    def submit(self, wish: Act) -> Reply:
        """Finish: the canvas stays as it is and the session takes no more actions. It uses no step.

        Reconstructions under the benchmark protocol know no submit: they end when all steps are used.
        """
        return self._act(wish, Submit(kind="submit"))

    def get_scores(self, wish: OfSession) -> Reply:
        """Get the canvas's score, the scores of the way to it, and the task's anchors.

        In the published benchmark a model sees no scores while it paints: to compare with it, call this at the end.
        """
        view = self._studio.sessions.view(wish.session_id)
        return Reply(
            Standing(
                status=view.status,
                step=view.step,
                steps_left=view.steps_left,
                score=view.score,
                scores=view.scores,
                trajectory=view.trajectory,
                conduct=view.conduct,
                anchors=view.task.anchors,
            )
        )

    def _act(self, wish: Act, action: Action) -> Reply:
        request_id = wish.request_id or f"mcp-{secrets.token_hex(8)}"
        new = NewAction(request_id=request_id, action=action)
        return Reply(acted(self._studio.sessions.act(wish.session_id, wish.write_token, new)))


def _agent(wish: StartSession | ContinueSession) -> Player:
    return Player(kind="agent", name=wish.player, model=wish.model)


NEXT = "Call observe to see the task, then brush_stroke, and look again after every few strokes. "


def _end(name: ProtocolName, task: Task) -> str:
    """How a session of a task ends under a protocol."""
    rules = protocol_for(name, task.kind)
    if not rules.submit:
        return "The session ends when all steps are used; there is no undo and no submit."
    cost = "Each stroke and each undo uses a step" if rules.budget else "Steps are not limited"
    return f"{cost}; call submit when you are done."


class Spec(NamedTuple):
    """One tool: what it takes, what it gives, what it does."""

    run: Callable[[Hands, Any], Reply]
    title: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    hints: ToolAnnotations
    about: str = ""
    """Said after the docstring of `run`."""
    shows: bool = False
    """Whether it gives pictures. Then the record comes as text alone: several clients hand a model either the
    structured content or the pictures, never both, and a painter without pictures is blind."""

    @property
    def name(self) -> str:
        """Name of the tool."""
        return self.run.__name__

    def described(self) -> Tool:
        """The tool as a client lists it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=" ".join(f"{inspect.getdoc(self.run)} {self.about}".split()),
            input_schema=schema_of(self.takes),
            output_schema=None if self.shows else schema_of(self.gives, "serialization"),
            annotations=self.hints,
        )


def _hints(*, reads: bool = False, takes_away: bool = False, repeatable: bool = False) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=reads, destructive_hint=takes_away, idempotent_hint=repeatable, open_world_hint=False
    )


LOOKS = _hints(reads=True, repeatable=True)
SPECS = (
    Spec(Hands.list_tasks, "List tasks", ListTasks, TaskPage, LOOKS),
    Spec(Hands.start_session, "Start a session", StartSession, Started, _hints()),
    Spec(Hands.continue_session, "Continue a session", ContinueSession, Started, _hints()),
    # not read-only: with the token the record grows, once for the same pictures
    Spec(Hands.observe, "Look at the canvas", Observe, Observed, _hints(repeatable=True), shows=True),
    Spec(Hands.brush_stroke, "Paint a stroke", PaintStroke, Acted, _hints(), about=inspect.getdoc(Stroke) or ""),
    Spec(Hands.undo, "Undo the last stroke", Act, Acted, _hints(takes_away=True)),
    # a second submit is refused and changes nothing
    Spec(Hands.submit, "Submit the canvas", Act, Acted, _hints(repeatable=True)),
    Spec(Hands.get_scores, "Get the scores", OfSession, Standing, LOOKS),
)
TOOLS = {spec.name: spec for spec in SPECS}


def call(hands: Hands, name: str, arguments: dict[str, Any] | None) -> CallToolResult:
    """Call a tool; what is refused comes back as an error that the model can read. Blocks.

    Raises:
        MCPError: there is no such tool.
    """
    spec = TOOLS.get(name)
    if spec is None:
        raise MCPError(INVALID_PARAMS, f"There is no tool {name[:64]!r}; tools/list names them all.")
    try:
        return _told(spec, spec.run(hands, spec.takes.model_validate(arguments or {})))
    except ValidationError as fault:
        return _failed(explain(fault, "call").message)
    except (Refusal, StoreFull) as refusal:
        return _failed(str(refusal))
    except Exception:
        log.exception("tool %s failed", name)
        return _failed("The server failed on this call and has logged why; what was acknowledged before is stored.")


def row_of(task: Task) -> TaskRow:
    """A task as a list shows it."""
    return TaskRow(**{name: getattr(task, name) for name in TaskRow.model_fields})


def acted(answer: Answer) -> Acted:
    """What a model is told of an action: all but the scores, which the published protocol does not show."""
    return Acted(**{name: getattr(answer, name) for name in Acted.model_fields})


def _told(spec: Spec, reply: Reply) -> CallToolResult:
    record = TextContent(text=reply.record.model_dump_json(by_alias=True))
    content: list[ContentBlock] = []
    for caption, png in reply.pictures:
        content += [TextContent(text=caption), ImageContent(data=b64encode(png).decode(), mime_type="image/png")]
    content.append(record)
    structured = None if spec.shows else reply.record.model_dump(mode="json", by_alias=True)
    return CallToolResult(content=content, structured_content=structured)


def _failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)
