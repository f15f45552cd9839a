"""Compiling every kernel ahead of time."""

from __future__ import annotations

import numpy as np

from easel_app.engine.canvas import composite
from easel_app.engine.contact import first_contact
from easel_app.engine.mask import stroke_mask
from easel_app.engine.omission import omissions
from easel_app.engine.replay import Replayer
from easel_app.engine.step import StepEngine


def warm() -> None:
    """Compile each kernel for each type that it is called with, or load it from the cache: 20 s of computing, or 0.3 s.

    Called by `make install` and the image build, so that no visitor waits: a process that starts later finds the
    machine code on disk (see `kernel.CACHE_FOLDER`), as long as sources, Numba and the processor are the same.
    """
    picture = np.full((32, 32, 3), 255, np.uint8)
    stroke = np.array([0.2, 0.2, 0.5, 0.9, 0.8, 0.2, 0.5, 1.0, 0.1, 0.5, 0.9, 0.1, 0.1])
    first_contact(np.zeros(6), np.zeros((8, 8), np.bool_), 1.0)
    engine = StepEngine(picture)
    engine.step(stroke)
    engine.load(picture, (0, 16, 0, 16))
    Replayer(32).paint(stroke[None])
    list(omissions(stroke[None], picture, picture))
    composite(picture, stroke_mask(stroke, 32), np.array([1, 2, 3], np.uint8))
    composite(picture, engine.mask, np.array([1, 2, 3], np.uint8))
