"""Picture files of unknown origin: what is read of them, and why some give nothing.

Only the header is read before the limits are checked. How pixels become upright sRGB on white is the same as for a
person's own picture (`services.intake`); of an animation the first frame is taken.
"""

from __future__ import annotations

import io
from typing import NamedTuple

import numpy as np
from PIL import Image

from easel_app.services.intake import upright_rgb
from easel_app.sources.pictures import MOST_BYTES, MOST_PIXELS, NoPicture, identify, too_large
from easel_app.sources.structure import costly
from easel_app.trajectories.references.reference import Pixels

SMALLEST = 32
"""Least width and height, px."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".webp", ".gif"})


class NoReference(Exception):
    """A file that gives no picture; `reason` is a code, the text a part of a sentence."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason


class Decoded(NamedTuple):
    """A picture."""

    pixels: Pixels
    """uint8 (h, w, 3)."""
    note: str
    """What is odd about it, such as `first of 12 frames`; else empty."""


def decode(content: bytes) -> Decoded:
    """The picture in a file.

    Raises:
        NoReference: it is none that we take: `not a picture`, `broken`, `huge` or `tiny`.
    """
    try:
        found = identify(content)
    except NoPicture as error:
        raise NoReference(_reason(content), str(error)) from None
    if min(found.width, found.height) < SMALLEST:
        raise NoReference(
            "tiny", f"it has {found.width} × {found.height} px, and at least {SMALLEST} px a side are needed"
        )
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            frames = 1 if image.format in ("JPEG", "MPO") else getattr(image, "n_frames", 1)
            pixels = np.array(upright_rgb(image))
    except Exception:  # a damaged file can make a decoder raise anything
        raise NoReference("broken", "its header is sound, but its pixels cannot be read") from None
    return Decoded(pixels, f"first of {frames} frames" if frames > 1 else "")


def _reason(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        return "huge"
    if costly(content):
        return "broken"
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as image:
            return "huge" if image.width * image.height > MOST_PIXELS else "broken"
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return "huge"
    except Exception:
        begins = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
        return (
            "broken"
            if content.startswith(begins) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
            else "not a picture"
        )


def check_size(size: int) -> None:
    """Refuse a file by its size alone, before it is read.

    Raises:
        NoReference: `huge`.
    """
    if size > MOST_BYTES:
        raise NoReference("huge", too_large(size))


def square(pixels: Pixels, size: int, left: int, top: int, side: int) -> Pixels:
    """A square of a picture, reduced or enlarged to `size` px by the Lanczos filter."""
    crop = Image.fromarray(np.ascontiguousarray(pixels[top : top + side, left : left + side]))
    return np.array(crop.resize((size, size), Image.Resampling.LANCZOS))
