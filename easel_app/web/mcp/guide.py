"""What the MCP server explains: the game, in our own words."""

from __future__ import annotations

import inspect

from easel_app.painting.stroke import Stroke
from easel_app.painting.tasks import Task
from easel_app.services.views import NewSession

INSTRUCTIONS = """Paint a picture stroke by stroke so that it matches a reference, with as many steps as the task's \
budget. list_tasks shows what can be painted; start_session begins; observe shows reference and canvas; brush_stroke \
paints; submit ends. Everything is recorded, scored and shown live at the session's watch_url. The prompt `paint` \
explains the game for one task."""


def paint(task: Task) -> str:
    """The prompt that explains the game for a task."""
    numbers = "\n".join(f"- {name}: {field.description}" for name, field in Stroke.model_fields.items())
    form = " ".join((inspect.getdoc(Stroke) or "").split())
    return f"""Paint the task {task.id}, "{task.title}". {task.instruction}

The canvas is {task.width} x {task.height} px and white at first. Your budget is {task.budget} steps.

How to play
1. start_session with task_id "{task.id}", a protocol and your name. Keep session_id and write_token.
2. observe with both: you see the reference and the canvas. It costs no step. On a small canvas, scale and grid help.
3. brush_stroke: decide what differs most, and paint one stroke that mends it. Large shapes first, details last.
4. Look again and go on until steps_left is 0; or submit, if the protocol knows it, when no stroke makes it better.

A stroke
{form} Every number lies in [0, 1]; one that does not is refused and costs nothing.
{numbers}
A later stroke covers what lies below it, as far as it is opaque. You paint over a mistake, or take it back by undo.

Protocols
{NewSession.model_fields["protocol"].description}

Scores
The canvas is compared with the reference after each step. get_scores tells how similar they are, beside anchors: what \
a blank canvas, a flat fill and a greedy painter reach. In the published benchmark a model sees no scores while it \
paints; to compare with it, ask for them only at the end."""
