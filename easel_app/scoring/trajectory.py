"""Scores of a whole rollout, from the score after every step: ``trajectory/1``.

Final, @50%, AUC, Best and the final-best gap are defined in arXiv 2608.25417, section 3; what the paper leaves open is
chosen here and named by the version:

- S_0 (the untouched canvas) takes no part in AUC or Best, which run over t = 1..T;
- a rollout that ends before its budget T holds its last value up to T, since its canvas does not change any more;
- repeats are counted over pairs of successive strokes that were painted: undo, submit, rejected and invalid actions
  are left out.

What is not defined is left empty (None), never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

VERSION = "trajectory/1"
NEAR = 0.02
"""Largest difference in any of a stroke's numbers at which it still counts as a near repeat."""


class Trajectory(NamedTuple):
    """Scores of one rollout; each is None where it is not defined."""

    final: float | None
    at_half: float | None
    """Similarity at step floor(T / 2), "@50%"."""
    auc: float | None
    """Mean similarity over the steps 1..T."""
    best: float | None
    best_step: int | None
    """First step that reaches the best similarity."""
    final_best_gap: float | None
    """best - final, never negative. Read it beside final: a small gap can be inaction."""


def trajectory(similarities: Sequence[float], budget: int | None = None) -> Trajectory:
    """Score a rollout.

    Args:
        similarities: S_0..S_t, one value for each step and the untouched canvas first.
        budget: T; None (practice) takes the number of steps made.

    Raises:
        ValueError: no value at all, or more steps than the budget.

    Example:
        >>> trajectory([0.4, 0.5, 0.7, 0.6], budget=4)
        Trajectory(final=0.6, at_half=0.7, auc=0.6, best=0.7, best_step=2, final_best_gap=0.09999999999999998)
    """
    if not similarities:
        raise ValueError("a rollout has at least the similarity of its untouched canvas")
    steps = len(similarities) - 1
    total = steps if budget is None else budget
    if steps > total:
        raise ValueError(f"{steps} steps do not fit a budget of {total}")
    if steps == 0:
        return Trajectory(None, None, None, None, None, None)
    made = similarities[1:]
    final = made[-1]
    at_half = similarities[min(total // 2, steps)]
    auc = (sum(made) + final * (total - steps)) / total
    best = max(made)
    return Trajectory(final, at_half, auc, best, made.index(best) + 1, best - final)


def exact_repeat_rate(strokes: Sequence[Sequence[float]]) -> float | None:
    """Share of strokes equal, number by number, to the one before; None for fewer than two strokes.

    The paper reports such a rate without a formula; the pairs of successive strokes are our denominator.
    """
    return _repeat_rate(strokes, 0.0)


def near_repeat_rate(strokes: Sequence[Sequence[float]], tolerance: float = NEAR) -> float | None:
    """Share of strokes that differ from the one before by at most `tolerance` in every number.

    Report it with the tolerance in its name (``near_repeat_rate_0.02``).
    """
    return _repeat_rate(strokes, tolerance)


def _repeat_rate(strokes: Sequence[Sequence[float]], tolerance: float) -> float | None:
    if len(strokes) < 2:
        return None
    repeats = sum(
        all(abs(x - y) <= tolerance for x, y in zip(before, after, strict=True))
        for before, after in pairwise(strokes)
    )
    return repeats / (len(strokes) - 1)


def skill(score: float, mean_fill: float, data_policy: float | None) -> float | None:
    """Where a score lies between the mean fill (0) and the data policy at budget (1) of the same task.

    Our own number, beside the published one and never instead of it. It may leave [0, 1] on both sides. None when the
    data policy has no score or does not pass the mean fill.
    """
    if data_policy is None or data_policy <= mean_fill:
        return None
    return (score - mean_fill) / (data_policy - mean_fill)
