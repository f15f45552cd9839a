"""What a tool gives back, and what a call comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Observation(NamedTuple):
    """What a tool gives back."""

    payload: dict[str, Any]
    """A JSON object with the fields that the tool's result has; bounded in size."""
    images: tuple[bytes, ...] = ()
    """Files of images that it made, in order."""


class Tool(Protocol):
    """One of the six tools, ready to be called."""

    backend: str
    """What answers it: `sandbox`, `local`, `service`, `recorded` or `off`."""

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """Answer a call whose arguments fit the tool's schema; what goes wrong is an observation that says so."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a model and what came of it, whatever it was."""

    name: str
    """As the model sent it."""
    arguments: Any
    """The object that its arguments are; the text as sent where they are none."""
    payload: dict[str, Any]
    images: tuple[bytes, ...]
    latency: float
    """Seconds."""


class Toolbox(Protocol):
    """The tools of one attempt at one task."""

    @property
    def offered(self) -> Sequence[Mapping[str, Any]]:
        """The tools as a chat completion names them (`{"type": "function", "function": …}`); empty when none are."""

    @property
    def backends(self) -> Mapping[str, str]:
        """What answers each tool that is offered."""

    async def call(self, name: str, arguments: str) -> Called:
        """Carry out a call as a model sent it.

        Malformed arguments, unknown tools, tools that are not offered and failures of a tool become observations with
        `status` "error" and `error`; it never raises for what a model or a tool does.
        """

    async def close(self) -> None:
        """Let go of the sandbox."""
