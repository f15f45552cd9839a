"""What a semantic score rests on, as a caller sees it: a picture to be laid over the canvas, and its words."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Literal

from PIL import Image
from pydantic import BaseModel, Field

from easel_app.painting.evidence import evidence
from easel_app.painting.rollout import Status
from easel_app.painting.scores import headline, metric_of
from easel_app.services.desk import OpenSession
from easel_app.services.problems import Conflict, NotFound
from easel_app.services.views import ReadingView


class LegendEntry(BaseModel):
    """What a colour and a pattern stand for."""

    colour: str = Field(description="sRGB.", examples=["#127a5c"])
    pattern: Literal["plain", "hatched", "crossed"] = Field(description="How an area of it is drawn.")
    label: str = Field(description="In words.")


class OverlayLabel(BaseModel):
    """A text on the picture."""

    x: float = Field(description="Middle of the text over the canvas width, [0, 1].")
    y: float = Field(description="Middle of the text over the canvas height, [0, 1].")
    text: str = Field(description="Such as a letter that was read there.")
    good: bool = Field(description="Whether it counted.")


class Fact(BaseModel):
    """A part of the score in words."""

    name: str = Field(description="What it is.")
    value: str = Field(description="How much.")


class Overlay(BaseModel):
    """The evidence of a semantic score."""

    metric: str = Field(description="Name and version of the score.")
    score: float = Field(description="The score, [0, 1].")
    width: int = Field(description="Canvas width in px.")
    png: str = Field(description="RGBA picture as base64 PNG, to be stretched over the canvas.")
    legend: list[LegendEntry] = Field(description="Its colours.")
    labels: list[OverlayLabel] = Field(description="Texts to be drawn on it.")
    facts: list[Fact] = Field(description="Parts of the score.")


def overlay(session: OpenSession, readings: Sequence[ReadingView]) -> Overlay:
    """The evidence of a session's score, and what models read on its canvas.

    Raises:
        NotFound: the task is a reconstruction.
        Conflict: the session has not ended: the evidence shows the answer.
    """
    rollout = session.rollout
    task = rollout.task
    if task.truth is None:
        raise NotFound("no_overlay", "A reconstruction is compared with its reference; there is nothing else to show.")
    if rollout.status is Status.OPEN:
        raise Conflict("not_ended", "The evidence shows the answer; submit first, or use all steps.")
    found = evidence(task, rollout.pixels, rollout.scores)
    file = io.BytesIO()
    Image.fromarray(found.picture).save(file, "PNG", compress_level=6)
    newest = {one.reader: one for one in readings}
    by_models = []
    for reader, one in newest.items():
        model, _, prompt = reader.rpartition(" ")
        by_models.append((f"Read by {model}", f"{one.letters or 'nothing'}, {one.match:.3f} (prompt {prompt})"))
    return Overlay(
        metric=metric_of(rollout.scores),
        score=headline(rollout.scores),
        width=task.width,
        png=base64.b64encode(file.getvalue()).decode(),
        legend=[
            LegendEntry.model_validate(
                {"colour": "#{:02x}{:02x}{:02x}".format(*key.colour), "pattern": key.pattern, "label": key.label}
            )
            for key in found.keys
        ],
        labels=[OverlayLabel(**label._asdict()) for label in found.labels],
        facts=[Fact(name=name, value=value) for name, value in [*found.facts, *by_models]],
    )
