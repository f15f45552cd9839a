"""The built-in painters: who they are, and how to hire one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, Protocol

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.greedy import SIMILARITY, GreedyPainter
from easel_app.painting.painters.uniform import RandomPainter

__all__ = ["PAINTERS", "Painter", "PainterEntry", "painter"]


class Painter(Protocol):
    """Chooses strokes for one reference and one budget.

    The stroke is a pure function of reference, budget, seed, canvas and step. So a painter that was stopped can be
    begun again from the canvas and the step, and anyone may have painted in between. For one thread at a time.
    """

    @property
    def name(self) -> str:
        """Name and version, such as ``greedy/1``; the version changes whenever a stroke would change."""

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke.

        Args:
            canvas: uint8 (n, n, 3), as it is now; the quickest if it is what the painter's last stroke left.
            step: steps used so far, at least 0; it may go beyond the budget.

        Returns:
            float64 (13,), each in [0, 1], in the order of `easel_app.painting.stroke.STROKE_FIELDS`.

        Raises:
            ValueError: the canvas has not the reference's shape and type, or the step is negative.
        """


class PainterEntry(NamedTuple):
    """A painter that can be hired."""

    version: str
    """Name and version, as the painter tells it."""
    make: Callable[[str, Bytes, int, int], Painter]
    """Makes one from that name, a reference (uint8 (n, n, 3)), a budget and a seed."""


PAINTERS: Mapping[str, PainterEntry] = MappingProxyType(
    {
        "greedy": PainterEntry("greedy/1", GreedyPainter),
        "greedy-s": PainterEntry("greedy-s/1", partial(GreedyPainter, effort=SIMILARITY)),
        "random": PainterEntry("random/1", RandomPainter),
    }
)
"""All painters by their short name: `greedy`, the data policy, which looks at squared error alone; `greedy-s`, which
finishes each stroke by the similarity that it is scored by; `random`, the control."""


def painter(name: str, reference: Bytes, budget: int, seed: int = 0) -> Painter:
    """A painter for one painting.

    Args:
        name: a key of `PAINTERS`.
        reference: uint8 (n, n, 3), sRGB.
        budget: strokes that it plans for, at least 1.
        seed: at least 0; where its chance comes from.

    Raises:
        ValueError: unknown name, a budget or seed out of range, or a reference that the engine does not take.

    Example:
        >>> import numpy as np
        >>> blue = np.full((32, 32, 3), (40, 90, 200), np.uint8)
        >>> painter("greedy", blue, budget=8).next(np.full_like(blue, 255), step=0).shape
        (13,)
    """
    if name not in PAINTERS:
        raise ValueError(f"there is no painter {name!r}: choose one of {', '.join(PAINTERS)}")
    if budget < 1 or seed < 0:
        raise ValueError(f"the budget is {budget} and the seed {seed}, but they must be at least 1 and 0: correct them")
    return PAINTERS[name].make(PAINTERS[name].version, reference, budget, seed)
