"""Images that code saved, looked at outside of the sandbox before anything else is done with them."""

from __future__ import annotations

import io
import threading
from collections.abc import Sequence
from typing import Final

from PIL import Image

from easel_app.rubrics.sandbox.answer import ALL_IMAGES
from easel_app.rubrics.sandbox.execution import Limits, MadeImage
from easel_app.rubrics.sandbox.text import named
from easel_app.sources.pictures import NoPicture, identify

_ONE_AT_A_TIME: Final = threading.Lock()
"""Pixels of one image are in memory at once, however many sessions there are."""


def checked(names: Sequence[str], contents: Sequence[bytes], limits: Limits) -> tuple[list[MadeImage], list[str]]:
    """Images that are what they claim to be, and a sentence for each of the others.

    An image whose file goes on behind its end, as that of a ZIP archive may that begins as a PNG, is kept as it is:
    it is stored and served as an image alone.

    Args:
        names: paths below the scratch folder.
        contents: their files, not looked at yet.
        limits: bytes and pixels of one image; all together have as many pixels as four of the largest.
    """
    images, notes, room = [], [], ALL_IMAGES * limits.image_pixels
    for name, content in zip(names, contents, strict=True):
        fault, pixels = _looked_at(content, limits, room)
        room -= pixels
        if fault:
            notes.append(f"{named(name)} is not shown, since {fault}.")
        else:
            images.append(MadeImage(name, content))
    return images, notes


def _looked_at(content: bytes, limits: Limits, room: int) -> tuple[str, int]:
    """Why an image is not shown, as a part of a sentence, or nothing; and the pixels that were decoded.

    Args:
        content: its file.
        limits: of one image.
        room: pixels that may be decoded. They are counted before.
    """
    if len(content) > limits.image_bytes:
        return too_large(limits), 0
    try:
        found = identify(content)
    except NoPicture as error:
        return str(error), 0
    pixels = found.width * found.height
    if pixels > limits.image_pixels:
        return f"it has more than {limits.image_pixels / 1e6:g} megapixels", 0
    if pixels > room:
        return f"a call's images have more than {ALL_IMAGES * limits.image_pixels / 1e6:g} megapixels together", 0
    try:
        with _ONE_AT_A_TIME, Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP", "GIF")) as image:
            image.load()
    except Exception:  # damaged data can make a decoder raise anything
        return "its file is damaged or cut off", pixels
    return "", pixels


def too_large(limits: Limits) -> str:
    """Why an image of too many bytes is not shown."""
    return f"it has more than {limits.image_bytes / 2**20:g} MB"
