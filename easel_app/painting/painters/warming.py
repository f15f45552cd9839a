"""Compiling the painters' kernels ahead of time."""

from __future__ import annotations

import numpy as np

from easel_app.painting.painters import able, painter


def warm() -> None:
    """Compile each kernel for each type that it is called with, or load it from the cache: 30 s of computing, or 0.3 s.

    After `easel_app.engine.warm`, whose kernels the painters' are built on.
    """
    reference = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    for name in able(None):
        painter(name, reference, budget=2).next(np.full_like(reference, 255), step=0)
