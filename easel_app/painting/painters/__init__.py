"""The built-in painters: who they are, and how to hire one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple, Protocol

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.greedy import SIMILARITY, GreedyPainter
from easel_app.painting.painters.scripted.solver import SolverPainter
from easel_app.painting.painters.scripted.tracer import TracerPainter
from easel_app.painting.painters.scripted.writer import WriterPainter
from easel_app.painting.painters.uniform import RandomPainter
from easel_app.painting.stroke import Action, BrushStroke, PathStroke, Stroke, Submit
from easel_app.painting.truth import HandwritingTruth, MazeTruth, OutlineTruth, Truth

__all__ = ["PAINTERS", "Painter", "PainterEntry", "able", "next_action", "painter"]


class Painter(Protocol):
    """Chooses strokes for one task and one budget.

    The stroke is a pure function of task, budget, seed, canvas and step. So a painter that was stopped can be
    begun again from the canvas and the step, and anyone may have painted in between. For one thread at a time.
    """

    @property
    def name(self) -> str:
        """Name and version, such as ``greedy/1``; the version changes whenever a stroke would change."""

    def next(self, canvas: Bytes, step: int) -> Floats | None:
        """The next stroke.

        Args:
            canvas: uint8 (n, n, 3), as it is now; the quickest if it is what the painter's last stroke left.
            step: steps used so far, at least 0; it may go beyond the budget.

        Returns:
            Each in [0, 1], float64: (13,) in the order of `easel_app.painting.stroke.STROKE_FIELDS`, or in a semantic
            task (6,) in that of `PATH_FIELDS`. None when it is done, which only painters of semantic tasks ever are.

        Raises:
            ValueError: the canvas has not the task's shape and type, or the step is negative.
        """


class Order(NamedTuple):
    """What a painter is hired for."""

    reference: Bytes
    """uint8 (n, n, 3): the reference, or the start canvas of a semantic task."""
    budget: int
    seed: int
    truth: Truth | None
    """What a semantic task is scored against: its painters are scripts that know the answer."""


class PainterEntry(NamedTuple):
    """A painter that can be hired."""

    version: str
    """Name and version, as the painter tells it."""
    paints: type[Truth] | type[None]
    """What the tasks that it can paint are scored against; `NoneType` for a reference."""
    make: Callable[[str, Order], Painter]
    """Makes one from that name and an order."""


def _matches(make: Callable[..., Painter], name: str, order: Order) -> Painter:
    return make(name, order.reference, order.budget, order.seed)


def _draws(make: Callable[..., Painter], name: str, order: Order) -> Painter:
    return make(name, order.truth, len(order.reference), order.budget, order.seed)


PAINTERS: Mapping[str, PainterEntry] = MappingProxyType(
    {
        "greedy": PainterEntry("greedy/1", NoneType, partial(_matches, GreedyPainter)),
        "greedy-s": PainterEntry(
            "greedy-s/1", NoneType, partial(_matches, partial(GreedyPainter, effort=SIMILARITY))
        ),
        "random": PainterEntry("random/1", NoneType, partial(_matches, RandomPainter)),
        "tracer": PainterEntry("tracer/1", OutlineTruth, partial(_draws, TracerPainter)),
        "writer": PainterEntry("writer/1", HandwritingTruth, partial(_draws, WriterPainter)),
        "solver": PainterEntry("solver/1", MazeTruth, partial(_draws, SolverPainter)),
    }
)
"""All painters by their short name. Of reconstructions: `greedy`, the data policy, which looks at squared error alone;
`greedy-s`, which finishes each stroke by the similarity that it is scored by; `random`, the control. Of semantic
tasks, scripts that know the answer: `tracer` outlines, `writer` writes, `solver` goes through mazes."""


def able(truth: Truth | None) -> list[str]:
    """Names of the painters that can paint a task, by what it is scored against."""
    return [name for name, entry in PAINTERS.items() if entry.paints is type(truth)]


def painter(name: str, reference: Bytes, budget: int, seed: int = 0, truth: Truth | None = None) -> Painter:
    """A painter for one painting.

    Args:
        name: a key of `PAINTERS`.
        reference: uint8 (n, n, 3), sRGB: the reference, or the start canvas of a semantic task.
        budget: strokes that it plans for, at least 1.
        seed: at least 0; where its chance comes from.
        truth: what a semantic task is scored against.

    Raises:
        ValueError: unknown name, one that does not paint such tasks, a budget or seed out of range, or a reference that
            the engine does not take.

    Example:
        >>> import numpy as np
        >>> blue = np.full((32, 32, 3), (40, 90, 200), np.uint8)
        >>> painter("greedy", blue, budget=8).next(np.full_like(blue, 255), step=0).shape
        (13,)
    """
    if name not in PAINTERS:
        raise ValueError(f"there is no painter {name!r}: choose one of {', '.join(PAINTERS)}")
    if name not in able(truth):
        raise ValueError(f"{name} does not paint such a task: choose one of {', '.join(able(truth))}")
    if budget < 1 or seed < 0:
        raise ValueError(f"the budget is {budget} and the seed {seed}, but they must be at least 1 and 0: correct them")
    return PAINTERS[name].make(PAINTERS[name].version, Order(reference, budget, seed, truth))


def next_action(painter: Painter, canvas: Bytes, step: int) -> Action:
    """What a painter does next: its stroke, or a submit when it is done."""
    found: Any = painter.next(canvas, step)
    if found is None:
        return Submit(kind="submit")
    form = PathStroke if len(found) == len(PathStroke.model_fields) else Stroke
    return BrushStroke(kind="brush_stroke", stroke=form.from_vector(found))
