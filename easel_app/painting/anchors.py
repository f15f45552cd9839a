"""Anchors: what a canvas scores that shows nothing of the picture, or only its overall colour.

The published best agent scores no better than a fill with the mean colour (arXiv 2608.25417, table of anchors), so
every score is shown among these. All functions take a reference as uint8 (h, w, 3) sRGB and are pure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.similarity import similarity

Image = NDArray[np.uint8]

LEVELS = 16
"""Levels a channel of the histogram that finds the dominant colour."""


def blank(reference: Image) -> Image:
    """The white canvas that every painting starts from, in the shape of the reference."""
    return np.full_like(reference, 255)


def mean_fill(reference: Image) -> Image:
    """A canvas filled with the mean colour of the reference: the mean byte of each channel, rounded half up."""
    return _filled(reference, _rounded_mean(reference.reshape(-1, 3)))


def dominant_fill(reference: Image) -> Image:
    """A canvas filled with the dominant colour of the reference.

    Colours are counted in a histogram of 16 levels a channel: 4,096 cells, a pixel in cell
    (r // 16)·256 + (g // 16)·16 + b // 16. The fill is the mean of the pixels in the fullest cell, rounded half up;
    of equally full cells the one with the lowest number wins.
    """
    pixels = reference.reshape(-1, 3)
    levels = pixels.astype(np.int64) // (256 // LEVELS)
    cells = (levels[:, 0] * LEVELS + levels[:, 1]) * LEVELS + levels[:, 2]
    fullest = int(np.bincount(cells, minlength=LEVELS**3).argmax())
    return _filled(reference, _rounded_mean(pixels[cells == fullest]))


def scores(reference: Image) -> dict[str, float]:
    """The similarity (`similarity/1`) of each anchor's canvas to the reference.

    Returns:
        `blank`, `mean_fill` and `dominant_fill`, each at most 1.

    Raises:
        ValueError: the reference is no uint8 (h, w, 3) picture, or too small to score.

    Example:
        >>> scores(np.full((16, 16, 3), 90, np.uint8))["mean_fill"]
        1.0
    """
    if reference.dtype != np.uint8 or reference.ndim != 3 or reference.shape[2] != 3:
        raise ValueError(f"a reference must be uint8 (h, w, 3), not {reference.dtype} {reference.shape}")
    fills = {"blank": blank, "mean_fill": mean_fill, "dominant_fill": dominant_fill}
    return {name: similarity(fill(reference), reference).similarity for name, fill in fills.items()}


def _rounded_mean(pixels: Image) -> Image:
    """The mean of pixels (n, 3) a channel in whole numbers, rounded half up, so that no platform rounds otherwise."""
    count = len(pixels)
    sums = pixels.astype(np.int64).sum(axis=0)
    mean: Image = ((2 * sums + count) // (2 * count)).astype(np.uint8)
    return mean


def _filled(reference: Image, colour: Image) -> Image:
    return np.broadcast_to(colour, reference.shape).copy()
