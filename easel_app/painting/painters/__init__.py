"""The built-in painters: who they are, and how to hire one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple, Protocol

from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.controls import FillsPainter, early_stop, overpaint, repeat
from easel_app.painting.painters.greedy import QUICK, SIMILARITY, GreedyPainter
from easel_app.painting.painters.grid import parts
from easel_app.painting.painters.planner import PlannerPainter
from easel_app.painting.painters.planning import QUICK as QUICK_PLAN
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
    grid: int | None
    """Each number of a stroke is a whole number of so many parts of 1; None: as fine as can be."""


class PainterEntry(NamedTuple):
    """A painter that can be hired."""

    version: str
    """Name and version, as the painter tells it."""
    paints: type[Truth] | type[None]
    """What the tasks that it can paint are scored against; `NoneType` for a reference."""
    make: Callable[[str, Order], Painter]
    """Makes one from that name and an order."""
    shows: str
    """What it is for, in one line; of a control, which metric of a trajectory it shows."""


def _matches(make: Callable[..., Painter], name: str, order: Order) -> Painter:
    return make(name, order.reference, order.budget, order.seed, order.grid)


def _draws(make: Callable[..., Painter], name: str, order: Order) -> Painter:
    return make(name, order.truth, len(order.reference), order.budget, order.seed)


def _reconstructor(version: str, make: Callable[..., Painter], shows: str) -> PainterEntry:
    return PainterEntry(version, NoneType, partial(_matches, make), shows)


def _script(version: str, paints: type[Truth], make: Callable[..., Painter], shows: str) -> PainterEntry:
    return PainterEntry(version, paints, partial(_draws, make), shows)


_ENTRIES = (
    _reconstructor("greedy/1", GreedyPainter, "squared error alone: the data policy, whose scores are anchors"),
    _reconstructor("greedy-quick/1", partial(GreedyPainter, effort=QUICK, again=4), "squared error alone, in bulk"),
    _reconstructor("greedy-s/1", partial(GreedyPainter, effort=SIMILARITY), "finishes each stroke by the similarity S"),
    _reconstructor("planner-quick/1", partial(PlannerPainter, care=QUICK_PLAN), "`planner` in half the time"),
    _reconstructor("planner/1", PlannerPainter, "plans all strokes together by S: the best picture"),
    _reconstructor("random/1", RandomPainter, "looks at nothing: similarity that falls"),
    _reconstructor("fills/1", FillsPainter, "a flat fill by strokes: Final at the anchor of the mean fill"),
    _reconstructor("repeat/1", repeat, "repeats its last stroke word for word: the exact-repeat rate"),
    _reconstructor("early-stop/1", early_stop, "goes on invisibly: a small Final-Best gap by inaction, @50% = Final"),
    _reconstructor("overpaint/1", overpaint, "spoils what it painted: a large Final-Best gap"),
    _script("tracer/1", OutlineTruth, TracerPainter, "outlines the region"),
    _script("writer/1", HandwritingTruth, WriterPainter, "writes the word"),
    _script("solver/1", MazeTruth, SolverPainter, "goes through the maze"),
)
PAINTERS: Mapping[str, PainterEntry] = MappingProxyType({entry.version.partition("/")[0]: entry for entry in _ENTRIES})
"""All painters by their short name. Of reconstructions: those of squared error alone, the data policy first; those that
know the similarity S that they are scored by; the controls. Of semantic tasks, scripts that know the answer."""


def able(truth: Truth | None) -> list[str]:
    """Names of the painters that can paint a task, by what it is scored against."""
    return [name for name, entry in PAINTERS.items() if entry.paints is type(truth)]


def painter(
    name: str, reference: Bytes, budget: int, seed: int = 0, truth: Truth | None = None, grid: int | None = None
) -> Painter:
    """A painter for one painting.

    Args:
        name: a key of `PAINTERS`.
        reference: uint8 (n, n, 3), sRGB: the reference, or the start canvas of a semantic task.
        budget: strokes that it plans for, at least 1.
        seed: at least 0; where its chance comes from.
        truth: what a semantic task is scored against.
        grid: with 1000, each number of each stroke is float64(k) / 1000 for a whole k, and the painter goes on from
            the stroke as it is written so; None: as fine as can be. For reconstructions only.

    Raises:
        ValueError: unknown name, one that does not paint such tasks, a budget or seed out of range, a grid that is too
            coarse or for a semantic task, or a reference that the engine does not take.

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
    if parts(grid) and truth is not None:
        raise ValueError(f"{name} draws paths that a grid could push into a wall: leave the grid out")
    return PAINTERS[name].make(PAINTERS[name].version, Order(reference, budget, seed, truth, grid))


def next_action(painter: Painter, canvas: Bytes, step: int) -> Action:
    """What a painter does next: its stroke, or a submit when it is done."""
    found: Any = painter.next(canvas, step)
    if found is None:
        return Submit(kind="submit")
    form = PathStroke if len(found) == len(PathStroke.model_fields) else Stroke
    return BrushStroke(kind="brush_stroke", stroke=form.from_vector(found))
