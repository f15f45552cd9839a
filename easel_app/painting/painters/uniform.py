"""Random painting: thirteen uniform numbers a stroke, the control that looks at nothing."""

from __future__ import annotations

import hashlib

import numpy as np

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.grid import quantise


class RandomPainter:
    """Paints strokes of uniformly random numbers; see `easel_app.painting.painters.Painter`."""

    def __init__(self, name: str, reference: Bytes, budget: int, seed: int, grid: int | None = None) -> None:
        """Begin; strokes follow from the seed and from which picture it is, else a run's tasks would all look alike."""
        self.name = name
        self._shape, self._grid = reference.shape, grid
        picture = hashlib.sha256(reference.tobytes()).digest()
        self._seed = [seed, int.from_bytes(picture[:8], "little")]

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke, whatever the canvas holds. See `Painter.next`."""
        if canvas.shape != self._shape or canvas.dtype != np.uint8:
            raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be uint8 {self._shape}")
        return quantise(np.random.default_rng([*self._seed, step]).random(13), self._grid)
