"""Sessions: begin, act, look, watch. Every way into the studio (page, REST, later MCP) ends here."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

from easel_app.painting import png
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.renderer import RENDERER
from easel_app.painting.rollout import Closed, NotAllowed, Outcome, Rollout, Status, Turn
from easel_app.painting.stroke import Action, BrushStroke, Stroke
from easel_app.painting.tasks import OWN, digest
from easel_app.scoring.similarity import METRIC, Similarity
from easel_app.services.desk import Desk, OpenSession
from easel_app.services.live import Event, Live, Viewer
from easel_app.services.problems import Conflict, Forbidden, NotFound
from easel_app.services.tasks import TaskService
from easel_app.services.telling import answer_of, event_of, view_of, watch_path
from easel_app.services.views import Answer, Begun, NewAction, NewSession, SessionView
from easel_app.store.records import ActionRecord, SessionRecord, SessionStore

MOST_ACTIONS = 4_000
"""Actions that one session may hold; only practice, which has no budget, can come so far."""
PAGE = 200
"""Actions of a log that are read at once."""
log = logging.getLogger(__name__)


class Rescored(NamedTuple):
    """A session's log played again by this version."""

    session_id: str
    actions: int
    worst: float
    """Largest difference between a stored part of a score and the same part computed now."""
    differing: int
    """Actions after which the canvas is not the recorded one."""


class SessionService:
    """All that can be done with sessions."""

    def __init__(self, store: SessionStore, tasks: TaskService, most_open: int) -> None:
        """Serve sessions of a store.

        Args:
            store: where they are recorded.
            tasks: what can be painted.
            most_open: sessions kept in memory.
        """
        self._store, self._tasks = store, tasks
        self._desk = Desk(most_open, self._reopen)
        self.live = Live()

    def begin(self, wish: NewSession) -> Begun:
        """Begin a session; it is stored when this returns.

        Raises:
            NotFound: no such task.
        """
        task, task_set = self._tasks.get(wish.task_id), self._tasks.task_set
        rollout, token = Rollout(task, wish.protocol, skia=True), secrets.token_urlsafe(24)
        record = SessionRecord(
            id=secrets.token_hex(8),
            task_id=task.id,
            task_digest=task.sha256,
            protocol=wish.protocol,
            player_kind=wish.player.kind,
            player_name=wish.player.name,
            player_model=wish.player.model,
            renderer=RENDERER,
            metric=METRIC,
            task_set=OWN if task.category == OWN else task_set,
            token_hash=_hash(token),
            start_scores=_stored(rollout.scores),
            created_at=_now(),
        )
        self._store.begin(record)
        self._desk.put(OpenSession(record, rollout))
        return Begun(
            session_id=record.id,
            write_token=token,
            watch_url=watch_path(record.id),
            task=task,
            steps_left=rollout.steps_left,
        )

    def act(self, session_id: str, token: str, wish: NewAction) -> Answer:
        """Carry out an action; it is committed when this returns. A known request id returns its first answer.

        Raises:
            NotFound: no such session.
            Forbidden: the token is not this session's.
            Conflict: the session takes no more actions, or its protocol does not know this one.
        """
        with self._desk.hold(session_id) as session:
            if not hmac.compare_digest(session.record.token_hash, _hash(token)):
                raise Forbidden("wrong_token", "The write token is not this session's; use the one it began with.")
            if wish.request_id in session.answers:
                return answer_of(session, *session.answers[wish.request_id])
            rollout = session.rollout
            if not session.intact:
                raise Conflict("not_intact", "The log no longer gives the recorded canvas; start a new session.")
            if len(rollout.history) >= MOST_ACTIONS and wish.action.kind != "submit":
                raise Conflict("session_full", f"A session holds {MOST_ACTIONS} actions; submit it and begin another.")
            refused = _refusal(rollout, wish.action)
            if refused:
                raise refused
            turn = rollout.play(wish.action)
            seq = len(rollout.history)
            self._store.append(_record(session, seq, wish, turn))
            session.answers[wish.request_id] = seq, turn
            answer = answer_of(session, seq, turn)
            if self.live.watched(session_id):
                self.live.publish(session_id, event_of(session, wish.action, answer))
            return answer

    def view(self, session_id: str) -> SessionView:
        """A session as it is now.

        Raises:
            NotFound: no such session.
        """
        with self._desk.hold(session_id) as session:
            return view_of(session)

    def canvas(self, session_id: str, step: int | None = None) -> bytes:
        """The canvas now, or after a step, as PNG.

        Raises:
            NotFound: no such session, or it has not come to that step.
        """
        with self._desk.hold(session_id) as session:
            rollout = session.rollout
            if step is None:
                return png.encode(rollout.pixels)
            if not 0 <= step <= rollout.step:
                raise NotFound("no_such_step", f"The session is at step {rollout.step}; ask for one up to it.", "step")
            # every action but a submit, which comes last, uses one step
            return png.encode(rollout.history.at(step))

    def log(self, session_id: str) -> Iterator[dict[str, Any]]:
        """How the session began, then each action, as they are stored, without the token; read page by page.

        Raises:
            NotFound: no such session.
        """
        record = self._find(session_id)
        begun = {name: value for name, value in vars(record).items() if name != "token_hash"}
        return chain([{"type": "session", **begun}], self._actions(session_id))

    def _actions(self, session_id: str) -> Iterator[dict[str, Any]]:
        after = 0
        while page := self._store.actions(session_id, after=after, limit=PAGE):
            yield from ({"type": "action", **vars(action)} for action in page)
            after = page[-1].seq

    def require(self, session_id: str) -> None:
        """Make sure that there is such a session.

        Raises:
            NotFound: there is none.
        """
        self._find(session_id)

    def watch(self, session_id: str, viewer: Viewer) -> Event:
        """Send a session's events to a viewer from now on; returns the snapshot that they follow on.

        Raises:
            NotFound: no such session.
        """
        with self._desk.hold(session_id) as session:
            self.live.join(session_id, viewer)
            view = view_of(session).model_dump(mode="json")
            view["canvas"] = base64.b64encode(png.encode(session.rollout.pixels)).decode()
            return Event(view["seq"], "snapshot", json.dumps(view))

    def rescore(self) -> Iterator[Rescored]:
        """Play every session's log again and hold scores and canvases against what is stored."""
        for session_id in self._store.ids():
            record = self._find(session_id)
            rollout = Rollout(self._tasks.get(record.task_id), ProtocolName(record.protocol))
            worst, differing = 0.0, 0
            for stored in self._store.actions(session_id):
                turn = _replay(rollout, stored)
                worst = max([worst, *(abs(a - b) for a, b in zip(turn.scores, _told(stored).scores, strict=True))])
                differing += digest(rollout.pixels) != stored.canvas_digest
            yield Rescored(session_id, len(rollout.history), worst, differing)

    def _find(self, session_id: str) -> SessionRecord:
        record = self._store.session(session_id)
        if record is None:
            raise NotFound("no_such_session", "There is no session of that id; check the link.", "session_id")
        return record

    def _reopen(self, session_id: str) -> OpenSession:
        """Rebuild a session by playing its log again."""
        record = self._find(session_id)
        session = OpenSession(
            record, Rollout(self._tasks.get(record.task_id), ProtocolName(record.protocol), skia=True)
        )
        actions = self._store.actions(session_id)
        for stored in actions:
            _replay(session.rollout, stored)
            session.answers[stored.request_id] = stored.seq, _told(stored)
        task = session.rollout.task
        begun, now = (record.renderer, record.metric, record.task_digest), (RENDERER, METRIC, task.sha256)
        if begun != now or (actions and digest(session.rollout.pixels) != actions[-1].canvas_digest):
            log.error("session %s: the log no longer gives what was recorded (begun with %s)", session_id, begun)
            session.intact = False
        return session


