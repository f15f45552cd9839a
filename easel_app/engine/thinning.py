"""Canny's non-maximum suppression: which pixels may be edges, and how strongly.

A pixel inside the picture is kept if its gradient reaches the low threshold and is no smaller than the two gradients
that lie one pixel ahead and behind along it, each interpolated between two neighbours. Its class is then 1
(weak), or 2 (strong) from the high threshold on; all others are 0.
"""

from __future__ import annotations

import numpy as np

from easel_app.engine.gradient import PAD, Filters, spread
from easel_app.engine.kernel import Bytes, Longs, borrowed, kernel

LOW = float(np.float32(0.1))
"""Least gradient of a weak edge; scikit-image hands it on as a C float ..."""
HIGH = 0.2
"""... and that of a strong edge as a double."""


@kernel
def update_classes(filters: Filters, top: int, bottom: int, classes: Bytes, seeds: Longs, stack: Longs) -> int:
    """Decide again wherever the gradient of rows [top, bottom) was redone.

    Args:
        filters: with the gradient and, in `spans[2]`, where it was redone.
        top: first row of those.
        bottom: one past the last.
        classes: uint8 plane, brought up to date.
        seeds: receives each pixel whose class changed, as flat index << 2 | class before.
        stack: work space for the indices of a whole plane.

    Returns:
        The number of seeds.
    """
    spans, classes, seeds, stack = borrowed(filters.spans), borrowed(classes), borrowed(seeds), borrowed(stack)
    stride = classes.shape[1]
    size = stride - 2 * PAD
    grad_down, grad_across = borrowed(filters.grad_down).ravel(), borrowed(filters.grad_across).ravel()
    magnitude, flat = borrowed(filters.magnitude).ravel(), classes.ravel()
    top, bottom = spread(spans[2], spans[0], top, bottom, 1, 1)
    # first list the pixels that are, or were, anything: few, and found without a guess by the processor
    listed = 0
    for y in range(max(1, top), min(size - 1, bottom)):
        start = (y + PAD) * stride + PAD
        for p in range(start + max(1, spans[0, 0, y]), start + min(size - 1, spans[0, 1, y])):
            i = np.uintp(p)
            stack[np.uintp(listed)] = p
            listed += (magnitude[i] >= LOW) | (flat[i] != 0)
    found = 0
    for k in range(listed):
        p = stack[k]
        i = np.uintp(p)
        here, a, b = magnitude[i], grad_down[i], grad_across[i]
        diagonal = stride if (a > 0.0) == (b > 0.0) else -stride
        steep, flat_part = abs(a), abs(b)
        straight = diagonal if steep > flat_part else 1
        share = min(steep, flat_part) / max(steep, flat_part)
        rest = 1.0 - share
        ahead = magnitude[np.uintp(p + diagonal + 1)] * share + magnitude[np.uintp(p + straight)] * rest
        behind = magnitude[np.uintp(p - diagonal - 1)] * share + magnitude[np.uintp(p - straight)] * rest
        kept = (here >= LOW) & (ahead <= here) & (behind <= here)
        new = np.uint8(kept) << np.uint8(kept & (here >= HIGH))
        old = flat[i]
        seeds[np.uintp(found)] = p << 2 | old
        found += old != new
        flat[i] = new
    return found
