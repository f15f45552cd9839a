"""The two tables of a data set: one row a session, one row an action; each column told once, with what it means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from easel_app.exports.frames import canvases
from easel_app.exports.parquet import Column
from easel_app.painting import png
from easel_app.painting.scores import headline, restored
from easel_app.painting.stroke import STROKE_FIELDS, Stroke
from easel_app.painting.tasks import Task
from easel_app.scoring.similarity import Similarity
from easel_app.services.figures import of_log, skill_of
from easel_app.services.problems import Conflict
from easel_app.store.figures import FiguresRecord
from easel_app.store.records import ActionRecord, SessionRecord

FIGURES = {
    "final": "Score after the last step.",
    "at_half": "Score at half the budget.",
    "auc": "Mean score over the steps of the budget.",
    "best": "Largest score after any step.",
    "best_step": "First step that reaches it.",
    "final_best_gap": "best - final.",
    "edge_iou": "Edge IoU of the last canvas; null where the metric has none.",
    "exact_repeat_rate": "Share of strokes equal to the one before.",
    "near_repeat_rate": "Share of strokes within 0.02 of the one before in every number.",
    "invalid_rate": "Share of steps whose action could not be read.",
    "rejected_rate": "Share of steps that broke a rule of the task.",
    "undos": "Undo steps.",
    "draw_undo_loops": "Undo steps that take back the stroke of the step just before.",
    "submit_percent": "Steps used at the end over the budget, times 100; null without a budget.",
}
"""Figures of a session, as FiguresRecord names them."""
COUNTS = ("best_step", "undos", "draw_undo_loops")
SESSIONS = (
    Column("session_id", "string", "Name of the session, and of its log in logs/."),
    Column("task_id", "string", "What was painted."),
    Column("task_kind", "string", "reconstruction, outline, handwriting or maze."),
    Column("category", "string", "Group of the task."),
    Column("task_set", "string", "Name and version of the set of tasks."),
    Column("task_digest", "string", "SHA-256 of all that scores depend on: picture and truth."),
    Column("title", "string", "What the picture shows."),
    Column("instruction", "string", "What was asked for."),
    Column("width", "int64", "Px; canvases are square."),
    Column("budget", "int64", "Steps of the task."),
    Column("protocol", "string", "benchmark (as published), studio (undo and early submit), practice (no budget)."),
    Column("player_kind", "string", "human, agent or painter (a built-in policy)."),
    Column("player_name", "string", "As the player called itself."),
    Column("player_model", "string", "Model behind an agent, if told."),
    Column("run_id", "string", "Run that the session is of, if any."),
    Column("renderer", "string", "Name and version of what turned strokes into pixels."),
    Column("metric", "string", "Name and version of the score."),
    Column("status", "string", "submitted or spent (the budget was used up)."),
    Column("steps", "int64", "Steps used."),
    Column("actions", "int64", "Rows of the table of actions."),
    Column("parent_id", "string", "Session that this one goes on from, if any; then it is not ranked."),
    Column("fork_step", "int64", "Steps that it has from there."),
    Column("imported", "bool", "Whether it was imported from a log made elsewhere; then played and scored again."),
    Column("assisted", "bool", "Whether another than its player acted too; then it is not ranked."),
    Column("ranked", "bool", "Whether it may stand in a ranking."),
    Column("intact", "bool", "Whether the log gives the recorded canvas again."),
    *(Column(name, "int64" if name in COUNTS else "float64", text) for name, text in FIGURES.items()),
    Column("skill", "float64", "Where final lies between mean fill (0) and data policy (1); our own number."),
    Column("curve", "[float64]", "Score before the first step and after each one."),
    Column("created_at", "string", "When it began, ISO 8601 in UTC."),
    Column("ended_at", "string", "When its last action was taken."),
    Column("picture_origin", "string", "Where the reference comes from."),
    Column("picture_author", "string", "Who made it."),
    Column("picture_licence", "string", "Terms that it may be used under."),
    Column("picture_detail", "string", "Seed or crop that makes it."),
    Column("reference", "image", "The picture to paint, or the start canvas of a semantic task."),
    Column("canvas", "image", "The canvas at the end; null where the log no longer gives it."),
)
PARTS = Similarity._fields[1:]
ACTIONS = (
    Column("session_id", "string", "The session."),
    Column("seq", "int64", "Place in its log, from 1."),
    Column("step", "int64", "Steps used after it."),
    Column("kind", "string", "brush_stroke, undo, submit, or invalid (a reply that could not be read)."),
    *(Column(name, "float64", f"{Stroke.model_fields[name].description}") for name in STROKE_FIELDS),
    Column("outcome", "string", "applied, rejected (broke a rule) or invalid; the last two change nothing."),
    Column("message", "string", "One sentence when the outcome is not applied."),
    Column("status", "string", "open, submitted or spent after it."),
    Column("score", "float64", "The task's score of the canvas after it."),
    *(Column(name, "float64", "Part of a similarity; null for other metrics.") for name in PARTS),
    Column("scores", "string", "All parts of the score, as JSON."),
    Column("canvas_digest", "string", "SHA-256 of the RGB bytes of the canvas after it."),
    Column("actor", "string", "Kind of player that acted."),
    Column("guest", "string", "Name of the guest who did, if any."),
    Column("inherited", "bool", "Whether the session has it from the one that it goes on from."),
    Column("at", "string", "When, ISO 8601 in UTC."),
)


def session_row(
    task: Task, session: SessionRecord, actions: Sequence[ActionRecord], run_id: str | None
) -> Mapping[str, Any]:
    """The row of an ended session."""
    figures: FiguresRecord = of_log(task, session, actions)
    canvas, last = _last_canvas(task, actions), actions[-1]
    imported, forked = session.imported_from is not None, session.parent_id is not None
    steps = [action for action in actions if action.kind != "submit"]
    curve = [headline(restored(scores)) for scores in (session.start_scores, *(action.scores for action in steps))]
    return {
        "session_id": session.id,
        **{name: getattr(session, name) for name in ("task_id", "task_set", "task_digest", "protocol")},
        **{name: getattr(session, name) for name in ("player_kind", "player_name", "player_model")},
        **{name: getattr(session, name) for name in ("renderer", "metric", "parent_id", "fork_step", "created_at")},
        **{name: getattr(task, name) for name in ("category", "title", "instruction", "width", "budget")},
        "task_kind": str(task.kind),
        "run_id": run_id,
        "status": last.status,
        "steps": len(steps),
        "actions": len(actions),
        "imported": imported,
        "assisted": figures.assisted,
        "ranked": session.protocol != "practice" and not (forked or imported or figures.assisted),
        "intact": canvas is not None,
        **{name: getattr(figures, name) for name in FIGURES},
        "skill": skill_of(task, figures.final),
        "curve": curve,
        "ended_at": last.at,
        "picture_origin": task.source.origin,
        "picture_author": task.source.author,
        "picture_licence": task.source.licence,
        "picture_detail": task.source.detail,
        "reference": {"bytes": task.png, "path": f"{task.id}.png"},
        "canvas": canvas and {"bytes": canvas, "path": f"{session.id}.png"},
    }


def action_row(session_id: str, action: ActionRecord) -> Mapping[str, Any]:
    """The row of an action of a session's log."""
    return {
        **{name: getattr(action, name) for name in ("seq", "step", "kind", "outcome", "message", "status")},
        **{name: getattr(action, name) for name in ("canvas_digest", "actor", "guest", "at")},
        **{name: action.params.get(name) for name in STROKE_FIELDS},
        "session_id": session_id,
        "score": headline(restored(action.scores)),
        **{name: action.scores.get(name) for name in PARTS},
        "scores": json.dumps(action.scores),
        "inherited": action.session_id != session_id,
    }


def _last_canvas(task: Task, actions: Sequence[ActionRecord]) -> bytes | None:
    """The canvas at the end as PNG; None where the log no longer gives the recorded one."""
    try:
        for canvas in canvases(task, actions):  # noqa: B007
            pass
    except Conflict:
        return None
    return png.encode(canvas)
