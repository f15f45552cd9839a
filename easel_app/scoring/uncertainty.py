"""How sure a number over tasks is: 95 % intervals by a cluster bootstrap, wide enough for few tasks too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

Floats = NDArray[np.float64]

RESAMPLES = 2000
LEVEL = 0.95
BEYOND = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
"""Shares of the resamples below the lower and below the upper end."""
AT_ONCE = 256
"""Means whose resamples are held in memory together, 4 MB; resamples of sums over clusters that are."""
KEPT = 256
"""Clusters up to which the draws are kept, 1 MB each; those of more are drawn anew, 20 ms for 1,200."""
FEW = 10
"""Clusters below which no interval by resampling can be trusted to hold what it says; to be told beside it."""


class Interval(NamedTuple):
    """Lower and upper end."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic with its 95 % interval; what is not defined is None, never 0 or 1."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    """What it is taken over, such as votes."""
    undefined: int
    """Resamples in which it was not defined; the interval is of the others."""


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


def cluster_intervals(
    sums: ArrayLike,
    statistic: Callable[[Floats], Floats],
    *,
    n: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    bounds: ArrayLike = (-np.inf, np.inf),
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> list[Estimate]:
    """Statistics of sums over clusters, with 95 % intervals by resampling whole clusters.

    What lies in one cluster is not independent: the rubric items of a task with all their votes are drawn together.
    The interval is the percentile one over the resamples in which the statistic is defined, its ends moved away from
    the statistic as in `mean_intervals`, never to the other side of it, and not beyond its bounds.

    Coverage of the 95 % intervals of agreement, kappa, AC1 and macro F1 with 8 correlated items a task, as measured by
    `python -m benchmarks agreement`, and in brackets that of the percentile interval alone: 0.86 to 0.95 with 8 tasks
    (0.79 to 0.90), 0.92 to 0.96 with 15 (0.91 to 0.93), 0.94 to 0.96 with 40 (0.93 to 0.94), 0.94 to 0.95 with 110
    (0.94 to 0.95). So it is widened. Of what hardly occurs in the sample resampling cannot tell: of the specificity
    where a tenth is Not Met it covers 0.44 with 8 tasks, where Wilson's covers 0.93 (`wilson`; elsewhere, where errors
    of a task come together, that one is too narrow: down to 0.80).

    Args:
        sums: float (clusters, k), what each cluster adds to k sums, such as cells of a table.
        statistic: takes sums (r, k) of r resamples to m statistics of each, (r, m), not finite where not defined.
        n: what each statistic is taken over, whole (m,); else the number of clusters.
        clusters: how many clusters say anything of each statistic, whole (m,); else all.
        bounds: what no statistic can leave, (2,) or (m, 2).
        seed: of the resampling.
        resamples: how many.

    Returns:
        An estimate for each statistic. Without an interval where the statistic is not defined, fewer than two clusters
        say anything of it, or it is defined in fewer than two resamples.

    Raises:
        ValueError: sums are not a table, or not finite.

    Example:
        >>> cluster_intervals([[3, 4], [3, 4], [6, 8]], lambda sums: sums[:, :1] / sums[:, 1:])
        [Estimate(value=0.75, low=0.75, high=0.75, n=3, undefined=0)]
    """
    table = np.asarray(sums, np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(f"sums over clusters are finite numbers (clusters, columns), not {table.shape}")
    size = len(table)
    values = statistic(table.sum(0, keepdims=True))[0]
    many = np.broadcast_to(size if clusters is None else np.asarray(clusters, np.intp), values.shape)
    over = np.broadcast_to(size if n is None else np.asarray(n, np.intp), values.shape)
    drawn = _counts(size, seed, resamples) if size > 1 else np.zeros((size, 0), np.uint16)
    found = np.empty((len(values), drawn.shape[1]))
    for first in range(0, drawn.shape[1], AT_ONCE):
        some = drawn[:, first : first + AT_ONCE].astype(np.float64)
        # not by BLAS, whose threads wait for each other on a busy machine
        found[:, first : first + AT_ONCE] = statistic(np.einsum("nk,nr->kr", table, some).T).T
    found[~np.isfinite(found)] = np.nan
    found.sort(axis=1)  # nan last
    defined = np.count_nonzero(~np.isnan(found), axis=1)
    undefined = found.shape[1] - defined
    sure = (defined > 1) & (many > 1) & np.isfinite(values)
    ends = np.full((len(values), 2), np.nan)
    lowest, highest = np.broadcast_to(np.asarray(bounds, np.float64), ends.shape)[sure].T
    centre = values[sure]
    low, high = (centre + (_quantile(found[sure], defined[sure], q) - centre) * _wider(many[sure]) for q in BEYOND)
    ends[sure] = np.stack([np.clip(low, lowest, centre), np.clip(high, centre, highest)], axis=1)
    return [
        Estimate(_number(value), _number(low), _number(high), int(each), int(lost))
        for value, (low, high), each, lost in zip(values, ends, over, undefined, strict=True)
    ]


def cluster_sums(cluster: ArrayLike, values: ArrayLike, clusters: int) -> Floats:
    """Sums of columns over the rows of each cluster.

    Args:
        cluster: number of the cluster that each row is of, 0 to clusters - 1, (n,).
        values: float (n, k).
        clusters: how many there are, with or without rows.

    Returns:
        float64 (clusters, k).
    """
    numbers, table = np.asarray(cluster, np.intp), np.asarray(values, np.float64)
    sums = np.empty((clusters, table.shape[1]))
    for column, weights in zip(sums.T, table.T, strict=True):
        column[:] = np.bincount(numbers, weights, clusters)
    return sums


def wilson(k: float, n: float, confidence: float = LEVEL) -> Interval | None:
    """Score interval of a share, without continuity correction (Wilson 1927, JASA 22(158)).

    It takes the n for independent: where they come in clusters it is too narrow, yet it says something where all of
    few agree, which no resampling does.

    Args:
        k: how many of n, 0 to n.
        n: out of how many.
        confidence: level, between 0 and 1.

    Returns:
        The interval within [0, 1]; None for n = 0, where it is not defined.

    Raises:
        ValueError: k is not within 0 and n, or the level not between 0 and 1.
    """
    if not (0 <= k <= n < np.inf and 0 < confidence < 1):
        raise ValueError(f"k must lie in 0..n and the level between 0 and 1, not {k} of {n} at {confidence}")
    low, high = wilson_ends(k, n, confidence)
    return Interval(float(low), float(high)) if n else None


def wilson_ends(k: ArrayLike, n: ArrayLike, confidence: float = LEVEL) -> Floats:
    """The same for many: (…) each to float64 (…, 2), nan for n = 0."""
    hits, tries = np.asarray(k, np.float64), np.asarray(n, np.float64)
    z = ndtri((1 + confidence) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        share, spread = hits / tries, z * z / tries
        half = np.sqrt(spread * (share * (1 - share) + spread / 4))
        centre = share + spread / 2
        low, high = (centre - half) / (1 + spread), (centre + half) / (1 + spread)
    return np.stack([low, np.where(hits == tries, 1 + 0 * low, high)], axis=-1)


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _quantile(ordered: Floats, defined: NDArray[np.intp], share: float) -> Floats:
    """The quantile of the first so many values of each rising row, (m, r) and (m,), linear between two as NumPy's."""
    place = share * (defined - 1)
    below = place.astype(np.intp)
    rows = np.arange(len(ordered))
    lower, upper = ordered[rows, below], ordered[rows, np.minimum(below + 1, defined - 1)]
    between: Floats = lower + (place - below) * (upper - lower)
    return between


def _wider(size: ArrayLike) -> Floats:
    """How many times as wide as a percentile interval a t interval of so many values is (see `mean_intervals`)."""
    many = np.asarray(size, np.float64)
    factor: Floats = np.sqrt(many / (many - 1)) * stdtrit(many - 1, BEYOND[0]) / ndtri(BEYOND[0])
    return factor


def _ends(values: NDArray[np.float64], seed: int, bounds: tuple[float, float]) -> NDArray[np.float64]:
    """Ends of the intervals of k samples of n values, float64 (k, 2)."""
    size, beyond = values.shape[1], BEYOND[0]
    centre = values.mean(1, keepdims=True)
    drawn = _counts(size, seed).astype(np.float64) / size
    # about the centre, so that equal values give exactly themselves; not by BLAS, as in cluster_intervals
    resampled = np.sort(np.einsum("kn,nr->kr", values - centre, drawn), axis=1)
    place, share = int(beyond * (RESAMPLES - 1)), beyond * (RESAMPLES - 1) % 1
    inner, outer = resampled[:, [place + 1, -place - 2]], resampled[:, [place, -place - 1]]
    away = outer + share * (inner - outer)
    # a mean a little outside of the bounds stays in its interval
    lowest, highest = np.minimum(bounds[0], centre), np.maximum(bounds[1], centre)
    ends: NDArray[np.float64] = np.clip(centre + away * _wider(size), lowest, highest)
    return ends


def _counts(size: int, seed: int, resamples: int = RESAMPLES) -> NDArray[np.uint16]:
    """How often each of `size` values is drawn in each resample, (size, resamples)."""
    return _kept(size, seed, resamples) if size <= KEPT else _draw(size, seed, resamples)


def _draw(size: int, seed: int, resamples: int) -> NDArray[np.uint16]:
    generator = np.random.default_rng(seed)
    counts = np.empty((resamples, size), np.uint16)
    for row in counts:
        row[:] = np.bincount(generator.integers(0, size, size), minlength=size)
    return np.ascontiguousarray(counts.T)


_kept = lru_cache(maxsize=128)(_draw)
