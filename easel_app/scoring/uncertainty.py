"""How sure a mean is: intervals by a cluster bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 2000
LEVEL = 0.95


class Interval(NamedTuple):
    """Lower and upper end."""

    low: float
    high: float


def mean_interval(clusters: Sequence[Sequence[float]], *, seed: int = 0) -> Interval | None:
    """95 % percentile interval of the mean over clusters of the clusters' means (Efron 1979, cluster bootstrap).

    Whole clusters are drawn again with replacement, since values of one cluster (repeats of one task) are not
    independent. Deterministic by seed.

    Args:
        clusters: values of each cluster; empty clusters are left out.
        seed: of the resampling.

    Returns:
        The interval; None for fewer than two clusters, where it is not defined.

    Example:
        >>> mean_interval([[0.5], [0.5], [0.5, 0.5]])
        Interval(low=0.5, high=0.5)
    """
    means = np.array([float(np.mean(values)) for values in clusters if len(values)])
    if len(means) < 2:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(means), (RESAMPLES, len(means)))
    low, high = np.quantile(means[drawn].mean(1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
