"""What a picture looks like in a few bytes: a perceptual hash and coarse colours, by whole numbers alone.

The hash is the 64-bit pHash: the sign of each of the 8 × 8 lowest frequencies of the discrete cosine transform of a
32 × 32 grey picture, against their median (C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash
Functions", 2010, 3.2.1; there too the frequencies begin behind the constant one). The cosines are whole numbers here
and so is all that follows: every machine finds the same bits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from easel_app.trajectories.references.reference import Pixels

SIDE, LOW = 32, 8
COARSE = 4
"""Side of the smallest picture that still tells where which colour is."""


def _cosines() -> NDArray[np.int64]:
    """Frequencies 1 … 8 of the transform, 4096 times, (8, 32)."""
    return np.array(
        [
            [round(4096 * math.cos(math.pi * k * (2 * x + 1) / (2 * SIDE))) for x in range(SIDE)]
            for k in range(1, LOW + 1)
        ]
    )


_COSINES = _cosines()


def phash_of(pixels: Pixels) -> np.uint64:
    """The perceptual hash of a picture, uint8 (h, w, 3)."""
    grey = Image.fromarray(pixels).convert("L").resize((SIDE, SIDE), Image.Resampling.BOX)
    return phash(np.asarray(grey, np.int64))


def colours_of(pixels: Pixels) -> NDArray[np.uint8]:
    """Means of the 4 × 4 parts of a picture, uint8 (48,)."""
    return np.asarray(Image.fromarray(pixels).resize((COARSE, COARSE), Image.Resampling.BOX)).ravel()


def phash(grey: NDArray[np.int64]) -> np.uint64:
    """The perceptual hash of a grey picture, int64 (32, 32), 0..255; a flat one has no bit set."""
    frequencies = (_COSINES @ grey @ _COSINES.T).ravel()
    if not frequencies.any():
        return np.uint64(0)
    middle = np.sort(frequencies)[LOW * LOW // 2]
    return np.uint64(int.from_bytes(np.packbits(frequencies > middle).tobytes()))


def apart(bits: np.uint64 | NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """In how many bits hashes differ (Hamming), 0..64."""
    return np.asarray(np.bitwise_count(bits ^ others))
