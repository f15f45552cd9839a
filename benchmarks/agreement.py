"""What the agreement panel costs, and how often its intervals hold the truth. Run: python -m benchmarks.agreement.

The panel is of made-up verdicts: 8,000 rows (an item of an answer) of three reviewers over 1,204 tasks and three
models, in 23 groups. The plain way beside it takes some resamples one by one: the rows of the tasks drawn, then the
same statistics of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.agreement import TABLE_BOUNDS, table_statistics
from easel_app.scoring.judge_agreement import judge_agreement
from easel_app.scoring.judge_effect import judge_effect
from easel_app.scoring.uncertainty import LEVEL, RESAMPLES, cluster_intervals, wilson_ends

MOST_SECONDS = 2.0
"""Processor time that the whole panel may take."""
ROWS, TASKS, REVIEWERS, MODELS = 8_000, 1_204, 3, 3
ONE_BY_ONE = 10
"""Resamples taken the plain way."""
ITEMS = 8
"""Correlated items of each task whose intervals are held against the truth."""
LOWEST = {4: 0.0, 8: 0.85, 15: 0.88, 40: 0.92, 110: 0.92}
"""Coverage of agreement and kappa, and of the corrected ARS, that we promise by the number of tasks."""
MET_SHARE = 1 / 3
"""Of the items that the judge has as Met that are reviewed for correcting ARS; of the others all are."""
MEAN_SCORE = 3 / 5
"""The true ARS there, of all tasks that there might be."""
Floats = NDArray[np.float64]
Codes = NDArray[np.int8]


class Verdicts(NamedTuple):
    """Rows, and the answers that they are of."""

    answer: NDArray[np.intp]
    weight: NDArray[np.intp]
    judge: Codes
    votes: Codes
    consensus: Codes
    groupings: dict[str, dict[str, NDArray[np.bool_]]]
    task_of_answer: NDArray[np.intp]


def verdicts() -> Verdicts:
    """Made-up verdicts: a judge right in 88 of 100, reviewers in 92, who leave out some."""
    rng = np.random.default_rng(0)
    answers = np.repeat(np.arange(TASKS), MODELS)
    answer = np.sort(rng.integers(0, len(answers), ROWS))
    truth = rng.random(ROWS) < 0.65
    weight = rng.integers(1, 6, ROWS)

    def said(right: float, shape: tuple[int, ...]) -> Codes:
        told = truth.reshape(-1, *[1] * (len(shape) - 1))
        return np.where(rng.random(shape) < right, told, ~told).astype(np.int8)

    judge, votes = said(0.88, (ROWS,)), said(0.92, (ROWS, REVIEWERS))
    judge[rng.random(ROWS) < 0.01] = -1
    votes[rng.random(votes.shape) < 0.03] = -2
    votes[rng.random(votes.shape) < 0.10] = -1
    met, not_met = (votes == 1).sum(1), (votes == 0).sum(1)
    consensus = np.where(met + not_met == 0, -1, met >= not_met).astype(np.int8)

    def labelled(labels: NDArray[np.intp]) -> dict[str, NDArray[np.bool_]]:
        return {str(label): labels == label for label in np.unique(labels)}

    groupings = {
        "kind": labelled(rng.integers(0, 2, ROWS)),
        "category": {str(k): rng.random(ROWS) < 0.3 for k in range(5)},  # an item may be in several
        "weight": labelled(weight),
        "critical": labelled((weight >= 4).astype(np.intp)),
        "turn": labelled(np.minimum(rng.geometric(0.5, ROWS), 5)),
        "model": labelled(answer % MODELS),
    }
    return Verdicts(answer, weight, judge, votes, consensus, groupings, answers)


def panel(made: Verdicts, rows: NDArray[np.intp] | None = None, resamples: int = RESAMPLES) -> dict[str, Any]:
    """The whole panel of all rows, or of those that are chosen, each as often as it is."""
    chosen = np.arange(len(made.answer)) if rows is None else rows
    agreement = judge_agreement(
        made.task_of_answer[made.answer[chosen]],
        made.judge[chosen],
        made.votes[chosen],
        consensus=made.consensus[chosen],
        groupings={
            name: {label: mask[chosen] for label, mask in labels.items()} for name, labels in made.groupings.items()
        },
        resamples=resamples,
    )
    if rows is not None:
        return asdict(agreement)
    effect = judge_effect(
        made.task_of_answer,
        made.answer,
        made.weight,
        made.weight >= 4,
        made.judge,
        made.consensus,
        groupings={"model": {str(k): np.arange(len(made.task_of_answer)) % MODELS == k for k in range(MODELS)}},
        resamples=resamples,
    )
    return asdict(agreement) | asdict(effect)


def seconds(act: Callable[[], object], times: int) -> float:
    """Processor time, the median of some times."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        act()
        spent.append(time.process_time() - start)
    return float(np.median(spent))


