"""Sessions: begin, act, look, watch. Every way into the studio (page, REST, later MCP) ends here."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from easel_app import handwriting
from easel_app.painting import png
from easel_app.painting.protocol import Kind, ProtocolName, protocol_for
from easel_app.painting.renderer import RENDERER
from easel_app.painting.rollout import Closed, NotAllowed, Rollout, Status, WrongStroke
from easel_app.painting.scores import METRICS, difference, stored
from easel_app.painting.showing import Look
from easel_app.painting.stroke import Action
from easel_app.painting.tasks import OWN, Task, digest
from easel_app.services.desk import Desk, OpenSession
from easel_app.services.figures import by_another, of_rollout
from easel_app.services.ledger import now, record_of, replay, token_hash, told
from easel_app.services.live import Event, Live, Viewer
from easel_app.services.observing import Observation, observe
from easel_app.services.overlay import Overlay, overlay
from easel_app.services.problems import Conflict, Forbidden, Invalid, NotFound, Refusal
from easel_app.services.tasks import TaskService
from easel_app.services.telling import answer_of, event_of, summary_of, turn_event, view_of, watch_path
from easel_app.services.turns import Turns, Visitor
from easel_app.services.views import (
    Answer,
    Begun,
    Guest,
    NewAction,
    NewFork,
    NewGuest,
    NewSession,
    Player,
    ReadingView,
    SessionSummary,
    SessionView,
    Sharing,
)
from easel_app.services.views import Turn as TurnView
from easel_app.store.figures import keeping
from easel_app.store.records import (
    ActionRecord,
    ExchangeRecord,
    ObservationRecord,
    ReadingRecord,
    RunPlace,
    SessionRecord,
    SessionStore,
    Summary,
    Wanted,
)

MOST_ACTIONS = 4_000
"""Actions that one session may hold; only practice, which has no budget, can come so far."""
MOST_WAITING = 16
"""Actions of one session that wait for each other; more would keep the server's threads from everyone else."""
PAGE = 200
"""Actions of a log that are read at once."""
LOG_FORMAT = "easel-log/1"
"""Name and version of a log as it is exported."""
log = logging.getLogger(__name__)


Exchange = Callable[[int], ExchangeRecord]
"""Makes the record of an exchange for the seq of the action that came of it."""


class State(NamedTuple):
    """Where a session stands, in short."""

    seq: int
    step: int
    budget: int
    status: Status
    score: float


