"""The compiled engine: draws strokes by brush/1 and scores every step exactly, in tens of microseconds.

`StepEngine` is for painting with scores, `Replayer`, `stroke_mask` and `composite` for painting alone; `warm` compiles
all of it.
Kernels are plain functions on plain arrays, so other kernels can call them.
"""

from easel_app.engine.canvas import composite
from easel_app.engine.mask import RENDERER, Patch, stroke_mask
from easel_app.engine.replay import Replayer
from easel_app.engine.step import StepEngine
from easel_app.engine.warming import warm

__all__ = ["RENDERER", "Patch", "Replayer", "StepEngine", "composite", "stroke_mask", "warm"]
