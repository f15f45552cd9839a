"""Strokes to measure with, and the reference they are painted against."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from skimage import data

from easel_app.painting import anchors, png
from easel_app.painting.protocol import Kind
from easel_app.painting.tasks import OWN, Anchors, Source, Task, digest


def reference(size: int) -> NDArray[np.uint8]:
    """scikit-image's astronaut (NASA, public domain), scaled down to uint8 (size, size, 3)."""
    return np.asarray(cv2.resize(data.astronaut(), (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def task_of(picture: NDArray[np.uint8], budget: int = 100_000) -> Task:
    """A task on any uint8 (n, n, 3) picture."""
    size = len(picture)
    record = {
        "id": f"bench-{size}",
        "kind": Kind.RECONSTRUCTION,
        "category": OWN,
        "title": "Astronaut",
        "instruction": "Paint it.",
        "width": size,
        "height": size,
        "budget": budget,
        "anchors": Anchors(**anchors.scores(picture)),
        "source": Source(origin="scikit-image", author="NASA", licence="public domain", detail=""),
        "sha256": digest(picture),
    }
    return Task.load(record, png.encode(picture))


def random_strokes(count: int, size: int | None = None, seed: int = 0) -> NDArray[np.float64]:
    """`count` strokes of 13 uniformly random numbers, float64 (count, 13); the same for each size of canvas."""
    return np.random.default_rng(seed).random((count, 13))


def painting_strokes(count: int, size: int, seed: int = 0) -> NDArray[np.float64]:
    """`count` strokes like those of a painting, float64 (count, 13).

    Radii shrink from a tenth of the width to a hundredth; end and control point lie within 0.15 widths of the
    start; opacities are 0.6 or more.
    """
    rng = np.random.default_rng(seed)
    strokes = rng.random((count, 13))
    strokes[:, 2:6] = np.clip(strokes[:, [0, 1, 0, 1]] + rng.uniform(-0.15, 0.15, (count, 4)), 0.0, 1.0)
    largest = 0.1 * size * 0.1 ** (np.arange(count) / max(1, count - 1))
    pixels = largest[:, None] * rng.uniform(0.7, 1.0, (count, 2))
    strokes[:, [6, 8]] = np.clip((pixels - 0.5) * 4.0 / size, 0.0, 1.0)
    strokes[:, [7, 9]] = rng.uniform(0.6, 1.0, (count, 2))
    return strokes


KINDS = {"painting": painting_strokes, "random": random_strokes}
