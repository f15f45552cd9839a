"""How far two lists of places agree, such as where a judge and a person miss a picture: ``gap_pairing/1``.

Two places may be paired if they are at most a tolerance apart, each with one at most; as many as can be are. With a
tolerance of 0 this is the overlap of two lists; with 1 a gap that one finds before and the other behind a paragraph
still counts as found by both. The two are to be shown apart, for a tolerance makes it easier to agree.

Precision is the share of the judge's places that are paired, recall that of the person's, F1 twice the pairs over all
places. All are of pooled counts, with 95 % intervals by resampling clusters such as queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.scoring.uncertainty import RESAMPLES, Estimate, cluster_intervals, cluster_sums

VERSION = "gap_pairing/1"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairing:
    """How often two raters miss a picture at the same place, over plans; None where not defined."""

    tolerance: int
    """Blocks that two places may be apart."""
    comparisons: int
    """Pairs of lists: one of each rater on the same plan."""
    clusters: int
    """Queries that have one."""
    paired: int
    first_only: int
    """The judge's places that are left over."""
    second_only: int
    """The person's."""
    precision: Estimate
    """Of the judge's places, those paired; its n is the judge's places."""
    recall: Estimate
    """Of the person's places, those paired; its n is the person's places."""
    f1: Estimate
    """Its n is all places of both."""


def paired_places(first: Sequence[int], second: Sequence[int], tolerance: int = 0) -> int:
    """The most pairs of places at most so far apart that can be made, none of them used twice.

    Taken from the left, each with the nearest that is free on the left, no choice can spoil a later one.

    Raises:
        ValueError: the tolerance is below 0.

    Example:
        >>> paired_places([1, 4, 4], [2, 4], 0), paired_places([1, 4, 4], [2, 4], 1)
        (1, 2)
    """
    if tolerance < 0:
        raise ValueError(f"a tolerance is 0 or more, not {tolerance}")
    one, other = sorted(first), sorted(second)
    pairs = i = j = 0
    while i < len(one) and j < len(other):
        if abs(one[i] - other[j]) <= tolerance:
            pairs, i, j = pairs + 1, i + 1, j + 1
        elif one[i] < other[j]:
            i += 1
        else:
            j += 1
    return pairs


def pairing(
    cluster: ArrayLike,
    lists: Sequence[tuple[Sequence[int], Sequence[int]]],
    tolerance: int = 0,
    *,
    both_ways: bool = False,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Pairing:
    """The agreement of two raters on places.

    Args:
        cluster: whole number of the cluster of each comparison, such as its query, (n,).
        lists: for each comparison the places of the judge and of the person.
        tolerance: how far apart two places may be.
        both_ways: whether each comparison is entered the other way round too, since neither of two people is the truth
            of the other; precision, recall and F1 are then one number, and n counts each comparison once.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: there are more clusters or fewer than comparisons, or the tolerance is below 0.
    """
    numbers = np.asarray(cluster, np.intp)
    if numbers.shape != (len(lists),):
        raise ValueError(f"{len(lists)} comparisons need a cluster each, not {numbers.shape}")
    counts = np.array(
        [(paired_places(one, other, tolerance), len(one), len(other)) for one, other in lists], np.float64
    ).reshape(-1, 3)
    known, place = np.unique(numbers, return_inverse=True)
    pairs, judged, missed = (int(total) for total in counts.sum(0))
    if both_ways:
        counts[:, 1:] = counts[:, 1:].mean(1, keepdims=True)
    sums = cluster_sums(place, counts, len(known))
    precision, recall, f1 = cluster_intervals(
        sums,
        _ratios,
        n=[judged + missed] * 3 if both_ways else [judged, missed, judged + missed],
        clusters=np.count_nonzero(np.column_stack([sums[:, 1], sums[:, 2], sums[:, 1] + sums[:, 2]]), axis=0),
        bounds=(0.0, 1.0),
        seed=seed,
        resamples=resamples,
    )
    return Pairing(
        tolerance=tolerance,
        comparisons=len(lists),
        clusters=len(known),
        paired=pairs,
        first_only=judged - pairs,
        second_only=missed - pairs,
        precision=precision,
        recall=recall,
        f1=f1,
    )


def _ratios(sums: Floats) -> Floats:
    pairs, judged, missed = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([pairs / judged, pairs / missed, 2 * pairs / (judged + missed)])
