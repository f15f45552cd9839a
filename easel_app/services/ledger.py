"""Between memory and store: turns of a rollout as records of a log, and the way back."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from easel_app.painting.rollout import Outcome, Rollout, Status, Turn
from easel_app.painting.stroke import BrushStroke, Stroke
from easel_app.painting.tasks import digest
from easel_app.scoring.similarity import METRIC, Similarity
from easel_app.services.desk import OpenSession
from easel_app.services.views import NewAction
from easel_app.store.records import ActionRecord


def record_of(session: OpenSession, seq: int, wish: NewAction, turn: Turn, guest: str | None) -> ActionRecord:
    """The record of an action that the session's rollout has just carried out."""
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
        actor="human" if guest else session.record.player_kind,
        at=now(),
        guest=guest,
    )


def replay(rollout: Rollout, record: ActionRecord) -> Turn:
    """Carry out a recorded action again."""
    if record.outcome != Outcome.APPLIED:
        return rollout.refuse(Outcome(record.outcome), record.message)
    if record.kind == "brush_stroke":
        return rollout.paint(Stroke.model_validate(record.params).to_vector())
    return rollout.undo() if record.kind == "undo" else rollout.submit()


def told(record: ActionRecord) -> Turn:
    """What the caller was told when the action was acknowledged."""
    scores = Similarity(**{name: record.scores[name] for name in Similarity._fields})
    return Turn(Outcome(record.outcome), record.message, record.step, Status(record.status), scores)


def stored(scores: Similarity) -> dict[str, Any]:
    """Scores with the name of their metric."""
    return {"metric": METRIC, **scores._asdict()}


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    """This moment, ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
