"""What was asked of a model and what came back, as it is kept: all of it, whether it was of use or not.

Pictures are told by their digests, the prompt by its version; the key is in none of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from easel_app.llm import Reply, Request, Usage
from easel_app.sources.showing import Picture


@dataclass
class Exchanges:
    """The exchanges about one thing that is judged."""

    prompts: Mapping[str, str]
    """Versions of the system's messages, by their text."""
    pictures: Sequence[Picture] = ()
    """Those that the requests show."""
    made: list[tuple[Request, Reply]] = field(default_factory=list)

    def hear(self, request: Request, reply: Reply) -> None:
        """Add one."""
        self.made.append((request, reply))

    @property
    def replies(self) -> list[Reply]:
        """What came back."""
        return [reply for _, reply in self.made]

    @property
    def usage(self) -> Usage:
        """What all of them used."""
        return sum((reply.usage for reply in self.replies), Usage())

    @property
    def latency(self) -> float | None:
        """Seconds of all of them; None without any."""
        return sum(reply.latency for reply in self.replies) if self.made else None

    def dump(self) -> str | None:
        """All of them as JSON; None without any. A request is told as far as it differs from the one before."""
        kept: list[dict[str, Any]] = []
        before: list[Any] = []
        for request, reply in self.made:
            messages = list(request.messages)
            same = next((n for n, (a, b) in enumerate(zip(before, messages, strict=False)) if a != b), len(before))
            parameters = {name: value for name, value in request.parameters().items() if name != "messages"}
            form = parameters.pop("response_format", None)
            kept.append(
                {
                    "repeated": same,
                    "messages": told(messages[same:], self.pictures, self.prompts),
                    "parameters": {name: value for name, value in parameters.items() if name not in reply.left_out},
                    "left_out": list(reply.left_out),
                    "form": form["type"] if form else "in words",
                    "reply": reply.kept,
                    "latency": reply.latency,
                    "retries": [retry._asdict() for retry in reply.retries],
                }
            )
            before = messages
        return json.dumps(kept, ensure_ascii=False) if kept else None


def told(messages: Sequence[Any], pictures: Sequence[Picture], prompts: Mapping[str, str]) -> list[Any]:
    """Messages as they are kept: the system's by their versions in `prompts`, pictures by their digests.

    Messages of tools, and those that call tools, are kept as they are, with the same done to their content.

    Raises:
        KeyError: a picture is shown that is not among `pictures`.
    """
    known = {picture.url: picture for picture in pictures}

    def part(each: Any) -> Any:
        if each["type"] != "image_url":
            return each
        picture = known[each["image_url"]["url"]]
        return {"type": "picture", "sha256": picture.digest, "shown_as": picture.form}

    def message(each: Any) -> Any:
        content = each.get("content")
        if isinstance(content, list):
            return {**each, "content": [part(inner) for inner in content]}
        return {"role": each["role"], "prompt": prompts[content]} if content in prompts else each

    return [message(each) for each in messages]
