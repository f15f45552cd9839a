"""What a sandbox is asked to run and what comes of it; who runs it is `sandbox.session`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol


class Outcome(StrEnum):
    """How a call of code came to its end."""

    DONE = "done"
    """It ran through."""
    RAISED = "raised"
    """It raised an exception, whose traceback is on stderr."""
    TOO_LONG = "too_long"
    """It used up its time, of the clock or of the processor."""
    TOO_MUCH_MEMORY = "too_much_memory"
    CRASHED = "crashed"
    """Its process ended by a signal or by itself."""
    LOST = "lost"
    """The whole sandbox ended, and with it the scratch files; the next call has a new one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one session may use. A session is one attempt at one task."""

    wall: float = 30.0
    """Seconds of the clock for a call."""
    cpu: int = 30
    """Seconds of the processor for a call."""
    memory: int = 2 * 1024**3
    """Bytes of address space of the code's process."""
    scratch: int = 256 * 1024**2
    """Bytes of all scratch files together."""
    file: int = 64 * 1024**2
    """Bytes of one file."""
    processes: int = 64
    """Threads of the code; it can start no process."""
    output: int = 32 * 1024
    """Bytes of stdout that are told, and as many of stderr; the rest is counted."""
    images: int = 16
    """Images of one call that are taken."""
    image_bytes: int = 16 * 1024**2
    """Bytes of one image."""
    image_pixels: int = 40_000_000
    """Pixels of one image."""


class MadeImage(NamedTuple):
    """An image that code saved: bytes that were looked at outside of the sandbox and are what they claim to be."""

    name: str
    """Path below the scratch folder; untrusted."""
    content: bytes
    """A PNG, JPEG, WebP or GIF file within the limits."""


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of one call."""

    outcome: Outcome
    stdout: str
    """Without terminal escapes and other control characters, cut at the limit in so many words; untrusted."""
    stderr: str
    """The same."""
    images: tuple[MadeImage, ...]
    """In the order in which they were saved."""
    notes: tuple[str, ...]
    """What the model has to know besides, each a sentence: an image that was left out, variables that are gone."""
    seconds: float
    """Of the clock."""


class Session(Protocol):
    """A sandbox of one attempt: its scratch files live from call to call, other sessions are out of its sight."""

    async def run(self, code: str) -> Execution:
        """Run code; never raises for what the code does.

        Raises:
            SandboxUnavailable: no sandbox can be had any more.
        """

    async def close(self) -> None:
        """End it and all that is left of it; safe to call twice."""


class Sandbox(Protocol):
    """Where sessions come from."""

    @property
    def off(self) -> str:
        """Why there is none, in one sentence; empty when there is one."""

    async def open(self, images: Mapping[str, bytes], keep_variables: bool = False) -> Session:
        """A new session.

        Args:
            images: files that lie in its scratch folder from the beginning, by name.
            keep_variables: whether variables live from call to call, as with the official tool, or each call begins
                anew.

        Raises:
            SandboxUnavailable: there is none.
        """


class SandboxUnavailable(Exception):
    """There is no sandbox; the message says why and what to do, in one sentence."""
