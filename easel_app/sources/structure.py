"""How a picture's file is put together, as far as that can cost much time: looked at before it is read."""

from __future__ import annotations

import re
import struct
from typing import Final

MOST_SCANS: Final = 64
"""Of a JPEG: each is decoded over the whole picture, so a small file could hold minutes of work."""
MOST_PARTS: Final = 20_000
"""Chunks, segments and blocks, which Pillow goes through one by one in Python, some microseconds each."""
_UNPACKED: Final = frozenset({b"iCCP", b"zTXt", b"iTXt"})
"""Chunks of a PNG that are inflated as they are met, to a megabyte each."""
_UNPACKED_PARTS: Final = 300
_EXTENSION_PARTS: Final = 50
"""Comments of a GIF are put together one after the other, each time copied whole."""
_MARKER: Final = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""Of a JPEG, restarts apart, which are within a scan."""
_START, _END, _SCAN, _ALONE = 0xD8, 0xD9, 0xDA, 0x01


def costly(content: bytes) -> str:
    """Why reading a picture could take far longer than its size lets expect, as a part of a sentence; else empty.

    Args:
        content: a file of any kind; one that is no PNG, JPEG or GIF is not judged.
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        parts, scans = _png(content), 0
    elif content.startswith(b"\xff\xd8"):
        parts, scans = _jpeg(content)
    elif content.startswith((b"GIF87a", b"GIF89a")):
        parts, scans = _gif(content), 0
    else:
        return ""
    if scans > MOST_SCANS:
        return f"the picture has more than {MOST_SCANS} scans; save it again"
    return "the picture's file is put together of too many parts; save it again" if parts > MOST_PARTS else ""


def _png(content: bytes) -> int:
    parts, at = 0, 8
    while parts <= MOST_PARTS and at + 8 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        if kind == b"IEND":
            break
        parts += _UNPACKED_PARTS if kind in _UNPACKED else 1
        at += 12 + length
    return parts


def _jpeg(content: bytes) -> tuple[int, int]:
    """Parts and scans up to the end of the first picture; what a camera puts behind it is not decoded."""
    parts, scans, at = 0, 0, 2
    while parts <= MOST_PARTS and scans <= MOST_SCANS and (found := _MARKER.search(content, at)):
        # before the first scan, Pillow goes byte by byte through what is between two segments
        parts += 1 if scans else 1 + found.start() - at
        at, kind = found.end(), content[found.start() + 1]
        if kind == _END:
            break
        if kind in (_START, _ALONE):
            continue
        scans += kind == _SCAN
        at += max(2, int.from_bytes(content[at : at + 2]))
    return parts, scans


def _gif(content: bytes) -> int:
    """Parts up to the first frame, the only one that is decoded."""
    flags = content[10] if len(content) > 10 else 0
    parts, at = 0, 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    while parts <= MOST_PARTS and at < len(content) and content[at] not in b",;":
        if content[at] != ord("!"):
            parts, at = parts + 1, at + 1
            continue
        parts, at = parts + _EXTENSION_PARTS, at + 2
        while parts <= MOST_PARTS and at < len(content) and content[at]:
            parts, at = parts + 1, at + 1 + content[at]
        at += 1
    return parts