def cost() -> bool:
    """Time the panel, and some resamples one by one."""
    made = verdicts()
    rng = np.random.default_rng(0)
    task = made.task_of_answer[made.answer]
    rows_of = np.split(np.argsort(task, kind="stable"), np.cumsum(np.bincount(task, minlength=TASKS))[:-1])

    def one_by_one() -> None:
        for _ in range(ONE_BY_ONE):
            drawn = rng.integers(0, TASKS, TASKS)
            panel(made, np.concatenate([rows_of[k] for k in drawn]), resamples=0)

    ours = seconds(lambda: panel(made), 5)
    plain = seconds(one_by_one, 3) / ONE_BY_ONE * RESAMPLES
    groups = sum(map(len, made.groupings.values()))
    print(
        f"\nThe panel: {ROWS:,} rows x {REVIEWERS} reviewers, {TASKS:,} tasks, {groups} groups, {RESAMPLES} resamples"
    )
    print(f"processor time {ours:.2f} s (at most {MOST_SECONDS:.0f}); one resample after the other, without the effect")
    print(f"on scores, {plain:.0f} s: {plain / ours:.0f} times as long")
    return ours <= MOST_SECONDS


NAMES = ("percent_agreement", "cohen_kappa", "gwet_ac1", "sensitivity", "specificity", "macro_f1")
WITH_WILSON = [NAMES.index("sensitivity"), NAMES.index("specificity")]
SETTINGS = {"balanced": (0.7, 0.85, 6.0), "nearly all met": (0.9, 0.9, 4.0), "correlated": (0.6, 0.75, 3.0)}
"""Share of Met, share of verdicts that are right, and how alike tasks are in both: a and b of beta are shares of it."""


def tables(rng: np.random.Generator, setting: str, shape: tuple[int, ...]) -> Floats:
    """Tables of tasks of eight items each, float64 (*shape, 2, 2).

    A task's items share how often they are met, and how often the judge is right.
    """
    met, right, alike = SETTINGS[setting]
    of_task = rng.beta(alike * met, alike * (1 - met), shape), rng.beta(alike * right, alike * (1 - right), shape)
    person = rng.binomial(ITEMS, of_task[0])
    a, d = rng.binomial(person, of_task[1]), rng.binomial(ITEMS - person, of_task[1])
    return np.stack([a, person - a, ITEMS - person - d, d], axis=-1).reshape(*shape, 2, 2).astype(np.float64)


def held(low: Floats, high: Floats, truth: Floats) -> Floats:
    """Share of the intervals (samples, m) that hold the truth (m,), of those that there are."""
    defined = ~np.isnan(low)
    inside: Floats = (defined & (low - 1e-12 <= truth) & (truth <= high + 1e-12)).sum(0) / defined.sum(0)
    return inside


def covered(setting: str, tasks: int, samples: int) -> tuple[Floats, Floats, Floats]:
    """Coverage of the percentile interval and of ours by the names of `NAMES`, and Wilson's of the two that have it."""
    rng = np.random.default_rng(tasks)
    whole = table_statistics(tables(rng, setting, (1_000_000,)).sum(0))
    truth = np.array([float(whole[name]) for name in NAMES])
    drawn = tables(rng, setting, (tasks, samples))

    def statistic(sums: Floats) -> Floats:
        found = table_statistics(sums.reshape(len(sums), samples, 2, 2))
        return np.concatenate([found[name].T for name in NAMES]).T

    rows = {"sensitivity": drawn[..., 0, :].sum(-1), "specificity": drawn[..., 1, :].sum(-1)}
    sums = drawn.reshape(tasks, -1)
    found = cluster_intervals(
        sums,
        statistic,
        clusters=np.concatenate([np.count_nonzero(rows.get(name, np.ones(drawn.shape[:2])), axis=0) for name in NAMES]),
        bounds=np.repeat([TABLE_BOUNDS[name] for name in NAMES], samples, axis=0),
    )
    ours = np.array([(each.low, each.high) for each in found], np.float64).reshape(len(NAMES), samples, 2)
    counts = rng.multinomial(tasks, np.full(tasks, 1 / tasks), RESAMPLES).astype(np.float64)
    resampled = np.sort(statistic(np.einsum("rn,nk->rk", counts, sums)).T, axis=1)
    defined = np.count_nonzero(~np.isnan(resampled), axis=1)
    places = [np.maximum(0, (share * (defined - 1)).astype(np.intp)) for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)]
    low, high = (resampled[np.arange(len(resampled)), place].reshape(len(NAMES), samples) for place in places)
    whole_sample = drawn.sum(0)
    ends = np.stack([wilson_ends(whole_sample[:, k, k], whole_sample[:, k].sum(-1)) for k in (0, 1)], axis=1)
    return (
        held(low.T, high.T, truth),
        held(ours[..., 0].T, ours[..., 1].T, truth),
        held(ends[..., 0], ends[..., 1], truth[WITH_WILSON]),
    )


