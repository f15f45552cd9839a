"""Which samples a stage is trained on, and the number of strokes that each is asked for: what chance decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq

from easel_app.services.problems import Invalid
from easel_app.trajectories.folder import Split
from easel_app.trajectories.reading import DataSet, Sample
from easel_app.trajectories.sampling import Subset
from easel_app.trajectories.training.config import Stage

REPLAY = 0.15
"""Published (arXiv 2608.25417): stage 2 is C2 with 15 % C1 replay. Not published is of what; ours is of stage 2."""
AT_A_TIME = 4096
"""Rows of three narrow columns that are in memory."""


class Selection(NamedTuple):
    """A rule that says of each sample whether it is of the stage."""

    subset: Subset
    """All of it."""
    most: int = -1
    """The largest rank at which a sample of C1 is replayed; below 0: none."""
    seed: int = 0

    def takes(self, subset: Subset, key: str, step: int) -> bool:
        """Whether a sample is of the stage."""
        return subset == self.subset or (subset == "C1" and rank(self.seed, key, step) <= self.most)


def selection(data: DataSet, stage: Stage, split: Split, replay: float = REPLAY, seed: int = 0) -> Selection:
    """The samples of a stage; of `seed` depends which samples of C1 are replayed.

    The replayed ones are those of the lowest rank, so that a larger share holds a smaller one. Takes 8 bytes of memory
    a sample of C1.

    Args:
        data: the data set.
        stage: of the training.
        split: only training has a replay.
        replay: share of C1 in the samples of stage 2, at least 0 and below 1.
        seed: of the choice.

    Raises:
        Invalid: C1 has fewer samples than are to be replayed.
    """
    if stage == 1 or split != "train" or replay == 0.0:
        return Selection("C1" if stage == 1 else "C2")
    counts = data.manifest.samples[split]
    wanted = round(counts.get("C2", 0) * replay / (1.0 - replay))
    if not wanted:
        return Selection("C2")
    ranks = np.fromiter(_ranks(data, split, seed), np.uint64)
    if wanted > ranks.size:
        message = (
            f"A replay of {replay:.0%} takes {wanted:,} samples of C1, and the data set has {ranks.size:,}; ask for a "
            "smaller replay."
        )
        raise Invalid("replay", message, "replay")
    return Selection("C2", int(np.partition(ranks, wanted - 1)[wanted - 1]), seed)


def budget_of(sample: Sample, budgets: Sequence[int], seed: int) -> int:
    """The number of strokes that a sample's question names: one of `budgets` that its step leaves something of.

    Which of them depends on `seed` and the sample alone. The trajectory's own number where there is none.
    """
    possible = [each for each in budgets if each > sample.step]
    if not possible:
        return sample.strokes
    return possible[rank(seed, f"{sample.reference_key} budget", sample.step) % len(possible)]


def rank(seed: int, key: str, step: int) -> int:
    """A number below 2^64 that orders samples as if by chance."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {key} {step}".encode(), digest_size=8).digest(), "big")


def _ranks(data: DataSet, split: Split, seed: int) -> Iterator[int]:
    """Ranks of all samples of C1."""
    for shard in data.shards(split):
        with pq.ParquetFile(data.file(shard, "samples")) as file:
            for batch in file.iter_batches(AT_A_TIME, columns=["reference_key", "subset", "step"]):
                for row in batch.to_pylist():
                    if row["subset"] == "C1":
                        yield rank(seed, row["reference_key"], row["step"])
