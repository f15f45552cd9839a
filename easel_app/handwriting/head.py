"""A second reader on the same eyes: a small network that knows letters in many hands, and no language.

It looks at the last map of the recogniser's convolutions, twice as fine in time as its reading, and was trained with
CTC (Graves et al. 2006) on random letters in the fonts of the `tune` half, touching, joined and trembling ones among
them (tools/train_head). What it adds is what the recogniser was rarely shown: an entry stroke is no letter, letters
may touch, and a line may be one pen wide.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
FILE = Path(__file__).parent / "head.npz"


class Head(NamedTuple):
    """Weights; float16 in the file, float32 here. Layers are convolutions over time, (taps, in, out), and a bias."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    third: Floats
    third_bias: Floats
    last: Floats
    last_bias: Floats

    def signs(self, seen: Floats) -> Floats:
        """The chance of each sign at each fine time step.

        Args:
            seen: float32 (steps, 1152), see `network.Seen.map`.

        Returns:
            float32 (steps, 28); a row sums to 1.
        """
        row = np.maximum(convolved(seen, self.first) + self.first_bias, 0)
        row = np.maximum(convolved(row, self.second) + self.second_bias, 0)
        row = np.maximum(convolved(row, self.third) + self.third_bias, 0)
        row = convolved(row, self.last) + self.last_bias
        row = np.exp(row - row.max(-1, keepdims=True))
        return np.asarray(row / row.sum(-1, keepdims=True))


def convolved(row: Floats, weights: Floats) -> Floats:
    """Correlate (steps, in) with (taps, in, out) over time, with zeros around it: (steps, out)."""
    taps, steps = len(weights), len(row)
    padded = np.pad(row, ((taps // 2, taps // 2), (0, 0)))
    windows = np.concatenate([padded[tap : tap + steps] for tap in range(taps)], -1)
    return np.asarray(windows @ weights.reshape(-1, weights.shape[-1]))


@cache
def head() -> Head:
    """The weights in the package.

    Raises:
        FileNotFoundError: the package was installed without its data.
    """
    with np.load(FILE) as file:
        return Head(**{layer: file[layer].astype(np.float32) for layer in Head._fields})
