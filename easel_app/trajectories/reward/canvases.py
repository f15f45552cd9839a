"""Canvases that are ready to be painted on and scored by their references, the last ones used of this process."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from easel_app.engine import StepEngine
from easel_app.painting import anchors
from easel_app.scoring.similarity import similarity

Pixels = NDArray[np.uint8]
MOST_PIXELS = 16 * 128 * 128
"""Pixels of the canvases that are kept; an engine takes about 185 bytes for each of them, 49 MB in all."""


class ScoredCanvas:
    """A reference and the canvas that a prompt shows."""

    def __init__(self, reference: Pixels, canvas: Pixels) -> None:
        """Get ready, which takes about 5 ms at 128 px.

        Raises:
            ValueError: a picture has not the shape or size that the engine takes.
        """
        self._engine, self._reference, self._canvas = StepEngine(reference, canvas), reference, canvas
        self.before = self._engine.scores().similarity
        """S of the canvas."""
        self.pixels = canvas.shape[0] * canvas.shape[1]

    @cached_property
    def mean_fill(self) -> float:
        """S of a fill with the reference's mean colour."""
        return similarity(anchors.mean_fill(self._reference), self._reference).similarity

    def after(self, strokes: Sequence[NDArray[np.float64]]) -> float:
        """S of the canvas with strokes painted over it, each float64 (13,) in [0, 1]; the canvas stays as it is."""
        found, box = self._engine.scores(), None
        try:
            for stroke in strokes:
                found = self._engine.step(stroke)
            box = self._engine.box if len(strokes) == 1 else None
        finally:
            self._engine.load(self._canvas, box)
        return found.similarity


class ScoredCanvases:
    """The canvases used last, by the digests of their pictures."""

    def __init__(self, most_pixels: int = MOST_PIXELS) -> None:
        """Keep so many pixels, and one canvas at least."""
        self.lock = threading.Lock()
        """To be held from finding a canvas until it is no longer used."""
        self._most, self._kept = most_pixels, OrderedDict[bytes, ScoredCanvas]()

    def __len__(self) -> int:
        """Canvases that are kept."""
        return len(self._kept)

    def find(self, reference: Pixels, canvas: Pixels) -> ScoredCanvas:
        """The canvas for a reference. Raises as `ScoredCanvas` does."""
        key = _digest(reference) + _digest(canvas)
        scored = self._kept.get(key)
        if scored is None:
            scored = self._kept[key] = ScoredCanvas(reference, canvas)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and sum(each.pixels for each in self._kept.values()) > self._most:
            self._kept.popitem(last=False)
        return scored


CANVASES = ScoredCanvases()
"""Those of this process."""


def _digest(pixels: Pixels) -> bytes:
    return hashlib.sha256(repr(pixels.shape).encode() + pixels.tobytes()).digest()
