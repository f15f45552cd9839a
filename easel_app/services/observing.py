"""What a player is shown before it acts."""

from __future__ import annotations

from typing import NamedTuple

from easel_app.painting import png
from easel_app.painting.showing import GRID, PLAIN, Look, show
from easel_app.painting.tasks import digest
from easel_app.services.desk import OpenSession
from easel_app.services.problems import Invalid
from easel_app.services.telling import answer_of
from easel_app.services.views import Answer, Shown


class Observation(NamedTuple):
    """Reference and canvas as a player sees them, and where the session stands."""

    reference: bytes | None
    """PNG; None where there is nothing to see in it, as on the blank page of handwriting."""
    canvas: bytes
    """PNG."""
    shown: tuple[Shown, ...]
    """What the pictures show, for the record."""
    step: int
    steps_left: int | None
    status: str
    last: Answer | None
    """What became of the last action; None before the first."""


def observe(session: OpenSession, look: Look) -> Observation:
    """What the session's player sees now.

    Raises:
        Invalid: the pictures are too large to be enlarged so.
    """
    rollout, task = session.rollout, session.rollout.task
    try:
        canvas = show(rollout.pixels, look)
    except ValueError as error:
        raise Invalid("too_wide", str(error), "scale") from error
    grid = GRID if look.grid else None

    def told(picture: str, sha256: str) -> Shown:
        return Shown.model_validate(
            {"picture": picture, "step": rollout.step, "scale": look.scale, "grid": grid, "sha256": sha256}
        )

    reference, shown = None, [told("canvas", digest(canvas))]
    if task.shows_reference:
        pixels = show(task.reference, look)
        reference = task.png if look == PLAIN else png.encode(pixels)
        shown.insert(0, told("reference", task.sha256 if look == PLAIN else digest(pixels)))
    last = next(reversed(session.answers.values()), None)
    return Observation(
        reference=reference,
        canvas=png.encode(canvas),
        shown=tuple(shown),
        step=rollout.step,
        steps_left=rollout.steps_left,
        status=rollout.status,
        last=answer_of(session, *last) if last else None,
    )
