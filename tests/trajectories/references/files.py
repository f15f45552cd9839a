"""Pictures as files, sound and hostile, that the tests of brought families share."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def noise(seed: int, width: int = 60, height: int = 48) -> NDArray[np.uint8]:
    """A picture that looks like no other: large random patches."""
    patches = np.random.default_rng(seed).integers(0, 256, (6, 6, 3), dtype=np.uint8)
    return np.array(Image.fromarray(patches).resize((width, height), Image.Resampling.BILINEAR))


def file(pixels: NDArray[Any] | Image.Image, form: str = "PNG", **options: Any) -> bytes:
    """A picture as a file."""
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    held = io.BytesIO()
    image.save(held, form, **options)
    return held.getvalue()


def animation(count: int) -> bytes:
    """A GIF of several frames, each of another colour."""
    frames = [Image.new("RGB", (40, 40), (50 * k, 200 - 50 * k, 90)) for k in range(count)]
    return file(frames[0], "GIF", save_all=True, append_images=frames[1:])


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A PNG of a few bytes whose header claims far too many pixels."""
    honest = file(Image.new("L", (8, 8)))
    return (
        honest[:16] + width.to_bytes(4) + height.to_bytes(4) + honest[24:29] + _crc(honest, width, height) + honest[33:]
    )


def _crc(honest: bytes, width: int, height: int) -> bytes:
    import zlib

    return zlib.crc32(honest[12:16] + width.to_bytes(4) + height.to_bytes(4) + honest[24:29]).to_bytes(4)
