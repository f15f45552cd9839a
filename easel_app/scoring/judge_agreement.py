"""How far a judge agrees with the people who review it, and these with each other: from arrays of verdicts.

A *row* is one rubric item of one answer with what was said of it: by the judge, by each reviewer before the judge's
verdict was shown, and by their consensus. Every number comes with an interval by resampling tasks with all their rows
(`uncertainty.cluster_intervals`), all from one draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import ArrayLike

from easel_app.scoring.agreement import item_sums
from easel_app.scoring.comparisons import Comparison, People, Table, compare
from easel_app.scoring.uncertainty import RESAMPLES, cluster_sums, wilson_ends
from easel_app.scoring.verdicts import (
    CANNOT_ASSESS,
    MET,
    NO_VERDICT,
    NOT_MET,
    Codes,
    Floats,
    codes,
    indices,
    masks,
    positive,
    table_cells,
)

VOTES = (MET, NOT_MET, NO_VERDICT, CANNOT_ASSESS)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much there is to say anything from."""

    rows: int
    judged: int
    """Rows with a verdict of the judge."""
    voted: int
    """Rows with a vote of Met or Not Met."""
    compared: int
    """Rows with both."""
    agreed: int
    """Rows with a consensus."""
    votes: int
    """Votes of Met or Not Met."""
    cannot_assess: int
    """Votes that say so."""
    judged_share: float | None
    """Of all rows; None where there are none."""
    voted_share: float | None


@dataclass(frozen=True, slots=True)
class Slice:
    """All that is said of some of the rows."""

    coverage: Coverage
    judge_person: Comparison
    """The judge's verdict with each vote, pooled. Its macro F1 is that of HealthBench's meta-evaluation, which holds
    its judge against each physician so (Arora et al. 2025; openai/simple-evals)."""
    judge_person_weighted: Comparison | None
    """The same with each row weighted by its sampling weight, so that it speaks of the rows that were sampled from;
    None where all compared rows weigh the same."""
    person_person: Comparison
    """The ceiling of `judge_person`: each two votes on a row, entered both ways, since neither of two people is the
    truth of the other. Hence the table is symmetric, and as its margins are equal Cohen's kappa is Scott's pi here. A
    row with more votes weighs more, as in HealthBench; n counts each two votes once."""
    people: People
    """The same with each row weighing alike, for two and more votes each."""


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two reviewers, by their columns among the votes; the rows of the table are the first one's."""

    first: int
    second: int
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """The whole panel; `dataclasses.asdict` makes it ready for JSON."""

    overall: Slice
    groups: dict[str, dict[str, Slice]]
    """By grouping and label."""
    judge_consensus: Comparison
    """The rows of the table are the consensus."""
    judge_reviewer: tuple[Comparison, ...]
    """For each reviewer, in the order of the votes' columns."""
    reviewer_pairs: tuple[ReviewerPair, ...]
    """Those that have voted on a row in common."""


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How often people differ from the judge on one criterion."""

    criterion: int
    votes: int
    differing: int
    surely: float
    """Lower end of Wilson's interval of the share that differs: criteria with few votes and with many compare by it."""


