"""How far two sets overlap: precision, recall and F1, of a plan's tools or of the images that it cites: ``overlap/1``.

ATP-Bench (arXiv 2603.29902) states the sets and leaves the averaging open. Here it is the mean over plans, with the
counts pooled (micro) beside it. F1 is taken plan by plan, or from pooled counts, and never from mean precision and
recall. Conventions for what is empty: both sets 1, 1, 1; the predicted one alone 0, 0, 0; the reference alone 0,
undefined, 0. A recall that is undefined stays out of the mean and is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERSION = "overlap/1"
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SetScore:
    """How a predicted set stands to its reference, each within [0, 1]; None where not defined."""

    precision: float | None
    recall: float | None
    """None where the reference is empty and the prediction is not."""
    f1: float | None


@dataclass(frozen=True, slots=True)
class SetScores:
    """The same over many pairs of sets; None where there are none."""

    mean: SetScore
    """Means over the pairs, of recall over those that have one."""
    micro: SetScore
    """Of the pooled counts."""
    n: int
    """Pairs."""
    recall_undefined: int
    """Pairs without a recall."""


def set_score(predicted: Collection[Hashable], reference: Collection[Hashable]) -> SetScore:
    """Precision, recall and F1 of one set; repeats and order do not count.

    Example:
        >>> set_score(["reference", "search", "search"], ["search", "edit", "code"])
        SetScore(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    return score_of(scores_of_counts(*set_counts(predicted, reference)))


def set_scores(pairs: Sequence[tuple[Collection[Hashable], Collection[Hashable]]]) -> SetScores:
    """The same over pairs of a predicted set and its reference."""
    counts = np.array([set_counts(*pair) for pair in pairs], np.float64).reshape(-1, 3)
    each = scores_of_counts(*counts.T)
    defined = np.count_nonzero(~np.isnan(each), axis=0)
    with np.errstate(invalid="ignore"):
        means = np.nansum(each, axis=0) / defined
    pooled = scores_of_counts(*counts.sum(axis=0)) if pairs else np.full(3, np.nan)
    return SetScores(score_of(means), score_of(pooled), len(pairs), len(pairs) - int(defined[1]))


def set_counts(predicted: Collection[Hashable], reference: Collection[Hashable]) -> tuple[int, int, int]:
    """How many are in both sets, in the predicted one, and in the reference.

    Raises:
        ValueError: either is one text instead of a collection of members.
    """
    if isinstance(predicted, str) or isinstance(reference, str):
        raise ValueError("sets are given as collections of their members, not as one text")
    said, wanted = set(predicted), set(reference)
    return len(said & wanted), len(said), len(wanted)


def scores_of_counts(both: ArrayLike, predicted: ArrayLike, reference: ArrayLike) -> Floats:
    """Precision, recall and F1 of counts, (…) each to float64 (…, 3); nan where not defined."""
    hits, said, wanted = (np.asarray(count, np.float64) for count in (both, predicted, reference))
    agreed = np.where(said + wanted == 0, 1.0, 0.0)  # that nothing is needed, which is right
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(said > 0, hits / said, agreed)
        recall = np.where(wanted > 0, hits / wanted, np.where(said > 0, np.nan, agreed))
        f1 = np.where(said + wanted > 0, 2 * hits / (said + wanted), agreed)
    return np.stack([precision, recall, f1], axis=-1)


def score_of(values: Floats) -> SetScore:
    """Float (3,), nan where not defined, as a score."""
    return SetScore(*(None if np.isnan(value) else float(value) for value in values))
