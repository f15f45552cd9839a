"""How often two raters' final scores of a plan lie in one tier, or in neighbouring ones: ``tier_agreement/1``.

Tiers are those of `plan.TIERS`, half open. Intervals are by resampling clusters such as queries.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.scoring.plan import TIERS
from easel_app.scoring.uncertainty import RESAMPLES, Estimate, cluster_intervals, cluster_sums

VERSION = "tier_agreement/1"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TierAgreement:
    """Pairs of final scores by tier."""

    tiers: tuple[str, ...]
    """The lowest first."""
    table: tuple[tuple[int, ...], ...]
    """Rows the first one's tier (a person's), columns the second one's (the judge's)."""
    same: Estimate
    """Share of the pairs in one tier, [0, 1]; its n is pairs."""
    within_one: Estimate
    """Share of the pairs in one tier or in neighbouring ones."""


def tier_places(scores: ArrayLike) -> Floats:
    """The place of each score's tier from the lowest, float of any shape; nan stays nan.

    Raises:
        ValueError: a score lies outside of 0 to 100.

    Example:
        >>> tier_places([0, 19.99, 20, 100]).tolist()
        [0.0, 0.0, 1.0, 4.0]
    """
    values = np.asarray(scores, np.float64)
    if np.any((values < TIERS[0].low) | (values > TIERS[-1].high)):
        raise ValueError("a final score lies from 0 to 100")
    return np.where(np.isnan(values), np.nan, np.searchsorted([tier.low for tier in TIERS], values, "right") - 1.0)


def tier_agreement(
    cluster: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    both_ways: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> TierAgreement:
    """Agreement of pairs of final scores on their tier.

    Args:
        cluster: whole number of each pair's cluster, (n,).
        first: a score of each pair, (n,); pairs with nan are left out.
        second: the other one.
        both_ways: whether each pair is entered as (b, a) too, since neither rater is the truth of the other; n and the
            shares count it once.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: shapes differ, or a score lies outside of 0 to 100.
    """
    one, other, numbers = tier_places(first), tier_places(second), np.asarray(cluster, np.intp)
    if not one.shape == other.shape == numbers.shape or one.ndim != 1:
        raise ValueError(f"each pair has two scores and a cluster, not {one.shape}, {other.shape} and {numbers.shape}")
    known = ~np.isnan(one + other)
    one, other = one[known], other[known]
    places = np.arange(len(TIERS))
    table = (one[:, None] == places).astype(np.intp).T @ (other[:, None] == places).astype(np.intp)
    if both_ways:
        table = table + table.T
    clusters, place = np.unique(numbers[known], return_inverse=True)
    apart = np.abs(one - other)
    sums = cluster_sums(place, np.column_stack([np.ones(len(one)), apart == 0, apart <= 1]), len(clusters))
    same, near = cluster_intervals(sums, _shares, n=len(one), bounds=(0.0, 1.0), seed=seed, resamples=resamples)
    labels = tuple(tier.label for tier in TIERS)
    return TierAgreement(labels, tuple(map(tuple, table.tolist())), same, near)


def _shares(sums: Floats) -> Floats:
    pairs, same, near = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([same / pairs, near / pairs])
