"""How far a judge's numbers agree with people's, and theirs with each other: ``number_agreement/1``.

For numbers that one judge and any number of people give to the same things, such as final scores of plans or counts of
gaps. Rank correlation says whether they order things alike, the mean difference whether one is kinder, and the mean
absolute difference how far apart they are on one thing. None stands for another: a judge that says 20 more throughout
orders everything alike.

The judge is held against the mean of the people on each thing in the correlation, so that each thing counts once; in
the differences against each person. Those of two people, entered both ways, are the ceiling. Intervals are by
resampling clusters, such as queries, those of correlations by Fisher's z (`rank_correlation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.scoring.rank_correlation import RankCorrelation, rank_correlation
from easel_app.scoring.uncertainty import RESAMPLES, Estimate, cluster_intervals, cluster_sums
from easel_app.scoring.verdicts import indices

VERSION = "number_agreement/1"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairOfNumbers:
    """Two raters, by the columns of people; None stands for the judge."""

    first: int | None
    second: int
    ranks: RankCorrelation
    difference: float | None
    """Mean of the first one's less the second one's."""
    absolute_difference: float | None
    n: int
    """Things with a number of both."""


@dataclass(frozen=True, slots=True)
class NumberAgreement:
    """What can be said of numbers of a judge and of people; `dataclasses.asdict` makes it ready for JSON."""

    ranks: RankCorrelation
    """The judge with the mean of people."""
    difference: Estimate
    """Mean of the judge's less a person's; its n is numbers of people beside one of the judge."""
    absolute_difference: Estimate
    """Mean distance of the judge from a person."""
    people_absolute_difference: Estimate
    """The same of two people; its n is pairs of them."""
    things: int
    """That have a number of the judge and of a person."""
    judge_reviewer: tuple[PairOfNumbers, ...]
    """The judge with each person, in the order of the columns."""
    reviewer_pairs: tuple[PairOfNumbers, ...]
    """Those who have numbers of the same things."""


def number_agreement(
    cluster: ArrayLike, judge: ArrayLike, people: ArrayLike, *, seed: int = 0, resamples: int = RESAMPLES
) -> NumberAgreement:
    """Agreement of a judge's numbers with people's.

    Args:
        cluster: whole number of each thing's cluster, (n,).
        judge: float (n,), nan where it says nothing.
        people: float (n, reviewers), nan where one says nothing.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: shapes do not fit, or a number is infinite.
    """
    said = np.asarray(people, np.float64)
    if said.ndim != 2:
        raise ValueError(f"people's numbers must be of shape (things, reviewers), not {said.shape}")
    judged, clusters = np.asarray(judge, np.float64), indices(cluster, len(said), "clusters")
    if judged.shape != (len(said),) or np.isinf(judged).any() or np.isinf(said).any():
        raise ValueError(f"numbers must be finite or missing, one of the judge for each of {len(said)} things")
    known, place = np.unique(clusters, return_inverse=True)
    beside = ~np.isnan(said) & ~np.isnan(judged)[:, None]
    gap = np.where(beside, judged[:, None] - np.nan_to_num(said), 0)
    apart, pairs = _among(said)
    sums = cluster_sums(
        place, np.column_stack([beside.sum(1), gap.sum(1), np.abs(gap).sum(1), pairs, apart]), len(known)
    )
    compared, paired = int(beside.sum()), int(pairs.sum())
    difference, distance, among = cluster_intervals(
        sums,
        _means,
        n=[compared, compared, paired],
        clusters=np.count_nonzero(sums[:, [0, 0, 3]], axis=0),
        seed=seed,
        resamples=resamples,
    )
    columns = range(said.shape[1])
    each = [_pair(None, k, judged, said[:, k]) for k in columns]
    both = [_pair(i, j, said[:, i], said[:, j]) for i, j in combinations(columns, 2)]
    return NumberAgreement(
        ranks=rank_correlation(_listed(judged), _listed(mean_of(said))),
        difference=difference,
        absolute_difference=distance,
        people_absolute_difference=among,
        things=int(beside.any(1).sum()),
        judge_reviewer=tuple(each),
        reviewer_pairs=tuple(pair for pair in both if pair.n),
    )


def mean_of(people: Floats) -> Floats:
    """Mean of what people say of each thing, float (n, reviewers) to (n,); nan where nobody says anything."""
    known = ~np.isnan(people)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.where(known, people, 0).sum(1) / known.sum(1)
    return mean


def _among(said: Floats) -> tuple[Floats, Floats]:
    """Of each thing the sum of the distances of each two people, and how many two there are, (n,) each."""
    apart, pairs = np.zeros(len(said)), np.zeros(len(said))
    for i, j in combinations(range(said.shape[1]), 2):
        distance = np.abs(said[:, i] - said[:, j])
        both = ~np.isnan(distance)
        apart, pairs = apart + np.where(both, distance, 0), pairs + both
    return apart, pairs


def _means(sums: Floats) -> Floats:
    compared, gap, distance, pairs, apart = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([gap / compared, distance / compared, apart / pairs])


def _pair(first: int | None, second: int, one: Floats, other: Floats) -> PairOfNumbers:
    gap = (one - other)[~np.isnan(one - other)]
    return PairOfNumbers(
        first=first,
        second=second,
        ranks=rank_correlation(_listed(one), _listed(other)),
        difference=float(gap.mean()) if len(gap) else None,
        absolute_difference=float(np.abs(gap).mean()) if len(gap) else None,
        n=len(gap),
    )


def _listed(values: Floats) -> Sequence[float]:
    listed: list[float] = values.tolist()
    return listed
