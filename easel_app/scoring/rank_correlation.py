"""Whether two lists of scores order the same things alike: Spearman's rho and Kendall's tau-b: ``rank_correlation/1``.

For judges against people over plans, and for one metric against another over models. Ties take the mean of their
ranks. Pairs in which either value is missing are left out and counted.

- rho is Pearson's correlation of the ranks; without ties 1 - 6 · sum(d²) / (n · (n² - 1)).
- p is two-sided: for up to 8 pairs exact, over all orders of the one list; beyond by Student's t with n - 2 degrees of
  freedom, t = rho · sqrt((n - 2) / (1 - rho²)), as the published p values are. No p for fewer than 4 pairs, where no
  order at all is improbable.
- The 95 % interval of rho is Fisher's z with the variance (1 + rho² / 2) / (n - 3) of Bonett and Wright (2000,
  Psychometrika 65(1)), which takes the pairs for independent. Its coverage decided against resampling pairs: 0.96 to
  0.99 with five pairs, where that has 0.45 to 0.94, and 0.94 to 0.97 with ten and twenty, about as that has. For what
  is nearly in one order it is too narrow, 0.89 to 0.92 at a correlation of 0.98 (`python -m benchmarks.plan_metrics`;
  that has 0.92 to 0.98). A rho of 1 or -1 would leave no doubt: it is taken as half the smallest step from there,
  6 / (n · (n² - 1)), and the interval reaches up to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from numbers import Real
from reprlib import repr as brief

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr

from easel_app.scoring.uncertainty import LEVEL

VERSION = "rank_correlation/1"
EXACT_UP_TO = 8
"""Pairs up to which p is taken over all orders, 40,320 of eight."""
FEWEST = 4
"""Pairs from which there are a p and an interval."""
SAME = 1e-12
"""How far two values of rho may differ by rounding alone."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """How alike two lists order the same things; None where not defined."""

    rho: float | None
    """Spearman's, [-1, 1]; None where a list has fewer than two different values."""
    low: float | None
    """Ends of its 95 % interval."""
    high: float | None
    p: float | None
    """Two-sided, of no correlation."""
    exact: bool
    """Whether p is over all orders rather than by the t distribution."""
    tau: float | None
    """Kendall's tau-b, [-1, 1]."""
    n: int
    """Pairs."""
    left_out: int
    """Pairs in which a value is missing."""
    ties: tuple[int, int]
    """Values of each list that equal another of it."""


