"""What a squared byte of error costs in similarity, pixel by pixel: more where the reference is smooth.

For a window of SSIM whose sums of the canvas are near those of the reference,

    1 - SSIM = var(T - C) / (var T + var C + c2), about var(T - C) / (2 var T + c2),

so a squared error costs, in each window that sees it, the inverse of that denominator. To the mean of it over windows
come a share for L1 and one for edges, near the edges of the reference. Only weights, so no more than a guide: what
follows it is scored exactly.
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from easel_app.engine.kernel import Bytes, Ints
from easel_app.engine.ssim import AREA, HALF, K2, reference_windows
from easel_app.scoring.similarity import WEIGHTS, WINDOW, edges

DISTANCE = 0.5e-4
"""The share of L1: what a squared byte costs where errors are about ten bytes large."""
EDGE = 1e-4
"""The share of edges, within `REACH` px of one in the reference."""
REACH = 2
UNIT = 4e-5
"""What a weight of 1 stands for; a perfectly smooth place has a weight of about 200."""


def weights(reference: Bytes) -> Ints:
    """Weights for a reference, uint8 (n, n, 3): int32 (n, n), at least 1."""
    spread = reference_windows(reference)[1].reshape(reference.shape).astype(np.float64)
    costs = AREA * (AREA - 1) / (2.0 * spread + K2)
    seen = np.zeros_like(costs)
    seen[HALF:-HALF, HALF:-HALF] = costs[HALF:-HALF, HALF:-HALF]
    smooth = ndimage.uniform_filter(seen.mean(axis=2), WINDOW, mode="constant")
    near = ndimage.binary_dilation(edges(reference), iterations=REACH)
    price = WEIGHTS[0] * smooth + DISTANCE + EDGE * near
    found: Ints = np.maximum(1, np.floor(price / UNIT + 0.5)).astype(np.int32)
    return found
