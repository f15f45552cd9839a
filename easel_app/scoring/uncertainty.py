"""How sure a mean over tasks is: 95 % intervals by a cluster bootstrap, wide enough for few tasks too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

RESAMPLES = 2000
LEVEL = 0.95
AT_ONCE = 256
"""Means whose resamples are held in memory together, 4 MB."""


class Interval(NamedTuple):
    """Lower and upper end."""

    low: float
    high: float


def mean_interval(
    clusters: Sequence[Sequence[float]], *, seed: int = 0, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Interval | None:
    """95 % interval of the mean over clusters of the clusters' means.

    A cluster is a task with its repeats, which are not independent: it counts once, by its mean. The rest is as in
    `mean_intervals`.

    Args:
        clusters: values of each cluster; empty clusters are left out.
        seed: of the resampling.
        bounds: what no mean can leave.

    Returns:
        The interval; None for fewer than two clusters, where it is not defined.

    Example:
        >>> mean_interval([[0.5], [0.5], [0.5, 0.5]])
        Interval(low=0.5, high=0.5)
    """
    means = [float(np.mean(values)) for values in clusters if len(values)]
    return mean_intervals([np.array(means)], seed=seed, bounds=bounds)[0]


def mean_intervals(
    samples: Sequence[NDArray[np.float64]], *, seed: int = 0, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> list[Interval | None]:
    """95 % interval of each sample's mean: a percentile bootstrap (Efron 1979), widened as a t interval is.

    The percentile interval is too narrow for small n: by sqrt((n - 1) / n), since the bootstrap's variance divides by
    n, and by z / t, since it takes the variance for known (Hesterberg 2015, "What Teachers Should Know About the
    Bootstrap", The American Statistician 69(4), who reads it at a wider level instead). That level needs tails which
    resamples of fewer than about eight values do not have; here the two ends are moved away from the mean by that
    factor, which comes to the same for more values. `python -m benchmarks.results` prints the coverage of all three.

    Args:
        samples: float64 (n,) each, without nan.
        seed: of the resampling; samples of one size are resampled alike.
        bounds: what no mean can leave; ends beyond are moved there.

    Returns:
        An interval for each sample; None for fewer than two values, where it is not defined.
    """
    found: list[Interval | None] = [None] * len(samples)
    sizes: dict[int, list[int]] = defaultdict(list)
    for place, sample in enumerate(samples):
        sizes[len(sample)].append(place)
    for size, places in sizes.items():
        for first in range(0, len(places) if size > 1 else 0, AT_ONCE):
            some = places[first : first + AT_ONCE]
            for place, (low, high) in zip(some, _ends(np.stack([samples[k] for k in some]), seed, bounds), strict=True):
                found[place] = Interval(float(low), float(high))
    return found


def _ends(values: NDArray[np.float64], seed: int, bounds: tuple[float, float]) -> NDArray[np.float64]:
    """Ends of the intervals of k samples of n values, float64 (k, 2)."""
    size, beyond = values.shape[1], (1 - LEVEL) / 2
    centre = values.mean(1, keepdims=True)
    drawn = _counts(size, seed).astype(np.float64) / size
    # about the centre, so that equal values give exactly themselves; not by BLAS, whose threads wait for each other
    # on a busy machine
    resampled = np.sort(np.einsum("kn,nr->kr", values - centre, drawn), axis=1)
    place, share = int(beyond * (RESAMPLES - 1)), beyond * (RESAMPLES - 1) % 1
    inner, outer = resampled[:, [place + 1, -place - 2]], resampled[:, [place, -place - 1]]
    away = outer + share * (inner - outer)
    wider = np.sqrt(size / (size - 1)) * stdtrit(size - 1, beyond) / ndtri(beyond)
    # a mean a little outside of the bounds stays in its interval
    lowest, highest = np.minimum(bounds[0], centre), np.maximum(bounds[1], centre)
    ends: NDArray[np.float64] = np.clip(centre + away * wider, lowest, highest)
    return ends


@lru_cache(maxsize=128)
def _counts(size: int, seed: int) -> NDArray[np.uint16]:
    """How often each of `size` values is drawn in each resample, (size, resamples)."""
    drawn = np.random.default_rng(seed).integers(0, size, (RESAMPLES, size))
    cells = drawn + size * np.arange(RESAMPLES)[:, None]
    counts = np.bincount(cells.ravel(), minlength=RESAMPLES * size).reshape(RESAMPLES, size)
    return np.ascontiguousarray(counts.T, np.uint16)
