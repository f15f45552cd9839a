"""A sample as a chat with pictures: the very messages that `easel run` sends, and the answer that it would read.

What is asked comes from `easel_app.runs.prompts`, so a model that is trained on these chats is asked in a run what it
was trained on, as long as the prompt is of the same version (`PROMPT`) and the pictures are shown the same way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from easel_app.painting import png
from easel_app.painting.protocol import Kind, ProtocolName, protocol_for
from easel_app.painting.showing import GRID, PLAIN, Look, show
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import Source, Task
from easel_app.runs.prompts import Message, system, turn
from easel_app.services.views import Shown
from easel_app.trajectories.reading import Sample

THOUGHTS = ("<think>\n", "\n</think>\n\n")
"""What stands before and after a reasoning text: chat templates of models that think know it, and the runner does."""
PICTURES = ("reference", "canvas")
"""What the pictures of a chat show, in their order."""


class Chat(NamedTuple):
    """A question with its pictures, and the answer."""

    prompt: list[Message]
    """System and user. The content of each is a list of `{"type": "text", "text": …}` and `{"type": "image"}`."""
    answer: str
    images: tuple[bytes, bytes]
    """Reference and canvas, PNG, in the order in which they stand in the prompt."""

    @property
    def completion(self) -> list[Message]:
        """The answer as a message of the assistant."""
        return [{"role": "assistant", "content": [text_block(self.answer)]}]


def chat_of(sample: Sample, reasoning: str | None = None, look: Look = PLAIN) -> Chat:
    """A sample as a chat.

    Args:
        sample: with its pictures.
        reasoning: what to think before answering, if anything.
        look: how pictures are shown.

    Raises:
        ValueError: the pictures are too large to be enlarged so.
    """
    reference, canvas = (shown(picture, look) for picture in (sample.reference, sample.canvas))
    size = png_width(sample.reference)
    return Chat(question(size, sample.strokes, look), answer_of(sample.action, reasoning), (reference, canvas))


def answer_of(action: Sequence[int], reasoning: str | None = None) -> str:
    """A stroke, 13 thousandths, as the JSON text that is asked for, after what was thought."""
    stroke = json.dumps({"action": "brush_stroke", **dict(zip(STROKE_FIELDS, map(int, action), strict=True))})
    return f"{THOUGHTS[0]}{reasoning.strip()}{THOUGHTS[1]}{stroke}" if reasoning and reasoning.strip() else stroke


def thoughts_of(answer: str) -> str:
    """What was thought before a stroke, of the text of `answer_of`; empty where nothing was."""
    before, end, _ = answer.partition(THOUGHTS[1])
    return before.removeprefix(THOUGHTS[0]) if end and before.startswith(THOUGHTS[0]) else ""


@cache
def _question(size: int, strokes: int, look: Look) -> str:
    task = Task(
        id="sample",
        kind=Kind.RECONSTRUCTION,
        category="sample",
        title="",
        instruction=f"Paint the reference as closely as you can with {strokes} strokes.",
        width=size,
        height=size,
        budget=strokes,
        anchors=None,
        source=Source(origin="", author="", licence="", detail=""),
        sha256=hashlib.sha256().hexdigest(),
    )
    rules = system(task, protocol_for(ProtocolName.BENCHMARK, task.kind), "integer", by_tools=False)
    grid = GRID if look.grid else None
    common = {"step": 0, "scale": look.scale, "grid": grid, "sha256": ""}
    pictures = [Shown.model_validate({"picture": name, **common}) for name in PICTURES]
    asked = turn(pictures, past=())
    content = [part if part["type"] == "text" else {"type": "image"} for part in asked["content"]]
    return json.dumps([{"role": "system", "content": [text_block(rules)]}, {"role": "user", "content": content}])


def question(size: int, strokes: int, look: Look = PLAIN) -> list[Message]:
    """What is asked about a canvas of `size` px in a painting of so many strokes, as a run asks it."""
    messages: list[Message] = json.loads(_question(size, strokes, look))
    return messages


def run_options(look: Look = PLAIN) -> str:
    """Options of `easel run` with which a model is asked what it was trained on."""
    scale, grid = f" --scale {look.scale}" if look.scale > 1 else "", " --grid" if look.grid else ""
    return f"--coordinates integer --calling text{scale}{grid}"


def shown(picture: bytes, look: Look) -> bytes:
    """A PNG file as a model is shown it."""
    return picture if look == PLAIN else png.encode(show(png.decode(picture), look))


def png_width(file: bytes) -> int:
    """Width of a PNG file, px, from its header."""
    return int.from_bytes(file[16:20], "big")


def text_block(text: str) -> dict[str, Any]:
    """A text as a part of a message's content."""
    return {"type": "text", "text": text}
