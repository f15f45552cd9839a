"""What a model is asked: texts, tools and pictures of one turn. A change that a model can see changes `PROMPT`.

The paper's prompts are not public. As published (arXiv 2608.25417, section 3) a reconstruction shows the reference, the
canvas and the schema of the brush, and nothing of the past; semantic tasks show the last three turns too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from easel_app.painting.brush import line_radius
from easel_app.painting.protocol import Kind, Protocol
from easel_app.painting.stroke import PathStroke, Stroke
from easel_app.painting.tasks import Task
from easel_app.services.views import Shown
from easel_app.store.records import ActionRecord

PROMPT = "prompt/1"
INTEGERS = 1000
"""The largest coordinate when models write integers, as EASEL-Data does (section 6)."""
Coordinates = Literal["float", "integer"]
Message = dict[str, Any]

FIELDS = {False: Stroke.model_json_schema()["properties"], True: PathStroke.model_json_schema()["properties"]}
"""Numbers of a stroke, and of a path (True: of a semantic task)."""
OTHER_TOOLS = {
    "undo": "Take back the last stroke that lies on the canvas. Costs one step.",
    "submit": "Finish: the canvas stays as it is and no more actions are taken.",
}


def actions_of(protocol: Protocol) -> tuple[str, ...]:
    """Names of the actions that a protocol knows."""
    return ("brush_stroke", *(["undo"] if protocol.undo else []), *(["submit"] if protocol.submit else []))


def stroke_schema(coordinates: Coordinates, semantic: bool = False) -> dict[str, Any]:
    """JSON schema of a stroke or a path, made from the one stroke model; integers run from 0 to 1000."""
    fields = FIELDS[semantic]
    number: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}
    if coordinates == "integer":
        number = {"type": "integer", "minimum": 0, "maximum": INTEGERS}
    scale = f" Given in thousandths: {INTEGERS} stands for 1." if coordinates == "integer" else ""
    properties = {name: {**number, "description": field["description"] + scale} for name, field in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields), "additionalProperties": False}


def tools_of(protocol: Protocol, coordinates: Coordinates, semantic: bool = False) -> list[dict[str, Any]]:
    """The tools that a model may call, in the form of chat completions."""
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    functions = [
        {
            "name": "brush_stroke",
            "description": " ".join(((PathStroke if semantic else Stroke).__doc__ or "").split()),
            "parameters": stroke_schema(coordinates, semantic),
        },
        *({"name": name, "description": text, "parameters": empty} for name, text in OTHER_TOOLS.items()),
    ]
    names = actions_of(protocol)
    return [{"type": "function", "function": function} for function in functions if function["name"] in names]


def system(task: Task, protocol: Protocol, coordinates: Coordinates, by_tools: bool) -> str:
    """The rules, once for a session."""
    numbers = "an integer from 0 to 1000" if coordinates == "integer" else "a number from 0 to 1"
    lines = _semantic_rules(task, numbers) if task.kind.semantic else [
        "You paint on a canvas, one brush stroke at a time. You are shown a reference picture and the canvas as it is "
        f"now, both {task.width} px square. {task.instruction}",
        "A stroke runs along a quadratic Bézier curve from its start over an absolute control point to its end. The "
        "origin is the top left corner, x grows to the right and y downwards. Radius and opacity change evenly from "
        f"start to end, the colour is one for the whole stroke, and each of its numbers is {numbers}.",
        "Later strokes cover earlier ones. Choose the one next stroke that brings the canvas closest to the reference.",
    ]
    names = actions_of(protocol)
    if by_tools:
        lines.append(f"Answer with exactly one call of {_either(names)}, and no text.")
    else:
        lines.append(
            'Answer with one JSON object and nothing else: the key "action" names what to do '
            f"({_either(names)}), and for brush_stroke the object holds these keys too: "
            + json.dumps(stroke_schema(coordinates, task.kind.semantic)["properties"], ensure_ascii=False)
        )
        lines += [f"{name}: {OTHER_TOOLS[name]}" for name in names if name in OTHER_TOOLS]
    return "\n\n".join(lines)


def _semantic_rules(task: Task, numbers: str) -> list[str]:
    both = "a reference, which is the canvas before the first stroke, and the canvas as it is now, both"
    seen = both if task.shows_reference else "the canvas as it is now,"
    lines = [
        f"You draw on a canvas, one stroke at a time. You are shown {seen} {task.width} px square. {task.instruction}",
        "A stroke runs along a quadratic Bézier curve from its start over an absolute control point to its end. The "
        "origin is the top left corner, x grows to the right and y downwards. Each of its six coordinates is "
        f"{numbers}. The brush is fixed: opaque dark blue, {2 * line_radius(task.width) / task.width:.1%} of the "
        "canvas wide.",
        f"You have {task.budget} steps; a stroke and an undo use one each, whatever becomes of them. What you have "
        "drawn is judged when you submit or when the steps are used up.",
    ]
    if task.kind is Kind.MAZE:
        lines.append(
            "A stroke that touches a wall is rejected: nothing is drawn, the step is used, and you are told where it "
            "touched."
        )
    return lines


def turn(shown: Sequence[Shown], past: Sequence[str], semantic: bool = False) -> Message:
    """The user's message of one turn; pictures stand in it as what they show (see `with_pictures`)."""
    content: list[dict[str, Any]] = []
    for picture in shown:
        content += [_text(f"The {picture.picture}:"), {"type": "picture", "picture": picture.model_dump()}]
    if past:
        content.append(_text("Your last turns, oldest first:\n" + "\n".join(past)))
    content.append(_text("What is your next action?" if past or semantic else "What is the next stroke?"))
    return {"role": "user", "content": content}


def with_pictures(message: Message, pictures: Mapping[str, str]) -> Message:
    """The message as it goes to the endpoint: each picture as a data URL."""
    content = [
        {"type": "image_url", "image_url": {"url": pictures[part["picture"]["picture"]]}}
        if part["type"] == "picture"
        else part
        for part in message["content"]
    ]
    return {**message, "content": content}


def remembered(action: ActionRecord, coordinates: Coordinates) -> str:
    """One past turn in a line: what was done, and what became of it."""
    told = f"{action.outcome}: {action.message}" if action.message else str(action.outcome)
    if action.kind == "invalid":
        return f"- {told}"
    numbers = f" {json.dumps(_written(action.params, coordinates))}" if action.params else ""
    return f"- {action.kind}{numbers} -> {told}"


def _written(params: Mapping[str, float], coordinates: Coordinates) -> dict[str, float]:
    if coordinates == "float":
        return dict(params)
    return {name: round(value * INTEGERS) for name, value in params.items()}


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