def coverage(samples: int) -> bool:
    """How often intervals hold the true statistic of all tasks that there might be, by simulation."""
    print(f"\nCoverage of 95 % intervals over tasks of {ITEMS} items ({samples} samples): percentile / ours")
    print(f"{'tasks':>5} {'setting':>15} " + " ".join(f"{name:>17}" for name in NAMES) + "  Wilson's of both")
    good = True
    for tasks in (4, 8, 15, 40, 110):
        for setting in SETTINGS:
            plain, ours, theirs = covered(setting, tasks, samples)
            good &= bool((ours[:2] >= LOWEST[tasks]).all())
            pairs = " ".join(f"{one:>9.3f} / {other:.3f}" for one, other in zip(plain, ours, strict=True))
            print(f"{tasks:>5} {setting:>15} {pairs} {theirs[0]:>11.3f} {theirs[1]:.3f}")
    print(f"agreement and kappa: ours at least {LOWEST}, by tasks")
    return good


def corrected(tasks: int, samples: int) -> bool:
    """How far ARS by the judge and corrected are off, where the judge errs most on heavy items, by simulation."""
    rng = np.random.default_rng(tasks)
    size = tasks * ITEMS
    answer, off, inside, found_ars = np.repeat(np.arange(tasks), ITEMS), [], 0, 0
    for _ in range(samples):
        weight = rng.integers(1, 6, size)
        truth = rng.random(size) < np.repeat(rng.beta(5 * MEAN_SCORE, 5 - 5 * MEAN_SCORE, tasks), ITEMS)
        wrong = rng.random(size) < 0.02 + 0.06 * weight * ~truth  # too kind, and the more so the more it matters
        judge = (truth ^ wrong).astype(np.int8)
        reviewed = (judge == 0) | (rng.random(size) < MET_SHARE)
        effect = judge_effect(
            np.arange(tasks),
            answer,
            weight,
            weight >= 4,
            judge,
            np.where(reviewed, truth, -1),
            sampling_weight=np.where(judge == 1, 1 / MET_SHARE, 1.0),
        ).overall
        rate = effect.ars_corrected.rate
        if rate.value is None or rate.low is None or rate.high is None or effect.ars.value is None:
            continue
        found_ars += 1
        inside += rate.low <= MEAN_SCORE <= rate.high
        off.append((effect.ars.value - MEAN_SCORE, rate.value - MEAN_SCORE))
    by_judge, ours = np.mean(off, axis=0)
    share = inside / found_ars
    print(f"{tasks:>5} {by_judge:>+12.3f} {ours:>+12.3f} {share:>12.3f}   {found_ars} of {samples}")
    return bool(abs(ours) < abs(by_judge) / 4 and share >= LOWEST[tasks])


def correction(samples: int) -> bool:
    """What correcting ARS is worth."""
    print(
        f"\nARS of a judge that is too kind on heavy items, a third of its Met and all its Not Met reviewed ({samples})"
    )
    print(f"{'tasks':>5} {'off by judge':>12} {'corrected':>12} {'covered':>12}   defined")
    return min([corrected(tasks, samples) for tasks in (15, 40, 110)])  # all of them are printed


def main() -> bool:
    """Print the tables; True when both promises hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    quick = parser.parse_known_args()[0].quick
    return bool(cost() & coverage(300 if quick else 1000) & correction(100 if quick else 300))


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
