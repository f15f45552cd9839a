"""What the sandbox answered, read without believing any of it."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from easel_app.rubrics.sandbox.execution import Limits, Outcome
from easel_app.rubrics.sandbox.inside import frames

ALL_IMAGES: Final = 4
"""Bytes and pixels of all images of a call, in images of the largest size."""
_OUTCOMES: Final = {
    "done": Outcome.DONE,
    "raised": Outcome.RAISED,
    "too_much_memory": Outcome.TOO_MUCH_MEMORY,
    "too_long": Outcome.TOO_LONG,
    "crashed": Outcome.CRASHED,
    "unheard": Outcome.CRASHED,
    "full": Outcome.LOST,
}
UNHEARD: Final = "it was ended, since it closed file descriptor 4, by which it tells how the code ends, or wrote to it"
_MOST_COUNT: Final = 2**53
_MOST_NAME: Final = 200
_OUTPUTS: Final = 4


class Broken(Exception):
    """It is no answer; who sent it cannot be talked to any more."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's answer: in form as it should be, in content untrusted."""

    outcome: Outcome
    status: int
    """As `waitpid` tells it; 0 where the process lives on."""
    unheard: bool
    """Whether it was ended since it could not tell any more how the code ends."""
    output: tuple[bytes, bytes, bytes, bytes]
    """The beginning and the end of stdout, the same of stderr."""
    left_out: tuple[int, int]
    """Bytes between them."""
    names: tuple[str, ...]
    images: tuple[bytes, ...]
    large: tuple[str, ...]
    """Images whose files are too large."""
    not_shown: tuple[str, ...]
    """Files of kinds that are not shown."""
    more: int
    """Images beyond the number that is taken."""
    variables_gone: bool


async def received(receive: Callable[[int], Awaitable[bytes]], limits: Limits) -> Answer | None:
    """The next answer; None when it is that the sandbox is ready.

    Raises:
        Broken: it is none, or there is none.
    """
    try:
        (length,) = frames.LENGTH.unpack(await receive(frames.LENGTH.size))
        if length > frames.MOST_HEAD:
            raise Broken
        head = json.loads(await receive(length))
        if head.get("ready") is True:
            return None
        sizes = [_count(size) for size in head["sizes"]]
        names = _names(head["names"], limits.images)
        if len(sizes) != _OUTPUTS + len(names):
            raise Broken
        most = [(limits.output + 1) // 2 + 1] * _OUTPUTS + [limits.image_bytes] * len(names)
        if any(size > bound for size, bound in zip(sizes, most, strict=True)):
            raise Broken
        if sum(sizes[_OUTPUTS:]) > ALL_IMAGES * limits.image_bytes:
            raise Broken
        blobs = [await receive(size) for size in sizes]
        return Answer(
            _OUTCOMES[head["how"]],
            _count(head["status"]),
            head["how"] == "unheard",
            (blobs[0], blobs[1], blobs[2], blobs[3]),
            (_count(head["left_out"][0]), _count(head["left_out"][1])),
            names,
            tuple(blobs[_OUTPUTS:]),
            _names(head["large"], limits.images),
            _names(head["not_shown"], limits.images),
            _count(head["more"]),
            head["variables_gone"] is True,
        )
    except asyncio.IncompleteReadError:
        raise Broken from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OSError):
        raise Broken from None


def ending(status: int) -> str:
    """How a process ended by itself, as a part of a sentence."""
    number = status & 0x7F
    if not number:
        return f"it ended itself with status {status >> 8 & 0xFF}"
    try:
        return f"it was ended by {signal.Signals(number).name}"
    except ValueError:
        return f"it was ended by signal {number}"


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MOST_COUNT:
        raise Broken
    return value


def _names(values: Any, most: int) -> tuple[str, ...]:
    if not isinstance(values, list) or len(values) > most:
        raise Broken
    if any(not isinstance(value, str) or len(value) > _MOST_NAME for value in values):
        raise Broken
    return tuple(value.encode("utf-8", "replace").decode() for value in values)
