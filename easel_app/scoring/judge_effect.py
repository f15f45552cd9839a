"""What a judge's mistakes do to the published numbers, ARS and APR: by judge, by consensus, and corrected.

An answer's score is the share of its weight that is Met, and it passes unless a critical item is Not Met; ARS and APR
are plain means over answers that have a verdict on every item (Beyond Seeing, arXiv 2510.12712). All is resampled by
tasks, the reviewed and the other answers together, so that an interval holds the doubt of both.

A judged rate is corrected by Rogan and Gladen's formula with the judge's sensitivity and specificity against the
consensus of the same answers.

- ARS: each reviewed item counts by its share in its answer's score and by its sampling weight. The mean score by the
  judge is then exactly sensitivity · ARS + (1 - specificity)(1 - ARS), whatever items the judge errs on; were they
  taken by number, this would hold only if errors did not depend on the weight. Where every item is reviewed, the
  corrected ARS is the ARS by consensus.
- APR: sensitivity and specificity are of passing, on the answers whose every item is reviewed. It holds as far as the
  judge errs on these as on the others that people would pass, or fail; where items were drawn for review with unequal
  chances it does not, and there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from easel_app.scoring.agreement import corrected_rates, table_statistics
from easel_app.scoring.uncertainty import RESAMPLES, Estimate, cluster_intervals, cluster_sums
from easel_app.scoring.verdicts import (
    MET,
    NO_VERDICT,
    NOT_MET,
    Floats,
    Mask,
    codes,
    indices,
    masks,
    positive,
    table_cells,
)

UNEVEN = "Items were drawn with unequal chances, so wholly reviewed answers do not stand for the others."
ROUNDING = 1e-9
"""How far a corrected rate may leave [0, 1] without being told as clipped."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A rate by judge and by consensus on the same answers, those whose every item has both."""

    judge: Estimate
    consensus: Estimate
    difference: Estimate
    """Judge less consensus: above 0 where the judge is too kind."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A rate by the judge on all answers, without the judge's mistakes as the reviewed ones show them."""

    rate: Estimate
    """Within [0, 1]; its n is answers."""
    clipped: bool
    """Whether the formula left [0, 1] and was brought back."""
    reason: str | None
    """Why there is no rate, if there is none."""
    sensitivity: Estimate
    """Used for it; n is reviewed items, or answers, that are Met, or pass, by consensus."""
    specificity: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """ARS and APR of some answers."""

    answers: int
    """With an item."""
    judged: int
    """Of these with a verdict of the judge on every item."""
    reviewed: int
    """Of these with a consensus on every item too."""
    ars: Estimate
    """By judge, on all judged answers."""
    apr: Estimate
    ars_paired: Paired
    """On the reviewed ones."""
    apr_paired: Paired
    only_judge_passes: tuple[int, ...]
    """Reviewed answers that pass by judge and not by consensus, by their numbers."""
    only_consensus_passes: tuple[int, ...]
    ars_corrected: Correction
    apr_corrected: Correction


@dataclass(frozen=True, slots=True)
class JudgeEffect:
    """The effect on all answers and on groups of them; `dataclasses.asdict` makes it ready for JSON."""

    overall: Effect
    groups: dict[str, dict[str, Effect]]
    """By grouping and label, such as the model: each corrected by what is reviewed of its own answers."""


class Scores(NamedTuple):
    """What one source of verdicts makes of each answer."""

    complete: Mask
    """Whether the answer has an item, and a verdict on every one, bool (answers,)."""
    score: Floats
    """Share of the weight that is Met, float64 (answers,); nan where not complete."""
    passed: Mask
    """Whether it is complete and no critical item is Not Met, bool (answers,)."""


def answer_scores(
    answer: ArrayLike, weight: ArrayLike, critical: ArrayLike, verdict: ArrayLike, answers: int
) -> Scores:
    """Scores of many answers at once.

    Args:
        answer: number of each row's answer, 0 to answers - 1, (n,).
        weight: of each row's item, above 0, (n,).
        critical: bool (n,), whether it is critical.
        verdict: codes (n,): 1 Met, 0 Not Met, -1 none.
        answers: how many there are.

    Raises:
        ValueError: shapes do not fit, or a value is none of these.
    """
    said = codes(verdict, np.shape(verdict), "verdicts")
    size = said.size
    own, must = indices(answer, size, "answers", answers), masks({"": {"critical": critical}}, size)[""]["critical"]
    worth = positive(weight, size, "weights")
    columns = np.column_stack([worth, worth * (said == MET), said == NO_VERDICT, must & (said == NOT_MET)])
    whole, met, open_items, failures = cluster_sums(own, columns, answers).T
    complete = (whole > 0) & (open_items == 0)
    score = np.divide(met, whole, out=np.full(answers, np.nan), where=complete)
    return Scores(complete, score, complete & (failures == 0))


