"""Controls: painters that show one metric of a trajectory each, as a player does that has learnt nothing else.

They paint blind: their strokes follow from the reference, the budget, the seed and the step alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np

from easel_app.engine import StepEngine
from easel_app.engine.kernel import Bytes, Floats
from easel_app.painting.painters.draft import new_draft
from easel_app.painting.painters.greedy import QUICK, GreedyPainter
from easel_app.painting.painters.grid import quantise

SPOILS = 0.5
"""Share of the budget after which `overpaint` spoils its picture ..."""
REPEATS = 0.25
"""... after which `repeat` repeats itself ..."""
STOPS = 0.1
"""... and after which `early-stop` does nothing any more."""

Tail = Callable[[np.random.Generator, Floats], Floats]
"""What follows: a stroke from chance, a generator of the step's own, and from the last stroke of the beginning."""


class FillsPainter:
    """Fills the canvas with the mean colour of the reference, one half by each stroke, again and again."""

    def __init__(self, name: str, reference: Bytes, budget: int, seed: int, grid: int | None = None) -> None:
        """Begin; only the reference and the grid matter."""
        self.name = name
        new_draft(reference)  # refuses what no painter can paint
        self._shape = reference.shape
        colour = np.floor(reference.reshape(-1, 3).mean(axis=0) + 0.5) / 255.0
        self._halves = [quantise(np.array([0, y, 0.5, y, 1, y, 1, 1, 1, 1, *colour]), grid) for y in (0.25, 0.75)]

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke, whatever the canvas holds. See `Painter.next`."""
        _require(canvas, self._shape, step)
        return self._halves[step % 2].copy()


class LapsingPainter:
    """Paints well for a first share of its budget, at least one stroke, and then lapses into something else."""

    def __init__(
        self, name: str, reference: Bytes, budget: int, seed: int, grid: int | None, share: float, tail: Tail
    ) -> None:
        """Begin; `share` of the budget is painted as `greedy-quick` does, the rest is up to `tail`."""
        self.name = name
        self._reference, self._seed, self._grid, self._tail = reference, seed, grid, tail
        self._first = max(1, int(budget * share))
        new_draft(reference)  # refuses what no painter can paint
        self._shape = reference.shape

    def next(self, canvas: Bytes, step: int) -> Floats:
        """The next stroke, whatever the canvas holds. See `Painter.next`."""
        _require(canvas, self._shape, step)
        if step < self._first:
            return self._beginning[step].copy()
        chance = np.random.default_rng([self._seed, step])
        return quantise(self._tail(chance, self._beginning[-1]), self._grid)

    @cached_property
    def _beginning(self) -> list[Floats]:
        painter = GreedyPainter(self.name, self._reference, self._first, self._seed, self._grid, QUICK)
        engine, strokes = StepEngine(self._reference), []
        for step in range(self._first):
            strokes.append(painter.next(engine.canvas, step))
            engine.step(strokes[-1])
        return strokes


def _require(canvas: Bytes, shape: tuple[int, ...], step: int) -> None:
    if canvas.shape != shape or canvas.dtype != np.uint8:
        raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be uint8 {shape}")
    if step < 0:
        raise ValueError(f"the step is {step}, but must not be negative: count from 0")


def _again(chance: np.random.Generator, last: Floats) -> Floats:
    return last.copy()


def _unseen(chance: np.random.Generator, last: Floats) -> Floats:
    stroke = chance.random(13)
    stroke[[7, 9]] = 0.0
    return stroke


def _anything(chance: np.random.Generator, last: Floats) -> Floats:
    return chance.random(13)


repeat = partial(LapsingPainter, share=REPEATS, tail=_again)
"""Paints a quarter, then repeats its last stroke word for word."""
early_stop = partial(LapsingPainter, share=STOPS, tail=_unseen)
"""Paints a tenth, then goes on with strokes that are all different and invisible."""
overpaint = partial(LapsingPainter, share=SPOILS, tail=_anything)
"""Paints half, then spoils it by random strokes."""
