"""The canvas of a session, composited by skia: ``brush/1``.

The engine computes a stroke's 8-bit mask; skia draws that mask with the stroke's colour, which gives exactly
``(colour · mask + canvas · (255 - mask) + 127) // 255`` for every triple of bytes. The engine's own integer composite
gives the same bytes, so a session, a search and a replay never differ (tests hold them together).
"""

from __future__ import annotations

import numpy as np
import skia
from numpy.typing import NDArray

from easel_app.engine import RENDERER, Patch, composite, stroke_mask
from easel_app.engine.stroke import colour_bytes

__all__ = ["RENDERER", "Surface", "colour_bytes", "render"]

Pixels = NDArray[np.uint8]
_SAMPLING = skia.SamplingOptions()


class Surface:
    """A skia surface over a NumPy array: what skia draws is in `pixels` at once, without a copy."""

    def __init__(self, pixels: Pixels) -> None:
        """Start from uint8 (n, n, 3) pixels, which are copied."""
        size = pixels.shape[0]
        self._memory = np.full((size, size, 4), 255, np.uint8)
        self._memory[..., :3] = pixels
        self._surface = skia.Surface(self._memory, colorType=skia.ColorType.kRGBA_8888_ColorType)
        self._canvas = self._surface.getCanvas()

    @property
    def pixels(self) -> Pixels:
        """The live picture, a uint8 (n, n, 3) view."""
        return self._memory[..., :3]

    def composite(self, patch: Patch, colour: Pixels) -> None:
        """Draw a colour (uint8 (3,)) through a mask."""
        if patch.alpha.size:
            image = skia.Image.fromarray(patch.alpha, colorType=skia.ColorType.kAlpha_8_ColorType)
            paint = skia.Paint(Color=skia.Color(int(colour[0]), int(colour[1]), int(colour[2])))
            self._canvas.drawImage(image, patch.left, patch.top, _SAMPLING, paint)

    def load(self, pixels: Pixels) -> None:
        """Take over a whole picture, uint8 (n, n, 3)."""
        self._memory[..., :3] = pixels


def render(strokes: NDArray[np.float64], pixels: Pixels) -> Pixels:
    """Paint strokes (k, 13) over a copy of uint8 (n, n, 3) pixels, by the engine's integers."""
    canvas = np.array(pixels, order="C")
    for stroke in strokes:
        composite(canvas, stroke_mask(stroke, canvas.shape[0]), colour_bytes(stroke))
    return canvas
