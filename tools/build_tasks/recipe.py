"""What every task starts from: a recipe that names a picture, says where it comes from, and paints it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .raster import Picture

T = TypeVar("T")
Image = NDArray[np.uint8]

OWN_ORIGIN = "drawn by the build script of this project"
OWN_AUTHOR = "Easel Studio contributors"
OWN_LICENCE = "Apache-2.0"


class Source(NamedTuple):
    """Where a picture comes from."""

    origin: str
    author: str
    licence: str
    detail: str
    """Seed of a drawn picture, crop of a photograph, name of an emoji."""


@dataclass(frozen=True)
class Recipe:
    """One picture to build."""

    title: str
    """What is seen, short."""
    source: Source
    paint: Callable[[], Image]
    """Makes the RGB bytes, uint8 (n, n, 3)."""


class Dice:
    """Seeded choices built on `random.Random.random` alone, whose stream Python keeps from version to version."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (pictures, not secrets)

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """A whole number in low..high, both included."""
        return low + int((high - low + 1) * self._random.random())

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.whole(0, len(options) - 1)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All options in a random order."""
        left = list(options)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in range(len(left))]


def drawn(title: str, seed: int, draw: Callable[[Dice], Picture]) -> Recipe:
    """The recipe of a picture that this project draws itself from a seed."""
    source = Source(OWN_ORIGIN, OWN_AUTHOR, OWN_LICENCE, f"{draw.__name__}, seed {seed}")
    return Recipe(title, source, lambda: draw(Dice(seed)).bytes())
