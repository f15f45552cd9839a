"""A model that plans: it reads what a request shows it with a parser of its own, and answers with calls."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.endpoint.app import Answer, Body, Headers
from tests.endpoint.painter import completion


@dataclass(frozen=True)
class Shown:
    """What a request shows a planner of the query that it is to answer."""

    question: str
    documents: list[str]
    pictures: list[int]
    """Indices, as they are listed."""
    examples: int
    sent: list[str]
    """Addresses of the pictures that are sent along."""


def shown(body: Body) -> Shown:
    """The texts between the marks of the last message; what a text holds never ends it, since its mark is not there."""
    last = body["messages"][-1]["content"]
    parts: list[dict[str, Any]] = [{"type": "text", "text": last}] if isinstance(last, str) else last
    words = parts[0]["text"]
    (mark,) = re.findall(r"\AThe mark of this request is ([0-9a-f]+)\.", words)
    found = dict(re.findall(rf"(?s)\[BEGIN ([^\]]*) {mark}\]\n(.*?)\n\[END \1 {mark}\]", words))
    listed = [int(line.partition(":")[0]) for line in found.get("pictures", "").splitlines()]
    return Shown(
        question=found["question"],
        documents=[text for name, text in found.items() if name.startswith("document")],
        pictures=listed,
        examples=sum(message["role"] == "assistant" for message in body["messages"]),
        sent=[part["image_url"]["url"] for part in parts if part["type"] == "image_url"],
    )


def plan(seen: Shown) -> str:
    """An answer that cites every picture of the list once."""
    calls = [
        f"<tool>{json.dumps({'tool_name': 'reference', 'description': 'It.', 'params': {'img_index': index}})}</tool>"
        for index in seen.pictures
    ]
    return (
        "\n\n".join(part for k, call in enumerate(calls) for part in (f"Paragraph {k} of it.", call)) or "No picture."
    )


def planner(number: int, body: Body, headers: Headers) -> Answer:
    """A planner without fault."""
    return completion(body, {"content": plan(shown(body))})
