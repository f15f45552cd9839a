"""What repeated attempts at the same tasks say: pass@k and pass^k: ``repeats/1``.

Both are of k attempts that are drawn from the n of a task of which c pass, without putting any back, which makes them
unbiased for every n >= k. pass@k: at least one of them passes, 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, "Evaluating
Large Language Models Trained on Code", arXiv 2107.03374, equation 1). pass^k: all of them pass, C(c, k) / C(n, k) (Yao
et al. 2024, "tau-bench", arXiv 2406.12045). A benchmark's value is the mean over its tasks; with k = 1 both are the
pass rate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERSION = "repeats/1"
EACH = 8
"""Up to here each k is told; beyond it twice as many attempts each time, and the most that there are."""
Floats = NDArray[np.float64]


def pass_at_k(attempts: ArrayLike, passes: ArrayLike, k: int) -> Floats:
    """pass@k of each task: how likely at least one of k attempts passes.

    Args:
        attempts: scored attempts at each task, whole (n,); 0 where it has none.
        passes: how many of them pass, whole (n,).
        k: attempts that are drawn, at least 1.

    Returns:
        float64 (n,) in [0, 1]; nan for tasks with fewer than k attempts, of which nothing is known.

    Raises:
        ValueError: k is below 1, or passes do not lie within 0 and the attempts.

    Example:
        >>> pass_at_k([4, 4, 1], [1, 4, 0], 2)
        array([0.5, 1. , nan])
    """
    n, c = _counts(attempts, passes, k)
    return np.where(n < k, np.nan, -np.expm1(_log_share(n, n - c, k)))


def pass_hat_k(attempts: ArrayLike, passes: ArrayLike, k: int) -> Floats:
    """pass^k of each task: how likely all of k attempts pass; else as `pass_at_k`.

    Example:
        >>> pass_hat_k([4, 4, 1], [2, 4, 0], 2).round(3)
        array([0.167, 1.   ,   nan])
    """
    n, c = _counts(attempts, passes, k)
    return np.where(n < k, np.nan, np.exp(_log_share(n, c, k)))


def ks(most: int) -> list[int]:
    """The k that are worth telling of tasks with at most so many attempts; none below two.

    Example:
        >>> ks(3), ks(40), ks(1)
        ([1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 40], [])
    """
    doubled = [EACH << power for power in range(1, max(most, 1).bit_length())]
    return sorted({k for k in (*range(1, EACH + 1), *doubled, most) if k <= most}) if most > 1 else []


def _counts(attempts: ArrayLike, passes: ArrayLike, k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n, c = np.asarray(attempts, np.int64), np.asarray(passes, np.int64)
    if k < 1:
        raise ValueError(f"at least one attempt is drawn, not {k}")
    if n.shape != c.shape or ((c < 0) | (c > n)).any():
        raise ValueError("each task has as many passes as attempts at most, and none has fewer than 0")
    return n, c


def _log_share(whole: NDArray[np.int64], part: NDArray[np.int64], k: int) -> Floats:
    """The log of C(part, k) / C(whole, k), the product of (part - j) / (whole - j) for j < k, float64 (n,).

    The factors are taken as 1 - (whole - part) / (whole - j): binomials of large numbers overflow, and a share near 1
    would lose its distance from it. It is -inf where k is more than `part`; where it is more than `whole` it is not
    meant.
    """
    total = np.zeros(whole.shape)
    lacking = (whole - part).astype(np.float64)
    with np.errstate(divide="ignore"):
        for j in range(k):
            total += np.log1p(-np.minimum(lacking / np.maximum(whole - j, 1), 1.0))
    return total
