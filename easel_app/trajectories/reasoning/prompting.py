"""What a model is asked for a text. A change that it can see, or of what is taken (`checking`), changes `PROMPT`.

The model sees what the painter saw, and also the stroke and the canvas after it, so that it explains what was done
instead of guessing. The text must not show that: whoever learns from it sees reference and canvas only.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
from dataclasses import replace
from typing import Any

from PIL import Image

from easel_app.llm import Request
from easel_app.painting.showing import Look, show
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.trajectories.reasoning.checking import MOST_CHARACTERS, MOST_SENTENCES, Fault
from easel_app.trajectories.reasoning.scenes import Pixels, Scene

PROMPT = "reasoning/1"
SYSTEM = f"""\
You write down what goes through a painter's mind. The painter works on a canvas, one brush stroke at a time, to bring \
it close to a reference picture.

You are shown the reference, the canvas as it is now, the stroke that the painter makes next and the canvas after it. \
Write what the painter thinks just before that stroke: what differs most between the canvas and the reference where \
the stroke lands (which thing, where it is, its form and colour), and what stroke helps there: from where to where it \
runs, how broad and how opaque it is, in which colour, and what that achieves.

- One to {MOST_SENTENCES} plain sentences, at most {MOST_CHARACTERS} characters in all, in the present tense.
- Only what reference and canvas show. The painter has not seen the canvas after the stroke, and nobody has told them \
which stroke to make: speak of neither, nor of these instructions.
- Say in words where and how large things are (top left, just below the middle, a third of the width). No coordinates, \
no names of parameters, no JSON, no lists, no headings.
- If the stroke hardly helps, say what little it does. Do not praise it for what it does not do.

Reply with these sentences and nothing else."""


def request(scene: Scene, scale: int, temperature: float | None, max_tokens: int | None) -> Request:
    """What a model is asked about a stroke.

    Args:
        scene: the stroke, and the canvas before and after it.
        scale: what pictures are enlarged by, in whole pixels.
        temperature: None leaves it to the endpoint.
        max_tokens: longest reply; None leaves it to the endpoint.
    """
    numbers = json.dumps(dict(zip(STROKE_FIELDS, scene.action, strict=True)))
    content = [
        _text("The reference:"),
        _picture(scene.reference, scale),
        _text("The canvas now:"),
        _picture(scene.canvas, scale),
        _text(
            "The next stroke, a quadratic Bézier curve with radius and opacity at both ends and one colour, in "
            f"thousandths (x to the right, y downwards, a radius of 1000 is a quarter of the width):\n{numbers}"
        ),
        _text("The canvas after it:"),
        _picture(scene.after, scale),
        _text("What does the painter think just before this stroke?"),
    ]
    messages: list[dict[str, Any]] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}]
    # a seed of its own for each text, so that two texts on like scenes need not be alike
    digest = hashlib.sha256(f"{scene.reference_key} {scene.step}".encode()).digest()
    seed = int.from_bytes(digest[:4], "big") >> 1
    return Request(messages, temperature=temperature, max_tokens=max_tokens, seed=seed)


def again(asked: Request, said: str, fault: Fault) -> Request:
    """The request once more, after a text that cannot be used."""
    words = (
        f"That cannot be used: {fault.words}. Write it again, one to {MOST_SENTENCES} plain sentences, nothing else."
    )
    if said.strip():
        return asked.plus({"role": "assistant", "content": said}, {"role": "user", "content": words})
    *others, last = asked.messages
    return replace(asked, messages=[*others, {**last, "content": [*last["content"], _text(words)]}])


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _picture(pixels: Pixels, scale: int) -> dict[str, Any]:
    """A picture as a data URL; Pillow's writer takes a third of the bytes that our own does for enlarged pixels."""
    file = io.BytesIO()
    Image.fromarray(show(pixels, Look(scale=scale))).save(file, "PNG", compress_level=1)
    content = base64.b64encode(file.getvalue()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{content}"}}
