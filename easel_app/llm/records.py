"""What is asked of a model and what comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

MOST_KEPT = 256 * 1024
"""Bytes of an answer that are stored whole."""


@dataclass(frozen=True, slots=True)
class Request:
    """One chat completion, in the endpoint's own terms; what is None or empty is left out."""

    messages: Sequence[Mapping[str, Any]]
    """Chat messages; pictures as `image_url` parts with data URLs."""
    tools: Sequence[Mapping[str, Any]] | None = None
    tool_choice: str | Mapping[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    response_format: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] | None = None
    """Parameters that only some endpoints know, such as `reasoning_effort`, by their names there."""

    def parameters(self) -> dict[str, Any]:
        """The parameters of the call, without the model."""
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "extra"}
        given |= self.extra or {}
        return {name: value for name, value in given.items() if value is not None and value not in ([], ())}

    def plus(self, *messages: Mapping[str, Any]) -> Request:
        """The same request with more messages at its end."""
        return replace(self, messages=[*self.messages, *messages])


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for."""

    name: str
    arguments: str
    """As the model wrote them: JSON if all went well. Arguments that came as an object are written as JSON."""
    id: str = ""
    """As the endpoint calls it; empty when it has no name."""
    unread: Mapping[str, Any] = field(default_factory=dict)
    """What an endpoint wants back with the call, read by nobody, such as a signature."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call used, over all of its tries as far as they were answered."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """As the provider says, else by the endpoint's prices; None when neither is known."""
    reported: bool = False
    """Whether the endpoint counted tokens at all; if not, they are 0 here and unknown in truth."""

    def __add__(self, other: Usage) -> Usage:
        """Both together; a cost that one of them lacks counts as nothing."""
        costs = [usage.cost for usage in (self, other) if usage.cost is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(costs) if costs else None,
            self.reported or other.reported,
        )


class Retry(NamedTuple):
    """Why a call was tried again."""

    reason: str
    """Such as `HTTP 429` or `no answer within 120 s`."""
    waited: float
    """Seconds before the next try."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. Nothing in it shows the key."""

    text: str | None
    """The words, or None when there are none."""
    tool_calls: tuple[ToolCall, ...]
    refusal: str | None
    """What a model that refuses says in the field made for it."""
    finish_reason: str | None
    usage: Usage
    raw: dict[str, Any]
    """The endpoint's answer as parsed JSON."""
    latency: float
    """Seconds that the try that succeeded took."""
    retries: tuple[Retry, ...] = ()
    size: int = 0
    """Bytes of the answer's body."""
    left_out: tuple[str, ...] = ()
    """Parameters of the request that the endpoint does not take, so that it was asked without."""
    unread: Mapping[str, Any] = field(default_factory=dict)
    """What an endpoint wants back with the message, read by nobody, such as signed thoughts."""

    @property
    def kept(self) -> dict[str, Any]:
        """The answer as it is stored: whole, or its beginning when it is longer than any honest one."""
        if self.size <= MOST_KEPT:
            return self.raw
        return {"shortened_from": self.size, "beginning": json.dumps(self.raw)[:MOST_KEPT]}
