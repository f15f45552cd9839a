"""Small data sets, made in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from easel_app.trajectories.folder import Folder
from easel_app.trajectories.making import make
from easel_app.trajectories.recipe import PoolWish, Recipe, SampleWish
from easel_app.trajectories.records import Manifest

Result = TypeVar("Result")


def recipe(**more: Any) -> Recipe:
    """Fourteen references in shards of four, 24 strokes each."""
    pool = {"references": 14, "validation": 0.3, "size": 64, **more.pop("pool", {})}
    samples = {"c1_all": 3, "c1_until": 10, "c1_some": 2, "c2": 4, "c2_half": 5.0, **more.pop("samples", {})}
    given = {"painter": "random", "strokes": 24, "shard": 4, **more}
    return Recipe(pool=PoolWish(**pool), samples=SampleWish(**samples), **given)


class Here:
    """Makes the shards one after the other, as many as it may."""

    name = "here"

    def __init__(self, most: int | None = None) -> None:
        """Stop by Ctrl-C after `most` shards."""
        self.most = most
        self.made: list[int] = []

    def work(self, job: Callable[[int], Result], shards: Sequence[int], told: Callable[[Result], None]) -> None:
        """Work the shards off."""
        for index in shards:
            if self.most is not None and len(self.made) == self.most:
                raise KeyboardInterrupt
            self.made.append(index)
            told(job(index))


def made(path: Path, engine: Here | None = None, **more: Any) -> Manifest:
    """Make a data set at `path`."""
    return make(Folder(path), recipe(**more), engine or Here(), lambda progress: None)
