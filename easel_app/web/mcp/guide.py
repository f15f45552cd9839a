"""What the MCP server explains: the game, in our own words."""

from __future__ import annotations

import inspect

from easel_app.painting.stroke import PathStroke, Stroke
from easel_app.painting.tasks import Task
from easel_app.services.views import NewSession

INSTRUCTIONS = """Paint a picture stroke by stroke so that it matches a reference, or draw what a semantic task asks \
for (an outline, a word, the way through a maze), with as many steps as the task's budget. list_tasks shows what can \
be painted; start_session begins, continue_session goes on from a step of a session that is there; observe shows \
reference and canvas; brush_stroke paints; submit ends. Everything is recorded, scored and shown live at the session's \
watch_url. The prompt `paint` explains the game for one task."""


def paint(task: Task) -> str:
    """The prompt that explains the game for a task."""
    stroke = PathStroke if task.kind.semantic else Stroke
    numbers = "\n".join(f"- {name}: {field.description}" for name, field in stroke.model_fields.items())
    form = " ".join((inspect.getdoc(stroke) or "").split())
    semantic = task.kind.semantic
    begins = "shows the task's picture, or is blank for handwriting" if semantic else "is white at first"
    seen = "you see the task and the canvas" if semantic else "you see the reference and the canvas"
    return f"""Paint the task {task.id}, "{task.title}". {task.instruction}

The canvas is {task.width} x {task.height} px and {begins}. Your budget is {task.budget} steps.

How to play
1. start_session with task_id "{task.id}", a protocol and your name. Keep session_id and write_token.
2. observe with both: {seen}. It costs no step. On a small canvas, scale and grid help.
3. brush_stroke: {SEMANTIC_WAY if semantic else WAY}
4. Look again and go on until steps_left is 0; or submit, if the protocol knows it, when no stroke makes it better.

A stroke
{form} Every number lies in [0, 1]; one that does not is refused and costs nothing.
{numbers}
{SEMANTIC_LOOK if semantic else LOOK}

Protocols
{NewSession.model_fields["protocol"].description}

Scores
{SEMANTIC_SCORES if semantic else SCORES}"""


WAY = "decide what differs most, and paint one stroke that mends it. Large shapes first, details last."
SEMANTIC_WAY = "draw the next piece of line."
LOOK = """A later stroke covers what lies below it, as far as it is opaque. You paint over a mistake, or take it back \
by undo."""
SEMANTIC_LOOK = """The brush is fixed: opaque dark blue, of medium width. Undo takes back the last stroke that lies on \
the canvas. A stroke that touches a wall of a maze is rejected: nothing is painted, the step is used, and the answer \
says where."""
SCORES = """The canvas is compared with the reference after each step. get_scores tells how similar they are, beside \
anchors: what a blank canvas, a flat fill and a greedy painter reach. In the published benchmark a model sees no \
scores while it paints; to compare with it, ask for them only at the end."""
SEMANTIC_SCORES = """What you drew is judged against the task, in [0, 1]: get_scores tells how. In the published \
benchmark a model sees no scores while it draws; to compare with it, ask for them only at the end."""
