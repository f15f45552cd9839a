"""The straightforward pipeline that the engine is measured against.

Stamping as in Learning to Paint (arXiv 1903.04411), with OpenCV: 100 filled circles on a canvas of twice the size, each
overwriting what was there, scaled down, blended in floating point, rounded to 8 bits. Then the whole
score by scikit-image, only what depends on the reference alone kept from step to step.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage.metrics import structural_similarity

from easel_app.scoring.similarity import WINDOW, Similarity, combine, edges

STAMPS = 100


class PlainPipeline:
    """A canvas beside a reference; `step` paints a stroke and scores the whole picture."""

    def __init__(self, reference: NDArray[np.uint8]) -> None:
        cv2.setNumThreads(1)
        self.size = reference.shape[0]
        self.canvas = np.full(reference.shape, 255, np.uint8)
        self._reference = reference / 255.0
        self._edges = edges(reference)

    def step(self, stroke: NDArray[np.float64]) -> Similarity:
        """Paint 13 numbers in [0, 1] and return the score."""
        self._draw(stroke)
        canvas = self.canvas / 255.0
        ssim = float(structural_similarity(canvas, self._reference, win_size=WINDOW, channel_axis=2, data_range=1.0))
        l1 = float(np.abs(canvas - self._reference).mean())
        drawn = edges(self.canvas)
        union = int((drawn | self._edges).sum())
        return combine(ssim, l1, int((drawn & self._edges).sum()) / union if union else 1.0)

    def _draw(self, stroke: NDArray[np.float64]) -> None:
        wide = 2 * self.size
        x0, y0, x1, y1, x2, y2 = (int(v * (wide - 1) + 0.5) for v in stroke[:6])
        r0, w0, r2, w2 = stroke[6:10]
        r0, r2 = int(1 + r0 * self.size // 2), int(1 + r2 * self.size // 2)
        mask = np.zeros((wide, wide), np.float32)
        for i in range(STAMPS):
            t = i / STAMPS
            s = 1 - t
            centre = (int(s * s * x0 + 2 * t * s * x1 + t * t * x2), int(s * s * y0 + 2 * t * s * y1 + t * t * y2))
            cv2.circle(mask, centre, int(s * r0 + t * r2), s * w0 + t * w2, -1)
        alpha = cv2.resize(mask, (self.size, self.size))[..., None]
        colour = (stroke[10:13] * 255).astype(np.float32)
        self.canvas = (self.canvas * (1 - alpha) + alpha * colour + 0.5).astype(np.uint8)
