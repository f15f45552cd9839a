"""Means over tasks with their intervals, many at once."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from easel_app.scoring.uncertainty import cluster_intervals, cluster_sums, mean_intervals
from easel_app.services.rubrics.scores import Mean

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Means:
    """Means over tasks whose intervals are made together: samples of one size are resampled with the same draws."""

    def __init__(self) -> None:
        self._open: dict[tuple[float, float], list[tuple[Mean, Floats]]] = defaultdict(list)
        self._shares: list[tuple[Mean, Places, Floats]] = []

    def mean(self, task: Places, values: Floats, top: float = 1.0, low: float = 0.0) -> Mean:
        """The mean over tasks of their answers' means, so that a task counts once however often it was tried.

        Args:
            task: number of each answer's task, (n,).
            values: what is averaged, float64 (n,).
            top: what no mean can exceed.
            low: what no mean can fall below.

        Returns:
            The mean; its ends are known after `settle`.
        """
        sums, counts = np.bincount(task, values), np.bincount(task)
        sample = sums[counts > 0] / counts[counts > 0]
        found = Mean(value=float(sample.mean()) if len(sample) else None, low=None, high=None, n=len(values))
        self._open[low, top].append((found, sample))
        return found

    def share(self, task: Places, hits: Floats, tries: Floats) -> Mean:
        """The sum of hits over that of tries, such as successes over calls; else as `mean`, `n` counting the tries."""
        whole = tries.sum()
        found = Mean(value=float(hits.sum() / whole) if whole else None, low=None, high=None, n=int(whole))
        self._shares.append((found, task, np.column_stack([hits, tries])))
        return found

    def settle(self) -> None:
        """Give all of them their intervals."""
        for bounds, found in self._open.items():
            intervals = mean_intervals([sample for _, sample in found], bounds=bounds)
            for (mean, _), ends in zip(found, intervals, strict=True):
                mean.low, mean.high = ends or (None, None)
        if not self._shares:
            return
        size = 1 + max((int(task.max(initial=-1)) for _, task, _ in self._shares), default=0)
        sums = [cluster_sums(task, table, size) for _, task, table in self._shares]
        estimates = cluster_intervals(
            np.concatenate(sums, axis=1),
            _ratios,
            clusters=[np.count_nonzero(table[:, 1]) for table in sums],
            bounds=(0, 1),
        )
        for (mean, _, _), estimate in zip(self._shares, estimates, strict=True):
            mean.low, mean.high = estimate.low, estimate.high


def _ratios(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = sums[:, ::2] / sums[:, 1::2]
    return found
