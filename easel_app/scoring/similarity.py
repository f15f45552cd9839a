"""similarity/1: how close a canvas is to its reference, in its plain definition.

S = 0.5 · SSIM + 0.3 · (1 - L1) + 0.2 · EdgeIoU (weights: arXiv 2608.25417, section 3). The paper's supplement is not
available, so the settings of each part are ours and carry a name and a version: ``similarity/1``. The compiled
engine (``easel_app.engine``) computes the same numbers a few dozen times faster; the tests hold it to this module.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from skimage.feature import canny
from skimage.metrics import structural_similarity

METRIC = "similarity/1"
WEIGHTS = (0.5, 0.3, 0.2)
"""Weights of SSIM, 1 - L1 and Edge IoU."""
LUMA = (0.2126, 0.7152, 0.0722)
"""Weights of red, green and blue in the luma that edges are found on (ITU-R BT.709)."""
WINDOW = 7
"""Side of SSIM's uniform window, in pixels."""

Image = NDArray[np.uint8]


class Similarity(NamedTuple):
    """A score and its three parts."""

    similarity: float
    """S, about [-0.5, 1]; 1 means equal pictures."""
    ssim: float
    """Mean structural similarity over pixels and channels, [-1, 1]."""
    l1: float
    """Mean absolute difference over pixels and channels, [0, 1]; lower is better."""
    edge_iou: float
    """Intersection over union of the two Canny maps, [0, 1]."""


def combine(ssim: float, l1: float, edge_iou: float) -> Similarity:
    """S from its three parts."""
    score = WEIGHTS[0] * ssim + WEIGHTS[1] * (1.0 - l1) + WEIGHTS[2] * edge_iou
    return Similarity(score, ssim, l1, edge_iou)


def luma(image: Image) -> NDArray[np.float64]:
    """Luma of an (h, w, 3) sRGB picture as float64 (h, w) in [0, 1].

    Written as an explicit sum, since the order of additions decides the last bit and Canny compares such values.
    """
    unit = image.astype(np.float64) / 255.0
    weighted: NDArray[np.float64] = LUMA[0] * unit[..., 0] + LUMA[1] * unit[..., 1] + LUMA[2] * unit[..., 2]
    return weighted


def edges(image: Image) -> NDArray[np.bool_]:
    """Canny's edge map (h, w) of the luma: sigma 1, thresholds 0.1 and 0.2, as scikit-image has them by default."""
    found: NDArray[np.bool_] = canny(luma(image))
    return found


def similarity(canvas: Image, reference: Image) -> Similarity:
    """Score a canvas against its reference.

    Args:
        canvas: uint8 (h, w, 3), sRGB.
        reference: uint8 of the same shape; both sides at least 7 px.

    Returns:
        The score and its parts.

    Raises:
        ValueError: shapes differ, the type is not uint8, or a side is shorter than the window.

    Example:
        >>> white = np.full((16, 16, 3), 255, np.uint8)
        >>> similarity(white, white).similarity
        1.0
    """
    if canvas.shape != reference.shape or canvas.ndim != 3 or canvas.shape[2] != 3:
        raise ValueError(f"canvas {canvas.shape} and reference {reference.shape} must share one shape (h, w, 3)")
    if canvas.dtype != np.uint8 or reference.dtype != np.uint8:
        raise ValueError(f"canvas ({canvas.dtype}) and reference ({reference.dtype}) must be uint8")
    if min(canvas.shape[:2]) < WINDOW:
        raise ValueError(f"a side of {min(canvas.shape[:2])} px is shorter than the SSIM window of {WINDOW} px")
    a, b = canvas / 255.0, reference / 255.0
    ssim = float(structural_similarity(a, b, win_size=WINDOW, channel_axis=2, data_range=1.0))
    l1 = float(np.abs(a - b).mean())
    drawn, wanted = edges(canvas), edges(reference)
    union = int((drawn | wanted).sum())
    edge_iou = int((drawn & wanted).sum()) / union if union else 1.0
    return combine(ssim, l1, edge_iou)
