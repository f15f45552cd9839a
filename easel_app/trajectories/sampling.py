"""Which steps of a trajectory become samples: C1, early reconstruction, and C2, light completion.

As published (arXiv 2608.25417, data section): C1 keeps all early strokes and samples some that follow, C2 samples the
whole trajectory at a density that falls. The curve of the fall is not published; ours halves at a stroke that the
recipe names and is a quotient of whole numbers, which every machine rounds alike.

A stroke that changes nothing, as where a picture is finished, teaches nothing and is never a sample.
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


def chosen_steps(wish: SampleWish, changed: NDArray[np.bool_], rng: np.random.Generator) -> list[Chosen]:
    """The samples of one trajectory, C1 first, each subset in the order of its steps; no step twice in a subset.

    Args:
        wish: how many of which. For an early stroke that changed nothing C1 has one more of those that follow.
        changed: bool (n,), whether each stroke of the trajectory changed the canvas.
        rng: where chance comes from.
    """
    steps = np.flatnonzero(changed)
    early = steps[steps < wish.c1_all]
    later = steps[(steps >= wish.c1_all) & (steps < wish.c1_until)]
    missed = min(wish.c1_all, changed.size) - early.size
    some = rng.choice(later, min(wish.c1_some + missed, later.size), replace=False)
    whole = rng.choice(steps, min(wish.c2, steps.size), replace=False, p=density(wish, steps)) if steps.size else steps
    first = [Chosen("C1", step) for step in sorted([*early.tolist(), *some.tolist()])]
    return first + [Chosen("C2", step) for step in sorted(whole.tolist())]


def samples_of(wish: SampleWish, strokes: int) -> dict[Subset, int]:
    """How many samples of each subset a trajectory gives whose every stroke changes the canvas; none gives more."""
    later = max(0, min(wish.c1_until, strokes) - wish.c1_all)
    return {"C1": min(wish.c1_all, strokes) + min(wish.c1_some, later), "C2": min(wish.c2, strokes)}
