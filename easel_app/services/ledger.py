"""Between memory and store: turns of a rollout as records of a log, and the way back."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from easel_app.painting.rollout import Outcome, Rollout, Status, Turn
from easel_app.painting.scores import restored, stored
from easel_app.painting.stroke import BrushStroke, PathStroke, Stroke
from easel_app.painting.tasks import digest
from easel_app.services.desk import OpenSession
from easel_app.services.views import NewAction
from easel_app.store.records import ActionRecord


def record_of(
    session: OpenSession, seq: int, wish: NewAction, turn: Turn, guest: str | None, actor: str | None = None
) -> ActionRecord:
    """The record of an action that the session's rollout has just carried out.

    `guest` or `actor` is who acted, if not the session's player.
    """
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
        scores=stored(turn.scores),
        canvas_digest=digest(session.rollout.pixels),
        actor="human" if guest else actor or session.record.player_kind,
        at=now(),
        guest=guest,
    )


def replay(rollout: Rollout, record: ActionRecord, *, anew: bool = False) -> Turn:
    """Carry out a recorded action again.

    Args:
        rollout: where.
        record: the action.
        anew: judge and score it as if it were new, in place of what is recorded. Pixels are always painted anew.
    """
    stroke = stroke_of(record, rollout).to_vector() if record.kind == "brush_stroke" else None
    if stroke is not None and anew:
        return rollout.paint(stroke)
    if record.outcome != Outcome.APPLIED:
        return rollout.refuse(record.kind, Outcome(record.outcome), record.message)
    if stroke is not None:
        return rollout.lay(stroke, restored(record.scores))
    return rollout.undo() if record.kind == "undo" else rollout.submit()


def stroke_of(record: ActionRecord, rollout: Rollout) -> PathStroke:
    """The stroke of a recorded action."""
    form = PathStroke if rollout.task.kind.semantic else Stroke
    return form.model_validate(record.params)


def told(record: ActionRecord, rollout: Rollout) -> Turn:
    """What the caller was told when the action was acknowledged."""
    touched = record.kind == "brush_stroke" and record.outcome == Outcome.REJECTED
    contact = rollout.contact(stroke_of(record, rollout).to_vector()) if touched else None
    scores = restored(record.scores)
    return Turn(Outcome(record.outcome), record.message, record.step, Status(record.status), scores, contact)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    """This moment, ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
