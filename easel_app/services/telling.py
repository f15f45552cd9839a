"""What callers and viewers are told of a session in memory."""

from __future__ import annotations

import base64
import json

from easel_app.painting import png
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Rollout, Status, Turn
from easel_app.painting.scores import headline, restored
from easel_app.painting.tasks import OWN
from easel_app.scoring import trajectory
from easel_app.scoring.conduct import conduct
from easel_app.services.desk import OpenSession
from easel_app.services.live import Event
from easel_app.services.scores import shown
from easel_app.services.views import (
    Answer,
    ConductView,
    Contact,
    Parent,
    Player,
    SessionSummary,
    SessionView,
    TrajectoryView,
)
from easel_app.services.views import Turn as TurnView
from easel_app.store.records import ActionRecord, SessionRecord, Summary


def answer_of(session: OpenSession, seq: int, turn: Turn) -> Answer:
    """What a caller is told of the action with that seq."""
    limited = session.rollout.protocol.budget
    return Answer(
        seq=seq,
        outcome=turn.outcome,
        message=turn.message,
        step=turn.step,
        steps_left=session.rollout.task.budget - turn.step if limited else None,
        status=turn.status,
        score=headline(turn.scores),
        scores=shown(turn.scores),
        contact=Contact(x=turn.contact[0], y=turn.contact[1]) if turn.contact else None,
    )


def event_of(session: OpenSession, record: ActionRecord, answer: Answer) -> Event:
    """What viewers are told of the action that the session has just carried out, with the pixels that it changed."""
    rollout = session.rollout
    top, bottom, left, right = rollout.changed
    patch = None
    if bottom > top:
        picture = base64.b64encode(png.encode(rollout.pixels[top:bottom, left:right])).decode()
        patch = {"left": left, "top": top, "width": right - left, "height": bottom - top, "png": picture}
    data = {
        **answer.model_dump(mode="json"),
        "session_id": session.record.id,
        "kind": record.kind,
        "stroke": record.params or None,
        "actor": record.actor,
        "guest": record.guest,
        "at": record.at,
        "canvas_digest": record.canvas_digest,
        "can_undo": _can_undo(rollout),
        "patch": patch,
    }
    return Event(answer.seq, "action", json.dumps(data))


def view_of(session: OpenSession, turn: TurnView) -> SessionView:
    """The session as it is now."""
    record, rollout = session.record, session.rollout
    return SessionView(
        session_id=record.id,
        task=rollout.task,
        protocol=rollout.protocol.name,
        player=_player(record),
        status=rollout.status,
        seq=len(rollout.history),
        step=rollout.step,
        steps_left=rollout.steps_left,
        score=headline(rollout.scores),
        scores=shown(rollout.scores),
        curve=rollout.curve,
        trajectory=_trajectory(rollout),
        conduct=ConductView.model_validate(conduct(rollout.deeds, _budget(rollout))._asdict()),
        strokes=rollout.history.depth,
        can_undo=_can_undo(rollout),
        ranked=rollout.protocol.ranked
        and rollout.task.category != OWN
        and not (session.assisted or record.fork_step is not None or record.imported_from),
        parent=parent_of(record),
        imported=record.imported_from is not None,
        turn=turn,
        intact=session.intact,
        renderer=record.renderer,
        metric=record.metric,
        created_at=record.created_at,
        watch_url=watch_path(record.id),
    )


def turn_event(session: OpenSession, turn: TurnView) -> Event:
    """What viewers are told when sharing or the turn changes without an action."""
    data = {"session_id": session.record.id, "seq": len(session.rollout.history), **turn.model_dump()}
    return Event(data["seq"], "turn", json.dumps(data))


def summary_of(stored: Summary) -> SessionSummary:
    """A stored session as a list shows it."""
    record, last = stored.session, stored.last
    return SessionSummary(
        session_id=record.id,
        task_id=record.task_id,
        protocol=ProtocolName(record.protocol),
        player=_player(record),
        status=Status(last.status) if last else Status.OPEN,
        seq=last.seq if last else 0,
        step=last.step if last else 0,
        score=headline(restored(last.scores if last else record.start_scores)),
        metric=record.metric,
        created_at=record.created_at,
        last_at=max(last.at, record.created_at) if last else record.created_at,
        parent=parent_of(record),
        imported=record.imported_from is not None,
        watch_url=watch_path(record.id),
    )


def parent_of(record: SessionRecord) -> Parent | None:
    """What a session goes on from."""
    if record.fork_step is None:
        return None
    return Parent.model_construct(session_id=record.parent_id, step=record.fork_step)


def _player(record: SessionRecord) -> Player:
    return Player.model_construct(kind=record.player_kind, name=record.player_name, model=record.player_model)


def _can_undo(rollout: Rollout) -> bool:
    return rollout.status is Status.OPEN and rollout.protocol.undo and rollout.history.depth > 0


def _trajectory(rollout: Rollout) -> TrajectoryView:
    summary = trajectory.trajectory(rollout.curve, _budget(rollout))
    painted = [stroke.tolist() for stroke in rollout.history.painted()]
    anchors = rollout.task.anchors
    return TrajectoryView.model_validate(
        {
            **summary._asdict(),
            "exact_repeat_rate": trajectory.exact_repeat_rate(painted),
            f"near_repeat_rate_{trajectory.NEAR}": trajectory.near_repeat_rate(painted),
            "skill": trajectory.skill(rollout.curve[-1], anchors.mean_fill, anchors.data_policy) if anchors else None,
        }
    )


def _budget(rollout: Rollout) -> int | None:
    return rollout.task.budget if rollout.protocol.budget else None


def watch_path(session_id: str) -> str:
    """Path of the page that shows the session."""
    return f"/?tab=watch&session={session_id}"