class Rescored(NamedTuple):
    """A session's log played again by this version."""

    session_id: str
    actions: int
    worst: float
    """Largest difference between a stored part of a score and the same part computed now; infinite where a text or
    the outcome of an action differs."""
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
        self._turns = Turns()
        self.live = Live()

    def begin(self, wish: NewSession, place: RunPlace | None = None) -> Begun:
        """Begin a session; it is stored when this returns.

        Args:
            wish: what to begin.
            place: which of a run's attempts it is; such a session's id follows from its place.

        Raises:
            NotFound: no such task.
        """
        task = self._tasks.get(wish.task_id)
        rollout, token = Rollout(task, wish.protocol, skia=True), secrets.token_urlsafe(24)
        record = _begun(task, wish.protocol, wish.player, token, stored(rollout.scores), place)
        self._store.begin(record, place)
        if wish.shared:
            self._store.share(record.id, True, now())
        self._desk.put(OpenSession(record, rollout))
        return self._welcome(record, token, task, rollout.steps_left)

    def fork(self, parent_id: str, wish: NewFork, place: RunPlace | None = None) -> Begun:
        """Go on from a step of a session, whoever played it; what is there stays as it is, and the copy is unranked.

        Args:
            parent_id: the session to go on from.
            wish: how much of it to keep, who goes on, and by which rules.
            place: which of a run's attempts the new session is.

        Raises:
            NotFound: no such session, or it has not come to that step.
            Conflict: no step would be left, the rules do not fit, or the log does not give the recorded canvas.
        """
        task, protocol = self.forkable(parent_id, wish.step, wish.protocol)
        token = secrets.token_urlsafe(24)
        record = _begun(task, protocol, wish.player, token, self._find(parent_id).start_scores, place)
        self._store.begin(replace(record, parent_id=parent_id, fork_step=wish.step), place)
        limited = protocol_for(protocol, task.kind).budget
        return self._welcome(record, token, task, task.budget - wish.step if limited else None)

    def forkable(self, parent_id: str, step: int, protocol: ProtocolName | None = None) -> tuple[Task, ProtocolName]:
        """What is painted, and by which rules, by whoever goes on from a step of a session. Raises as `fork` does."""
        with self._desk.hold(parent_id) as parent:
            rollout, then = parent.rollout, ProtocolName(parent.record.protocol)
            if not parent.intact:
                raise Conflict("not_intact", "The log no longer gives the recorded canvas; go on from another session.")
            if step > rollout.step:
                message = f"The session is at step {rollout.step}; go on from one up to it."
                raise NotFound("no_such_step", message, "step")
            chosen = protocol or then
            if chosen is not then and (then, chosen) != (ProtocolName.BENCHMARK, ProtocolName.STUDIO):
                message = f"A {then} session can be gone on with by {then} rules only; leave the protocol out."
                raise Conflict("wrong_protocol", message, "protocol")
            most = rollout.task.budget if rollout.protocol.budget else MOST_ACTIONS
            if step >= most:
                message = f"All {most} steps are used there, so none would be left; go on from an earlier step."
                raise Conflict("no_steps_left", message, "step")
            return rollout.task, chosen

    def _welcome(self, record: SessionRecord, token: str, task: Task, steps_left: int | None) -> Begun:
        if task.kind is Kind.HANDWRITING:  # the reader takes a second to load: before the first stroke, not with it
            threading.Thread(target=handwriting.warm, name="warm the reader", daemon=True).start()
        watch_url = watch_path(record.id)
        return Begun(session_id=record.id, write_token=token, watch_url=watch_url, task=task, steps_left=steps_left)

    def act(self, session_id: str, token: str, wish: NewAction) -> Answer:
        """Carry out an action; it is committed when this returns. A known request id returns its first answer.

        Args:
            session_id: the session.
            token: its write token, or the token of a guest.
            wish: the action.

        Raises:
            NotFound: no such session.
            Forbidden: the token is not this session's, or a guest may not do this.
            Busy: too many actions of the session wait already.
            Conflict: the session takes no more actions, its protocol does not know this one, or it is not the
                caller's turn.
        """
        with self._desk.hold(session_id, most=MOST_WAITING) as session:
            guest = self._guest(session, token)
            if guest and wish.action.kind not in ("brush_stroke", "undo"):
                raise Forbidden("guests_paint_only", "A guest may paint and undo; the rest is the player's.")
            return self._act(session, wish, guest)

    def play(
        self, session_id: str, wish: NewAction, exchange: Exchange | None = None, *, actor: str | None = None
    ) -> Answer:
        """`act` for players of this process, which need no token: painters, runs, recorded environments.

        The exchange that led to the action, made for the action's seq, is stored with it, in one transaction. `actor`
        is who acts, if not the session's player: the session is then not ranked, as after a guest. Raises as `act`
        does.
        """
        with self._desk.hold(session_id) as session:
            # no id that a caller may send begins so
            own = wish.model_copy(update={"request_id": f"#{wish.request_id}"})
            return self._act(session, own, None, exchange, actor)

    def _guest(self, session: OpenSession, token: str) -> Visitor | None:
        """The guest whose token it is; None when it is the write token."""
        if hmac.compare_digest(session.record.token_hash, token_hash(token)):
            return None
        guest = self._turns.guest(session.record.id, token)
        if not guest:
            message = "The token is not this session's; use the one it began with, or join it again as a guest."
            raise Forbidden("wrong_token", message)
        return guest

    def _act(
        self,
        session: OpenSession,
        wish: NewAction,
        guest: Visitor | None,
        exchange: Exchange | None = None,
        actor: str | None = None,
    ) -> Answer:
        name = guest.name if guest else None
        if guest:  # else a guest could take the ids that the player is going to use
            wish = wish.model_copy(update={"request_id": f"@{guest.id}:{wish.request_id}"})
        if wish.request_id in session.answers:
            return answer_of(session, *session.answers[wish.request_id])
        rollout, session_id = session.rollout, session.record.id
        if not session.intact:
            raise Conflict("not_intact", "The log no longer gives the recorded canvas; start a new session.")
        if len(rollout.history) >= MOST_ACTIONS and wish.action.kind != "submit":
            raise Conflict("session_full", f"A session holds {MOST_ACTIONS} actions; submit it and begin another.")
        refused = _refusal(rollout, wish.action) or self._not_your_turn(session_id, guest)
        if refused:
            raise refused
        turn = rollout.play(wish.action)
        seq = len(rollout.history)
        record = record_of(session, seq, wish, turn, name, actor)
        assisted = session.assisted or by_another(record, session.record)
        ends = turn.status is not Status.OPEN and rollout.protocol.ranked
        kept = keeping(of_rollout(session.record, rollout, assisted)) if ends else None
        self._store.append(record, exchange and exchange(seq), kept)
        session.answers[wish.request_id] = seq, turn
        if guest:
            self._turns.take(session_id, guest)
        session.assisted = assisted
        answer = answer_of(session, seq, turn)
        if self.live.watched(session_id):
            self.live.publish(session_id, event_of(session, record, answer))
        return answer

    def _not_your_turn(self, session_id: str, guest: Visitor | None) -> Conflict | None:
        held = self._turns.holder(session_id)
        if held is None or held[0] == guest:
            return None
        holder, left = held
        message = f"{holder.name} is painting; try again when they have handed back, in {left:.0f} s at the latest."
        return Conflict("not_your_turn", message)

    def share(self, session_id: str, token: str, sharing: Sharing) -> TurnView:
        """Let anyone who watches take turns, or end that. For the owner.

        Raises:
            NotFound: no such session.
            Forbidden: the token is not the write token.
        """
        with self._desk.hold(session_id) as session:
            if self._guest(session, token):
                raise Forbidden("owner_only", "Only the session's owner decides who may paint.")
            if sharing.shared != self._store.shared(session_id):
                self._store.share(session_id, sharing.shared, now())
            if not sharing.shared:
                self._turns.dismiss(session_id)
            return self._tell_turn(session)

    def join(self, session_id: str, wish: NewGuest) -> Guest:
        """Take part in a shared session as a guest.

        Raises:
            NotFound: no such session.
            Forbidden: its owner does not share it.
        """
        with self._desk.hold(session_id):  # else the owner could end the sharing just before the guest is known
            if not self._store.shared(session_id):
                raise Forbidden("not_shared", "The owner of this session does not share its turns; ask them to.")
            return Guest(guest_token=self._turns.join(session_id, wish.name))

    def hand_back(self, session_id: str, token: str) -> TurnView:
        """Give the turn back to the player; a guest or the owner may.

        Raises:
            NotFound: no such session.
            Forbidden: the token is neither the write token nor that of the guest whose turn it is.
        """
        with self._desk.hold(session_id) as session:
            guest, held = self._guest(session, token), self._turns.holder(session_id)
            if guest and held and held[0] != guest:
                raise Forbidden("not_your_turn", f"It is the turn of {held[0].name}, who alone may hand it back.")
            if not held:
                return self._turn(session_id)
            self._turns.hand_back(session_id)
            return self._tell_turn(session)

    def _tell_turn(self, session: OpenSession) -> TurnView:
        turn = self._turn(session.record.id)
        self.live.publish(session.record.id, turn_event(session, turn))
        return turn

    def _turn(self, session_id: str) -> TurnView:
        held = self._turns.holder(session_id)
        return TurnView(shared=self._store.shared(session_id), guest=held[0].name if held else None)

    def turn(self, session_id: str) -> TurnView:
        """Whether guests may paint, and whose turn it is."""
        return self._turn(session_id)

    def newest(self, *, limit: int, **wanted: Unpack[Wanted]) -> list[SessionSummary]:
        """Sessions of published tasks, newest first, as narrowed down; those of own pictures are in no list."""
        return [summary_of(found) for found in self._store.newest(limit=limit, **wanted)]

    def summary(self, session_id: str) -> SessionSummary:
        """A session as a list shows it. Raises `NotFound` as `view` does."""
        self._find(session_id)
        return summary_of(self._store.summaries([session_id])[0])

    def of_run(self, run_id: str) -> list[Summary]:
        """The sessions of a run as they are stored, newest first."""
        return self._store.newest(limit=-1, run=run_id)

    def hold(self, session_id: str) -> AbstractContextManager[OpenSession]:
        """Have a session to oneself for a moment. Raises `NotFound` as `view` does, when it is entered."""
        return self._desk.hold(session_id)

    def known(self, session_id: str) -> bool:
        """Whether there is such a session."""
        return self._store.session(session_id) is not None

    def records(self, session_id: str) -> tuple[SessionRecord, list[ActionRecord]]:
        """How a session began and its whole log, as they are stored. Raises `NotFound` as `view` does."""
        return self._find(session_id), self._store.actions(session_id)

    def observe(self, session_id: str, look: Look, token: str | None = None) -> Observation:
        """What a player sees before acting. With the write token it is recorded that the player saw it so.

        Raises:
            NotFound: no such session.
            Forbidden: a token is given, but is not this session's.
        """
        with self._desk.hold(session_id) as session:
            by_player = token is not None and self._guest(session, token) is None
            observation = observe(session, look)
            seq = len(session.rollout.history)
            if by_player and (seq, look) not in session.seen:
                shown = [picture.model_dump() for picture in observation.shown]
                self._store.note(ObservationRecord(session_id, seq, shown, now()))
                session.seen = {(seq, look), *(kept for kept in session.seen if kept[0] == seq)}
            return observation

    def view(self, session_id: str) -> SessionView:
        """A session as it is now.

        Raises:
            NotFound: no such session.
        """
        with self._desk.hold(session_id) as session:
            return view_of(session, self._turn(session_id))

    def state(self, session_id: str) -> State:
        """Where a session stands. Raises `NotFound` as `view` does."""
        with self._desk.hold(session_id) as session:
            rollout = session.rollout
            seq = len(rollout.history)
            return State(seq, rollout.step, rollout.task.budget, rollout.status, rollout.curve[-1])

    def pixels(self, session_id: str) -> tuple[NDArray[np.uint8], int]:
        """The canvas, uint8 (n, n, 3), a copy, and the steps used. Raises `NotFound` as `view` does."""
        with self._desk.hold(session_id) as session:
            return session.rollout.pixels.copy(), session.rollout.step

    def last_actions(self, session_id: str, count: int) -> list[ActionRecord]:
        """The last actions of a session, oldest first. Raises `NotFound` as `view` does."""
        return self._store.actions(session_id, after=max(0, self.state(session_id).seq - count))

    def note(self, record: ExchangeRecord | ReadingRecord) -> None:
        """Store an exchange that led to no action, or what a model read."""
        self._store.note(record)

    def readings(self, session_id: str) -> list[ReadingView]:
        """What models read on a session's canvas, in order. Raises `NotFound` as `view` does."""
        self._find(session_id)
        return [ReadingView.of(record) for record in self._store.readings(session_id)]

    def unread(self, reader: str) -> list[str]:
        """Ids of ended sessions of handwriting in which a reader has not read yet, oldest first."""
        return self._store.unread(reader)

    def digest(self, session_id: str) -> str:
        """Digest of the canvas as it is. Raises `NotFound` as `view` does."""
        with self._desk.hold(session_id) as session:
            return digest(session.rollout.pixels)

    def own(self, session_id: str, token: str) -> None:
        """Make sure that it is the write token.

        Raises:
            NotFound: no such session.
            Forbidden: it is another token.
        """
        if not hmac.compare_digest(self._find(session_id).token_hash, token_hash(token)):
            raise Forbidden("wrong_token", "The write token is not this session's; use the one it began with.")

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

        An own picture, which no other studio has, goes with it.

        Raises:
            NotFound: no such session.
        """
        record = self._find(session_id)
        begun = {name: value for name, value in vars(record).items() if name != "token_hash"}
        if record.task_set == OWN:
            task = self._tasks.get(record.task_id)
            begun["task"] = task.model_dump(mode="json")
            begun["reference_png"] = base64.b64encode(task.png).decode()
        return chain([{"type": "session", "format": LOG_FORMAT, **begun}], self._actions(session_id))

    def _actions(self, session_id: str) -> Iterator[dict[str, Any]]:
        after = 0
        while page := self._store.actions(session_id, after=after, limit=PAGE):
            yield from ({"type": "action", **vars(action)} for action in page)
            after = page[-1].seq

    def evidence(self, session_id: str) -> Iterator[dict[str, Any]]:
        """What the session's player was shown and said, as it is stored: observations, then exchanges, each in order.

        Raises:
            NotFound: no such session.
        """
        self._find(session_id)
        observations, exchanges = self._store.observations(session_id), self._store.exchanges(session_id)
        return chain(
            ({"type": "observation", **vars(found)} for found in observations),
            ({"type": "exchange", **vars(found)} for found in exchanges),
        )

    def overlay(self, session_id: str) -> Overlay:
        """What the score of an ended semantic session rests on.

        Raises:
            NotFound: no such session, or it is a reconstruction.
            Conflict: it has not ended.
        """
        with self._desk.hold(session_id) as session:
            return overlay(session, self.readings(session_id))

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
            view = view_of(session, self._turn(session_id)).model_dump(mode="json")
            view["canvas"] = base64.b64encode(png.encode(session.rollout.pixels)).decode()
            return Event(view["seq"], "snapshot", json.dumps(view))

    def rescore(self) -> Iterator[Rescored]:
        """Play every session's log again and hold scores and canvases against what is stored."""
        for session_id in self._store.ids():
            begun = self._find(session_id)
            rollout = Rollout(self._tasks.get(begun.task_id), ProtocolName(begun.protocol))
            worst, differing = 0.0, 0
            for record in self._store.actions(session_id):
                turn, before = replay(rollout, record, anew=True), told(record, rollout)
                worst = max(worst, difference(turn.scores, before.scores))
                worst = max(worst, 0.0 if turn.outcome is before.outcome else float("inf"))
                differing += digest(rollout.pixels) != record.canvas_digest
            yield Rescored(session_id, len(rollout.history), worst, differing)

    def _find(self, session_id: str) -> SessionRecord:
        record = self._store.session(session_id)
        if record is None:
            raise NotFound("no_such_session", "There is no session of that id; check the link.", "session_id")
        return record

    def _reopen(self, session_id: str) -> OpenSession:
        """Rebuild a session by playing its log again."""
        begun = self._find(session_id)
        rollout = Rollout(self._tasks.get(begun.task_id), ProtocolName(begun.protocol), skia=True)
        session = OpenSession(begun, rollout)
        actions = self._store.actions(session_id)
        for record in actions:
            replay(rollout, record)
            if record.session_id == session_id:  # the ids of what it goes on from were its parent's callers'
                session.answers[record.request_id] = record.seq, told(record, rollout)
            session.assisted |= by_another(record, begun)
        task = rollout.task
        then, today = (begun.renderer, begun.metric, begun.task_digest), (RENDERER, METRICS[task.kind], task.digest)
        if then != today or (actions and digest(rollout.pixels) != actions[-1].canvas_digest):
            log.error("session %s: the log no longer gives what was recorded (begun with %s)", session_id, then)
            session.intact = False
        return session


