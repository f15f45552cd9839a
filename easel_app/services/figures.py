"""What an ended session came to: the published numbers of one rollout, from its log or from memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from easel_app.painting.protocol import ProtocolName, protocol_for
from easel_app.painting.rollout import Rollout
from easel_app.painting.scores import headline, restored
from easel_app.painting.tasks import Task
from easel_app.scoring import conduct, trajectory
from easel_app.scoring.conduct import Deed
from easel_app.store.figures import FiguresRecord
from easel_app.store.records import ActionRecord, SessionRecord

VERSION = f"{trajectory.VERSION} {conduct.VERSION}"
"""Of the definitions; figures of another version are computed again."""
POINTS = 101
"""Points of a progress curve: 0, 1, … 100 % of the budget."""


def progress(curve: Sequence[float], budget: int) -> bytes:
    """A score over the share of the budget, as little-endian float32 (101,).

    Args:
        curve: S_0..S_t, the untouched canvas first.
        budget: T; a rollout that ended earlier holds its last score. Point p is the score after floor(p · T / 100)
            steps.
    """
    steps = np.minimum(np.arange(POINTS) * budget // (POINTS - 1), len(curve) - 1)
    return np.asarray(curve, "<f4")[steps].tobytes()


def by_another(action: ActionRecord, session: SessionRecord) -> bool:
    """Whether another than the session's player acted: a guest, or a built-in painter.

    Anyone may begin a session in a painter's name; only what this process played, whose request ids begin with #, is
    a painter's own. Of an imported session nobody knows, and it says that it is imported.
    """
    forged = session.player_kind == "painter" and not session.imported_from and not action.request_id.startswith("#")
    return action.guest is not None or action.actor != session.player_kind or forged


def of_log(task: Task, session: SessionRecord, actions: Sequence[ActionRecord]) -> FiguresRecord:
    """The figures of a session from its log."""
    steps = [action for action in actions if action.kind != "submit"]
    curve = [headline(restored(scores)) for scores in (session.start_scores, *(action.scores for action in steps))]
    painted = [list(a.params.values()) for a in steps if a.kind == "brush_stroke" and a.outcome == "applied"]
    deeds = [Deed(action.kind, action.outcome) for action in actions]
    edge_iou = (actions[-1].scores if actions else session.start_scores).get("edge_iou")
    assisted = any(by_another(action, session) for action in actions)
    return _figures(session, task, curve, painted, deeds, edge_iou, assisted)


def of_rollout(session: SessionRecord, rollout: Rollout, assisted: bool) -> FiguresRecord:
    """The figures of a session from memory; the same as from its log."""
    painted = [stroke.tolist() for stroke in rollout.history.painted()]
    edge_iou = getattr(rollout.scores, "edge_iou", None)
    return _figures(session, rollout.task, rollout.curve, painted, rollout.deeds, edge_iou, assisted)


def skill_of(task: Task, final: float | None) -> float | None:
    """Where a final score lies between the task's mean fill (0) and its data policy (1); None where not defined."""
    anchors = task.anchors
    return trajectory.skill(final, anchors.mean_fill, anchors.data_policy) if anchors and final is not None else None


def _figures(
    session: SessionRecord,
    task: Task,
    curve: Sequence[float],
    painted: Sequence[Sequence[float]],
    deeds: Sequence[Deed],
    edge_iou: float | None,
    assisted: bool,
) -> FiguresRecord:
    budget = task.budget if protocol_for(ProtocolName(session.protocol), task.kind).budget else None
    found, done = trajectory.trajectory(curve, budget), conduct.conduct(deeds, budget)
    return FiguresRecord(
        session_id=session.id,
        version=VERSION,
        steps=len(curve) - 1,
        # a semantic drawing may be submitted without a stroke: what was there then is its score
        final=curve[-1] if task.kind.semantic else found.final,
        at_half=found.at_half,
        auc=found.auc,
        best=found.best,
        best_step=found.best_step,
        final_best_gap=found.final_best_gap,
        edge_iou=edge_iou,
        exact_repeat_rate=trajectory.exact_repeat_rate(painted),
        near_repeat_rate=trajectory.near_repeat_rate(painted),
        invalid_rate=done.invalid_rate,
        rejected_rate=done.rejected_rate,
        undos=done.undos,
        draw_undo_loops=done.draw_undo_loops,
        submit_percent=done.submit_percent,
        assisted=assisted,
        curve=progress(curve, budget or max(1, len(curve) - 1)),
    )
