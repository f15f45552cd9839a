"""Where the time of an engine's step goes, measured inside compiled code by the C library's processor clock."""

from __future__ import annotations

import ctypes

import numpy as np
from numba import njit
from numpy.typing import NDArray

from easel_app.engine import StepEngine
from easel_app.engine.canvas import paint
from easel_app.engine.gradient import update_gradient
from easel_app.engine.hysteresis import update_edges
from easel_app.engine.mask import draw_mask
from easel_app.engine.memory import Memory
from easel_app.engine.ssim import update_ssim
from easel_app.engine.thinning import update_classes

STAGES = ("mask", "composite", "ssim", "gradient", "thinning", "hysteresis")

_clock = ctypes.CDLL(None).clock
_clock.argtypes, _clock.restype = (), ctypes.c_long
CLOCKS_PER_SECOND = 1_000_000
"""Fixed by POSIX."""


@njit(error_model="numpy")
def _run(strokes: NDArray[np.float64], memory: Memory, ticks: NDArray[np.int64]) -> None:
    """Paint all strokes as `step.step` does, and add up what each stage took; the last of `ticks` counts readings."""
    links, canvas = memory.links, memory.canvas
    for k in range(len(strokes)):
        t0 = _clock()
        draw_mask(strokes[k], memory.brush)
        t1 = _clock()
        memory.totals[1] += paint(strokes[k], memory.brush, canvas)
        t2 = _clock()
        ticks[0] += t1 - t0
        ticks[1] += t2 - t1
        if canvas.box[0] == canvas.box[1]:
            continue
        memory.totals[0] += update_ssim(canvas, memory.windows)
        t3 = _clock()
        top, bottom = update_gradient(canvas, memory.filters)
        t4 = _clock()
        found = update_classes(memory.filters, top, bottom, links.classes, links.seeds, links.stack)
        t5 = _clock()
        update_edges(links, found)
        t6 = _clock()
        ticks[2] += t3 - t2
        ticks[3] += t4 - t3
        ticks[4] += t5 - t4
        ticks[5] += t6 - t5


@njit
def _read_clock(times: int) -> int:
    start = _clock()
    for _ in range(times):
        _clock()
    return _clock() - start


def stage_times(reference: NDArray[np.uint8], strokes: NDArray[np.float64], repeats: int = 5) -> dict[str, float]:
    """Microseconds a stroke for each stage, the least of some repeats, without the clock's own time."""
    best = np.full(len(STAGES), np.inf)
    own = min(_read_clock(10_000) for _ in range(5)) / 10_000
    for _ in range(repeats):
        ticks = np.zeros(len(STAGES), np.int64)
        _run(strokes, StepEngine(reference).memory, ticks)
        best = np.minimum(best, ticks / len(strokes) - own)
    return dict(zip(STAGES, np.maximum(best, 0.0) * 1e6 / CLOCKS_PER_SECOND, strict=True))