def judge_effect(
    task: ArrayLike,
    answer: ArrayLike,
    weight: ArrayLike,
    critical: ArrayLike,
    judge: ArrayLike,
    consensus: ArrayLike,
    *,
    sampling_weight: ArrayLike | None = None,
    groupings: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> JudgeEffect:
    """ARS and APR by judge, by consensus and corrected, overall and by groups of answers.

    A row is one rubric item of one answer; rows of all answers are given, whether or not they are reviewed.

    Args:
        task: whole number of each answer's task, (answers,).
        answer: number of each row's answer, 0 to answers - 1, (n,).
        weight: of each row's item, above 0, (n,).
        critical: bool (n,), whether the item is critical: by its weight or by the data set's flag.
        judge: verdicts of the judge, (n,): 1 Met, 0 Not Met, -1 none.
        consensus: what people settled on, (n,), coded the same.
        sampling_weight: 1 / probability that a row was chosen for review, above 0, (n,); else all alike.
        groupings: masks bool (answers,) by grouping and label; an answer may be in several, or in none.
        seed: of the resampling.
        resamples: how many.

    Raises:
        ValueError: shapes do not fit, or a value is none of these.
    """
    answers, size = len(np.asarray(task)), len(np.asarray(answer))
    tasks, own = indices(task, answers, "tasks"), indices(answer, size, "answers", answers)
    said, agreed = codes(judge, (size,), "verdicts of the judge"), codes(consensus, (size,), "the consensus")
    named, sampling = masks(groupings, answers), positive(sampling_weight, size, "sampling weights")
    by_judge = answer_scores(own, weight, critical, said, answers)
    by_consensus = answer_scores(own, weight, critical, agreed, answers)

    worth = np.asarray(weight, np.float64)
    whole = cluster_sums(own, worth[:, None], answers)[:, 0]
    cells = table_cells(agreed, said)
    shares = cells * (sampling * worth / whole[own])[:, None]
    judged, reviewed = by_judge.complete, agreed != NO_VERDICT
    columns = np.column_stack(
        [_columns(by_judge, by_consensus), cluster_sums(own, shares, answers), cluster_sums(own, cells, answers)]
    )
    known, cluster = np.unique(tasks[judged], return_inverse=True)
    everything = [np.ones(answers, np.bool_), *(mask for labels in named.values() for mask in labels.values())]
    parts = [cluster_sums(cluster[mask[judged]], columns[mask & judged], len(known)) for mask in everything]
    effects = iter(
        [
            _effect(
                mask & (whole > 0), by_judge, by_consensus, part, found, uneven=_vary(sampling[reviewed & mask[own]])
            )
            for mask, part, found in zip(everything, parts, _estimates(parts, seed, resamples), strict=True)
        ]
    )
    return JudgeEffect(
        overall=next(effects),
        groups={name: {label: next(effects) for label in labels} for name, labels in named.items()},
    )


JUDGED, PASSES, SHARES, ITEMS = slice(0, 1), slice(5, 9), slice(9, 13), slice(13, 17)
"""Columns of sums over answers; between them by judge score and pass, and on reviewed answers both scores."""
RESAMPLED = ITEMS.start
"""Columns that the rates are of."""


class _Rate(NamedTuple):
    over: slice
    """Columns that sum to its n."""
    doubt: slice
    """Columns that are 0 for a task that says nothing of it."""
    bounds: tuple[float, float] = (0.0, 1.0)


RATES = {
    "ars": _Rate(JUDGED, JUDGED),
    "apr": _Rate(JUDGED, JUDGED),
    "ars_judge": _Rate(PASSES, PASSES),
    "ars_consensus": _Rate(PASSES, PASSES),
    "ars_difference": _Rate(PASSES, PASSES, (-1.0, 1.0)),
    "apr_judge": _Rate(PASSES, PASSES),
    "apr_consensus": _Rate(PASSES, PASSES),
    "apr_difference": _Rate(PASSES, PASSES, (-1.0, 1.0)),
    "ars_sensitivity": _Rate(slice(13, 15), slice(13, 15)),
    "ars_specificity": _Rate(slice(15, 17), slice(15, 17)),
    "ars_corrected": _Rate(JUDGED, ITEMS),
    "apr_sensitivity": _Rate(slice(5, 7), slice(5, 7)),
    "apr_specificity": _Rate(slice(7, 9), slice(7, 9)),
    "apr_corrected": _Rate(JUDGED, PASSES),
}


def _columns(by_judge: Scores, by_consensus: Scores) -> Floats:
    """What each answer adds to the first nine sums, float64 (answers, 9)."""
    judged, both = by_judge.complete, by_judge.complete & by_consensus.complete
    mine, theirs = (np.where(both, each.passed, NO_VERDICT).astype(np.int8) for each in (by_judge, by_consensus))
    scores = [(judged, by_judge.score), (judged, by_judge.passed), (both, by_judge.score), (both, by_consensus.score)]
    return np.column_stack([judged, *(np.where(of, score, 0) for of, score in scores), table_cells(theirs, mine)])


def _rates(sums: Floats) -> dict[str, Floats]:
    """The rates of `RATES` from sums over answers (…, 13), float64 (…) each: not clipped, nan where not defined."""
    judged, score, passed, mine, theirs, both, only_consensus, only_judge, _ = (sums[..., k] for k in range(9))
    passes, items = (sums[..., place].reshape(*sums.shape[:-1], 2, 2) for place in (PASSES, SHARES))
    of_passes, of_items, reviewed = table_statistics(passes), table_statistics(items), passes.sum((-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = {
            "ars": score / judged,
            "apr": passed / judged,
            "ars_judge": mine / reviewed,
            "ars_consensus": theirs / reviewed,
            "ars_difference": (mine - theirs) / reviewed,
            "apr_judge": (both + only_judge) / reviewed,
            "apr_consensus": (both + only_consensus) / reviewed,
            "apr_difference": (only_judge - only_consensus) / reviewed,
        }
    for name, of in (("ars", of_items), ("apr", of_passes)):
        errors = {"sensitivity": of["sensitivity"], "specificity": of["specificity"]}
        rates |= {f"{name}_{each}": values for each, values in errors.items()}
        rates[f"{name}_corrected"] = corrected_rates(rates[name], **errors)
    return rates


def _estimates(parts: Sequence[Floats], seed: int, resamples: int) -> list[dict[str, Estimate]]:
    """The rates of each part, float64 (tasks, 17)."""
    together = np.stack(parts, axis=1)  # (tasks, parts, 17)
    size, many, _ = together.shape

    def statistic(sums: Floats) -> Floats:
        rates = _rates(sums.reshape(-1, many, RESAMPLED))
        return np.concatenate([np.clip(rates[name], *rate.bounds).T for name, rate in RATES.items()]).T

    found = iter(
        cluster_intervals(
            together[..., :RESAMPLED].reshape(size, many * RESAMPLED),
            statistic,
            n=np.concatenate([together[..., rate.over].sum((0, 2)) for rate in RATES.values()]),
            clusters=np.concatenate(
                [np.count_nonzero(together[..., rate.doubt].any(-1), axis=0) for rate in RATES.values()]
            ),
            bounds=np.repeat([rate.bounds for rate in RATES.values()], many, axis=0),
            seed=seed,
            resamples=resamples,
        )
    )
    by_rate = {name: [next(found) for _ in parts] for name in RATES}
    return [{name: each[k] for name, each in by_rate.items()} for k in range(many)]


def _vary(weights: Floats) -> bool:
    """Whether some rows were likelier to be drawn than others."""
    return len(weights) > 0 and bool(weights.min() < weights.max())


def _effect(
    mask: Mask, by_judge: Scores, by_consensus: Scores, part: Floats, found: dict[str, Estimate], *, uneven: bool
) -> Effect:
    """What is told of the answers of a mask, bool (answers,), by their sums over tasks and the rates of these.

    `uneven` says that their items were drawn for review with unequal chances.
    """
    judged = mask & by_judge.complete
    both = judged & by_consensus.complete
    exact = _rates(part[:, :RESAMPLED].sum(0))

    def paired(name: str) -> Paired:
        return Paired(*(found[f"{name}_{each}"] for each in ("judge", "consensus", "difference")))

    def corrected(name: str) -> Correction:
        rate, told = found[f"{name}_corrected"], [found[f"{name}_{each}"] for each in ("sensitivity", "specificity")]
        raw = float(exact[f"{name}_corrected"])
        if uneven and name == "apr":
            return Correction(Estimate(None, None, None, rate.n, 0), False, UNEVEN, *told)
        return Correction(
            rate,
            clipped=raw < -ROUNDING or raw > 1 + ROUNDING,
            reason=None if rate.value is not None else _why(name, bool(judged.any()), *told),
            sensitivity=told[0],
            specificity=told[1],
        )

    return Effect(
        answers=int(mask.sum()),
        judged=int(judged.sum()),
        reviewed=int(both.sum()),
        ars=found["ars"],
        apr=found["apr"],
        ars_paired=paired("ars"),
        apr_paired=paired("apr"),
        only_judge_passes=_numbers(both & by_judge.passed & ~by_consensus.passed),
        only_consensus_passes=_numbers(both & ~by_judge.passed & by_consensus.passed),
        ars_corrected=corrected("ars"),
        apr_corrected=corrected("apr"),
    )


def _why(name: str, judged: bool, sensitivity: Estimate, specificity: Estimate) -> str:
    """Why a rate cannot be corrected."""
    what, good, bad = ("item", "Met", "Not Met") if name == "ars" else ("fully reviewed answer", "a pass", "a fail")
    if not judged:
        return "No answer has a verdict of the judge on every item."
    for said, missing in ((sensitivity, good), (specificity, bad)):
        if said.value is None:
            return f"No {what} is {missing} by consensus, so how often the judge says so too is not known."
    return "Sensitivity and specificity add up to 1 or less: the judge's verdicts tell nothing of the people's."


def _numbers(mask: Mask) -> tuple[int, ...]:
    return tuple(np.nonzero(mask)[0].tolist())