def _refusal(rollout: Rollout, action: Action) -> Refusal | None:
    """Why the rollout would not take the action, found before anything changes."""
    try:
        rollout.check(action)
    except Closed as error:
        return Conflict("session_closed", str(error))
    except NotAllowed as error:
        return Conflict("not_allowed", str(error), "action.kind")
    except WrongStroke as error:
        return Invalid("wrong_stroke", str(error), "action.stroke")
    return None


def _begun(
    task: Task,
    protocol: ProtocolName,
    player: Player,
    token: str,
    start_scores: Mapping[str, Any],
    place: RunPlace | None,
) -> SessionRecord:
    """The record of a session that begins now."""
    return SessionRecord(
        id=place_id(place, task.id) if place else secrets.token_hex(8),
        task_id=task.id,
        task_digest=task.digest,
        protocol=protocol,
        player_kind=player.kind,
        player_name=player.name,
        player_model=player.model,
        renderer=RENDERER,
        metric=METRICS[task.kind],
        task_set=task.task_set,
        token_hash=token_hash(token),
        start_scores=start_scores,
        created_at=now(),
    )


def place_id(place: RunPlace, task_id: str) -> str:
    """The id of a session by its place in a run, so that no attempt is ever made twice."""
    return hashlib.sha256(f"{place.run_id}/{task_id}/{place.repeat}".encode()).hexdigest()[:16]