def rank_correlation(first: Sequence[float | None], second: Sequence[float | None]) -> RankCorrelation:
    """Correlate two lists of scores of the same things; to compare with a score where less is better, negate that.

    Args:
        first: a score of each thing; None or nan where it has none.
        second: another score of each.

    Raises:
        ValueError: the lists are not as long, or a value is no finite number; truth values and texts are none.

    Example:
        >>> found = rank_correlation([1, 2, 3, 4], [4, 3, 2, 1])
        >>> found.rho, found.tau, round(found.p, 4), found.n
        (-1.0, -1.0, 0.0833, 4)
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} scores cannot be paired with {len(second)}")
    x, y = _numbers(first), _numbers(second)
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    n = len(x)
    one, other = mid_ranks(x), mid_ranks(y)
    rho = _pearson(one, other)
    low, high = (None, None) if rho is None or n < FEWEST else fisher_interval(rho, n)
    return RankCorrelation(
        rho=rho,
        low=low,
        high=high,
        p=None if rho is None or n < FEWEST else _p(one, other, rho),
        exact=rho is not None and FEWEST <= n <= EXACT_UP_TO,
        tau=_tau(x, y),
        n=n,
        left_out=len(first) - n,
        ties=(_tied(x), _tied(y)),
    )


def mid_ranks(values: ArrayLike) -> Floats:
    """Ranks from 1, equals at the mean of theirs, (n,) to float64 (n,).

    Example:
        >>> mid_ranks([30, 10, 30]).tolist()
        [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def rho_of_differences(sum_of_squares: float, n: int) -> float:
    """Spearman's rho of n ranks without ties from the sum of the squares of their differences.

    Raises:
        ValueError: n is below 2, or no two orders differ by so much.

    Example:
        >>> round(rho_of_differences(20, 10), 4)
        0.8788
    """
    if n < 2 or not 0 <= sum_of_squares <= n * (n * n - 1) / 3:
        raise ValueError(f"the squares of the differences of {n} ranks cannot sum to {sum_of_squares}")
    return 1 - 6 * sum_of_squares / (n * (n * n - 1))


def fisher_interval(rho: float, n: int) -> tuple[float, float]:
    """95 % interval of Spearman's rho of at least 4 pairs, as the module says.

    Raises:
        ValueError: rho is beyond 1, or there are fewer pairs.
    """
    if not -1 <= rho <= 1 or n < FEWEST:
        raise ValueError(f"an interval takes a rho within -1 and 1 of at least {FEWEST} pairs, not {rho} of {n}")
    most = 1 - 6 / (n * (n * n - 1))
    inner = min(max(rho, -most), most)
    half = float(ndtri((1 + LEVEL) / 2)) * math.sqrt((1 + inner * inner / 2) / (n - 3))
    low, high = (math.tanh(math.atanh(inner) + side) for side in (-half, half))
    return (-1.0 if rho < -most else low), (1.0 if rho > most else high)


def _numbers(values: Sequence[float | None]) -> Floats:
    return np.array([math.nan if value is None else _number(value) for value in values], np.float64)


def _number(value: object) -> float:
    try:
        number = math.inf if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise ValueError(f"a score must be a finite number or missing, but is {brief(value)}")
    return number


def _pearson(one: Floats, other: Floats) -> float | None:
    if not len(one):
        return None
    a, b = one - one.mean(), other - other.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return max(-1.0, min(1.0, float(a @ b) / spread)) if spread else None


def _p(one: Floats, other: Floats, rho: float) -> float:
    n = len(one)
    if n > EXACT_UP_TO:
        if abs(rho) == 1:
            return 0.0
        return float(2 * stdtr(n - 2, -abs(rho) * math.sqrt((n - 2) / (1 - rho * rho))))
    a, b = one - one.mean(), other - other.mean()
    all_orders = b[_orders(n)] @ a / math.sqrt(float(a @ a) * float(b @ b))
    return float(np.mean(np.abs(all_orders) >= abs(rho) - SAME))


@cache
def _orders(n: int) -> NDArray[np.intp]:
    return np.array(list(permutations(range(n))), np.intp)


def _tau(x: Floats, y: Floats) -> float | None:
    """Concordant less discordant pairs over the root of those untied in the one times those untied in the other.

    By counting inversions once the pairs are in the order of x, then y (Knight 1966, JASA 61(314)): n log n.
    """
    first, second = (np.unique(values, return_inverse=True)[1].astype(np.int64) for values in (x, y))
    pairs, n = first * (len(second) + 1) + second, len(first)
    both, ties, others = (_pairs(np.unique(values, return_counts=True)[1]) for values in (pairs, first, second))
    whole = n * (n - 1) // 2
    discordant = _inversions(second[np.lexsort([second, first])])
    spread = math.sqrt((whole - ties) * (whole - others))
    return max(-1.0, min(1.0, (whole - ties - others + both - 2 * discordant) / spread)) if spread else None


def _pairs(counts: NDArray[np.intp]) -> int:
    """How many pairs there are within groups of so many."""
    return int((counts * (counts - 1) // 2).sum())


def _inversions(values: NDArray[np.int64]) -> int:
    """How many pairs of whole numbers from 0 stand the wrong way round, each found at the highest bit that differs."""
    found, listed = 0, values
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):  # listed is sorted by the higher bits
        high, ones = listed >> bit + 1, listed >> bit & 1
        before = np.cumsum(ones) - ones
        before -= before[np.searchsorted(high, high)]  # of its own group
        found += int(before[ones == 0].sum())
        listed = listed[np.argsort(listed >> bit, kind="stable")]
    return found


def _tied(values: Floats) -> int:
    counts = np.unique(values, return_counts=True)[1]
    return int(counts[counts > 1].sum())
