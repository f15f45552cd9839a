"""How the sandbox and what is outside talk: a head in JSON, then blobs whose sizes the head has."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

LENGTH = struct.Struct(">I")
"""Bytes of the head, before it."""
MOST_HEAD = 256 * 1024
"""Bytes of a head; a call's code is in a blob."""


def pack(head: Mapping[str, Any], blobs: Sequence[bytes] = ()) -> list[bytes]:
    """A frame, in parts that are to be sent one after the other."""
    text = json.dumps({**head, "sizes": [len(blob) for blob in blobs]}).encode()
    return [LENGTH.pack(len(text)) + text, *blobs]


def read(exactly: Callable[[int], bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """The next frame of somebody who is trusted: within the sandbox, what is outside.

    Args:
        exactly: reads so many bytes.
    """
    (length,) = LENGTH.unpack(exactly(LENGTH.size))
    head = json.loads(exactly(length))
    return head, [exactly(size) for size in head["sizes"]]


def reader(file: int) -> Callable[[int], bytes]:
    """Reads exactly so many bytes of a file descriptor.

    The function raises EOFError when there are not so many.
    """

    def exactly(count: int) -> bytes:
        parts = []
        while count:
            part = os.read(file, min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    return exactly


def write(file: int, parts: Sequence[bytes]) -> None:
    """Write all of them."""
    for part in parts:
        left = memoryview(part)
        while left:
            left = left[os.write(file, left) :]
