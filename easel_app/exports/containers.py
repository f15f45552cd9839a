"""Animated WebP and GIF, written patch by patch.

Pillow writes an animation only from frames that are all in memory, and takes each as a whole. A stroke changes a small
part of a canvas, so each change is a still picture of Pillow's here, put into the container at its place: a fraction
of the bytes and of the time, and only one of them in memory.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

Pixels = NDArray[np.uint8]
COLOURS = 256
"""Largest palette of a GIF patch."""


class Patch(NamedTuple):
    """A part of the picture that changes, and for how long the picture then stays."""

    left: int
    top: int
    pixels: Pixels
    begins: float
    """Seconds."""
    ends: float
    """Seconds."""

    def lasts(self, a_second: int) -> int:
        """How long it stays in parts of a second; what is rounded here is made good by the patches that follow."""
        return round(self.ends * a_second) - round(self.begins * a_second)


def patches(frames: Iterable[Pixels], fps: float, last: float) -> Iterator[Patch]:
    """What changes from frame to frame; left and top are even, as WebP wants them. Equal frames are one, held longer.

    Args:
        frames: uint8 (h, w, 3), at least one; the first is a patch as a whole.
        fps: frames a second.
        last: seconds for which the last frame is held.
    """
    shown: Pixels | None = None
    held: tuple[int, int, Pixels, float] | None = None
    number = 0
    for number, frame in enumerate(frames):
        top, bottom, left, right = 0, frame.shape[0], 0, frame.shape[1]
        if shown is not None:
            differs = (frame != shown).any(-1)
            if not differs.any():
                continue
            rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
            top, bottom, left, right = rows[0] & ~1, rows[-1] + 1, columns[0] & ~1, columns[-1] + 1
        if held:
            yield Patch(*held, number / fps)
        shown, held = frame, (int(left), int(top), frame[top:bottom, left:right], number / fps)
    if held:
        yield Patch(*held, number / fps + last)


def write_webp(file: BinaryIO, size: tuple[int, int], found: Iterable[Patch]) -> None:
    """Write a lossless WebP animation (RFC 9649, section 2.7) that repeats for ever.

    Args:
        file: where to, seekable.
        size: width and height.
        found: the patches in their order.
    """
    width, height = size
    file.write(b"RIFF\0\0\0\0WEBP")
    file.write(_chunk(b"VP8X", struct.pack("<I", 0x02) + _u24(width - 1) + _u24(height - 1)))  # 2: an animation
    file.write(_chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0)))  # on white, without end
    for patch in found:
        still = io.BytesIO()
        Image.fromarray(patch.pixels).save(still, "WEBP", lossless=True, quality=50, method=4)
        h, w = patch.pixels.shape[:2]
        place = _u24(patch.left // 2) + _u24(patch.top // 2) + _u24(w - 1) + _u24(h - 1)
        # 2: in place of what is there; the still's own RIFF header is 12 bytes
        frame = place + _u24(patch.lasts(1000)) + b"\x02" + still.getvalue()[12:]
        file.write(_chunk(b"ANMF", frame))
    length = file.tell()
    file.seek(4)
    file.write(struct.pack("<I", length - 8))
    file.seek(length)


def write_gif(file: BinaryIO, size: tuple[int, int], found: Iterable[Patch]) -> None:
    """Write a GIF animation (GIF89a) that repeats for ever; each patch has a palette of its own.

    Args:
        file: where to.
        size: width and height.
        found: the patches in their order.
    """
    file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0x70, 0, 0))  # 8 bits a colour, no palette for all
    file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")  # without end
    for patch in found:
        still = Image.fromarray(patch.pixels).quantize(COLOURS, dither=Image.Dither.NONE)
        place, lasts = (patch.left, patch.top), patch.lasts(100) * 10
        # 1: leave it in place; a palette, for there is none for all; not interlaced
        file.writelines(
            GifImagePlugin.getdata(still, place, duration=lasts, disposal=1, include_color_table=True, interlace=0)
        )
    file.write(b";")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _u24(value: int) -> bytes:
    return value.to_bytes(3, "little")
