"""Similarity/1 within a kernel, from the totals that an engine keeps: the very bits of `StepEngine.scores`."""

from __future__ import annotations

from easel_app.engine.kernel import kernel
from easel_app.engine.memory import Memory
from easel_app.engine.ssim import HALF, ONE
from easel_app.engine.step import L1, SSIM
from easel_app.scoring.similarity import WEIGHTS


@kernel
def worth(memory: Memory) -> float:
    """The similarity of the canvas to its reference."""
    size = memory.canvas.pixels.shape[0]
    ssim = memory.totals[SSIM] / (3.0 * (size - 2 * HALF) ** 2 * ONE)
    distance = memory.totals[L1] / (3 * 255.0 * size * size)
    both, either = memory.links.counts[0], memory.links.counts[1]
    edge_iou = both / either if either else 1.0
    found: float = WEIGHTS[0] * ssim + WEIGHTS[1] * (1.0 - distance) + WEIGHTS[2] * edge_iou
    return found
