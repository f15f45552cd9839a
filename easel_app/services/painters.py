"""Built-in painters at work in sessions, live: each in a thread of its own, at a pace that can be watched."""

from __future__ import annotations

import logging
import threading
import time
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from easel_app.painting.painters import PAINTERS, able, next_action, painter
from easel_app.painting.rollout import Status
from easel_app.painting.stroke import Strict
from easel_app.painting.tasks import Task
from easel_app.services.problems import Busy, Conflict, Invalid, Refusal
from easel_app.services.sessions import SessionService
from easel_app.services.tasks import TaskService
from easel_app.services.views import NewAction

MOST_AT_WORK = 8
"""Painters at work at a time."""
PATIENCE = 0.5
"""Seconds after which a painter asks again whether a guest has handed the turn back."""
log = logging.getLogger(__name__)


class NewPainter(Strict):
    """Which painter is to paint, and how fast."""

    painter: str = Field(
        max_length=40,
        description="For a reconstruction `greedy`, the data policy, or `greedy-quick`; `greedy-s`, `planner-quick` or "
        "`planner`, which aim at the score; the controls `random`, `fills`, `repeat`, `early-stop`, `overpaint`. "
        "Scripts that know the answer: `tracer` for an outline, `writer` for handwriting, `solver` for a maze.",
        examples=["greedy"],
    )
    seed: int = Field(default=0, ge=0, strict=True, description="The same seed on the same canvas paints the same.")
    strokes_per_second: Annotated[float, Field(gt=0, le=1000)] | None = Field(
        default=None, description="Pace; null: as fast as it can."
    )


class PainterView(BaseModel):
    """A painter at work."""

    painter: str = Field(description="Name and version.")
    at_work: bool = Field(description="Whether it is painting now.")


class _Work(NamedTuple):
    thread: threading.Thread
    stop: threading.Event


class PainterService:
    """Puts painters to work and stops them."""

    def __init__(self, sessions: SessionService, tasks: TaskService) -> None:
        self._sessions, self._tasks = sessions, tasks
        self._changing = threading.Lock()
        """Held while painters are put to work or stopped, so that each is known until it has ended."""
        self._at_work: dict[str, _Work] = {}
        self._closed = False

    def start(self, session_id: str, token: str, wish: NewPainter) -> PainterView:
        """Let a painter paint a session from where it stands until it ends; instead of the one at work there, if any.

        Raises:
            NotFound: no such session.
            Forbidden: the token is not the write token.
            Invalid: no such painter.
            Conflict: the session takes no more strokes.
            Busy: too many painters are at work.
        """
        self._sessions.own(session_id, token)
        if wish.painter not in PAINTERS:
            raise Invalid("no_such_painter", f"There is no painter {wish.painter!r}: {', '.join(PAINTERS)}.", "painter")
        view = self._sessions.view(session_id)
        task = self._tasks.get(view.task.id)
        if wish.painter not in able(task.truth):
            message = f"{wish.painter} cannot paint this task; {' or '.join(able(task.truth))} can."
            raise Invalid("wrong_painter", message, "painter")
        if view.status is not Status.OPEN:
            raise Conflict("session_closed", "This session has ended; begin a new one.")
        with self._changing:
            self._end(session_id)
            if self._closed or sum(work.thread.is_alive() for work in self._at_work.values()) >= MOST_AT_WORK:
                raise Busy("too_many_painters", f"{MOST_AT_WORK} painters are at work; try again in a minute.")
            stop = threading.Event()
            arguments = session_id, task, wish, stop
            thread = threading.Thread(target=self._work, args=arguments, name=f"painter {session_id}", daemon=True)
            thread.start()
            self._at_work[session_id] = _Work(thread, stop)
        return PainterView(painter=PAINTERS[wish.painter].version, at_work=True)

    def stop(self, session_id: str, token: str) -> None:
        """Let the painter of a session put down its brush; fine when none is at work.

        Raises:
            NotFound: no such session.
            Forbidden: the token is not the write token.
        """
        self._sessions.own(session_id, token)
        with self._changing:
            self._end(session_id)

    def close(self) -> None:
        """Stop all painters; none begins any more."""
        with self._changing:
            self._closed = True
            for session_id in list(self._at_work):
                self._end(session_id)

    def _end(self, session_id: str) -> None:
        """Stop the painter of a session and forget those that ended by themselves."""
        ended = [name for name, work in self._at_work.items() if not work.thread.is_alive()]
        for name in ended:
            del self._at_work[name]
        work = self._at_work.pop(session_id, None)
        if work:
            work.stop.set()
            work.thread.join()

    def _work(self, session_id: str, task: Task, wish: NewPainter, stop: threading.Event) -> None:
        try:
            self._paint(session_id, task, wish, stop)
        except Refusal as refusal:  # submitted by its owner, or another end that is not ours
            log.info("the painter of %s stops: %s", session_id, refusal.message)
        except Exception:
            log.exception("the painter of %s failed", session_id)

    def _paint(self, session_id: str, task: Task, wish: NewPainter, stop: threading.Event) -> None:
        policy = painter(wish.painter, task.reference, task.budget, wish.seed, task.truth)
        pause = 1 / wish.strokes_per_second if wish.strokes_per_second else 0.0
        due = time.monotonic()
        while not stop.is_set():
            state = self._sessions.state(session_id)
            if state.status is not Status.OPEN or state.step >= state.budget:  # practice has no end of its own
                return
            pixels, step = self._sessions.pixels(session_id)
            action = next_action(policy, pixels, step)
            try:
                next_step = NewAction(request_id=f"painter-{state.seq + 1}", action=action)
                self._sessions.play(session_id, next_step, actor="painter")
            except Conflict as refusal:
                if refusal.code != "not_your_turn":
                    raise
                stop.wait(PATIENCE)
            due = max(due + pause, time.monotonic() - pause)  # what was late is not made up for by a rush
            stop.wait(max(0.0, due - time.monotonic()))