def judge_agreement(
    task: ArrayLike,
    judge: ArrayLike,
    votes: ArrayLike,
    *,
    consensus: ArrayLike | None = None,
    sampling_weight: ArrayLike | None = None,
    groupings: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> JudgeAgreement:
    """Agreement of a judge with reviewers and of these with each other, overall and by groups.

    Args:
        task: whole number of each row's task, (n,). Tasks that nobody voted on are not resampled.
        judge: verdicts of the judge, (n,): 1 Met, 0 Not Met, -1 none.
        votes: blind votes, (n, reviewers): 1 Met, 0 Not Met, -1 none, -2 cannot assess.
        consensus: what people settled on, (n,), coded as the judge's verdicts; else none.
        sampling_weight: 1 / probability that a row was chosen for review, above 0, (n,); else all alike.
        groupings: masks bool (n,) by grouping and label; a row may be in several, or in none.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: shapes do not fit, a code is none of these, or a weight is not finite and above 0.
    """
    cast = np.asarray(votes)
    if cast.ndim != 2:
        raise ValueError(f"votes must be of shape (rows, reviewers), not {cast.shape}")
    size = len(cast)
    tasks, cast = indices(task, size, "tasks"), codes(cast, cast.shape, "votes", VOTES)
    judged = codes(judge, (size,), "verdicts of the judge")
    agreed = codes(np.full(size, NO_VERDICT) if consensus is None else consensus, (size,), "the consensus")
    weight, named = positive(sampling_weight, size, "sampling weights"), masks(groupings, size)
    everything = [np.ones(size, np.bool_), *(mask for labels in named.values() for mask in labels.values())]

    used = (cast >= NOT_MET).any(1) | (agreed >= NOT_MET)
    known, cluster = np.unique(tasks[used], return_inverse=True)
    columns = _columns(judged[used], cast[used], weight[used])
    parts = [cluster_sums(cluster[mask[used]], columns[mask[used]], len(known)) for mask in everything]

    def table(first: Codes, second: Codes) -> Table:
        return Table(cluster_sums(cluster, table_cells(first[used], second[used]), len(known)))

    reviewers = [table(votes, judged) for votes in cast.T]
    pairs = [(i, j, table(cast[:, i], cast[:, j])) for i, j in combinations(range(cast.shape[1]), 2)]
    pairs = [pair for pair in pairs if pair[2].counts.any()]
    by_slice = [_slice_tables(part) for part in parts]
    tables = [*chain(*by_slice), table(agreed, judged), *reviewers, *(each for *_, each in pairs)]
    found, among = compare(tables, [part[:, ITEMS] for part in parts], seed=seed, resamples=resamples)
    compared, people = iter(found), iter(among)
    slices = iter(
        [
            Slice(
                _coverage(judged[mask], cast[mask], agreed[mask]),
                judge_person=next(compared),
                person_person=next(compared),
                judge_person_weighted=next(compared) if len(own) > 2 else None,
                people=next(people),
            )
            for mask, own in zip(everything, by_slice, strict=True)
        ]
    )
    return JudgeAgreement(
        overall=next(slices),
        groups={name: {label: next(slices) for label in labels} for name, labels in named.items()},
        judge_consensus=next(compared),
        judge_reviewer=tuple(next(compared) for _ in reviewers),
        reviewer_pairs=tuple(ReviewerPair(i, j, next(compared)) for i, j, _ in pairs),
    )


def worst_criteria(criterion: ArrayLike, judge: ArrayLike, votes: ArrayLike) -> list[CriterionAgreement]:
    """Criteria on which a vote differs from the judge's verdict, the surest ones first.

    Args:
        criterion: whole number of each row's criterion, (n,): one rubric item, whichever answer it is asked of.
        judge: verdicts of the judge, (n,): 1 Met, 0 Not Met, -1 none.
        votes: blind votes, (n, reviewers): 1 Met, 0 Not Met, -1 none, -2 cannot assess.

    Raises:
        ValueError: shapes do not fit, or a code is none of these.
    """
    cast = codes(votes, np.shape(votes), "votes", VOTES)
    judged = codes(judge, cast.shape[:1], "verdicts of the judge")
    known, place = np.unique(indices(criterion, len(judged), "criteria"), return_inverse=True)
    both = (cast >= NOT_MET) & (judged >= NOT_MET)[:, None]
    counts = np.column_stack([both.sum(1), (both & (cast != judged[:, None])).sum(1)])
    said, differing = cluster_sums(place, counts, len(known)).astype(np.intp).T
    surely = wilson_ends(differing, said)[:, 0]
    order = [k for k in np.lexsort([known, -said, -surely]) if differing[k]]
    return [CriterionAgreement(int(known[k]), int(said[k]), int(differing[k]), float(surely[k])) for k in order]


COUNTS, BOTH_WAYS, ITEMS, WEIGHTED = slice(0, 4), slice(4, 8), slice(8, 18), slice(18, 22)
"""Columns of what a row adds to the sums of a slice."""


def _columns(judged: Codes, cast: Codes, weight: Floats) -> Floats:
    """What each row adds to the sums of a slice, float64 (rows, 18), or 22 where the rows weigh differently."""
    met, not_met = (cast == MET).sum(1), (cast == NOT_MET).sum(1)
    yes, no = judged == MET, judged == NOT_MET
    counts = np.column_stack([met * yes, met * no, not_met * yes, not_met * no])
    two = np.column_stack([met * (met - 1), met * not_met, met * not_met, not_met * (not_met - 1)])
    sums = [counts, two, item_sums(np.column_stack([not_met, met]))]
    own = weight[counts.any(1)]
    if len(own) and own.min() < own.max():
        sums.append(counts * (weight / np.average(weight, weights=counts.sum(1)))[:, None])
    return np.concatenate(sums, axis=1, dtype=np.float64)


def _slice_tables(part: Floats) -> list[Table]:
    """The tables of a slice: judge and person, two people, and judge and person weighted, if rows are."""
    # halved, so that statistics that know of n count each two votes once
    tables = [Table(part[:, COUNTS]), Table(part[:, BOTH_WAYS], part[:, BOTH_WAYS] / 2, both_ways=True)]
    return [*tables, Table(part[:, COUNTS], part[:, WEIGHTED])] if part.shape[1] > WEIGHTED.start else tables


def _coverage(judged: Codes, cast: Codes, agreed: Codes) -> Coverage:
    rows, votes = len(judged), cast >= NOT_MET
    has_vote, has_verdict = votes.any(1), judged >= NOT_MET
    judged_rows, voted_rows = int(has_verdict.sum()), int(has_vote.sum())
    return Coverage(
        rows=rows,
        judged=judged_rows,
        voted=voted_rows,
        compared=int((has_vote & has_verdict).sum()),
        agreed=int((agreed >= NOT_MET).sum()),
        votes=int(votes.sum()),
        cannot_assess=int((cast == CANNOT_ASSESS).sum()),
        judged_share=judged_rows / rows if rows else None,
        voted_share=voted_rows / rows if rows else None,
    )
