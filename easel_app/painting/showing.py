"""How pictures are shown to a model: enlarged by whole pixels, and with a grid that names coordinates.

A 64 px canvas is smaller than one patch of many vision encoders, and a model that must name coordinates has nothing to
hold on to. Both helps are off by default, as published, and recorded with the session when they are on.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from pydantic import Field

from easel_app.painting.stroke import Strict

Pixels = NDArray[np.uint8]
GRID = "grid/1"
"""Lines at every tenth of the canvas, numbered by their coordinate where there is room."""
ROOM = 256
"""Smallest width in px at which lines are numbered."""
LARGEST_SCALE = 8
MOST_WIDTH = 2048
"""Largest width in px of a shown picture; all published tasks fit at any scale, a large own picture does not."""


class Look(Strict):
    """How a picture is shown."""

    scale: Annotated[int, Field(ge=1, le=LARGEST_SCALE, strict=True)] = Field(
        default=1, description="Enlarge by this factor; each pixel becomes a square of that side.", examples=[4]
    )
    grid: bool = Field(
        default=False,
        strict=True,
        description="Lay lines over it at every tenth of the canvas, numbered by their coordinate from 256 px on.",
    )


PLAIN = Look()
"""As it is."""


def show(pixels: Pixels, look: Look) -> Pixels:
    """A picture, uint8 (n, n, 3), as it is to be shown: uint8 (n * scale, n * scale, 3), a copy unless plain.

    Raises:
        ValueError: it would be wider than `MOST_WIDTH`.
    """
    if look == PLAIN:
        return pixels
    if len(pixels) * look.scale > MOST_WIDTH:
        size, most = len(pixels), MOST_WIDTH // len(pixels)
        raise ValueError(f"A picture of {size} px enlarged by {look.scale} is too wide; enlarge by {most} at most.")
    shown = np.repeat(np.repeat(pixels, look.scale, 0), look.scale, 1)
    return _with_grid(shown) if look.grid else shown


def _with_grid(pixels: Pixels) -> Pixels:
    """Half the colour below, half black or white, whichever differs more: a line shows on any ground."""
    size = len(pixels)
    lines = np.zeros((size, size), bool)
    places = [size * tenth // 10 for tenth in range(1, 10)]  # the pixels that hold these coordinates
    lines[places] = True
    lines[:, places] = True
    lines |= _numbers(size, places)
    mixed, ground = pixels.copy(), pixels[lines].astype(np.int64)
    contrast = np.where(ground.mean(-1, keepdims=True) < 128, 255, 0)
    mixed[lines] = (ground + contrast + 1) // 2
    return mixed


def _numbers(size: int, places: list[int]) -> NDArray[np.bool_]:
    """The coordinates 0.1 to 0.9 beside their lines, along the top and the left edge; none where there is no room."""
    sheet = Image.new("1", (size, size))
    if size >= ROOM:
        # Pillow's own bitmap font: the same pixels whether or not, and with whatever version, FreeType is there
        pen, font = ImageDraw.Draw(sheet), ImageFont.load_default_imagefont()
        for tenth, place in enumerate(places, 1):
            pen.text((place + 2, 0), f".{tenth}", fill=1, font=font)
            pen.text((2, place + 1), f".{tenth}", fill=1, font=font)
    return np.array(sheet)