def _refusal(rollout: Rollout, action: Action) -> Conflict | None:
    """Why the rollout would not take the action, found before anything changes."""
    try:
        rollout.check(action)
    except Closed as error:
        return Conflict("session_closed", str(error))
    except NotAllowed as error:
        return Conflict("not_allowed", str(error), "action.kind")
    return None


def _replay(rollout: Rollout, stored: ActionRecord) -> Turn:
    if stored.outcome != Outcome.APPLIED:
        return rollout.refuse(Outcome(stored.outcome), stored.message)
    if stored.kind == "brush_stroke":
        return rollout.paint(Stroke.model_validate(stored.params).to_vector())
    return rollout.undo() if stored.kind == "undo" else rollout.submit()


def _told(stored: ActionRecord) -> Turn:
    """What the caller was told when the action was acknowledged."""
    scores = Similarity(**{name: stored.scores[name] for name in Similarity._fields})
    return Turn(Outcome(stored.outcome), stored.message, stored.step, Status(stored.status), scores)


def _record(session: OpenSession, seq: int, wish: NewAction, turn: Turn) -> ActionRecord:
    action = wish.action
    return ActionRecord(
        session_id=session.record.id,
        seq=seq,
        request_id=wish.request_id,
        kind=action.kind,
        params=action.stroke.model_dump() if isinstance(action, BrushStroke) else {},
        outcome=turn.outcome,
        message=turn.message,
        step=turn.step,
        status=turn.status,
        scores=_stored(turn.scores),
        canvas_digest=digest(session.rollout.pixels),
        actor=session.record.player_kind,
        at=_now(),
    )


def _stored(scores: Similarity) -> dict[str, Any]:
    return {"metric": METRIC, **scores._asdict()}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
