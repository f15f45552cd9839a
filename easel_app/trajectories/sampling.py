"""Which steps of a trajectory become samples: C1, early reconstruction, and C2, light completion.

As published (arXiv 2608.25417, data section): C1 keeps all early strokes and samples some that follow, C2 samples the
whole trajectory at a density that falls; so some strokes are samples of both. (A figure of the paper keeps stroke 16,
too.) The curve of the fall is not published; ours is a quotient that halves at a stroke which the recipe names.

A stroke that changes nothing, as where a picture is finished, teaches nothing and is never a sample; one that lowers
the similarity, as a painter that looks at squared error makes now and then, is one unless the recipe says otherwise.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.trajectories.recipe import SampleWish

Subset = Literal["C1", "C2"]
SUBSETS: tuple[Subset, ...] = ("C1", "C2")


class Chosen(NamedTuple):
    """A step that becomes a sample."""

    subset: Subset
    step: int
    """The canvas is shown before the stroke of this number, from 0."""


def density(wish: SampleWish, steps: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely C2 is to draw each of some steps (n,) first, float64 (n,) that sum to 1: as 1 / (1 + step / half)."""
    weight = 1.0 / (1.0 + steps / wish.c2_half)
    return np.asarray(weight / weight.sum())


def worth_showing(wish: SampleWish, changed: NDArray[np.bool_], similarity: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which strokes may be samples, bool (n,).

    Args:
        wish: the least gain.
        changed: bool (n,), whether each stroke changed the canvas.
        similarity: float64 (n + 1,), before the first stroke and after each one.
    """
    return changed if wish.least_gain is None else changed & (np.diff(similarity) >= wish.least_gain)


def chosen_steps(wish: SampleWish, worth: NDArray[np.bool_], rng: np.random.Generator) -> list[Chosen]:
    """The samples of one trajectory, C1 first, each subset in the order of its steps; no step twice in a subset.

    Args:
        wish: how many of which. For an early stroke that is not worth it C1 has one more of those that follow.
        worth: bool (n,), see `worth_showing`.
        rng: where chance comes from.
    """
    steps = np.flatnonzero(worth)
    early = steps[steps < wish.c1_all]
    later = steps[(steps >= wish.c1_all) & (steps < wish.c1_until)]
    missed = min(wish.c1_all, worth.size) - early.size
    some = rng.choice(later, min(wish.c1_some + missed, later.size), replace=False)
    whole = rng.choice(steps, min(wish.c2, steps.size), replace=False, p=density(wish, steps)) if steps.size else steps
    first = [Chosen("C1", step) for step in sorted([*early.tolist(), *some.tolist()])]
    return first + [Chosen("C2", step) for step in sorted(whole.tolist())]


def samples_of(wish: SampleWish, strokes: int) -> dict[Subset, int]:
    """How many samples of each subset a trajectory gives whose every stroke changes the canvas; none gives more."""
    later = max(0, min(wish.c1_until, strokes) - wish.c1_all)
    return {"C1": min(wish.c1_all, strokes) + min(wish.c1_some, later), "C2": min(wish.c2, strokes)}
